"""Find the camera pose over tiles whose cells are already known.

In: the faces on a photo and the tiles in place, lowest first. Out: a `Registered`: the camera in
the coordinates of their cells. A set has each tile once, so one tile found again gives the cells,
the level and the direction; so do two neighbouring faces. Each such hypothesis is scored by how
many of the other faces agree with it, as in RANSAC (Fischler and Bolles 1981), but all are tried.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, product

import numpy as np
from numpy.typing import NDArray

from vision.dominoes.lattice import OFF, LatticePlace
from vision.dominoes.table_camera import (
    Halves,
    Middles,
    TableCamera,
    find_view,
    middles_of,
    refine,
    sides_of,
)
from vision.geometry import Floats, Points
from vision.reading import LyingTile

FOUND = 0.45  # cells that a tile in place may seem off before the camera is refined
NEAR = 0.35  # sides that a face may be off the place where it should be
PLAIN = 0.7  # share of the faces that agree; no other camera reaches as many
# Stacks from this level on may show faces of very different size; standard deviation of log size.
HIGH, ANY_SIZE = 2, 0.25
LARGER, THICKNESSES = (1.0, 1.15, 1.3, 1.5), (0.26, 0.34)
FEWEST_OF_STEPS = 6  # faces found again; four can agree by chance among the many views tried
STEPS_REACH = 2.5  # largest distance of two faces in place from which a view is derived, cells
FEWEST = 4  # faces found again that are enough for a camera pose
# A photo counts as mirrored if a mirror explains this share of the faces, at least so many, and
# twice as many as without.
MIRRORED, MIRRORED_FEWEST = 0.6, 8
NEIGHBOURS = 0.6, 1.6  # cells between the middles of two touching faces, as a rough view shows them
TRIED = 4  # views that are refined, of those derived from two neighbouring faces


@dataclass(frozen=True, slots=True, eq=False)
class Registered:
    """The camera over the cells of the tiles in place; `mirrored`: the photo is a mirror image."""

    camera: TableCamera
    mirrored: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class _TilesInPlace:
    """The tiles in place; `top` has number, level and tile of the topmost face of each cell."""

    tiles: tuple[LyingTile, ...]
    top: dict[LatticePlace, tuple[int, int, int]]

    @classmethod
    def of(cls, tiles: Sequence[LyingTile]) -> _TilesInPlace:
        top: dict[LatticePlace, tuple[int, int, int]] = {}
        for k, tile in enumerate(tiles):
            for cell, number in zip(tile.cells, tile.halves, strict=True):
                top[cell] = number, tile.level, k
        return cls(tuple(tiles), top)

    def is_open(self, k: int) -> bool:
        """Return True if nothing covers either half of a tile."""
        return all(self.top[cell][2] == k for cell in self.tiles[k].cells)

    def mirrored(self) -> _TilesInPlace:
        """Return the mirror image of the layout."""
        turned = []
        for tile in self.tiles:
            (a, b), (c, d) = tile.cells
            turned.append(replace(tile, cells=((a, -b), (c, -d))))
        return _TilesInPlace.of(turned)


@dataclass(frozen=True, slots=True, eq=False)
class Faces:
    """Faces on a photo, joined to tiles or single: (n, 4, 2) px and (n,) numbers."""

    quads: Floats
    numbers: NDArray[np.intp]

    @property
    def middles(self) -> Points:
        """Return (n, 2) px, where the diagonals cross."""
        return middles_of(self.quads)

    @property
    def sides(self) -> Floats:
        """Return (n,) px, the sides of squares with the areas of the faces."""
        return sides_of(self.quads)


NO_FACES = Faces(np.zeros((0, 4, 2)), np.zeros(0, np.intp))


def register(
    quads: Floats,
    halves: Sequence[tuple[int, int]],
    tiles_in_place: Sequence[LyingTile],
    size: tuple[int, int],
    lone: Faces = NO_FACES,
) -> Registered | None:
    """Find the camera over tiles in place; None if too few of them are seen.

    Args:
        quads: (n, 2, 4, 2) px, the corners of the two halves of each observed tile, clockwise.
        halves: the numbers that they show.
        tiles_in_place: lowest first.
        size: width and height of the photo, px.
        lone: other faces, such as halves whose other half is covered.
    """
    if len(quads) + len(lone.numbers) < 2 or not tiles_in_place:
        return None
    tiles, in_place = Halves.of(quads.reshape(-1, 2, 4, 2)), _TilesInPlace.of(tiles_in_place)
    own = np.array(halves, np.intp).ravel()
    faces = Faces(
        np.concatenate([tiles.quads.reshape(-1, 4, 2), lone.quads]),
        np.concatenate([own, lone.numbers]),
    )
    photo = _Photo(tiles, halves, faces, find_view(tiles, size, lone.quads))
    straight = _aligned(photo, in_place)
    plain = straight is not None and straight[1] >= PLAIN * len(faces.numbers)
    few = straight is None or straight[1] < FEWEST_OF_STEPS
    if few and not plain and max(tile.level for tile in tiles_in_place) >= HIGH:
        tall = replace(photo, view=find_view(tiles, size, lone.quads, ANY_SIZE))
        again = _aligned(tall, in_place, steps=True)
        if again and again[1] >= max(PLAIN * len(faces.numbers), FEWEST_OF_STEPS):
            photo, straight, plain = tall, again, True
    best, is_mirrored = straight, False
    mirror = None if plain else _aligned(photo, in_place.mirrored())
    plainly = max(MIRRORED * len(faces.numbers), MIRRORED_FEWEST)
    if mirror and mirror[1] >= plainly and (straight is None or mirror[1] >= 2 * straight[1]):
        best, is_mirrored = mirror, True
    return best and Registered(best[0], is_mirrored)


@dataclass(frozen=True, slots=True, eq=False)
class _Photo:
    """Observed tiles, the numbers on their halves, all faces (those of tiles first), and a view."""

    tiles: Halves
    halves: Sequence[tuple[int, int]]
    faces: Faces
    view: TableCamera


# From an observed tile to the tile in place that it is, and whether its halves are reversed.
_TileMatches = dict[int, tuple[int, bool]]


def _same_numbers(halves: Sequence[tuple[int, int]], in_place: _TilesInPlace) -> dict[int, int]:
    """Return for observed tiles the uncovered tile in place with the same numbers, if any."""
    index = {
        tuple(sorted(tile.halves)): k
        for k, tile in enumerate(in_place.tiles)
        if in_place.is_open(k)
    }
    return {i: index[key] for i, both in enumerate(halves) if (key := tuple(sorted(both))) in index}


def _aligned(
    photo: _Photo, in_place: _TilesInPlace, *, steps: bool = False
) -> tuple[TableCamera, int] | None:
    """Return the camera under which most faces in place are found again, and how many are.

    With *steps* neighbours may be on different levels.
    """
    best: tuple[TableCamera, int] | None = None
    most = (0, 0.0)
    same = _same_numbers(photo.halves, in_place)
    by_two = _by_steps if steps else _by_neighbours
    for first in (*_by_tiles(photo, same, in_place), *by_two(photo, in_place)):
        camera = first
        for reach in (FOUND, OFF):
            camera = _fitted(camera, photo, same, in_place, reach)
        hits, miss = _hits(camera, photo.faces, in_place, NEAR)
        score = len(hits), -float(miss)
        if len(hits) >= FEWEST and score > most:
            best, most = (camera, len(hits)), score
        if most[0] >= PLAIN * len(photo.faces.numbers):
            break
    return best


def _by_tiles(
    photo: _Photo, same: dict[int, int], in_place: _TilesInPlace
) -> Iterator[TableCamera]:
    """Yield the views in which an observed tile is the tile in place with its numbers."""
    for i, k in same.items():
        tile = in_place.tiles[k]
        for reverse in _reverses(photo.halves[i], tile):
            yield _moved(photo.view, photo.tiles.middles[i], _ends(tile, reverse), tile.level)


def _by_neighbours(photo: _Photo, in_place: _TilesInPlace) -> Iterator[TableCamera]:
    """Yield the likeliest views in which two neighbouring faces are two faces in place."""
    faces, middles = photo.faces, photo.faces.middles
    there: dict[tuple[int, int], list[tuple[LatticePlace, LatticePlace, int]]] = {}
    for (r, c), (number, level, _) in in_place.top.items():
        for cell in ((r + 1, c), (r, c + 1)):
            if cell in in_place.top and in_place.top[cell][1] == level:
                other = in_place.top[cell][0]
                there.setdefault((number, other), []).append(((r, c), cell, level))
                there.setdefault((other, number), []).append((cell, (r, c), level))
    flat = photo.view.on_level(middles, 0)
    apart = np.linalg.norm(flat[:, None] - flat, axis=2)
    tried: list[tuple[int, float, TableCamera]] = []
    for i, j in np.argwhere((apart > NEIGHBOURS[0]) & (apart < NEIGHBOURS[1])).tolist():
        for a, b, level in there.get((int(faces.numbers[i]), int(faces.numbers[j])), ()):
            ends = np.array([a[::-1], b[::-1]], np.float64)
            camera = _moved(photo.view, middles[[i, j]], ends, level)
            hits, miss = _hits(camera, faces, in_place, FOUND)
            tried.append((len(hits), -miss, camera))
    tried.sort(key=lambda one: one[:2], reverse=True)
    for _, _, camera in tried[:TRIED]:
        yield camera


def _by_steps(photo: _Photo, in_place: _TilesInPlace) -> Iterator[TableCamera]:
    """Yield the likeliest views in which two faces are two in place near each other.

    Several cell sizes and tile thicknesses are tried, because most visible faces may be high up.
    """
    tried: list[tuple[int, float, TableCamera]] = []
    for larger, thickness in product(LARGER, THICKNESSES):
        view = replace(photo.view, translation=photo.view.translation * larger, thickness=thickness)
        for px, ends, levels in _two_by_two(photo.faces, view, in_place):
            camera = _moved(view, px, ends, levels)
            hits, miss = _hits(camera, photo.faces, in_place, FOUND)
            tried.append((len(hits), -miss, camera))
    tried.sort(key=lambda one: one[:2], reverse=True)
    for _, _, camera in tried[:TRIED]:
        yield camera


def _two_by_two(
    faces: Faces, view: TableCamera, in_place: _TilesInPlace
) -> Iterator[tuple[Points, Points, Floats]]:
    """Yield px, cells and levels of two faces that may be two in place near each other."""
    middles = faces.middles
    for a, b in combinations(in_place.top, 2):
        ends = np.array([a[::-1], b[::-1]], np.float64)
        far = float(np.linalg.norm(ends[1] - ends[0]))
        if far > STEPS_REACH:
            continue
        levels = np.array([in_place.top[cell][1] for cell in (a, b)], np.float64)
        ones, others = (np.flatnonzero(faces.numbers == in_place.top[cell][0]) for cell in (a, b))
        for i, j in product(ones.tolist(), others.tolist()):
            at = view.on_level(middles[[i, j]], levels)
            if i != j and abs(float(np.linalg.norm(at[1] - at[0])) - far) <= FOUND:
                yield middles[[i, j]], ends, levels


def _hits(
    camera: TableCamera, faces: Faces, in_place: _TilesInPlace, reach: float
) -> tuple[list[tuple[int, LatticePlace]], float]:
    """Return the faces found at the places of their numbers, and their mean distance, in sides."""
    cells = list(in_place.top)
    numbers = np.array([in_place.top[cell][0] for cell in cells])
    places = np.array([(x, y, in_place.top[y, x][1] * camera.thickness) for y, x in cells])
    away = np.linalg.norm(camera.project(places)[None] - faces.middles[:, None], axis=2)
    share = away / faces.sides[:, None]
    share[faces.numbers[:, None] != numbers] = np.inf
    nearest = share.argmin(axis=0)
    hits = [
        (int(i), cell)
        for column, (i, cell) in enumerate(zip(nearest, cells, strict=True))
        if share[i, column] <= reach
    ]
    misses = share.min(axis=0)
    return hits, float(np.mean(misses[misses <= reach])) if hits else np.inf


def _moved(view: TableCamera, px: Points, ends: Points, level: int | Floats) -> TableCamera:
    """Return the view that moves two px onto two cells on their levels."""
    at = view.on_level(px, level)
    (ax, ay), (bx, by) = at[1] - at[0], ends[1] - ends[0]
    turn = float(np.arctan2(by, bx) - np.arctan2(ay, ax))
    c, s = np.cos(turn), np.sin(turn)
    return view.moved(turn, ends.mean(axis=0) - np.array([[c, -s], [s, c]]) @ at.mean(axis=0))


def _reverses(halves: tuple[int, int], tile: LyingTile) -> list[bool]:
    if halves[0] == halves[1]:
        return [False, True]
    return [halves != tile.halves]


def _ends(tile: LyingTile, reverse: bool) -> Floats:
    ends = np.array(tile.cells, np.float64)[:, ::-1]
    return np.asarray(ends[::-1] if reverse else ends)


def _miss(camera: TableCamera, tiles: Halves, i: int, tile: LyingTile, reverse: bool) -> float:
    at = camera.on_level(tiles.middles[i], tile.level)
    return float(np.sqrt(((at - _ends(tile, reverse)) ** 2).sum(axis=1).mean()))


def _agreeing(
    camera: TableCamera, photo: _Photo, same: dict[int, int], in_place: _TilesInPlace, most: float
) -> _TileMatches:
    """Return the observed tiles that are where the tiles in place with their numbers should be."""
    pairs: _TileMatches = {}
    for i, k in same.items():
        tile = in_place.tiles[k]
        miss, reverse = min(
            (_miss(camera, photo.tiles, i, tile, r), r) for r in _reverses(photo.halves[i], tile)
        )
        if miss <= most:
            pairs[i] = k, reverse
    return pairs


def _fitted(
    camera: TableCamera, photo: _Photo, same: dict[int, int], in_place: _TilesInPlace, reach: float
) -> TableCamera:
    """Refine the camera by the tiles found again and by all other faces found again."""
    pairs = _agreeing(camera, photo, same, in_place, reach)
    order = sorted(pairs)
    places = np.array([_ends(in_place.tiles[pairs[i][0]], pairs[i][1]) for i in order])
    levels = np.array([in_place.tiles[pairs[i][0]].level for i in order], np.float64)
    own = {half for i in order for half in (2 * i, 2 * i + 1)}
    hits = [hit for hit in _hits(camera, photo.faces, in_place, reach)[0] if hit[0] not in own]
    at = [i for i, _ in hits]
    if len(at) + 2 * len(order) < FEWEST:
        return camera
    lone = Middles(
        photo.faces.middles[at],
        photo.faces.sides[at],
        np.array([(x, y, in_place.top[y, x][1]) for _, (y, x) in hits], np.float64).reshape(-1, 3),
    )
    halves = Halves(photo.tiles.quads[order].reshape(-1, 2, 4, 2))
    return refine(camera, halves, places.reshape(-1, 2, 2), levels, lone)
