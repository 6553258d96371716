"""What came to lie on the table and no look has read: somebody is to look there."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from vision.watch.stillness import FREAK
from vision.watch.tracking import Observation

SAME_PLACE = 0.3  # sides by which what lies still may seem off
LIKE_PIECE = 2.0  # times as large or as small as the pieces that are read there

TimedPlaces = tuple[tuple[float, tuple[Observation, ...]], ...]  # by the time of each look


def unread_places(
    strange: TimedPlaces, since_s: float, pieces: Sequence[Observation]
) -> tuple[Observation, ...]:
    """Return where something has lain still since a time.

    Args:
        strange: what was not read, by looks.
        since_s: a look before it there must be too, or it is not known to be still for so long.
        pieces: what is read there, or was before: what is of another size is no die.
    """
    looks = [places for time_s, places in strange if time_s >= since_s]
    if not looks or strange[0][0] > since_s:
        return ()
    side = float(np.median([one.side for one in pieces])) if pieces else None
    return tuple(
        one
        for one in looks[-1]
        if (side is None or 1 / LIKE_PIECE < one.side / side < LIKE_PIECE)
        # It may be overlooked on one look in so many.
        and sum(not _is_there(one, places) for places in looks) <= len(looks) // FREAK
    )


def _is_there(one: Observation, places: Sequence[Observation]) -> bool:
    return any(abs(one.middle - other.middle) < SAME_PLACE * one.side for other in places)
