"""The values of a match of several rounds: rounds at tables, totals, and the plan.

A round is a game of its own with an independent state: its players are 0, 1 …, which
`TableRound.seats` maps to the seats of the match.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, make_dataclass
from typing import Any, Generic, Literal, TypeVar, get_type_hints

from scorer.evening import at_real_tables
from scorer.game import At, Game
from scorer.messages import Message, _
from scorer.settings import House, Setting
from scorer.words import named, player

S = TypeVar("S")
M = TypeVar("M")
Seats = tuple[int, ...]
SeatPoints = tuple[int, ...]
Unit = Literal["", "game", "point"]
Noun = Literal["round", "game"]
THE_TABLE = _("the table")


@dataclass(frozen=True, slots=True)
class TableRound(Generic[S]):
    """A round at a table: its seats in the match, and its state."""

    number: int  # 1, 2, 3 …; a replay keeps its number
    seats: Seats
    round: S
    counts: bool = True  # False: a replay that only decides who moves on


@dataclass(frozen=True, slots=True)
class MatchState(Generic[S]):
    """The state of a match: the current tables, finished rounds, totals."""

    house: House
    tables: tuple[TableRound[S], ...]
    done: tuple[TableRound[S], ...] = ()
    totals: SeatPoints = ()
    sat_out: Seats = ()  # tournament, odd number of players: the byes of round 1, 2, …, now
    conceded: Seats = ()  # who gave up and can win neither the match nor a round of it


@dataclass(frozen=True, slots=True)
class Plan:
    """The length of a match, the gains of its rounds, and the treatment of ties.

    It ends after `rounds` rounds, or when a player reaches the `target`. `gains` returns the gains
    of a finished round, None: its own score, line by line.
    """

    rounds: int | None = None
    target: int | None = None
    gains: Callable[[Any], SeatPoints] | None = None
    lowest: bool = False  # the fewest points win
    level: Literal["draw", "more"] = "draw"  # at the end: a draw, or another round
    replay: bool = False  # a level round does not count and is replayed
    pairs: bool = False  # a tournament: two at a table, winners move on
    replay_decides: bool = True  # … replayed to decide; otherwise the second moves on
    bye: int = 0  # … points for sitting out
    unit: Unit = ""  # unit of the totals; "": none
    noun: Noun = "round"  # word for a round
    rule: str = "MT-1"  # rule ids: of the end, of the tables, of the bye
    pairs_rule: str = "MT-4"
    bye_rule: str = "MT-5"


@dataclass(frozen=True, slots=True)
class Series(Generic[S, M]):
    """A game of one round, with the definition of its matches.

    Args:
        game: one round, with its numbers of players at a table.
        settings: those of the game and of the plan.
        seats: the numbers of players of the match.
        plan: returns the plan for house rules and a number of players. None: a single game.
        following: returns the next round of the same players. None: the game starts anew.
        alternate: the first player of a round is the second of the next: for games that player 1
            begins.
        second: the player of a round who did not start.
        inside: converts the seats in a move to players of a table. Raises Illegal.
        outside: the reverse.
        known_before: returns True if a round looks like another one: its photo may be stale.
        surface: the name of a photo's surface.
    """

    game: Game[S, M]
    settings: tuple[Setting, ...]
    seats: range
    plan: Callable[[House, int], Plan | None]
    following: Callable[[S], S] | None = None
    alternate: bool = False
    second: Callable[[S], int] = lambda _round: 1
    inside: Callable[[M, Seats], M] = lambda move, _seats: move
    outside: Callable[[M, Seats, int], Any] = lambda move, _seats, table: (
        At(table, move) if table else move
    )
    known_before: Callable[[S, S], bool] | None = None
    surface: Message = THE_TABLE
    types: tuple[type, type, type] = field(init=False)  # of a table, the match and a round
    bare: Game[S, M] = field(init=False)  # the game without the steps beside its moves

    def __post_init__(self) -> None:
        """Create the types of this game's tables and matches."""
        of = get_type_hints(self.game.start)["return"]
        as_told: Any = {"frozen": True, "slots": True}
        table = make_dataclass("TableRound", [("round", of)], bases=(TableRound,), **as_told)
        rounds: Any = tuple[table, ...]  # type: ignore[valid-type]
        fields: Any = [("tables", rounds), ("done", rounds, ())]
        state = make_dataclass("MatchState", fields, bases=(MatchState,), **as_told)
        object.__setattr__(self, "types", (table, state, of))
        object.__setattr__(self, "bare", self.game)
        object.__setattr__(self, "game", at_real_tables(self.game))  # a round may be conceded


def plan_of(series: Series[S, M], state: MatchState[S]) -> Plan:
    """Return the plan of a match."""
    plan = series.plan(state.house, len(state.totals))
    assert plan is not None  # otherwise its state is the game's own
    return plan


def own_house(series: Series[S, M], house: House) -> dict[str, Any]:
    """Return the settings of the game itself."""
    return {setting.name: house[setting.name] for setting in series.game.settings}


def at_table(sentence: Message, seats: Sequence[int]) -> Message:
    """Replace "player 1" in a sentence about a round by the match's players."""
    if tuple(seats) == tuple(range(len(seats))):
        return sentence
    return named(sentence, [player(seat) for seat in seats])
