"""Which pictures the tests keep in fixtures, and the one on the start page."""

from __future__ import annotations

from dataclasses import replace

from models.render.order import EMPTY, Order
from models.render.race import rounds

LARGEST = 250_000  # bytes a picture; together they travel with every clone
SAMPLES, DEMO_SAMPLES = 8, 16
SMALL = (960, 720)  # px
TABLES = range(1001, 1037)  # seeds of the tables in fixtures/rendered, one after the other

# seed, table, stock of the lid, camera's elevation, is the left-over die beside the board?
EVENINGS = (
    (103, "wood", "purple", 62, True),
    (107, "felt", "cardboard", 60, False),
    (121, "cloth", "wood", 76, False),
    (110, "wood", "cardboard", 57, True),
    (119, "stone", "purple", 54, False),
    (117, "cloth", "cardboard", 68, True),
    (105, "wood", "wood", 84, False),
    (122, "stone", "wood", 56, False),
    (115, "felt", "purple", 66, True),
    (130, "cloth", "purple", 58, False),
    (118, "wood", "purple", 50, False),
    (109, "stone", "cardboard", 73, True),
    (148, "felt", "wood", 60, False),
)


def race_orders() -> dict[str, Order]:
    """Return the pictures of the scripted race by file name."""
    orders = {}
    for played, (seed, table, stock, elevation, tenth) in zip(rounds(), EVENINGS, strict=True):
        orders[played.file] = Order(
            seed=seed,
            tokens=played.tokens,
            beside=played.left_over if tenth else EMPTY,
            table=table,
            stock=stock,
            elevation=elevation,
        )
    return orders


def odd_orders() -> dict[str, Order]:
    """Return boards that are not full, not legal, or hard to see."""

    def order(seed: int, cells: str, table: str, stock: str, elevation: float) -> Order:
        return Order(seed, (1600, 1200), tuple(cells.split()), EMPTY, table, stock, elevation)

    dim = order(207, "W2 B6 B1 W5 B3 W4 B2 W6 B5", "wood", "cardboard", 63)
    return {
        "partial-4.jpg": order(201, "-- B5 -- W3 B2 -- -- -- W6", "cloth", "purple", 60),
        "eight.jpg": order(202, "B1 W4 B6 W2 -- W5 B3 W1 B4", "wood", "wood", 55),
        "ten.jpg": order(203, "B2 W5 W1 B4 B3+W2 W6 B6 B1 W3", "felt", "cardboard", 64),
        "two-in-a-cell.jpg": order(204, "W3 B5 -- B1 W6 B2+W4 W2 B6 B3", "stone", "purple", 58),
        "foreign.jpg": order(205, "B4 W1 B6 W5 R3 B2 B1 W6 W2", "cloth", "wood", 66),
        "empty.jpg": order(206, "-- -- -- -- -- -- -- -- --", "wood", "purple", 50),
        "dim.jpg": replace(dim, dim=True),
        # Found among a hundred: cells were wrong or doubted, and on the last one a die was missed.
        "turned.jpg": Order(521, SMALL),
        "low.jpg": Order(507, SMALL),
        "framed.jpg": Order(630, SMALL),
        "hidden.jpg": Order(646, SMALL),
    }


def demo_order() -> Order:
    """Return the start page's picture."""
    tokens = ("B5", "W2", "B3", "W6", "B4", "W1", "B6", "W3", "B2")
    return Order(seed=311, tokens=tokens, beside="W5", table="wood", stock="purple", elevation=55)
