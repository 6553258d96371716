"""Advice in a match: the game's coach advises on the round of each table."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from scorer.advice import ranked
from scorer.errors import NoAdvice
from scorer.game import Advice, HandPiece
from scorer.match.play import is_over
from scorer.match.values import M, MatchState, S, Series, at_table
from scorer.match.words import said_at
from scorer.messages import _


def advise(series: Series[S, M], state: Any, hand: Sequence[HandPiece] = ()) -> tuple[Advice, ...]:
    """Return advice for the current round alone; raises NoAdvice if no table has any."""
    assert series.game.coach is not None
    if is_over(series, state):
        raise NoAdvice(_("The game is over, so there is nothing to choose."))
    if not isinstance(state, MatchState):
        return series.game.coach(state, hand)
    advice: list[Advice] = []
    silent: NoAdvice | None = None
    for index, table in enumerate(state.tables):
        if series.game.is_over(table.round):
            continue
        try:
            choices = series.game.coach(table.round, hand)
        except NoAdvice as why:
            silent = why
            continue
        at = {"table": index} if index else {}
        advice += [
            replace(
                one,
                move={**one.move, **at},
                why=said_at(state, index, at_table(one.why, table.seats)),
            )
            for one in choices
        ]
    if silent and not advice:
        raise silent
    return ranked(advice)
