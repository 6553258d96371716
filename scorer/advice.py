"""Finding a game's coach (lazily: it imports the game), sorting advice, chances in words."""

from collections.abc import Sequence
from importlib import import_module
from typing import Any

from scorer.game import Advice, Coach, HandPiece
from scorer.messages import Message, _


def coach_of(name: str) -> Coach[Any]:
    """Return the coach of the game *name*: `advise` of that module in `scorer.coach`."""

    def advise(state: Any, hand: Sequence[HandPiece] = ()) -> tuple[Advice, ...]:
        advice: tuple[Advice, ...] = import_module(f"scorer.coach.{name}").advise(state, hand)
        return advice

    return advise


def per_cent(chance: float) -> Message:
    """Return a chance as text: 61.2 %."""
    return _("{percent:.1f} %", percent=100 * chance)


def to_win(chance: float, players: int) -> Message:
    """Return "61.2 % to win", with more than two players against the leader of the others."""
    if players == 2:
        return _("{chance} to win", chance=per_cent(chance))
    return _("{chance} to win against the leader of the others", chance=per_cent(chance))


def ranked(advice: Sequence[Advice]) -> tuple[Advice, ...]:
    """Return *advice* sorted, the best first; stable."""
    return tuple(sorted(advice, key=lambda one: -one.value))
