"""A match as a camera on a stand films it: `python -m models.series GAME --still-camera`.

Each match is a folder: pictures, and film.json with the game and, for each step on the table, what
was said before it, the move that it shows, and the pictures with the seconds for which they last.
Hands come, take, put down and go; the last picture of a step shows what lies still.
"""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from models.drawn import as_jpeg
from models.series.evening import (
    APART,
    CROWDED,
    Evening,
    NotDrawn,
    PagePicture,
    a_die,
    on_page,
    page_picture,
    page_view,
    pieces_on,
)
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
from models.series.shown import BESIDE, Shot, shots
from models.sketch import bodies
from models.sketch.bodies import Floats
from models.sketch.ground import USUAL, SketchTop, lay_top
from models.sketch.sketch import draw_illumination, lit_table
from models.sketch.sketch_pieces import SketchPiece, draw_skin, draw_style, hand_pieces
from models.sketch.stacks import stacked, view_of
from models.sketch.view import SketchCamera, developed, exposure, shrunk, zoomed
from scorer import Die, Game, Table, dump_move

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
    """The pieces on the table after a step."""

    pieces: tuple[SketchPiece, ...]
    keys: tuple[Any, ...]  # of each piece, the same until it is moved


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


MOVING_S, BARE_S, LIES_S = 0.3, 0.75, 1.5  # a picture of a hand, a table between, one at rest
HALF_WAY, OVER = 6.0, 2.0  # sides from what is touched, and height above the table
FINER = 1.4  # than the picture is what is drawn
EMPTY = LaidTable((), ())


@dataclass(frozen=True, slots=True, eq=False)
class FilmPicture:
    """One picture of a film: the pieces, the place of a hand, and how long it is shown."""

    scene: LaidTable
    hand: Floats | None
    seconds: float


class Stand:
    """The camera of one evening: takes to pictures in the same light."""

    def __init__(self, evening: Evening, match: FilmedMatch, width: int) -> None:
        chance = evening.chance(12)
        self.light = draw_illumination(chance)
        self.skin, self.style = draw_skin(chance), draw_style(evening.chance(3))
        self.toward = float(chance.uniform(0, 2 * np.pi))
        first = list(match.scenes[0].pieces)
        longest = max(match.view.width, match.view.height)
        self.size = match.view.width * width // longest, match.view.height * width // longest
        self.view = zoomed(match.view, FINER * width / longest)
        self.ground = lay_top(self.view, first, USUAL, match.top)
        self.gain = exposure(lit_table(self.view, first, self.ground, self.light))

    def picture(self, take: FilmPicture) -> NDArray[np.uint8]:
        """Return (h, w, 3) BGR."""
        pieces = list(take.scene.pieces)
        if take.hand is not None:
            pieces += hand_pieces(self.style, self.skin, take.hand, self.toward)
        light = lit_table(self.view, pieces, self.ground, self.light)
        shown = developed(shrunk(light * np.float32(self.gain), self.size))
        return np.asarray(np.clip(shown, 0, 255), np.uint8)

    def at(self, pieces: Sequence[SketchPiece], away: float) -> Floats:
        """Return the place of a hand that is *away*, in sides, from the middle of *pieces*."""
        at = [piece.body[bodies.AT : bodies.AT + 2] for piece in pieces]
        x, y = np.mean(at, axis=0) if at else np.zeros(2)
        out = np.array([np.cos(self.toward), np.sin(self.toward)]) * away
        return np.array([x + out[0], y + out[1], OVER])


def takes(stand: Stand, before: LaidTable, after: LaidTable) -> Iterator[FilmPicture]:
    """Yield how a hand makes one scene of another, and what rests then.

    Where pieces go and others come the table rests between, but for one that is only moved.
    """
    gone = [p for p, key in zip(before.pieces, before.keys, strict=True) if key not in after.keys]
    come = [p for p, key in zip(after.pieces, after.keys, strict=True) if key not in before.keys]
    if gone and come and (len(gone), len(come)) != (1, 1):
        left = [k for k, key in enumerate(before.keys) if key in after.keys]
        between = LaidTable(
            tuple(before.pieces[k] for k in left), tuple(before.keys[k] for k in left)
        )
        yield from _handled(stand, before, between, gone)
        yield FilmPicture(between, None, BARE_S)
        yield from _handled(stand, between, after, come)
    else:
        yield from _handled(stand, before, after, gone + come)
    yield FilmPicture(after, None, LIES_S)


def _handled(
    stand: Stand, before: LaidTable, after: LaidTable, touched: Sequence[SketchPiece]
) -> Iterator[FilmPicture]:
    for scene, away in ((before, HALF_WAY), (before, 0.0), (after, 0.0), (after, HALF_WAY)):
        yield FilmPicture(scene, stand.at(touched, away), MOVING_S)


def write_film(
    folder: Path,
    game: Game[Any, Any],
    seats: int,
    seed: int,
    most: int,
    quality: int,
    *,
    width: int = 960,
    settings: dict[str, Any] | None = None,
) -> int:
    """Write the film of one match; return how many steps it shows. Raises NotDrawn."""
    evening = Evening(seed)
    played = shots(game, seats, seed, most, settings, filmed=True)
    match = filmed(evening, game, played)
    stand = Stand(evening, match, width)
    folder.mkdir(parents=True, exist_ok=True)
    first = EMPTY if not played[0].table.tiles else _foundation(match.scenes[0])
    lying = FilmPicture(first, None, LIES_S)
    steps: list[dict[str, Any]] = [
        {"said": [], "shown": [], "pictures": [_written(folder, 0, 0, stand, lying, quality)]}
    ]
    for number, (shot, scene) in enumerate(zip(played, match.scenes, strict=True), start=1):
        before = match.scenes[number - 2] if number > 1 else first
        pictures = [
            _written(folder, number, k, stand, take, quality)
            for k, take in enumerate(takes(stand, before, scene))
        ]
        said, shown = _told(shot)
        steps.append({"said": said, "shown": shown, "pictures": pictures})
    header: dict[str, Any] = {"game": game.name, "players": seats, "settings": settings or {}}
    header["then"] = [dump_move(move) for move in played[-1].then]
    (folder / "film.json").write_text(json.dumps(header | {"steps": steps}, indent=1))
    return len(played)


def _foundation(scene: LaidTable) -> LaidTable:
    """Return the tiles on the table before the first move; those of the flip are beside it."""
    count = sum(key.cells[0][0] < BESIDE for key in scene.keys)
    return LaidTable(scene.pieces[:count], scene.keys[:count])


def _told(shot: Shot) -> tuple[list[Any], list[Any]]:
    """Return the moves that are said before a step, and those that it shows: the last of a kind."""
    moves = list(shot.moves)
    shown: list[Any] = []
    while moves and (not shown or type(moves[-1]) is type(shown[0])):
        shown.insert(0, moves.pop())
    return [dump_move(move) for move in moves], [dump_move(move) for move in shown]


def _written(
    folder: Path, number: int, k: int, stand: Stand, take: FilmPicture, quality: int
) -> dict[str, Any]:
    name = f"{number:03d}-{k:02d}.jpg"
    (folder / name).write_bytes(as_jpeg(stand.picture(take), quality))
    return {"file": name, "seconds": take.seconds, "hand": take.hand is not None}
