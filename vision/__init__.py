"""Read dice, dominoes and boards from photos: `read(photo, look) -> Reading`.

docs/library.md shows how to use it. `__version__` is that of the installed package.
"""

from vision.adapt.fit import ConfirmedFace, fit_adapter
from vision.decode import Photo, as_jpeg, decode, load
from vision.errors import Unreadable
from vision.faces.adapter import Adapter, NotTaught
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
    json_line,
)
from vision.reading_json import ReadingJson

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
    "ReadingJson",
    "TileReading",
    "Unreadable",
    "as_jpeg",
    "decode",
    "draw_overlay",
    "fit_adapter",
    "json_line",
    "load",
    "read",
]


def __getattr__(name: str) -> str:
    if name == "__version__":
        from importlib.metadata import version  # noqa: PLC0415  # 4 MB that reading does without

        return version("pipsight")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
