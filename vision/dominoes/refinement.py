"""A camera over known cells, refined by all faces that are seen where known ones lie.

In: a first camera, what lies there and the faces of a photo. Out: the camera that explains them
best. The first one may go by a few tiles in one corner, and then sees what lies far from them a
third of a face beside where it is.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from vision.dominoes.explanation import Known, Observed, matched
from vision.dominoes.registration import FEWEST
from vision.dominoes.table_camera import Halves, Middles, TableCamera, refine
from vision.geometry import Floats
from vision.reading import LyingTile

# Share of the faces that must be seen which are, about where they should be, from which a camera
# needs no more: on drawn stacks (seeds 741001 and 751001) it then gained nothing.
ENOUGH = 0.7
GAINED = 1.0  # natural logarithm of odds by which a refined camera must explain more
ROUNDS = 3


def refined(
    camera: TableCamera, known: Sequence[LyingTile], seen: Observed, quads: Floats
) -> TableCamera:
    """Return the camera that explains most of what is seen; (n, 4, 2) *quads* are of the faces."""
    now = matched(camera, known, seen)
    for _ in range(ROUNDS):
        if now.share >= ENOUGH:
            break
        tried = _by_all(camera, known, seen, quads, now)
        then = matched(tried, known, seen)
        if then.weight < now.weight + GAINED:
            break
        camera, now = tried, then
    return camera


def _by_all(
    camera: TableCamera,
    known: Sequence[LyingTile],
    seen: Observed,
    quads: Floats,
    now: Known,
) -> TableCamera:
    """Refine by the known tiles both of whose halves are seen, and by all other known faces."""
    tiles, pairs, lone = list[LyingTile](), list[tuple[int, int]](), list[tuple[int, Floats]]()
    for k, tile in enumerate(known):
        ends = [now.faces.get((k, cell)) for cell in tile.cells]
        first, second = ends
        if first is not None and second is not None:
            tiles.append(tile)
            pairs.append((first, second))
            continue
        lone += [
            (face, np.array([column, row, tile.level], np.float64))
            for face, (row, column) in zip(ends, tile.cells, strict=True)
            if face is not None
        ]
    if 2 * len(pairs) + len(lone) < FEWEST:
        return camera
    at = [face for face, _ in lone]
    return refine(
        camera,
        Halves.of(quads[np.array(pairs, np.intp).reshape(-1, 2)]),
        np.array([tile.cells for tile in tiles], np.float64).reshape(-1, 2, 2)[..., ::-1],
        np.array([tile.level for tile in tiles], np.float64),
        Middles(seen.middles[at], seen.sides[at], np.array([p for _, p in lone]).reshape(-1, 3)),
    )
