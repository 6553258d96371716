"""Find tiles that may be the open halves of two other tiles, partly covered by a third.

In: tiles, the places of their halves, and which tiles are believed in any case. Out: halves that
may belong to two tiles. If an upper tile covers one half of each of two neighbours, their open
halves are in one plane, of one size and in one line, like the halves of a single tile. The upper
tile is then alongside both of them, as a neighbour in a block would be, and from above its height
hardly shows.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from vision.dominoes.matching import Pair, halves_of
from vision.dominoes.table_camera import TableCamera
from vision.geometry import Floats, Points

# Probability from which a tile with others alongside is believed: the pair classifier's, or among
# dominoes only, with no half alone, its share among all ways to pair the halves. On 246 drawn
# tables of dominoes 4 of 43 tiles with a smaller share were wrong, and 1 of 136 with a larger one.
# On 120 pictures of stacks 9 of 435 sure tiles were wrong; 29 of 545 without using single halves.
PLAINLY, SHARED = 0.993, 0.968
# If no half is alone, every half is paired, even two open halves under a third tile; so the pair
# classifier must be this sure too. Of 49 sure tiles on photos one had less; the two wrong ones on
# 120 drawn stacks that nobody was asked about had 0.85 and 0.9.
OWN = 0.95
COVERED = 0.85  # highest probability given to the other tiles
# Distance of the middle of a face alongside from that of a half: along the tile at most, and across
# it, in half lengths and widths of the tile.
ASIDE, AWAY = 0.5, (0.5, 1.7)


def perhaps_covered(
    pairs: list[Pair], believed: set[tuple[int, int]], quads: Floats, faces: list[int]
) -> set[int]:
    """Return the halves of tiles that may belong to two partly covered tiles instead.

    Args:
        pairs: the tiles.
        believed: those of them, (i, j), that are tiles whatever is alongside.
        quads: (n, 4, 2) px, all places.
        faces: which of the places are faces.
    """
    middles = quads.mean(axis=1)
    return {
        half
        for pair in pairs
        if (pair.first, pair.second) not in believed
        and _has_alongside(quads[pair.first], quads[pair.second], middles[faces])
        for half in (pair.first, pair.second)
    }


def with_rivals(covered: set[int], pairs: list[Pair], joinable: list[set[int]]) -> set[int]:
    """Return the halves of doubtful tiles, and of those that would then lose a half to them.

    If two halves are not one tile, the face on the other side of either may be its other half. So
    that face's own tile is doubtful too.

    Args:
        covered: halves of doubtful tiles.
        pairs: all tiles.
        joinable: pairs of faces that may be one tile.
    """
    lost = set().union(*(pair for pair in joinable if pair & covered))
    found = halves_of(pair for pair in pairs if {pair.first, pair.second} & lost)
    return covered if found <= covered else with_rivals(covered | found, pairs, joinable)


def _has_alongside(first: Points, second: Points, middles: Points) -> bool:
    """Return True if there are faces beside both halves of a tile, on one of its long sides."""
    along = second.mean(axis=0) - first.mean(axis=0)
    across_first, across_second = _across(first, along), _across(second, along)
    across_second = across_second if across_first @ across_second >= 0 else -across_second
    frame = np.array([along, (across_first + across_second) / 2]).T
    if abs(np.linalg.det(frame)) < 1:  # px²; seen edge-on, a tile has no neighbours
        return False
    beside = [np.linalg.solve(frame, (middles - half.mean(axis=0)).T) for half in (first, second)]
    low, high = AWAY
    return any(
        all(((abs(u) < ASIDE) & (side * v > low) & (side * v < high)).any() for u, v in beside)
        for side in (-1, 1)
    )


def _across(quad: Points, along: Points) -> Points:
    """Return the side of a face that runs most nearly across a direction."""
    sides = np.roll(quad, -1, axis=0) - quad
    slant = np.abs(sides @ along) / np.maximum(np.linalg.norm(sides, axis=1), 1e-6)
    return np.asarray(sides[slant.argmin()])


SAMPLES = np.array([-0.36, -0.12, 0.12, 0.36])  # cells from the middle of a face, both ways
STEP = 0.2  # cells between the points at which a ray is checked
FARTHEST = 5.0  # cells over which a stack can hide others at most
CLEAR = 0.1  # a ray is blocked if it passes this share of a thickness below a face


def visible_parts(
    camera: TableCamera, cells: Sequence[tuple[int, int]], levels: NDArray[np.intp]
) -> tuple[Floats, Points]:
    """Return (n,) visible shares of the faces on n cells, (row, column), and (n, 2) their middles.

    The middle is that of the visible part, x and y in cells; of a hidden face, its own.
    """
    at = np.array(cells)
    low = at.min(axis=0) - 1
    heights = np.full(tuple(at.max(axis=0) - low + 2), -np.inf)
    heights[tuple((at - low).T)] = levels * camera.thickness
    dx, dy = (grid.ravel() for grid in np.meshgrid(SAMPLES, SAMPLES))
    points = np.column_stack([
        (at[:, 1:] + dx).ravel(),
        (at[:, :1] + dy).ravel(),
        np.repeat(levels * camera.thickness, len(dx)),
    ])  # fmt: skip
    eye = (-camera.rotation.T @ camera.translation) * (1, 1, -1)
    way = eye - points
    flat = np.maximum(np.linalg.norm(way[:, :2], axis=1, keepdims=True), 1e-6)
    over = np.maximum(heights.max() - points[:, 2], 0)  # rays are clear above the highest face
    reach = float(np.max(over * flat[:, 0] / np.maximum(way[:, 2], 1e-6), initial=0.0))
    steps = np.arange(STEP, min(reach, FARTHEST) + STEP, STEP)
    rays = points[:, None] + steps[:, None] * (way / flat)[:, None]
    places = np.clip(np.round(rays[..., 1::-1]).astype(int) - low, 0, np.array(heights.shape) - 1)
    hidden = heights[places[..., 0], places[..., 1]] > rays[..., 2] + CLEAR * camera.thickness
    visible = ~hidden.any(axis=1).reshape(len(at), -1)
    count = visible.sum(axis=1)
    aside = np.column_stack([visible @ dx, visible @ dy]) / np.maximum(count, 1)[:, None]
    return count / len(dx), np.asarray(at[:, ::-1] + aside)
