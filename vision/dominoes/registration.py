"""How the camera looks at tiles that are known to lie there.

In: the faces of a photo and what lies there as far as is known, lowest first. Out: a `Registered`:
the camera over the cells in which that is told. A tile shows which it is, a set has each once, so
one that lies where it lay tells cells, level and direction; so do two neighbouring faces. Most of
the faces that are seen must agree.
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

FOUND = 0.45  # cells that a known tile may seem off before the camera is refined
NEAR = 0.35  # sides of a face from where it should be
PLAIN = 0.7  # of the faces that are seen; so many agree under no other camera
# Levels from which stacks may hold faces of very different size, and how much that varies then.
HIGH, ANY_SIZE = 2, 0.25
LARGER, THICKNESSES = (1.0, 1.15, 1.3, 1.5), (0.26, 0.34)
FEWEST_OF_STEPS = 6  # faces found again: so many views are tried that four agree by chance
STEPS_REACH = 2.5  # cells between two known faces that tell a view
FEWEST = 4  # faces found again that tell how the camera looks
# Faces that a mirror explains, of all that are seen and at least, and twice as many as lie there
# without one.
MIRRORED, MIRRORED_FEWEST = 0.6, 8
NEIGHBOURS = 0.6, 1.6  # cells between the middles of two faces that touch, as far as a view tells
TRIED = 4  # views that are refined, of those in which two neighbours are known ones


@dataclass(frozen=True, slots=True, eq=False)
class Registered:
    """The camera over known cells; `mirrored`: they lie as only a mirror shows them."""

    camera: TableCamera
    mirrored: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class _Known:
    """What lies there, seen from above: per cell its number, level and tile."""

    tiles: tuple[LyingTile, ...]
    top: dict[LatticePlace, tuple[int, int, int]]

    @classmethod
    def of(cls, tiles: Sequence[LyingTile]) -> _Known:
        top: dict[LatticePlace, tuple[int, int, int]] = {}
        for k, tile in enumerate(tiles):
            for cell, number in zip(tile.cells, tile.halves, strict=True):
                top[cell] = number, tile.level, k
        return cls(tuple(tiles), top)

    def is_open(self, k: int) -> bool:
        """Say whether nothing lies on either half of a tile."""
        return all(self.top[cell][2] == k for cell in self.tiles[k].cells)

    def mirrored(self) -> _Known:
        """Return the same as a mirror shows it."""
        turned = []
        for tile in self.tiles:
            (a, b), (c, d) = tile.cells
            turned.append(replace(tile, cells=((a, -b), (c, -d))))
        return _Known.of(turned)


@dataclass(frozen=True, slots=True, eq=False)
class Faces:
    """Faces on a photo, halves of tiles or not: (n, 4, 2) px and (n,) numbers."""

    quads: Floats
    numbers: NDArray[np.intp]

    @property
    def middles(self) -> Points:
        """Return (n, 2) px, where the diagonals cross."""
        return middles_of(self.quads)

    @property
    def sides(self) -> Floats:
        """Return (n,) px."""
        return sides_of(self.quads)


NO_FACES = Faces(np.zeros((0, 4, 2)), np.zeros(0, np.intp))


def register(
    quads: Floats,
    halves: Sequence[tuple[int, int]],
    known: Sequence[LyingTile],
    size: tuple[int, int],
    lone: Faces = NO_FACES,
) -> Registered | None:
    """Find the camera over tiles that are known to lie there; None where too few are seen.

    Args:
        quads: (n, 2, 4, 2) px, the corners of the two halves of each tile, clockwise.
        halves: the numbers that they show.
        known: lowest first.
        size: px of the photo, width and height.
        lone: other faces, such as halves whose other half is covered.
    """
    if len(quads) + len(lone.numbers) < 2 or not known:
        return None
    seen, lying = Halves.of(quads.reshape(-1, 2, 4, 2)), _Known.of(known)
    own = np.array(halves, np.intp).ravel()
    faces = Faces(
        np.concatenate([seen.quads.reshape(-1, 4, 2), lone.quads]),
        np.concatenate([own, lone.numbers]),
    )
    photo = _Photo(seen, halves, faces, find_view(seen, size, lone.quads))
    straight = _aligned(photo, lying)
    plain = straight is not None and straight[1] >= PLAIN * len(faces.numbers)
    few = straight is None or straight[1] < FEWEST_OF_STEPS
    if few and not plain and max(tile.level for tile in known) >= HIGH:
        tall = replace(photo, view=find_view(seen, size, lone.quads, ANY_SIZE))
        again = _aligned(tall, lying, steps=True)
        if again and again[1] >= max(PLAIN * len(faces.numbers), FEWEST_OF_STEPS):
            photo, straight, plain = tall, again, True
    best, is_mirrored = straight, False
    mirror = None if plain else _aligned(photo, lying.mirrored())
    plainly = max(MIRRORED * len(faces.numbers), MIRRORED_FEWEST)
    if mirror and mirror[1] >= plainly and (straight is None or mirror[1] >= 2 * straight[1]):
        best, is_mirrored = mirror, True
    return best and Registered(best[0], is_mirrored)


@dataclass(frozen=True, slots=True, eq=False)
class _Photo:
    """Tiles with their numbers, all faces, theirs first, and a view of the table's plane."""

    seen: Halves
    halves: Sequence[tuple[int, int]]
    faces: Faces
    view: TableCamera


_Pairs = dict[int, tuple[int, bool]]  # a tile seen -> the known one, and whether it lies reversed


def _same(halves: Sequence[tuple[int, int]], known: _Known) -> dict[int, int]:
    """Return the open known tile that each tile seen shows the numbers of, where there is one."""
    index = {
        tuple(sorted(tile.halves)): k for k, tile in enumerate(known.tiles) if known.is_open(k)
    }
    return {i: index[key] for i, both in enumerate(halves) if (key := tuple(sorted(both))) in index}


def _aligned(
    photo: _Photo, known: _Known, *, steps: bool = False
) -> tuple[TableCamera, int] | None:
    """Return the camera under which most known faces are seen where they lay, and how many.

    With *steps* neighbours may lie on different levels.
    """
    best: tuple[TableCamera, int] | None = None
    most = (0, 0.0)
    same = _same(photo.halves, known)
    by_two = _by_steps if steps else _by_neighbours
    for first in (*_by_tiles(photo, same, known), *by_two(photo, known)):
        camera = first
        for reach in (FOUND, OFF):
            camera = _fitted(camera, photo, same, known, reach)
        hits, miss = _hits(camera, photo.faces, known, NEAR)
        score = len(hits), -float(miss)
        if len(hits) >= FEWEST and score > most:
            best, most = (camera, len(hits)), score
        if most[0] >= PLAIN * len(photo.faces.numbers):
            break
    return best


def _by_tiles(photo: _Photo, same: dict[int, int], known: _Known) -> Iterator[TableCamera]:
    """Yield the views in which a tile lies where that with its numbers is known to."""
    for i, k in same.items():
        tile = known.tiles[k]
        for reverse in _reverses(photo.halves[i], tile):
            yield _moved(photo.view, photo.seen.middles[i], _ends(tile, reverse), tile.level)


def _by_neighbours(photo: _Photo, known: _Known) -> Iterator[TableCamera]:
    """Yield the likeliest views in which two neighbouring faces are two known ones."""
    faces, middles = photo.faces, photo.faces.middles
    there: dict[tuple[int, int], list[tuple[LatticePlace, LatticePlace, int]]] = {}
    for (r, c), (number, level, _) in known.top.items():
        for cell in ((r + 1, c), (r, c + 1)):
            if cell in known.top and known.top[cell][1] == level:
                other = known.top[cell][0]
                there.setdefault((number, other), []).append(((r, c), cell, level))
                there.setdefault((other, number), []).append((cell, (r, c), level))
    flat = photo.view.on_level(middles, 0)
    apart = np.linalg.norm(flat[:, None] - flat, axis=2)
    tried: list[tuple[int, float, TableCamera]] = []
    for i, j in np.argwhere((apart > NEIGHBOURS[0]) & (apart < NEIGHBOURS[1])).tolist():
        for a, b, level in there.get((int(faces.numbers[i]), int(faces.numbers[j])), ()):
            ends = np.array([a[::-1], b[::-1]], np.float64)
            camera = _moved(photo.view, middles[[i, j]], ends, level)
            hits, miss = _hits(camera, faces, known, FOUND)
            tried.append((len(hits), -miss, camera))
    tried.sort(key=lambda one: one[:2], reverse=True)
    for _, _, camera in tried[:TRIED]:
        yield camera


def _by_steps(photo: _Photo, known: _Known) -> Iterator[TableCamera]:
    """Yield the likeliest views in which two faces are two known ones near each other.

    How large a cell is seen and how thick tiles are is tried too: most of what shows may lie high.
    """
    tried: list[tuple[int, float, TableCamera]] = []
    for larger, thickness in product(LARGER, THICKNESSES):
        view = replace(photo.view, translation=photo.view.translation * larger, thickness=thickness)
        for px, ends, levels in _two_by_two(photo.faces, view, known):
            camera = _moved(view, px, ends, levels)
            hits, miss = _hits(camera, photo.faces, known, FOUND)
            tried.append((len(hits), -miss, camera))
    tried.sort(key=lambda one: one[:2], reverse=True)
    for _, _, camera in tried[:TRIED]:
        yield camera


def _two_by_two(
    faces: Faces, view: TableCamera, known: _Known
) -> Iterator[tuple[Points, Points, Floats]]:
    """Yield px, cells and levels of two faces that may be two known ones near each other."""
    middles = faces.middles
    for a, b in combinations(known.top, 2):
        ends = np.array([a[::-1], b[::-1]], np.float64)
        far = float(np.linalg.norm(ends[1] - ends[0]))
        if far > STEPS_REACH:
            continue
        levels = np.array([known.top[cell][1] for cell in (a, b)], np.float64)
        ones, others = (np.flatnonzero(faces.numbers == known.top[cell][0]) for cell in (a, b))
        for i, j in product(ones.tolist(), others.tolist()):
            at = view.on_level(middles[[i, j]], levels)
            if i != j and abs(float(np.linalg.norm(at[1] - at[0])) - far) <= FOUND:
                yield middles[[i, j]], ends, levels


def _hits(
    camera: TableCamera, faces: Faces, known: _Known, reach: float
) -> tuple[list[tuple[int, LatticePlace]], float]:
    """Return the faces that lie where known ones with their numbers do, and the mean distance."""
    cells = list(known.top)
    numbers = np.array([known.top[cell][0] for cell in cells])
    places = np.array([(x, y, known.top[y, x][1] * camera.thickness) for y, x in cells])
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
    """Return the view under which two px are seen where two faces lie on their levels."""
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


def _miss(camera: TableCamera, seen: Halves, i: int, tile: LyingTile, reverse: bool) -> float:
    at = camera.on_level(seen.middles[i], tile.level)
    return float(np.sqrt(((at - _ends(tile, reverse)) ** 2).sum(axis=1).mean()))


def _agreeing(
    camera: TableCamera, photo: _Photo, same: dict[int, int], known: _Known, most: float
) -> _Pairs:
    """Return the tiles that lie where the known ones with their numbers do."""
    pairs: _Pairs = {}
    for i, k in same.items():
        tile = known.tiles[k]
        miss, reverse = min(
            (_miss(camera, photo.seen, i, tile, r), r) for r in _reverses(photo.halves[i], tile)
        )
        if miss <= most:
            pairs[i] = k, reverse
    return pairs


def _fitted(
    camera: TableCamera, photo: _Photo, same: dict[int, int], known: _Known, reach: float
) -> TableCamera:
    """Refine by the tiles found again, and by all other faces found where known ones lie."""
    pairs = _agreeing(camera, photo, same, known, reach)
    order = sorted(pairs)
    places = np.array([_ends(known.tiles[pairs[i][0]], pairs[i][1]) for i in order])
    levels = np.array([known.tiles[pairs[i][0]].level for i in order], np.float64)
    own = {half for i in order for half in (2 * i, 2 * i + 1)}
    hits = [hit for hit in _hits(camera, photo.faces, known, reach)[0] if hit[0] not in own]
    at = [i for i, _ in hits]
    if len(at) + 2 * len(order) < FEWEST:
        return camera
    lone = Middles(
        photo.faces.middles[at],
        photo.faces.sides[at],
        np.array([(x, y, known.top[y, x][1]) for _, (y, x) in hits], np.float64).reshape(-1, 3),
    )
    halves = Halves(photo.seen.quads[order].reshape(-1, 2, 4, 2))
    return refine(camera, halves, places.reshape(-1, 2, 2), levels, lone)
