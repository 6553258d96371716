"""A match under one camera: what lies where at each step, and nothing moves but by a hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from models.series.dice import APART, CROWDED, a_die
from models.series.evening import Evening, NotDrawn
from models.series.paper import PagePicture, on_page, page_picture, page_view, pieces_on
from models.series.pictures import (
    MAT,
    TRACK,
    TRAY,
    dice_view,
    grid_flats,
    grid_width,
    on_grid,
    spots,
)  # fmt: skip
from models.series.shown import Shot
from models.sketch.bodies import Floats
from models.sketch.ground import SketchTop
from models.sketch.sketch_pieces import SketchPiece
from models.sketch.stacks import stacked, view_of
from models.sketch.view import SketchCamera
from scorer import Die, Game, Table

# Moves after which all dice lie elsewhere; after others what need not move keeps its place.
ROLLS = ("Roll", "RollPair", "StartRoll")
INSIDE = 2.5  # sides from the edge of a page to dice that fell on it, within its markers
STEEP = 0.72  # sine of the height from which a camera on a stand looks down at least


@dataclass(frozen=True, slots=True)
class LooseDie:
    """A die without a cell, where it came to rest."""

    die: Die
    at: tuple[float, float]
    yaw: float
    which: int


@dataclass(frozen=True, slots=True, eq=False)
class LaidTable:
    """What lies on the table once a step is done; `loose` are dice without a cell."""

    pieces: tuple[SketchPiece, ...]
    keys: tuple[Any, ...]  # of each piece, the same as long as it lies where it lies


@dataclass(frozen=True, slots=True, eq=False)
class FilmedMatch:
    """The scenes of a match, one for each of its shots, and the camera that sees them all."""

    view: SketchCamera
    top: SketchTop
    scenes: tuple[LaidTable, ...]


def filmed(evening: Evening, game: Game[Any, Any], shots: Sequence[Shot]) -> FilmedMatch:
    """Return the scenes of a match; raises NotDrawn."""
    if any(shot.table.tiles for shot in shots):
        return _with_tiles(evening, game, shots)
    page, board = _board(evening, game, shots)
    scenes = tuple(_with_dice(evening, shots, page, board))
    printed = None if page is None else on_page(evening, page)
    flats = () if board is None or page is not None else grid_flats(evening, board)
    return FilmedMatch(
        _view_of_dice(evening, page, board, shots), SketchTop(evening.seed, flats, printed), scenes
    )


def _with_tiles(evening: Evening, game: Game[Any, Any], shots: Sequence[Shot]) -> FilmedMatch:
    laid = [spots(shot.table, game.equipment(shot.before)) for shot in shots]
    every = list(dict.fromkeys(spot for spots_ in laid for spot in spots_))
    scenes = []
    for spots_ in laid:
        pieces = stacked(evening.chance(7), spots_, every)
        scenes.append(LaidTable(tuple(pieces), tuple(spots_)))
    view = _steep(lambda k: view_of(evening.chance(11, k), stacked(evening.chance(7), every)))
    return FilmedMatch(view, SketchTop(evening.seed), tuple(scenes))


def _board(
    evening: Evening, game: Game[Any, Any], shots: Sequence[Shot]
) -> tuple[PagePicture | None, str | None]:
    """Return the page of ours on which a match is played, if it is on one, and its board."""
    for shot in shots:
        wanted = game.equipment(shot.before)
        if all(die.cell is None for die in shot.table.dice):
            continue
        if wanted.places:
            return page_picture(TRACK), TRACK
        if not str(wanted.board).startswith("grid:"):
            raise NotDrawn(f"the board {wanted.board} cannot be drawn yet")
        ours = evening.printed
        return page_picture(str(wanted.board)) if ours else None, str(wanted.board)
    return page_picture(MAT) if evening.printed else None, None


def _view_of_dice(
    evening: Evening, page: PagePicture | None, board: str | None, shots: Sequence[Shot]
) -> SketchCamera:
    if page is not None:
        return _steep(lambda k: page_view(evening.chance(11, k), page))
    width = 2 * _room(shots) + 1 if board is None else grid_width(board)
    return _steep(lambda k: dice_view(evening.chance(11, k), width, from_below=board is not None))


def _steep(draw: Any) -> SketchCamera:
    """Return the first camera of *draw*, called with 0, 1 …, that looks down steeply enough."""
    k = 0
    while True:
        view: SketchCamera = draw(k)
        if view.eye[2] >= STEEP * np.linalg.norm(view.eye):
            return view
        k += 1


# ---------------------------------------------------------------- dice


def _with_dice(
    evening: Evening, shots: Sequence[Shot], page: PagePicture | None, board: str | None
) -> Iterator[LaidTable]:
    """Yield the scene of each shot: dice in cells by the board, the others where they fell."""
    loose: list[LooseDie] = []
    celled: tuple[Die, ...] = ()
    marker = 0
    low, high = _box(page, shots)
    for number, shot in enumerate(shots):
        kind = type(shot.moves[-1]).__name__ if shot.moves else ""
        inside = tuple(die for die in shot.table.dice if die.cell is not None)
        beside = [die for die in shot.table.dice if die.cell is None]
        if kind == "Bid":  # what was lost is put away; so is what was revealed
            beside = []
        if kind == "Reveal":
            beside = [one.die for one in loose] + beside
        if inside:
            celled, marker = inside, number
        pieces, keys = _in_cells(evening, marker, celled, page, board)
        lying = [] if kind in ROLLS else loose
        around = [piece.body[:2] for piece in pieces]
        loose = _settled(evening, number, beside, lying, around, (low, high))
        pieces += [a_die(evening, one.die, one.yaw, one.at, one.which) for one in loose]
        yield LaidTable(tuple(pieces), (*keys, *loose))


def _settled(
    evening: Evening, number: int, dice: Sequence[Die], lying: Sequence[LooseDie],
    around: Sequence[Floats], box: tuple[Floats, Floats],
) -> list[LooseDie]:  # fmt: skip
    """Return where dice lie: those that lay there stay, the others come to rest among them."""
    wanted, hand = Counter(dice), evening.chance(6, number)
    kept: list[LooseDie] = []
    for thrown in lying:
        if wanted[thrown.die]:
            wanted[thrown.die] -= 1
            kept.append(thrown)
    for which, die in enumerate(wanted.elements()):
        for _ in range(CROWDED):
            at = hand.uniform(*box)
            others = [*around, *(np.array(one.at) for one in kept)]
            if all(np.hypot(*(at - other)) > APART for other in others):
                break
        place = float(at[0]), float(at[1])
        kept.append(LooseDie(die, place, float(hand.uniform(0, 2 * np.pi)), which))
    return kept


def _in_cells(
    evening: Evening, number: int, dice: tuple[Die, ...], page: PagePicture | None,
    board: str | None,
) -> tuple[list[SketchPiece], tuple[Any, ...]]:  # fmt: skip
    if not dice:
        return [], ()
    table = Table(dice)
    pieces = (
        on_grid(evening, str(board), table) if page is None
        else pieces_on(evening, number, table, page)
    )  # fmt: skip
    track = board == TRACK  # its die is put there anew for each bid
    return pieces, tuple((die, number) if track else die for die in dice)


def _box(page: PagePicture | None, shots: Sequence[Shot]) -> tuple[Floats, Floats]:
    if page is not None:  # dice that are shown may lie on a track, beside its own
        middle = page.corners().mean(axis=0)
        reach = np.abs(page.corners() - middle).max(axis=0) - INSIDE
        return middle - reach, middle + reach
    corner = np.full(2, _room(shots))
    return -corner, corner


def _room(shots: Sequence[Shot]) -> float:
    most = max(sum(die.cell is None for die in shot.table.dice) for shot in shots)
    return max(TRAY, 0.8 * float(np.sqrt(most)) * APART)
