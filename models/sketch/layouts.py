"""How dominoes lie in play: crosses, T-junctions, blocks, stacks and single ones.

A layout is a list of spots on the table, in widths of a tile, which is twice as long; `lay` puts
tiles of one set on them. These are the tables on which a half may be taken for a stranger's.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from models.pieces.palette import COLOUR_PROBS
from models.sketch import bodies
from models.sketch.dominoes import draw_domino, draw_half
from models.sketch.sketch_pieces import SketchPiece, draw_style
from models.textures.texture import Random

ACROSS = np.pi / 2
GAP = 0.03  # widths, the mean distance of two tiles that touch, as hands lay them
USUAL = 0.75  # of the sets are ivory or black
ASKEW = 0.02  # radians, how far off its direction a tile lies


@dataclass(frozen=True, slots=True)
class LaidTile:
    """Where a tile lies; its length runs along *yaw*."""

    x: float
    y: float
    yaw: float = 0.0
    level: int = 0  # 1 lies on those of level 0


def cross(rng: Random) -> list[LaidTile]:
    """Return a tile with neighbours on both long sides, and mostly on both ends too."""
    arms = [(0.0, 1.5, ACROSS), (0.0, -1.5, ACROSS)]
    if rng.random() < 0.7:
        arms += [(2.0, 0.0, 0.0), (-2.0, 0.0, 0.0)] if rng.random() < 0.6 else [(1.5, 0.0, ACROSS)]
    spots = [LaidTile(0.0, 0.0), *(LaidTile(*arm) for arm in arms)]
    if rng.random() < 0.4:  # an arm goes on
        spots.append(LaidTile(0.0, 3.5, ACROSS))
    return spots


def tee(rng: Random) -> list[LaidTile]:
    """Return one or two tiles that end on the long side of another, or of two in a row."""
    spots = [LaidTile(0.0, 0.0), LaidTile(float(rng.choice([-0.5, 0.0, 0.5])), 1.5, ACROSS)]
    if rng.random() < 0.5:
        spots.append(LaidTile(2.0, 0.0))
    if rng.random() < 0.4:
        spots.append(LaidTile(float(rng.choice([-0.5, 0.5])), -1.5, ACROSS))
    return spots


def block(rng: Random) -> list[LaidTile]:
    """Return tiles side by side in one row or more, perhaps as bricks lie."""
    columns, rows = int(rng.integers(2, 6)), int(rng.integers(1, 4))
    shift = float(rng.choice([0.0, 0.0, 0.5, 1.0]))
    return [
        LaidTile(2.0 * row - shift * (column % 2), float(column))
        for column in range(columns)
        for row in range(rows)
    ]


def stack(rng: Random) -> list[LaidTile]:
    """Return tiles side by side with others on them that cover one half each of some."""
    columns = int(rng.integers(2, 5))
    spots = [LaidTile(float(column), 0.0, ACROSS) for column in range(columns)]
    if rng.random() < 0.3:
        spots += [LaidTile(float(column), 2.0, ACROSS) for column in range(columns)]
    end = float(rng.choice([-0.5, 0.5]))
    over = float(rng.integers(columns - 1))
    if rng.random() < 0.6:  # across two halves: those in the open look like one tile
        return [*spots, LaidTile(over + 0.5, end, 0.0, 1)]
    yaw = float(rng.choice([ACROSS, rng.uniform(0, np.pi)]))
    return [*spots, LaidTile(over, 2 * end, yaw, 1)]


def single(rng: Random) -> list[LaidTile]:
    """Return one to four tiles far apart."""
    count = int(rng.integers(1, 5))
    far = float(rng.uniform(3.0, 5.0))
    turns = rng.uniform(0, np.pi, count)
    return [LaidTile(far * (k % 2), far * (k // 2), float(turns[k])) for k in range(count)]


LAYOUTS: dict[str, Callable[[Random], list[LaidTile]]] = {
    "cross": cross,
    "tee": tee,
    "block": block,
    "stack": stack,
    "single": single,
}


def lay(rng: Random, name: str, blank: float) -> list[SketchPiece]:
    """Return the tiles of one set, each only once, in a layout around the origin.

    Args:
        rng: chooses whatever is left open.
        name: of LAYOUTS.
        blank: share of the halves that are blank beside those that fall so.
    """
    style = draw_style(rng)
    usual = rng.random() < USUAL
    colour = str(rng.choice(["white", "white", "black"] if usual else list(COLOUR_PROBS)))
    spots = LAYOUTS[name](rng)
    middle = np.mean([(spot.x, spot.y) for spot in spots], axis=0)
    turn, wide = rng.uniform(0, 2 * np.pi), style.side * (1 + rng.exponential(GAP))
    c, s = np.cos(turn), np.sin(turn)
    batch = int(rng.integers(2**32))
    pieces = []
    for spot, halves in zip(spots, _set(rng, len(spots), blank), strict=True):
        yaw = turn + spot.yaw + np.pi * int(rng.integers(2)) + rng.normal(0, ASKEW)
        same = np.random.default_rng(batch)  # all tiles of a set are made alike
        piece = draw_domino(same, style, colour, yaw, down=False, halves=halves)
        x, y = wide * (np.array([spot.x, spot.y]) - middle)
        piece.body[:2] = c * x - s * y, s * x + c * y
        piece.body[bodies.AT + 2] += 2 * spot.level * piece.body[bodies.HALF + 2]
        pieces.append(piece)
    return pieces


def _set(rng: Random, count: int, blank: float) -> list[tuple[int, int]]:
    """Return the values of tiles that all differ."""
    chosen: dict[tuple[int, int], None] = {}
    while len(chosen) < count:
        a, b = (draw_half(rng, blank) for _ in range(2))
        chosen[min(a, b), max(a, b)] = None
    return list(chosen)


def span(pieces: list[SketchPiece]) -> float:
    """Return the width of the circle around the origin that holds the pieces."""
    return 2 * max(float(np.hypot(*piece.body[:2])) + piece.reach for piece in pieces)
