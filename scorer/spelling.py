"""A function of a game that is nearly called as one of the contract's is a slip of the pen."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from typing import Any

NEARLY = 0.8  # so much alike are a name and the same name misspelt


def check_spelling(
    name: str, parts: Mapping[str, Any], made: Mapping[str, Any], contract: Iterable[str]
) -> None:
    """Raise TypeError on a function of the game's own that would silently be left out.

    Args:
        name: of the game.
        parts: what its modules hold.
        made: what of that, and besides, the game is made of.
        contract: the names of all that a game may have.
    """
    left = [part for part in contract if part not in made]
    for own, part in parts.items():
        where = str(getattr(part, "__module__", ""))
        of_game = name in where.split(".") or where == parts.get("__name__")
        if own in made or own.startswith("_") or isinstance(part, type) or not of_game:
            continue
        if meant := get_close_matches(own.lower(), left, 1, NEARLY):
            raise TypeError(f"{name}: {own} is no part of a game; is it {meant[0]}?")
