"""Model the surface of a ruled grid, a plane that may be curved, and rectify the grid by it."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.boards.bend import Curved
from vision.camera import camera_can, in_front
from vision.geometry import Homography, Points
from vision.photo import Grey, Photo

WORK_SIDE = 1000  # px, longer side of the working picture
MOST_ZOOM = 2.0  # largest enlargement of a small photo: it separates lines two px apart
LEVELS = 4  # of the image pyramid
NOISE = 20.0  # grey levels added before contrasts are divided by brightness: noise of dark photos
STRAY = 2.5  # root mean squares; a crossing farther off belongs to another line
FEWEST = 6  # crossings needed to fit a plane robustly
AGREES = 0.15  # cells, largest distance of a crossing that supports a plane
CURVES = 0.4  # cells, largest distance of curved paper from the plane
LEAST_CURVED = 30  # crossings needed to fit a curved surface
NODES = 4  # nodes per cell, along either side, whose px are computed exactly


@dataclass(frozen=True, slots=True, eq=False)
class WorkPicture:
    """An image pyramid of the working picture."""

    levels: tuple[Grey, ...]  # each half as wide and high as the one before
    scale: float  # px of the photo per px of the largest level

    @classmethod
    def of(cls, photo: Photo) -> WorkPicture:
        """Scale a photo to the working size."""
        high, wide = photo.bgr.shape[:2]
        zoom = min(MOST_ZOOM, WORK_SIDE / max(high, wide))
        size = (round(wide * zoom), round(high * zoom))
        how = cv2.INTER_AREA if zoom <= 1 else cv2.INTER_CUBIC
        grey: Grey = np.asarray(cv2.resize(photo.grey(), size, interpolation=how), np.uint8)
        levels = [grey]
        while len(levels) < LEVELS:
            levels.append(halved(levels[-1]))
        return cls(tuple(levels), photo.width / size[0])

    @property
    def grey(self) -> Grey:
        """Return the largest level."""
        return self.levels[0]


def halved(grey: Grey) -> Grey:
    """Return a picture half as wide and high."""
    return np.asarray(
        cv2.resize(grey, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), np.uint8
    )


@dataclass(frozen=True, slots=True, eq=False)
class RuledSurface:
    """Maps cells to px: a plane, and the curve of the paper away from it."""

    plane: Homography
    curved: Curved | None = None
    off: float = 0.0  # px, root mean square distance of the points it was fitted to

    @classmethod
    def fit(cls, places: Points, px: Points, *, flat: bool = False) -> RuledSurface | None:
        """Fit to (n, 2) places in cells and (n, 2) px, without outliers; *flat*: only a plane."""
        plane = Homography.fit(places, px)
        if plane is None or len(places) < FEWEST:
            return None if plane is None else cls(plane, None, plane.error)
        cell = float(np.sqrt(abs(np.linalg.det(_slope_at(plane, places.mean(axis=0))))))
        found, on = cv2.findHomography(
            places, px, cv2.USAC_MAGSAC, AGREES * cell, maxIters=500, confidence=0.99
        )
        if found is None or on is None or int(on.sum()) < FEWEST:
            return cls(plane, None, plane.error)
        near = np.asarray(on).reshape(-1) > 0
        plane = Homography.fit(places[near], px[near]) or plane
        if flat or near.sum() < LEAST_CURVED:
            return cls(plane, None, plane.error)
        near = np.linalg.norm(plane.apply(places) - px, axis=1) < CURVES * cell
        away = plane.inverse().apply(px) - places
        for _ in range(2):
            curved = Curved.fit(places[near], away[near])
            off = np.linalg.norm(cls(plane, curved).sees(places) - px, axis=1)
            rms = float(np.sqrt((off[near] ** 2).mean()))
            near &= off <= max(STRAY * rms, 1.0)
        return cls(plane, curved, rms)

    def sees(self, places: Points) -> Points:
        """Map (n, 2) places in cells to (n, 2) px."""
        return self.plane.apply(places if self.curved is None else self.curved.apply(places))


def _slope_at(plane: Homography, at: Points) -> Points:
    """Return (2, 2) px of a step of one cell to the right, and of one down."""
    right, down, origin = plane.apply(at + np.array([(1, 0), (0, 1), (0, 0)]))
    return np.array([right - origin, down - origin])


def ring_of(rows: int, columns: int) -> Points:
    """Return (4, 2) corners of a grid in cells, clockwise from the upper left."""
    return np.array([(0, 0), (columns, 0), (columns, rows), (0, rows)], np.float64)


def side_of(plane: Homography, rows: int, columns: int) -> float:
    """Return the mean side of a cell, px."""
    ring = plane.apply(ring_of(rows, columns)).astype(np.float32)
    return float(np.sqrt(cv2.contourArea(ring) / (rows * columns)))


def possible(plane: Homography, shape: tuple[int, ...], rows: int, columns: int) -> bool:
    """Return True if a camera can see a grid in such a plane."""
    return in_front(plane, ring_of(rows, columns)) and camera_can(plane, shape)


def straightened(
    work: WorkPicture, surface: RuledSurface, rows: int, columns: int, cell: int
) -> NDArray[np.float32]:
    """Rectify the grid with a margin of one cell; return how much darker each px is than around it.

    Args:
        work: the picture.
        surface: of the grid.
        rows: number of rows.
        columns: number of columns.
        cell: px of a cell's side on the result.

    Returns:
        ((rows + 2) * cell, (columns + 2) * cell), shares of the grey level, < 0 where lighter.
    """
    wide, high = (columns + 2) * cell, (rows + 2) * cell
    x, y = np.meshgrid(*(np.arange(n * NODES + 1) / NODES - 1 for n in (columns + 2, rows + 2)))
    coarse = surface.sees(np.column_stack([x.ravel(), y.ravel()])).reshape(*x.shape, 2)
    # A level of the pyramid avoids aliasing of thin lines.
    depth = int(np.log2(max(side_of(surface.plane, rows, columns) / cell, 1)))
    grey = work.levels[min(depth, LEVELS - 1)]
    coarse = (coarse + 0.5) / 2 ** min(depth, LEVELS - 1) - 0.5
    u, v = np.meshgrid(*(np.arange(n, dtype=np.float32) * NODES / cell for n in (wide, high)))
    at = cv2.remap(coarse.astype(np.float32), u, v, cv2.INTER_LINEAR)
    x_px, y_px = np.ascontiguousarray(at[..., 0]), np.ascontiguousarray(at[..., 1])
    flat = cv2.remap(grey, x_px, y_px, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    smooth = np.asarray(cv2.GaussianBlur(flat.astype(np.float32), (0, 0), 0.8))
    around = cv2.blur(smooth, (cell // 2 * 2 + 1, cell // 2 * 2 + 1))
    return np.asarray((around - smooth) / (around + NOISE), np.float32)
