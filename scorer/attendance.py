"""The effect on a game when a player leaves or joins late."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from scorer.messages import Message, _

S = TypeVar("S")
ENDS = _("it takes all who began, so the match ends as it stands")
SCORE_STANDS = _("the score stands, and the turns go on without this player")


@dataclass(frozen=True, slots=True)
class Attendance(Generic[S]):
    """A game's functions for players who leave or join late.

    `leave` returns the state after a seat has left, and again whenever that seat would have to act;
    the unchanged state if it need not. None, or a result of None: the game needs all its players
    and ends. `means` describes the effect beforehand.

    `join` returns the state with one more seat, given the points of the last player; None, or a
    result of None: nobody can join now. `begins` describes the new seat's start in that state, if
    that is not a score.

    `turn` returns the state at the beginning of a seat's turn, used after players change chairs.
    None, or a result of None: the order cannot change.
    """

    leave: Callable[[S, int], S | None] | None = None
    means: Message = ENDS
    join: Callable[[S, int], S | None] | None = None
    begins: Callable[[S], Message] | None = None
    turn: Callable[[S, int], S | None] | None = None
