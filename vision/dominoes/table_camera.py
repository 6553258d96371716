"""Estimate a camera over a lattice of unit cells with stacked tiles.

In: halves of dominoes, px. Out: a `TableCamera`, a pinhole camera over the plane of the faces of
the lowest tiles. x counts columns and y rows, the middle of a cell has whole coordinates, z is the
height above that plane; all are in cells. Focal length, thickness of the tiles and the share of a
cell that a face fills are estimated together with the pose, each with a prior of what phones and
dominoes usually have.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import cv2
import numpy as np

from vision.geometry import Floats, Points

_Misses = Callable[[Floats], Floats]
CORNERS = ((1, -1), (1, 1), (-1, 1), (-1, -1))  # of a face: outwards and to the right

# Focal length in longer sides of the photo, thickness in cells (a tile of 48 x 24 x 9 mm has 0.38)
# and side of a face in cells: what is usual, and how far it varies (as a factor but for the last).
USUAL_LENS, LENS_SPREAD = 0.95, 0.35
USUAL_THICKNESS, THICKNESS_SPREAD = 0.36, 0.3
USUAL_FACE, FACE_SPREAD = 0.95, 0.04
MIDDLE_ERROR, CORNER_ERROR = 0.07, 0.1  # of hand-laid tiles as the detector sees them, in sides
OUTLYING = 2.5  # standard deviations from which an observation counts less (Cauchy's weight)
STEPS = 12  # of the refinement at most; five are usually enough

# Grid of the view search: focal lengths in longer sides, tilts from straight down, directions.
LENSES = (0.75, 1.2, 2.0)
TILTS = np.radians(np.arange(0.0, 70.0, 4.0))
WAYS = np.radians(np.arange(0.0, 360.0, 15.0))
SOME = 20  # faces that choose the view, about; all of them count in the last refinement
SKEW, SIZES = 0.1, 0.07  # standard deviation of a face's angles and log aspect, and of its log size
WORST = 9.0  # largest cost of one face, squared standard deviations
LONG_LENS = 0.5  # cost of a lens e times as long as a phone's, the same


@dataclass(frozen=True, slots=True, eq=False)
class Halves:
    """The halves of n tiles: `quads` (n, 2, 4, 2) px, corners clockwise on the photo.

    The first two corners are those of the edge away from the other half.
    """

    quads: Floats

    @classmethod
    def of(cls, quads: Floats) -> Halves:
        """Order the corners of (n, 2, 4, 2) quads, which run clockwise from any corner."""
        ordered = quads.copy()
        for tile in ordered:
            middles = tile.mean(axis=1)
            for half, other in ((0, 1), (1, 0)):
                edges = (tile[half] + np.roll(tile[half], -1, axis=0)) / 2
                first = int(((edges - middles[half]) @ (middles[half] - middles[other])).argmax())
                tile[half] = np.roll(tile[half], -first, axis=0)
        return cls(ordered)

    def __len__(self) -> int:
        """Return the number of tiles."""
        return len(self.quads)

    @property
    def middles(self) -> Floats:
        """Return (n, 2, 2) px, the crossings of the diagonals."""
        return middles_of(self.quads)

    @property
    def sides(self) -> Floats:
        """Return (n, 2) px, the sides of squares with the areas of the halves."""
        return sides_of(self.quads)


def principal_point(size: tuple[int, int]) -> Floats:
    """Return the principal point, px: assumed to be the middle of the photo."""
    return np.array(size) / 2 - 0.5


def _right_of(ways: Points) -> Points:
    return np.column_stack([-ways[:, 1], ways[:, 0]])


def middles_of(quads: Floats) -> Floats:
    """Return (…, 2) px, the crossings of the diagonals of (…, 4, 2) quads."""
    a, b, c, d = np.moveaxis(quads, -2, 0)
    p, q = c - a, d - b
    cross = p[..., 0] * q[..., 1] - p[..., 1] * q[..., 0]
    share = ((b - a)[..., 0] * q[..., 1] - (b - a)[..., 1] * q[..., 0]) / np.where(
        np.abs(cross) < 1e-9, 1e-9, cross
    )
    return np.asarray(a + share[..., None] * p)


def sides_of(quads: Floats) -> Floats:
    """Return (…) px, the sides of squares with the areas of (…, 4, 2) quads."""
    p, q = quads[..., 2, :] - quads[..., 0, :], quads[..., 3, :] - quads[..., 1, :]
    return np.asarray(np.sqrt(np.abs(p[..., 0] * q[..., 1] - p[..., 1] * q[..., 0]) / 2))


@dataclass(frozen=True, slots=True, eq=False)
class TableCamera:
    """A pinhole camera; rotation (3, 3) and translation (3,) take cells to camera axes."""

    rotation: Floats
    translation: Floats
    focal: float  # px
    size: tuple[int, int]  # px of the photo, width and height
    thickness: float = USUAL_THICKNESS  # of a tile, cells
    face: float = USUAL_FACE  # side of a half as the detector outlines it, cells

    @property
    def middle(self) -> Floats:
        """Return the principal point, px."""
        return principal_point(self.size)

    def project(self, points: Floats) -> Points:
        """Return (n, 2) px of (n, 3) points; the third coordinate is the height in cells."""
        camera_xyz = (points * (1, 1, -1)) @ self.rotation.T + self.translation
        return self.middle + self.focal * camera_xyz[:, :2] / np.maximum(camera_xyz[:, 2:], 1e-3)

    def on_level(self, px: Points, level: float | Floats) -> Points:
        """Return (n, 2) x and y in cells where the rays of (n, 2) px meet the plane of a level."""
        rays = np.column_stack([(px - self.middle) / self.focal, np.ones(len(px))]) @ self.rotation
        eye = -self.rotation.T @ self.translation
        down = np.where(np.abs(rays[:, 2]) < 1e-6, 1e-6, rays[:, 2])
        far = (-level * self.thickness - eye[2]) / down
        return np.asarray(eye[:2] + far[:, None] * rays[:, :2])

    def quads(self, middles: Points, ways: Points, levels: Floats) -> Floats:
        """Return (n, 4, 2) px of faces around (n, 2) places, outer edge first.

        Args:
            middles: x and y in cells.
            ways: (n, 2) unit steps away from the other half.
            levels: (n,) levels of the faces.
        """
        right = _right_of(ways)
        corners = [middles + self.face / 2 * (a * ways + b * right) for a, b in CORNERS]
        flat = np.stack(corners, axis=1).reshape(-1, 2)
        height = np.repeat(levels * self.thickness, 4)
        return self.project(np.column_stack([flat, height])).reshape(-1, 4, 2)

    def moved(self, turn: float, shift: Floats) -> TableCamera:
        """Return the camera for coordinates turned by *turn* radians and then shifted."""
        c, s = np.cos(turn), np.sin(turn)
        back = np.array([[c, s, 0.0], [-s, c, 0.0], [0.0, 0.0, 1.0]])
        rotation = self.rotation @ back
        moved = self.translation - rotation @ np.append(shift, 0.0)
        return replace(self, rotation=rotation, translation=moved)


@dataclass(frozen=True, slots=True, eq=False)
class Middles:
    """Faces used without their outlines: (n, 2) px, (n,) sides in px, (n, 3) x, y and level."""

    px: Points
    sides: Floats
    places: Floats


NONE = Middles(np.zeros((0, 2)), np.zeros(0), np.zeros((0, 3)))


def refine(
    camera: TableCamera, halves: Halves, places: Floats, levels: Floats, lone: Middles = NONE
) -> TableCamera:
    """Fit the camera to n tiles at given places, starting from *camera*.

    Args:
        camera: a first guess.
        halves: the observed tiles.
        places: (n, 2, 2) x and y of the middles of their halves, cells.
        levels: (n,) levels of the tiles.
        lone: other faces, of which only the middles count.
    """
    ways = places - places[:, ::-1]
    middles, away, heights = places.reshape(-1, 2), ways.reshape(-1, 2), np.repeat(levels, 2)
    quads, sides = halves.quads.reshape(-1, 4, 2), halves.sides.reshape(-1)
    centers = halves.middles.reshape(-1, 2)
    fixed, right = np.concatenate([lone.places[:, :2], middles]), _right_of(away)

    corners = np.stack([a * away + b * right for a, b in CORNERS], axis=1).reshape(-1, 2) / 2
    found = np.concatenate([lone.px, centers, quads.reshape(-1, 2)])
    error = np.concatenate([
        MIDDLE_ERROR * lone.sides, MIDDLE_ERROR * sides, np.repeat(2 * CORNER_ERROR * sides, 4)
    ])  # fmt: skip
    levels = np.concatenate([lone.places[:, 2], heights, np.repeat(heights, 4)])

    def misses(tried: Floats) -> Floats:
        """Return (k, m) errors of k cameras by their (k, 9) numbers."""
        faces = np.repeat(middles, 4, axis=0) + tried[:, 8, None, None] * corners
        middle = np.broadcast_to(fixed, (len(tried), *fixed.shape))
        px = _projected(tried, camera.size, np.concatenate([middle, faces], axis=1), levels)
        off = ((px - found) / error[:, None]).reshape(len(tried), -1)
        return np.concatenate([off, _priors(tried)], axis=1)

    return _camera(_least_squares(misses, _numbers(camera), priors=3), camera.size)


def _projected(tried: Floats, size: tuple[int, int], at: Floats, levels: Floats) -> Floats:
    """Return (k, n, 2) px that k cameras see (k, n, 2) x and y at, which are on (n,) levels."""
    rotations = np.array([cv2.Rodrigues(turn)[0] for turn in tried[:, :3]])
    lens, thickness = np.exp(np.clip(tried[:, 6:8], -3, 3)).T
    xyz = np.concatenate([at, -(levels * thickness[:, None])[:, :, None]], axis=2)
    camera_xyz = xyz @ rotations.transpose(0, 2, 1) + tried[:, None, 3:6]
    on_film = camera_xyz[:, :, :2] / np.maximum(camera_xyz[:, :, 2:], 1e-3)
    focal = (lens * max(size))[:, None, None]
    return np.asarray(principal_point(size) + focal * on_film)


def _least_squares(misses: _Misses, at: Floats, priors: int) -> Floats:
    """Minimize by Levenberg-Marquardt with outliers weighted down, except the last *priors*."""
    damping = 1e-3
    miss = misses(at[None])[0]
    for _ in range(STEPS):
        weights = 1 / np.sqrt(1 + (miss / OUTLYING) ** 2)
        weights[-priors:] = 1
        slopes = (misses(at + 1e-6 * np.eye(len(at))) - miss).T / 1e-6
        weighted = slopes * weights[:, None]
        normal, pull = weighted.T @ weighted, weighted.T @ (weights * miss)
        while damping < 1e6:
            step = np.linalg.solve(normal + damping * np.diag(np.diag(normal) + 1e-9), pull)
            tried = misses((at - step)[None])[0]
            if _loss(tried, priors) < _loss(miss, priors):
                break
            damping *= 10
        else:
            return at
        gained = _loss(miss, priors) - _loss(tried, priors)
        at, miss, damping = at - step, tried, max(damping / 10, 1e-7)
        if gained < 1e-4 * (1 + _loss(miss, priors)):
            break
    return at


def _loss(miss: Floats, priors: int) -> float:
    pulled, usual = miss[:-priors], miss[-priors:]
    robust = OUTLYING**2 * np.log1p((pulled / OUTLYING) ** 2)
    return float(robust.sum() + (usual**2).sum())


def _numbers(camera: TableCamera) -> Floats:
    turn, _ = cv2.Rodrigues(camera.rotation)
    logs = np.log([camera.focal / max(camera.size), camera.thickness])
    return np.concatenate([turn.ravel(), camera.translation, logs, [camera.face]])


def _camera(numbers: Floats, size: tuple[int, int]) -> TableCamera:
    rotation, _ = cv2.Rodrigues(numbers[:3])
    lens, thickness = np.exp(np.clip(numbers[6:8], -3, 3))
    return TableCamera(
        np.asarray(rotation, np.float64), numbers[3:6], float(lens) * max(size), size,
        float(thickness), float(numbers[8]),
    )  # fmt: skip


def _priors(tried: Floats) -> Floats:
    """Return (k, 3) differences of (k, 9) numbers from usual ones, in standard deviations."""
    usual = np.array([np.log(USUAL_LENS), np.log(USUAL_THICKNESS), USUAL_FACE])
    return np.asarray((tried[:, 6:] - usual) / (LENS_SPREAD, THICKNESS_SPREAD, FACE_SPREAD))


def find_view(
    halves: Halves, size: tuple[int, int], lone: Floats | None = None, sizes: float = SIZES
) -> TableCamera:
    """Return the camera in whose plane the halves are most nearly squares of equal size.

    It is not aligned with the cells: x and y count from below the camera, in any direction.

    Args:
        halves: of tiles.
        size: width and height of the photo, px.
        lone: (m, 4, 2) px, other faces, their corners clockwise.
        sizes: standard deviation of the log size of a face; larger if their heights differ.
    """
    quads = halves.quads.reshape(-1, 4, 2)
    quads = quads if lone is None else np.concatenate([quads, lone])
    views = [(lens, tilt, way) for lens in LENSES for tilt in TILTS for way in WAYS]
    some = quads[:: 1 + len(quads) // SOME]
    best = _likeliest(some, size, np.array(views), sizes)
    for reach, faces in ((0.5, some), (0.15, quads)):
        near = np.array([
            (lens, max(best[1] + reach * tilt, 0.0), best[2] + reach * way)
            for lens in best[0] * np.array([1 - 0.25 * reach, 1.0, 1 + 0.3 * reach])
            for tilt in np.radians(np.arange(-6.0, 6.5, 2.0))
            for way in np.radians(np.arange(-24.0, 25.0, 8.0))
        ])  # fmt: skip
        best = _likeliest(faces, size, near, sizes)
    rotation = _rotation(best[1], best[2])
    flat = _on_plane(quads.reshape(-1, 2), size, best[None])[0].reshape(-1, 4, 2)
    pairs = flat[: 2 * len(halves)].reshape(-1, 2, 4, 2).mean(axis=2)
    along = np.linalg.norm(pairs[:, 1] - pairs[:, 0], axis=1)
    cell = float(np.median(along if len(halves) else sides_of(flat) / USUAL_FACE))
    return TableCamera(rotation, rotation[:, 2] / cell, best[0] * max(size), size)


def _likeliest(quads: Floats, size: tuple[int, int], views: Floats, spread: float) -> Floats:
    """Return the best of (m, 3) views (lens, tilt, direction) for (n, 4, 2) quads."""
    flat = _on_plane(quads.reshape(-1, 2), size, views).reshape(len(views), -1, 4, 2)
    along = (flat[:, :, 0] + flat[:, :, 1] - flat[:, :, 2] - flat[:, :, 3]) / 2
    across = (flat[:, :, 1] + flat[:, :, 2] - flat[:, :, 0] - flat[:, :, 3]) / 2
    a, b = np.linalg.norm(along, axis=2) + 1e-12, np.linalg.norm(across, axis=2) + 1e-12
    skew = (np.log(a / b) / SKEW) ** 2 + ((along * across).sum(axis=2) / (a * b) / SKEW) ** 2
    sizes = np.log(a * b) / 2
    sizes -= np.median(sizes, axis=1, keepdims=True)
    cost = np.minimum(skew + (sizes / spread) ** 2, WORST)
    cost[~np.isfinite(cost)] = WORST
    usual = LONG_LENS * np.maximum(np.log(views[:, 0] / LENSES[0]), 0) ** 2
    return np.asarray(views[int((cost.sum(axis=1) + usual).argmin())])


def _on_plane(px: Points, size: tuple[int, int], views: Floats) -> Floats:
    """Return (m, n, 2) coordinates of n px on m planes at distance one; NaN above the horizon."""
    centred = px - principal_point(size)
    rays = np.empty((len(views), len(px), 3))
    rays[:, :, :2] = centred / (views[:, :1, None] * max(size))
    rays[:, :, 2] = 1
    turned = rays @ _rotations(views[:, 1], views[:, 2])
    depth = np.where(turned[..., 2:] > 0.03, turned[..., 2:], np.nan)
    return np.asarray(turned[..., :2] / depth)


def _rotation(tilt: float, way: float) -> Floats:
    """Return the rotation from a plane's axes to those of a camera tilted in a direction."""
    return np.asarray(_rotations(np.array([tilt]), np.array([way]))[0], np.float64)


def _rotations(tilts: Floats, ways: Floats) -> Floats:
    """Return (m, 3, 3) such rotations, by Rodrigues' formula; their axes are in the plane."""
    x, y, c, s = -np.sin(ways), np.cos(ways), np.cos(tilts), np.sin(tilts)
    rows = [
        [c + x * x * (1 - c), x * y * (1 - c), y * s],
        [x * y * (1 - c), c + y * y * (1 - c), -x * s],
        [-y * s, x * s, c],
    ]
    return np.moveaxis(np.array(rows), 2, 0)
