"""Tell the faces that look up from those on the sides of the same dice.

In: all faces on a photo. Out: those that look up. On a photo held upright a side face lies below
the upper face of its die and is tilted otherwise; and all upper faces of a table are tilted alike.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.blobs import Floats
from vision.geometry import Quad

SAME_TILT = 0.22  # difference of two tilts below which two faces may lie in one plane
# Difference from the table's tilt above which a face cannot look up, and above which it is in
# doubt, in usual differences of the photo's faces and within bounds. On the training photos and the
# rendered boards upper faces differ by less than 0.1 mostly; sides by 0.3 and more.
OTHER_PLANE = (5.0, 0.3, 0.5)
ODD_TILT = (2.5, 0.2, 0.35)
TOUCHING = 1.2  # distance over mean extent below which two faces share an edge
STEEP = 0.86  # height over width of a pip below which sides of dice are well in view
LEAST_BELIEF = 0.3  # of a face that takes another one's place
FEWEST_FOR_TILT = 3  # faces that settle the tilt of a table


@dataclass(frozen=True, slots=True, eq=False)
class Lying:
    """What this stage needs to know of one face."""

    quad: Quad
    tilt: Floats  # (2, 2) ellipse of a pip, scaled to area 1
    dark_pips: bool
    belief: float


def looking_up(faces: list[Lying]) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Say which of the faces look up, and which of those are tilted oddly for this photo."""
    up = np.zeros(len(faces), np.bool_)
    # From the top of the photo down: a face found to be a side takes nobody else's place.
    for i in sorted(range(len(faces)), key=lambda i: faces[i].quad.center[1]):
        up[i] = not any(_is_side(faces[i], faces[k]) for k in np.flatnonzero(up))
    if up.sum() >= FEWEST_FOR_TILT:
        tilts = np.array([_vector(face.tilt) for face in faces])
        weights = np.array([face.belief for face in faces])
        away = np.linalg.norm(tilts - _median(tilts[up], weights[up]), axis=1)
        typical = float(np.median(away[up]))
        up &= away < _limit(OTHER_PLANE, typical)
        return up, away > _limit(ODD_TILT, typical)
    return up, np.zeros(len(faces), np.bool_)


def _limit(rule: tuple[float, float, float], typical: float) -> float:
    factor, least, most = rule
    return min(max(factor * typical, least), most)


def _is_side(lower: Lying, upper: Lying) -> bool:
    """Say whether *lower* is a side of the die whose upper face is *upper*."""
    if lower.dark_pips != upper.dark_pips or upper.belief < LEAST_BELIEF:
        return False
    step = np.array(lower.quad.center) - np.array(upper.quad.center)
    if step[1] < 0.42 * np.hypot(*step) or not _adjoin(lower.quad, upper.quad, step):
        return False
    differ = np.linalg.norm(_vector(lower.tilt) - _vector(upper.tilt))
    high, wide = np.sqrt((upper.tilt @ upper.tilt.T).diagonal()[::-1])
    return bool(differ > SAME_TILT or high < STEEP * wide)


def _adjoin(a: Quad, b: Quad, step: Floats) -> bool:
    """Say whether two quads touch along the line between their middles, sizes being alike."""
    length = np.hypot(*step)
    along = step / max(length, 1e-9)
    reach = (_extent(a, along) + _extent(b, along)) / 2
    ratio = a.side / b.side
    return bool(length < TOUCHING * reach and 0.5 < ratio < 2.0)


def _extent(quad: Quad, along: Floats) -> float:
    shadow = (quad.array - np.array(quad.center)) @ along
    return float(np.ptp(shadow))


def _vector(tilt: Floats) -> Floats:
    """Return the logarithm of a shape of area 1 as (2,): the stretch along 0 and 45 degrees."""
    values, vectors = np.linalg.eigh(tilt)
    log = vectors @ np.diag(np.log(values)) @ vectors.T
    return np.array([log[0, 0] - log[1, 1], 2 * log[0, 1]])


def _median(vectors: Floats, weights: Floats) -> Floats:
    """Return the member with the least weighted distance to all."""
    apart = np.linalg.norm(vectors[:, None] - vectors, axis=2) @ weights
    middle: Floats = vectors[apart.argmin()]
    return middle
