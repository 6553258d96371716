"""How a ruled grid lies on a photo: a plane that may curve, and the grid seen straight by it."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.boards.curved import Curved
from vision.camera import camera_can, in_front
from vision.decode import Grey, Photo
from vision.geometry import Homography, Points

WORK_SIDE = 1000  # px, longer side of the picture that is worked on
MOST_ZOOM = 2.0  # of a small photo: lines two px apart are then told apart
LEVELS = 4  # of the picture, each half as large
NOISE = 20.0  # grey levels added before contrasts are taken as shares: the noise of dark photos
STRAY = 2.5  # root mean squares; a crossing farther off the plane is another line's
FEWEST = 6  # crossings
AGREES = 0.15  # cells from a plane within which a crossing speaks for it
CURVES = 0.4  # cells that paper may curve away from it
LEAST_CURVED = 30  # that tell how paper curves
NODES = 4  # places a cell, along either side, whose px are told exactly


@dataclass(frozen=True, slots=True, eq=False)
class WorkPicture:
    """The picture that is worked on."""

    levels: tuple[Grey, ...]  # each half as wide and high as the one before
    scale: float  # px of the photo that a px of it is

    @classmethod
    def of(cls, photo: Photo) -> WorkPicture:
        """Return a photo as large as is worked on."""
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
        """Return it as large as it is."""
        return self.levels[0]


def halved(grey: Grey) -> Grey:
    """Return a picture half as wide and high."""
    return np.asarray(
        cv2.resize(grey, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), np.uint8
    )


@dataclass(frozen=True, slots=True, eq=False)
class RuledSurface:
    """How cells are seen: by a plane, and by how the paper curves away from it."""

    plane: Homography
    curved: Curved | None = None
    off: float = 0.0  # px, how far what it was fitted to lies off, root mean square

    @classmethod
    def fit(cls, places: Points, px: Points, *, flat: bool = False) -> RuledSurface | None:
        """Fit it to (n, 2) places in cells; what most others contradict counts for nothing."""
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
        """Return (n, 2) px of places in cells."""
        return self.plane.apply(places if self.curved is None else self.curved.apply(places))


def _slope_at(plane: Homography, at: Points) -> Points:
    """Return (2, 2), px by which a step of a cell to the right, and one down, moves."""
    right, down, here = plane.apply(at + np.array([(1, 0), (0, 1), (0, 0)]))
    return np.array([right - here, down - here])


def ring_of(rows: int, columns: int) -> Points:
    """Return (4, 2), a grid's corners in cells, clockwise from the upper left."""
    return np.array([(0, 0), (columns, 0), (columns, rows), (0, rows)], np.float64)


def side_of(plane: Homography, rows: int, columns: int) -> float:
    """Return the mean side of a cell, px."""
    ring = plane.apply(ring_of(rows, columns)).astype(np.float32)
    return float(np.sqrt(cv2.contourArea(ring) / (rows * columns)))


def possible(plane: Homography, shape: tuple[int, ...], rows: int, columns: int) -> bool:
    """Say whether a camera can see a grid so."""
    return in_front(plane, ring_of(rows, columns)) and camera_can(plane, shape)


def straightened(
    work: WorkPicture, surface: RuledSurface, rows: int, columns: int, cell: int
) -> NDArray[np.float32]:
    """Return the grid seen straight, a cell all around: how much darker than its place each px is.

    A cell is *cell* px wide. The share of the grey level, below 0 where it is lighter.
    """
    wide, high = (columns + 2) * cell, (rows + 2) * cell
    x, y = np.meshgrid(*(np.arange(n * NODES + 1) / NODES - 1 for n in (columns + 2, rows + 2)))
    coarse = surface.sees(np.column_stack([x.ravel(), y.ravel()])).reshape(*x.shape, 2)
    # Thin lines would fall between the px of a picture that is much larger than what is wanted.
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
