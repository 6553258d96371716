"""Where on the table something has moved, remembered in cells of it."""

from __future__ import annotations

from vision.watch.evidence import Complexes
from vision.watch.tracking import ON, Observation

CELL = 24.0  # px of the table, by which it is remembered where something moved

StirredCells = frozenset[tuple[int, int]]


def cells_of(points: Complexes) -> StirredCells:
    """Return the cells in which points of the table lie."""
    return frozenset((int(z.real // CELL), int(z.imag // CELL)) for z in points)


def is_stirred(one: Observation, stirred: StirredCells) -> bool:
    """Say whether something moved where a piece lies; if not, it was only overlooked before."""
    reach = ON * one.side
    low, high = one.middle - complex(reach, reach), one.middle + complex(reach, reach)
    return any(
        (x, y) in stirred
        for x in range(int(low.real // CELL), int(high.real // CELL) + 1)
        for y in range(int(low.imag // CELL), int(high.imag // CELL) + 1)
    )
