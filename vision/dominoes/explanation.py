"""What lies on the table, given what lay there before and how the camera looks at it.

In: the faces of a photo, the known tiles and a `TableCamera`. Out: an `Explanation`: which face is
which known one, and where tiles were added. Each place where a tile can come to lie is weighed
against all others and against none by everything that it would show, hide and leave unexplained;
so a face that the detector missed, or joined with a stranger, does not decide.

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

OFF, SIZE = 0.05, 0.06  # sides between a face and where it should be seen; logarithm of its size
REACH, SCALE = 0.42, 0.5  # ... and how far off it is another one
SEEN, GLIMPSED = 0.98, 0.03  # probability that an open face is detected, and a hidden one
OPEN, HIDDEN = 0.85, 0.15  # visible shares of a face from which it is the one, up to the other
REAL = (0.01, 0.993)  # probability that a detected place is a face, at least and at most
UNLIKELY = 0.001  # probability of a number at least, whatever the classifier says
CUT_OFF = 0.05  # ... where part of the face is hidden
PLAIN = 0.99  # ... of the number known from which a face is not looked at again
LOOSELY = 2.0  # times as far a face lies off of which a part is hidden
NEW = 0.99  # of photos show a new tile
MORE = 0.1  # ... and another one, since a photo was left out
ASKED = 4.0  # by which no new tile may be likelier when one is asked about
AGAIN = 0.01  # odds that a tile which is known to lie elsewhere was moved here
WELL = 1.0  # logarithm of the odds from which a face suits a place
ON_ONE = 8.0  # cost of a tile on a single other one, which no game wants
# For two faces that look like one tile to be one, and against that of two: half the logarithm of
# the pair classifier's odds, as it is told for both; of stacks it has seen none.
JOINED = (0.5, 2.5)  # at least and at most
# ... and of two faces that were looked at where the camera has them: of 240 halves of one tile in
# drawn stacks (seed 600001) 148 were told with 0.97 or more and 2 with less than 0.1, of 216
# neighbours that are none 1 and 157.
WHOLE, WHOLE_MOST = 0.8, 4.0  # of the logarithm of its odds, and at most
MOST = 4  # tiles added between two photos
TRIED = 10  # places that are weighed against each other
WITHIN = 12.0  # of the likeliest
BESIDE = ((-1, 0), (1, 0), (0, -1), (0, 1))


@dataclass(frozen=True, slots=True, eq=False)
class Observed:
    """The n faces of a photo."""

    middles: Points  # (n, 2) px
    sides: Floats  # (n,) px
    probs: Floats  # (n, 7) of the numbers
    real: Floats  # (n,) probability that it is a face
    partner: NDArray[np.intp]  # (n,) the other half of the same tile as it looks; -1: none
    joined: Floats  # (n,) probability that it is
    # Where two faces were looked at as one tile, cells in order: probability that they are one.
    whole: Mapping[tuple[TilePlaces, int], float] = field(default_factory=dict)

    def __len__(self) -> int:
        """Return the number of faces."""
        return len(self.middles)


@dataclass(frozen=True, slots=True, eq=False)
class Added:
    """A new tile: `numbers` (7, 7) are the probabilities of those on its cells, if it is there."""

    cells: TilePlaces
    level: int
    prob: float
    numbers: Floats


@dataclass(frozen=True, slots=True, eq=False)
class Explanation:
    """What each face is; `shares` of the faces on top, by cell, are those in sight.

    `perhaps` are the odds that one more tile was added, of which a face that is left over is half,
    and `covered` those that one lies on a cell.
    """

    top: dict[LatticePlace, Top]
    faces: dict[LatticePlace, int]  # the observed face on a cell
    shares: dict[LatticePlace, float]
    added: tuple[Added, ...]
    perhaps: Mapping[int, float]
    covered: Mapping[LatticePlace, float]


@dataclass(frozen=True, slots=True)
class Top:
    """The face that lies on top of a cell; its tile counts the known ones, then those added."""

    level: int
    tile: int
    number: int | None = None  # None: of a new tile


def explain(camera: TableCamera, known: Sequence[LyingTile], seen: Observed) -> Explanation:
    """Return the likeliest explanation of the faces of a photo.

    Args:
        camera: registered with the cells of *known*.
        known: tiles that lay there, lowest first.
        seen: the faces, certain or not.
    """
    top = top_of(known)
    weights = _Weights(camera, seen, _allowed(known))
    added: list[Added] = []
    now, more = weights.of(top), list[_Story]()
    while len(added) < MOST:
        more = _with_another(weights, top, now, len(known) + len(added))
        none = now.weight + np.log(1 - (MORE if added else NEW))
        best = more[0].weight if more else -np.inf
        if best <= none - (0.0 if added else ASKED):
            break
        added.append(_added(weights, more, none))
        now, top = more[0], more[0].top
    perhaps: dict[int, float] = {}
    covered: dict[LatticePlace, float] = {}
    for story in more:
        if story is not now:
            odds = float(np.exp(story.weight - none))
            perhaps |= {face: perhaps.get(face, 0.0) + odds for face in story.new_faces}
            covered |= {cell: covered.get(cell, 0.0) + odds for cell in story.cells}
    return Explanation(top, now.faces, now.shares, tuple(added), perhaps, covered)


@dataclass(frozen=True, slots=True, eq=False)
class Known:
    """The known faces that are seen, were nothing added: by tile and cell, if it must be seen.

    `share` of those that must be are seen about where they should be.
    """

    weight: float
    share: float
    faces: Mapping[tuple[int, LatticePlace], int]


def matched(camera: TableCamera, known: Sequence[LyingTile], seen: Observed) -> Known:
    """Return what is seen of the known tiles."""
    top = top_of(known)
    weights = _Weights(camera, seen, _allowed(known))
    now = weights.of(top)
    must = [cell for cell, share in now.shares.items() if share >= OPEN]
    there = [cell for cell in must if cell in now.faces]
    suits = weights.suiting(
        np.array(there).reshape(-1, 2)[:, ::-1],
        np.array([top[cell].level for cell in there], np.intp),
    )
    faces = [now.faces[cell] for cell in there]
    well = int((suits[np.arange(len(there)), faces] > WELL).sum())
    return Known(
        now.weight,
        well / max(len(must), 1),
        {(top[cell].tile, cell): face for cell, face in zip(there, faces, strict=True)},
    )


@dataclass(frozen=True, slots=True)
class Doubted:
    """What a closer look can decide between explanations by."""

    faces: tuple[tuple[LatticePlace, int], ...]  # the level of a face on a cell
    tiles: tuple[tuple[TilePlaces, int], ...]  # ... and of a tile, its cells in order


def worth_a_look(camera: TableCamera, known: Sequence[LyingTile], seen: Observed) -> Doubted:
    """Return where a new tile may lie, the known ones below it, and known faces in doubt."""
    top = top_of(known)
    weights = _Weights(camera, seen, _allowed(known))
    now = weights.of(top)
    faces = {
        (cell, lies.level)
        for cell, lies in top.items()
        if now.shares[cell] >= OPEN
        and (cell not in now.faces or seen.probs[now.faces[cell], lies.number] < PLAIN)
    }
    places = _free_places(top)
    likely = _likely(weights, top, now, places) if places and len(seen) else []
    faces |= {(cell, level) for cells, level in likely for cell in cells}
    below = {cell for cells, _ in likely for cell in cells if cell in top}
    faces |= {(cell, top[cell].level) for cell in below}
    on_top = {top[cell].tile for cell in below}
    tiles = {_ordered(known[k].cells, known[k].level) for k in on_top}
    return Doubted(tuple(sorted(faces)), tuple(sorted(tiles | set(likely))))


def _ordered(cells: TilePlaces, level: int) -> tuple[TilePlaces, int]:
    a, b = sorted(cells)
    return (a, b), level


def top_of(known: Sequence[LyingTile]) -> dict[LatticePlace, Top]:
    """Return what lies on top where only the known tiles lie, lowest first."""
    return {
        cell: Top(tile.level, k, number)
        for k, tile in enumerate(known)
        for cell, number in zip(tile.cells, tile.halves, strict=True)
    }


def _allowed(known: Sequence[LyingTile]) -> Floats:
    """Return (7, 7) odds of the numbers of a new tile: a set has each tile once."""
    odds = np.ones((len(VALUES), len(VALUES)))
    for tile in known:
        a, b = tile.halves
        odds[a, b] = odds[b, a] = AGAIN
    return np.asarray(odds / odds.sum())


@dataclass(frozen=True, slots=True, eq=False)
class _Story:
    """How well the faces suit what lies on top; the faces by their cells, and the last new tile."""

    weight: float
    faces: dict[LatticePlace, int]
    shares: dict[LatticePlace, float]
    top: dict[LatticePlace, Top]
    cells: TilePlaces | tuple[()] = ()

    @property
    def new_faces(self) -> tuple[int, ...]:
        """Return the faces seen on the new tile."""
        return tuple(self.faces[cell] for cell in self.cells if cell in self.faces)


@dataclass(frozen=True, eq=False)
class _Weights:
    camera: TableCamera
    seen: Observed
    allowed: Floats

    @cached_property
    def joined(self) -> Floats:
        """Return (n,) what speaks for the halves that look joined to be so."""
        odds = np.clip(self.seen.joined, 1e-6, 1 - 1e-6)
        return np.asarray(np.clip(np.log(odds / (1 - odds)) / 2, *JOINED))

    def of(self, top: dict[LatticePlace, Top]) -> _Story:
        """Match faces with what lies on top, the plainest first; each face is one at most."""
        cells = list(top)
        levels = np.array([top[cell].level for cell in cells])
        shares, parts = visible_parts(self.camera, cells, levels)
        hit = _detected(shares)
        suits = self.suiting(np.array(cells)[:, ::-1], levels, shares, parts)
        for row, cell in enumerate(cells):
            number = top[cell].number
            if number is not None:
                least = UNLIKELY if shares[row] >= OPEN else CUT_OFF
                suits[row] += np.log(np.maximum(self.seen.probs[:, number], least) * 7)
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
        return _Story(weight, faces, dict(zip(cells, shares.tolist(), strict=True)), top)

    def _of_tiles(self, top: dict[LatticePlace, Top], faces: dict[LatticePlace, int]) -> float:
        """Return what speaks for the numbers of new tiles, and how faces that look joined suit."""
        new: dict[int, list[int | None]] = {}
        tile_of = {}
        for cell, lies in top.items():
            if lies.number is None:
                new.setdefault(lies.tile, []).append(faces.get(cell))
            if cell in faces:
                tile_of[faces[cell]] = lies.tile
        weight = sum(self.of_numbers(*both) for both in new.values() if len(both) == 2)
        for face, tile in tile_of.items():
            if face < (other := int(self.seen.partner[face])) and other in tile_of:
                speaks = float(self.joined[face])
                weight += speaks if tile_of[other] == tile else -speaks
        return weight

    def _of_whole(self, top: dict[LatticePlace, Top], shares: dict[LatticePlace, float]) -> float:
        """Return what speaks for the tiles that lie open to be tiles, where they were looked at."""
        if not self.seen.whole:
            return 0.0
        cells: dict[int, list[LatticePlace]] = {}
        for cell, lies in top.items():
            if shares[cell] >= OPEN:
                cells.setdefault(lies.tile, []).append(cell)
        weight = 0.0
        for both in cells.values():
            if len(both) == 2:
                place = _ordered((both[0], both[1]), top[both[0]].level)
                odds = float(np.clip(self.seen.whole.get(place, 0.5), 1e-6, 1 - 1e-6))
                speaks = WHOLE * np.log(odds / (1 - odds))
                weight += float(np.clip(speaks, -WHOLE_MOST, WHOLE_MOST))
        return weight

    def of_numbers(self, one: int | None, other: int | None) -> float:
        """Return what speaks for the numbers on two faces to be those of a new tile."""
        return float(np.log(max(49 * self.numbers(one, other).sum(), 1e-9)))

    def numbers(self, one: int | None, other: int | None) -> Floats:
        """Return (7, 7) odds of the numbers of a tile on two faces, either not seen if None."""
        every = np.full(len(VALUES), 1 / len(VALUES))
        p, q = (every if k is None else self.seen.probs[k] for k in (one, other))
        return np.asarray(p[:, None] * self.allowed * q)

    def suiting(
        self,
        at: Points,
        levels: NDArray[np.intp],
        shares: Floats | None = None,
        parts: Points | None = None,
    ) -> Floats:
        """Return (m, n) how well n faces suit m places, minus infinity where they do not.

        Of a face of which (m,) *shares* are in sight, around (m, 2) *parts*, the detector outlines
        what it sees, or more of it.
        """
        steps = np.tile((1.0, 0.0), (len(at), 1))
        quads = self.camera.quads(at.astype(np.float64), steps, levels.astype(np.float64))
        places = np.column_stack([at, levels * self.camera.thickness])
        p, q = quads[:, 2] - quads[:, 0], quads[:, 3] - quads[:, 1]
        sides = np.sqrt(np.abs(p[:, 0] * q[:, 1] - p[:, 1] * q[:, 0]) / 2)[:, None]
        middles = self.camera.project(places)
        away = self.seen.middles - middles[:, None]
        larger = np.log(self.seen.sides / sides)
        if shares is not None and parts is not None:
            cut = np.where(shares < OPEN, 1.0, 0.0)[:, None]
            to = self.camera.project(np.column_stack([parts, places[:, 2]])) - middles
            along = (away @ to[:, :, None])[..., 0] / np.maximum((to**2).sum(axis=1), 1e-9)[:, None]
            away = away - (cut * np.clip(along, 0, 1))[..., None] * to[:, None]
            least = np.log(np.maximum(shares, HIDDEN))[:, None] / 2
            larger = (larger - cut * np.clip(larger, least, 0)) / (1 + cut * (LOOSELY - 1))
            away = away / (1 + cut * (LOOSELY - 1))[..., None]
        off = np.linalg.norm(away, axis=2) / sides
        real = np.clip(self.seen.real, *REAL)
        weight = np.log(real / (1 - real)) - _tails(off / OFF) - _tails(larger / SIZE)
        return np.where((off <= REACH) & (np.abs(larger) <= SCALE), weight, -np.inf)


def _tails(errors: Floats) -> Floats:
    """Return what errors, in their standard deviations, cost; hands and detectors slip at times."""
    return np.asarray(2.5 * np.log1p(errors**2 / 4))


def _detected(shares: Floats) -> Floats:
    """Return how likely faces are detected of which such shares are in sight."""
    between = np.clip((shares - HIDDEN) / (OPEN - HIDDEN), 0, 1)
    return np.asarray(GLIMPSED + (SEEN - GLIMPSED) * between)


def _with_another(
    weights: _Weights, top: dict[LatticePlace, Top], now: _Story, tile: int
) -> list[_Story]:
    """Return the likeliest stories in which one more tile was added, the best first."""
    places = _free_places(top)
    if not places or not len(weights.seen):
        return []
    first = all(lies.number is not None for lies in top.values())
    each = float(np.log((NEW if first else MORE) / len(places)))
    stories = []
    for cells, level in _likely(weights, top, now, places):
        on_one = level and top[cells[0]].tile == top[cells[1]].tile
        story = weights.of(top | {cell: Top(level, tile) for cell in cells})
        weight = story.weight + each - (ON_ONE if on_one else 0)
        stories.append(replace(story, weight=weight, cells=cells))
    return sorted(stories, key=lambda story: -story.weight)


def _added(weights: _Weights, stories: Sequence[_Story], none: float) -> Added:
    """Return the new tile of the first of *stories*, believed as its rivals and *none* leave."""
    best = stories[0]
    assert best.cells
    rivals = (story.weight for story in stories if _rival(best, story))
    odds = sum(np.exp(weight - best.weight) for weight in (*rivals, none))
    p, q = best.cells
    numbers = weights.numbers(best.faces.get(p), best.faces.get(q))
    return Added(best.cells, best.top[p].level, float(1 / odds), numbers / numbers.sum())


def _rival(one: _Story, other: _Story) -> bool:
    """Say whether two new tiles cannot both be there: in a cell of both, or by a face of both."""
    return bool({*one.cells} & {*other.cells} or {*one.new_faces} & {*other.new_faces})


def _free_places(top: dict[LatticePlace, Top]) -> list[tuple[TilePlaces, int]]:
    """Return where a tile can lie: on two faces of one height, or beside others on the table."""
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
    now: _Story,
    places: list[tuple[TilePlaces, int]],
) -> list[tuple[TilePlaces, int]]:
    """Return the places where a new tile may well lie, the likeliest first."""
    at = np.array([cell for cells, _ in places for cell in cells])[:, ::-1]
    levels = np.repeat([level for _, level in places], 2)
    suits = weights.suiting(at, levels)
    best, face = suits.max(axis=1), suits.argmax(axis=1)
    lone = float(np.log1p(-SEEN) - np.log(SEEN))
    bounds: list[tuple[float, int]] = []
    kept = {cell: _kept(weights, top[cell], cell, now) for cell in top}
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


def _kept(weights: _Weights, top: Top, cell: LatticePlace, now: _Story) -> float:
    """Return what the face seen on a cell speaks for what lies there now."""
    face = now.faces.get(cell)
    if face is None:
        return float(np.log1p(-_detected(np.array(now.shares[cell]))))
    real = float(np.clip(weights.seen.real[face], *REAL))
    number = 1.0 if top.number is None else max(weights.seen.probs[face, top.number], UNLIKELY) * 7
    return float(np.log(real / (1 - real)) + np.log(number))
