"""A game that is nowhere but here: `pytest -p tests.scorer.games.new_game` adds it to the others.

Tower: roll three dice, of which the highest counts.

TW-1  Whoever has most after five turns wins (`rounds`).
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from scorer.dice import check_pips, falls
from scorer.errors import Illegal
from scorer.game import Because, Equipment, Proposal, Result
from scorer.games import GAMES
from scorer.messages import Message, _
from scorer.parts import game_of
from scorer.photo.rolls import Pips, Thrown, rolled, turns
from scorer.settings import House, Setting, check_seats, settle
from scorer.table import Table
from scorer.words import numbers, player, players

TITLE, SEATS = "Tower", range(2, 5)
SETTINGS = (Setting("rounds", _("Turns of each player"), 5, range(1, 10), "TW-1"),)


@dataclass(frozen=True, slots=True)
class Roll(Thrown):
    """Three dice as they fell."""


@dataclass(frozen=True, slots=True)
class State:
    """All rolls so far."""

    house: House
    seats: int
    rolls: tuple[Pips, ...] = ()


Move = Roll


def start(seats: int, settings: Mapping[str, object]) -> State:
    """Return the state before the first roll."""
    return State(settle(SETTINGS, settings), check_seats(TITLE, SEATS, seats))


def is_over(state: State) -> bool:
    """Say whether all turns are taken."""
    return len(state.rolls) == state.seats * state.house["rounds"]


def to_move(state: State) -> tuple[int, ...]:
    """Return whose turn it is."""
    return () if is_over(state) else (len(state.rolls) % state.seats,)


def legal_moves(state: State) -> Iterator[Roll]:
    """Yield every fall of three dice."""
    return iter(()) if is_over(state) else map(Roll, falls(3))


def apply(state: State, move: Roll) -> State:
    """Return the state after a roll."""
    if is_over(state):
        raise Illegal(move, _("the game is over"), "TW-1")
    if len(move.dice) != 3:
        raise Illegal(move, prompt(state), "TW-1")
    check_pips(move, move.dice, "TW-1")
    return State(state.house, state.seats, (*state.rolls, move.dice))


def score(state: State) -> tuple[int, ...]:
    """Return the highest dice added up."""
    own = (state.rolls[seat :: state.seats] for seat in range(state.seats))
    return tuple(sum(max(roll) for roll in rolls) for rolls in own)


def result(state: State) -> Result | None:
    """Return who has most."""
    most = max(score(state))
    first = tuple(seat for seat, won in enumerate(score(state)) if won == most)
    return Result(first, _("{who} has most", who=players(first))) if is_over(state) else None


def explain(state: State) -> tuple[Because, ...]:
    """Return what each roll brought."""
    seats = [at % state.seats for at in range(len(state.rolls))]
    return tuple(
        Because(seat, max(roll), turn, numbers(roll), "TW-1")
        for seat, roll, turn in zip(seats, state.rolls, turns(seats), strict=True)
    )


def equipment(_state: State) -> Equipment:
    """Return three dice."""
    return Equipment(dice=3)


def observe(state: State, table: Table) -> Proposal:
    """Return the roll that lies there."""
    if is_over(state):
        return Proposal.differs(_("the game is over"), "TW-1")
    return rolled(table, 3, "TW-1", Roll, state.rolls[-1] if state.rolls else ())


def prompt(state: State) -> Message:
    """Return what is to be done next."""
    if ended := result(state):
        return ended.why
    return _("{who} rolls three dice", who=player(*to_move(state)))


def describe(state: State, move: Roll) -> Message:
    """Return a roll in words."""
    return _("{who} rolls {dice}", who=player(*to_move(state)), dice=numbers(move.dice))


sys.modules["scorer.games.tower"] = sys.modules[__name__]
GAME = GAMES["tower"] = game_of("tower", 1, globals())
