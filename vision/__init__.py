"""The eyes of Pipsight: `read(photo, look) -> Reading`."""

from vision.lessons import Confirmed, teach
from vision.overlay import draw_overlay
from vision.photo import Photo, as_jpeg, decode, load
from vision.pieces import NotTaught, Pieces
from vision.pipeline import read
from vision.reading import COLOURS, Board, Face, Look, Mark, Reading, Tile, Unreadable

__all__ = [
    "COLOURS",
    "Board",
    "Confirmed",
    "Face",
    "Look",
    "Mark",
    "NotTaught",
    "Photo",
    "Pieces",
    "Reading",
    "Tile",
    "Unreadable",
    "as_jpeg",
    "decode",
    "draw_overlay",
    "load",
    "read",
    "teach",
]
