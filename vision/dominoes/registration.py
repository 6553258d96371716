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
from vision.dominoes.table_camera import Halves, TableCamera, find_view, refine
from vision.geometry import Floats
from vision.reading import LyingTile

FOUND = 0.45  # cells that a known tile may seem off before the camera is refined
FEWEST = 2  # tiles found again that tell how the camera looks
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
        return _Known.of([
            replace(tile, cells=tuple((row, -column) for row, column in tile.cells))
            for tile in self.tiles
        ])  # fmt: skip


def register(
    quads: Floats,
    halves: Sequence[tuple[int, int]],
    known: Sequence[LyingTile],
    size: tuple[int, int],
) -> Registered | None:
    """Place tiles among those that are known to lie there; None where too few of them are seen.

    Args:
        quads: (n, 2, 4, 2) px, the corners of the two halves of each tile, clockwise.
        halves: the numbers that they show.
        known: lowest first.
        size: px of the photo, width and height.
    """
    if not len(quads) or not known:
        return None
    seen, lying = Halves.of(quads), _Known.of(known)
    view = find_view(seen, size)
    straight = _aligned(view, seen, halves, lying)
    mirror = _aligned(view, seen, halves, lying.mirrored())
    best, is_mirrored = straight, False
    if mirror and (straight is None or len(mirror[1]) > len(straight[1]) + 1):
        best, is_mirrored = mirror, True
    if best is None:
        return None
    camera, found = best
    return replace(_placed(camera, seen, halves, lying, found), mirrored=is_mirrored)


_Pairs = dict[int, tuple[int, bool]]  # a tile seen -> the known one, and whether it lies reversed


def _aligned(
    view: TableCamera, seen: Halves, halves: Sequence[tuple[int, int]], known: _Known
) -> tuple[TableCamera, _Pairs] | None:
    """Return the camera under which most known tiles lie where they lay, and which those are."""
    index = {tuple(sorted(tile.halves)): k for k, tile in enumerate(known.tiles) if known.is_open(k)}
    same = {i: index[key] for i, both in enumerate(halves) if (key := tuple(sorted(both))) in index}
    best: tuple[TableCamera, _Pairs] | None = None
    misses = np.inf
    for i, k in same.items():
        for camera in _cameras(view, seen, halves[i], i, known.tiles[k]):
            pairs = _agreeing(camera, seen, halves, same, known, FOUND)
            if len(pairs) < FEWEST or (best and len(pairs) < len(best[1])):
                continue
            camera = _fitted(camera, seen, pairs, known)
            pairs = _agreeing(camera, seen, halves, same, known, OFF)
            miss = float(np.mean([_miss(camera, seen, n, known.tiles[m], r) for n, (m, r) in pairs.items()] or [np.inf]))
            if len(pairs) >= FEWEST and (
                best is None or (len(pairs), -miss) > (len(best[1]), -misses)
            ):
                best, misses = (camera, pairs), miss
    if best is None:
        return None
    camera = _fitted(best[0], seen, best[1], known)
    return camera, _agreeing(camera, seen, halves, same, known, OFF)


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
        miss, reverse = min((_miss(camera, seen, i, tile, r), r) for r in _reverses(halves[i], tile))
        if miss <= most:
            pairs[i] = k, reverse
    return pairs


def _fitted(camera: TableCamera, seen: Halves, pairs: _Pairs, known: _Known) -> TableCamera:
    order = sorted(pairs)
    places = np.array([_ends(known.tiles[pairs[i][0]], pairs[i][1]) for i in order])
    levels = np.array([known.tiles[pairs[i][0]].level for i in order], np.float64)
    return refine(camera, Halves(seen.quads[order]), places, levels)


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
        if own and _is_of_two(own, halves[i], known):
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
        assert first and second  # a face lies on each
        return STACKED + (ON_ONE if first[2] == second[2] else 0)
    return UNEVEN if heights[1] == one.level else FLOATING


def _is_of_two(
    options: Sequence[Hypothesis], halves: tuple[int, int], known: _Known
) -> bool:
    """Say whether what looks like a tile is a half each of two known ones.

    A new tile that shows what it covers looks so too; then its height, or that the box has no
    second such tile, must tell.
    """
    best = options[0]
    first, second = (known.top.get(cell) for cell in best.cells)
    if not first or not second or first[2] == second[2]:
        return False
    if (first[0], second[0]) != halves or not first[1] == second[1] == best.level:
        return False
    if any(sorted(tile.halves) == sorted(halves) for tile in known.tiles):
        return True
    above = [one for one in options if one.cells == best.cells and one.level == best.level + 1]
    return not above or above[0].cost > best.cost + PLAINLY
