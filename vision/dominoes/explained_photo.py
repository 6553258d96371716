"""The tiles on a photo once each of its faces is explained: where they lie, and what to ask.

In: faces, a camera that is registered with the tiles in place, and how likely each place is a face.
Out: an `Arrangement`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from vision.dominoes.closer_look import CloserLook, look_closer, real_prob
from vision.dominoes.explanation import BESIDE, Added, Explanation, explain
from vision.dominoes.lattice import BELIEVED, LatticePlace, PlacedTile
from vision.dominoes.refinement import refined
from vision.dominoes.registration import Faces
from vision.dominoes.table_camera import TableCamera
from vision.dominoes.tiles import tile_quad
from vision.dominoes.weights import AGAIN, REACH, ObservedFaces, top_of
from vision.geometry import Floats
from vision.quad import Quad
from vision.reading import VALUES, Face, LyingTile, TileReading
from vision.warnings import where_all

UNSEEN = 0.5  # confidence of a half that is not seen while the other half is in place
JOINED_REAL = 0.8  # lowest probability that a half of what looks like a tile is a face
CERTAINLY = 0.5  # probability from which a place counts as a face that must be explained
STILL = 200.0  # odds that a face seen where one was before shows the same number
# Odds of an unexplained face from which it is asked about: a question costs 1/30 of a mistake.
ASK = 1 / 30
STRAY = 0.01  # share of photos with a face off the lattice, because its tile was pushed or turned
APART = 2  # rows or columns from which a tile belongs to a hand or to the boneyard
TOUCHES = 1.3  # cells between the middle of a topmost face and what touches its tile
# Probability from which a tile that shows the same numbers as those below it is believed. In drawn
# stacks (seed 741001) one of 350 places without such a tile had 0.987; of the four with one two had
# 0.999 or more.
PLAINLY_HIGHER = 0.999
OPEN = 0.85  # visible share from which a face must be detected
# The camera is believed if these shares of the faces are explained, and of the open faces found.
EXPLAINED = 0.6
LOOSE = "Unmatched half tile ({}). Enter which tile it is."


@dataclass(frozen=True, slots=True)
class Arrangement:
    """Tiles with their cells, those on cells first, and the places that need no question."""

    tiles: tuple[TileReading, ...]
    explained: frozenset[int] = frozenset()  # of the lone halves
    warnings: tuple[str, ...] = ()


def _joined_prob(tile: TileReading) -> float:
    """Return the probability that the halves are one tile, given the numbers that they show."""
    first, second = tile.halves
    return min(tile.confidence / (first.confidence * second.confidence), 1.0)


@dataclass(frozen=True, slots=True, eq=False)
class ExplainedPhoto:
    """The faces on a photo and what each is.

    The halves of the tiles come first, then the lone ones, then those that only a closer look
    found.
    """

    tiles: Sequence[TileReading]
    names: Sequence[int]  # of the lone halves
    faces: Sequence[Face]
    tiles_in_place: Sequence[LyingTile]
    camera: TableCamera
    observed: ObservedFaces
    explanation: Explanation
    real: Mapping[Quad, float]  # probability that places are faces

    @classmethod
    def of(
        cls,
        tiles: Sequence[TileReading],
        lone: Mapping[int, Face],
        real: Mapping[Quad, float],
        tiles_in_place: Sequence[LyingTile],
        camera: TableCamera,
        closer: CloserLook | None,
    ) -> ExplainedPhoto:
        """Return the explanation of a photo's halves, read by *closer* where they are doubtful."""
        joined = [half for tile in tiles for half in tile.halves]
        faces = [*joined, *lone.values()]
        quads = Faces(np.array([face.quad.array for face in faces]), np.zeros(0, np.intp))
        observed = ObservedFaces(
            quads.middles,
            quads.sides,
            np.array([face.probs for face in faces]),
            np.array(
                [
                    *(max(real.get(half.quad, 1.0), JOINED_REAL) for half in joined),
                    *map(real_prob, lone.values()),
                ]
            ),
            np.array([*(k ^ 1 for k in range(len(joined))), *([-1] * len(lone))]),
            np.array([*np.repeat([_joined_prob(tile) for tile in tiles], 2), *([0.0] * len(lone))]),
        )
        camera = refined(camera, tiles_in_place, observed, quads.quads)
        if closer:
            faces, observed = look_closer(closer, camera, tiles_in_place, faces, observed)
        explanation = explain(camera, tiles_in_place, observed)
        return cls(tiles, tuple(lone), faces, tiles_in_place, camera, observed, explanation, real)

    @property
    def _used(self) -> frozenset[int]:
        """Return the faces of the tiles in place, and of added ones with both halves observed."""
        faces = self.explanation.faces
        halves = {
            faces[cell]
            for one in self.explanation.added
            if len(set(one.cells) & faces.keys()) == 1
            for cell in one.cells
            if cell in faces
        }
        return frozenset(faces.values()) - halves

    def _again_there(self) -> frozenset[int]:
        """Return the faces at the place of an explained face: second outlines of the same one."""
        used = self._used
        found = {cell: k for cell, k in self.explanation.faces.items() if k in used}
        at = np.array([(column, row) for row, column in found], np.float64).reshape(-1, 2)
        heights = np.array([self.explanation.top[cell].level for cell in found], np.float64)
        there = self.camera.project(np.column_stack([at, heights * self.camera.thickness]))
        away = np.linalg.norm(self.observed.middles[:, None] - there, axis=2)
        sides = self.observed.sides[list(found.values())]
        return frozenset(np.flatnonzero((away < REACH * sides).any(axis=1)).tolist())

    def is_plain(self) -> bool:
        """Return True if most observed faces are explained and most open ones are observed."""
        found, shares = self.explanation.faces, self.explanation.shares
        certain = {k for k, real in enumerate(self.observed.real) if real >= CERTAINLY}
        must = [cell for cell, share in shares.items() if share >= OPEN]
        explained = len(certain & self._used) >= EXPLAINED * len(certain)
        return explained and sum(cell in found for cell in must) >= EXPLAINED * len(must)

    def arranged(self, size: tuple[int, int]) -> Arrangement:
        """Return all tiles and what to ask about."""
        used, double = self._used, self._again_there()
        apart = [tile for i, tile in enumerate(self.tiles) if not {2 * i, 2 * i + 1} & used]
        loose = [
            self.faces[k]
            for k in range(2 * len(self.tiles))
            if k not in used | double
            and k ^ 1 in used
            and self.real.get(self.faces[k].quad, 1.0) >= CERTAINLY
            and not self._is_nothing(k)
        ]
        # What matches nothing was compared with everything that can be there.
        explained = used | double | {k for k in range(len(self.observed)) if self._is_nothing(k)}
        first_lone = 2 * len(self.tiles)
        return Arrangement(
            celled_first([*self._still_there(), *self._added_tiles(), *map(self._beside, apart)]),
            frozenset(name for k, name in enumerate(self.names, first_lone) if k in explained),
            (LOOSE.format(where_all((half.quad for half in loose), *size)),) if loose else (),
        )

    def _is_nothing(self, k: int) -> bool:
        """Return True if an unexplained face is none: of no added tile, and probably no face."""
        if k in self.explanation.faces.values() or self.explanation.perhaps.get(k, 0.0) >= ASK:
            return False
        # It is not half a tile, because what looks like its other half belongs to another.
        real = self.real.get(self.faces[k].quad, float(self.observed.real[k]))
        askew = STRAY * real / max(1 - real, 1e-9)
        return askew < ASK or self._is_a_side(k)

    def _is_a_side(self, k: int) -> bool:
        """Return True if a face without pips is the side of a tile, seen from low down."""
        if self.faces[k].value != 0:
            return False
        at = self.camera.on_level(np.array([self.faces[k].center]), 0.0)[0]
        tops = np.array(list(self.explanation.top), np.float64)[:, ::-1]
        return bool(np.linalg.norm(tops - at, axis=1).min() < TOUCHES)

    def _beside(self, tile: TileReading) -> TileReading:
        """Return a tile apart from all others, on the cells nearest to it."""
        px = np.array([half.center for half in tile.halves])
        at = self.camera.on_level(px, 0.0)
        along = at[1] - at[0]
        step = np.sign(along) * (np.abs(along) >= np.abs(along).max())
        first = np.round(at.mean(axis=0) - step / 2)
        ends = np.array([first, first + step])[:, ::-1]
        tops = np.array(list(self.explanation.top))
        if np.abs(tops[:, None] - ends).max(axis=2).min() < APART:
            return tile
        (a, b), (c, d) = ends.astype(int).tolist()
        halves = (replace(tile.halves[0], cell=(a, b)), replace(tile.halves[1], cell=(c, d)))
        return replace(tile, halves=halves, level=0)

    def _still_there(self) -> list[TileReading]:
        """Return the tiles in place that nothing covers and that show a half at least."""
        there = []
        for k, tile in enumerate(self.tiles_in_place):
            if any(self.explanation.top[cell].tile != k for cell in tile.cells):
                continue
            ends = [self.explanation.faces.get(cell) for cell in tile.cells]
            shares = [self.explanation.shares[cell] for cell in tile.cells]
            if ends != [None, None] or max(shares) < OPEN:
                there.append(self._joined(tile, ends, shares))
        return there

    def _joined(
        self, tile: LyingTile, ends: Sequence[int | None], shares: Sequence[float]
    ) -> TileReading:
        """Return a tile in place as it was observed.

        A half that should be visible but was not observed is doubtful if a tile may cover it.
        """
        at = np.array(tile.cells, np.float64)[:, ::-1]
        quads = self.camera.quads(at, at - at[::-1], np.full(2, float(tile.level)))
        colours = self.faces[next((k for k in ends if k is not None), 0)].colours
        first, second = (
            _unseen_face(
                cell, number, Quad.around(quad), colours,
                sure=share < OPEN or not self._may_be_covered(cell),
            ) if k is None
            else _face_in_place(
                self.faces[k], cell, number, self._numbers(tile, number, both=None not in ends)
            )
            for k, cell, number, quad, share
            in zip(ends, tile.cells, tile.halves, quads, shares, strict=True)
        )  # fmt: skip
        odds = first.confidence * second.confidence
        sure = first.sure and second.sure
        return TileReading(
            tile_quad(first.quad, second.quad), (first, second), odds, sure, tile.level
        )

    def _may_be_covered(self, cell: LatticePlace) -> bool:
        """Return True if a tile may cover a face that was not observed.

        It needs a second face of the same level that was not observed either. If the tile of this
        turn was found, the odds of another one must be worth a question.
        """
        if self.explanation.added and self.explanation.covered.get(cell, 0.0) < ASK:
            return False
        tops, (row, column) = self.explanation.top, cell
        return any(
            (other := (row + down, column + right)) not in self.explanation.faces
            and other in tops
            and tops[other].level == tops[cell].level
            for down, right in BESIDE
        )

    def _numbers(self, tile: LyingTile, number: int, *, both: bool) -> Floats:
        """Return (7,) odds of the number on a half that showed *number* before.

        If *both* halves are observed, another number means that another tile was put in its place:
        hardly one that is elsewhere on the table, because a set has each tile once.
        """
        other = tile.halves[1 - tile.halves.index(number)]
        odds = np.ones(len(VALUES))
        for tile_in_place in self.tiles_in_place if both else ():
            if other in tile_in_place.halves:
                odds[tile_in_place.halves[1 - tile_in_place.halves.index(other)]] = AGAIN
        odds[number] = STILL
        return odds

    def _added_tiles(self) -> list[TileReading]:
        """Return the added tiles that nothing covers."""
        tops = self.explanation.top
        found = []
        for k, added in enumerate(self.explanation.added, start=len(self.tiles_in_place)):
            if all(tops[cell].tile == k for cell in added.cells):
                found += self._added_tile(added)
        return found

    def _added_tile(self, added: Added) -> list[TileReading]:
        ends = [self.explanation.faces.get(cell) for cell in added.cells]
        if None in ends:
            return []
        first, second = (
            _face_of_added(self.faces[k], cell, added.numbers.sum(axis=axis))
            for k, cell, axis in zip(ends, added.cells, (1, 0), strict=True)
            if k is not None
        )
        odds = added.prob * float(added.numbers[first.value, second.value])
        quad = tile_quad(first.quad, second.quad)
        # A tile with the numbers of what was below it is believed only if its height shows it.
        below = top_of(self.tiles_in_place)
        same = [below[at].number for at in added.cells if at in below] == [
            first.value,
            second.value,
        ]
        level = None if same and added.prob < PLAINLY_HIGHER else added.level
        return [TileReading(quad, (first, second), odds, odds >= BELIEVED, level)]


def _face_of_added(half: Face, cell: LatticePlace, probs: Floats) -> Face:
    """Return a half of an added tile with the probabilities of its number given the whole tile."""
    share = float(probs.max())
    return replace(
        half, cell=cell, probs=tuple(probs.tolist()), confidence=share, sure=share >= BELIEVED
    )


def _face_in_place(half: Face, cell: LatticePlace, number: int, before: Floats) -> Face:
    """Return the face of a tile in place, its probabilities times the (7,) prior odds *before*.

    It is not sure if it looks like another number; that a tile covers it was ruled out before.
    """
    odds = np.array(half.probs) * before
    odds /= odds.sum()
    share = float(odds.max())
    return replace(
        half,
        cell=cell,
        probs=tuple(odds.tolist()),
        confidence=share,
        sure=share == float(odds[number]),
    )


def _unseen_face(
    cell: LatticePlace,
    number: int,
    quad: Quad,
    colours: tuple[tuple[str, float], ...],
    *,
    sure: bool,
) -> Face:
    """Return a face in place that was not observed; *sure* if nothing can have covered it."""
    probs = tuple(float(n == number) for n in VALUES)
    return Face(quad, probs, colours, 1.0 if sure else UNSEEN, sure=sure, cell=cell)


def in_cells(tile: TileReading, placed: PlacedTile) -> TileReading:
    """Return a tile with the cells that it covers, as it is if it covers none."""
    if placed.cells is None:
        return tile
    first, second = (
        replace(half, cell=cell) for half, cell in zip(tile.halves, placed.cells, strict=True)
    )
    return replace(tile, halves=(first, second), level=placed.level)


def celled_first(tiles: Sequence[TileReading]) -> tuple[TileReading, ...]:
    """Return the tiles, those on cells first."""
    return tuple(sorted(tiles, key=lambda tile: tile.halves[0].cell is None))
