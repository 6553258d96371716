"""Find round spots that could be pips, dark or light, at any size, and measure their ellipses.

In: a grey picture. Out: `Blobs`, one array a field. A pip is round, so the ellipse it makes on
the photo tells how its face is tilted; all pips of one face share it.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Grey = NDArray[np.uint8]

SIGMAS = (1.0, 1.4, 2.0, 2.8)  # px; the differences respond to discs 3 to 8 px wide
LEVELS = 5  # each half as large: discs of 3 px to about 100 px
SMALLEST_LEVEL = 40  # px; a die that fills the photo has pips a seventh as wide
LEAST_RESPONSE = 5.0  # grey levels; a pip 20 levels from its body gives about this
LEAST_CONTRAST = 18.0  # grey levels between a pip and its body; below is texture and noise
ROUNDNESS = 8.0  # largest ratio of curvatures; an edge has far more, a disc seen at 25 degrees 6
MOST = 500  # spots a level and polarity; texture gives more, and a table holds fewer pips

RAYS = 24
STEPS = np.arange(0.25, 2.45, 0.1)  # in expected radii; where a ray looks for the rim


@dataclass(frozen=True, slots=True, eq=False)
class Blobs:
    """Measured spots; every array has one row a spot."""

    center: Floats  # (N, 2) px
    shape: Floats  # (N, 2, 2) symmetric: maps the unit disc to the spot, in px
    dark: NDArray[np.bool_]  # (N,) darker than its surroundings
    contrast: Floats  # (N,) grey levels between outside and inside
    evenness: Floats  # (N,) share of the rays whose rim lies on the ellipse, 0 to 1
    around: Floats  # (N,) median grey just outside
    calm: Floats  # (N,) share of the surrounding ring as near that median as a body would be

    def __len__(self) -> int:
        """Return the number of spots."""
        return len(self.center)

    @property
    def radius(self) -> Floats:
        """Return the radius of the disc of the same area, px."""
        radius: Floats = np.sqrt(np.linalg.det(self.shape))
        return radius

    def take(self, chosen: NDArray[np.intp] | NDArray[np.bool_]) -> Blobs:
        """Return the chosen spots."""
        return Blobs(*(getattr(self, field.name)[chosen] for field in fields(self)))


NOTHING = Blobs(
    center=np.zeros((0, 2)),
    shape=np.zeros((0, 2, 2)),
    dark=np.zeros(0, np.bool_),
    contrast=np.zeros(0),
    evenness=np.zeros(0),
    around=np.zeros(0),
    calm=np.zeros(0),
)


def find_blobs(grey: Grey) -> Blobs:
    """Return every round spot of *grey* (h, w) that contrasts with an even surrounding."""
    levels = [grey]
    while len(levels) < LEVELS and min(levels[-1].shape) >= 2 * SMALLEST_LEVEL:
        levels.append(np.asarray(cv2.pyrDown(levels[-1]), np.uint8))
    found = []
    for depth, level in enumerate(levels):
        for dark in (True, False):
            at, radius = _spots(level, dark=dark)
            if not len(at):
                continue
            # Measured one level finer where there is one: the rim is then 6 to 16 px across.
            finer = max(depth - 1, 0)
            zoom = 2.0 ** (depth - finer)
            blobs = _measure(levels[finer], at * zoom, radius * zoom, dark=dark)
            found.append(_enlarged(blobs, 2.0**finer))
    if not found:
        return NOTHING
    joined = Blobs(*(np.concatenate([getattr(b, f.name) for b in found]) for f in fields(Blobs)))
    return _without_doubles(joined)


def _enlarged(blobs: Blobs, zoom: float) -> Blobs:
    return Blobs(
        blobs.center * zoom,  # pyrDown keeps every second pixel in its place
        blobs.shape * zoom,
        blobs.dark,
        blobs.contrast,
        blobs.evenness,
        blobs.around,
        blobs.calm,
    )


def _spots(level: Grey, *, dark: bool) -> tuple[Floats, Floats]:
    """Return (N, 2) places and (N,) radii where a difference of Gaussians peaks."""
    wide = level.astype(np.float32)
    blurred = [cv2.GaussianBlur(wide, (0, 0), sigma) for sigma in SIGMAS]
    sign = 1.0 if dark else -1.0
    places, radii = [], []
    for (inner, outer), sigma in zip(pairwise(blurred), SIGMAS[:-1], strict=True):
        response = sign * (outer - inner)
        peak = (response >= cv2.dilate(response, np.ones((3, 3)))) & (response > LEAST_RESPONSE)
        peak[:2] = peak[-2:] = peak[:, :2] = peak[:, -2:] = False
        y, x = np.nonzero(peak)
        keep = _is_round(response, x, y)
        x, y = x[keep], y[keep]
        best = np.argsort(-response[y, x], kind="stable")[:MOST]
        places.append(np.column_stack([x[best], y[best]]).astype(np.float64))
        # A disc of radius r answers most strongly to the pair around sigma = r / 1.4.
        radii.append(np.full(len(best), 1.4 * 1.2 * sigma))
    return np.concatenate(places), np.concatenate(radii)


def _is_round(
    response: NDArray[np.float32], x: NDArray[np.intp], y: NDArray[np.intp]
) -> NDArray[np.bool_]:
    """Say which peaks fall off alike on all sides, as Lowe tells spots from edges (2004, 4.1)."""
    r = response
    xx = r[y, x + 1] + r[y, x - 1] - 2 * r[y, x]
    yy = r[y + 1, x] + r[y - 1, x] - 2 * r[y, x]
    xy = (r[y + 1, x + 1] + r[y - 1, x - 1] - r[y + 1, x - 1] - r[y - 1, x + 1]) / 4
    determinant = xx * yy - xy**2
    limit = (ROUNDNESS + 1) ** 2 / ROUNDNESS
    keep: NDArray[np.bool_] = (determinant > 0) & ((xx + yy) ** 2 < limit * determinant)
    return keep


def _measure(grey: Grey, center: Floats, radius: Floats, *, dark: bool) -> Blobs:
    """Fit an ellipse to the rim of each spot, seen along rays from its middle."""
    angle = np.linspace(0, 2 * np.pi, RAYS, endpoint=False)
    ray = np.column_stack([np.cos(angle), np.sin(angle)])  # (RAYS, 2)
    reach = radius[:, None] * STEPS  # (N, K)
    seen = _sample(grey, center[:, None, None] + ray[None, :, None] * reach[:, None, :, None])
    rise = (seen[:, :, 2:] - seen[:, :, :-2]) * (1.0 if dark else -1.0)  # (N, RAYS, K - 2)
    rim = _rim(rise) * 0.1 * radius[:, None]  # px
    rim += STEPS[1] * radius[:, None]
    offset = ray * rim[:, :, None]
    shift, shape, evenness = _fit_ellipses(offset, radius)
    inside = np.median(seen[:, :, :3], axis=(1, 2))
    center = center + shift
    edge = 1.45 * ray @ shape.transpose(0, 2, 1)
    ring = _sample(grey, center[:, None] + edge)
    around = np.median(ring, axis=1)
    contrast = (around - inside) * (1.0 if dark else -1.0)
    # A body may be lit unevenly, but less than its pips stand out.
    calm = (np.abs(ring - around[:, None]) < 0.4 * contrast[:, None]).mean(axis=1)
    keep = _plausible(shape, radius, contrast, evenness) & (calm > 0.6)
    whole = Blobs(center, shape, np.full(len(center), dark), contrast, evenness, around, calm)
    return whole.take(keep)


def _rim(rise: Floats) -> Floats:
    """Return the step, with fraction, of the steepest rise along each ray."""
    peak = rise.argmax(axis=2)
    inner = np.clip(peak, 1, rise.shape[2] - 2)
    before, at, after = (
        np.take_along_axis(rise, (inner + k)[..., None], axis=2)[..., 0] for k in (-1, 0, 1)
    )
    bend = before - 2 * at + after
    fraction = np.where(np.abs(bend) > 1e-6, (before - after) / (2 * bend + 1e-9), 0.0)
    result: Floats = inner + np.clip(fraction, -1, 1)
    return result


def _fit_ellipses(offset: Floats, radius: Floats) -> tuple[Floats, Floats, Floats]:
    """Fit A x² + B xy + C y² + D x + E y = 1 to each row of rim points, twice.

    Returns:
        (N, 2) middles, (N, 2, 2) shapes and (N,) shares of rays within a sixth of the radius.
    """
    points = offset / radius[:, None, None]
    x, y = points[..., 0], points[..., 1]
    terms = np.stack([x * x, x * y, y * y, x, y], axis=2)  # (N, RAYS, 5)
    weight = np.exp(-(((np.hypot(x, y) - np.median(np.hypot(x, y), axis=1)[:, None]) / 0.5) ** 2))
    for _ in range(3):
        weighted = terms * weight[..., None]
        normal = weighted.transpose(0, 2, 1) @ terms + 1e-6 * np.eye(5)
        conic = np.linalg.solve(normal, weighted.sum(axis=1)[..., None])[..., 0]
        middle, shape = _ellipse(conic)
        unit = (points - middle[:, None]) @ np.linalg.inv(shape).transpose(0, 2, 1)
        miss = np.abs(np.linalg.norm(unit, axis=2) - 1)
        weight = 1 / (1 + (miss / 0.12) ** 2)
    evenness = (miss < 1 / 6).mean(axis=1)
    return middle * radius[:, None], shape * radius[:, None, None], evenness


def _ellipse(conic: Floats) -> tuple[Floats, Floats]:
    """Return middles and shapes of conics; a conic that is no ellipse becomes a vast disc."""
    a, b, c, d, e = conic.T
    form = np.stack([np.stack([a, b / 2], 1), np.stack([b / 2, c], 1)], 1)
    bad = (a * c - b * b / 4 < 1e-4) | (a < 1e-3)
    form[bad] = np.eye(2) * 1e-2
    middle = -0.5 * np.linalg.solve(form, np.stack([d, e], 1)[..., None])[..., 0]
    middle[bad] = 0
    size = 1 + np.einsum("ni,nij,nj->n", middle, form, middle)
    values, vectors = np.linalg.eigh(form / size[:, None, None])
    axes = 1 / np.sqrt(np.maximum(values, 1e-4))
    return middle, np.einsum("nij,nj,nkj->nik", vectors, axes, vectors)


def _plausible(
    shape: Floats, radius: Floats, contrast: Floats, evenness: Floats
) -> NDArray[np.bool_]:
    axes = np.linalg.eigvalsh(shape)
    keep: NDArray[np.bool_] = (
        (axes[:, 0] > 0.3 * axes[:, 1])
        & (axes[:, 0] > 0.35 * radius)
        & (axes[:, 1] < 2.2 * radius)
        & (contrast > LEAST_CONTRAST)
        & (evenness >= 0.62)
    )
    return keep


def _sample(grey: Grey, at: Floats) -> Floats:
    """Return the grey values at (..., 2) px, between pixels too."""
    flat = at.reshape(-1, RAYS, 2).astype(np.float32)
    if not len(flat):
        return np.zeros(at.shape[:-1])
    # remap takes at most 32767 rows, so many spots are laid side by side in each.
    values = [
        cv2.remap(grey, rows[..., 0], rows[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)
        for rows in np.array_split(flat, len(flat) // 30000 + 1)
    ]
    return np.concatenate(values).reshape(at.shape[:-1]).astype(np.float64)


def _without_doubles(blobs: Blobs) -> Blobs:
    """Keep the best of all spots found at one place in several sizes."""
    # Of two good fits the larger: a long ellipse also holds small discs at its ends.
    score = blobs.evenness**2 * np.minimum(blobs.contrast, 60) * blobs.radius**0.2
    order = np.argsort(-score, kind="stable")
    center, radius, dark = blobs.center[order], blobs.radius[order], blobs.dark[order]
    keep = np.ones(len(order), np.bool_)
    for i in range(len(order)):
        if keep[i]:
            far = np.linalg.norm(center[i + 1 :] - center[i], axis=1) > 0.8 * np.maximum(
                radius[i], 0.7 * radius[i + 1 :]
            )
            # A pip stays a pip inside a round body of the other kind or of twice its size.
            other = (dark[i + 1 :] != dark[i]) | (radius[i + 1 :] < 0.5 * radius[i])
            keep[i + 1 :] &= far | other
    return blobs.take(order[keep])
