"""Remember places on the table: seen bare, stains, and where something moved.

A piece that is found where the bare table was seen was picked up in between, not missed, uncovered
or nudged. A stain is what looked like a doubtful piece before anything was thrown.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from vision.geometry import Complexes
from vision.watch.tracking import ON, Observation

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


# Sides by which a stain may seem to move and factor by which its size may differ, confidence below
# which a piece may be a stain, and number of stains that are remembered.
SAME_STAIN, LIKE_STAIN, UNLIKELY, MOST_STAINS = 0.4, 1.6, 0.7, 30

Stains = tuple[Observation, ...]


def with_stains(stains: Stains, found: Sequence[Observation]) -> Stains:
    """Add doubtful places *found* on an untouched table to the stains."""
    new = tuple(one for one in found if not is_stain(one, stains))
    return (*stains, *new)[-MOST_STAINS:]


def is_unlikely(look: Observation) -> bool:
    """Return True if a piece is so doubtful that it may be a stain."""
    return any(not face.sure and face.confidence < UNLIKELY for face in look.piece.faces)


def is_stain(look: Observation, stains: Stains) -> bool:
    """Return True if the place is one of the stains."""
    return any(
        abs(look.middle - stain.middle) < SAME_STAIN * stain.side
        and 1 / LIKE_STAIN < look.side / stain.side < LIKE_STAIN
        for stain in stains
    )


CELL = 24.0  # px of the table, side of a cell of the raster

StirredCells = frozenset[tuple[int, int]]


def cells_of(points: Complexes) -> StirredCells:
    """Return the cells of points on the table."""
    return frozenset((int(z.real // CELL), int(z.imag // CELL)) for z in points)


def is_stirred(look: Observation, stirred: StirredCells) -> bool:
    """Return True if something moved at a piece; if not, the piece was only missed before."""
    reach = ON * look.side
    low, high = look.middle - complex(reach, reach), look.middle + complex(reach, reach)
    return any(
        (x, y) in stirred
        for x in range(int(low.real // CELL), int(high.real // CELL) + 1)
        for y in range(int(low.imag // CELL), int(high.imag // CELL) + 1)
    )
