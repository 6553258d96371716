"""Remember places of pieces where the bare table was seen later.

A piece that is found there afterwards was picked up in between, not missed, uncovered or nudged.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from vision.watch.tracking import Observation

LOOKS = 2  # that must show a place bare
SAME_PLACE = 0.5  # sides, distance up to which two places are the same
BESIDE = 1.2  # sides by which a piece moves if it, or the camera, is pushed
MOST = 48  # looks that are remembered

Corners = tuple[complex, ...]


@dataclass(frozen=True, slots=True)
class BareLooks:
    """Places that looked bare, one per look."""

    found_bare: tuple[Observation, ...] = ()
    # Places that looked bare although a piece was read there: it looks like the table.
    alike: tuple[Observation, ...] = ()

    def with_looks(
        self, places: Sequence[Observation], bare: Sequence[Corners], looks: Sequence[Observation]
    ) -> BareLooks:
        """Add a look at the places of earlier pieces.

        Args:
            places: of earlier pieces.
            bare: the corners of those that look like the bare surface.
            looks: the pieces read on the frame.
        """
        found = [one for one in places if one.corners in bare]
        read = [one for one in found if _is_near(one, looks)]
        gone = [one for one in found if one not in read and not _is_beside(one, looks)]
        return replace(
            self, found_bare=(*self.found_bare, *gone)[-MOST:], alike=(*self.alike, *read)[-MOST:]
        )

    def shows(self, place: Observation) -> bool:
        """Return True if the place of a piece was seen bare."""
        looks = sum(_is_near(place, [other]) for other in self.found_bare)
        return looks >= LOOKS and not _is_near(place, self.alike)


def _is_near(place: Observation, others: Sequence[Observation]) -> bool:
    return any(abs(place.middle - other.middle) < SAME_PLACE * place.side for other in others)


def _is_beside(place: Observation, looks: Sequence[Observation]) -> bool:
    """Return True if a piece with the same values is just beside: it was pushed, not removed."""
    return any(
        look.piece.values == place.piece.values
        and abs(place.middle - look.middle) < BESIDE * place.side
        for look in looks
    )
