"""Photo to reading: detect → classify → calibrate → assemble. Frozen values flow one way."""

from __future__ import annotations

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
)
from vision.boards.dice_lattice import PlacedDice, place_dice
from vision.boards.kept_print import KeptPrint
from vision.boards.marks import hidden_said, marked, marks_at
from vision.boards.pose import NOT_FLAT, BoardPose, LocatedBoard
from vision.boards.printed_board import (
    UNSEEN,
    beside,
    board_at,
    grid_at,
    ground_of,
    in_layout,
    locate_board,
    printed,
    printed_cells,
)
from vision.boards.report import board_of, free_for, in_cells
from vision.decode import Photo, opened
from vision.dominoes.cells import lay_out
from vision.dominoes.closer_look import CloserLook
from vision.dominoes.scene import MovingFrame, Scene, find_scene
from vision.faces.adapter import Adapter
from vision.faces.candidates import score_candidates
from vision.faces.multiscale import Models, shipped_models
from vision.faces.white_balance import in_neutral_light
from vision.quality import BLURRED, is_blurred, is_smeared
from vision.reading import Face, Look, Reading
from vision.screen_detector import ON_SCREEN, shows_screen

BELIEVED = 0.5  # confidence below which a piece that fills a printed cell is what is printed there
UNREAD = {
    "sheet": "The sheet {} is not read yet. Enter its marks by hand.",
    "board": "The board {} is not read yet. Enter its pieces by hand.",
}


@dataclass(slots=True)
class Stopwatch:
    """Times the stages; `ms` has them by name, in order."""

    ms: dict[str, float] = field(default_factory=dict)
    since: float = field(default_factory=time.perf_counter)

    def lap(self, stage: str) -> None:
        """Count the time since the last lap to *stage*."""
        now = time.perf_counter()
        self.ms[stage] = self.ms.get(stage, 0.0) + 1000 * (now - self.since)
        self.since = now


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
    """Read everything *look* asks for (by default whatever there is) on an upright photo.

    Args:
        photo: from `decode`, `load` or `Photo.from_array`, or the name of its file.
        look: what to look for, and what is known of the game's pieces; or its text, "grid:3x3".
        models: other networks or another calibration than the shipped ones.
        adapter: what was taught about the pieces that lie there.
        moving: this is one of many frames of a camera. Its first pass counts, as the next one is
            another look already; a photo that is not clear then is looked at again.
        before: what was read of the frame before, if any: faces are looked for as large as they
            were, and as in a photo where none are.
        kept: where print lay on the frames of this camera before; while something is `moving` it
            is believed to lie there still if it looks so.

    Raises:
        Unreadable: the file holds no photo, or it shows what is known to lie there as only a mirror
            does.
        TypeError: it is no photo; of an array it must be said which channels it has.
        ValueError: there is no such look.
        NotTaught: the pieces were taught to other networks.
    """
    if adapter and models is None:
        adapter.check()
    photo, models = opened(photo), models or shipped_models()
    look = Look.parse(look) if isinstance(look, str) else look or Look()
    watch = Stopwatch({"decode": photo.ms})
    side = before.face_side if before else None
    frame = MovingFrame(side and side / photo.scale) if moving else None
    if kept is not None and not moving:
        kept.forget()
    located = locate_board(photo, look, kept)
    pose = located.pose
    look = replace(look, layout=located.print_of(look.layout))
    watch.lap("board")
    ground = ground_of(photo, pose, look, kept)
    scene = find_scene(photo.bgr, look.kind, models, adapter, watch.lap, frame, ground)
    scene = _in_neutral_light(photo, scene, models, adapter)
    watch.lap("light")
    scored = score(scene, photo, look, models)
    choice = _beside_print(scored, pose, look)
    watch.lap("calibrate")
    marks, placed_marks = marks_at(photo, pose, look.layout)
    watch.lap("marks")
    placed = _on_grid(photo, scored, choice, pose, look, kept)
    if placed is not None:
        scored, choice = on_board(scored, choice, placed)
    dice, said = _in_places(dice_of(scored, choice), placed, pose, look)
    if look.grid:
        watch.lap("grid")
    real = dict(zip(scored.quads, scored.as_half.real.tolist(), strict=True))
    arranged = lay_out(
        *(tiles_of(scored), lone_halves(scored), look, (photo.width, photo.height), real),
        CloserLook(photo, look, models, adapter),
    )
    off_board = apart(choice, placed)
    choice = without(choice, arranged.explained)
    watch.lap("lattice")
    of_board = _said_of_board(
        photo, located, bool(marks and placed_marks), any(one.sure for one in dice)
    )
    of_pieces = warnings_of(photo, scored, choice, off_board)
    warnings = [*of_board, *hidden_said(marks), *of_pieces, *said, *arranged.warnings]
    if not moving and shows_screen(photo.bgr):
        warnings.append(ON_SCREEN)
    if not (moving or dice or arranged.tiles or marks or BLURRED in warnings):
        warnings += [BLURRED] if is_blurred(photo.grey()) else []
    if look.kind in UNREAD and look.layout is None:
        warnings.append(UNREAD[look.kind].format(look.name))
    watch.lap("assemble")
    by_dice = look.grid is not None and (pose is None or not pose.sure)
    board = board_of(placed, look) if by_dice else board_at(pose, look.layout)
    board = None if look.kind == "dice" else board  # one beside loose dice only tells their cells
    missed = tuple(scored.quads[i] for i in choice.missed)
    return Reading(
        photo.width, photo.height, tuple(dice), arranged.tiles, marks, board,
        warnings=tuple(warnings), missed_candidates=missed,
        missed_cells=() if placed is None else free_for(list(missed), placed),
        hint=hint_of(photo, scored, choice), ms=sum(watch.ms.values()), stages=watch.ms,
    )  # fmt: skip


def _said_of_board(
    photo: Photo, located: LocatedBoard, are_read: bool, has_dice: bool
) -> list[str]:
    """Return what is odd about the board; that comes first, for nothing is read without it.

    Where marks *are read* on a bent sheet, that it is bent matters no more. Where nothing is seen
    of a board, and no dice either, the photo may be blurred.
    """
    said = [text for text in located.said if not (are_read and text == NOT_FLAT)]
    smeared = UNSEEN in said and not has_dice and is_smeared(photo.grey())
    return [BLURRED if smeared and text == UNSEEN else text for text in said]


def _beside_print(scored: Scored, pose: BoardPose | None, look: Look) -> Selection:
    """Choose which candidates are reported or asked about; what a board has printed is neither."""
    choice = without(choose(scored), printed(pose, scored.quads))
    off = beside(pose, look.layout, [scored.quads[i] for i in choice.missed])
    choice = without(choice, frozenset(choice.missed[i] for i in off))
    guesses = (i for i in choice.shown if scored.as_die.confidence[i] < BELIEVED)
    doubtful = [*choice.missed, *guesses]
    cells = printed_cells(pose, look.layout, [scored.quads[i] for i in doubtful])
    choice = without(choice, frozenset(doubtful[i] for i in cells))
    return without(choice, marked(pose, look.layout, scored.quads))


def _on_grid(
    photo: Photo,
    scored: Scored,
    choice: Selection,
    pose: BoardPose | None,
    look: Look,
    kept: KeptPrint | None,
) -> PlacedDice | None:
    """Put dice into the cells of a grid: by its print where that was found, else by themselves."""
    if not look.grid:
        return None
    quads = [scored.quads[i] for i in choice.shown]
    if pose is not None and pose.sure and look.layout is not None:
        return grid_at(pose, look.layout, *look.grid, quads)
    places = list(choice.shown)
    confidence = scored.as_die.confidence[places].copy()
    if not (foreign := scored.foreign[places]).all():
        confidence[foreign] = 0  # dice of no colour of the game's lie beside its board
    return place_dice(photo, quads, confidence, *look.grid, kept.grid if kept else None)


def _in_places(
    dice: list[Face], placed: PlacedDice | None, pose: BoardPose | None, look: Look
) -> tuple[list[Face], list[str]]:
    """Return the dice in the order in which they are told, with their cells, and what is warned."""
    if look.grid:
        return in_cells(dice, placed, look)
    dice = sorted(dice, key=lambda die: (-die.confidence, die.center))
    return (dice, []) if look.layout is None else in_layout(dice, pose, look.layout)


def _in_neutral_light(photo: Photo, scene: Scene, models: Models, adapter: Adapter | None) -> Scene:
    """Tell the colours of the dice with the photo's light in mind; those of dominoes count less."""
    if scene.kind == "dominoes":
        return scene
    seen = score_candidates(scene.candidates, models.calibration)
    places = np.flatnonzero(seen.real >= models.calibration.shown)
    return replace(
        scene, candidates=in_neutral_light(photo.bgr, scene.candidates, places, models, adapter)
    )
