"""Explain the faces on a photo by the tiles that were on the table before, and those added since.

In: the faces of a photo, the tiles in place before it was taken, and a `TableCamera`. Out: an
`Explanation`: which face belongs to which tile, and where tiles were added. Every place where a
tile can be added is compared with all others, and with adding none, by all that it would show, hide
and leave unexplained. So one face that the detector missed or paired wrongly does not decide.

All weights are natural logarithms of odds.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from vision.dominoes.lattice import LatticePlace, TilePlaces
from vision.dominoes.table_camera import TableCamera
from vision.dominoes.weights import (
    OPEN,
    REAL,
    SEEN,
    UNLIKELY,
    Assignment,
    ObservedFaces,
    Top,
    Weights,
    allowed_numbers,
    detected,
    ordered,
    top_of,
)
from vision.geometry import Floats
from vision.reading import LyingTile

PLAIN = 0.99  # probability of the expected number from which a face is not read again
NEW = 0.99  # share of photos with a new tile
MORE = 0.1  # share of those with one more, because no photo was taken in between
ASKED = 4.0  # log odds by which "no new tile" may be likelier and the tile is still asked about
WELL = 1.0  # log odds from which a face suits a place
ON_ONE = 8.0  # log odds against a tile stacked on a single other one, which no game wants
MOST = 4  # tiles added between two photos
TRIED = 10  # places compared with each other
WITHIN = 12.0  # log odds by which a place may be less likely than the likeliest to be compared
BESIDE = ((-1, 0), (1, 0), (0, -1), (0, 1))


@dataclass(frozen=True, slots=True, eq=False)
class Added:
    """A tile added since the last photo; `prob` is the probability that it was.

    `numbers` is (7, 7): given that it was added, the probabilities of the numbers on its two cells.
    """

    cells: TilePlaces
    level: int
    prob: float
    numbers: Floats


@dataclass(frozen=True, slots=True, eq=False)
class Explanation:
    """What each face on a photo is."""

    top: dict[LatticePlace, Top]  # what is on top of each cell
    faces: dict[LatticePlace, int]  # the observed face on a cell
    shares: dict[LatticePlace, float]  # how much of the face on top is visible, 0 to 1
    added: tuple[Added, ...]
    perhaps: Mapping[int, float]  # odds that an unexplained face is half of one more added tile
    covered: Mapping[LatticePlace, float]  # odds that one more added tile covers a cell


def explain(
    camera: TableCamera, tiles_in_place: Sequence[LyingTile], observed: ObservedFaces
) -> Explanation:
    """Return the likeliest explanation of the faces on a photo.

    Args:
        camera: registered with the cells of *tiles_in_place*.
        tiles_in_place: tiles that were on the table before, lowest first.
        observed: the faces, certain or not.
    """
    top = top_of(tiles_in_place)
    weights = Weights(camera, observed, allowed_numbers(tiles_in_place))
    added: list[Added] = []
    assignment, more = weights.of(top), list[Assignment]()
    while len(added) < MOST:
        more = _with_another(weights, top, assignment, len(tiles_in_place) + len(added))
        none = assignment.weight + np.log(1 - (MORE if added else NEW))
        best = more[0].weight if more else -np.inf
        if best <= none - (0.0 if added else ASKED):
            break
        added.append(_added(weights, more, none))
        assignment, top = more[0], more[0].top
    perhaps: dict[int, float] = {}
    covered: dict[LatticePlace, float] = {}
    for rival in more:
        if rival is not assignment:
            odds = float(np.exp(rival.weight - none))
            perhaps |= {face: perhaps.get(face, 0.0) + odds for face in rival.new_faces}
            covered |= {cell: covered.get(cell, 0.0) + odds for cell in rival.cells}
    return Explanation(top, assignment.faces, assignment.shares, tuple(added), perhaps, covered)


@dataclass(frozen=True, slots=True, eq=False)
class MatchedTiles:
    """Which observed faces belong to the tiles in place, assuming that none was added."""

    weight: float  # log odds of the whole match
    share: float  # of the unobstructed faces, those observed near where they should be
    faces: Mapping[tuple[int, LatticePlace], int]  # by tile and cell, of unobstructed faces only


def match_tiles(
    camera: TableCamera, tiles_in_place: Sequence[LyingTile], observed: ObservedFaces
) -> MatchedTiles:
    """Match the observed faces with the tiles in place."""
    top = top_of(tiles_in_place)
    weights = Weights(camera, observed, allowed_numbers(tiles_in_place))
    assignment = weights.of(top)
    must = [cell for cell, share in assignment.shares.items() if share >= OPEN]
    there = [cell for cell in must if cell in assignment.faces]
    suits = weights.suiting(
        np.array(there).reshape(-1, 2)[:, ::-1],
        np.array([top[cell].level for cell in there], np.intp),
    )
    faces = [assignment.faces[cell] for cell in there]
    well = int((suits[np.arange(len(there)), faces] > WELL).sum())
    return MatchedTiles(
        assignment.weight,
        well / max(len(must), 1),
        {(top[cell].tile, cell): face for cell, face in zip(there, faces, strict=True)},
    )


@dataclass(frozen=True, slots=True)
class Doubted:
    """Places whose closer look can decide between explanations."""

    faces: tuple[tuple[LatticePlace, int], ...]  # cell and level of a face
    tiles: tuple[tuple[TilePlaces, int], ...]  # cells, in order, and level of a tile


def worth_a_look(
    camera: TableCamera, tiles_in_place: Sequence[LyingTile], observed: ObservedFaces
) -> Doubted:
    """Return where a tile may have been added, the tiles below it, and doubtful faces in place."""
    top = top_of(tiles_in_place)
    weights = Weights(camera, observed, allowed_numbers(tiles_in_place))
    assignment = weights.of(top)
    faces = {
        (cell, topmost.level)
        for cell, topmost in top.items()
        if assignment.shares[cell] >= OPEN
        and (
            cell not in assignment.faces
            or observed.probs[assignment.faces[cell], topmost.number] < PLAIN
        )
    }
    places = _free_places(top)
    likely = _likely(weights, top, assignment, places) if places and len(observed) else []
    faces |= {(cell, level) for cells, level in likely for cell in cells}
    below = {cell for cells, _ in likely for cell in cells if cell in top}
    faces |= {(cell, top[cell].level) for cell in below}
    on_top = {top[cell].tile for cell in below}
    tiles = {ordered(tiles_in_place[k].cells, tiles_in_place[k].level) for k in on_top}
    return Doubted(tuple(sorted(faces)), tuple(sorted(tiles | set(likely))))


def _with_another(
    weights: Weights, top: dict[LatticePlace, Top], assignment: Assignment, tile: int
) -> list[Assignment]:
    """Return the likeliest assignments with one more tile added, the best first."""
    places = _free_places(top)
    if not places or not len(weights.observed):
        return []
    first = all(topmost.number is not None for topmost in top.values())
    each = float(np.log((NEW if first else MORE) / len(places)))
    extended = []
    for cells, level in _likely(weights, top, assignment, places):
        on_one = level and top[cells[0]].tile == top[cells[1]].tile
        with_tile = weights.of(top | {cell: Top(level, tile) for cell in cells})
        weight = with_tile.weight + each - (ON_ONE if on_one else 0)
        extended.append(replace(with_tile, weight=weight, cells=cells))
    return sorted(extended, key=lambda with_tile: -with_tile.weight)


def _added(weights: Weights, assignments: Sequence[Assignment], none: float) -> Added:
    """Return the tile added in the first assignment, its probability among rivals and *none*."""
    best = assignments[0]
    assert best.cells
    rivals = (other.weight for other in assignments if _rival(best, other))
    odds = sum(np.exp(weight - best.weight) for weight in (*rivals, none))
    p, q = best.cells
    numbers = weights.numbers(best.faces.get(p), best.faces.get(q))
    return Added(best.cells, best.top[p].level, float(1 / odds), numbers / numbers.sum())


def _rival(first: Assignment, second: Assignment) -> bool:
    """Return True if two added tiles exclude each other: they share a cell or a face."""
    return bool({*first.cells} & {*second.cells} or {*first.new_faces} & {*second.new_faces})


def _free_places(top: dict[LatticePlace, Top]) -> list[tuple[TilePlaces, int]]:
    """Return where a tile can be added: on two faces of one level, or beside others."""
    beside = {(r + a, c + b) for r, c in top for a, b in BESIDE} - set(top)
    around = beside | {(r + a, c + b) for r, c in beside for a, b in BESIDE} - set(top)
    places: list[tuple[TilePlaces, int]] = []
    for r, c in sorted(set(top) | around):
        for other in ((r + 1, c), (r, c + 1)):
            first, second = top.get((r, c)), top.get(other)
            if first and second and first.level == second.level:
                places.append((((r, c), other), first.level + 1))
            elif not first and not second and other in around and {(r, c), other} & beside:
                places.append((((r, c), other), 0))
    return places


def _likely(
    weights: Weights,
    top: dict[LatticePlace, Top],
    assignment: Assignment,
    places: list[tuple[TilePlaces, int]],
) -> list[tuple[TilePlaces, int]]:
    """Return the likely places of an added tile, the likeliest first."""
    at = np.array([cell for cells, _ in places for cell in cells])[:, ::-1]
    levels = np.repeat([level for _, level in places], 2)
    suits = weights.suiting(at, levels)
    best, face = suits.max(axis=1), suits.argmax(axis=1)
    lone = float(np.log1p(-SEEN) - np.log(SEEN))
    bounds: list[tuple[float, int]] = []
    kept = {cell: _kept(weights, top[cell], cell, assignment) for cell in top}
    for k, (cells, _) in enumerate(places):
        ends = (2 * k, 2 * k + 1)
        left, right = (int(face[i]) if np.isfinite(best[i]) else None for i in ends)
        if left == right:
            continue
        gain = sum(max(float(best[i]), lone) for i in ends)
        gain += weights.of_numbers(left, right)
        bounds.append((gain - sum(kept.get(cell, 0.0) for cell in cells), k))
    bounds.sort(reverse=True)
    return [places[k] for bound, k in bounds[:TRIED] if bound >= bounds[0][0] - WITHIN]


def _kept(weights: Weights, top: Top, cell: LatticePlace, assignment: Assignment) -> float:
    """Return the log odds that the face assigned to a cell gives to its topmost tile."""
    face = assignment.faces.get(cell)
    if face is None:
        return float(np.log1p(-detected(np.array(assignment.shares[cell]))))
    real = float(np.clip(weights.observed.real[face], *REAL))
    number = (
        1.0 if top.number is None else max(weights.observed.probs[face, top.number], UNLIKELY) * 7
    )
    return float(np.log(real / (1 - real)) + np.log(number))
