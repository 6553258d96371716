"""Tiles found again where they are known to lie, and new ones placed among them.

In: the tiles of a photo and what lies there as far as is known, lowest first. Out: a `Registered`:
the tiles in the cells in which that is told. A tile shows which it is, a set has each once, so one
that lies where it lay tells cells, level and direction; most such tiles must agree. The known
heights then say on which level a new tile can lie; how it appears must not speak against it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.dominoes.lattice import (
    HIGHEST,
    OFF,
    WORST,
    Hypothesis,
    Lattice,
    Place,
    Placed,
    believed,
    error_of,
    hypotheses_of,
)
from vision.dominoes.table_camera import Halves, Middles, TableCamera, find_view, refine
from vision.geometry import Floats, Points
from vision.reading import LyingTile

FOUND = 0.45  # cells that a known tile may seem off before the camera is refined
NEAR = 0.35  # sides of a face from where it should be
PLAIN = 0.7  # of the faces that are seen; so many agree under no other camera
FEWEST = 4  # faces found again that tell how the camera looks
# Faces that a mirror explains, of all that are seen and at least, and twice as many as lie there
# without one.
MIRRORED, MIRRORED_FEWEST = 0.6, 8
# Costs, in natural logarithms of odds: a tile that shows other numbers than the one known there; a
# new one laid flat on others; beside them; apart; half on nothing or on two heights; on a level
# that nothing carries; and on a tile that is seen elsewhere as it lay.
OTHER_NUMBERS, STACKED, BESIDE, APART, UNEVEN, FLOATING, ON_ONE = 4.0, 2.0, 2.0, 3.0, 7.0, 14.0, 5.0
PLAINLY = 4.0  # costs by which a tile lies lower than a new one would
AROUND = ((0, 0), (-1, 0), (0, -1), (0, 1), (1, 0))


@dataclass(frozen=True, slots=True, eq=False)
class Registered:
    """A lattice in known cells; `mirrored`: as only a mirror shows them."""

    lattice: Lattice
    found: frozenset[int]  # tiles seen where they were known to lie
    split: frozenset[int]  # pairs of halves that are the open halves of two known tiles
    mirrored: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class _Known:
    """What lies there, seen from above: per cell its number, level and tile."""

    tiles: tuple[LyingTile, ...]
    top: dict[Place, tuple[int, int, int]]

    @classmethod
    def of(cls, tiles: Sequence[LyingTile]) -> _Known:
        top: dict[Place, tuple[int, int, int]] = {}
        for k, tile in enumerate(tiles):
            for cell, number in zip(tile.cells, tile.halves, strict=True):
                top[cell] = number, tile.level, k
        return cls(tuple(tiles), top)

    def is_open(self, k: int) -> bool:
        """Say whether nothing lies on either half of a tile."""
        return all(self.top[cell][2] == k for cell in self.tiles[k].cells)

    def height(self, cell: Place) -> int:
        """Return how many tiles lie on a cell."""
        return self.top[cell][1] + 1 if cell in self.top else 0

    def mirrored(self) -> _Known:
        """Return the same as a mirror shows it."""
        turned = []
        for tile in self.tiles:
            (a, b), (c, d) = tile.cells
            turned.append(replace(tile, cells=((a, -b), (c, -d))))
        return _Known.of(turned)


@dataclass(frozen=True, slots=True, eq=False)
class Faces:
    """Faces on a photo, halves of tiles or not: (n, 2) px, (n,) sides and (n,) numbers."""

    middles: Points
    sides: Floats
    numbers: NDArray[np.intp]


def register(
    quads: Floats,
    halves: Sequence[tuple[int, int]],
    known: Sequence[LyingTile],
    size: tuple[int, int],
    lone: Faces | None = None,
) -> Registered | None:
    """Place tiles among those that are known to lie there; None where too few of them are seen.

    Args:
        quads: (n, 2, 4, 2) px, the corners of the two halves of each tile, clockwise.
        halves: the numbers that they show.
        known: lowest first.
        size: px of the photo, width and height.
        lone: other faces, such as halves whose other half is covered.
    """
    if not len(quads) or not known:
        return None
    seen, lying = Halves.of(quads), _Known.of(known)
    faces = _faces(seen, halves, lone)
    view = find_view(seen, size)
    straight = _aligned(view, seen, halves, faces, lying)
    best, is_mirrored = straight, False
    plain = straight is not None and straight[1] >= PLAIN * len(faces.numbers)
    mirror = None if plain else _aligned(view, seen, halves, faces, lying.mirrored())
    plainly = max(MIRRORED * len(faces.numbers), MIRRORED_FEWEST)
    if mirror and mirror[1] >= plainly and (straight is None or mirror[1] >= 2 * straight[1]):
        best, is_mirrored = mirror, True
    if best is None:
        return None
    camera = best[0]
    found = _agreeing(camera, seen, halves, _same(halves, lying), lying, OFF)
    return replace(_placed(camera, seen, halves, lying, found), mirrored=is_mirrored)


def _faces(seen: Halves, halves: Sequence[tuple[int, int]], lone: Faces | None) -> Faces:
    own = Faces(seen.middles.reshape(-1, 2), seen.sides.ravel(), np.array(halves).ravel())
    if lone is None or not len(lone.numbers):
        return own
    return Faces(
        np.vstack([own.middles, lone.middles]),
        np.concatenate([own.sides, lone.sides]),
        np.concatenate([own.numbers, lone.numbers]),
    )


_Pairs = dict[int, tuple[int, bool]]  # a tile seen -> the known one, and whether it lies reversed


def _same(halves: Sequence[tuple[int, int]], known: _Known) -> dict[int, int]:
    """Return the open known tile that each tile seen shows the numbers of, where there is one."""
    index = {
        tuple(sorted(tile.halves)): k for k, tile in enumerate(known.tiles) if known.is_open(k)
    }
    return {i: index[key] for i, both in enumerate(halves) if (key := tuple(sorted(both))) in index}


def _aligned(
    view: TableCamera,
    seen: Halves,
    halves: Sequence[tuple[int, int]],
    faces: Faces,
    known: _Known,
) -> tuple[TableCamera, int] | None:
    """Return the camera under which most known faces are seen where they lay, and how many."""
    same = _same(halves, known)
    best: tuple[TableCamera, int] | None = None
    most = (0, 0.0)
    for i, k in same.items():
        for first in _cameras(view, seen, halves[i], i, known.tiles[k]):
            camera = first
            for reach in (FOUND, OFF):
                pairs = _agreeing(camera, seen, halves, same, known, reach)
                if not pairs:
                    break
                camera = _fitted(camera, seen, pairs, faces, known, reach)
            hits, miss = _hits(camera, faces, known, NEAR)
            score = len(hits), -float(miss)
            if len(hits) >= FEWEST and score > most:
                best, most = (camera, len(hits)), score
        if most[0] >= PLAIN * len(faces.numbers):
            break
    return best


def _hits(
    camera: TableCamera, faces: Faces, known: _Known, reach: float
) -> tuple[list[tuple[int, Place]], float]:
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


def _cameras(
    view: TableCamera, seen: Halves, halves: tuple[int, int], i: int, tile: LyingTile
) -> list[TableCamera]:
    """Return the views in which tile *i* lies where *tile* is known to; two for a double."""
    at = view.on_level(seen.middles[i], tile.level)
    cameras = []
    for reverse in _reverses(halves, tile):
        ends = _ends(tile, reverse)
        (ax, ay), (bx, by) = at[1] - at[0], ends[1] - ends[0]
        turn = float(np.arctan2(by, bx) - np.arctan2(ay, ax))
        c, s = np.cos(turn), np.sin(turn)
        shift = ends.mean(axis=0) - np.array([[c, -s], [s, c]]) @ at.mean(axis=0)
        cameras.append(view.moved(turn, shift))
    return cameras


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
    camera: TableCamera,
    seen: Halves,
    halves: Sequence[tuple[int, int]],
    same: dict[int, int],
    known: _Known,
    most: float,
) -> _Pairs:
    """Return the tiles that lie where the known ones with their numbers do."""
    pairs: _Pairs = {}
    for i, k in same.items():
        tile = known.tiles[k]
        miss, reverse = min(
            (_miss(camera, seen, i, tile, r), r) for r in _reverses(halves[i], tile)
        )
        if miss <= most:
            pairs[i] = k, reverse
    return pairs


def _fitted(
    camera: TableCamera, seen: Halves, pairs: _Pairs, faces: Faces, known: _Known, reach: float
) -> TableCamera:
    """Refine by the tiles found again, and by all other faces found where known ones lie."""
    order = sorted(pairs)
    places = np.array([_ends(known.tiles[pairs[i][0]], pairs[i][1]) for i in order])
    levels = np.array([known.tiles[pairs[i][0]].level for i in order], np.float64)
    own = {half for i in order for half in (2 * i, 2 * i + 1)}
    hits = [hit for hit in _hits(camera, faces, known, reach)[0] if hit[0] not in own]
    at = [i for i, _ in hits]
    lone = Middles(
        faces.middles[at],
        faces.sides[at],
        np.array([(x, y, known.top[y, x][1]) for _, (y, x) in hits], np.float64).reshape(-1, 3),
    )
    return refine(camera, Halves(seen.quads[order]), places, levels, lone)


def _placed(
    camera: TableCamera,
    seen: Halves,
    halves: Sequence[tuple[int, int]],
    known: _Known,
    found: _Pairs,
) -> Registered:
    """Place every tile, given the camera: first those found again, then the plainest of others."""
    highest = min(HIGHEST, max(tile.level for tile in known.tiles) + 3)
    options = hypotheses_of(camera, seen, range(highest))
    placed = [Placed()] * len(seen)
    taken: set[Place] = set()
    shown = set[int]()
    split = set[int]()
    for i, (k, reverse) in found.items():
        tile = known.tiles[k]
        cells = tile.cells[::-1] if reverse else tile.cells
        miss = _miss(camera, seen, i, tile, reverse)
        placed[i] = Placed(cells, tile.level, 1.0, (Hypothesis(cells, tile.level, 0.0, miss),))
        taken |= set(cells)
        shown.add(k)
    rest = [i for i in range(len(seen)) if i not in found]
    costs = {i: _weighed(options[i], halves[i], known, shown, taken) for i in rest}
    for i in sorted(rest, key=lambda i: costs[i][0].cost if costs[i] else np.inf):
        own = [one for one in costs[i] if not taken & set(one.cells)]
        if _is_of_two(i, own, halves[i], camera, seen, known):
            split.add(i)
        elif own and own[0].cost < 2 * WORST:
            placed[i] = believed(own)
            taken |= set(own[0].cells)
    lattice = Lattice(camera, tuple(placed), error_of(placed))
    return Registered(lattice, frozenset(found), frozenset(split))


def _weighed(
    options: Sequence[Hypothesis],
    halves: tuple[int, int],
    known: _Known,
    shown: set[int],
    taken: set[Place],
) -> list[Hypothesis]:
    """Return where a tile may lie with the cost of that, the likeliest first."""
    weighed = [
        replace(one, cost=one.cost + _surprise(one, halves, known, shown, taken)) for one in options
    ]
    return sorted(weighed, key=lambda one: one.cost)


def _surprise(
    one: Hypothesis,
    halves: tuple[int, int],
    known: _Known,
    shown: set[int],
    taken: set[Place],
) -> float:
    """Return the cost of a tile that lies there, by what is known to."""
    first, second = (known.top.get(cell) for cell in one.cells)
    if first and second and first[1] == second[1] == one.level:  # faces that lay there before
        other = sum(face[0] != number for face, number in zip((first, second), halves, strict=True))
        return OTHER_NUMBERS * other + (0 if first[2] == second[2] else STACKED)
    heights = sorted(known.height(cell) for cell in one.cells)
    if heights == [one.level, one.level]:
        if not one.level:
            near = {(r + a, c + b) for r, c in one.cells for a, b in AROUND} & set(known.top)
            return BESIDE if near else APART
        on_one = first is not None and second is not None and first[2] == second[2]
        return STACKED + (ON_ONE if on_one else 0)
    return UNEVEN if heights[1] == one.level else FLOATING


def _is_of_two(
    i: int,
    options: Sequence[Hypothesis],
    halves: tuple[int, int],
    camera: TableCamera,
    seen: Halves,
    known: _Known,
) -> bool:
    """Say whether what looks like a tile is a half each of two known ones.

    A new tile that shows what it covers looks so too; then its height, or that the box has no
    second such tile, must tell.
    """
    faces = Faces(seen.middles[i], seen.sides[i], np.array(halves))
    hits: dict[int, list[Place]] = {0: [], 1: []}
    for half in hits:
        one = Faces(faces.middles[[half]], faces.sides[[half]], faces.numbers[[half]])
        hits[half] = [cell for _, cell in _hits(camera, one, known, NEAR)[0]]
    pairs = [
        (known.top[a], known.top[b])
        for a in hits[0]
        for b in hits[1]
        if known.top[a][2] != known.top[b][2]
    ]
    if not pairs:
        return False
    if any(sorted(tile.halves) == sorted(halves) for tile in known.tiles):
        return True  # the box has no second one
    flat = [a[1] for a, b in pairs if a[1] == b[1]]
    if not flat:
        return True  # no tile lies on two levels
    low = min((one.cost for one in options if one.level in flat), default=np.inf)
    rest = min((one.cost for one in options if one.level not in flat), default=np.inf)
    return bool(rest > low + PLAINLY)
