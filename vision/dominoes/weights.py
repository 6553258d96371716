"""How well faces on a photo suit what lies on top of each cell of a table: log odds.

In: an `ObservedFaces` and what is on top of each cell. Out: an `Assignment` of faces to cells.
All weights are natural logarithms of odds.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from vision.dominoes.lattice import LatticePlace, TilePlaces
from vision.dominoes.occlusion import visible_parts
from vision.dominoes.table_camera import TableCamera
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
LOOSELY = 2.0  # factor by which the place and size of a partly hidden face may be off
AGAIN = 0.01  # odds that a tile already in place elsewhere was moved to this place
# Weight of two faces that look like one tile: half the log odds of the pair classifier, because it
# is counted for both faces. The classifier was not trained on stacks.
JOINED = (0.5, 2.5)  # at least and at most
# Weight of two faces that were cropped where the camera expects a tile, as a factor of the log odds
# and as a maximum. In drawn stacks (seed 600001) 148 of 240 tiles got a probability of 0.97 or more
# and 2 got less than 0.1; of 216 neighbours that are not one tile 1 and 157 did.
WHOLE, WHOLE_MOST = 0.8, 4.0


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


@dataclass(frozen=True, slots=True)
class Top:
    """The topmost face of a cell."""

    level: int
    tile: int  # index among the tiles in place, followed by those added
    number: int | None = None  # None: of an added tile


def ordered(cells: TilePlaces, level: int) -> tuple[TilePlaces, int]:
    """Return the place of a tile as `ObservedFaces.whole` has it, its cells in order."""
    a, b = sorted(cells)
    return (a, b), level


def top_of(tiles_in_place: Sequence[LyingTile]) -> dict[LatticePlace, Top]:
    """Return the topmost face of each cell, given the tiles in place, lowest first."""
    return {
        cell: Top(tile.level, k, number)
        for k, tile in enumerate(tiles_in_place)
        for cell, number in zip(tile.cells, tile.halves, strict=True)
    }


def allowed_numbers(tiles_in_place: Sequence[LyingTile]) -> Floats:
    """Return (7, 7) odds of the numbers of a new tile: a set has each tile once."""
    odds = np.ones((len(VALUES), len(VALUES)))
    for tile in tiles_in_place:
        a, b = tile.halves
        odds[a, b] = odds[b, a] = AGAIN
    return np.asarray(odds / odds.sum())


@dataclass(frozen=True, slots=True, eq=False)
class Assignment:
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
class Weights:
    """Assigns observed faces to cells, with the log odds of that."""

    camera: TableCamera
    observed: ObservedFaces
    allowed: Floats

    @cached_property
    def joined(self) -> Floats:
        """Return (n,) log odds that each face and its partner are one tile, halved and clipped."""
        odds = np.clip(self.observed.joined, 1e-6, 1 - 1e-6)
        return np.asarray(np.clip(np.log(odds / (1 - odds)) / 2, *JOINED))

    def of(self, top: dict[LatticePlace, Top]) -> Assignment:
        """Assign faces to the topmost places, best match first, each face at most once."""
        cells = list(top)
        levels = np.array([top[cell].level for cell in cells])
        shares, parts = visible_parts(self.camera, cells, levels)
        hit = detected(shares)
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
        return Assignment(weight, faces, dict(zip(cells, shares.tolist(), strict=True)), top)

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
                place = ordered((both[0], both[1]), top[both[0]].level)
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


def detected(shares: Floats) -> Floats:
    """Return the probability that faces with these visible shares are detected."""
    between = np.clip((shares - HIDDEN) / (OPEN - HIDDEN), 0, 1)
    return np.asarray(GLIMPSED + (SEEN - GLIMPSED) * between)
