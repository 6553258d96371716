"""Steps beside the moves, for every game: players leave, join late, are renamed.

A game's `attendance` defines the effect of leaving and joining. `at_real_tables` wraps the game so
that it takes these steps in the same log. Its states are the game's own until the first such step,
then wrapped in a `TableState`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial, wraps
from typing import Any

from scorer.evening import play, words
from scorer.evening.play import AnyGame
from scorer.evening.state import played_of
from scorer.evening.steps import STEPS, PlayOn

OF_PLAY = ("legal_moves", "to_move", "is_over", "earned", "thrown", "laid", "typed")
OF_WORDS = (
    *("result", "explain", "prompt", "hint", "describe", "notes", "observe", "essence"),
    *("tournament", "draw"),
)
AS_PLAYED = (  # functions that depend only on the game's own state
    *("also_said", "score", "equipment", "unnoticed", "instead", "colours", "target", "turn_total"),
    *("played_tables", "lowest", "tie_break", "rounds_played", "starts"),
    *("as_it_lies", "entry"),
)


def at_real_tables(game: AnyGame) -> AnyGame:
    """Wrap a game so that it takes the steps beside its moves."""
    if game.steps:
        return game
    made: dict[str, Any] = {name: partial(getattr(play, name), game) for name in OF_PLAY}
    made |= {name: partial(getattr(words, name), game) for name in OF_WORDS}
    made |= {name: _as_played(says) for name in AS_PLAYED if (says := getattr(game, name))}
    made["apply"] = play.apply_of(game)
    made["coach"] = game.coach and partial(words.coach, game)
    steps = STEPS if game.as_it_lies else tuple(step for step in STEPS if step is not PlayOn)
    return replace(game, **made, steps=steps)


def _as_played(says: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(says, assigned=())
    def of_evening(state: Any, *more: Any) -> Any:
        return says(played_of(state), *more)

    return of_evening
