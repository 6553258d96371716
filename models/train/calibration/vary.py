"""Photos as another phone might have taken them, with their truth: to calibrate on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import cv2
import numpy as np

from models import augment
from models.dataset.annotation import AnnotatedFace, AnnotatedImage
from vision.decode import Pixels
from vision.geometry import Floats

ZOOMS = (0.75, 1.6)  # of the pixels of a photo that is changed
CLOSEST = 6.0  # times as near it may be taken
LEGIBLE = 0.06  # of a face's side, the blur up to which a person still counts its pips
TURNED = 0.15  # of the changed photos lie on a side or upside down
UP = 0.7  # of a box's side, about the side of the upper face in it
WHOLE = 0.95  # share of a die's box from which the whole of it is on the photo


def varied(rng: np.random.Generator, shot: AnnotatedImage) -> tuple[Pixels, AnnotatedImage]:
    """Return a photo as another phone might have taken it, from nearer or farther, and its truth.

    What holds on the few photos held back should hold on a stranger's too, and on close-ups, which
    none of them is: those show a part of the photo, larger. Small dice are blurred less: what no
    person can read tells nothing of how far a reading can be believed.
    """
    bgr, shot = _nearer(rng, shot.pixels(), shot)
    zoom = float(np.exp(rng.uniform(*np.log(ZOOMS))))
    way = cv2.INTER_AREA if zoom < 1 else cv2.INTER_CUBIC
    changed = np.asarray(cv2.resize(bgr, None, fx=zoom, fy=zoom, interpolation=way), np.uint8)
    height, width = changed.shape[:2]
    mirrored = rng.random() < 0.5
    if mirrored:
        changed = np.ascontiguousarray(changed[:, ::-1])
    quarters = int(rng.integers(1, 4)) if rng.random() < TURNED else 0
    changed = np.ascontiguousarray(np.rot90(changed, quarters))
    smallest = zoom * UP * min((face.size for face in shot.faces), default=np.inf)
    blur = min(augment.BLUR, LEGIBLE * smallest)
    changed = augment.roughen(rng, augment.soften(rng, augment.recolour(rng, changed), blur))

    def moved(quad: Floats) -> Floats:
        placed = (quad + 0.5) * zoom - 0.5
        if mirrored:
            placed = placed * (-1, 1) + (width - 1, 0)
        last = (width - 1, height - 1)
        for quarter in range(quarters):
            placed = placed[:, ::-1] * (1, -1) + (0, last[quarter % 2])
        return placed

    faces = tuple(_moved(face, moved) for face in shot.faces)
    return changed, replace(shot, dice=faces, ignored=tuple(map(moved, shot.unlearned)))


def _moved(face: AnnotatedFace, move: Callable[[Floats], Floats]) -> AnnotatedFace:
    """Return a face, and the middle of its other half, where they lie after a change."""
    partner = None
    if face.partner is not None:
        x, y = move(np.array([face.partner]))[0]
        partner = float(x), float(y)
    return replace(face, quad=move(face.quad), partner=partner)


def _nearer(
    rng: np.random.Generator, bgr: Pixels, shot: AnnotatedImage
) -> tuple[Pixels, AnnotatedImage]:
    """Return a part of a photo around one of its dice, and what of its truth lies there."""
    size = np.array([bgr.shape[1], bgr.shape[0]])
    part = size * np.exp(-rng.uniform(0, np.log(CLOSEST)))
    middle = rng.uniform(0, 1, 2) * size
    if shot.faces:
        face = shot.faces[int(rng.integers(len(shot.faces)))]
        part = np.maximum(part, 1.3 * np.ptp(face.quad, axis=0))
        middle = face.middle + rng.uniform(-0.3, 0.3, 2) * (part - np.ptp(face.quad, axis=0))
    low = np.clip(np.round(middle - part / 2), 0, size - 1).astype(int)
    high = np.clip(np.round(middle + part / 2), low + 1, size).astype(int)

    def share(quad: Floats) -> float:
        inside = np.minimum(quad.max(axis=0), high) - np.maximum(quad.min(axis=0), low)
        return float(np.prod(np.maximum(inside, 0) / np.maximum(np.ptp(quad, axis=0), 1e-6)))

    faces = tuple(
        _moved(face, lambda quad: quad - low) for face in shot.faces if share(face.quad) > WHOLE
    )
    ignored = [*shot.unlearned, *(f.quad for f in shot.faces if share(f.quad) <= WHOLE)]
    ignored = [quad - low for quad in ignored if share(quad) > 0]
    there = replace(shot, dice=faces, tiles=None, ignored=tuple(ignored))
    return bgr[low[1] : high[1], low[0] : high[0]], there
