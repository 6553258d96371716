"""Compare dice with the last photographed or watched roll: are they in the same places?"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import dist, sqrt
from typing import Any

from webui.eyes.readings import dice_left, same_dice, same_picture
from webui.match.match import Match, equipment
from webui.store.log import Store
from webui.store.rows import Event

NUDGED = 1.2  # sides of a face: a piece may be pushed that far by mistake
AT_REST = 0.4  # sides of a face: the reading of an untouched piece varies that much over minutes


def lies_as_before(store: Store, match: Match, reading: Mapping[str, Any]) -> bool | None:
    """Return True if the dice, or the remaining ones, are where the last roll was photographed.

    None if it is unknown: dice that were typed in, or that stay where they are put.
    """
    if equipment(match).stays:
        return None
    last = last_shown(match)
    if last is None or last.sighting is None:
        return None
    return dice_left(store.sighting(match.row.id, last.sighting).reading, reading)


def counted_already(store: Store, match: Match, reading: Mapping[str, Any]) -> bool:
    """Return True if a step that is not undone came from this photo, in any size or quality.

    Pieces that stay on the board may be photographed again.
    """
    if equipment(match).stays:
        return False
    counted = (one.event.sighting for one in reversed(match.steps) if one.standing)
    return any(
        same_picture(store.sighting(match.row.id, name).reading, reading)
        for name in dict.fromkeys(counted)
        if name is not None
    )


def last_shown(match: Match) -> Event | None:
    """Return the newest step that is not undone and that a camera could show."""
    unseen = {kind.__name__ for kind in match.rules().unseen}
    for step in reversed(match.steps):
        moves = step.event.moves or ()
        if step.standing and not all(move["move"] in unseen for move in moves):
            return step.event
    return None


def lies_yet(before: Mapping[str, Any], look: Mapping[str, Any]) -> bool:
    """Return True if the dice are where they were, even if the camera was moved."""
    return lie_there(before, look) or bool(same_dice(before, look))


def clears(look: Mapping[str, Any], doubted: Mapping[str, Any]) -> bool:
    """Return True if a later frame of the same camera confirms a doubtful reading.

    Each piece must be where one was read or possibly overlooked, with one of its possible values;
    no piece that was certain may be missing.
    """
    before, after = _pieces(doubted), _pieces(look)
    pairs = _pairs(before, after, NUDGED)
    met, found = {i for i, _ in pairs}, {j for _, j in pairs}
    fresh = [one for j, one in enumerate(after) if j not in found]
    gone = [one for i, one in enumerate(before) if i not in met]
    return (
        all(before[i].may_show(after[j].value) for i, j in pairs)
        and all(_is_overlooked(one, doubted) for one in fresh)
        and not any(one.sure for one in gone)
    )


def lie_there(before: Mapping[str, Any], look: Mapping[str, Any]) -> bool:
    """Return True if an unmoved camera shows the same pieces in the same places."""
    size = [(told["width"], told["height"]) for told in (before, look)]
    first, second = _pieces(before), _pieces(look)
    pairs = _pairs(first, second, AT_REST)
    alike = all(first[i].value == second[j].value for i, j in pairs)
    return size[0] == size[1] and alike and len(pairs) == len(first) == len(second) > 0


@dataclass(frozen=True, slots=True)
class _Piece:
    """A die or a tile of a reading; *others* None: any other value is possible."""

    quad: Sequence[tuple[float, float]]
    value: tuple[int, ...]
    sure: bool
    others: frozenset[int] | None

    @property
    def middle(self) -> tuple[float, float]:
        return _middle(self.quad)

    @property
    def side(self) -> float:
        (ax, ay), (bx, by), (cx, cy), (dx, dy) = self.quad
        area = abs((cx - ax) * (dy - by) - (dx - bx) * (cy - ay)) / 2
        return sqrt(max(area, 1.0))

    def may_show(self, value: tuple[int, ...]) -> bool:
        if self.sure or value == self.value:
            return value == self.value
        return self.others is None or set(value) <= self.others


def _pieces(reading: Mapping[str, Any]) -> list[_Piece]:
    dice = [
        _Piece(
            die["quad"],
            (die["value"],),
            die["sure"],
            frozenset(value for value, _ in die["alternatives"]),
        )
        for die in reading["dice"]
    ]
    tiles = [
        _Piece(tile["quad"], tuple(sorted(tile["halves"])), tile["sure"], None)
        for tile in reading["tiles"]
    ]
    return dice + tiles


def _is_overlooked(piece: _Piece, doubted: Mapping[str, Any]) -> bool:
    """Return True if a reading has an overlooked candidate at the place of this piece."""
    return any(dist(_middle(quad), piece.middle) < piece.side for quad in doubted["perhaps"])


def _pairs(
    before: Sequence[_Piece], after: Sequence[_Piece], reach: float
) -> list[tuple[int, int]]:
    """Pair pieces within *reach* sides of each other, the nearest first."""
    far = sorted(
        (dist(one.middle, other.middle) / other.side, i, j)
        for i, one in enumerate(before)
        for j, other in enumerate(after)
        if len(one.value) == len(other.value)
    )
    pairs = list[tuple[int, int]]()
    for sides, i, j in far:
        if sides < reach and all(i != a and j != b for a, b in pairs):
            pairs.append((i, j))
    return pairs


def _middle(quad: Sequence[Sequence[float]]) -> tuple[float, float]:
    return sum(x for x, _ in quad) / len(quad), sum(y for _, y in quad) / len(quad)
