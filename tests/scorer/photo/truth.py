"""What a true table is: what was played up to a photo, and how the photo shows it."""

import math
import random
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from scorer import Die, Game, Table

Chance = random.Random


@dataclass(frozen=True, slots=True)
class PlacedDie(Die):
    """A die that was thrown: where it came to lie, in mm, and how far it is turned."""

    lies: tuple[float, float, float] = (0.0, 0.0, 0.0)


SIDE_MM, TABLE_MM = 16.0, 250.0
NOISE = 0.02  # of a side: how far off the eyes find a corner


def photographed(chance, table):
    """Return the upper faces as a camera finds them that looks at the table from somewhere."""
    tilt = [chance.uniform(-0.3, 0.3) for _again in range(2)]
    turn, zoom = chance.uniform(0, 6.3), chance.uniform(2, 5)

    def seen(x, y):
        across = x * math.cos(turn) - y * math.sin(turn)
        down = x * math.sin(turn) + y * math.cos(turn)
        near = 1 + (tilt[0] * across + tilt[1] * down) / (2 * TABLE_MM)
        off = [chance.gauss(0, NOISE * SIDE_MM) for _axis in range(2)]
        return [zoom * (across + off[0]) / near, zoom * (down + off[1]) / near]

    dice = []
    for die in table.dice:
        x, y, angle = die.lies if isinstance(die, PlacedDie) else place_on_table(chance)
        corners = [angle + quarter * math.pi / 2 for quarter in range(4)]
        reach = SIDE_MM / math.sqrt(2)
        quad = [seen(x + reach * math.cos(at), y + reach * math.sin(at)) for at in corners]
        dice.append({"value": die.value, "quad": quad})
    return {"dice": dice}


def place_on_table(chance):
    return chance.uniform(0, TABLE_MM), chance.uniform(0, TABLE_MM), chance.uniform(0, 6.3)


@dataclass(frozen=True)
class Truth:
    """A photo of what was played from `state` on, read without a fault.

    `look` is the photo of other moves from there: it tells whether a damaged table is the true
    look of another legal play. `stale` are photos of the table before, `left` of what lay there
    then and was not set aside, `foreign` of other tables. `colours` are those a die may be taken
    for. `outcome` of a state is what a proposal must get right; dice that do not matter are
    bystanders. `before` is compared with where dice lie now.
    """

    game: Game[Any, Any]
    state: Any
    moves: tuple[Any, ...]
    table: Table
    look: Callable[[Sequence[Any]], Table]
    colours: tuple[str, ...] = ()
    stale: tuple[Table, ...] = ()
    foreign: tuple[Table, ...] = ()
    outcome: Callable[[Any], object] = lambda state: state
    matters: Callable[[Die], bool] = lambda die: True
    before: Table | None = None  # the last roll as it lay when it was photographed
    left: tuple[Table, ...] = ()

    def after(self, moves):
        """Return the state after *moves*; raises Illegal."""
        state = self.state
        for move in moves:
            state = self.game.apply(state, move)
        return state


def facts(table):
    """Return what a table shows, however sure, as it can be compared."""
    return Counter(
        [(die.value, die.colour, die.cell) for die in table.dice]
        + [frozenset(zip(tile.halves, tile.on_cells, strict=True)) for tile in table.tiles]
        + [(mark.cell, mark.mark) for mark in table.marks]
    )


def some_pips(chance, count):
    return tuple(chance.randint(1, 6) for _ in range(count))


def white(*pips, **more):
    """A table with white dice that show this."""
    return Table(tuple(Die(value, "white", **more) for value in pips))


def thrown_dice(chance, dice):
    placed: list[PlacedDie] = []
    for value in dice:
        lies = place_on_table(chance)
        while any(math.dist(lies[:2], one.lies[:2]) < 1.3 * SIDE_MM for one in placed):
            lies = place_on_table(chance)
        placed.append(PlacedDie(value, "white", lies=lies))
    return Table(tuple(placed))


def mirrored(table):
    """Return the table as a mirror shows it."""
    tiles = tuple(
        replace(t, cells=((p[0], -p[1]), (q[0], -q[1]))) for t in table.tiles for p, q in [t.cells]
    )
    dice = tuple(
        replace(die, cell=die.cell and (die.cell[0], 2 - die.cell[1])) for die in table.dice
    )
    return replace(table, tiles=tiles, dice=dice)
