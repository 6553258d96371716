"""A reading as JSON: what `pipsight read --json` prints, and the server stores and sends.

docs/develop/interfaces.md describes it. The server's OpenAPI schema is derived from these types: in
`Annotated` a text is a key's description, and a pair is a keyword of its schema with its value.
"""

from typing import Annotated, NotRequired, TypedDict

PointJson = Annotated[list[float], ("minItems", 2), ("maxItems", 2)]
QuadJson = Annotated[list[PointJson], ("minItems", 4), ("maxItems", 4)]
CellJson = list[int | str]  # of a grid: row, column; of a sheet: its part, row, column


class DieJson(TypedDict):
    """A die, by its top face."""

    quad: QuadJson
    center: PointJson
    value: int
    color: str
    confidence: Annotated[float, "share of such faces whose value is right"]
    sure: Annotated[bool, "false: a person should look"]
    alternatives: Annotated[list[list[float]], "other values and their probability"]
    color_alternatives: Annotated[list[list[str | float]], "other colours and their probability"]
    cell: CellJson | None


class TileJson(TypedDict):
    """A domino."""

    quad: QuadJson
    centers: Annotated[list[PointJson], "of its halves"]
    halves: list[int]
    confidence: float
    sure: bool
    cells: list[CellJson] | None
    level: Annotated[int | None, "0 lies on the table; null: not known"]
    alternatives: NotRequired[
        Annotated[list[list[list[int] | float]], "other halves and their probability"]
    ]


class MarkJson(TypedDict):
    """The state of a printed cell."""

    cell: CellJson
    mark: Annotated[str, "blank, checked, blackened or struck"]
    confidence: float
    sure: bool
    alternatives: Annotated[list[list[str | float]], "other states and their probability"]


class BoardJson(TypedDict):
    """A board and where it is."""

    name: str
    corners: QuadJson
    error_px: Annotated[float, "root mean square misfit of what it was found by"]


class UnreadJson(TypedDict):
    """A piece without a value to read, or a thing on a sheet."""

    kind: Annotated[
        str,
        "back: a domino face down; printed: one of a board's print; numbered: a die with numerals;"
        " thing: what lies on a sheet",
    ]
    quad: QuadJson
    probability: Annotated[float, "of this kind"]


class ReadingJson(TypedDict):
    """All that was read from one photo, in px of the upright photo."""

    file: str
    width: int
    height: int
    dice: list[DieJson]
    tiles: list[TileJson]
    marks: list[MarkJson]
    board: BoardJson | None
    warnings: list[str]
    perhaps: NotRequired[
        Annotated[list[QuadJson], "places where a piece may lie that is not among the others"]
    ]  # readings stored by the first versions lack it, and `hint`
    hint: NotRequired[Annotated[str | None, "which of the warnings speaks of them"]]
    unread: NotRequired[Annotated[list[UnreadJson], "pieces without a value"]]
    part: NotRequired[
        Annotated[list[int], "of the photo that the server was sent: left, top, right, bottom"]
    ]
    ms: Annotated[float, "from the photo's bytes to the reading"]
