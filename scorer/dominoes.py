"""Dominoes on a grid, stacked or not; from above each cell shows one face. Smaller number first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from scorer.messages import Message, _, joined, raw
from scorer.table import Cell
from scorer.values import dump, reader
from scorer.words import listed, player

Domino = tuple[int, int]  # the numbers of a tile, smaller first
TileCells = tuple[Cell, Cell]
Hands = Sequence[Sequence[Domino]]  # by seat: the tiles known to be there
SET: tuple[Domino, ...] = tuple((a, b) for a in range(7) for b in range(a, 7))


@dataclass(frozen=True, slots=True)
class Lay:
    """Play or stack a tile: the number `tile[i]` is on `cells[i]`, the smaller one first."""

    tile: Domino
    cells: TileCells

    def __post_init__(self) -> None:
        (a, b), (p, q) = self.tile, self.cells
        if a > b or (a == b and p > q):
            object.__setattr__(self, "tile", (b, a))
            object.__setattr__(self, "cells", (q, p))


class TopFace(NamedTuple):
    """The visible face of a cell: a number, the level of its tile from 1, and the tile's index."""

    number: int
    level: int
    place: int


TopView = Mapping[Cell, TopFace]


class LaidTiles(tuple[Lay, ...]):
    """Tiles in playing order; `laid_after` updates their view from above, computed once."""

    top: dict[Cell, TopFace]

    def __new__(cls, lays: Iterable[Lay] = ()) -> LaidTiles:
        """Lay the tiles one after the other."""
        laid = super().__new__(cls, lays)
        laid.top = {}
        for place, lay in enumerate(laid):
            _cover(laid.top, lay, place)
        return laid


def laid_after(before: tuple[Lay, ...], lay: Lay) -> LaidTiles:
    """Return the tiles including *lay*."""
    laid = tuple.__new__(LaidTiles, (*before, lay))
    laid.top = dict(surface(before))
    _cover(laid.top, lay, len(before))
    return laid


def _cover(top: dict[Cell, TopFace], lay: Lay, place: int) -> None:
    (a, b), (p, q) = lay.tile, lay.cells
    level = top[p].level + 1 if p in top else 1
    top[p], top[q] = TopFace(a, level, place), TopFace(b, level, place)


def surface(laid: Iterable[Lay]) -> TopView:
    """Return the view from above: the visible face of each covered cell."""
    return (laid if isinstance(laid, LaidTiles) else LaidTiles(laid)).top


def neighbours(p: Cell, q: Cell) -> bool:
    """Return True if two cells lie side by side."""
    return abs(p[0] - q[0]) + abs(p[1] - q[1]) == 1


def around(cell: Cell) -> tuple[Cell, Cell, Cell, Cell]:
    """Return the four cells beside one."""
    row, column = cell
    return (row - 1, column), (row, column - 1), (row, column + 1), (row + 1, column)


def connected(kinds: Mapping[Cell, Hashable]) -> list[tuple[Cell, ...]]:
    """Return the connected groups of cells of one kind."""
    left, groups = dict(kinds), []
    for start in sorted(kinds):
        if start not in left:
            continue
        kind, group = left.pop(start), [start]
        for cell in group:  # grows while we walk it
            for beside in around(cell):
                if beside in left and left[beside] == kind:
                    del left[beside]
                    group.append(beside)
        groups.append(tuple(group))
    return groups


def twice(tiles: Iterable[Sequence[int]]) -> Domino | None:
    """Return a duplicate tile, or None: a set has each once."""
    counts = Counter((min(tile), max(tile)) for tile in tiles)
    return next((tile for tile, count in counts.items() if count > 1), None)


def ascending(tile: Iterable[int]) -> Domino:
    """Return a tile with its smaller number first."""
    low, high = sorted(tile)
    return low, high


def not_of_set(tiles: Sequence[Domino], largest: int) -> Message | None:
    """Return why these tiles are not from a set up to a double, or None."""
    for low, high in tiles:
        if not 0 <= low <= high <= largest:
            most = name((largest, largest))
            return _(
                "the largest domino is {largest}, not {tile}", largest=most, tile=name((low, high))
            )
    if (tile := twice(tiles)) is not None:
        return _("there is only one {tile} in a set", tile=name(tile))
    return None


def name(tile: Sequence[int]) -> Message:
    """Return a tile as players name it: "2-6"."""
    return _named(*tile)


@lru_cache(1024)  # more than any set has
def _named(*halves: int) -> Message:
    return joined("-", halves)


def names(tiles: Iterable[Sequence[int]]) -> Message:
    """Return several tiles: "1-2, 2-6 and 4-6"."""
    return listed(map(name, tiles))


def drawn(top: TopView) -> Message:
    """Return the view from above as text: each face, followed by its level if above 1."""
    rows, columns = [cell[0] for cell in top], [cell[1] for cell in top]
    across = range(min(columns), max(columns) + 1)
    lines = [_("the tiles from above; 4^2 is a 4 on level 2")]
    lines.append(raw(" " * 8 + "".join(f"{column + 1:<4}" for column in across).rstrip()))
    for row in range(min(rows), max(rows) + 1):
        cells = "".join(f"{_shown(top.get((row, column))):<4}" for column in across)
        lines.append(_("row {row:<4}{cells}", row=row + 1, cells=raw(cells.rstrip())))
    return joined("\n", lines)


def _shown(face: TopFace | None) -> str:
    if face is None:
        return "."
    return str(face.number) if face.level == 1 else f"{face.number}^{face.level}"


def unseen(
    box: Sequence[Domino], laid: Iterable[Lay], aside: Iterable[Domino], hands: Hands
) -> list[Domino]:
    """Return the tiles of the *box* that are still hidden."""
    met = {lay.tile for lay in laid}.union(aside, *hands)
    return [tile for tile in box if tile not in met]


def seen_already(
    tile: Domino, laid: Iterable[Lay], aside: Iterable[Domino], hands: Hands
) -> Message | None:
    """Return where a tile already is, or why it does not exist; None: it is still hidden."""
    if tile in [lay.tile for lay in laid]:
        return _("{tile} is already on the table", tile=name(tile))
    if tile in aside:
        return _("{tile} was set aside", tile=name(tile))
    for seat, hand in enumerate(hands):
        if tile in hand:
            return _("{tile} is in {who}'s hand", tile=name(tile), who=player(seat))
    if tile in SET:
        return None
    if tile[::-1] in SET:
        return _("{tile} is written with the smaller number first", tile=name(tile))
    return _("there is no tile {tile} in the box", tile=name(tile))


def read_lays(value: object) -> tuple[tuple[Domino, TileCells], ...]:
    """Read [[[1, 1], [[0, 0], [0, 1]]], …], tiles flat on their cells; raises ValueError."""
    placed: tuple[tuple[Domino, TileCells], ...] = reader(tuple[tuple[Domino, TileCells], ...])(
        dump(value)
    )
    cells = [cell for _, both in placed for cell in both]
    if len(set(cells)) < len(cells):
        raise ValueError("two halves lie on one cell")
    for tile, (p, q) in placed:
        if not neighbours(p, q):
            raise ValueError(
                _("the halves of {tile} must lie on neighbouring cells", tile=name(tile))
            )
    return placed
