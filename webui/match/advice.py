"""Advice in a match: its coach is asked where the players agreed to ask, and may take a seat.

A hand that somebody enters is used for the answer alone: it is neither stored nor told to others.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from scorer import Advice, Game, NoAdvice, dump_move
from scorer.evening import seated
from scorer.messages import _
from scorer.sentence import MOST
from webui.errors import NotAgreed, Unadvised
from webui.languages import said
from webui.match.coach import WrongHand, advise_now, read_hand
from webui.match.match import Match

BY_HEART = _("This match is played without advice. Start a match in which anybody may ask.")
WORST = 0.08  # of the longest bar: what the bar of the worst choice has, so that it is seen


@dataclass(frozen=True, slots=True)
class AdvisedMove:
    """A possible move, in words and with its figure; `share` of a bar, 1 for the best."""

    move: dict[str, Any]
    value: float
    why: str
    share: float


@dataclass(frozen=True, slots=True)
class CoachTurn:
    """What the coach does in the seat that it took.

    `move` is stored once a person has made it on the table; None: what the dice tell is missing.
    `example` is such a hand as its seat holds unseen, "" where the game has none, and `hand` what
    was typed.
    """

    name: str
    says: str
    move: dict[str, Any] | None
    example: str = ""
    hand: str = ""


def coach_seat(settings: Mapping[str, object]) -> int | None:
    """Return the seat that the coach took by the settings of a match, None if it has none."""
    taken = settings.get("coach_plays", 0)
    return taken - 1 if isinstance(taken, int) and taken else None


def coach_now(match: Match) -> int | None:
    """Return the seat that the coach has now: it changes seats as others do."""
    first = coach_seat(match.row.settings)
    sat = seated(match.state, len(match.row.names))
    return sat.index(first) if first in sat else None


def agreed(match: Match) -> bool:
    """Return True if anybody may ask what would be best."""
    return match.game is not None and bool(match.row.settings.get("advice", False))


def choices(match: Match, hand: str = "") -> tuple[AdvisedMove, ...]:
    """Return what may be done now, the best first.

    Args:
        match: the match as it stands.
        hand: what only the asking player sees, as typed.

    Raises:
        NotAgreed: the players play by heart.
        Unadvised: nothing can be chosen, the hand cannot be, or the rules are not here.
    """
    game = match.rules()
    if not agreed(match):
        raise NotAgreed(BY_HEART)
    try:
        advice = advise_now(game, match.state, match.names, read_hand(hand) if hand.strip() else ())
    except (NoAdvice, WrongHand) as fault:
        raise Unadvised(_why_not(fault, match.names)) from fault
    return _compared(advice, match.names)


def coach_turn(match: Match, hand: str = "") -> CoachTurn | None:
    """Return what the coach does if it is its turn; None where it has no seat, or only rolls.

    A *hand* that somebody types for it is used for this answer alone.
    """
    seat = coach_now(match)
    if match.game is None or match.closed or seat is None:
        return None
    game = match.game
    if game.coach is None or game.to_move(match.state) != (seat,):
        return None
    turn = CoachTurn(match.names[seat], "", None, game.hand, hand)
    try:
        advice = game.coach(match.state, read_hand(hand) if hand.strip() else ())
    except (NoAdvice, WrongHand) as fault:
        return replace(turn, says=_why_not(fault, match.names))
    if not advice:
        return None
    move = complete(game, match.state, advice[0])
    says = _sentence(said(advice[0].why, match.names))
    return replace(turn, says=says, move=None if move is None else dump_move(move))


def complete(game: Game[Any, Any], state: Any, advice: Advice) -> Any | None:
    """Return the one legal move that is advised; None where dice must be thrown for it first."""
    legal = islice(game.legal_moves(state), MOST)
    fitting = [move for move in legal if advice.move.items() <= dump_move(move).items()]
    return fitting[0] if len(fitting) == 1 else None


def _compared(advice: Sequence[Advice], names: Sequence[str]) -> tuple[AdvisedMove, ...]:
    best, worst = advice[0].value, advice[-1].value
    return tuple(
        AdvisedMove(
            dict(one.move),
            one.value,
            _sentence(said(one.why, names)),
            WORST + (1 - WORST) * (one.value - worst) / (best - worst) if best > worst else 1.0,
        )
        for one in advice
    )


def _why_not(fault: NoAdvice | WrongHand, names: Sequence[str]) -> str:
    return _sentence(said(fault.sentence if isinstance(fault, NoAdvice) else fault.args[0], names))


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:].rstrip('.')}."
