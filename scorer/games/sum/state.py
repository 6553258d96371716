"""The sheet: the columns of the players, and what they entered round by round."""

from dataclasses import dataclass
from itertools import chain

from scorer.dominoes import Domino
from scorer.games.sum.moves import Enter, SumEntry
from scorer.settings import House


@dataclass(frozen=True, slots=True)
class Column:
    """A player's column of the sheet: with what and in which round it begins, whether it ended."""

    begins: int = 0
    first: int = 1
    left: bool = False


@dataclass(frozen=True, slots=True)
class State:
    """All that was entered, round by round; the last round is in play, or about to begin."""

    house: House
    columns: tuple[Column, ...]
    rounds: tuple[tuple[SumEntry, ...], ...] = ((),)
    finished: bool = False


def rounds_played(state: State) -> int:
    """Return how many rounds are done: everybody has entered."""
    return len(state.rounds) - 1


def between(state: State) -> bool:
    """Return True if a round is done and none begun."""
    return len(state.rounds) > 1 and not state.rounds[-1]


def is_over(state: State) -> bool:
    """Return True if it ends: by its rounds, by its target or by agreement (SUM-5)."""
    if not between(state):
        return False
    last, most = state.house["rounds"], state.house["target"]
    full = bool(last) and rounds_played(state) >= last
    return state.finished or full or bool(most and max(score(state)) >= most)


def points(state: State, entry: SumEntry) -> int:
    """Return what an entry brings (SUM-3, SUM-4)."""
    if isinstance(entry, Enter):
        return entry.points
    if state.house["photo"] == "dice":
        return len(entry.dice)
    return sum(entry.dice) + sum(of_tile(state, tile) for tile in entry.tiles)


def of_tile(state: State, tile: Domino) -> int:
    """Return what a domino brings (SUM-4)."""
    return sum(tile) or int(state.house["double_blank"])


def score(state: State) -> tuple[int, ...]:
    """Return the sums of all players."""
    totals = [column.begins for column in state.columns]
    for entry in chain.from_iterable(state.rounds):
        totals[entry.seat] += points(state, entry)
    return tuple(totals)


def lowest(state: State) -> bool:
    """Return True if the fewest points win."""
    return bool(state.house["wins"] == "fewest")
