"""Matches of several rounds: a race, a best of three, a sum, a tournament.

A game defines a single round. `match_of` makes a game of several rounds from it; `in_rounds` offers
this for any game, by default a single game. A `Plan` defines the kind of match.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

from scorer.attendance import Attendance
from scorer.game import Game
from scorer.match import photo, play, words
from scorer.match.coach import advise
from scorer.match.standings import tournament
from scorer.match.values import M, MatchState, S, Series

OF_ANY_STATE = ("start", "legal_moves", "apply", "is_over")
OF_PLAY = (
    *("score", "to_move", "target", "lowest", "tie_break", "rounds_played", "starts", "thrown"),
    "laid",
)
OF_WORDS = (
    *("result", "explain", "prompt", "describe", "also_said", "instead", "typed", "entry"),
    *("draw", "played_tables", "turn_total", "colours", "hint", "notes"),
)
OF_PHOTO = ("equipment", "observe", "unnoticed")


def match_of(series: Series[S, M]) -> Game[Any, Any]:
    """Return the game of several rounds defined by *series*."""
    game: Game[Any, Any] = series.game
    made: dict[str, Any] = {name: partial(getattr(play, name), series) for name in OF_ANY_STATE}
    made |= {
        name: _of_match(series, name, getattr(module, name))
        for module, names in ((play, OF_PLAY), (words, OF_WORDS), (photo, OF_PHOTO))
        for name in names
    }
    return replace(
        game,
        **made,
        settings=series.settings,
        seats=series.seats,
        alone=(series.types[2], series.bare.apply),
        as_it_lies=game.as_it_lies and partial(photo.as_it_lies, game.as_it_lies, series),
        attendance=_attendance(series),
        one_photo=photo.one_photo(series),
        earned=_of_match(series, "earned", play.score),
        tournament=_of_match(series, "tournament", tournament),
        coach=None if series.game.coach is None else partial(advise, series),
        tables=True,
        steps=(),
    )


def _of_match(series: Series[S, M], name: str, of: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function of the game for its own states, and *of* the match for those of one."""
    own = getattr(series.game, name)

    def of_state(state: Any, *more: Any) -> Any:
        return of(series, state, *more) if isinstance(state, MatchState) else own(state, *more)

    return of_state


def _attendance(series: Series[S, M]) -> Attendance[Any]:
    own = series.game.attendance
    leave, concede = (partial(play.leave, series, conceded=given_up) for given_up in (False, True))
    join = partial(play.join, series) if own.join else None
    begins = own.begins and partial(play.begins, own.begins)
    turn = partial(play.turn, own.turn) if own.turn else None
    ignoring = own.ignoring and partial(play.ignoring, own.ignoring)
    return Attendance(leave, own.means, join, begins, turn, concede, ignoring)
