"""A match as a camera on a stand films it: `python -m models.series GAME --still-camera`.

Each match is a folder: pictures, and film.json with the game and, for each step on the table, what
was said before it, the move that it shows, and the pictures with the seconds for which they last.
Hands come, take, put down and go; the last picture of a step shows what lies still.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from models.series.evening import Evening
from models.series.scenes import FilmedMatch, LaidTable, filmed
from models.series.shown import BESIDE, Shot, shots
from models.sketch import bodies
from models.sketch.bodies import Floats
from models.sketch.exposure import developed, exposure, shrunk
from models.sketch.ground import lay_top
from models.sketch.hand import draw_skin, hand_pieces
from models.sketch.sketch_pieces import SketchPiece, draw_style
from models.sketch.steady import draw_illumination, lit_table
from models.sketch.tables import USUAL
from models.sketch.view import zoomed
from scorer import Game, dump_move

MOVING_S, BARE_S, LIES_S = 0.3, 0.75, 1.5  # a picture of a hand, a table between, one at rest
HALF_WAY, OVER = 6.0, 2.0  # sides from what is touched, and height above the table
FINER = 1.4  # than the picture is what is drawn
EMPTY = LaidTable((), ())


@dataclass(frozen=True, slots=True, eq=False)
class FilmPicture:
    """One picture of a film: what lies there, where a hand is, and for how long."""

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
        """Return where a hand is, so many sides short of the middle of *pieces*."""
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
    """Return what lies there before the first move with tiles: those of the flip lie beside it."""
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
    options = [cv2.IMWRITE_JPEG_QUALITY, quality]
    cv2.imwrite(str(folder / name), stand.picture(take), options)
    return {"file": name, "seconds": take.seconds, "hand": take.hand is not None}
