"""Stage 1: find the faces that look up.

In: a colour picture. Out: `Found`, an oriented quad a face with what the finder saw on it. The
spots of `blobs` are grouped to `layouts`, each is checked against the `bodies` on the picture, and
of the faces of one die only the upper one is kept.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.blobs import Blobs, Floats, find_blobs
from vision.bodies import OUTLINE_RAYS, Body, look_under, outline_around
from vision.doubt import Cues, beliefs, usual_side
from vision.geometry import Quad
from vision.layouts import Pattern, find_patterns, lone_patterns
from vision.photo import Pixels
from vision.uppermost import Lying, looking_up

LEAST_FIT = 0.35  # of a pattern; one stray spot takes 0.25 to 0.75 off
LEAST_BELIEF = 0.2  # below this a face is not worth a person's question
LONE_CONTRAST = 28.0  # grey levels; a lone pip has nothing but its body to speak for it
LONE_SIDE = (4.6, 15.0)  # side of a face in radii of its only pip; dice seen: 5 (large one) to 14
LEAST_FILL = 0.76  # of the bounding square; a disc fills 0.79, a rounded die seen flat 0.9

SQUARE = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)], np.float64)


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """One face, as the finder sees it."""

    quad: Quad  # px
    value: int  # pips counted by the finder
    dark_pips: bool
    tilt: Floats  # (2, 2) ellipse of its pips, scaled to area 1
    spots: NDArray[np.intp]
    cues: Cues
    odd_tilt: bool = False  # unlike the other faces: perhaps the side of a die
    belief: float = 0.0  # how likely it is a face with that value

    @property
    def weight(self) -> float:
        """Return how much of the picture it explains; settles which of two rivals stays."""
        # The cube: two clear pips outweigh four doubtful ones, such as the corners of a body.
        return self.value * self.belief**3


def find_faces(bgr: Pixels) -> list[Found]:
    """Return the faces that look up on *bgr* (h, w, 3), the most believable first."""
    blobs = find_blobs(np.asarray(cv2.cvtColor(bgr, cv2.COLOR_BGR2GRAY), np.uint8))
    patterned = _weighed(_on_bodies(bgr, blobs, find_patterns(blobs)), usual=None)
    usual = usual_side([face.cues for face in _without_shared(patterned)])
    lone = _lone_spots(blobs)
    rivals = patterned + _outlined(bgr, blobs, lone)
    if usual:
        rivals += _on_bodies(bgr, blobs, lone_patterns(blobs, lone, usual))
    found = _without_shared(_weighed(rivals, usual))
    up, odd = looking_up([Lying(f.quad, f.tilt, f.dark_pips, f.belief) for f in found])
    upper = [replace(found[i], odd_tilt=bool(odd[i])) for i in np.flatnonzero(up)]
    upper = _weighed(upper, usual_side([face.cues for face in upper]))
    return sorted(upper, key=lambda face: (-face.belief, face.quad.corners))


def _weighed(found: list[Found], usual: float | None) -> list[Found]:
    """Weigh the faces of one photo and drop the hopeless."""
    weighed = beliefs([face.cues for face in found], usual)
    return [
        replace(face, belief=float(belief))
        for face, belief in zip(found, weighed, strict=True)
        if belief > LEAST_BELIEF
    ]


def _on_bodies(bgr: Pixels, blobs: Blobs, patterns: list[Pattern]) -> list[Found]:
    """Return the faces whose patterns have a body under them."""
    patterns = [pattern for pattern in patterns if _regularity(pattern) > LEAST_FIT]
    if not patterns:
        return []
    contrast = np.array([np.median(blobs.contrast[p.spots]) for p in patterns])
    body = look_under(bgr, patterns, contrast)
    found = []
    for i, pattern in enumerate(patterns):
        fit = _fit(pattern, body, i)
        if fit > LEAST_FIT:
            quad = Quad.around(pattern.middle + body.half[i] * SQUARE @ pattern.axes.T)
            found.append(_found(blobs, pattern.spots, quad, fit=fit, uneven=float(body.uneven[i])))
    return found


def _found(
    blobs: Blobs, spots: NDArray[np.intp], quad: Quad, *, fit: float, uneven: float
) -> Found:
    shape = blobs.shape[spots].mean(axis=0)
    cues = Cues(
        len(spots),
        fit,
        float(np.median(blobs.contrast[spots])),
        uneven,
        float(blobs.evenness[spots].mean()),
        quad.side,
    )
    tilt = shape / np.sqrt(np.linalg.det(shape))
    return Found(quad, len(spots), bool(blobs.dark[spots[0]]), tilt, spots, cues)


def _fit(pattern: Pattern, body: Body, i: int) -> float:
    """Return 1 for a perfect pattern on a perfect body; what speaks against it is taken off."""
    n = len(pattern.spots)
    weak = n <= 3
    against = 1.5 * float(body.ghosts[i])
    against += (8.0 if weak else 4.0) * max(0.0, 0.95 - float(body.calm[i]))
    if weak:
        against += 0.6 * float(4 - body.edges[i])
    return _regularity(pattern) - against / n


def _regularity(pattern: Pattern) -> float:
    """Return 1 for spots right on their nodes, with no other like spot between them."""
    return 1 - 8 * pattern.miss**2 - 1.5 * pattern.strays / len(pattern.spots)


def _without_shared(found: list[Found]) -> list[Found]:
    """Keep the best of the faces that share a spot or lie on each other."""
    kept: list[Found] = []
    used: set[int] = set()
    for face in sorted(found, key=lambda f: (-f.weight, f.quad.corners)):
        spots = {int(spot) for spot in face.spots}
        if used & spots or any(_overlap(face.quad, other.quad) > 0.25 for other in kept):
            continue
        used |= spots
        kept.append(face)
    return kept


def _overlap(a: Quad, b: Quad) -> float:
    """Return the shared area as a share of the smaller quad."""
    area, _ = cv2.intersectConvexConvex(a.array.astype(np.float32), b.array.astype(np.float32))
    return float(area) / max(min(a.area, b.area), 1e-9)


def _lone_spots(blobs: Blobs) -> NDArray[np.intp]:
    """Return the spots good enough to be the only pip of a face."""
    clear = blobs.contrast > LONE_CONTRAST
    return np.flatnonzero((blobs.evenness > 0.7) & (blobs.calm > 0.85) & clear)


def _outlined(bgr: Pixels, blobs: Blobs, spots: NDArray[np.intp]) -> list[Found]:
    """Return the faces with a single pip in the middle of a square outline."""
    if not len(spots):
        return []
    outlines = outline_around(bgr, blobs.center[spots], blobs.shape[spots], blobs.contrast[spots])
    found = []
    for spot, outline in zip(spots, outlines, strict=True):
        squares = [square for line in outline if (square := _square_around(line))]
        if not squares:
            continue
        corners, fill = max(squares, key=lambda square: square[1])
        quad = Quad.around(blobs.center[spot] + corners @ blobs.shape[spot].T)
        found.append(_found(blobs, np.array([spot]), quad, fit=fill, uneven=0.0))
    return found


def _square_around(outline: Floats) -> tuple[Floats, float] | None:
    """Return the (4, 2) corners and the filled share of a square body around 0, if it is one."""
    ends = outline[~np.isnan(outline[:, 0])].astype(np.float32)
    if len(ends) < 0.85 * OUTLINE_RAYS:
        return None
    box = cv2.minAreaRect(ends)
    (x, y), (w, h), _ = box
    fill = cv2.contourArea(ends) / max(w * h, 1e-9)
    off_middle = max(abs(x), abs(y)) / max(w, h)
    is_square = min(w, h) > 0.7 * max(w, h) and fill > LEAST_FILL and off_middle < 0.16
    if not is_square or not LONE_SIDE[0] < (w + h) / 2 < LONE_SIDE[1]:
        return None
    return np.asarray(cv2.boxPoints(box), np.float64), float(fill)
