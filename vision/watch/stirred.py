"""Remember where on the table something moved, as cells of a raster."""

from __future__ import annotations

from vision.geometry import Complexes
from vision.watch.tracking import ON, Observation

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
