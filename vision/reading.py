"""What to look for on a photo (`Look`), and what was read (`Reading`).

All coordinates are px of the upright photo, x to the right and y down.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from statistics import median
from typing import TYPE_CHECKING, Literal, get_args

from vision.layout import CellId, Four, Layout
from vision.quad import Point, Quad
from vision.reading_json import BoardJson, DieJson, MarkJson, ReadingJson, TileJson, UnreadJson
from vision.warnings import notices

if TYPE_CHECKING:
    from collections.abc import Collection

    from vision.board_profile import Profile
    from vision.straight_sheet import StraightSheet

COLOURS = (
    "white",  # ivory too
    "black",
    "grey",
    "red",
    "orange",
    "yellow",
    "green",  # teal too
    "blue",
    "purple",
    "pink",
    "brown",
    "clear",
)
VALUES = range(7)  # 0 is the blank half of a domino; a die shows 1 to 6

LookKind = Literal["auto", "dice", "dominoes", "grid", "sheet", "board"]
PLAIN_KINDS: dict[str, LookKind] = {"auto": "auto", "dice": "dice", "dominoes": "dominoes"}
NAMED_KINDS: dict[str, LookKind] = {"sheet": "sheet", "board": "board"}
KINDS = frozenset(get_args(LookKind))
SURE_COLOUR = 0.9  # probability from which a colour is reported without the second likeliest
WORTH_NAMING = 0.2  # probability from which another body colour is reported
# Share of the likeliest reading of a tile from which another one is thought of, and how many are.
WORTH_TRYING, MOST_OTHERS = 0.002, 6
GRID_LIMIT = 12  # rows or columns; a larger grid leaves too few pixels to a die


@dataclass(frozen=True, slots=True)
class LyingTile:
    """A tile in place: `halves[i]` is on the cell `cells[i]`; level 0 is on the table."""

    halves: tuple[int, int]
    cells: tuple[tuple[int, int], tuple[int, int]]  # row and column each
    level: int


@dataclass(frozen=True, slots=True, eq=False)
class AcceptedSheet:
    """The same sheet on an earlier photo, of which a person accepted the marks."""

    sheet: StraightSheet
    cells: Collection[CellId]  # whose marks are still as they were accepted


@dataclass(frozen=True, slots=True)
class Look:
    """What to look for on a photo."""

    kind: LookKind = "auto"
    name: str = ""  # of the sheet or board
    grid: tuple[int, int] | None = None  # rows, columns
    count: int | None = None  # number of dice in the game; None if unknown
    colours: tuple[str, ...] = ()  # body colours that can occur; (): any
    most: tuple[int, ...] = ()  # largest number of dice of each of these; (): any
    layout: Layout | None = None  # of the board's print, if known
    pages: tuple[Layout, ...] = ()  # other pages on the table, whose print is no piece
    profile: Profile | None = None  # of a taught board
    corners: Four | None = None  # px of the photo, of the board's outline, set by a person
    lying: tuple[LyingTile, ...] = ()  # tiles in place before the photo, lowest first
    loose: bool = False  # tiles are not on a lattice: no cells are searched for
    largest: int | None = None  # most pips on half a tile; None if unknown
    before: AcceptedSheet | None = None  # of a sheet

    def __post_init__(self) -> None:
        """Raise ValueError for kinds, counts and colours that do not exist."""
        whole = {"grid": self.grid is not None, "sheet": self.name, "board": self.name}
        if self.kind not in KINDS or not whole.get(self.kind, True):
            problem = (
                f"no such kind: {self.kind!r}" if self.kind not in KINDS else f"no {self.kind}"
            )
            raise ValueError(f"{problem}; use Look.parse('grid:3x3') or Look.parse('sheet:NAME')")
        if self.count is not None and self.count < 0:
            raise ValueError(f"count must be 0 or more, not {self.count}")
        if unknown := set(self.colours) - set(COLOURS):
            raise ValueError(f"no such colour: {', '.join(sorted(unknown))}")
        if self.most and len(self.most) != len(self.colours):
            raise ValueError("the most dice there are of a colour are named for each, or for none")

    @property
    def mats(self) -> tuple[Layout, ...]:
        """Return the pages without cells, on which pieces of any game may be placed."""
        return tuple(page for page in self.pages if not page.cells)

    @classmethod
    def parse(cls, text: str, *, count: int | None = None, colours: tuple[str, ...] = ()) -> Look:
        """Read `auto`, `dice`, `dominoes`, `grid:3x3`, `sheet:NAME` or `board:NAME`.

        Raises:
            ValueError: a sentence that names the possible looks.
            TypeError: it is no text.
        """
        if not isinstance(text, str):
            raise TypeError(f"a look is a text such as 'dice', not {type(text).__name__}")
        head, _, rest = text.partition(":")
        if text in PLAIN_KINDS:
            return cls(PLAIN_KINDS[text], count=count, colours=colours)
        if head in NAMED_KINDS and re.fullmatch(r"[a-z0-9][a-z0-9-]*", rest):
            return cls(NAMED_KINDS[head], rest, count=count, colours=colours)
        if head == "grid" and (size := re.fullmatch(r"([1-9]\d?)x([1-9]\d?)", rest)):
            rows, columns = int(size[1]), int(size[2])
            if max(rows, columns) <= GRID_LIMIT:
                return cls("grid", grid=(rows, columns), count=count, colours=colours)
        raise ValueError(
            f"no such look: {text!r}; use auto, dice, dominoes, grid:ROWSxCOLUMNS"
            f" (to {GRID_LIMIT}), sheet:NAME or board:NAME"
        )

    def __str__(self) -> str:
        """Return the text that `parse` reads."""
        if self.grid:
            return "grid:{}x{}".format(*self.grid)
        return f"{self.kind}:{self.name}" if self.name else self.kind


@dataclass(frozen=True, slots=True)
class Face:
    """A face that points up: a die, or half of a domino.

    `confidence` is the estimated share of such faces whose value is right; docs/accuracy.md has how
    it was measured and where it misleads. `sure` is False if a person should check it.
    """

    quad: Quad
    probs: tuple[float, ...]  # of the values 0 to 6, or to more, if it is a face, sum 1
    colours: tuple[tuple[str, float], ...]  # body colours and their probability, likeliest first
    confidence: float
    sure: bool
    cell: CellId | None = None

    @property
    def value(self) -> int:
        """Return the likeliest number of pips."""
        return max(range(len(self.probs)), key=self.probs.__getitem__)

    @property
    def colour(self) -> str:
        """Return the likeliest body colour, one of `COLOURS`."""
        return self.colours[0][0]

    @property
    def center(self) -> Point:
        """Return the middle of the face in px."""
        return self.quad.center

    @property
    def alternatives(self) -> tuple[tuple[int, float], ...]:
        """Return the other values worth offering with their probability, likeliest first."""
        others = ((value, share) for value, share in enumerate(self.probs) if value != self.value)
        return tuple(sorted((o for o in others if o[1] >= 0.001), key=lambda o: -o[1])[:3])

    @property
    def colour_alternatives(self) -> tuple[tuple[str, float], ...]:
        """Return the other likely body colours, likeliest first; () if the colour is clear."""
        return tuple(other for other in self.colours[1:] if other[1] >= WORTH_NAMING)

    @property
    def colour_words(self) -> str:
        """Return the colour in words: "blue", or "blue or purple"."""
        return " or ".join((self.colour, *(name for name, _ in self.colour_alternatives)))

    def to_json(self) -> DieJson:
        """Return a die as the JSON object described in docs/develop/interfaces.md."""
        return {
            "quad": self.quad.to_json(),
            "center": _rounded(self.center),
            "value": self.value,
            "color": self.colour,
            "confidence": round(self.confidence, 3),
            "sure": self.sure,
            "alternatives": [[value, round(probs, 3)] for value, probs in self.alternatives],
            "color_alternatives": [[name, share] for name, share in self.colour_alternatives],
            "cell": None if self.cell is None else list(self.cell),
        }


@dataclass(frozen=True, slots=True)
class TileReading:
    """One domino: two faces with a bar between them."""

    quad: Quad
    halves: tuple[Face, Face]
    confidence: float
    sure: bool
    level: int | None = None  # 0 is on the table; None: unknown

    @property
    def alternatives(self) -> tuple[tuple[tuple[int, int], float], ...]:
        """Return what else the two halves may show with its probability, likeliest first."""
        shares = [
            ((half.value, half.probs[half.value]), *half.alternatives) for half in self.halves
        ]
        read, *others = (((a, b), p * q) for a, p in shares[0] for b, q in shares[1])
        likely = [other for other in others if other[1] >= WORTH_TRYING * read[1]]
        return tuple(sorted(likely, key=lambda other: -other[1])[:MOST_OTHERS])

    def to_json(self) -> TileJson:
        """Return a tile as the JSON object described in docs/develop/interfaces.md."""
        cells = [half.cell for half in self.halves]
        return {
            "quad": self.quad.to_json(),
            "centers": [_rounded(half.center) for half in self.halves],
            "halves": [half.value for half in self.halves],
            "confidence": round(self.confidence, 3),
            "sure": self.sure,
            "cells": None if None in cells else [list(cell) for cell in cells if cell],
            "level": self.level,
            "alternatives": [
                [list(halves), round(share, 3)] for halves, share in self.alternatives
            ],
        }


@dataclass(frozen=True, slots=True)
class MarkReading:
    """The state of one printed cell of a sheet: blank, checked, blackened or struck through.

    `alternatives` are the other states worth offering with their probability, likeliest first.
    """

    cell: CellId
    mark: str
    confidence: float
    sure: bool
    alternatives: tuple[tuple[str, float], ...] = ()
    unchanged: bool = False  # since the photo that was accepted

    def to_json(self) -> MarkJson:
        """Return a mark as the JSON object described in docs/develop/interfaces.md."""
        return {
            "cell": list(self.cell),
            "mark": self.mark,
            "confidence": round(self.confidence, 3),
            "sure": self.sure,
            "alternatives": [[mark, round(share, 3)] for mark, share in self.alternatives],
        }


@dataclass(frozen=True, slots=True)
class BoardReading:
    """A board found on the photo; `error_px` is the root mean square misfit of its fiducials."""

    name: str
    corners: Quad
    error_px: float

    def to_json(self) -> BoardJson:
        """Return a board as the JSON object described in docs/develop/interfaces.md."""
        return {
            "name": self.name,
            "corners": self.corners.to_json(),
            "error_px": round(self.error_px, 1),
        }


THING = "thing"  # that lies on a sheet


@dataclass(frozen=True, slots=True)
class UnreadPiece:
    """What has no value to read: a domino face down or printed, a die with numerals, a thing."""

    kind: str  # of vision.faces.kinds.KINDS, or THING
    quad: Quad
    probability: float  # of this kind

    def to_json(self) -> UnreadJson:
        """Return the JSON object described in docs/develop/interfaces.md."""
        return {
            "kind": self.kind,
            "quad": self.quad.to_json(),
            "probability": round(self.probability, 3),
        }


@dataclass(frozen=True, slots=True)
class Reading:
    """All that was read from one photo."""

    width: int  # px of the upright photo
    height: int
    dice: tuple[Face, ...] = ()
    tiles: tuple[TileReading, ...] = ()
    marks: tuple[MarkReading, ...] = ()
    board: BoardReading | None = None
    warnings: tuple[str, ...] = ()
    missed_candidates: tuple[Quad, ...] = ()  # places of pieces that may have been missed
    missed_cells: tuple[CellId | None, ...] = ()  # of each of them, on a grid
    hint: str | None = None  # the warning about them
    unread: tuple[UnreadPiece, ...] = ()  # pieces without a value, the likeliest first
    ms: float = 0.0  # from the photo's bytes to this reading
    stages: dict[str, float] = field(default_factory=dict, compare=False)  # ms of each, in order

    @property
    def face_side(self) -> float | None:
        """Return the median side of the faces, px; None without faces."""
        halves = (half for tile in self.tiles for half in tile.halves)
        sides = [face.quad.side for face in (*self.dice, *halves)]
        return median(sides) if sides else None

    @property
    def notices(self) -> list[str]:
        """Return sentences about what was read that ask nothing."""
        halves = (half.value for tile in self.tiles for half in tile.halves)
        return notices((piece.kind for piece in self.unread), halves)

    def to_json(self, file: str = "") -> ReadingJson:
        """Return the JSON object described in docs/develop/interfaces.md, for a photo *file*."""
        return {
            "file": file,
            "width": self.width,
            "height": self.height,
            "dice": [die.to_json() for die in self.dice],
            "tiles": [tile.to_json() for tile in self.tiles],
            "marks": [mark.to_json() for mark in self.marks],
            "board": self.board.to_json() if self.board else None,
            "warnings": list(self.warnings),
            "perhaps": [place.to_json() for place in self.missed_candidates],
            "hint": self.hint,
            "unread": [piece.to_json() for piece in self.unread],
            "ms": round(self.ms, 1),
        }


def json_line(reading: Reading, file: str = "") -> str:
    """Return the line that `pipsight read --json` prints for a photo named *file*."""
    return json.dumps(reading.to_json(file), ensure_ascii=False)


def _rounded(point: Point) -> list[float]:
    return [round(point[0], 1), round(point[1], 1)]
