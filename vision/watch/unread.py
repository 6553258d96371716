"""Find new objects on the table that no look could read, so that a person is asked to check."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from vision.watch.resting import TimedPlaces
from vision.watch.stillness import FREAK
from vision.watch.tracking import Observation

SAME_PLACE = 0.3  # sides by which a still object may seem to move
LIKE_PIECE = 2.0  # largest factor between its size and that of the pieces


def unread_places(
    strange: TimedPlaces, since_s: float, pieces: Sequence[Observation]
) -> tuple[Observation, ...]:
    """Return the places of objects that have been still since a time.

    Args:
        strange: the objects that were not read, by looks.
        since_s: the time; there must be a look before it, to be sure.
        pieces: those read on the table, or of earlier rolls; objects of other sizes are no dice.
    """
    looks = [places for time_s, places in strange if time_s >= since_s]
    if not looks or strange[0][0] > since_s:
        return ()
    side = float(np.median([one.side for one in pieces])) if pieces else None
    return tuple(
        one
        for one in looks[-1]
        if (side is None or 1 / LIKE_PIECE < one.side / side < LIKE_PIECE)
        # It may be missing on one look in FREAK.
        and sum(not _is_there(one, places) for places in looks) <= len(looks) // FREAK
    )


def _is_there(place: Observation, places: Sequence[Observation]) -> bool:
    return any(abs(place.middle - other.middle) < SAME_PLACE * place.side for other in places)
