"""Read dice, dominoes and boards from photos: `read(photo, look) -> Reading`.

docs/library.md shows how to use it. `__version__` is that of the installed package.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from vision.adapt.fit import ConfirmedFace, fit_adapter
    from vision.errors import Unreadable
    from vision.faces.adapter import Adapter, NotTaught
    from vision.overlay import draw_overlay
    from vision.photo import Photo, as_jpeg, decode, load
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
# The modules of these names, imported at their first use: a browser has no OpenCV.
_MODULES = {
    "vision.adapt.fit": ("ConfirmedFace", "fit_adapter"),
    "vision.errors": ("Unreadable",),
    "vision.faces.adapter": ("Adapter", "NotTaught"),
    "vision.overlay": ("draw_overlay",),
    "vision.photo": ("Photo", "as_jpeg", "decode", "load"),
    "vision.pipeline": ("read",),
    "vision.reading": (
        "COLOURS",
        "BoardReading",
        "Face",
        "Look",
        "LyingTile",
        "MarkReading",
        "Reading",
        "TileReading",
        "json_line",
    ),
    "vision.reading_json": ("ReadingJson",),
}
_MODULE_OF = {name: module for module, names in _MODULES.items() for name in names}


def __getattr__(name: str) -> object:
    if name in _MODULE_OF:
        found: object = getattr(import_module(_MODULE_OF[name]), name)
        globals()[name] = found
        return found
    if name == "__version__":
        from importlib.metadata import version  # noqa: PLC0415  # 4 MB that reading does without

        return version("pipsight")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
