"""Refine a camera over cells by all faces that match the tiles in place.

In: a first camera, the tiles in place and the faces on a photo. Out: the camera that explains them
best. The first one may rest on a few tiles in one corner; far from them it can be off by a third of
a face.
"""

from collections.abc import Sequence

import numpy as np

from vision.dominoes.explanation import MatchedTiles, match_tiles
from vision.dominoes.registration import FEWEST
from vision.dominoes.table_camera import Halves, Middles, TableCamera, refine
from vision.dominoes.weights import ObservedFaces
from vision.geometry import Floats
from vision.reading import LyingTile

# Share of the unobstructed faces found near their places from which a camera is good enough: on
# drawn stacks (seeds 741001 and 751001) refining it further gained nothing.
ENOUGH = 0.7
GAINED = 1.0  # log odds by which a refined camera must be better
ROUNDS = 3


def refined(
    camera: TableCamera, tiles_in_place: Sequence[LyingTile], observed: ObservedFaces, quads: Floats
) -> TableCamera:
    """Return the camera that explains most faces; *quads* are their (n, 4, 2) corners, px."""
    matches = match_tiles(camera, tiles_in_place, observed)
    for _ in range(ROUNDS):
        if matches.share >= ENOUGH:
            break
        tried = _by_all(camera, tiles_in_place, observed, quads, matches)
        better = match_tiles(tried, tiles_in_place, observed)
        if better.weight < matches.weight + GAINED:
            break
        camera, matches = tried, better
    return camera


def _by_all(
    camera: TableCamera,
    tiles_in_place: Sequence[LyingTile],
    observed: ObservedFaces,
    quads: Floats,
    matches: MatchedTiles,
) -> TableCamera:
    """Refine by the matched tiles of which both halves are seen, and by all other matched faces."""
    tiles, pairs, lone = list[LyingTile](), list[tuple[int, int]](), list[tuple[int, Floats]]()
    for k, tile in enumerate(tiles_in_place):
        ends = [matches.faces.get((k, cell)) for cell in tile.cells]
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
        Middles(
            observed.middles[at], observed.sides[at], np.array([p for _, p in lone]).reshape(-1, 3)
        ),
    )
