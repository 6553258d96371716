"""The registry: every module in this folder that holds a GAME. A new game is one new file."""

import importlib
import logging
import pkgutil
from collections.abc import Iterable, Iterator, Mapping
from traceback import format_exception_only
from typing import Any

from scorer.evening import at_real_tables
from scorer.game import Game
from scorer.messages import Message, raw

log = logging.getLogger(__name__)


def game_in(name: str) -> Game[Any, Any]:
    """Return the game of a module in this folder; raises TypeError if it has none."""
    game = getattr(importlib.import_module(f"{__name__}.{name}"), "GAME", None)
    if not isinstance(game, Game):
        line = f'GAME = game_of("{name}", 1, globals())'
        raise TypeError(f"{name} is no game yet. What its file lacks is its last line: {line}")
    return game


def usable(modules: Iterable[str]) -> Iterator[tuple[str, Game[Any, Any]]]:
    """Yield the games of modules by name; one with a fault is logged, and stops no other."""
    for name in modules:
        try:
            yield name, at_real_tables(game_in(name))
        except Exception as fault:  # noqa: BLE001  # whatever a half-written file may raise
            why = (
                fault if isinstance(fault, TypeError) else format_exception_only(fault)[-1].strip()
            )
            log.warning("The game %s is left out until its file is corrected. %s", name, why)


MODULES = tuple(module.name for module in pkgutil.iter_modules(__path__))
GAMES: dict[str, Game[Any, Any]] = dict(usable(MODULES))


def own_name(name: str, settings: Mapping[str, Any]) -> str:
    """Return the title that players gave a game in its settings, or ""."""
    return str(settings.get(GAMES[name].named_by, "")) if name in GAMES else ""


def title_of(name: str, settings: Mapping[str, Any]) -> Message:
    """Return what a game is called: by its players, or by itself."""
    own = own_name(name, settings)
    return raw(own or name) if own or name not in GAMES else Message(GAMES[name].title, {})
