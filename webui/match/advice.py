"""Advice in a match: if the players agreed, the coach advises, and may take a seat.

A hand that a player enters is used for that answer only: it is neither stored nor shown to others.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from scorer import Advice, Game, NoAdvice, dump_move
from scorer.evening.state import seated
from scorer.messages import _
from scorer.sentence import MOST
from webui.errors import NotAgreed, Unadvised
from webui.languages import said
from webui.match.coach import WrongHand, advise_now, ask, read_hand
from webui.match.match import Match
from webui.match.summary import sentence

BY_HEART = _("This match is played without advice. Start a match in which anybody may ask.")
WORST = 0.08  # of the longest bar: length of the worst choice's bar, so that it is visible


@dataclass(frozen=True, slots=True)
class AdvisedMove:
    """A possible move in words, with its figure; `share` is the bar's length, 1 for the best."""

    move: dict[str, Any]
    value: float
    why: str
    share: float


@dataclass(frozen=True, slots=True)
class CoachTurn:
    """The coach's turn in its own seat.

    `move` is stored once a person has made it on the table; None: the dice must be entered first.
    `example` is a hand for its seat, "" if the game has no hidden hands; `hand` is the typed text.
    """

    name: str
    says: str
    move: dict[str, Any] | None
    example: str = ""
    hand: str = ""


def coach_seat(settings: Mapping[str, object]) -> int | None:
    """Return the coach's seat in the settings of a match, or None."""
    taken = settings.get("coach_plays", 0)
    return taken - 1 if isinstance(taken, int) and taken else None


def seat_now(state: Any, players: int, first: int | None) -> int | None:
    """Return the current seat of the coach, who began in seat *first*; None if it has none."""
    sat = seated(state, players)
    return sat.index(first) if first in sat else None


def table_of_turn(game: Game[Any, Any], state: Any, seat: int | None) -> int | None:
    """Return the table, from 0, at which it is that seat's turn alone, None if it is not."""
    due = game.to_move(state)
    for place, table in enumerate(game.played_tables(state)):
        if seat in table.seats:
            return place if {*due} & {*table.seats} == {seat} else None
    return 0 if due == (seat,) else None


def at_table(advice: Sequence[Advice], table: int | None) -> tuple[Advice, ...]:
    """Return the advice for a table."""
    return tuple(one for one in advice if one.move.get("table", 0) == table)


def agreed(match: Match) -> bool:
    """Return True if anybody may ask what would be best."""
    return match.game is not None and bool(match.row.settings.get("advice", False))


def choices(match: Match, hand: str = "") -> tuple[AdvisedMove, ...]:
    """Return the possible moves, the best first.

    Args:
        match: the current match.
        hand: the player's hidden hand, as typed.

    Raises:
        NotAgreed: the players did not agree to advice.
        Unadvised: there is no choice, the hand is impossible, or the rules are not installed.
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
    """Return the coach's turn; None if it is not its turn, it has no seat, or only rolls.

    A *hand* typed for it is used for this answer only.
    """
    seat = seat_now(match.state, len(match.row.names), coach_seat(match.row.settings))
    if match.game is None or match.closed or seat is None:
        return None
    game = match.game
    table = table_of_turn(game, match.state, seat)
    if game.coach is None or table is None:
        return None
    turn = CoachTurn(match.names[seat], "", None, game.hand, hand)
    try:
        advised = ask(game, match.state, read_hand(hand) if hand.strip() else ())
    except (NoAdvice, WrongHand) as fault:
        return replace(turn, says=_why_not(fault, match.names))
    advice = at_table(advised, table)
    if not advice:
        return None
    move = complete(game, match.state, advice[0])
    says = sentence(said(advice[0].why, match.names), ".")
    return replace(turn, says=says, move=None if move is None else dump_move(move))


def complete(game: Game[Any, Any], state: Any, advice: Advice) -> Any | None:
    """Return the legal move that is advised; None if dice must be rolled for it first."""
    legal = islice(game.legal_moves(state), MOST)
    asked = {"table": 0, **advice.move}.items()
    fitting = [move for move in legal if asked <= {"table": 0, **dump_move(move)}.items()]
    return fitting[0] if len(fitting) == 1 else None


def _compared(advice: Sequence[Advice], names: Sequence[str]) -> tuple[AdvisedMove, ...]:
    best, worst = advice[0].value, advice[-1].value
    return tuple(
        AdvisedMove(
            dict(one.move),
            one.value,
            sentence(said(one.why, names), "."),
            WORST + (1 - WORST) * (one.value - worst) / (best - worst) if best > worst else 1.0,
        )
        for one in advice
    )


def _why_not(fault: NoAdvice | WrongHand, names: Sequence[str]) -> str:
    why = fault.sentence if isinstance(fault, NoAdvice) else fault.args[0]
    return sentence(said(why, names), ".")
