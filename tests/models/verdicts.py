"""Truth and readings of small photos, and what is wrong between them."""

from pathlib import Path
from typing import Any

from models.dataset.annotation import AnnotatedImage
from models.dataset.folders import parse_photo
from tests.vision.fake_eyes import face_read_as
from vision import Face, Reading, TileReading
from vision.quad import Quad

PATH = Path("a.jpg")
FIVE = {"box": [100, 100, 200, 200], "value": 5, "color": "red"}
TWO = {"box": [300, 100, 400, 200], "value": 2, "color": "white"}
TILE = {"halves": [6, 1], "half_centers": [[100, 100], [200, 100]]}


def square(x: float, y: float, side: float = 60) -> Quad:
    step = side / 2
    return Quad(
        ((x - step, y - step), (x + step, y - step), (x + step, y + step), (x - step, y + step))
    )


def die(
    x: float, y: float, value: int, *, colour: str = "red", confidence: float = 0.99, sure=True
) -> Face:
    return face_read_as(value, square(x, y), colour, confidence=confidence, sure=sure)


def tile(
    a: tuple[float, float, int], b: tuple[float, float, int], *, sure: bool = True
) -> TileReading:
    return TileReading(square(a[0], a[1]), (die(*a), die(*b)), 0.9, sure)


def reading(*pieces: Face | TileReading, warnings: tuple[str, ...] = ()) -> Reading:
    dice = tuple(piece for piece in pieces if isinstance(piece, Face))
    tiles = tuple(piece for piece in pieces if isinstance(piece, TileReading))
    return Reading(640, 480, dice, tiles, warnings=warnings, ms=20.0)


def with_dice(*dice: dict[str, Any], **more: Any) -> AnnotatedImage:
    return parse_photo(PATH, {"dice": list(dice), **more})


def with_tiles(*tiles: dict[str, Any], **more: Any) -> AnnotatedImage:
    return parse_photo(PATH, {"tiles": list(tiles), **more})


# Drawn pictures


def face(x: float, y: float, value: int, **more: Any) -> dict[str, Any]:
    return {"quad": square(x, y).to_json(), "center": [x, y], "value": value, **more}
