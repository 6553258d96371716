"""Decide whether pieces were rolled, or only gathered, uncovered, nudged or put in order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from vision.arrangement import same_arrangement
from vision.watch.assignment import assign
from vision.watch.evidence import Piece
from vision.watch.tracking import Observation, distances, turned

SAME_PLACE = 0.4  # sides by which an untouched piece may seem to move within minutes
SAME_TURN = 15.0  # degrees by which it may seem to turn
NUDGED = 1.2  # sides by which a piece is pushed accidentally; a thrown one moves farther
TIDIED = 3  # so many pieces show the same values again in less than one roll in 50


def unmoved(before: Sequence[Observation], after: Sequence[Observation]) -> frozenset[int]:
    """Return the indices of pieces *after* with the place and turn of one *before*.

    Such a piece was not thrown, whatever value is read on it.
    """
    pairs = assign(distances(before, after), SAME_PLACE + 0.1)
    return frozenset(j for i, j in pairs if turned(before[i], after[j]) <= SAME_TURN)


def is_roll(
    before: Sequence[Observation],
    lost: Sequence[Observation],
    after: Sequence[Observation],
    fresh: frozenset[int],
    alone: frozenset[int] = frozenset(),
) -> bool:
    """Say whether pieces were thrown.

    Args:
        before: the pieces when the table was last at rest.
        lost: pieces that were there since the last roll, and were covered or removed by then.
        after: the pieces at rest.
        fresh: the indices of those with a new place.
        alone: the indices of those that got there without a hand nearby: nobody placed them.
    """
    if not fresh or _only_nudged((*before, *lost), after) or _is_carried(before, after):
        return False
    if not before:
        return True  # the table was bare
    was, shows = _values_shown((*before, *lost)), _values_shown(after)
    if shows - was or fresh <= alone:
        return True
    if shows != was:
        return False  # some were removed, and others perhaps moved aside
    return len(after) < TIDIED


def _only_nudged(before: Sequence[Observation], after: Sequence[Observation]) -> bool:
    pairs = assign(distances(before, after), NUDGED)
    alike = all(before[i].piece.values == after[j].piece.values for i, j in pairs)
    return alike and len(pairs) == len(after)


def _is_carried(before: Sequence[Observation], after: Sequence[Observation]) -> bool:
    """Say whether the arrangement is the same from another view: camera or tray was pushed."""
    if any(len(one.corners) != 4 or len(one.piece.faces) > 1 for one in (*before, *after)):
        return False
    return bool(same_arrangement({"dice": _as_dice(before)}, {"dice": _as_dice(after)}))


def _as_dice(dice: Sequence[Observation]) -> list[dict[str, Any]]:
    return [
        {"value": one.piece.faces[0].value, "quad": [(z.real, z.imag) for z in one.corners]}
        for one in dice
    ]


def _values_shown(pieces: Sequence[Observation]) -> Counter[tuple[int, ...]]:
    return Counter(_values(one.piece) for one in pieces)


def _values(piece: Piece) -> tuple[int, ...]:
    return piece.values
