"""Which reading belongs to which annotation. Nearest first, each used once.

A die is the annotated one whose box holds the middle of what was read; boxes are grown by 15 %, as
they are drawn by hand and some hug the upper face. A tile is the annotated one whose two middles
lie within a third of a tile's length of its own.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import numpy as np

from models.dataset.annotation import AnnotatedFace, AnnotatedTile, PointPx, Xyxy
from vision.geometry import Floats

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
