"""The eyes of Pipsight: `read(photo, look) -> Reading`."""

from vision.adapt.adapter import Adapter, NotTaught
from vision.adapt.fit import ConfirmedFace, fit_adapter
from vision.decode import Photo, as_jpeg, decode, load
from vision.overlay import draw_overlay
from vision.pipeline import read
from vision.reading import (
    COLOURS,
    BoardReading,
    Face,
    Look,
    LyingTile,
    MarkReading,
    Reading,
    TileReading,
    Unreadable,
)

__all__ = [
    "COLOURS",
    "Adapter",
    "BoardReading",
    "ConfirmedFace",
    "Face",
    "Look",
    "LyingTile",
    "MarkReading",
    "NotTaught",
    "Photo",
    "Reading",
    "TileReading",
    "Unreadable",
    "as_jpeg",
    "decode",
    "draw_overlay",
    "fit_adapter",
    "load",
    "read",
]
