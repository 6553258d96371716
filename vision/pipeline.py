"""Read a photo: detect → classify → calibrate → assemble.

Each step takes immutable values and returns new ones.
"""

import time
from dataclasses import dataclass, field, replace
from os import PathLike

import numpy as np

from vision.assemble import (
    Scored,
    Selection,
    apart,
    choose,
    dice_of,
    hint_of,
    lone_halves,
    on_board,
    score,
    tiles_of,
    warnings_of,
    without,
    without_faint,
    without_gaps,
    without_pattern,
)
from vision.boards.dice_lattice import PlacedDice, place_dice
from vision.boards.kept_print import KeptPrint
from vision.boards.pose import NOT_FLAT, BoardPose, LocatedBoard
from vision.boards.printed_board import (
    beside,
    board_at,
    grid_at,
    ground_of,
    in_layout,
    locate_board,
    marked,
    printed,
    printed_cells,
)
from vision.boards.report import board_of, free_for, in_cells
from vision.boards.sheet.marks import SheetMarks, marks_at, was_seen
from vision.boards.sheet.occluders import SPOTTED, occluders_said
from vision.dominoes.cells import lay_out
from vision.dominoes.closer_look import CloserLook
from vision.dominoes.copies import doubted_tiles
from vision.dominoes.explained_photo import Arrangement
from vision.dominoes.pip_counter import counted
from vision.dominoes.scene import MovingFrame, Scene, find_scene
from vision.faces.adapter import Adapter
from vision.faces.candidates import score_candidates
from vision.faces.networks import Models, shipped_models
from vision.faces.white_balance import in_neutral_light
from vision.photo import Photo, opened
from vision.quad import Quad
from vision.quality import BLURRED, is_smeared, why_unclear, why_unread
from vision.reading import THING, BoardReading, Face, Look, Reading, UnreadPiece
from vision.screen_detector import ON_SCREEN, shows_screen
from vision.unread import unread_pieces
from vision.warnings import DOUBLE_SIX, UNSEEN

MOST_DOUBTS = 6  # doubtful marks, from which the photo rather than the hand is to blame
BELIEVED = 0.5  # confidence below which a piece that fills a printed cell counts as its print
UNREAD = {
    "sheet": "The sheet {} is not read yet. Enter its marks by hand.",
    "board": "The board {} is not read yet. Enter its pieces by hand.",
}


@dataclass(slots=True)
class Stopwatch:
    """Measures the time of each stage; `ms` has it by name, in order."""

    ms: dict[str, float] = field(default_factory=dict)
    since: float = field(default_factory=time.perf_counter)

    def lap(self, stage: str) -> None:
        """Add the time since the last lap to *stage*."""
        ended = time.perf_counter()
        self.ms[stage] = self.ms.get(stage, 0.0) + 1000 * (ended - self.since)
        self.since = ended


def read(
    photo: Photo | str | PathLike[str],
    look: Look | str | None = None,
    models: Models | None = None,
    adapter: Adapter | None = None,
    *,
    moving: bool = False,
    before: Reading | None = None,
    kept: KeptPrint | None = None,
) -> Reading:
    """Read everything that *look* asks for (by default, whatever there is) on an upright photo.

    Args:
        photo: from `decode`, `load` or `Photo.from_array`, or the path of its file.
        look: what to look for, and what is known of the game's pieces; or its text, "grid:3x3".
        models: other networks or another calibration than the shipped ones.
        adapter: for a family's own pieces.
        moving: a frame of a camera gets only the first pass: the next frame is another chance. A
            photo that is not clear is read again at other scales.
        before: the reading of the previous frame. Faces of that size are searched for first.
        kept: print of earlier frames of this camera; while `moving` it is used if it looks alike.

    Raises:
        Unreadable: the file is not a photo, or the photo is mirrored.
        TypeError: it is not a photo; for an array use `Photo.from_array`.
        ValueError: there is no such look.
        NotTaught: the adapter was taught with other networks.
    """
    models = models or _models_for(adapter)
    photo = opened(photo)
    look = Look.parse(look) if isinstance(look, str) else look or Look()
    watch = Stopwatch({"decode": photo.ms})
    if kept is not None and not moving:
        kept.forget()
    located = locate_board(photo, look, kept)
    look = replace(look, layout=located.print_of(look.layout))
    watch.lap("board")
    frame = _moving_frame(photo, before) if moving else None
    return _read_at(photo, look, located, models, adapter, frame, kept, watch)


def _read_at(
    photo: Photo,
    look: Look,
    located: LocatedBoard,
    models: Models,
    adapter: Adapter | None,
    frame: MovingFrame | None,
    kept: KeptPrint | None,
    watch: Stopwatch,
) -> Reading:
    """Return the reading of a photo, or of a camera's *frame*, with its board *located*."""
    pose = located.pose
    ground = ground_of(photo, pose, look, kept)
    scene = find_scene(photo.bgr, look.kind, models, adapter, watch.lap, frame, ground)
    scene = _in_neutral_light(photo, scene, models, adapter)
    watch.lap("light")
    scored = score(scene, photo, look, models)
    choice, on_marks = _beside_print(scored, pose, look)
    if frame is None:
        scored, choice = without_pattern(scored, choice)
    watch.lap("calibrate")
    empty = None if look.profile is None else look.profile.empty
    sheet = marks_at(photo, pose, look.layout, on_marks, look.before, empty)
    marks = sheet.marks
    watch.lap("marks")
    placed = _on_grid(photo, scored, choice, pose, look, kept)
    if placed is not None:
        scored, choice = on_board(scored, choice, placed)
    dice, of_places = _in_places(dice_of(scored, choice), placed, pose, look)
    if look.grid:
        watch.lap("grid")
    arranged, scored = _arranged(photo, scored, look, models, adapter)
    off_board = apart(choice, placed)
    choice = without(choice, arranged.explained)
    choice = without_faint(scored, without_gaps(scored, choice), arranged.tiles)
    watch.lap("lattice")
    has_marks, has_sure_die = bool(marks and sheet.placed), any(one.sure for one in dice)
    edge_classifier = None if frame or pose else models.edge_classifier
    said = [
        *_said_of_board(photo, located, has_marks, has_sure_die),
        *occluders_said(sheet.occluders, [mark.cell for mark in marks]),
        *warnings_of(photo, scored, choice, off_board, edge_classifier),
        *of_places,
        *arranged.warnings,
    ]
    if frame is None:
        has_sure = has_sure_die or any(tile.sure for tile in arranged.tiles)
        said += _said_of_photo(photo, sheet, said, is_read=bool(has_sure or marks))
    missed = tuple(scored.quads[i] for i in choice.missed)
    watch.lap("assemble")
    return Reading(
        photo.width, photo.height, tuple(dice), arranged.tiles, marks,
        _reported_board(placed, pose, look),
        warnings=(*said, *_said_of_look(look)),
        missed_candidates=missed, missed_cells=free_for(list(missed), placed) if placed else (),
        hint=hint_of(photo, scored, choice),
        unread=(*unread_pieces(scored.kinds, scored.quads), *_things(sheet)),
        ms=sum(watch.ms.values()), stages=watch.ms,
    )  # fmt: skip


def _things(sheet: SheetMarks) -> list[UnreadPiece]:
    outlines = filter(None, (one.outline for one in sheet.occluders))
    return [UnreadPiece(THING, outline, 1.0) for outline in outlines]


def _models_for(adapter: Adapter | None) -> Models:
    """Return the shipped networks; raises NotTaught if the adapter was taught with others.

    A family's own pieces may look like none, so with an adapter nothing is left out for its kind.
    """
    if adapter is None:
        return shipped_models()
    adapter.check()
    return replace(shipped_models(), kinds=None)


def _moving_frame(photo: Photo, before: Reading | None) -> MovingFrame:
    """Return a frame in which faces of the size of those *before* are searched for first."""
    side = before.face_side if before else None
    return MovingFrame(side and side / photo.scale)


def _said_of_look(look: Look) -> list[str]:
    """Return the warning about a sheet or board of which no layout is known."""
    unread = look.kind in UNREAD and look.layout is None
    return [UNREAD[look.kind].format(look.name)] if unread else []


def _said_of_photo(photo: Photo, sheet: SheetMarks, said: list[str], *, is_read: bool) -> list[str]:
    """Return warnings about a photo of a screen, one on which nothing *is read*, or of many doubts.

    The last say why many marks are doubtful, if they are and no drops are to blame.
    """
    warnings = [ON_SCREEN] if shows_screen(photo.bgr) else []
    if not is_read and BLURRED not in said:
        warnings += why_unread(photo)
    doubtful = [one for one in sheet.marks if not (one.sure or one.unchanged) and was_seen(one)]
    spotted = any(one.said == SPOTTED for one in sheet.occluders)
    if len(doubtful) > MOST_DOUBTS and not spotted:
        warnings += [text for text in why_unclear(photo) if text not in (*said, *warnings)]
    return warnings


def _reported_board(
    placed: PlacedDice | None, pose: BoardPose | None, look: Look
) -> BoardReading | None:
    """Return the board; beside loose dice it is not reported."""
    if look.kind == "dice":
        return None
    by_dice = look.grid is not None and (pose is None or not pose.sure)
    return board_of(placed, look) if by_dice else board_at(pose, look.layout)


def _arranged(
    photo: Photo, scored: Scored, look: Look, models: Models, adapter: Adapter | None
) -> tuple[Arrangement, Scored]:
    """Return the tiles on their cells, off the lattice without, and what is left of doubts."""
    if look.loose:
        laid = Arrangement(tuple(tiles_of(scored)))
    else:
        real = dict(zip(scored.quads, scored.as_half.real.tolist(), strict=True))
        laid = lay_out(
            *(tiles_of(scored), lone_halves(scored), look, (photo.width, photo.height), real),
            CloserLook(photo, look, models, adapter),
        )
    laid, scored = _with_larger_halves(photo, laid, scored)
    return replace(laid, tiles=doubted_tiles(laid.tiles, look)), scored


def _with_larger_halves(
    photo: Photo, arranged: Arrangement, scored: Scored
) -> tuple[Arrangement, Scored]:
    """Count the pips of tiles of a set that may be larger than double six.

    About the halves that were counted nothing more is asked than what each tile asks.
    """
    if not (scored.many > 1 - scored.calibration.sure).any():
        return arranged, scored
    tiles = counted(photo, arranged.tiles)
    large = {half.quad for tile in tiles for half in tile.halves if half.value > DOUBLE_SIX}
    many = np.array(
        [
            0.0 if quad in large else share
            for quad, share in zip(scored.quads, scored.many, strict=True)
        ]
    )
    return replace(arranged, tiles=tiles), replace(scored, many=many)


def _said_of_board(
    photo: Photo, located: LocatedBoard, are_read: bool, has_dice: bool
) -> list[str]:
    """Return the warnings about the board.

    If the marks on a bent sheet *are read*, the bend does not matter. If neither the board nor any
    dice are found, the photo may be blurred.
    """
    said = [text for text in located.said if not (are_read and text == NOT_FLAT)]
    smeared = UNSEEN in said and not has_dice and is_smeared(photo.grey())
    return [BLURRED if smeared and text == UNSEEN else text for text in said]


def _beside_print(
    scored: Scored, pose: BoardPose | None, look: Look
) -> tuple[Selection, list[Quad]]:
    """Choose the candidates that are reported or asked about, without print of the board.

    Also return the dice that lie on cells for marks, which only hide marks.
    """
    choice = without(choose(scored), printed(pose, scored.quads))
    off = beside(pose, look.layout, [scored.quads[i] for i in choice.missed])
    choice = without(choice, frozenset(choice.missed[i] for i in off))
    guesses = (i for i in choice.shown if scored.as_die.confidence[i] < BELIEVED)
    doubtful = [*choice.missed, *guesses]
    cells = printed_cells(pose, look.layout, [scored.quads[i] for i in doubtful])
    choice = without(choice, frozenset(doubtful[i] for i in cells))
    on_marks = marked(pose, look.layout, scored.quads)
    dice = [scored.quads[i] for i in on_marks if scored.as_die.confidence[i] >= BELIEVED]
    return without(choice, on_marks), dice


def _on_grid(
    photo: Photo,
    scored: Scored,
    choice: Selection,
    pose: BoardPose | None,
    look: Look,
    kept: KeptPrint | None,
) -> PlacedDice | None:
    """Assign dice to the cells of a grid, by its fiducials or else by its lines and the dice."""
    if not look.grid:
        return None
    quads = [scored.quads[i] for i in choice.shown]
    if pose is not None and pose.sure and look.layout is not None:
        return grid_at(pose, look.layout, *look.grid, quads)
    places = list(choice.shown)
    confidence = scored.as_die.confidence[places].copy()
    if not (foreign := scored.foreign[places]).all():
        confidence[foreign] = 0  # dice of other colours than the game's are beside its board
    return place_dice(photo, quads, confidence, *look.grid, kept.grid if kept else None)


def _in_places(
    dice: list[Face], placed: PlacedDice | None, pose: BoardPose | None, look: Look
) -> tuple[list[Face], list[str]]:
    """Return the dice in the order of the reading, with their cells, and warnings."""
    if look.grid:
        return in_cells(dice, placed, look)
    dice = sorted(dice, key=lambda die: (-die.confidence, die.center))
    return (dice, []) if look.layout is None else in_layout(dice, pose, look.layout)


def _in_neutral_light(photo: Photo, scene: Scene, models: Models, adapter: Adapter | None) -> Scene:
    """Correct the colours of dice for the photo's light; those of dominoes matter less."""
    if scene.kind == "dominoes":
        return scene
    scored = score_candidates(scene.candidates, models.calibration)
    places = np.flatnonzero(scored.real >= models.calibration.shown)
    return replace(
        scene, candidates=in_neutral_light(photo.bgr, scene.candidates, places, models, adapter)
    )
