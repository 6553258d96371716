"""Beat the Odds: the state of a game."""

from dataclasses import dataclass

from scorer.games.beat_the_odds.turn import NO_ROLLS, Dice, Turn
from scorer.settings import House
from scorer.values import Paged


@dataclass(frozen=True, slots=True)
class Past:
    """A finished turn and the points it brought."""

    seat: int
    points: int
    turn: Turn


@dataclass(frozen=True, slots=True)
class State:
    """Everything the rules need: the scores, the turn in play, who still has one to come."""

    house: House
    scores: tuple[int, ...]
    seat: int = 0  # who rolls
    turn: Turn = NO_ROLLS
    rights: tuple[int, ...] = ()  # a seat: re-rolls carried into its next turn
    starter: int | None = None  # None while they roll for the start
    rolling: tuple[int, ...] = ()  # the seats that roll for the start
    thrown: tuple[int, ...] = ()  # their totals so far, in the same order
    trigger: int | None = None  # the seat that reached 100 first
    last: tuple[int, ...] | None = None  # seats with a last turn to come; None before 100
    past: Paged[Past] = ()
    given_up: tuple[int, ...] = ()  # seats that can win no more
    lying: Dice | None = None  # the last roll for the start
