"""The truth beside a picture: every die's upper face in pixels, its pips, colour and cell."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from models.render.camera import Camera, upper_left
from models.render.image import Photo
from models.render.pieces import Die
from models.render.scene import Scene

Points = NDArray[np.float64]


def truth(scene: Scene, file: str) -> dict[str, Any]:
    """Return what the picture shows, ready for JSON; px of the picture."""
    camera = scene.camera
    return {
        "file": file,
        "width": camera.width,
        "height": camera.height,
        "seed": scene.order.seed,
        "dice": [_die(die, camera) for die in scene.dice],
        "board": {"name": "grid:3x3", "corners": _px(camera.project(scene.lid.grid))},
    }


def _die(die: Die, camera: Camera) -> dict[str, Any]:
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


def draw_truth(photo: Photo, told: dict[str, Any]) -> Photo:
    """Return a copy of the photo with its truth drawn on it, to be looked at."""
    drawn = photo.copy()
    corners = np.round(told["board"]["corners"]).astype(np.int32)
    cv2.polylines(drawn, [corners], True, (0, 220, 255), 2, cv2.LINE_AA)
    cv2.circle(drawn, corners[0].tolist(), 12, (0, 220, 255), 3, cv2.LINE_AA)
    for die in told["dice"]:
        quad = np.round(die["quad"]).astype(np.int32)
        cv2.polylines(drawn, [quad], True, (60, 220, 60), 2, cv2.LINE_AA)
        cv2.circle(drawn, quad[0].tolist(), 5, (60, 220, 60), -1, cv2.LINE_AA)
        text = f"{die['color']} {die['value']} {die['cell']}"
        place = (int(quad[:, 0].min()), int(quad[:, 1].min()) - 6)
        cv2.putText(drawn, text, place, cv2.FONT_HERSHEY_SIMPLEX, 0.6, (0, 0, 255), 2, cv2.LINE_AA)
    return drawn
