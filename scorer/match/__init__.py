"""Matches of several rounds: a race, a best of three, a sum, a tournament.

A game defines a single round. `match_of` makes a game of several rounds from it; `in_rounds` offers
this for any game, by default a single game. A `Plan` defines the kind of match.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

from scorer.attendance import Attendance
from scorer.game import Game
from scorer.match import photo, play, words
from scorer.match.coach import advise
from scorer.match.offer import (
    MOST,
    advice_settings,
    in_rounds,
    of_wins,
    tournament_plan,
    tournament_settings,
)
from scorer.match.play import race_over
from scorer.match.standings import tournament
from scorer.match.values import M, MatchState, Plan, S, Series, TableRound

__all__ = [
    "MOST",
    "MatchState",
    "Plan",
    "Series",
    "TableRound",
    "advice_settings",
    "in_rounds",
    "match_of",
    "of_wins",
    "race_over",
    "tournament_plan",
    "tournament_settings",
]


def match_of(series: Series[S, M]) -> Game[Any, Any]:
    """Return the game of several rounds defined by *series*."""
    game: Game[Any, Any] = series.game
    return replace(
        game,
        settings=series.settings,
        seats=series.seats,
        start=partial(play.start, series),
        legal_moves=partial(play.legal_moves, series),
        apply=partial(play.apply, series),
        alone=(series.types[2], series.bare.apply),
        score=partial(play.score, series),
        earned=partial(play.earned, series),
        is_over=partial(play.is_over, series),
        to_move=partial(play.to_move, series),
        target=partial(play.target, series),
        lowest=partial(play.lowest, series),
        tie_break=partial(play.tie_break, series),
        rounds_played=partial(play.rounds_played, series),
        starts=partial(play.starts, series),
        as_it_lies=game.as_it_lies and partial(photo.as_it_lies, game.as_it_lies, series),
        attendance=_attendance(series),
        result=partial(words.result, series),
        explain=partial(words.explain, series),
        prompt=partial(words.prompt, series),
        describe=partial(words.describe, series),
        also_said=partial(words.also_said, series),
        instead=partial(words.instead, series),
        typed=partial(words.typed, series),
        entry=partial(words.entry, series),
        draw=partial(words.draw, series),
        played_tables=partial(words.played_tables, series),
        turn_total=partial(words.turn_total, series),
        colours=partial(words.colours, series),
        thrown=partial(play.thrown, series),
        laid=partial(play.laid, series),
        hint=partial(words.hint, series),
        notes=partial(words.notes, series),
        equipment=partial(photo.equipment, series),
        observe=partial(photo.observe, series),
        unnoticed=partial(photo.unnoticed, series),
        one_photo=photo.one_photo(series),
        tournament=partial(tournament, series),
        coach=None if series.game.coach is None else partial(advise, series),
        tables=True,
        steps=(),
    )


def _attendance(series: Series[S, M]) -> Attendance[Any]:
    own = series.game.attendance
    leave, concede = (partial(play.leave, series, conceded=given_up) for given_up in (False, True))
    join = partial(play.join, series) if own.join else None
    begins = own.begins and partial(play.begins, own.begins)
    turn = partial(play.turn, own.turn) if own.turn else None
    ignoring = own.ignoring and partial(play.ignoring, own.ignoring)
    return Attendance(leave, own.means, join, begins, turn, concede, ignoring)
