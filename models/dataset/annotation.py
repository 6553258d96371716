"""The truth of a picture: annotated faces of dice, dominoes, and regions to ignore.

All places are px of the upright picture; (0, 0) is the middle of its first pixel.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import cv2
import numpy as np

from vision import Look
from vision.geometry import Floats
from vision.photo import Pixels
from vision.reading import COLOURS

MOST_PIPS = 6  # on a face; tiles of larger sets do not count
SEEN, HIDDEN = 0.55, 0.25  # visible share from which a face counts; below which it is not there
PARTNER = 0.3  # faces, from where a half's other half is to the middle of a face that is it
UNKNOWN = -1  # a colour that is not labelled

PointPx = tuple[float, float]
Xyxy = tuple[float, float, float, float]  # x0, y0, x1, y1


@dataclass(frozen=True, slots=True, eq=False)
class AnnotatedFace:
    """The upper face of a die or one half of a domino.

    On a drawn picture its quad is known; on a photo it has the corners of a box, drawn by hand
    around the die or its upper face.
    """

    quad: Floats  # (4, 2) px
    value: int | None  # None: no person can read it either
    colour: str | None = None
    visible: float = 1.0  # share of it that is seen
    is_legible: bool = True  # False: whatever is read there is fine
    cell: tuple[int, int] | None = None  # row, column; None beside the board or without one
    partner: PointPx | None = None  # middle of the other half of a domino

    @property
    def counts(self) -> bool:
        """Return True if it has to be read."""
        return self.is_legible and self.value is not None and self.visible >= SEEN

    @property
    def pips(self) -> int:
        """Return its value; only of a face that a person can read."""
        assert self.value is not None
        return self.value

    @property
    def is_learned(self) -> bool:
        """Return True if a network learns to see it: a face that counts, of a set with six pips."""
        return self.counts and 0 <= self.pips <= MOST_PIPS

    @property
    def is_ambiguous(self) -> bool:
        """Return True if a network is taught neither that a face is there nor that none is."""
        is_large = self.value is not None and self.value > MOST_PIPS
        return not self.is_learned and (is_large or self.visible >= HIDDEN)

    @property
    def box(self) -> Xyxy:
        """Return the upright box around it."""
        return box_of(self.quad)

    @property
    def middle(self) -> Floats:
        """Return the mean corner, (2,)."""
        return np.asarray(self.quad.mean(axis=0), np.float64)

    @property
    def size(self) -> float:
        """Return the side of the square of the same area, px."""
        return float(np.sqrt(max(cv2.contourArea(self.quad.astype(np.float32)), 1e-6)))

    def has_partner_at(self, middle: Floats) -> bool:
        """Return True if the other half of this one lies around a place, (2,) px."""
        if self.partner is None:
            return False
        return float(np.hypot(*(np.array(self.partner) - middle))) < PARTNER * self.size

    def is_one_tile_with(self, other: AnnotatedFace) -> bool:
        """Return True if two faces are the halves of one domino.

        Each must lie where the other half of the other does: what lies upon the other half of a
        face lies there too.
        """
        return self.has_partner_at(other.middle) and other.has_partner_at(self.middle)

    @property
    def colour_index(self) -> int:
        """Return its colour's place in COLOURS, or UNKNOWN."""
        return COLOURS.index(self.colour) if self.colour in COLOURS else UNKNOWN


@dataclass(frozen=True, slots=True, eq=False)
class AnnotatedTile:
    """A domino: its two values and the middles of its halves, in one order."""

    values: tuple[int, int]
    centers: tuple[PointPx, PointPx]
    is_seen: bool = True  # False: hardly visible
    faces: tuple[AnnotatedFace, ...] = ()  # its halves where their quads are known

    @property
    def counts(self) -> bool:
        """Return True if it has to be read: it is seen and has at most six pips a half."""
        return self.is_seen and max(self.values) <= MOST_PIPS


@dataclass(frozen=True, slots=True, eq=False)
class AnnotatedImage:
    """One picture. `dice` or `tiles` is None where that kind was not annotated."""

    path: Path
    dice: tuple[AnnotatedFace, ...] | None = None
    tiles: tuple[AnnotatedTile, ...] | None = None
    ignored: tuple[Floats, ...] = ()  # quads where nothing is too much
    complete: bool = True  # False: other pieces are not annotated, so no reading is extra
    board: str | None = None  # such as "grid:3x3", where it is known in which cell each die lies
    is_photo: bool = False
    sides: tuple[Floats, ...] | None = None  # of dice, that do not look up; None: it is not known
    decoys: tuple[Floats, ...] = ()  # printed cells, what a detector took for a face, …
    objects: tuple[Floats, ...] = ()  # things that are no pieces, and what lies on top of them
    dataset: str = ""

    @property
    def faces(self) -> tuple[AnnotatedFace, ...]:
        """Return the faces of dice and of dominoes that a network learns to see."""
        return tuple(face for face in self.every_face if face.is_learned)

    @property
    def unlearned(self) -> tuple[Floats, ...]:
        """Return the quads that a network is taught nothing about."""
        doubtful = (face.quad for face in self.every_face if face.is_ambiguous)
        return (*self.ignored, *doubtful)

    @property
    def others(self) -> tuple[Floats, ...]:
        """Return all quads on which no face looks up."""
        return (self.sides or ()) + self.decoys + self.objects

    @property
    def every_face(self) -> tuple[AnnotatedFace, ...]:
        """Return all faces of dice and of dominoes, hidden ones and those of larger sets too."""
        return (*(self.dice or ()), *(face for tile in self.tiles or () for face in tile.faces))

    def pixels(self) -> Pixels:
        """Return the picture, (h, w, 3) BGR."""
        return np.asarray(cv2.imdecode(_encoded(self.path), cv2.IMREAD_COLOR), np.uint8)


@cache
def _encoded(path: Path) -> Pixels:
    """Return a file's bytes; training reads each thousands of times."""
    return np.frombuffer(path.read_bytes(), np.uint8)


@dataclass(frozen=True, slots=True, eq=False)
class Dataset:
    """The pictures of one folder, and what to look for on them."""

    name: str
    look: Look
    images: tuple[AnnotatedImage, ...]
    synthetic: bool = False


GROW = 0.15  # of a box's size, on each side
NEAR = 1 / 3  # of a tile's length

Candidate = tuple[float, int, int]  # a cost, the index of an annotation, the index of a reading


def match_faces(
    faces: Sequence[AnnotatedFace],
    middles: Sequence[PointPx] | Floats,
    probs: Sequence[float] | Floats | None = None,
) -> dict[int, int]:
    """Return {index of an annotated face: index of the place, (n, 2) px, that is it}.

    A photo's box holds a die's sides too, and the middle of a side is often nearer to the middle of
    the box than that of the upper face. So where places come with the probability that a face is
    there, the likelier comes first, and of places equally likely the nearer one, in sides of the
    box. What was read is no longer a side, and the nearer comes first.
    """
    near = []
    for i, face in enumerate(faces):
        box = face.box
        sides = (box[2] - box[0] + box[3] - box[1]) / 2
        for j, middle in enumerate(middles):
            at = (float(middle[0]), float(middle[1]))
            if not holds(_grown(box), at):
                continue
            away = math.dist(at, middle_of(box))
            near.append((away if probs is None else away / sides - float(probs[j]), i, j))
    return best_first(near)


def match_tiles(
    annotated: Sequence[AnnotatedTile], centers: Sequence[tuple[PointPx, PointPx]]
) -> dict[int, int]:
    """Return {index of an annotated tile: index of the two middles that are its halves}."""
    away = (
        (tile_distance(tile.centers, pair)[0], i, j)
        for i, tile in enumerate(annotated)
        for j, pair in enumerate(centers)
    )
    return best_first(one for one in away if one[0] <= NEAR)


def tile_distance(
    annotated: tuple[PointPx, PointPx], read: tuple[PointPx, PointPx]
) -> tuple[float, bool]:
    """Return the larger distance of two middles in tile lengths, and whether it is turned round."""
    (a, b), (p, q) = annotated, read
    length = 2 * math.dist(a, b) or 1.0
    straight = max(math.dist(a, p), math.dist(b, q)) / length
    turned = max(math.dist(a, q), math.dist(b, p)) / length
    return min(straight, turned), turned < straight


def best_first(candidates: Iterable[Candidate]) -> dict[int, int]:
    """Return {index of an annotation: index of its reading}, the cheapest pairs first."""
    pairs: dict[int, int] = {}
    used: set[int] = set()
    for _, i, j in sorted(candidates):
        if i not in pairs and j not in used:
            pairs[i] = j
            used.add(j)
    return pairs


def unmatched(
    middles: Sequence[PointPx] | Floats, pairs: dict[int, int], ignored: Iterable[Floats] = ()
) -> list[int]:
    """Return the indices of places that belong to no annotation and lie on nothing ignored."""
    used = set(pairs.values())
    boxes = [box_of(quad) for quad in ignored]
    return [
        j
        for j, (x, y) in enumerate(middles)
        if j not in used and not any(holds(box, (float(x), float(y))) for box in boxes)
    ]


def box_of(quad: Floats) -> Xyxy:
    """Return the upright box around corners, (n, 2) px."""
    (x0, y0), (x1, y1) = np.min(quad, axis=0), np.max(quad, axis=0)
    return float(x0), float(y0), float(x1), float(y1)


def middle_of(box: Xyxy) -> PointPx:
    """Return the middle of a box."""
    return (box[0] + box[2]) / 2, (box[1] + box[3]) / 2


def holds(box: Xyxy, at: PointPx) -> bool:
    """Return True if a spot lies in a box."""
    return box[0] <= at[0] <= box[2] and box[1] <= at[1] <= box[3]


def _grown(box: Xyxy) -> Xyxy:
    x0, y0, x1, y1 = box
    x, y = GROW * (x1 - x0), GROW * (y1 - y0)
    return x0 - x, y0 - y, x1 + x, y1 + y
