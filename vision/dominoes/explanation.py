"""Explain the faces on a photo by the tiles that were on the table before, and those added since.

In: the faces of a photo, the tiles in place before it was taken, and a `TableCamera`. Out: an
`Explanation`: which face belongs to which tile, and where tiles were added. Every place where a
tile can be added is compared with all others, and with adding none, by all that it would show, hide
and leave unexplained. So one face that the detector missed or paired wrongly does not decide.

All weights are natural logarithms of odds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from vision.dominoes.lattice import LatticePlace, TilePlaces
from vision.dominoes.table_camera import TableCamera
from vision.dominoes.visibility import visible_parts
from vision.geometry import Floats, Points
from vision.reading import VALUES, LyingTile

# Standard deviation of a face's distance from its expected place, in sides, and of log its size.
OFF, SIZE = 0.05, 0.06
REACH, SCALE = 0.42, 0.5  # the same, from which a face belongs to another place
SEEN, GLIMPSED = 0.98, 0.03  # probability that an open face is detected, and a hidden one
OPEN, HIDDEN = 0.85, 0.15  # a face is open from this visible share, and hidden up to that one
REAL = (0.01, 0.993)  # lowest and highest probability that a detected place is a face
UNLIKELY = 0.001  # lowest probability of a number, whatever the classifier says
CUT_OFF = 0.05  # the same for a face that is partly hidden
PLAIN = 0.99  # probability of the expected number from which a face is not read again
LOOSELY = 2.0  # factor by which the place and size of a partly hidden face may be off
NEW = 0.99  # share of photos with a new tile
MORE = 0.1  # share of those with one more, because no photo was taken in between
ASKED = 4.0  # log odds by which "no new tile" may be likelier and the tile is still asked about
AGAIN = 0.01  # odds that a tile already in place elsewhere was moved to this place
WELL = 1.0  # log odds from which a face suits a place
ON_ONE = 8.0  # log odds against a tile stacked on a single other one, which no game wants
# Weight of two faces that look like one tile: half the log odds of the pair classifier, because it
# is counted for both faces. The classifier was not trained on stacks.
JOINED = (0.5, 2.5)  # at least and at most
# Weight of two faces that were cropped where the camera expects a tile, as a factor of the log odds
# and as a maximum. In drawn stacks (seed 600001) 148 of 240 tiles got a probability of 0.97 or more
# and 2 got less than 0.1; of 216 neighbours that are not one tile 1 and 157 did.
WHOLE, WHOLE_MOST = 0.8, 4.0
MOST = 4  # tiles added between two photos
TRIED = 10  # places compared with each other
WITHIN = 12.0  # log odds by which a place may be less likely than the likeliest to be compared
BESIDE = ((-1, 0), (1, 0), (0, -1), (0, 1))


@dataclass(frozen=True, slots=True, eq=False)
class ObservedFaces:
    """The n faces on a photo, as arrays; a face is one half of a domino."""

    middles: Points  # (n, 2) px
    sides: Floats  # (n,) px
    probs: Floats  # (n, 7) probabilities of the numbers 0 to 6
    real: Floats  # (n,) probability that it is a face
    partner: NDArray[np.intp]  # (n,) index of the likely other half of the same tile; -1: none
    joined: Floats  # (n,) probability that the partner is the other half
    # Probability that two cells (in order) on a level show one tile, where that was checked.
    whole: Mapping[tuple[TilePlaces, int], float] = field(default_factory=dict)

    def __len__(self) -> int:
        """Return the number of faces."""
        return len(self.middles)


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


@dataclass(frozen=True, slots=True)
class Top:
    """The topmost face of a cell."""

    level: int
    tile: int  # index among the tiles in place, followed by those added
    number: int | None = None  # None: of an added tile


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
    weights = _Weights(camera, observed, _allowed(tiles_in_place))
    added: list[Added] = []
    assignment, more = weights.of(top), list[_Assignment]()
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
    weights = _Weights(camera, observed, _allowed(tiles_in_place))
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
    weights = _Weights(camera, observed, _allowed(tiles_in_place))
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
    tiles = {_ordered(tiles_in_place[k].cells, tiles_in_place[k].level) for k in on_top}
    return Doubted(tuple(sorted(faces)), tuple(sorted(tiles | set(likely))))


def _ordered(cells: TilePlaces, level: int) -> tuple[TilePlaces, int]:
    a, b = sorted(cells)
    return (a, b), level


def top_of(tiles_in_place: Sequence[LyingTile]) -> dict[LatticePlace, Top]:
    """Return the topmost face of each cell, given the tiles in place, lowest first."""
    return {
        cell: Top(tile.level, k, number)
        for k, tile in enumerate(tiles_in_place)
        for cell, number in zip(tile.cells, tile.halves, strict=True)
    }


def _allowed(tiles_in_place: Sequence[LyingTile]) -> Floats:
    """Return (7, 7) odds of the numbers of a new tile: a set has each tile once."""
    odds = np.ones((len(VALUES), len(VALUES)))
    for tile in tiles_in_place:
        a, b = tile.halves
        odds[a, b] = odds[b, a] = AGAIN
    return np.asarray(odds / odds.sum())


@dataclass(frozen=True, slots=True, eq=False)
class _Assignment:
    """Faces assigned to cells, given what is on top of each, and the log odds of that."""

    weight: float
    faces: dict[LatticePlace, int]
    shares: dict[LatticePlace, float]
    top: dict[LatticePlace, Top]
    cells: TilePlaces | tuple[()] = ()  # of the tile added last

    @property
    def new_faces(self) -> tuple[int, ...]:
        """Return the faces observed on the tile added last."""
        return tuple(self.faces[cell] for cell in self.cells if cell in self.faces)


@dataclass(frozen=True, eq=False)
class _Weights:
    camera: TableCamera
    observed: ObservedFaces
    allowed: Floats

    @cached_property
    def joined(self) -> Floats:
        """Return (n,) log odds that each face and its partner are one tile, halved and clipped."""
        odds = np.clip(self.observed.joined, 1e-6, 1 - 1e-6)
        return np.asarray(np.clip(np.log(odds / (1 - odds)) / 2, *JOINED))

    def of(self, top: dict[LatticePlace, Top]) -> _Assignment:
        """Assign faces to the topmost places, best match first, each face at most once."""
        cells = list(top)
        levels = np.array([top[cell].level for cell in cells])
        shares, parts = visible_parts(self.camera, cells, levels)
        hit = _detected(shares)
        suits = self.suiting(np.array(cells)[:, ::-1], levels, shares, parts)
        for row, cell in enumerate(cells):
            number = top[cell].number
            if number is not None:
                least = UNLIKELY if shares[row] >= OPEN else CUT_OFF
                suits[row] += np.log(np.maximum(self.observed.probs[:, number], least) * 7)
        gain = suits + (np.log(hit) - np.log1p(-hit))[:, None]
        faces: dict[LatticePlace, int] = {}
        taken: set[int] = set()
        weight = float(np.log1p(-hit).sum())
        rows, columns = np.nonzero(gain > 0)
        order = np.argsort(-gain[rows, columns], kind="stable")
        for row, face in zip(rows[order].tolist(), columns[order].tolist(), strict=True):
            if cells[row] not in faces and face not in taken:
                faces[cells[row]] = face
                taken.add(face)
                weight += float(gain[row, face])
        weight += self._of_tiles(top, faces)
        weight += self._of_whole(top, dict(zip(cells, shares.tolist(), strict=True)))
        return _Assignment(weight, faces, dict(zip(cells, shares.tolist(), strict=True)), top)

    def _of_tiles(self, top: dict[LatticePlace, Top], faces: dict[LatticePlace, int]) -> float:
        """Return log odds of the numbers of added tiles and of which faces look joined."""
        new: dict[int, list[int | None]] = {}
        tile_of = {}
        for cell, topmost in top.items():
            if topmost.number is None:
                new.setdefault(topmost.tile, []).append(faces.get(cell))
            if cell in faces:
                tile_of[faces[cell]] = topmost.tile
        weight = sum(self.of_numbers(*both) for both in new.values() if len(both) == 2)
        for face, tile in tile_of.items():
            if face < (other := int(self.observed.partner[face])) and other in tile_of:
                speaks = float(self.joined[face])
                weight += speaks if tile_of[other] == tile else -speaks
        return weight

    def _of_whole(self, top: dict[LatticePlace, Top], shares: dict[LatticePlace, float]) -> float:
        """Return log odds of the unobstructed tiles that were checked as a whole."""
        if not self.observed.whole:
            return 0.0
        cells: dict[int, list[LatticePlace]] = {}
        for cell, topmost in top.items():
            if shares[cell] >= OPEN:
                cells.setdefault(topmost.tile, []).append(cell)
        weight = 0.0
        for both in cells.values():
            if len(both) == 2:
                place = _ordered((both[0], both[1]), top[both[0]].level)
                odds = float(np.clip(self.observed.whole.get(place, 0.5), 1e-6, 1 - 1e-6))
                speaks = WHOLE * np.log(odds / (1 - odds))
                weight += float(np.clip(speaks, -WHOLE_MOST, WHOLE_MOST))
        return weight

    def of_numbers(self, face: int | None, other_face: int | None) -> float:
        """Return log odds that the numbers on two faces are those of an added tile."""
        return float(np.log(max(49 * self.numbers(face, other_face).sum(), 1e-9)))

    def numbers(self, face: int | None, other_face: int | None) -> Floats:
        """Return (7, 7) odds of the numbers of an added tile; a face not observed is None."""
        every = np.full(len(VALUES), 1 / len(VALUES))
        p, q = (every if k is None else self.observed.probs[k] for k in (face, other_face))
        return np.asarray(p[:, None] * self.allowed * q)

    def suiting(
        self,
        at: Points,
        levels: NDArray[np.intp],
        shares: Floats | None = None,
        parts: Points | None = None,
    ) -> Floats:
        """Return (m, n) log odds that n faces are at m places, minus infinity where impossible.

        The detector outlines only the visible part of a half-hidden face, or somewhat more: pass
        (m,) visible *shares* and the (m, 2) middles of the visible *parts* to allow for that.
        """
        steps = np.tile((1.0, 0.0), (len(at), 1))
        quads = self.camera.quads(at.astype(np.float64), steps, levels.astype(np.float64))
        places = np.column_stack([at, levels * self.camera.thickness])
        p, q = quads[:, 2] - quads[:, 0], quads[:, 3] - quads[:, 1]
        sides = np.sqrt(np.abs(p[:, 0] * q[:, 1] - p[:, 1] * q[:, 0]) / 2)[:, None]
        middles = self.camera.project(places)
        away = self.observed.middles - middles[:, None]
        larger = np.log(self.observed.sides / sides)
        if shares is not None and parts is not None:
            cut = np.where(shares < OPEN, 1.0, 0.0)[:, None]
            to = self.camera.project(np.column_stack([parts, places[:, 2]])) - middles
            along = (away @ to[:, :, None])[..., 0] / np.maximum((to**2).sum(axis=1), 1e-9)[:, None]
            away = away - (cut * np.clip(along, 0, 1))[..., None] * to[:, None]
            least = np.log(np.maximum(shares, HIDDEN))[:, None] / 2
            larger = (larger - cut * np.clip(larger, least, 0)) / (1 + cut * (LOOSELY - 1))
            away = away / (1 + cut * (LOOSELY - 1))[..., None]
        off = np.linalg.norm(away, axis=2) / sides
        real = np.clip(self.observed.real, *REAL)
        weight = np.log(real / (1 - real)) - _tails(off / OFF) - _tails(larger / SIZE)
        return np.where((off <= REACH) & (np.abs(larger) <= SCALE), weight, -np.inf)


def _tails(errors: Floats) -> Floats:
    """Return the log odds lost by errors in standard deviations: a Student t with heavy tails."""
    return np.asarray(2.5 * np.log1p(errors**2 / 4))


def _detected(shares: Floats) -> Floats:
    """Return the probability that faces with these visible shares are detected."""
    between = np.clip((shares - HIDDEN) / (OPEN - HIDDEN), 0, 1)
    return np.asarray(GLIMPSED + (SEEN - GLIMPSED) * between)


def _with_another(
    weights: _Weights, top: dict[LatticePlace, Top], assignment: _Assignment, tile: int
) -> list[_Assignment]:
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


def _added(weights: _Weights, assignments: Sequence[_Assignment], none: float) -> Added:
    """Return the tile added in the first assignment, its probability among rivals and *none*."""
    best = assignments[0]
    assert best.cells
    rivals = (other.weight for other in assignments if _rival(best, other))
    odds = sum(np.exp(weight - best.weight) for weight in (*rivals, none))
    p, q = best.cells
    numbers = weights.numbers(best.faces.get(p), best.faces.get(q))
    return Added(best.cells, best.top[p].level, float(1 / odds), numbers / numbers.sum())


def _rival(first: _Assignment, second: _Assignment) -> bool:
    """Say whether two added tiles exclude each other: they share a cell or a face."""
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
    weights: _Weights,
    top: dict[LatticePlace, Top],
    assignment: _Assignment,
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


def _kept(weights: _Weights, top: Top, cell: LatticePlace, assignment: _Assignment) -> float:
    """Return the log odds that the face assigned to a cell gives to its topmost tile."""
    face = assignment.faces.get(cell)
    if face is None:
        return float(np.log1p(-_detected(np.array(assignment.shares[cell]))))
    real = float(np.clip(weights.observed.real[face], *REAL))
    number = (
        1.0 if top.number is None else max(weights.observed.probs[face, top.number], UNLIKELY) * 7
    )
    return float(np.log(real / (1 - real)) + np.log(number))
