"""Crops for the classifier: faces with a shaken quad, and places that are no face that looks up."""

from collections.abc import Iterator

import cv2
import numpy as np
from numpy.typing import NDArray

from models import augment
from models.dataset.annotation import UNKNOWN, AnnotatedImage
from vision.faces.classifier import ASIDE, CLASSES, NOTHING, SIDE, crop_faces
from vision.geometry import ios
from vision.reading import COLOURS

Floats = NDArray[np.float64]
Pixels = NDArray[np.uint8]
Random = np.random.Generator

FACES, OTHERS = 8, 3  # a picture
SMALLEST = 8.5  # px, side of a face
NOT_UP = CLASSES  # truth of a place on a photo: NOTHING or ASIDE, it is not known which
SAME, APART = 0.55, 0.25  # shared area from which two quads are one face; below which they are not
REACH = 1.6  # sides of a face from its middle, within which its die's sides lie
HOLDS = (2.6, 9.0)  # times as wide as a thing in it is what may be taken for a face with one pip
WIDEST = 1.5  # of a picture's longer side, a place on it
HELD = 0.12  # share of other things that are shown as such a pip
REPAINTED = 0.2  # share of crops
GREY = 0.06  # of the crops are those of a camera without colours
SMEARED = 0.4  # of those that are seen with poorer resolution
BLACK = COLOURS.index("black")
LOOK_BURNT = tuple(COLOURS.index(name) for name in ("white", "clear"))  # look so without glare
MIDDLE = slice(SIDE // 5, -SIDE // 5)  # rows or columns of a crop that lie well on its face
# Levels of 255 from which the darkest quarter of a black face is lit by glare, and all of another
# one burnt out: of its body's colour nothing is left.
GLARING, BURNT = 120, 230
LIKE = (0.35, 2.8)  # times as large in area as a face a fair reading of it may be


def shaken(rng: Random, quad: Floats) -> Floats:
    """Return the quad as a detector might give it, from any corner on, either way round."""
    size = np.sqrt(max(cv2.contourArea(quad.astype(np.float32)), 1.0))
    middle = quad.mean(axis=0)
    much = rng.choice([0.3, 1.0])
    grown = middle + (quad - middle) * np.exp(rng.normal(0, 0.07 * much))
    moved = (
        grown + rng.normal(0, 0.045 * much * size, 2) + rng.normal(0, 0.035 * much * size, (4, 2))
    )
    if rng.random() < 0.25:  # a detector may know where and how large, but not how it is turned
        c, s = np.cos(angle := rng.normal(0, 0.4)), np.sin(angle)
        moved = middle + (moved - middle) @ np.array([[c, s], [-s, c]])
    turned = np.roll(moved, int(rng.integers(4)), axis=0)
    return np.asarray(turned[::-1] if rng.random() < 0.5 else turned, np.float64)


def disturbed(rng: Random, crop: Pixels) -> Pixels:
    """Return the crop with poorer resolution, light, glare and noise."""
    if rng.random() < 0.28:
        size, share = crop.shape[1::-1], rng.uniform(0.22, 0.7)
        small = cv2.resize(crop, None, fx=share, fy=share, interpolation=cv2.INTER_AREA)
        if rng.random() < SMEARED:
            small = augment.smear(rng, np.asarray(small, np.uint8))
        way = int(rng.choice([cv2.INTER_LINEAR, cv2.INTER_CUBIC]))
        crop = np.asarray(cv2.resize(small, size, interpolation=way), np.uint8)
    if rng.random() < 0.05:
        crop = augment.dull(rng, crop)
    crop = augment.recolour(rng, crop, 0.6)
    if rng.random() < 0.1:
        crop = augment.glare(rng, crop)
    if rng.random() < 0.1:
        crop = augment.sheen(rng, crop)
    if crop.shape[:2] == (SIDE, SIDE) and rng.random() < 0.07:
        crop = _covered(rng, crop)
    return augment.roughen(rng, augment.soften(rng, crop, 1.7), 14.0)


def _covered(rng: Random, crop: Pixels) -> Pixels:
    """Put a corner of something else over the edge of the crop."""
    out = crop.copy()
    angle, depth = rng.uniform(0, 2 * np.pi), rng.uniform(0.33, 0.5) * SIDE
    normal = np.array([np.cos(angle), np.sin(angle)])
    along = np.array([-normal[1], normal[0]])
    base = SIDE / 2 + normal * depth
    corners = [base - along * SIDE, base + along * SIDE, base + along * SIDE + normal * SIDE]
    corners.append(base - along * SIDE + normal * SIDE)
    cv2.fillConvexPoly(out, np.round(corners).astype(np.int32), rng.integers(0, 256, 3).tolist())
    return out


def other_quads(
    rng: Random, shot: AnnotatedImage, size: tuple[int, int], count: int
) -> list[Floats]:
    """Return quads that hold no face that looks up: sides, neighbours, parts, table."""
    quads: list[Floats] = []
    faces = shot.faces
    for _ in range(6 * count):
        if len(quads) == count:
            break
        kind = rng.random()
        if kind < (0.5 if faces else 0.85) and shot.others:
            quad = shot.others[int(rng.integers(len(shot.others)))]
            if rng.random() < HELD:
                quad = _holding(rng, quad)
        elif kind < 0.82 and faces:
            quad = _beside(rng, faces[int(rng.integers(len(faces)))].quad)
        else:
            width = np.exp(rng.uniform(np.log(10), np.log(120)))
            angle = rng.uniform(0, 2 * np.pi) + np.pi / 2 * np.arange(4)
            place = rng.uniform(0, 1, 2) * size
            quad = place + width * np.stack([np.cos(angle), np.sin(angle)], axis=1) * (
                1,
                rng.uniform(0.5, 1),
            )
        if _clear_of(quad, shot) and np.ptp(quad, axis=0).max() < WIDEST * max(size):
            quads.append(quad)
    return quads


def _beside(rng: Random, quad: Floats) -> Floats:
    middle = quad.mean(axis=0)
    kind = rng.random()
    if kind < 0.2:  # a part: a pip taken for a face
        place = middle + (quad[int(rng.integers(4))] - middle) * rng.uniform(0.3, 0.6)
        return np.asarray(place + (quad - middle) * rng.uniform(0.2, 0.4), np.float64)
    if kind < 0.25:  # two faces or a whole die taken for one
        return np.asarray(middle + (quad - middle) * rng.uniform(1.8, 2.6), np.float64)
    if kind < 0.35:
        return _holding(rng, quad)
    step = quad[int(rng.integers(4))] - quad[int(rng.integers(4))]
    return np.asarray(
        quad + step * rng.uniform(0.45, 1.1) + rng.normal(0, 0.1, 2) * np.ptp(quad), np.float64
    )


def _holding(rng: Random, quad: Floats) -> Floats:
    """Return a place with this one for its pip: a tray, a box or a coaster with a thing on it."""
    middle, size = quad.mean(axis=0), np.ptp(quad)
    grown = (quad - middle) * np.exp(rng.uniform(*np.log(HOLDS)))
    return np.asarray(middle + grown + rng.normal(0, 0.4, 2) * size, np.float64)


def _clear_of(quad: Floats, shot: AnnotatedImage) -> bool:
    """Return True if the quad is no fair reading of a face: little shared, or another size."""
    area = cv2.contourArea(quad.astype(np.float32))
    if area < SMALLEST**2:
        return False
    for face in shot.faces:
        reach = np.abs(quad.mean(axis=0) - face.middle).max()
        if reach > 3 * (face.size + np.sqrt(area)):
            continue
        if _shared(quad, face.quad) > SAME:
            return False
    return True


def _shared(quad: Floats, face: Floats) -> float:
    """Return the area shared with a face over the smaller one; 0 where the sizes are too unlike."""
    areas = [max(cv2.contourArea(q.astype(np.float32)), 1e-6) for q in (quad, face)]
    return ios(quad, face) if LIKE[0] < areas[0] / areas[1] < LIKE[1] else 0.0


def truth_of(quad: Floats, shot: AnnotatedImage) -> int:
    """Return what a quad shows on which no face looks up: NOTHING, ASIDE, or NOT_UP."""
    if shot.sides is not None:
        shared = max((_shared(quad, side) for side in shot.sides), default=0.0)
        return ASIDE if shared > SAME else NOTHING if shared < APART else NOT_UP
    near = (np.abs(quad.mean(axis=0) - f.middle).max() < REACH * f.size for f in shot.faces)
    return NOT_UP if any(near) else NOTHING


def draw_crops(rng: Random, shot: AnnotatedImage) -> tuple[Pixels, NDArray[np.int64]]:
    """Return (n, SIDE, SIDE, 3) BGR crops of one picture and (n, 2) kind and colour."""
    picture = shot.pixels()
    faces = [f for f in shot.faces if f.size >= SMALLEST]
    order = rng.permutation(len(faces))[:FACES]
    quads = [shaken(rng, faces[i].quad) for i in order]
    truth = [(faces[i].pips, faces[i].colour_index) for i in order]
    few = OTHERS if faces else FACES
    others = other_quads(rng, shot, (picture.shape[1], picture.shape[0]), few)
    quads += [shaken(rng, quad) for quad in others]
    truth += [(truth_of(quad, shot), UNKNOWN) for quad in others]
    crops = crop_faces(picture, np.array(quads).reshape(-1, 4, 2))
    targets = np.array(truth, np.int64).reshape(-1, 2)
    for crop, target in zip(crops, targets, strict=True):
        if (kind := rng.random()) < REPAINTED + GREY:
            crop[:] = augment.repaint(rng, crop) if kind < REPAINTED else augment.grey(crop)
            target[1] = UNKNOWN
        crop[:] = disturbed(rng, crop)
        if not shows_colour(crop, int(target[1])):
            target[1] = UNKNOWN
    return crops, targets


def shows_colour(crop: Pixels, colour: int) -> bool:
    """Return True if a body of such a colour shows on the (SIDE, SIDE, 3) crop of its face.

    Black faces under glare that were called black taught that a plain white one may be black.
    """
    face = crop[MIDDLE, MIDDLE]
    if colour == BLACK:
        return bool(np.quantile(face.max(axis=2), 0.25) < GLARING)
    return colour in LOOK_BURNT or bool(np.median(face.min(axis=2)) < BURNT)


def mixed(
    rng: Random, drawn: Iterator[tuple[np.ndarray, np.ndarray]], size: int
) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Yield batches of *size* crops, now RGB, with their truth, of many pictures each."""
    crops, truth, waiting = [], [], 0
    for more, label in drawn:
        crops.append(more)
        truth.append(label)
        waiting += len(more)
        if waiting >= 4 * size:
            order = rng.permutation(waiting)
            pile, labels = np.concatenate(crops)[order], np.concatenate(truth)[order]
            for k in range(3):
                part = slice(k * size, (k + 1) * size)
                yield np.ascontiguousarray(pile[part][..., ::-1]), labels[part]
            crops, truth, waiting = [pile[3 * size :]], [labels[3 * size :]], waiting - 3 * size
