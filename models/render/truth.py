"""The truth beside a picture: every die's upper face in pixels, its pips, colour and cell."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from models.render.board import RenderedBoard
from models.render.board_dice import BoardDie
from models.render.camera import Camera, upper_left
from models.render.image import Photo

Points = NDArray[np.float64]


def truth(board: RenderedBoard, file: str) -> dict[str, Any]:
    """Return what the picture shows, ready for JSON; px of the picture."""
    camera = board.scene.camera
    return {
        "file": file,
        "width": camera.width,
        "height": camera.height,
        "seed": board.scene.seed,
        "dice": [_die(die, camera) for die in board.dice],
        "board": {"name": "grid:3x3", "corners": _px(camera.project(board.lid.grid))},
    }


def _die(die: BoardDie, camera: Camera) -> dict[str, Any]:
    quad = camera.project(die.upper_face())
    return {
        "quad": _px(np.roll(quad, -upper_left(quad), axis=0)),
        "center": _px(camera.project(die.upper_face().mean(axis=0)[None]))[0],
        "value": die.value,
        "color": die.color,
        "cell": None if die.cell is None else list(die.cell),
    }


def _px(points: Points) -> list[list[float]]:
    return [[round(float(x), 2), round(float(y), 2)] for x, y in points]


GREEN, RED, GREY, GOLD = (60, 220, 60), (0, 0, 255), (160, 160, 160), (0, 220, 255)


def draw_truth(photo: Photo, told: dict[str, Any]) -> Photo:
    """Return a copy of the photo with its truth drawn on it, to be looked at."""
    drawn = photo.copy()
    if told["board"] is not None:
        _draw_quad(drawn, told["board"]["corners"], GOLD, "")
    for side in told.get("sides", []):
        _draw_quad(drawn, side["quad"], GREY, str(side["value"]))
    for face in told.get("ignore", []):
        _draw_quad(drawn, face["quad"], RED, "?")
    for tile in told.get("tiles", []):
        _draw_quad(drawn, tile["quad"], GOLD, tile["color"])
    halves = [face for tile in told.get("tiles", []) for face in tile["faces"]]
    for face in [*told["dice"], *halves]:
        _draw_quad(drawn, face["quad"], GREEN, f"{face['value']} {face.get('cell') or ''}")
    return drawn


def _draw_quad(
    photo: Photo, corners: list[list[float]], colour: tuple[int, int, int], text: str
) -> None:
    quad = np.round(corners).astype(np.int32)
    cv2.polylines(photo, [quad], True, colour, 1, cv2.LINE_AA)
    cv2.circle(photo, quad[0].tolist(), 3, colour, -1, cv2.LINE_AA)
    place = (int(quad[:, 0].min()), int(quad[:, 1].min()) - 3)
    cv2.putText(photo, text, place, cv2.FONT_HERSHEY_SIMPLEX, 0.45, RED, 1, cv2.LINE_AA)
