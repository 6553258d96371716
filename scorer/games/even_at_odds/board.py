"""Even at Odds: legal placements, and the groups in the view from above."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Literal, NamedTuple

from scorer.dominoes import (
    Domino,
    Lay,
    TileCells,
    TopView,
    around,
    connected,
    name,
    neighbours,
)
from scorer.errors import Illegal
from scorer.games.even_at_odds.moves import TEAMS, Team
from scorer.messages import Message, _, ngettext
from scorer.phases import Reason, reason, refused
from scorer.settings import House
from scorer.table import Cell
from scorer.words import just

BITS = {True: (1, 2, 4, 8, 16, 32, 64), False: (0, 2, 4, 8, 16, 32, 64)}  # do blanks match?


# Reasons for illegal placements (EO-4, EO-5, EO-6).
APART = reason("the two halves of {tile} must lie on neighbouring cells", "EO-4")
HALF_ON = reason("{tile} would lie half on a tile and half on the table", "EO-6")
DOUBLE = reason("{tile} is a double, and in the solo game doubles can only be stacked", "EO-10")
TOUCHES_NONE = reason("neither half of {tile} touches its own number", "EO-5")
TWO_HEIGHTS = reason("{tile} would lie at two heights, {low} and {high}", "EO-6")
ONE_TILE = reason("{tile} would rest on one tile, {below}; it must cover two", "EO-6")
COVERS_NONE = reason("{tile} would cover {first} and {second}, neither with its own number", "EO-6")
TURNED = reason("Turn it round: the {number} must lie on the {number}.", "EO-6")


class Site(NamedTuple):
    """Two neighbouring cells as a tile meets them: where they are alike, so is what is legal."""

    levels: tuple[int, int]  # of the tiles on both cells, 0 for the table
    numbers: tuple[int, int]  # covered there, or as bits around an empty cell
    one_tile: bool  # shows on both


def site(top: TopView, cells: TileCells, house: House) -> Site:
    """Return two neighbouring cells as a tile meets them."""
    below, under = map(top.get, cells)
    if below and under:
        numbers = below.number, under.number
        return Site((below.level, under.level), numbers, below.place == under.place)
    levels = below.level if below else 0, under.level if under else 0
    if any(levels):
        return Site(levels, (0, 0), False)
    bits = BITS[house["blank_matches_blank"]]
    first, second = cells
    return Site(levels, (_beside(top, first, bits), _beside(top, second, bits)), False)


def refusal(top: TopView, lay: Lay, house: House, solo: bool = False) -> Illegal | None:
    """Return why *lay* is not legal on *top*, None if it is."""
    if not neighbours(*lay.cells):
        return _refused(lay, APART)
    return refusal_at(site(top, lay.cells, house), lay, house, solo)


def refusal_at(where: Site, lay: Lay, house: House, solo: bool) -> Illegal | None:
    """Return why *lay* is not legal on these cells, None if it is."""
    (a, b), (first, second) = lay.tile, where.numbers
    if all(where.levels):
        return _not_stacked(where, lay, house)
    if any(where.levels):
        return _refused(lay, HALF_ON)
    if solo and a == b:
        return _refused(lay, DOUBLE)
    return None if first >> a & 1 or second >> b & 1 else _no_match(lay, house, TOUCHES_NONE)


def _not_stacked(where: Site, lay: Lay, house: House) -> Illegal | None:
    covered = where.numbers
    low, high = sorted(where.levels)
    if low != high:
        return _refused(lay, TWO_HEIGHTS, low=just(low), high=just(high))
    if where.one_tile:
        return _refused(lay, ONE_TILE, below=name(covered))
    mine, other = _covered_bits(*covered, house)
    if mine >> lay.tile[0] & 1 or other >> lay.tile[1] & 1:
        return None
    bits = BITS[house["blank_matches_blank"]]
    for number, over in zip(lay.tile[::-1], covered, strict=True):
        if bits[over] >> number & 1:
            return _no_match(lay, house, TURNED, number=just(number))
    first, second = map(just, covered)
    return _no_match(lay, house, COVERS_NONE, first=first, second=second)


def _refused(lay: Lay, why: Reason, **facts: Message) -> Illegal:
    return refused(lay, why, {"tile": name(lay.tile), **facts})


def _no_match(lay: Lay, house: House, why: Reason, **facts: Message) -> Illegal:
    """Return that no number matches; and that blanks match nothing, where that was overlooked."""
    fault = _refused(lay, why, **facts)
    if house["blank_matches_blank"] or lay.tile[0]:
        return fault
    return Illegal(lay, _("{text}, and blanks match nothing", text=fault.reason), fault.rule)


def _covered_bits(first: int, second: int, house: House) -> tuple[int, int]:
    """Return as bits the numbers that match on each of two covered faces (EO-A2)."""
    bits = BITS[house["blank_matches_blank"]]
    if house["stack_match"] == "any_face":
        return (bits[first] | bits[second],) * 2
    return bits[first], bits[second]


def _beside(top: TopView, cell: Cell, bits: Sequence[int]) -> int:
    shown = 0
    for beside in around(cell):
        if beside in top:
            shown |= bits[top[beside].number]
    return shown


class TilePlace(NamedTuple):
    """Two free or stackable cells, and as bits the numbers that match on each."""

    first: Cell
    second: Cell
    first_fits: int
    second_fits: int
    stack: bool


def places(top: TopView, house: House) -> Iterator[TilePlace]:
    """Yield each pair of cells that could take some tile, once."""
    bits = BITS[house["blank_matches_blank"]]
    rim: dict[Cell, int] = {}
    for cell, (number, level, tile) in top.items():
        for beside in around(cell):
            face = top.get(beside)
            if face is None:
                rim[beside] = rim.get(beside, 0) | bits[number]
            elif cell < beside and face.level == level and face.place != tile:
                yield TilePlace(cell, beside, *_covered_bits(number, face.number, house), True)
    for cell, shown in rim.items():
        for beside in around(cell):
            if beside not in top and (beside not in rim or cell < beside):
                yield TilePlace(cell, beside, shown, rim.get(beside, 0), False)


def lays(where: Iterable[TilePlace], tile: Domino, solo: bool = False) -> Iterator[Lay]:
    """Yield every legal way to lay *tile* on these places."""
    a, b = tile
    for first, second, first_fits, second_fits, stack in where:
        if solo and a == b and not stack:
            continue
        if first_fits >> a & 1 or second_fits >> b & 1:
            yield Lay(tile, (first, second))
        if a != b and (first_fits >> b & 1 or second_fits >> a & 1):
            yield Lay(tile, (second, first))


def fits(where: Iterable[TilePlace], tile: Domino, solo: bool = False) -> bool:
    """Return True if *tile* can be laid on one of these places."""
    return next(lays(where, tile, solo), None) is not None


def groups(top: TopView, group_levels: str = "top_view") -> Mapping[Team, list[tuple[Cell, ...]]]:
    """Return the groups of each team, largest first (EO-7, EO-A6). Blanks form none."""
    flat = group_levels == "top_view"
    faces = [(cell, face) for cell, face in top.items() if face.number]
    kinds = {cell: (face.number % 2, flat or face.level) for cell, face in faces}
    found: dict[Team, list[tuple[Cell, ...]]] = {"evens": [], "odds": []}
    for group in connected(kinds):
        found[TEAMS[kinds[group[0]][0]]].append(group)
    return {team: sorted(found[team], key=len, reverse=True) for team in TEAMS}


def largest(top: TopView, group_levels: str = "top_view") -> tuple[int, int]:
    """Return the size of the largest group of evens and of odds (EO-7)."""
    found = groups(top, group_levels)
    evens, odds = (max(map(len, found[team]), default=0) for team in TEAMS)
    return evens, odds


def top_level(top: TopView) -> tuple[int, tuple[int, ...]]:
    """Return the highest level and the numbers that show on it (EO-8)."""
    highest = max(face.level for face in top.values())
    return highest, tuple(face.number for face in top.values() if face.level == highest)


def by_parity(faces: Iterable[int]) -> tuple[int, int]:
    """Return how many of *faces* are even and how many odd; blanks are neither (EO-1)."""
    numbers = [number for number in faces if number]
    odd = sum(number % 2 for number in numbers)
    return len(numbers) - odd, odd


def verdict(
    evens: int, odds: int, top_faces: Iterable[int]
) -> tuple[Team | None, Literal["group", "level"] | None]:
    """Return the winning team and what decides: the larger group, then the top level (EO-8)."""
    if evens != odds:
        return ("evens" if evens > odds else "odds"), "group"
    even, odd = by_parity(top_faces)
    if even == odd:
        return None, None
    return ("evens" if even > odd else "odds"), "level"


def missing(top: TopView) -> tuple[int, ...]:
    """Return the numbers 1 to 6 that do not show: solo none may be missing after a turn (EO-10)."""
    shown = {face.number for face in top.values()}
    return tuple(number for number in range(1, 7) if number not in shown)


def isolated(top: TopView, house: House) -> Mapping[Team, list[tuple[Cell, ...]]]:
    """Return the groups that cost a point each in the solo game (EO-A11)."""
    spared = int(house["solo_isolated"] == "all_but_largest")
    return {team: found[spared:] for team, found in groups(top, house["group_levels"]).items()}


def solo_points(top: TopView, house: House) -> int:
    """Return the solo score: two a face of difference, one an isolated group (EO-10)."""
    evens, odds = largest(top, house["group_levels"])
    return 2 * abs(evens - odds) + sum(map(len, isolated(top, house).values()))


def faces_said(number: int) -> Message:
    """Return "3 faces"."""
    return ngettext("{n} face", "{n} faces", number)
