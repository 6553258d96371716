"""What a match of several rounds is made of: rounds at tables, totals, and the plan they follow.

A round is one game of a few players, with a state of its own that knows nothing of other rounds or
tables: its players are 0, 1 … Who they are in the match is told by `TableRound.seats`.
"""

from __future__ import annotations

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
    """One round at one table: who sits there, as its players 0, 1 …, and how it stands."""

    number: int  # 1, 2, 3 …; a replay keeps its number
    seats: Seats
    round: S
    counts: bool = True  # False: a replay that only decides who moves on


@dataclass(frozen=True, slots=True)
class MatchState(Generic[S]):
    """Everything the rules need: the tables in play, the rounds played, the totals."""

    house: House
    tables: tuple[TableRound[S], ...]
    done: tuple[TableRound[S], ...] = ()
    totals: SeatPoints = ()
    sat_out: Seats = ()  # tournament, odd number: who sits out in round 1, 2, …, now


@dataclass(frozen=True, slots=True)
class Plan:
    """How long a match lasts, what its rounds bring, and what happens where they end level.

    It ends after so many `rounds`, or once somebody has the points of the `target`. `gains` returns
    what a finished round brings its players, None: its own score, line by line.
    """

    rounds: int | None = None
    target: int | None = None
    gains: Callable[[Any], SeatPoints] | None = None
    lowest: bool = False  # the fewest points win
    level: Literal["draw", "more"] = "draw"  # at the end: that is it, or another round
    replay: bool = False  # a level round does not count, and is played again
    pairs: bool = False  # a tournament: two at a table, and the winners move on
    replay_decides: bool = True  # … a level round is played again to tell who; else the second does
    bye: int = 0  # … points for sitting out
    unit: Unit = ""  # what totals are told in; "" tells them bare, and what wins
    noun: Noun = "round"  # what a round is called
    rule: str = "MT-1"  # the ids of the rules: of the end, of the tables, of the bye
    pairs_rule: str = "MT-4"
    bye_rule: str = "MT-5"


@dataclass(frozen=True, slots=True)
class Series(Generic[S, M]):
    """A game of one round, and how rounds of it make a match.

    Args:
        game: one round, for as many as sit at one table.
        settings: those of the game, and those the plan goes by.
        seats: how many may play the match.
        plan: how it goes under these house rules with so many players. None: the game by itself.
        following: the next round of the same players. None: the game starts afresh.
        alternate: the first player of a round is the second of the next: for games that player 1
            begins.
        second: the player of a round who did not start.
        inside: turns the seats in a move into players of a table. Raises Illegal.
        outside: the other way round.
        known_before: says whether a round looks like another one, so that its photo may be stale.
        surface: what a photo of it shows.
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
        """Make the types of this game's tables and matches."""
        of = get_type_hints(self.game.start)["return"]
        as_told: Any = {"frozen": True, "slots": True}
        table = make_dataclass("TableRound", [("round", of)], bases=(TableRound,), **as_told)
        rounds: Any = tuple[table, ...]  # type: ignore[valid-type]
        fields: Any = [("tables", rounds), ("done", rounds, ())]
        state = make_dataclass("MatchState", fields, bases=(MatchState,), **as_told)
        object.__setattr__(self, "types", (table, state, of))
        object.__setattr__(self, "bare", self.game)
        object.__setattr__(self, "game", at_real_tables(self.game))  # a round may be given up


def plan_of(series: Series[S, M], state: MatchState[S]) -> Plan:
    """Return the plan that a match follows."""
    plan = series.plan(state.house, len(state.totals))
    assert plan is not None  # or its state would be the game's own
    return plan


def own_house(series: Series[S, M], house: House) -> dict[str, Any]:
    """Return the settings of the game itself."""
    return {setting.name: house[setting.name] for setting in series.game.settings}


def at_table(sentence: Message, seats: Sequence[int]) -> Message:
    """Put the match's players where a sentence about a round says "player 1"."""
    if tuple(seats) == tuple(range(len(seats))):
        return sentence
    return named(sentence, [player(seat) for seat in seats])
