"""What it means in a game that somebody leaves the table, or comes to it late."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from scorer.messages import Message, _

S = TypeVar("S")
ENDS = _("it takes all who began, so the match ends as it stands")
SCORE_STANDS = _("the score stands, and the turns go on without this player")


@dataclass(frozen=True, slots=True)
class Attendance(Generic[S]):
    """What a game makes of who leaves it, and of who comes late.

    `leave` returns the state once a seat has left, and again whenever that seat would be asked for
    something; the state as it is where it is not. None, or the None that it returns: the game takes
    everybody who began it, so it ends as it stands. `means` says so before it is done.

    `join` returns the state with one more seat after the others, told how many points the last of
    them has; None, or the None that it returns: nobody can come now. `begins` says of that state
    with what the seat begins, where that is no score.

    `turn` returns the state in which it is the turn of a seat, at its beginning: whose turn follows
    can be chosen where players change chairs. None, or the None that it returns: the order stays.
    """

    leave: Callable[[S, int], S | None] | None = None
    means: Message = ENDS
    join: Callable[[S, int], S | None] | None = None
    begins: Callable[[S], Message] | None = None
    turn: Callable[[S, int], S | None] | None = None
