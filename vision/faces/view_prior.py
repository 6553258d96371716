"""Estimate the camera's view of the table from the faces that clearly point up.

These are squares in parallel planes. So tilt, roll and lens of the camera determine how each is
foreshortened, and where on the photo the sides of its die are. A place that is foreshortened
differently, or that is where a side should be, is probably not a face that points up.
"""

from dataclasses import dataclass
from functools import cache, lru_cache

import numpy as np
from numpy.typing import NDArray

from vision.faces.classifier import ASIDE
from vision.faces.detector import Detections, describe_quads, softmax
from vision.geometry import Complexes, Floats, iou_of, outlined

LENSES = (0.75, 1.2, 3.0)  # focal lengths in longer sides: a phone's, a webcam's, a part of a photo
TILTS = np.radians(np.arange(0.0, 82.5, 2.5))  # between the line of sight and straight down
ROLLS = np.radians(np.arange(0.0, 360.0, 22.5))  # of the photo; at 0 the table's near edge is below
# Cost of unlikely cameras, in units of the error of S of one face: of a roll of 180 degrees, and of
# a lens e times as long.
UPSIDE_DOWN, LONG = 0.4, 0.1
MOST_RESIDUAL = 1.0  # error of S; a larger one counts no more against a camera
LEVEL = 0.05  # cosine of the angle to straight down; anything beyond is not on the table


@dataclass(frozen=True, slots=True, eq=False)
class ViewPrior:
    """How faces at n places should look under the estimated camera."""

    tilt_residual: Floats  # (n,) distance of each S from what it should be; NaN if unknown
    fall: Floats  # (n, 2) px from a top corner of the die under this face to its foot
    scale: Floats  # (n,) relative size on the photo; 1 straight below the camera


@lru_cache(maxsize=4)
def view_prior(detections: Detections, plain: bytes, size: tuple[int, int]) -> ViewPrior:
    """Estimate how faces at the detected places should look; asked for by one stage after another.

    Of some hundreds of cameras the likeliest is taken, from which the plain faces differ least. For
    the residual of a plain face it is estimated without that face.

    Args:
        detections: n places.
        plain: which of them clearly are faces that point up, as the bytes of (n,) bool.
        size: width and height of the photo, px.
    """
    _, s, _ = describe_quads(detections.quads)
    middles, plain_faces = detections.middles, np.flatnonzero(np.frombuffer(plain, np.bool_))
    down, costs = _directions()
    seen_by = [_looked_at(middles[plain_faces], size, lens) for lens in LENSES]
    both = zip(*(_residuals(at, down, s[plain_faces]) for at in seen_by), strict=True)
    residual, error = (np.concatenate(parts) for parts in both)
    total = costs + error.sum(axis=1)
    lens, way = divmod(int(total.argmin()), len(down))
    at = _looked_at(middles, size, LENSES[lens])
    (likely,), (depths,) = _foreshortening(at, down[[way]])
    tilt_residual = np.abs(likely - s) if len(plain_faces) else np.full(len(detections), np.nan)
    for k, i in enumerate(plain_faces.tolist()):
        by_others = (total - error[:, k]).argmin()
        tilt_residual[i] = residual[by_others, k] if len(plain_faces) > 1 else np.nan
    foot = down[way, :2] - down[way, 2] * at
    return ViewPrior(
        tilt_residual, foot * (detections.sizes / np.sqrt(depths))[:, None], depths**1.5
    )


@cache
def _directions() -> tuple[Floats, Floats]:
    """Return (K, 3) directions straight down, and the costs of cameras, K for each of LENSES."""
    tilt, roll = (a.ravel() for a in np.meshgrid(TILTS, ROLLS, indexing="ij"))
    down = np.stack([-np.sin(tilt) * np.sin(roll), np.sin(tilt) * np.cos(roll), np.cos(tilt)], 1)
    cost = UPSIDE_DOWN * (1 - np.cos(roll)) / 2
    return down, np.concatenate([cost + LONG * np.log(lens / LENSES[0]) for lens in LENSES])


def _looked_at(points: Floats, size: tuple[int, int], lens: float) -> Floats:
    """Return (n, 2) points of the photo in focal lengths from its middle."""
    return (points - np.array(size) / 2) / (lens * max(size))


def _residuals(at: Floats, down: Floats, s: Complexes) -> tuple[Floats, Floats]:
    """Return (K, n) errors of the S of n faces under K cameras, and as they count against these."""
    should, depths = _foreshortening(at, down)
    off = should - s
    residual = np.sqrt(off.real**2 + off.imag**2)  # five times as fast as np.abs
    return residual, np.where(depths <= LEVEL, MOST_RESIDUAL, np.minimum(residual, MOST_RESIDUAL))


def _foreshortening(at: Floats, down: Floats) -> tuple[Complexes, Floats]:
    """Return (K, n) S of faces that point up, seen at these points, and (K, n) inverse depths q.

    The table is the plane down · X = 1, and the image point h = (x, y, 1) shows the point X = h / q
    with q = down · h, which is clipped at LEVEL. A small step d = (dx, dy) on the photo is a step
    on the table whose squared length is
    (|d|² - 2 (d · h) (d · down) / q + |h|² (d · down)² / q²) / q². A circle on the table appears as
    the ellipse given by the inverse of that quadratic form, and S is that of the ellipse. Here the
    form is taken q⁴ times, which leaves S as it is.
    """
    x, y = at[..., 0], at[..., 1]
    a, b = down[:, None, 0], down[:, None, 1]
    q = np.maximum(x * a + y * b + down[:, 2:], LEVEL)
    far = x * x + y * y + 1
    xx = q * (q - x * (2 * a)) + far * (a * a)
    yy = q * (q - y * (2 * b)) + far * (b * b)
    xy = far * (a * b) - q * (x * b + y * a)
    half = (xx + yy) / 2
    s = np.empty(q.shape, np.complex128)
    s.real, s.imag = (yy - xx) / half, -2 * xy / half
    return s, q


def elevations(quads: Floats) -> Floats:
    """Return (n,) elevations of the camera above the planes of squares, degrees.

    The sine of the elevation is c in |S| = 2 (1 - c²) / (1 + c²), without perspective (see
    vision.faces.detector). The squares are (n, 4, 2) corners, px.
    """
    flat = np.minimum(np.abs(describe_quads(quads)[1]), 2)
    return np.asarray(np.degrees(np.arcsin(np.sqrt((2 - flat) / (2 + flat)))), np.float64)


@lru_cache(maxsize=4)
def shares_of_sides(detections: Detections, plain: bytes, size: tuple[int, int]) -> Floats:
    """Return (n, n) `iou_with_sides` of n places under the camera of `view_prior`."""
    return iou_with_sides(detections.quads, view_prior(detections, plain, size).fall)


def iou_with_sides(quads: Floats, fall: Floats) -> Floats:
    """Return (n, n) largest IoU of place i with a visible side of the die under face j.

    Args:
        quads: (n, 4, 2) px, faces, corners clockwise.
        fall: (n, 2) px, from the top to the foot of the upright edges of each die.
    """
    count = len(quads)
    shares = np.zeros((count, count))
    middles = quads.mean(axis=1)
    ends = np.stack([quads, np.roll(quads, -1, axis=1)], axis=2)  # (n, 4 edges, 2 ends, 2)
    sides = np.concatenate([ends[:, :, ::-1], ends + fall[:, None, None]], axis=2)
    shows = ((ends.mean(axis=2) - middles[:, None]) * fall[:, None]).sum(axis=2) > 0
    own, edge = np.nonzero(shows)
    die_sides = sides[own, edge]  # (m, 4, 2)
    low, high = die_sides.min(axis=1), die_sides.max(axis=1)
    boxes = (low[:, None] < quads.max(axis=1)) & (high[:, None] > quads.min(axis=1))
    near = boxes.all(axis=2) & (own[:, None] != np.arange(count))
    faces, others = outlined(quads), outlined(die_sides)
    for k, i in np.argwhere(near).tolist():
        shares[i, own[k]] = max(shares[i, own[k]], iou_of(faces[i], others[k]))
    return shares


HANGS = 0.4  # IoU of a place with the side of a die under a face, from which it is that side
PLAINLY = 0.5  # probability of the class "side" from which such a place counts by itself
MANY = 5  # faces, from which the majority decides for all of them


def hanging(
    detections: Detections, plain: NDArray[np.intp], size: tuple[int, int]
) -> NDArray[np.bool_]:
    """Return (n, k), which of n places lie where a side of each of the k *plain* faces would.

    A place that is itself a plain face is not a side.

    Args:
        detections: n places.
        plain: (k,) which of them are faces.
        size: width and height of the picture, px.
    """
    is_plain = np.isin(np.arange(len(detections)), plain)
    hangs = shares_of_sides(detections, is_plain.tobytes(), size)[:, plain] >= HANGS
    hangs[plain] = False
    return np.asarray(hangs, np.bool_)


def most_stand(hangs: NDArray[np.bool_]) -> bool:
    """Return True if there are many faces and most have a visible side, by `hanging`."""
    return hangs.shape[1] >= MANY and bool(hangs.any(axis=0).mean() > 0.5)


def standing(
    detections: Detections, logits: Floats, plain: NDArray[np.intp], size: tuple[int, int]
) -> tuple[set[int], set[int]]:
    """Return which of the *plain* faces are dice, and which other places are their sides.

    Dice are those with a visible side, or all if most have. *logits* (n, CLASSES) are those of the
    classifier; the rest is as for `hanging`.
    """
    hangs = hanging(detections, plain, size)
    aside = softmax(logits)[:, ASIDE] >= PLAINLY
    dice = most_stand(hangs) | (hangs & aside[:, None]).any(axis=0)
    return set(plain[dice].tolist()), set(np.flatnonzero(hangs[:, dice].any(axis=1)).tolist())
