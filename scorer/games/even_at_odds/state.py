"""Even at Odds: its house rules and the state of a game."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from scorer.dominoes import SET, Domino, Lay
from scorer.games.even_at_odds.moves import Team
from scorer.games.even_at_odds.settings import foundation
from scorer.settings import House

HAND = 7
REMOVED = 2
DRAWN = 3  # solo: tiles a turn
HELPER = (0, 0)  # solo: the double-blank is beside the board
FACE_DOWN: Mapping[int, tuple[Domino, ...]] = {
    1: tuple((a, b) for a, b in SET if a),
    2: tuple((a, b) for a, b in SET if a != b or not a),
}


Lost = Literal["", "hand", "number"]


@dataclass(frozen=True, slots=True)
class Outcome:
    """A finished game: largest groups and faces on the top level, by seat."""

    groups: tuple[int, int]
    tops: tuple[int, int]
    winner: int | None  # seat
    extra: bool = False  # was it decided after the extra turn?


@dataclass(frozen=True, slots=True)
class State:
    """Everything the rules need. Solo has one seat, and a hand that is always known."""

    house: House
    laid: tuple[Lay, ...]  # in order, the foundation first
    hands: tuple[tuple[Domino, ...], ...]  # by seat: the tiles known to be there, ascending
    held: tuple[int, ...]  # by seat: number of tiles in hand
    stock: int  # tiles in the boneyard (solo: draw pile)
    turn: int = 0  # seat
    starter: int | None = None  # seat; None before the flip
    flips: tuple[Domino, ...] = ()  # for this start, all level so far
    teams: tuple[Team, ...] = ()  # by seat, once chosen
    aside: tuple[Domino, ...] = ()  # out of play face up: discarded, given back, left in a hand
    passes: int = 0  # in succession
    extra: bool = False  # is this the extra turn of EO-8?
    outcome: Outcome | None = None  # once two players have ended
    later: bool = False  # in a match: tiles of the previous game may still be there
    helped: bool = False  # solo: is the helper used up?
    lost: Lost = ""  # solo: why, the hand that did not fit or the number that is missing

    @property
    def solo(self) -> bool:
        """Return True if one player plays alone."""
        return len(self.hands) == 1

    @property
    def chooser(self) -> int:
        """The player who does not start chooses a team (EO-3)."""
        assert self.starter is not None
        return 1 - self.starter

    def by_seat(self, by_team: tuple[int, int]) -> tuple[int, int]:
        """Return figures of evens and odds as those of player 1 and player 2."""
        return by_team if self.teams[0] == "evens" else by_team[::-1]


def dealt(before: State, starter: int, teams: tuple[Team, ...] = ()) -> State:
    """Return a game of two players whose hands are dealt (EO-2)."""
    house, hands = before.house, (HAND, HAND)
    stock = len(FACE_DOWN[2]) - sum(hands) - REMOVED
    laid = foundation(2, house)
    return State(house, laid, ((), ()), hands, stock, starter, starter, (), teams)
