"""Request bodies: dataclasses, of which each is what is read and what the description says.

In `Annotated` a text is what the description says of a field besides its type, and a pair a key of
its schema with the value (`webui.api.schema`).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from scorer import Cell, Die, Malformed, MarkedCell, Table, Tile
from scorer.games import GAMES
from scorer.messages import _
from webui.api.schema import ref
from webui.match.amend import Right
from webui.match.player_names import NOTE_LENGTH
from webui.outside.post import URL_LENGTH
from webui.store.rows import REQUEST_LENGTH

Seat = Annotated[
    int, ("minimum", 0), ("maximum", max(game.seats[-1] for game in GAMES.values()) - 1)
]
SpotNumber = Annotated[int, ("minimum", 0)]
RequestId = Annotated[str, ("maxLength", REQUEST_LENGTH)]
NoteText = Annotated[str, ("maxLength", NOTE_LENGTH), "Letters that can be seen, or none."]
ConfirmedMoves = Annotated[tuple[Any, ...], ("items", ref("Move")), ("minItems", 1)]


def check_spot(spot: int) -> None:
    """Raise Malformed unless a surface has such a number."""
    if spot < 0:
        raise Malformed(_("spot is a whole number, counted from 0."))


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
    moves: ConfirmedMoves
    sighting: str | None = None
    by: Seat | None = None
    request: RequestId | None = None
    instead: Right | None = None
    confirmed: str | None = None


@dataclass(frozen=True, slots=True)
class Undo:
    """The last step to be taken back, or every step after the step `to`."""

    after: int
    to: int | None = None
    by: Seat | None = None
    request: RequestId | None = None


@dataclass(frozen=True, slots=True)
class Redo:
    """The step `step`, which was taken back, is put back with all below it: see `ahead`."""

    after: int
    step: int
    by: Seat | None = None
    request: RequestId | None = None


@dataclass(frozen=True, slots=True)
class Note:
    """What somebody notes on the step `step`, in the place of the note before it; "": none."""

    after: int
    step: int
    text: NoteText
    by: Seat | None = None
    request: RequestId | None = None


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
    spot: SpotNumber = 0
    since: int | None = None
    instead: Right | None = None
    replaces: int | None = None

    def table(self) -> Table:
        """Return it as facts nobody doubts; raises Malformed."""
        check_spot(self.spot)
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
    spot: SpotNumber = 0


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

    name: NoteText


@dataclass(frozen=True, slots=True)
class NewWebhook:
    """The address `url` is to be sent each event of the match from now on."""

    url: Annotated[str, ("format", "uri"), ("maxLength", URL_LENGTH)]
