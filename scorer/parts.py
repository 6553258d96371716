"""A game put together from the parts that its modules define under the contract's own names."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import fields
from difflib import get_close_matches
from typing import Any, get_args

from scorer.answers import asking
from scorer.game import Game

NEARLY = 0.8  # so much alike are a name and the same name misspelt


def game_of(name: str, version: int, parts: Mapping[str, Any], **more: Any) -> Game[Any, Any]:
    """Return a game whose parts stand under the contract's own names in a module or several.

    Of *parts*, the names of the modules (`globals()`), are taken TITLE, SEATS, SETTINGS, the union
    Move and every function of the contract; PHASES has its own three. *more* adds to them. Raises
    TypeError on a function of the game's own that is nearly called as one of the contract's.
    """
    found = {part.name: parts[part.name] for part in fields(Game) if part.name in parts}
    if phases := parts.get("PHASES"):
        made = {"apply": phases.apply, "legal_moves": phases.legal_moves, "to_move": phases.to_move}
        found |= made
    facts = {"title": parts["TITLE"], "seats": parts["SEATS"], "settings": parts["SETTINGS"]}
    moves = get_args(parts["Move"]) or (parts["Move"],)
    own = {"name": name, "version": version, "moves": moves}
    made = found | own | facts | more
    made.setdefault("earned", made["score"])
    _check_spelling(name, parts, made, [part.name for part in fields(Game)])
    made["observe"] = asking(made["observe"], made["apply"], made.get("essence", lambda all_: all_))
    return Game(**made)


def _check_spelling(
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
