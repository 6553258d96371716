"""The effect on a game when a player leaves or joins late."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from scorer.messages import Message, _
from scorer.values import changed

S = TypeVar("S")
ENDS = _("it takes all who began, so the match ends as it stands")
SCORE_STANDS = _("the score stands, and the turns go on without this player")


@dataclass(frozen=True, slots=True)
class Attendance(Generic[S]):
    """A game's functions for players who leave or join late.

    `leave` returns the state after a seat has left, and again whenever that seat would have to act;
    the unchanged state if it need not. None, or a result of None: the game needs all its players
    and ends. `means` describes the effect beforehand. `concede` is used instead when a seat gives
    up; None: it is the same.

    `ignoring` returns the state for the prompt and the coach if some seats cannot win any more:
    their points are not to be beaten. None: neither depends on the points of others.

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
    concede: Callable[[S, int], S | None] | None = None
    ignoring: Callable[[S, Sequence[int]], S] | None = None


def without_points(state: S, seats: Sequence[int]) -> S:
    """Return a state with `scores` in which these seats have none."""
    scores = enumerate(state.scores)  # type: ignore[attr-defined]
    return changed(state, scores=tuple(0 if seat in seats else won for seat, won in scores))
