"""Four corners on the photo; without numpy, so that whoever only keeps score needs none."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Quad:
    """Four corners in px, clockwise as seen on the photo, the top left one first."""

    corners: tuple[Point, Point, Point, Point]

    @classmethod
    def around(cls, corners: Iterable[Any]) -> Quad:
        """Order any four corners of a convex shape clockwise from the top left."""
        points = [(float(x), float(y)) for x, y in corners]
        middle_x, middle_y = (sum(side) / 4 for side in zip(*points, strict=True))
        # The y axis points down, so a growing angle runs clockwise as a person sees it.
        ring = sorted(points, key=lambda at: math.atan2(at[1] - middle_y, at[0] - middle_x))
        first = min(range(4), key=lambda i: sum(ring[i]))
        a, b, c, d = ring[first:] + ring[:first]
        return cls((a, b, c, d))

    @property
    def array(self) -> NDArray[np.float64]:
        """Return the corners as (4, 2)."""
        import numpy as np  # noqa: PLC0415

        return np.array(self.corners)

    @property
    def center(self) -> Point:
        """Return the crossing of the diagonals: the middle of a square, also under perspective."""
        (ax, ay), (bx, by), (cx, cy), (dx, dy) = self.corners
        across = (cx - ax) * (dy - by) - (cy - ay) * (dx - bx)
        if abs(across) < 1e-9:
            return (ax + bx + cx + dx) / 4, (ay + by + cy + dy) / 4
        t = ((bx - ax) * (dy - by) - (by - ay) * (dx - bx)) / across
        return ax + t * (cx - ax), ay + t * (cy - ay)

    @property
    def area(self) -> float:
        """Return the area in px²."""
        (ax, ay), (bx, by), (cx, cy), (dx, dy) = self.corners
        return abs((cx - ax) * (dy - by) - (dx - bx) * (cy - ay)) / 2

    @property
    def side(self) -> float:
        """Return the side of the square of the same area in px."""
        return math.sqrt(self.area)

    def scaled(self, factor: float) -> Quad:
        """Return the quad on a photo *factor* times as large; pixel centres are at half pixels."""
        a, b, c, d = (((x + 0.5) * factor - 0.5, (y + 0.5) * factor - 0.5) for x, y in self.corners)
        return Quad((a, b, c, d))

    def to_json(self) -> list[list[float]]:
        """Return the corners rounded to a tenth of a px."""
        return [[round(x, 1), round(y, 1)] for x, y in self.corners]
