"""Where was the bare table seen, in the place of a piece that had lain there?

What comes to lie there then was not overlooked, uncovered or nudged: it was taken up before.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from vision.watch.tracking import Observation

LOOKS = 2  # that show a place bare, before it counts as bare
SAME_PLACE = 0.5  # sides
BESIDE = 1.2  # sides by which a piece is pushed, or seen otherwise by a camera that is
MOST = 48  # looks that are remembered

Corners = tuple[complex, ...]


@dataclass(frozen=True, slots=True)
class BareLooks:
    """The places that looked bare, one a look."""

    seen: tuple[Observation, ...] = ()
    # The same though a piece was read there: one that looks like the table tells nothing.
    alike: tuple[Observation, ...] = ()

    def with_looks(
        self, places: Sequence[Observation], bare: Sequence[Corners], looks: Sequence[Observation]
    ) -> BareLooks:
        """Add what a frame tells of places where pieces lay.

        Args:
            places: which.
            bare: the corners of those that look as the bare surface does.
            looks: the pieces that are read on the frame.
        """
        found = [one for one in places if one.corners in bare]
        read = [one for one in found if _is_near(one, looks)]
        gone = [one for one in found if one not in read and not _is_beside(one, looks)]
        return replace(self, seen=(*self.seen, *gone)[-MOST:], alike=(*self.alike, *read)[-MOST:])

    def shows(self, one: Observation) -> bool:
        """Say whether the place of a piece was seen bare."""
        looks = sum(_is_near(one, [other]) for other in self.seen)
        return looks >= LOOKS and not _is_near(one, self.alike)


def _is_near(one: Observation, others: Sequence[Observation]) -> bool:
    return any(abs(one.middle - other.middle) < SAME_PLACE * one.side for other in others)


def _is_beside(one: Observation, looks: Sequence[Observation]) -> bool:
    """Say whether a piece that may be the same lies just beside: it was pushed, and not gone."""
    return any(
        look.piece.values == one.piece.values and abs(one.middle - look.middle) < BESIDE * one.side
        for look in looks
    )
