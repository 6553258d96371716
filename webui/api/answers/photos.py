"""A photo, what was read on it and learned from it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

from webui.api.answers import PointView
from webui.eyes.readings import StoredReading

BoxView = Annotated[list[float], "x, y, width, height in px of the photo"]


@dataclass(frozen=True, slots=True)
class TagView:
    """Where the value of a piece is written on the photo."""

    box: BoxView
    to: Annotated[PointView, "on the outline of its piece: where a line to it ends"]
    text: str


@dataclass(frozen=True, slots=True)
class PhotoView:
    """A way to show the photo."""

    frame: BoxView
    unit: Annotated[float, "px of the photo to a CSS px on a phone"]
    letters: Annotated[
        dict[str, str], "for the colours of dice, where hues alone would tell them apart"
    ]
    dice: list[TagView | None]
    tiles: list[TagView | None]
    perhaps: list[TagView | None]


@dataclass(frozen=True, slots=True)
class PrintedCell:
    """A cell of the board on the photo."""

    cell: Annotated[list[Any], "its name, as readings use it: ['red', 0, 3]"]
    quad: Annotated[list[PointView], "its corners"]


@dataclass(frozen=True, slots=True)
class SightingView:
    """What was read on a photo, and how to show it."""

    sighting: str
    photo: Annotated[str, "address of the upright photo, without metadata"]
    width: int
    height: int
    views: Annotated[
        list[PhotoView],
        "ways to show the photo: the part with the pieces, and the whole if that is more; each"
        " with places for tags that cover no other piece",
    ]
    cells: Annotated[list[PrintedCell], "of a sheet or a track that was found, in order"]
    reading: StoredReading


@dataclass(frozen=True, slots=True)
class WholeView:
    """The whole photo of which a part was read."""

    photo: Annotated[str, "its address from now on"]


@dataclass(frozen=True, slots=True)
class TaughtView:
    """What was learned of a family's dice."""

    pieces: str
    faces: Annotated[int, "that were learned, on up to two photos"]
    says: Annotated[str, "how photos of this match are read from now on"]


@dataclass(frozen=True, slots=True)
class TaughtBoardView:
    """A match's own board that was learned."""

    board: str
    cells: Annotated[int, "that it has"]
    says: Annotated[str, "on which board photos of this match are read from now on"]
