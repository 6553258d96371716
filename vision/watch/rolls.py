"""Is what lies there now a roll, or were pieces gathered, uncovered, nudged, put in order?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from vision.arrangement import same_arrangement
from vision.watch.assignment import assign
from vision.watch.evidence import Piece
from vision.watch.tracking import Observation, distances, turned

SAME_PLACE = 0.4  # sides by which a piece that was not touched may seem off, minutes later
SAME_TURN = 15.0  # degrees, of the same
NUDGED = 1.2  # sides by which a piece is pushed by mistake; a thrown one comes to lie farther off
TIDIED = 3  # so many pieces hardly show the same again by chance: less than one roll in 50


def unmoved(before: Sequence[Observation], now: Sequence[Observation]) -> frozenset[int]:
    """Return which of the pieces *now* lie where one lay before, turned as it was.

    Such a piece was not thrown, whatever is read on it.
    """
    pairs = assign(distances(before, now), SAME_PLACE + 0.1)
    return frozenset(j for i, j in pairs if turned(before[i], now[j]) <= SAME_TURN)


def is_roll(
    before: Sequence[Observation],
    lost: Sequence[Observation],
    now: Sequence[Observation],
    fresh: frozenset[int],
    alone: frozenset[int] = frozenset(),
) -> bool:
    """Say whether pieces were thrown.

    Args:
        before: what lay there when the table last rested.
        lost: what lay there since the last roll, and was covered or taken away by then.
        now: what lies there.
        fresh: which of those do not lie where one lay.
        alone: which came to where they lie with no hand near: nobody laid them there.
    """
    if not fresh or _only_nudged((*before, *lost), now) or _is_carried(before, now):
        return False
    if not before:
        return True  # the table was bare
    was, shows = _shown((*before, *lost)), _shown(now)
    if shows - was or fresh <= alone:
        return True
    if shows != was:
        return False  # some were taken away, and others perhaps put aside
    return len(now) < TIDIED


def _only_nudged(before: Sequence[Observation], now: Sequence[Observation]) -> bool:
    pairs = assign(distances(before, now), NUDGED)
    alike = all(before[i].piece.values == now[j].piece.values for i, j in pairs)
    return alike and len(pairs) == len(now)


def _is_carried(before: Sequence[Observation], now: Sequence[Observation]) -> bool:
    """Say whether dice lie as they lay, seen from elsewhere: the camera was pushed, or the tray."""
    if any(len(one.corners) != 4 or len(one.piece.faces) > 1 for one in (*before, *now)):
        return False
    return bool(same_arrangement({"dice": _told(before)}, {"dice": _told(now)}))


def _told(dice: Sequence[Observation]) -> list[dict[str, Any]]:
    return [
        {"value": one.piece.faces[0].value, "quad": [(z.real, z.imag) for z in one.corners]}
        for one in dice
    ]


def _shown(pieces: Sequence[Observation]) -> Counter[tuple[int, ...]]:
    return Counter(_values(one.piece) for one in pieces)


def _values(piece: Piece) -> tuple[int, ...]:
    return piece.values
