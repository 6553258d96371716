"""The registry: every module in this folder that holds a GAME. A new game is one new file."""

from __future__ import annotations

import importlib
import pkgutil
from typing import Any

from scorer.evening import at_real_tables
from scorer.game import Game


def game_in(name: str) -> Game[Any, Any]:
    """Return the game of a module of this folder; raises TypeError where it holds none."""
    game = getattr(importlib.import_module(f"{__name__}.{name}"), "GAME", None)
    if not isinstance(game, Game):
        line = f'GAME = game_of("{name}", 1, globals())'
        raise TypeError(f"{name} is no game yet. What its file lacks is its last line: {line}")
    return game


GAMES: dict[str, Game[Any, Any]] = {
    module.name: at_real_tables(game_in(module.name)) for module in pkgutil.iter_modules(__path__)
}
