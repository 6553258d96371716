"""The contract of a game: a frozen record of pure functions, and the values they exchange.

State and moves are frozen dataclasses that read back from JSON. Chance and hidden information enter
as moves, so a replay is exact. No clock, no random numbers, no I/O.

Sentences contain "player 1", "player 2" …, counted from 1 by seat; a page inserts the players'
names (`scorer.words.named`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cache, reduce
from typing import Any, Generic, TypeVar

from scorer.attendance import Attendance
from scorer.board import Board
from scorer.entry import TableEntry
from scorer.errors import NotAMove
from scorer.messages import Message, _, joined, raw
from scorer.proposal import Doubt, Proposal
from scorer.settings import House, Setting
from scorer.table import Die, Table, Tile
from scorer.tournament import Tournament, TournamentTable
from scorer.values import SchemaError, dump, reader, shown

S = TypeVar("S")
M = TypeVar("M")


@dataclass(frozen=True, slots=True)
class Spot:
    """A surface that can be photographed, with its known pieces.

    `seat` is its owner, if each player has one for the whole match. `waits`: its table has finished
    the round.
    """

    title: Message  # "table 2: player 3 and player 4"
    table: Table = field(default_factory=Table)
    seat: int | None = None
    waits: bool = False


@dataclass(frozen=True, slots=True)
class Equipment:
    """The pieces and surfaces that the camera should look for now.

    `dice` is the exact number of dice (None: any), `colours` the maximum of each body colour,
    `board` the printed surface in the syntax of `pipsight read --look` ("grid:3x3"). `beside` is a
    printed surface whose pieces are not wanted, if it is in view. With several `spots` the person
    selects one. `places` are the labels of a printed track: place i is the cell (0, i). `stays`:
    pieces are never removed, so a later photo includes everything of a skipped one.
    """

    board: str | None = None
    dice: int | None = None
    colours: Mapping[str, int] = field(default_factory=dict)
    tiles: bool = False
    spots: tuple[Spot, ...] = ()
    places: tuple[str, ...] = ()
    stays: bool = False
    beside: str | None = None
    loose: bool = False
    largest: int | None = None

    def surface(self, number: int) -> Spot:
        """Return the spot of that *number*; if there is none, one of which nothing is known."""
        return dict(enumerate(self.spots)).get(number, Spot(raw("")))


@dataclass(frozen=True, slots=True)
class Because:
    """An entry of the explained score. The points of all entries add up to each seat's score.

    `seat` None: shown for completeness, counts for nobody. `part` is its heading. `if_ended`: it
    counts only if the match ended now, and is not earned yet.
    """

    seat: int | None
    points: int
    part: Message  # "round 3"
    text: Message  # "row 1: 1 + 2 + 4 = 7, odd"
    rule: str
    cells: tuple[tuple[int, int], ...] = ()
    if_ended: bool = False
    name: str = ""  # the seat's name at that time; "": the current name


@dataclass(frozen=True, slots=True)
class Result:
    """The winners and the reason. Several winners share the win; none is a lost solo game.

    `draw`: two players are level, nobody has won, and `winners` has both. `early`: the match was
    ended before its rules end it, nobody has won, and `winners` led.
    """

    winners: tuple[int, ...]
    why: Message
    draw: bool = False
    early: bool = False

    @property
    def won(self) -> tuple[int, ...]:
        """Return the winners, several if they share the win."""
        return () if self.draw or self.early else self.winners


@dataclass(frozen=True, slots=True)
class Instead:
    """An alternative to an earlier move, in the state before it, with the question about it."""

    question: Message  # "did player 2 start?"
    move: Any


@dataclass(frozen=True, slots=True)
class Typed:
    """A move completed by typing one number from `numbers`."""

    asks: Message  # "Points of player 1"
    move: Any  # the move with any number
    field: str  # the field of the number
    numbers: range

    def made(self, number: int) -> Any:
        """Return the move with a number."""
        return replace(self.move, **{self.field: number})


@dataclass(frozen=True, slots=True)
class Advice:
    """A possible choice with its value.

    `move` is in the form of a recording, without fields that the dice decide. `value` is higher for
    the better choice; `why` says what it measures, a chance or a lead, with its figure.
    """

    move: Mapping[str, Any]
    value: float
    why: Message


@dataclass(frozen=True, slots=True)
class At(Generic[M]):
    """A move at a table other than the first, table 0, whose moves are not wrapped.

    In JSON it is the move with a "table". Its seats are those of the table, in the order of its
    players.
    """

    table: int
    move: M


HandPiece = int | tuple[int, int]  # of a hidden hand: a die, or the numbers of a domino

# Takes the state and the player's hidden hand, () if there is none or it is unknown. Returns
# nothing if there is no choice. Raises NoAdvice.
Coach = Callable[[S, Sequence[HandPiece]], tuple[Advice, ...]]


Facts = Mapping[str, Any]  # a person's additions to the photo, by the name of the setting


@dataclass(frozen=True, slots=True)
class PhotoScore:
    """The score of a single photo.

    `whose` names the entries of `score`; the points of `because` add up to each entry, where `seat`
    is the index in `whose`.
    """

    whose: tuple[Message, ...] = ()  # "player 1", "evens", "the roll"
    score: tuple[int, ...] = ()
    because: tuple[Because, ...] = ()
    means: tuple[Message, ...] = ()  # by the rules, a sentence each
    moves: tuple[tuple[Any, Message], ...] = ()  # legal moves with their descriptions
    outcome: Message | None = None  # the winner, or the consequence
    assumed: Message | None = None  # assumptions that change no point
    unknown: Message | None = None  # what a single photo cannot show
    doubts: tuple[Doubt, ...] = ()
    left_out: tuple[str, ...] = ()  # kinds of pieces that do not matter: "dice"
    summed: tuple[Any, ...] = ()  # the summed pieces: 5 for a die, (6, 1) for a tile


@dataclass(frozen=True, slots=True)
class OnePhoto(Generic[S]):
    """How a game scores a single photo, without earlier moves.

    `tell` raises NotScored. `facts` are settings that a person adds to the photo. `opening` are
    earlier moves that no photo shows and that change no points; it raises NotScored if they would.
    `moments` are the states in which the photo may have been taken, tried in order until their
    board is found, else the last is used. `any_number`: the photo may show fewer dice than the game
    requires. `otherwise` returns another moment for a table that fits none of them, or None.
    """

    tell: Callable[[S, Table, Facts], PhotoScore]
    facts: tuple[Setting, ...] = ()
    opening: Callable[[S, Table], tuple[Any, ...]] = lambda _state, _table: ()
    moments: Callable[[S], tuple[S, ...]] = lambda state: (state,)
    any_number: bool = False
    otherwise: Callable[[S, Table], S | None] = lambda _state, _table: None


@dataclass(frozen=True, slots=True)
class Rules(Generic[S, M]):
    """The required part of a game: a record of pure functions, assembled by `scorer.parts`.

    A game's modules define TITLE, SEATS, SETTINGS, the union Move, PHASES (`apply`, `legal_moves`
    and `to_move`, or these themselves), and every other function by its name below.

    `apply` raises Illegal, `start` NotAMove on bad settings. `legal_moves` lazily yields exactly
    the moves `apply` accepts, including chance; `prompt` is a sentence about what to do next, and
    by whom; `describe` describes a move of this state for the history, even an illegal one, or
    raises Illegal; `to_move` returns the seats that may act now.
    """

    name: str  # the module's name, "purple_house"
    title: str
    version: int  # of the rules; increased when a ruling changes old tallies
    seats: range
    settings: tuple[Setting, ...]
    moves: tuple[type, ...]
    # play
    start: Callable[[int, Mapping[str, object]], S]
    legal_moves: Callable[[S], Iterator[M]]
    apply: Callable[[S, M], S]
    to_move: Callable[[S], tuple[int, ...]]
    is_over: Callable[[S], bool]
    # standing
    score: Callable[[S], tuple[int, ...]]
    result: Callable[[S], Result | None]  # None during the game
    explain: Callable[[S], tuple[Because, ...]]
    # sentences
    prompt: Callable[[S], Message]
    describe: Callable[[S, M], Message]
    # photos
    equipment: Callable[[S], Equipment]
    observe: Callable[[S, Table], Proposal]
    # The points earned so far, shown during a match: without penalties of an end now. After the end
    # it is the score; by default always.
    earned: Callable[[S], tuple[int, ...]]

    @property
    def usual_seats(self) -> int:
        """How many play where nobody says: two, if two may."""
        return 2 if 2 in self.seats else self.seats[0]


@dataclass(frozen=True, slots=True)
class Game(Rules[S, M]):
    """A game: the required and the optional parts."""

    # ---- before a match
    about: Message | None = None  # a short description
    # Minutes for two players with default rules, from and to: a rough estimate.
    minutes: tuple[int, int] | None = None
    bgg: int | None = None  # its id at BoardGameGeek, if known
    named_by: str = ""  # the setting with the players' own title; "": none
    often: tuple[str, ...] = ()  # names of frequently used settings, in order

    # ---- photos
    one_photo: OnePhoto[S] | None = None  # scoring of a single photo
    # Moves that no photo shows: agreed, called or chosen. They are tried if nothing else explains a
    # photo. `unnoticed` may have come before any photo: they are asked about even if the photo is
    # explained without them.
    unseen: tuple[type, ...] = ()
    unnoticed: Callable[[S], tuple[type, ...]] = lambda _state: ()
    # The part of a state that matters from now on: equal parts continue equally.
    essence: Callable[[S], object] = lambda state: state
    instead: Callable[[S], tuple[Instead, ...]] = lambda _state: ()  # the likeliest first
    # Moves made by typing a number, the due ones first. Moves of `unlisted` kinds are too many:
    # they are typed or photographed, and `legal_moves` yields them last.
    typed: Callable[[S], tuple[Typed, ...]] = lambda _state: ()
    unlisted: tuple[type, ...] = ()
    # What can be entered now by tapping keys, a table each; () lists moves by their words.
    entry: Callable[[S], tuple[TableEntry, ...]] = lambda _state: ()
    # The colour of each seat's dice; () if they have none, or it is unknown.
    colours: Callable[[S], tuple[str, ...]] = lambda _state: ()
    # What a colour stands for: {"black": "odd"}.
    colour_means: Mapping[str, Message] = field(default_factory=dict)
    # The thrown dice of a move with colour ("": unknown) and value: all that fell, none chosen by a
    # player. Statistics of fairness count these.
    thrown: Callable[[S, M], tuple[tuple[str, int], ...]] = lambda _state, _move: ()
    # The pieces of a move that were not thrown: placed on a cell, or summed.
    laid: Callable[[S, M], tuple[Die | Tile, ...]] = lambda _state, _move: ()
    # The move that assigns the dice of a `colour` to a `seat`; None: it is known.
    own: type | None = None

    # ---- the tally and the table, in words and on paper
    # Alternative typed forms of a move: "count 4", "4-1 beside 1-1".
    also_said: Callable[[S, M], tuple[Message, ...]] = lambda _state, _move: ()
    target: Callable[[S], int | None] = lambda _state: None  # points that end the game, if any
    turn_total: Callable[[S], int | None] = lambda _state: None  # unscored, of the current turn
    # A hint for the current decision that is not a rule, or "".
    hint: Callable[[S], Message] = lambda _state: raw("")
    # A note on each seat's score; () if it needs none.
    notes: Callable[[S], tuple[Message, ...]] = lambda _state: ()
    # The table as blocks of plain text, at most 50 columns wide, the mover's first; a block begins
    # with its title. () if the tally shows everything.
    draw: Callable[[S], tuple[Message, ...]] = lambda _state: ()
    # Summaries of several moves of one kind: {"Place": "dice placed"}.
    several: Mapping[str, Message] = field(default_factory=dict)
    # The printable boards for settings as returned by `settle`.
    boards: Callable[[House], tuple[Board, ...]] = lambda _house: ()

    # ---- steps beside the moves (`scorer.evening`)
    attendance: Attendance[S] = field(default_factory=Attendance)
    lowest: Callable[[S], bool] = lambda _state: False  # whether the fewest points lead
    # Tie-breaks between equal points, higher is better; () if there are none.
    tie_break: Callable[[S], tuple[int, ...]] = lambda _state: ()
    rounds_played: Callable[[S], int] = lambda _state: 0  # 0 if there are no rounds
    # The opening move that makes a seat the starting player; None: player 1 starts.
    starts: Callable[[S, int], M | None] = lambda _state, _seat: None
    # The state that accepts an illegal table by agreement, or None if the table does not determine
    # it. The function is None if no table can be illegal.
    as_it_lies: Callable[[S, Table], S | None] | None = None
    steps: tuple[type, ...] = ()  # accepted beside the moves

    # ---- matches of several rounds, filled in by `scorer.match`
    # Pairings and standings; None if all play at one table.
    tournament: Callable[[S], Tournament | None] = lambda _state: None
    played_tables: Callable[[S], tuple[TournamentTable, ...]] = lambda _state: ()  # () of one table
    tables: bool = False  # whether a move names its table if there are several (`At`)
    # The state of one round by itself, and its `apply`: most moves need no other check.
    alone: tuple[type, Callable[[Any, M], Any]] | None = None

    # ---- coach
    # Advice for the current state; None: this game has no coach.
    coach: Coach[S] | None = None
    # An example of a typed hidden hand; "" if there are none.
    hand: str = ""


def dump_move(move: object) -> dict[str, Any]:
    """Return *move* as JSON data, with its class name as "move"."""
    if isinstance(move, At):
        return {**dump_move(move.move), "table": move.table}
    return {"move": type(move).__name__, **dump(move)}


def kind_of(move: object) -> type:
    """Return the type of a move, unwrapped from its table."""
    return type(move.move) if isinstance(move, At) else type(move)


def load_move(game: Game[S, M], data: object) -> M:
    """Parse a move of *game* from JSON data; raises NotAMove, which explains the fault."""
    if not isinstance(data, Mapping):
        raise NotAMove(_("a move is an object, not {value}", value=raw(shown(data))))
    kinds = _by_name(game.moves, game.steps)
    name = data.get("move")
    if not isinstance(name, str) or name not in kinds:
        own = ", ".join(kind.__name__ for kind in game.moves)
        raise NotAMove(
            _(
                "{game} has the moves {moves}, not {value}",
                game=raw(game.title),
                moves=raw(own),
                value=raw(shown(name)),
            )
        )
    sent = {key: data[key] for key in data if key != "move"}
    apart = game.tables and kinds[name] not in game.steps
    named_apart = apart and "table" not in _names(kinds[name])
    table = sent.pop("table", 0) if named_apart else 0
    try:
        read = reader(kinds[name])(sent)
        at = reader(int)(table)
    except SchemaError as fault:
        raise NotAMove(joined(": ", (raw(name), fault.args[0]))) from None
    return At(at, read) if at else read  # type: ignore[return-value]


@cache
def _by_name(*moves: tuple[type, ...]) -> Mapping[str, type]:
    return {kind.__name__: kind for kinds in moves for kind in kinds}


@cache
def _names(kind: type) -> frozenset[str]:
    return frozenset(field.name for field in fields(kind))


def replay(game: Game[S, M], seats: int, settings: Mapping[str, object], moves: Iterable[M]) -> S:
    """Return the state after *moves*; raises what `start` and `apply` raise."""
    return reduce(game.apply, moves, game.start(seats, settings))
