"""How does the camera look at the table? It is told by faces that plainly look up.

They are squares in parallel planes. So from how the camera is held and from its lens follows how
each of them is foreshortened, and where on the photo the sides of its die hang: a place that is
foreshortened otherwise, or that lies where a side does, is hardly a face that looks up.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from vision.faces.detector import Complexes, Detections, describe_quads
from vision.geometry import Floats, iou

LENSES = (0.75, 1.2, 3.0)  # focal lengths in longer sides: a phone's, a webcam's, a part of a photo
TILTS = np.radians(np.arange(0.0, 82.5, 2.5))  # between the line of sight and straight down
ROLLS = np.radians(np.arange(0.0, 360.0, 22.5))  # of the photo; at 0 the table's near edge is below
# What unlikely cameras cost, in the error of S of one face: a roll of 180 degrees, and a lens e
# times as long. From straight above all faces are seen whole, whatever the lens.
UPSIDE_DOWN, LONG = 0.4, 0.1
MOST_RESIDUAL = 1.0  # error of S; a face that is farther off says no more against a camera
LEVEL = 0.05  # cosine of the angle to straight down; what is beyond is no table


@dataclass(frozen=True, slots=True, eq=False)
class ViewPrior:
    """What a camera makes of faces at n places, by all that is known of how it looks."""

    tilt_residual: (
        Floats  # (n,) how far S of each is from what it should be; NaN if nothing tells that
    )
    fall: Floats  # (n, 2) px, from an upper corner of a die whose upper face this is to its foot
    scale: Floats  # (n,) how large the photo shows what lies there; 1 straight below the camera


def view_prior(
    detections: Detections, plain: NDArray[np.bool_], size: tuple[int, int]
) -> ViewPrior:
    """Return how places on a photo of *size* px, width and height, are seen.

    The likeliest of some hundreds of cameras is taken: that which the *plain* faces differ least
    from. What a plain face itself says is left out where it is judged.
    """
    _, s, _ = describe_quads(detections.quads)
    middles, known = detections.middles, np.flatnonzero(plain)
    lens, down, cost = _cameras()
    should, depths = _seen(_looked_at(middles[known], size, lens), down)
    error = np.minimum(np.abs(should - s[known]), MOST_RESIDUAL)
    error[depths <= LEVEL] = MOST_RESIDUAL
    total = cost + error.sum(axis=1)
    best = total.argmin()
    at = _looked_at(middles, size, lens[[best]])
    (likely,), (depths,) = _seen(at, down[[best]])
    tilt_residual = np.abs(likely - s) if len(known) else np.full(len(detections), np.nan)
    for k, i in enumerate(known.tolist()):
        by_others = (total - error[:, k]).argmin()
        tilt_residual[i] = np.abs(should[by_others, k] - s[i]) if len(known) > 1 else np.nan
    foot = down[best, :2] - down[best, 2] * at[0]
    return ViewPrior(
        tilt_residual, foot * (detections.sizes / np.sqrt(depths))[:, None], depths**1.5
    )


@cache
def _cameras() -> tuple[Floats, Floats, Floats]:
    """Return of K cameras the lenses, (K, 3) straight down as they see it, and what each costs."""
    lens, tilt, roll = (a.ravel() for a in np.meshgrid(LENSES, TILTS, ROLLS, indexing="ij"))
    down = np.stack([-np.sin(tilt) * np.sin(roll), np.sin(tilt) * np.cos(roll), np.cos(tilt)], 1)
    cost = UPSIDE_DOWN * (1 - np.cos(roll)) / 2 + LONG * np.log(lens / LENSES[0])
    return lens, down, cost


def _looked_at(points: Floats, size: tuple[int, int], lens: Floats) -> Floats:
    """Return (K, n, 2), points of the photo in focal lengths from its middle."""
    return (points - np.array(size) / 2) / (lens * max(size))[:, None, None]


def _seen(at: Floats, down: Floats) -> tuple[Complexes, Floats]:
    """Return (K, n), S of faces that look up, seen at these points, and how far below they lie.

    The table is the plane where down · X = 1; h = (x, y, 1) is seen where X = h / q, q = down · h.
    A small step (dx, dy) on the photo is one on the table of a length whose square is
    |d|² - 2 (d · h) (d · down) / q + |h|² (d · down)² / q², over q². Steps to a circle on the table
    are the ellipse whose matrix is the inverse of that, and S is that of the ellipse. How far below
    is told by q, and no less than LEVEL.
    """
    x, y = at[..., 0], at[..., 1]
    q = np.maximum(np.einsum("kni,ki->kn", at, down[:, :2]) + down[:, 2:], LEVEL)
    far = (x * x + y * y + 1) / q**2
    a, b = down[:, None, 0], down[:, None, 1]
    xx = 1 - 2 * x * a / q + far * a * a
    yy = 1 - 2 * y * b / q + far * b * b
    xy = -(x * b + y * a) / q + far * a * b
    return 2 * (yy - xx - 2j * xy) / (xx + yy), q


def elevations(quads: Floats) -> Floats:
    """Return (n,) degrees above their planes from which squares look like (n, 4, 2) corners.

    Their sine is c in |S| = 2 (1 - c²) / (1 + c²), for squares seen from afar
    (vision.faces.detector).
    """
    flat = np.minimum(np.abs(describe_quads(quads)[1]), 2)
    return np.asarray(np.degrees(np.arcsin(np.sqrt((2 - flat) / (2 + flat)))), np.float64)


def iou_with_sides(quads: Floats, fall: Floats) -> Floats:
    """Return (n, n): the area that place i has in common with a side of die j, over that of both.

    Of (n, 4, 2) px, faces clockwise, whose upright edges fall as said; the best side of j counts.
    """
    count = len(quads)
    shares = np.zeros((count, count))
    middles = quads.mean(axis=1)
    reach = np.abs(quads - middles[:, None]).max(axis=(1, 2))
    ends = np.stack([quads, np.roll(quads, -1, axis=1)], axis=2)  # (n, 4 edges, 2 ends, 2)
    sides = np.concatenate([ends[:, :, ::-1], ends + fall[:, None, None]], axis=2)
    shows = ((ends.mean(axis=2) - middles[:, None]) * fall[:, None]).sum(axis=2) > 0
    own, edge = np.nonzero(shows)
    seen = sides[own, edge]  # (m, 4, 2)
    away = np.abs(seen.mean(axis=1)[:, None] - middles).max(axis=2)
    near = (away < reach + reach[own, None]) & (own[:, None] != np.arange(count))
    for k, i in np.argwhere(near).tolist():
        shares[i, own[k]] = max(shares[i, own[k]], iou(quads[i], seen[k]))
    return shares
