"""Which cells the tiles of a reading cover: on a lattice of their own, or where some are known.

In: tiles and lone halves as they were read, and a `Look`. Out: an `Arrangement`. Where it is known
what lies there, `explain` says of each face what it is: halves that were joined wrongly are taken
apart, those of one known tile are joined, and a half that is left over is half covered or asked
about.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from vision.dominoes.closer_look import CloserLook, look_closer, real_prob
from vision.dominoes.explanation import (
    AGAIN,
    BESIDE,
    REACH,
    Added,
    Explanation,
    Observed,
    explain,
    top_of,
)
from vision.dominoes.lattice import BELIEVED, LatticePlace, PlacedTile, find_lattice
from vision.dominoes.refinement import refined
from vision.dominoes.registration import Faces, register
from vision.dominoes.table_camera import TableCamera
from vision.dominoes.tiles import tile_quad
from vision.errors import Unreadable
from vision.geometry import Floats, Quad
from vision.quality import where
from vision.reading import VALUES, Face, Look, LyingTile, TileReading

UNSEEN = 0.5  # confidence of a half that is not seen while the other half lies where it did
JOINED_REAL = 0.8  # probability at least that what looks like half of a tile is a face
CERTAINLY = 0.5  # probability from which a place is taken for a face that must be explained
STILL = 200.0  # odds that a face which is seen where it lay shows the number that it showed
# Odds of a left-over face from which somebody is asked: a question costs a thirtieth of a mistake.
ASK = 1 / 30
STRAY = 0.01  # of photos show a face where no tile may lie, as one was pushed or turned
TOUCHES = 1.3  # cells from the middle of a face on top to what touches its tile
APART = 2  # rows or columns from which a tile belongs to a hand or to the boneyard
# Probability from which a tile that shows the numbers below it is one: of 350 places where none lay
# in drawn stacks (seed 741001) one had 0.987, and of four where one lay two had 0.999 or more.
PLAINLY_HIGHER = 0.999
OPEN = 0.85  # share in sight from which a face must be seen
# Shares, of the faces seen that are explained and of the known ones in sight that are seen, from
# which the camera is believed.
EXPLAINED = 0.6
MIRRORED = (
    "The photo is mirrored. Take it with the camera on the back of the phone, or switch"
    " mirroring off."
)
ASKEW = "A tile lies off the lattice of the others ({}). Push it straight, or say where it lies."
LOOSE = "Unmatched half tile ({}). Say which tile lies there."
UNPLACED = "Can't see how the tiles are stacked. Take the photo from higher up."


@dataclass(frozen=True, slots=True)
class Arrangement:
    """Tiles with their cells, those with cells first, and the places that need no question."""

    tiles: tuple[TileReading, ...]
    explained: frozenset[int] = frozenset()  # of the lone halves
    warnings: tuple[str, ...] = ()


def lay_out(
    tiles: Sequence[TileReading],
    lone: Mapping[int, Face],
    look: Look,
    size: tuple[int, int],
    real: Mapping[Quad, float] | None = None,
    closer: CloserLook | None = None,
) -> Arrangement:
    """Put tiles on cells.

    Args:
        tiles: as they were joined.
        lone: places without another half, faint ones too, by whatever names them.
        look: what is known to lie there.
        size: px of the photo, width and height.
        real: the probability that each place is a face; what it does not name surely is.
        closer: reads faces where the camera says that they are to be seen.

    Raises:
        Unreadable: what is known lies there as only a mirror shows it.
    """
    quads = np.array([[half.quad.array for half in tile.halves] for tile in tiles])
    quads = quads.reshape(-1, 2, 4, 2)
    if look.lying and tiles:
        numbers = [(tile.halves[0].value, tile.halves[1].value) for tile in tiles]
        registered = register(quads, numbers, look.lying, size, _certain(lone))
        if registered and registered.mirrored:
            raise Unreadable("lattice", MIRRORED)
        told = registered and _Told.of(
            *(tiles, lone, real or {}, look.lying, registered.camera, closer)
        )
        if told and told.is_plain():
            return told.arranged(size)
        if all(tile.level == 0 for tile in look.lying):  # else they lie at many heights
            tiles = _alone(tiles, lone, size).tiles
        return Arrangement(tuple(tiles), warnings=(UNPLACED,))
    return _alone(tiles, lone, size)


def _alone(
    tiles: Sequence[TileReading], lone: Mapping[int, Face], size: tuple[int, int]
) -> Arrangement:
    """Put tiles of which none is known on cells, where all that touch lie on one level.

    Half a tile without its other half lies below another: then heights are not known.
    """
    if len(_certain(lone).numbers):
        return Arrangement(tuple(tiles))
    quads = np.array([[half.quad.array for half in tile.halves] for tile in tiles])
    lattice = find_lattice(quads, size) if tiles else None
    if lattice is None or not lattice.flat:
        return Arrangement(tuple(tiles))
    # How high the lowest of them lies does not show.
    placed = [replace(one, level=None) for one in lattice.tiles]
    return Arrangement(
        _celled_first([_in_cells(*both) for both in zip(tiles, placed, strict=True)]),
        warnings=_asked(tiles, placed, size),
    )


def _joined_prob(tile: TileReading) -> float:
    """Return the probability that the halves of a tile are one tile's, given what they show."""
    first, second = tile.halves
    return min(tile.confidence / (first.confidence * second.confidence), 1.0)


def _certain(lone: Mapping[int, Face]) -> Faces:
    halves = [half for half in lone.values() if real_prob(half) >= CERTAINLY]
    quads = np.array([half.quad.array for half in halves]).reshape(-1, 4, 2)
    return Faces(quads, np.array([half.value for half in halves], np.intp))


@dataclass(frozen=True, slots=True, eq=False)
class _Told:
    """The faces of a photo and what they are.

    First the halves of the tiles, then the lone ones, then those that only a closer look has seen.
    """

    tiles: Sequence[TileReading]
    names: Sequence[int]  # of the lone halves
    faces: Sequence[Face]
    known: Sequence[LyingTile]
    camera: TableCamera
    seen: Observed
    explanation: Explanation
    real: Mapping[Quad, float]  # probability that places are faces

    @classmethod
    def of(
        cls,
        tiles: Sequence[TileReading],
        lone: Mapping[int, Face],
        real: Mapping[Quad, float],
        known: Sequence[LyingTile],
        camera: TableCamera,
        closer: CloserLook | None,
    ) -> _Told:
        joined = [half for tile in tiles for half in tile.halves]
        faces = [*joined, *lone.values()]
        quads = Faces(np.array([face.quad.array for face in faces]), np.zeros(0, np.intp))
        seen = Observed(
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
        camera = refined(camera, known, seen, quads.quads)
        if closer:
            faces, seen = look_closer(closer, camera, known, faces, seen)
        explanation = explain(camera, known, seen)
        return cls(tiles, tuple(lone), faces, known, camera, seen, explanation, real)

    @property
    def _used(self) -> frozenset[int]:
        """Return the faces of known tiles, and of new ones that are seen whole."""
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
        """Return the faces that lie where one that is explained does: outlined a second time."""
        used = self._used
        found = {cell: k for cell, k in self.explanation.faces.items() if k in used}
        at = np.array([(column, row) for row, column in found], np.float64).reshape(-1, 2)
        heights = np.array([self.explanation.top[cell].level for cell in found], np.float64)
        there = self.camera.project(np.column_stack([at, heights * self.camera.thickness]))
        away = np.linalg.norm(self.seen.middles[:, None] - there, axis=2)
        sides = self.seen.sides[list(found.values())]
        return frozenset(np.flatnonzero((away < REACH * sides).any(axis=1)).tolist())

    def is_plain(self) -> bool:
        """Say whether most of what is seen is explained, and most of what must be seen is."""
        found, shares = self.explanation.faces, self.explanation.shares
        certain = {k for k, real in enumerate(self.seen.real) if real >= CERTAINLY}
        must = [cell for cell, share in shares.items() if share >= OPEN]
        explained = len(certain & self._used) >= EXPLAINED * len(certain)
        return explained and sum(cell in found for cell in must) >= EXPLAINED * len(must)

    def arranged(self, size: tuple[int, int]) -> Arrangement:
        """Return all tiles, and what is asked about."""
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
        places = dict.fromkeys(where(half.center, *size) for half in loose)
        # What suits nothing has been weighed against all that can lie there.
        explained = used | double | {k for k in range(len(self.seen)) if self._is_nothing(k)}
        first_lone = 2 * len(self.tiles)
        return Arrangement(
            _celled_first([*self._still_there(), *self._new(), *map(self._beside, apart)]),
            frozenset(name for k, name in enumerate(self.names, first_lone) if k in explained),
            (LOOSE.format(", ".join(places)),) if loose else (),
        )

    def _is_nothing(self, k: int) -> bool:
        """Say whether a face that is left over is none: it is no new tile's, nor plainly one."""
        if k in self.explanation.faces.values() or self.explanation.perhaps.get(k, 0.0) >= ASK:
            return False
        # Half a tile it is not, as what looks like the other half is another one's.
        real = self.real.get(self.faces[k].quad, float(self.seen.real[k]))
        askew = STRAY * real / max(1 - real, 1e-9)
        return askew < ASK or self._is_a_side(k)

    def _is_a_side(self, k: int) -> bool:
        """Say whether a face without a pip is what a camera sees of tiles from beside them."""
        if self.faces[k].value != 0:
            return False
        at = self.camera.on_level(np.array([self.faces[k].center]), 0.0)[0]
        tops = np.array(list(self.explanation.top), np.float64)[:, ::-1]
        return bool(np.linalg.norm(tops - at, axis=1).min() < TOUCHES)

    def _beside(self, tile: TileReading) -> TileReading:
        """Return a tile that lies apart from all others in the cells nearest to it."""
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
        """Return the known tiles on which nothing lies, as far as a half of them is seen."""
        there = []
        for k, tile in enumerate(self.known):
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
        """Return a known tile as it is seen.

        A half that must be seen and is not is asked about where another tile may lie on it.
        """
        at = np.array(tile.cells, np.float64)[:, ::-1]
        quads = self.camera.quads(at, at - at[::-1], np.full(2, float(tile.level)))
        colours = self.faces[next((k for k in ends if k is not None), 0)].colours
        first, second = (
            _hidden(
                cell, number, Quad.around(quad), colours,
                sure=share < OPEN or not self._may_be_covered(cell),
            ) if k is None
            else _again(
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
        """Say whether a tile may lie on a face that is not seen: on two of one height it must.

        Where the tile of this turn is seen, another one must be about as likely as a mistake.
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
        """Return (7,) odds of what the half of a known tile that showed *number* shows now.

        With another number there, where *both* halves are seen, another tile was put in its place:
        hardly one that lies elsewhere, as a box has each once.
        """
        other = tile.halves[1 - tile.halves.index(number)]
        odds = np.ones(len(VALUES))
        for one in self.known if both else ():
            if other in one.halves:
                odds[one.halves[1 - one.halves.index(other)]] = AGAIN
        odds[number] = STILL
        return odds

    def _new(self) -> list[TileReading]:
        """Return the tiles that were added and lie open."""
        tops = self.explanation.top
        found = []
        for k, one in enumerate(self.explanation.added, start=len(self.known)):
            if all(tops[cell].tile == k for cell in one.cells):
                found += self._added(one)
        return found

    def _added(self, one: Added) -> list[TileReading]:
        ends = [self.explanation.faces.get(cell) for cell in one.cells]
        if None in ends:
            return []
        first, second = (
            _numbered(self.faces[k], cell, one.numbers.sum(axis=axis))
            for k, cell, axis in zip(ends, one.cells, (1, 0), strict=True)
            if k is not None
        )
        odds = one.prob * float(one.numbers[first.value, second.value])
        quad = tile_quad(first.quad, second.quad)
        # What shows just what lay there is no new tile unless its height tells it.
        below = top_of(self.known)
        same = [below[at].number for at in one.cells if at in below] == [first.value, second.value]
        level = None if same and one.prob < PLAINLY_HIGHER else one.level
        return [TileReading(quad, (first, second), odds, odds >= BELIEVED, level)]


def _numbered(half: Face, cell: LatticePlace, probs: Floats) -> Face:
    """Return a half of a new tile with what the box has left; it is a face as the tile is there."""
    share = float(probs.max())
    return replace(
        half, cell=cell, probs=tuple(probs.tolist()), confidence=share, sure=share >= BELIEVED
    )


def _again(half: Face, cell: LatticePlace, number: int, before: Floats) -> Face:
    """Return a face where a known one lay, with the (7,) odds of its numbers, unseen.

    It is asked about where it looks like another number: that a tile lies on it has been weighed.
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


def _hidden(
    cell: LatticePlace,
    number: int,
    quad: Quad,
    colours: tuple[tuple[str, float], ...],
    *,
    sure: bool,
) -> Face:
    """Return a known face that is not seen where it lay; *sure* where it must lie there still."""
    probs = tuple(float(n == number) for n in VALUES)
    return Face(quad, probs, colours, 1.0 if sure else UNSEEN, sure=sure, cell=cell)


def _in_cells(tile: TileReading, placed: PlacedTile) -> TileReading:
    if placed.cells is None:
        return tile
    first, second = (
        replace(half, cell=cell) for half, cell in zip(tile.halves, placed.cells, strict=True)
    )
    return replace(tile, halves=(first, second), level=placed.level)


def _celled_first(tiles: Sequence[TileReading]) -> tuple[TileReading, ...]:
    return tuple(sorted(tiles, key=lambda tile: tile.halves[0].cell is None))


def _asked(
    tiles: Sequence[TileReading], placed: Sequence[PlacedTile], size: tuple[int, int]
) -> tuple[str, ...]:
    both = zip(tiles, placed, strict=True)
    off = [tile for tile, one in both if one.hypotheses and one.cells is None]
    if not off:
        return ()
    places = dict.fromkeys(where(tile.quad.center, *size) for tile in off)
    return (ASKEW.format(", ".join(places)),)
