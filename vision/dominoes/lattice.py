"""Fit a lattice of unit cells to tiles: which cell each half covers, and on which level.

In: the halves of the tiles on a photo, px. Out: a `Lattice`. A face on a higher level appears
larger and shifted by up to more than half a cell a level, so cells and levels are estimated
together with the camera pose. From straight above levels are invisible; if two levels put a tile on
different cells about equally well, neither is believed.

As no tile in place is given, rows and columns are counted from the upper left of the tiles that
touch.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.dominoes.table_camera import Halves, TableCamera, find_view, refine
from vision.geometry import Floats

HIGHEST = 7  # levels considered: the rules have no limit, but stacks of six are rare
ERROR = 0.1  # cells, of the middle of a hand-laid half as it is read
TURN, SIZE = 0.12, 0.06  # standard deviations of a tile's direction, radians, and of log its size
ASKEW, OFF = 0.3, 0.27  # radians and cells from which a tile counts as off the lattice
NEXT = 1.6  # cells between the middles of two touching halves; parallax moves one of them
BELIEVED = 0.97  # probability from which cells, and levels, are reported
EACH_LEVEL = 1.0  # cost of a level, natural logarithm of odds: most tiles are low
ANCHORS = 5  # tiles tried in turn as the origin of the cells, until one fits all tiles
PLAIN = 3.0  # mean cost of a tile up to which they fit
WORST = 12.0  # cost at which a tile counts as off the lattice

LatticePlace = tuple[int, int]  # row, column
TilePlaces = tuple[LatticePlace, LatticePlace]


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """A possible place of a tile: cells of its halves in order; `cost` is minus its log odds."""

    cells: TilePlaces
    level: int
    cost: float
    residual: float  # cells, root mean square over both halves


@dataclass(frozen=True, slots=True)
class PlacedTile:
    """The place of a tile, where the photo shows it; `prob` is the probability of its cells."""

    cells: TilePlaces | None = None
    level: int | None = None
    prob: float = 0.0
    hypotheses: tuple[Hypothesis, ...] = ()  # the likeliest first


@dataclass(frozen=True, slots=True, eq=False)
class Lattice:
    """The tiles on a photo with their cells; tiles apart or askew have none."""

    camera: TableCamera
    tiles: tuple[PlacedTile, ...]
    error: float  # cells, root mean square of those placed

    @property
    def flat(self) -> bool:
        """Return True if all tiles that touch another are placed, on one level."""
        likeliest = [one.hypotheses[0].level for one in self.tiles if one.hypotheses]
        return len(set(likeliest)) == 1 and all(
            one.cells is not None for one in self.tiles if one.hypotheses
        )


def find_lattice(quads: Floats, size: tuple[int, int]) -> Lattice | None:
    """Place tiles without knowing any of their cells; None if no two are together.

    Args:
        quads: (n, 2, 4, 2) px, the corners of the two halves of each tile, clockwise.
        size: width and height of the photo, px.
    """
    if len(quads) < 2:
        return None
    halves = Halves.of(quads)
    camera = find_view(halves, size)
    together = _largest_component(camera, halves)
    if len(together) < 2:
        return None
    part = Halves(halves.quads[together])
    camera, chosen = _settled(camera, part)
    if sum(one is not None for one in chosen) < 2:
        return None
    placed = [PlacedTile()] * len(quads)
    for k, placed_tile in zip(together.tolist(), _judged(camera, part, chosen), strict=True):
        placed[k] = placed_tile
    return Lattice(camera, _from_zero(placed), error_of(placed))


def error_of(placed: Sequence[PlacedTile]) -> float:
    """Return the root mean square residual of the placed tiles, cells."""
    misses = [one.hypotheses[0].residual for one in placed if one.cells]
    return float(np.sqrt(np.mean(np.square(misses)))) if misses else 0.0


def hypotheses_of(
    camera: TableCamera, halves: Halves, levels: Sequence[int]
) -> list[list[Hypothesis]]:
    """Return for each tile its possible places on these levels, the likeliest first."""
    n, m = len(halves), len(levels)
    height = np.tile(np.repeat(np.array(levels, np.float64), 2), n)
    px = np.repeat(halves.middles[:, None], m, axis=1).reshape(-1, 2)
    at = camera.on_level(px, height).reshape(n * m, 2, 2)
    way, turn = _directions(at)
    first = np.round(at.mean(axis=1) - way / 2)
    ends = np.stack([first, first + way], axis=1)
    squares = ((at - ends) ** 2).sum(axis=(1, 2))
    ways = np.stack([-way, way], axis=1).reshape(-1, 2)
    should = camera.quads(ends.reshape(-1, 2), ways, height).reshape(n * m, 2, 4, 2)
    side_px = np.repeat(halves.sides.mean(axis=1), m)
    larger = np.log(side_px / np.maximum(Halves(should).sides.mean(axis=1), 1e-6))
    cost = squares / (2 * ERROR**2) + (turn / TURN) ** 2 / 2 + (larger / SIZE) ** 2 / 2
    residual = np.sqrt(squares / 2)
    fits = (np.abs(turn) <= ASKEW) & (residual <= 2 * OFF)
    found: list[list[Hypothesis]] = [[] for _ in range(n)]
    for i in np.flatnonzero(fits).tolist():
        (x0, y0), (x1, y1) = ends[i].astype(int).tolist()
        found[i // m].append(
            Hypothesis(((y0, x0), (y1, x1)), levels[i % m], float(cost[i]), float(residual[i]))
        )
    return [sorted(one, key=lambda h: h.cost) for one in found]


def _directions(at: Floats) -> tuple[Floats, Floats]:
    """Return (n, 2) lattice steps from first to second halves, and (n,) radians off them."""
    along = at[:, 1] - at[:, 0]
    angle = np.arctan2(along[:, 1], along[:, 0])
    quarters = np.round(angle / (np.pi / 2))
    steps = np.round(np.column_stack([np.cos(quarters * np.pi / 2), np.sin(quarters * np.pi / 2)]))
    return steps, angle - quarters * np.pi / 2


def _largest_component(camera: TableCamera, halves: Halves) -> NDArray[np.intp]:
    """Return the largest group of tiles that touch and are parallel or at right angles."""
    n = len(halves)
    at = camera.on_level(halves.middles.reshape(-1, 2), 0).reshape(n, 2, 2)
    along = at[:, 1] - at[:, 0]
    turns = np.arctan2(along[:, 1], along[:, 0])
    off = (turns[:, None] - turns + np.pi / 4) % (np.pi / 2) - np.pi / 4
    gaps = np.linalg.norm(at[:, None, :, None] - at[None, :, None, :], axis=4).min(axis=(2, 3))
    touch = (gaps < NEXT) & (np.abs(off) < ASKEW)
    reached = touch.copy()
    for _ in range(n.bit_length()):
        reached = reached @ reached
    best = int(reached.sum(axis=1).argmax())
    return np.flatnonzero(reached[best])


def _settled(camera: TableCamera, halves: Halves) -> tuple[TableCamera, list[Hypothesis | None]]:
    """Find cells, levels and camera together: the assignment in which most tiles fit."""
    flat = camera.on_level(halves.middles.reshape(-1, 2), 0).reshape(-1, 2, 2)
    along = flat[:, 1] - flat[:, 0]
    turn = float(np.angle(np.exp(4j * np.arctan2(along[:, 1], along[:, 0])).sum())) / 4
    c, s = np.cos(-turn), np.sin(-turn)
    turned = flat @ np.array([[c, -s], [s, c]]).T
    best: tuple[float, TableCamera, list[Hypothesis | None]] | None = None
    center = np.median(turned.mean(axis=1), axis=0)
    order = np.argsort(np.linalg.norm(turned.mean(axis=1) - center, axis=1), kind="stable")
    for k in order[:ANCHORS].tolist():
        anchored = camera.moved(-turn, -turned[k, 0])
        anchored, chosen, cost = _rounds(anchored, halves, k)
        if best is None or cost < best[0] - 1e-6:
            best = cost, anchored, chosen
        if None not in best[2] and best[0] < PLAIN * len(halves):
            break
    assert best is not None
    return best[1], best[2]


def _rounds(
    camera: TableCamera, halves: Halves, anchor: int
) -> tuple[TableCamera, list[Hypothesis | None], float]:
    """Assign and refine in turn, from the tile *anchor* on outwards, until nothing changes."""
    middles = halves.middles.mean(axis=1)
    away = np.linalg.norm(middles - middles[anchor], axis=1) / float(halves.sides.mean())
    chosen: list[Hypothesis | None] = []
    for reach in (3.0, 6.0, np.inf, np.inf):
        near = np.flatnonzero(away <= reach)
        chosen = _assigned(camera, halves, near.tolist())
        camera = _refined(camera, halves, chosen)
    chosen = _assigned(camera, halves, range(len(halves)))
    return camera, chosen, sum(WORST if one is None else min(one.cost, WORST) for one in chosen)


def _assigned(camera: TableCamera, halves: Halves, tiles: Sequence[int]) -> list[Hypothesis | None]:
    """Assign each tile its likeliest place, best tile first; no cell gets two faces."""
    among = hypotheses_of(camera, Halves(halves.quads[list(tiles)]), range(HIGHEST))
    options = {k: weighed(one) for k, one in zip(tiles, among, strict=True)}
    chosen: list[Hypothesis | None] = [None] * len(halves)
    taken: set[LatticePlace] = set()
    for k in sorted(tiles, key=lambda k: options[k][0].cost if options[k] else np.inf):
        free = [one for one in options[k] if not taken & set(one.cells)]
        if free and free[0].cost < WORST:
            chosen[k] = free[0]
            taken |= set(free[0].cells)
    return chosen


def weighed(hypotheses: Sequence[Hypothesis]) -> list[Hypothesis]:
    """Add the cost of the levels; return the likeliest first."""
    dear = [replace(one, cost=one.cost + EACH_LEVEL * one.level) for one in hypotheses]
    return sorted(dear, key=lambda one: one.cost)


def _refined(
    camera: TableCamera, halves: Halves, chosen: Sequence[Hypothesis | None]
) -> TableCamera:
    placed = [k for k, one in enumerate(chosen) if one]
    places = np.array([[(x, y) for y, x in one.cells] for one in chosen if one], np.float64)
    levels = np.array([one.level for one in chosen if one], np.float64)
    if not placed:
        return camera
    return refine(camera, Halves(halves.quads[placed]), places, levels)


def _judged(
    camera: TableCamera, halves: Halves, chosen: Sequence[Hypothesis | None]
) -> list[PlacedTile]:
    """Return what is certain about each tile, given the places of the others."""
    judged = []
    for k, (choice, options) in enumerate(
        zip(chosen, hypotheses_of(camera, halves, range(HIGHEST)), strict=True)
    ):
        others = {
            cell for i, other in enumerate(chosen) if other and i != k for cell in other.cells
        }
        free = [option for option in weighed(options) if not others & set(option.cells)]
        judged.append(believed(free if choice else []))
    return judged


def believed(options: Sequence[Hypothesis]) -> PlacedTile:
    """Return the likeliest place; its cells and its level only if each is certain."""
    if not options:
        return PlacedTile()
    odds = np.exp(options[0].cost - np.array([one.cost for one in options]))
    odds /= odds.sum()
    best = options[0]
    cells = float(odds[[one.cells == best.cells for one in options]].sum())
    level = float(odds[[one.level == best.level for one in options]].sum())
    fits = best.residual <= OFF and cells >= BELIEVED
    return PlacedTile(
        best.cells if fits else None,
        best.level if fits and level >= BELIEVED else None,
        cells,
        tuple(options),
    )


def _from_zero(placed: Sequence[PlacedTile]) -> tuple[PlacedTile, ...]:
    """Count rows and columns from the first that a tile covers."""
    cells = np.array([cell for one in placed if one.cells for cell in one.cells] or [(0, 0)])
    down, right = (int(least) for least in cells.min(axis=0))

    def counted(both: TilePlaces) -> TilePlaces:
        (a, b), (c, d) = both
        return (a - down, b - right), (c - down, d - right)

    return tuple(
        replace(
            one,
            cells=one.cells and counted(one.cells),
            hypotheses=tuple(replace(h, cells=counted(h.cells)) for h in one.hypotheses),
        )
        for one in placed
    )
