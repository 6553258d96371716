"""The printed board of a game: its cells by name, and its drawing, in mm.

Points are mm from the board's upper left corner, x to the right and y down. A board fits both on A4
and on Letter; printing adds the page and the fiducials around it.
"""

from dataclasses import dataclass
from typing import Literal

Point = tuple[float, float]
CellShape = tuple[Point, Point, Point, Point]
Name = tuple[int | str, ...]  # ("red", 0, 3), (0, 2) or ("place", 7); counted from 0

# Inks, printed as shades of grey on a grey page. Pale inks are for large areas.
Ink = Literal["black", "grey", "red", "blue", "pale grey", "pale red", "pale blue"]

LARGEST_MM = (156.0, 225.0)  # a board and its fiducials then fit on A4 and on Letter
MARKERS = 40  # ids a board may use, from its `first_marker` on


@dataclass(frozen=True, slots=True)
class BoardCell:
    """A place for a piece or a mark, clockwise from its upper left corner.

    `marks` are its possible states, including "blank"; () is a place for pieces.
    """

    name: Name
    polygon: CellShape
    label: str = ""  # printed text
    marks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Line:
    """A straight stroke."""

    start: Point
    end: Point
    ink: Ink = "black"
    width: float = 0.3


@dataclass(frozen=True, slots=True)
class Shape:
    """A closed polygon with an outline, a filling, or both."""

    points: tuple[Point, ...]
    ink: Ink | None = "black"
    fill: Ink | None = None
    width: float = 0.3


@dataclass(frozen=True, slots=True)
class Words:
    """A line of text centred *at* a point, with capitals of *size* mm."""

    text: str
    at: Point
    size: float
    ink: Ink = "black"
    align: Literal["left", "middle", "right"] = "middle"
    bold: bool = False


Drawn = Line | Shape | Words


@dataclass(frozen=True, slots=True)
class Board:
    """A board of a game; no two boards share fiducials, so `first_marker` tells them apart.

    `areas` are for any number of pieces out of play; ("lost", 0) is the box for lost dice.
    """

    name: str  # "sheet:dice-wide-shut"
    title: str
    size_mm: tuple[float, float]
    cells: tuple[BoardCell, ...]
    drawing: tuple[Drawn, ...]
    first_marker: int
    areas: tuple[BoardCell, ...] = ()


def box(x: float, y: float, width: float, height: float) -> CellShape:
    """Return the corners of an upright rectangle, clockwise from the upper left."""
    return (x, y), (x + width, y), (x + width, y + height), (x, y + height)
