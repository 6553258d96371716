"""Request bodies as dataclasses, read strictly: other data is refused."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeVar

from flask import request
from werkzeug.datastructures import MultiDict

from scorer import Cell, Die, Malformed, MarkedCell, Table, Tile
from scorer.messages import _, raw
from scorer.values import SchemaError, reader
from webui.errors import WrongType
from webui.match.amend import Right
from webui.match.past import as_date

T = TypeVar("T")
FormFields = MultiDict[str, str]

BODY_BYTES = 256 * 1024  # of JSON or a form; a step of nine dice has one
PHOTO_BYTES = 40_000_000
FORM = (
    "application/x-www-form-urlencoded"  # read as a whole, 40 bytes of memory for each of its own
)
DEPTH = 16  # of JSON; a move has three levels


@dataclass(frozen=True, slots=True)
class NewMatch:
    """A match to be made: `opening` holds the moves agreed at the table, who starts, say."""

    game: str
    names: tuple[str, ...]
    settings: Mapping[str, Any] | None = None
    opening: tuple[Any, ...] = ()


@dataclass(frozen=True, slots=True)
class Play:
    """Moves confirmed by a person who saw the event `after` as the newest.

    With `instead` a step before them is put right in the same confirm; then `moves` may be empty.
    `PlayOn` is first answered by `Unconfirmed`, 409, with a `confirm`; once a person has said that
    all play on, it is sent again with that as `confirmed`.
    """

    after: int
    moves: tuple[Any, ...]
    sighting: str | None = None
    by: int | None = None
    request: str | None = None
    instead: Right | None = None
    confirmed: str | None = None


@dataclass(frozen=True, slots=True)
class Undo:
    """The last step to be taken back, or every step after the step `to`."""

    after: int
    to: int | None = None
    by: int | None = None
    request: str | None = None


@dataclass(frozen=True, slots=True)
class Redo:
    """The step `step`, which was taken back, is put back with all below it: see `ahead`."""

    after: int
    step: int
    by: int | None = None
    request: str | None = None


@dataclass(frozen=True, slots=True)
class Note:
    """What somebody notes on the step `step`, in the place of the note before it; "": none."""

    after: int
    step: int
    text: str
    by: int | None = None
    request: str | None = None


@dataclass(frozen=True, slots=True)
class TappedDie:
    """A die as a person says it lies."""

    value: int
    colour: str
    cell: Cell | None = None


@dataclass(frozen=True, slots=True)
class TappedTile:
    """A domino as a person says it lies; without cells where it counts wherever it lies."""

    halves: tuple[int, int]
    cells: tuple[Cell, Cell] | None
    level: int | None = None


@dataclass(frozen=True, slots=True)
class TappedMark:
    """A printed cell as a person says it is marked."""

    cell: tuple[str, int, int]
    mark: str


@dataclass(frozen=True, slots=True)
class Tapped:
    """Everything on the surface `spot`, as a person says it lies.

    Told that the event `since` was the newest when it was looked at, the rules judge it by the
    round or roll of then, though another phone has counted that. `instead` puts a step right first.
    With `replaces` it is what that step should have stored, judged by what stood before it.
    """

    after: int
    dice: tuple[TappedDie, ...] = ()
    tiles: tuple[TappedTile, ...] = ()
    marks: tuple[TappedMark, ...] = ()
    spot: int = 0
    since: int | None = None
    instead: Right | None = None
    replaces: int | None = None

    def table(self) -> Table:
        """Return it as facts nobody doubts."""
        return Table(
            tuple(Die(die.value, die.colour, die.cell) for die in self.dice),
            tuple(Tile(tile.halves, tile.cells, tile.level) for tile in self.tiles),
            tuple(MarkedCell(mark.cell, mark.mark) for mark in self.marks),
            self.spot,
        )


@dataclass(frozen=True, slots=True)
class ConfirmedDie:
    """A die as a person confirmed it, at its middle on the photo, px."""

    center: tuple[float, float]
    value: int
    colour: str


@dataclass(frozen=True, slots=True)
class Confirmed:
    """All dice that lie on the photo of a sighting, as a person confirmed them."""

    sighting: str
    dice: tuple[ConfirmedDie, ...]


Px = tuple[float, float]


@dataclass(frozen=True, slots=True)
class SentCorners:
    """Where the board's outer cells end on a photo, px, clockwise from its own upper left."""

    corners: tuple[Px, Px, Px, Px]
    spot: int = 0


CellBox = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class TeachBoard:
    """The match's own board, empty on the photo of a sighting.

    `corners` as those of SentCorners; `cells` are left, top, right and bottom of each cell on the
    unit square between them, in the order of the game's board.
    """

    sighting: str
    corners: tuple[Px, Px, Px, Px]
    cells: tuple[CellBox, ...]


@dataclass(frozen=True, slots=True)
class StartWatch:
    """A camera is to watch the match: the page's own, or the server's.

    With `take` it does so in the place of another one.
    """

    camera: Literal["page", "server"] = "page"
    take: bool = False


@dataclass(frozen=True, slots=True)
class AskAdvice:
    """What would be best now? `hand` is what only the asking player sees, as it is typed."""

    hand: str = ""


@dataclass(frozen=True, slots=True)
class Drop:
    """What the camera took for a roll is not a roll."""

    sighting: str


@dataclass(frozen=True, slots=True)
class NewViewer:
    """Somebody is to look at the match and never play: `name` says who, for the host alone."""

    name: str


@dataclass(frozen=True, slots=True)
class NewWebhook:
    """The address `url` is to be sent each event of the match from now on."""

    url: str


D = TypeVar("D", int, None)


def number(name: str, default: D) -> int | D:
    """Return the whole number `?name=` of the address, counted from 0; raises Malformed."""
    sent = request.args.get(name)
    if sent is None:
        return default
    if not re.fullmatch(r"0|[1-9][0-9]{0,99}", sent):
        raise Malformed(_("{name} is a whole number, counted from 0.", name=raw(name)))
    return int(sent)


def sought() -> Mapping[str, str]:
    """Return what the address looks for; raises Malformed where a day of it is empty."""
    for name in ("since", "until"):
        if (day := request.args.get(name)) is not None:
            as_date(day)
    return request.args


def take(most: int) -> None:
    """Let this request have a body of *most* bytes, unless it is a form of plain fields."""
    if request.mimetype != FORM:
        request.max_content_length = most


def body(wanted: type[T]) -> T:
    """Return the JSON body of the request as a *wanted*; raises Malformed saying what is wrong."""
    if not request.is_json:
        raise WrongType(_("Send JSON, with the content type application/json."))
    try:
        sent = load_json(request.get_data())
    except ValueError:
        raise Malformed(_("The request is not JSON. Reload the page and try again.")) from None
    if not isinstance(sent, dict):
        raise Malformed(_("The request must be a JSON object."))
    try:
        return reader(wanted)(sent)  # type: ignore[arg-type, no-any-return]
    except SchemaError as fault:
        raise Malformed(*fault.args) from None


def load_json(text: str | bytes) -> Any:
    """Return a stranger's JSON; raises ValueError, also where it is nested as no move ever is."""
    try:
        sent = json.loads(text, parse_constant=_no_number)
    except RecursionError:
        raise ValueError("nested too deeply") from None
    if _depth(sent) > DEPTH:
        raise ValueError("nested too deeply")
    json.dumps(sent, ensure_ascii=False).encode()  # half a surrogate pair is no text
    return sent


def _no_number(word: str) -> None:
    raise ValueError(f"{word} is not a number")


def _depth(body: object) -> int:
    """Return how many lists and objects stand in one another, without recursion."""
    depth, layer = 0, [body]
    while layer := [
        item
        for one in layer
        if isinstance(one, (list, dict))
        for item in (one.values() if isinstance(one, dict) else one)
    ]:
        depth += 1
    return depth
