"""What a tile of Even at Odds does to the largest groups, worked out from the view before it.

A tile on the table adds two faces, a stacked one changes at most one under the usual house rules:
one of its halves lies on its own number. So the groups are found once for a view, and each place
of each tile only joins some of them or cuts one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from scorer.dominoes import Domino, Lay, TopFace, TopView, around, connected
from scorer.games.even_at_odds import board
from scorer.settings import House
from scorer.table import Cell

GroupKind = tuple[int, int] | None  # odd 1 or even 0, and the level where groups keep to one
GroupSizes = tuple[int, int]  # of the largest group of evens and of odds


class Placement(NamedTuple):
    """A tile somewhere: its cells, the numbers on them, and the largest groups then."""

    first: Cell
    second: Cell
    numbers: tuple[int, int]
    sizes: GroupSizes


class TopGroups:
    """One view from above with its groups."""

    def __init__(self, top: TopView, house: House) -> None:
        """Find the groups of *top*."""
        self.top, self.house = top, house
        self.flat = house["group_levels"] == "top_view"
        self.kinds: dict[Cell, tuple[int, int]] = {}
        for cell, (number, level, _) in top.items():
            if number:
                self.kinds[cell] = (number % 2, 0 if self.flat else level)
        self.group: dict[Cell, int] = {}
        self.size: list[int] = []
        team: tuple[list[tuple[int, int]], list[tuple[int, int]]] = ([], [])
        for index, cells in enumerate(connected(self.kinds)):
            for cell in cells:
                self.group[cell] = index
            self.size.append(len(cells))
            team[self.kinds[cells[0]][0]].append((len(cells), index))
        for sizes in team:
            sizes.sort(reverse=True)
        self.by_team = team
        self.sizes: GroupSizes = (self._largest(0, ()), self._largest(1, ()))
        self._cuts: dict[Cell, int] = {}
        self.places = tuple(board.places(top, house))

    def _largest(self, team: int, without: Sequence[int]) -> int:
        for size, index in self.by_team[team]:
            if index not in without:
                return size
        return 0

    def options(self, tile: Domino) -> Iterator[Placement]:
        """Yield each way to lay *tile*, with the largest groups after it."""
        a, b = tile
        bit_a, bit_b = 1 << a, 1 << b
        for first, second, first_fits, second_fits, stack in self.places:
            after = self.stacked if stack else self.added
            if first_fits & bit_a or second_fits & bit_b:
                yield Placement(first, second, tile, after(first, a, second, b))
            if a != b and (first_fits & bit_b or second_fits & bit_a):
                yield Placement(first, second, (b, a), after(first, b, second, a))

    def added(self, first: Cell, a: int, second: Cell, b: int) -> GroupSizes:
        """Return the largest groups after a tile on the table."""
        level = 0 if self.flat else 1
        if a and b and a % 2 == b % 2:
            joined = self._around(first, (a % 2, level)) | self._around(second, (a % 2, level))
            return self._grown(a % 2, 2 + sum([self.size[group] for group in joined]))
        sizes = self.sizes
        for cell, number in ((first, a), (second, b)):
            if number:
                joined = self._around(cell, (number % 2, level))
                grown = self._grown(number % 2, 1 + sum([self.size[group] for group in joined]))
                sizes = max(sizes[0], grown[0]), max(sizes[1], grown[1])
        return sizes

    def stacked(self, first: Cell, a: int, second: Cell, b: int) -> GroupSizes:
        """Return the largest groups after a tile on two others."""
        level = 0 if self.flat else self.top[first].level + 1
        new: GroupKind = (a % 2, level) if a else None
        other: GroupKind = (b % 2, level) if b else None
        changes = new != self.kinds.get(first)
        if changes and other != self.kinds.get(second):
            return self._from_scratch({first: new, second: other})
        if not changes:
            if other == self.kinds.get(second):
                return self.sizes
            return self._turned(second, other)
        return self._turned(first, new)

    def _turned(self, cell: Cell, new: GroupKind) -> GroupSizes:
        """Return the largest groups once a face of one kind has become another, or a blank."""
        sizes = list(self.sizes)
        old = self.kinds.get(cell)
        cut: tuple[int, ...] = ()
        if old is not None:
            cut = (self.group[cell],)
            sizes[old[0]] = max(self._largest(old[0], cut), self._cut(cell))
        if new is not None:
            joined = self._around(cell, new)
            grown = 1 + sum([self.size[group] for group in joined])
            sizes[new[0]] = max(sizes[new[0]], grown)
        return sizes[0], sizes[1]

    def _grown(self, team: int, size: int) -> GroupSizes:
        evens, odds = self.sizes
        return (max(evens, size), odds) if team == 0 else (evens, max(odds, size))

    def _around(self, cell: Cell, kind: tuple[int, int]) -> set[int]:
        row, column = cell
        kinds = self.kinds
        return {
            self.group[beside]
            for beside in (
                (row - 1, column),
                (row, column - 1),
                (row, column + 1),
                (row + 1, column),
            )
            if kinds.get(beside) == kind
        }

    def _cut(self, cell: Cell) -> int:
        """Return the largest piece of its group without a face."""
        if cell not in self._cuts:
            group = self.group[cell]
            left = {other for other, index in self.group.items() if index == group} - {cell}
            largest = 0
            while left:
                piece = [left.pop()]
                for reached in piece:  # grows while we walk it
                    for beside in around(reached):
                        if beside in left:
                            left.remove(beside)
                            piece.append(beside)
                largest = max(largest, len(piece))
            self._cuts[cell] = largest
        return self._cuts[cell]

    def _from_scratch(self, new: Mapping[Cell, GroupKind]) -> GroupSizes:
        kinds = {**self.kinds, **{cell: kind for cell, kind in new.items() if kind}}
        for cell, kind in new.items():
            if kind is None:
                kinds.pop(cell, None)
        largest = [0, 0]
        for cells in connected(kinds):
            team = kinds[cells[0]][0]
            largest[team] = max(largest[team], len(cells))
        return largest[0], largest[1]

    def top_level(self, option: Placement) -> tuple[int, int]:
        """Return how many even and odd faces the highest level has after a tile (EO-8)."""
        return board.by_parity(board.top_level(self._covered(option, 0))[1])

    def after(self, option: Placement, place: int) -> TopGroups:
        """Return the view after a tile is laid as number *place*."""
        return TopGroups(self._covered(option, place), self.house)

    def _covered(self, option: Placement, place: int) -> TopView:
        below = self.top.get(option.first)
        level = below.level + 1 if below else 1
        top = dict(self.top)
        for cell, number in zip((option.first, option.second), option.numbers, strict=True):
            top[cell] = TopFace(number, level, place)
        return top


def laid(option: Placement) -> Lay:
    """Return the move that lays a tile so."""
    return Lay(option.numbers, (option.first, option.second))
