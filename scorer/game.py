"""The contract of a game: a frozen record of pure functions, and the values they exchange.

State and moves are frozen dataclasses that read back from JSON. Chance and hidden things enter as
moves: the table rolls, we record, so a replay is exact. No clock, no random numbers, no I/O.

Sentences name a person as "player 1", "player 2" …, counted from 1 by seat; a page puts the
players' own names there (`scorer.words.named`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cache
from typing import Any, Generic, TypeVar

from scorer.attendance import Attendance
from scorer.board import Board
from scorer.errors import NotAMove
from scorer.messages import Message, raw
from scorer.proposal import Doubt, Proposal
from scorer.settings import House, Setting
from scorer.table import Die, Table, Tile
from scorer.tournament import Tournament, TournamentTable
from scorer.values import SchemaError, dump, reader, shown

S = TypeVar("S")
M = TypeVar("M")


@dataclass(frozen=True, slots=True)
class Spot:
    """One surface that can be photographed, and what lies on it as far as the rules know.

    `seat` is whose it is, where each player has one that stays the same all through a match. One
    that `waits` is of a table that has finished its round.
    """

    title: Message  # "table 2: player 3 and player 4"
    table: Table = field(default_factory=Table)
    seat: int | None = None
    waits: bool = False


@dataclass(frozen=True, slots=True)
class Equipment:
    """What the camera should look for now.

    `dice` is the exact number of dice wanted (None: any), `colours` how many of each body colour
    at most, `board` the printed surface in the words of `pipsight read --look` ("grid:3x3").
    `beside` is a printed surface on which pieces lie too that are not asked for, if it is in view.
    With several `spots` the person says which one the photo shows. `places` names the places of a
    printed track, in order: place i is the cell (0, i). Where what lies there `stays`, a later
    photo shows all that was added since an earlier one, and a photo left out loses nothing.
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


@dataclass(frozen=True, slots=True)
class Because:
    """How one entry of the tally came about. Per seat the points of all entries make the score.

    `seat` None: told for completeness, counts for nobody. `part` is the heading it stands under.
    `if_ended`: it is no more than what an end now would bring, and nothing of what is earned.
    """

    seat: int | None
    points: int
    part: Message  # "round 3"
    text: Message  # "row 1: 1 + 2 + 4 = 7, odd"
    rule: str
    cells: tuple[tuple[int, int], ...] = ()
    if_ended: bool = False
    name: str = ""  # what the seat was called when it was written down; "": as it is called now


@dataclass(frozen=True, slots=True)
class Result:
    """Who won and why. Several winners share the place; none is a lost solo game.

    `draw`: between two who are level nobody has won, and `winners` names both. `early`: the match
    ended before its rules end it, and nobody has won; `winners` led then.
    """

    winners: tuple[int, ...]
    why: Message
    draw: bool = False
    early: bool = False

    @property
    def won(self) -> tuple[int, ...]:
        """Return who has won, several where they share it."""
        return () if self.draw or self.early else self.winners


@dataclass(frozen=True, slots=True)
class Instead:
    """A move that may have been meant where another one settled something, and how to ask.

    It is a move of the state before that other one, not of the state now.
    """

    question: Message  # "did player 2 start?"
    move: Any


@dataclass(frozen=True, slots=True)
class Typed:
    """A move of which a person types a number, one of `numbers`, and all else is told already."""

    asks: Message  # "Points of player 1"
    move: Any  # such a move, with any number
    field: str  # where its number stands
    numbers: range

    def made(self, number: int) -> Any:
        """Return the move with a number."""
        return replace(self.move, **{self.field: number})


@dataclass(frozen=True, slots=True)
class Advice:
    """What a player may do now, and what it is worth; the best comes first.

    `move` is as a recording has it, without what only the dice will tell. `value` is higher for
    the better choice; what it measures, a chance or a lead, is said in `why` with its figure.
    """

    move: Mapping[str, Any]
    value: float
    why: Message


@dataclass(frozen=True, slots=True)
class At(Generic[M]):
    """A move at another table than the first one of a match, table 0, whose moves stand bare.

    In JSON it is the move itself with its "table". Seats in it are those of the table, in the order
    in which its players are named.
    """

    table: int
    move: M


HandPiece = int | tuple[int, int]  # of a hidden hand: a die, or the numbers of a domino

# Takes the state and what only the adviser's player sees, () where nothing is hidden or told.
# Nothing is advised where nothing can be chosen. Raises NoAdvice.
Coach = Callable[[S, Sequence[HandPiece]], tuple[Advice, ...]]


Facts = Mapping[str, Any]  # what a person said beside the photo, by the name of the setting


@dataclass(frozen=True, slots=True)
class PhotoScore:
    """What one photo tells.

    `whose` names the entries of `score`; per entry the points of `because` make it, where `seat` is
    the place in `whose`.
    """

    whose: tuple[Message, ...] = ()  # "player 1", "evens", "the roll"
    score: tuple[int, ...] = ()
    because: tuple[Because, ...] = ()
    means: tuple[Message, ...] = ()  # by the rules, a sentence each
    moves: tuple[tuple[Any, Message], ...] = ()  # that are legal now, each with its words
    outcome: Message | None = None  # who has won, or what that decides
    assumed: Message | None = None  # what the photo does not tell and changes no point
    unknown: Message | None = None  # what one photo cannot tell
    doubts: tuple[Doubt, ...] = ()
    left_out: tuple[str, ...] = ()  # kinds of pieces that change nothing of it: "dice"
    summed: tuple[Any, ...] = ()  # the pieces that a sum counts: 5 of a die, (6, 1) of a tile


@dataclass(frozen=True, slots=True)
class OnePhoto(Generic[S]):
    """How a game scores one photo, from the start of a match.

    `tell` raises NotScored. `facts` are what a person says beside the photo, as one says a house
    rule. `opening` are moves before the photo that it cannot tell and that change no point of it;
    it raises NotScored where they would. `moments` are the states in which the photo may have been
    taken, tried in order until a board that was looked for is found; the last one stands if none
    is. A photo of `any_number` of dice may show fewer than the game asks for then. `otherwise` is
    another moment to look for after a table that cannot be of those, or None.
    """

    tell: Callable[[S, Table, Facts], PhotoScore]
    facts: tuple[Setting, ...] = ()
    opening: Callable[[S, Table], tuple[Any, ...]] = lambda _state, _table: ()
    moments: Callable[[S], tuple[S, ...]] = lambda state: (state,)
    any_number: bool = False
    otherwise: Callable[[S, Table], S | None] = lambda _state, _table: None


@dataclass(frozen=True, slots=True)
class Rules(Generic[S, M]):
    """What each game must have. A record of pure functions, which `scorer.parts` puts together.

    A game's modules define TITLE, SEATS, SETTINGS, the union Move, PHASES (`apply`, `legal_moves`
    and `to_move`, or these themselves), and every other function by its name below.
    `apply` raises Illegal, `start` NotAMove on bad settings. `legal_moves` yields exactly the moves
    `apply` takes (chance included), lazily; `prompt` says in one sentence what is to be done next
    and by whom; `describe` puts a move of this state in words for the history, also one that
    `apply` refuses, or raises Illegal; `to_move` names the seats that may act now.
    """

    name: str  # the module's name, "purple_house"
    title: str
    version: int  # of the rules; raised when a ruling changes old tallies
    seats: range
    settings: tuple[Setting, ...]
    moves: tuple[type, ...]
    # how it is played
    start: Callable[[int, Mapping[str, object]], S]
    legal_moves: Callable[[S], Iterator[M]]
    apply: Callable[[S, M], S]
    to_move: Callable[[S], tuple[int, ...]]
    is_over: Callable[[S], bool]
    # how it stands
    score: Callable[[S], tuple[int, ...]]
    result: Callable[[S], Result | None]  # None while the game goes on
    explain: Callable[[S], tuple[Because, ...]]
    # what is said of it
    prompt: Callable[[S], Message]
    describe: Callable[[S, M], Message]
    # what a photo of it is asked for, and means
    equipment: Callable[[S], Equipment]
    observe: Callable[[S, Table], Proposal]
    # Of the score what is earned so far, as it is shown while a match runs: without what only an
    # end now would cost. After the end it is the score; of a game that names none, always.
    earned: Callable[[S], tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class Game(Rules[S, M]):
    """One game: what each must have, and what one may have. A game names only what it needs."""

    # ---- as it is offered before a match
    about: Message | None = None  # in a few words, what one does in it
    # Minutes that two players need by the usual rules, from and to: an estimate, said roughly.
    minutes: tuple[int, int] | None = None
    bgg: int | None = None  # the number of its entry at BoardGameGeek, where that is known
    named_by: str = ""  # the setting with the players' own name of it; "": it has none
    often: tuple[str, ...] = ()  # names of settings: those chosen most often, the first ones first

    # ---- its photos
    one_photo: OnePhoto[S] | None = None  # what a photo tells without the moves before it
    # Moves that no photo shows: what is agreed, said or chosen. A photo that nothing else explains
    # may tell of them. `unnoticed` are those that may have come before any photo now: they are
    # asked about even where the photo would be explained without them.
    unseen: tuple[type, ...] = ()
    unnoticed: Callable[[S], tuple[type, ...]] = lambda _state: ()
    # What of a state matters from here on: from states alike in it the game goes on alike.
    essence: Callable[[S], object] = lambda state: state
    instead: Callable[[S], tuple[Instead, ...]] = lambda _state: ()  # the likeliest first
    # Moves made by typing a number, those due first. Moves of kinds that are `unlisted`, for there
    # are too many, are typed or shown, and the last that `legal_moves` yields.
    typed: Callable[[S], tuple[Typed, ...]] = lambda _state: ()
    unlisted: tuple[type, ...] = ()
    # The colour of each seat's dice; () where they have none, or it is not known yet.
    colours: Callable[[S], tuple[str, ...]] = lambda _state: ()
    # The dice, colour ("": not known) and value, that a move tells as they fell: all that were
    # thrown, none chosen by a player. From these it is counted how fair the dice are.
    thrown: Callable[[S, M], tuple[tuple[str, int], ...]] = lambda _state, _move: ()
    # The pieces that a move tells to lie there and nobody threw now: put on a cell, or summed.
    laid: Callable[[S, M], tuple[Die | Tile, ...]] = lambda _state, _move: ()
    # The move that tells that the dice of a `colour` are those of a `seat`; None: it is known.
    own: type | None = None

    # ---- its tally and its table, in words and on paper
    # Other words in which players type a move of this state: "count 4", "4-1 beside 1-1".
    also_said: Callable[[S, M], tuple[Message, ...]] = lambda _state, _move: ()
    target: Callable[[S], int | None] = lambda _state: None  # the points that end it, if any do
    turn_total: Callable[[S], int | None] = lambda _state: None  # of the turn in play, unscored
    # What may help to settle what is due, and is no rule; "" where nothing does.
    hint: Callable[[S], Message] = lambda _state: raw("")
    # What a player should know of the own score, a sentence a seat; () where it needs no words.
    notes: Callable[[S], tuple[Message, ...]] = lambda _state: ()
    # What lies on the table as blocks of plain text, at most 50 columns wide, the first concerning
    # who moves next; a block begins with its title. () where the tally says it all.
    draw: Callable[[S], tuple[Message, ...]] = lambda _state: ()
    # What many moves of one kind are called together: {"Place": "dice placed"}.
    several: Mapping[str, Message] = field(default_factory=dict)
    # The boards that can be printed for it under its settings, as `settle` returns them.
    boards: Callable[[House], tuple[Board, ...]] = lambda _house: ()

    # ---- at a real table, where people leave, come late and stop (`scorer.evening`)
    attendance: Attendance[S] = field(default_factory=Attendance)
    lowest: Callable[[S], bool] = lambda _state: False  # do the fewest points lead?
    # What tells seats with equal points apart, the more the better; () where nothing does.
    tie_break: Callable[[S], tuple[int, ...]] = lambda _state: ()
    rounds_played: Callable[[S], int] = lambda _state: 0  # 0 where it has no rounds
    # The move that settles at the start that a seat begins; None: player 1 does.
    starts: Callable[[S, int], M | None] = lambda _state, _seat: None
    # The state once all play on with what lies there, though the rules forbid it; None where the
    # table does not tell how to. None of a game whose rules forbid nothing that can lie there.
    as_it_lies: Callable[[S, Table], S | None] | None = None
    steps: tuple[type, ...] = ()  # that it takes beside its moves

    # ---- a match of several rounds; `scorer.match` fills these in
    # Who meets whom and how all stand; None where all play at one table.
    tournament: Callable[[S], Tournament | None] = lambda _state: None
    played_tables: Callable[[S], tuple[TournamentTable, ...]] = lambda _state: ()  # () of one table
    tables: bool = False  # does a move name its table, where several are played at (`At`)?
    # The state of one round by itself, and its `apply`: most moves need no other check.
    alone: tuple[type, Callable[[Any, M], Any]] | None = None

    # ---- its coach
    # What would be best now; None: nobody has worked it out for this game.
    coach: Coach[S] | None = None
    # An example of what a player holds unseen by the others, as it is typed; "" where nothing is.
    hand: str = ""


def dump_move(move: object) -> dict[str, Any]:
    """Return *move* as JSON data; its class name stands under "move"."""
    if isinstance(move, At):
        return {**dump_move(move.move), "table": move.table}
    return {"move": type(move).__name__, **dump(move)}


def kind_of(move: object) -> type:
    """Return the type of a move, at whichever table it is made."""
    return type(move.move) if isinstance(move, At) else type(move)


def load_move(game: Game[S, M], data: object) -> M:
    """Read one move of *game* back from JSON data; raises NotAMove saying what is wrong."""
    if not isinstance(data, Mapping):
        raise NotAMove(f"a move is an object, not {shown(data)}")
    kinds = _by_name(game.moves, game.steps)
    name = data.get("move")
    if not isinstance(name, str) or name not in kinds:
        own = ", ".join(kind.__name__ for kind in game.moves)
        raise NotAMove(f"{game.title} has the moves {own}, not {shown(name)}")
    sent = {key: data[key] for key in data if key != "move"}
    apart = game.tables and kinds[name] not in game.steps
    named_apart = apart and "table" not in _names(kinds[name])
    table = sent.pop("table", 0) if named_apart else 0
    try:
        read = reader(kinds[name])(sent)
        at = reader(int)(table)
    except SchemaError as fault:
        raise NotAMove(f"{name}: {fault}") from None
    return At(at, read) if at else read  # type: ignore[return-value]


@cache
def _by_name(*moves: tuple[type, ...]) -> Mapping[str, type]:
    return {kind.__name__: kind for kinds in moves for kind in kinds}


@cache
def _names(kind: type) -> frozenset[str]:
    return frozenset(field.name for field in fields(kind))


def replay(game: Game[S, M], seats: int, settings: Mapping[str, object], moves: Iterable[M]) -> S:
    """Return the state after *moves*; raises as `start` and `apply` do."""
    state = game.start(seats, settings)
    for move in moves:
        state = game.apply(state, move)
    return state
