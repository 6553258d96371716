"""The stages in order: photo to faces, faces to values and colours, faces to tiles or cells."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from vision.board import Placed, place_dice
from vision.colour import SURE as SURE_COLOUR
from vision.colour import colour_odds, named
from vision.counted import given_count
from vision.covered import COVERED
from vision.dominoes import join_halves, tile_quad
from vision.eyes import Eyes, Raw, Seen, glance, is_clear, judge, look_again, shipped
from vision.geometry import Floats, Quad
from vision.gridded import board_of, free_for, in_cells
from vision.oneset import contested, each_once, suits_nearest
from vision.pairs import ONE_TILE, Pair, halves_of, what_lies
from vision.photo import Photo
from vision.pieces import Pieces
from vision.quality import complaints, is_cut_off, where
from vision.reading import Face, Kind, Look, Reading, Tile
from vision.rectified import read_rectified

CERTAIN = 0.9  # odds from which nobody need be asked whether two halves are one tile

UNREAD = {
    "sheet": "The sheet {} is not read yet. Enter its marks by hand.",
    "board": "The board {} is not read yet. Enter its pieces by hand.",
}


@dataclass(slots=True)
class Watch:
    """Times the stages; `ms` has them by name, in order."""

    ms: dict[str, float] = field(default_factory=dict)
    since: float = field(default_factory=time.perf_counter)

    def tick(self, stage: str) -> None:
        """Count the time since the last tick to *stage*."""
        now = time.perf_counter()
        self.ms[stage] = self.ms.get(stage, 0.0) + 1000 * (now - self.since)
        self.since = now


def read(
    photo: Photo,
    look: Look | None = None,
    eyes: Eyes | None = None,
    pieces: Pieces | None = None,
    *,
    moving: bool = False,
    before: Reading | None = None,
) -> Reading:
    """Read everything *look* asks for (by default whatever there is) on an upright photo.

    Args:
        photo: from `decode` or `load`.
        look: what to look for, and what is known of the game's pieces.
        eyes: other networks or another calibration than the shipped ones.
        pieces: what was taught about the pieces that lie there.
        moving: this is one of many frames of a camera. It is read at a glance, as the next one is
            another look already; a photo that is not clear at a glance is looked at again.
        before: what was read of the frame before, if any: faces are looked for as large as they
            were, and as in a photo where none are.

    Raises:
        NotTaught: the pieces were taught to other networks.
    """
    if pieces and eyes is None:
        pieces.check()
    look, eyes = look or Look(), eyes or shipped()
    watch = Watch({"decode": photo.ms})
    frame = _Frame(before.face_side if before else None) if moving else None
    scene = _Scene(photo, look, eyes, pieces, watch.tick, frame)
    tiles, dice = scene.tiles(), scene.dice()
    placed: Placed | None = None
    found: list[str] = []
    watch.tick("join")
    if look.grid:
        placed = place_dice(photo, dice, *look.grid)
        if placed is not None:
            scene.keep_to(placed)
        dice, found = in_cells(scene.dice(), placed, look)
        watch.tick("grid")
    else:
        dice.sort(key=lambda die: (-die.confidence, die.center))
    warnings = [*scene.warnings(), *found]
    if look.kind in UNREAD:
        warnings.append(UNREAD[look.kind].format(look.name))
    watch.tick("warnings")
    return Reading(
        photo.width, photo.height, tuple(dice), tuple(tiles), board=board_of(placed, look),
        warnings=tuple(warnings), perhaps=tuple(scene.quads[i] for i in scene.hinted),
        hint=scene.hint(), ms=sum(watch.ms.values()), stages=watch.ms,
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Frame:
    """One of a camera's many pictures."""

    side: float | None  # of the faces on the frame before, px of the photo; None if not known


class _Scene:
    """The places on one photo that may be faces, and which of them are dice, halves or doubts."""

    def __init__(
        self,
        photo: Photo,
        look: Look,
        eyes: Eyes,
        pieces: Pieces | None,
        tick: Callable[[str], None],
        frame: _Frame | None,
    ) -> None:
        self.photo, self.look, self.doubt = photo, look, eyes.doubt
        self.kind: Kind = look.kind  # what is taken to lie there
        self.loose: set[int] = set()  # dice that touch and may be a domino
        self.lone: set[int] = set()  # dice that may be half of one each
        self.covered: set[int] = set()  # halves of tiles that may be halves of others
        raw, self.pairs = self._looked(eyes, pieces, tick, frame)
        raw = self._contested_again(raw, eyes, pieces, tick)
        self.as_die = judge(raw, self.doubt)
        if self.kind == "dice":
            self._count(np.arange(len(raw)))
        some = self.kind == "dominoes" or self.pairs
        self.as_half = judge(raw, self.doubt, halves=True) if some else self.as_die
        self.colours, self.foreign = colour_odds(raw.colours, look.colours)
        self.quads = [Quad.around(q).scaled(photo.scale) for q in raw.found.quads]
        self.cut = [is_cut_off(q, photo.width, photo.height) for q in self.quads]
        self.shown, self.hinted = self._split()
        self.lone = self._lone_halves() - self.loose

    def _looked(
        self,
        eyes: Eyes,
        pieces: Pieces | None,
        tick: Callable[[str], None],
        frame: _Frame | None,
    ) -> tuple[Raw, list[Pair]]:
        """Look once, and again unless faces and dominoes are clear, or the camera does so."""

        def joined(raw: Raw) -> tuple[Raw, list[Pair]]:
            found = self._joined(pieces.adjust(raw) if pieces else raw, eyes)
            tick("joiner")
            return found

        bgr = self.photo.bgr
        if frame:
            side = frame.side and frame.side / self.photo.scale
            return joined(glance(bgr, eyes, tick, likely_side=side))
        first = glance(bgr, eyes, tick)
        if is_clear(first, self.doubt):
            raw, pairs = joined(first)
            if self._is_settled(raw, pairs):
                return raw, pairs
        halves = self.look.kind == "dominoes"
        return joined(look_again(bgr, first, eyes, tick, halves=halves))

    def _contested_again(
        self, raw: Raw, eyes: Eyes, pieces: Pieces | None, tick: Callable[[str], None]
    ) -> Raw:
        """Look once more at tiles which the others say are read wrong; the looks decide."""
        if not self.pairs:
            return raw
        ends = _odds_of_ends(self.pairs, judge(raw, self.doubt, halves=True))
        doubted = [self.pairs[k] for k in np.flatnonzero(contested(*ends))]
        if not doubted:
            return raw
        adjust = pieces.adjust if pieces else lambda own: own
        raw = read_rectified(self.photo.bgr, raw, doubted, eyes, adjust)
        tick("reader again")
        return raw

    def _is_settled(self, raw: Raw, pairs: list[Pair]) -> bool:
        """Say whether every domino is sure and, where only dominoes lie, no half may be left."""
        halves = judge(raw, self.doubt, halves=True)
        joined = halves_of(pairs)
        sure = all(pair.odds >= CERTAIN for pair in pairs) and all(
            odds.max() >= self.doubt.sure for odds in _odds_of_halves(pairs, halves).values()
        )
        if self.kind != "dominoes":
            return sure
        perhaps = np.flatnonzero(halves.real >= self.doubt.hinted)
        return sure and set(perhaps.tolist()) <= joined

    def _joined(self, raw: Raw, eyes: Eyes) -> tuple[Raw, list[Pair]]:
        """Join halves to tiles where dominoes may lie, and find out whether they do."""
        self.kind, self.loose, self.lone, self.covered = self.look.kind, set(), set(), set()
        dominoes, anyhow = 1.0, list[set[int]]()
        if self.kind == "auto":
            some, pairs = self._tiles_among(raw, eyes, only=False)
            faces = set(np.flatnonzero(judge(some, self.doubt).shown(self.doubt)).tolist())
            _, dominoes, both = what_lies(pairs, len(faces - halves_of(pairs)))
            if dominoes <= ONE_TILE:
                pairs = [replace(pair, odds=dominoes + both * pair.odds) for pair in pairs]
                self.loose = halves_of(p for p in pairs if 1 - CERTAIN < p.odds < ONE_TILE)
                return some, [pair for pair in pairs if pair.odds >= ONE_TILE]
            self.kind, anyhow = "dominoes", [halves_of([pair]) for pair in pairs]
        if self.kind != "dominoes":
            return raw, []
        raw, pairs = self._tiles_among(raw, eyes, only=True)
        # What is a tile only where no dice lie is no likelier than that.
        return raw, [
            pair if halves_of([pair]) in anyhow else replace(pair, odds=pair.odds * dominoes)
            for pair in pairs
        ]

    def _tiles_among(self, raw: Raw, eyes: Eyes, *, only: bool) -> tuple[Raw, list[Pair]]:
        """Join halves; unless *only* dominoes lie there, one half must plainly show pips."""
        real = judge(raw, self.doubt, halves=only).real
        joined = join_halves(self.photo.bgr, raw, real, eyes, only_dominoes=only)
        self.covered, self.lone = joined.covered, joined.lone
        return joined.raw, joined.pairs

    def _lone_halves(self) -> set[int]:
        """Return the dice that may be half of a domino each: where tiles lie, most are.

        Not those of another colour than the tiles, or of quite another size.
        """
        if self.kind != "auto":
            return set()
        if not self.pairs:
            return self.lone
        halves = sorted(halves_of(self.pairs))
        palette = {named(self.colours[i])[0][0] for i in halves}
        _, strange = colour_odds(self.as_die.raw.colours, tuple(palette))
        fits = suits_nearest(self.as_die.raw.found, np.array(halves, np.intp))
        return {i for i in self.shown if fits[i] and not strange[i]}

    def _split(self) -> tuple[list[int], list[int]]:
        """Return which single faces are reported, and which are only asked about."""
        halves = halves_of(self.pairs)
        single = [i for i in range(len(self.quads)) if i not in halves]
        seen = self.as_die
        if self.kind == "dominoes":  # half of one may be blank, and all are of one size
            seen = self.as_half
            fits = suits_nearest(seen.raw.found, np.array(sorted(halves), np.intp))
            single = [i for i in single if fits[i]]
        order = sorted(single, key=lambda i: -seen.real[i])
        likely, perhaps = seen.shown(self.doubt), seen.hinted(self.doubt)
        return [i for i in order if likely[i]], [i for i in order if perhaps[i]]

    def _count(self, places: NDArray[np.intp]) -> None:
        """Believe of some places what it says of them how many dice the game wants there."""
        if self.look.count is not None:
            real = self.as_die.real.copy()
            real[places] = given_count(real[places], self.look.count)
            self.as_die = replace(self.as_die, real=real)

    def keep_to(self, placed: Placed) -> None:
        """Ask only about places where another die may lie on a board, and count what is on it."""
        free = free_for([self.quads[i] for i in self.hinted], placed)
        hinted = [i for i, is_free in zip(self.hinted, free, strict=True) if is_free]
        inside = [i for i, cell in zip(self.shown, placed.cells, strict=True) if cell]
        self._count(np.array(inside + hinted, np.intp))
        self.hinted = [i for i in hinted if self.as_die.real[i] >= self.doubt.hinted]

    def dice(self) -> list[Face]:
        """Return the dice, the likeliest first."""
        if self.kind == "dominoes":
            return []
        sure = self.as_die.confidence
        return [self._face(i, _odds_of(self.as_die, i), float(sure[i])) for i in self.shown]

    def tiles(self) -> list[Tile]:
        """Return the dominoes, the surest first."""
        tiles = []
        odds = _odds_of_halves(self.pairs, self.as_half)
        for pair in self.pairs:
            first, second = (
                self._face(i, odds[i], float(odds[i].max())) for i in (pair.first, pair.second)
            )
            joined = min(pair.odds, COVERED if pair.first in self.covered else 1.0)
            tiles.append(Tile(
                tile_quad(first.quad, second.quad), (first, second),
                joined * first.confidence * second.confidence,
                first.sure and second.sure and joined >= CERTAIN,
            ))  # fmt: skip
        return sorted(tiles, key=lambda tile: (-tile.confidence, tile.quad.center))

    def _face(self, i: int, odds: Floats, confidence: float) -> Face:
        colours = named(self.colours[i])
        sure = confidence >= self.doubt.sure and not self.cut[i]
        sure = sure and i not in self.loose | self.lone
        if self.look.colours:  # the game tells its pieces apart by colour
            sure = sure and colours[0][1] >= SURE_COLOUR
        return Face(self.quads[i], tuple(odds.tolist()), colours, confidence, sure)

    def warnings(self) -> list[str]:
        """Return sentences that say what to change or where to look."""
        faces = [i for pair in self.pairs for i in (pair.first, pair.second)]
        faces += self.shown
        crops = self.as_die.raw.crops[faces]
        quads = np.array([self.quads[i].array for i in faces])
        said = complaints(self.photo.bgr, crops, quads)
        if any(self.cut[i] for i in faces):
            said.append("A piece is cut off at the edge of the photo. Show all of it.")
        if self.kind == "dominoes" and self.shown:
            places = self._where(self.shown)
            said.append(f"Half a domino is without its other half ({places}). Show the whole tile.")
        if hint := self.hint():
            said.append(hint)
        if loose := [i for i in self.shown if i in self.loose]:
            places = self._where(loose)
            said.append(f"Dice that touch may be a domino ({places}). Move them apart.")
        if lone := [i for i in self.shown if i in self.lone]:
            places = self._where(lone)
            said.append(f"A die may be half a domino ({places}). Show all of it, or tap it right.")
        said += [
            f"A {named(self.colours[i])[0][0]} die does not belong to this game."
            " Take it away or correct its colour."
            for i in self.shown
            if self.foreign[i]
        ]
        return said

    def hint(self) -> str | None:
        """Return a sentence that says where pieces may lie that are not reported."""
        if not self.hinted:
            return None
        many = "one more piece" if len(self.hinted) == 1 else f"{len(self.hinted)} more pieces"
        return f"There may be {many} ({self._where(self.hinted)}). Look there."

    def _where(self, places: list[int]) -> str:
        size = self.photo.width, self.photo.height
        return ", ".join(dict.fromkeys(where(self.quads[i].center, *size) for i in places))


def _odds_of_halves(pairs: list[Pair], halves: Seen) -> dict[int, Floats]:
    """Return (7,) odds of the values for each half: that a pair is one domino says both are faces.

    Two dominoes that show the same are unlikely.
    """
    rows = each_once(*_odds_of_ends(pairs, halves))
    return {
        i: own
        for pair, *both in zip(pairs, *rows, strict=True)
        for i, own in zip((pair.first, pair.second), both, strict=True)
    }


def _odds_of_ends(pairs: list[Pair], halves: Seen) -> tuple[Floats, Floats]:
    """Return (n, 7) odds of the values on the first half of each pair, and on the second."""
    first, second = (
        np.array([_odds_of(halves, i) for i in ends]).reshape(-1, 7)
        for ends in ([pair.first for pair in pairs], [pair.second for pair in pairs])
    )
    return first, second


def _odds_of(seen: Seen, i: int) -> Floats:
    """Return (7,) odds of the values of a face, if it is one, its likeliest as far as believed."""
    top, right = int(seen.odds[i].argmax()), float(seen.right[i])
    rest = seen.odds[i] + 1e-3
    rest[top] = 0
    rest *= (1 - right) / rest.sum()
    odds = np.minimum(rest, 0.99 * right)  # none of the others is likelier
    odds[top] = right
    return np.asarray(odds / odds.sum(), np.float64)
