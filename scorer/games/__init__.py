"""The registry: every module in this folder that holds a GAME. A new game is one new file."""

from __future__ import annotations

import importlib
import pkgutil
from typing import Any

from scorer.game import Game

GAMES: dict[str, Game[Any, Any]] = {
    module.name: importlib.import_module(f"{__name__}.{module.name}").GAME
    for module in pkgutil.iter_modules(__path__)
}
