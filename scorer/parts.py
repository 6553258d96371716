"""Assemble a game from the parts that its modules define by the contract's names."""

import logging
from collections.abc import Iterator, Mapping
from dataclasses import fields
from difflib import get_close_matches
from typing import Any, get_args

from scorer.answers import asking
from scorer.game import Game

log = logging.getLogger(__name__)
NEARLY = 0.8  # similarity of a name and its misspelling
NEARLY_CALLED = (
    "The game %s has a function %s, which is no part of a game. If %s is meant, call it %s;"
    " if it is a helper of your own, call it _%s."
)
# The required parts of a game, with their types or signatures.
NEEDED: Mapping[str, str] = {
    "TITLE": "what players call the game",
    "SEATS": "how many may play, as range(2, 5) for two to four",
    "SETTINGS": "its house rules, () if it has none",
    "Move": "its kinds of moves, as Roll | Hold",
    "start": "a function that takes the number of players and the house rules they chose, and "
    "returns the first state",
    "legal_moves": "a function that takes a state and yields every move that apply takes",
    "apply": "a function that takes a state and a move and returns the state after it, or raises "
    "Illegal",
    "to_move": "a function that takes a state and returns the seats that may act now, () at the "
    "end",
    "is_over": "a function that takes a state and returns whether the game is over",
    "score": "a function that takes a state and returns the points of each seat",
    "result": "a function that takes a state and returns who won and why as a Result, and nothing "
    "while the game goes on",
    "explain": "a function that takes a state and returns what each point came from, each as a "
    "Because",
    "prompt": "a function that takes a state and returns one sentence: what is to be done next, "
    "and by whom",
    "describe": "a function that takes a state and a move and returns the move in words",
    "equipment": "a function that takes a state and returns what the camera looks for, as an "
    "Equipment",
    "observe": "a function that takes a state and the Table that was read, and returns the moves "
    "that it means, as a Proposal",
}


def game_of(name: str, version: int, parts: Mapping[str, Any], **more: Any) -> Game[Any, Any]:
    """Assemble a game from the namespaces of its modules, by the contract's names.

    TITLE, SEATS, SETTINGS, the union Move, PHASES and every function of the contract are taken from
    *parts* (`globals()`) and *more*. Raises TypeError that says what is missing; a function named
    similar to one of the contract is logged.
    """
    found = {part.name: parts[part.name] for part in fields(Game) if part.name in parts}
    if phases := parts.get("PHASES"):
        made = {"apply": phases.apply, "legal_moves": phases.legal_moves, "to_move": phases.to_move}
        found |= made
    _check_whole(name, {**parts, **found, **more})
    facts = {"title": parts["TITLE"], "seats": parts["SEATS"], "settings": parts["SETTINGS"]}
    moves = get_args(parts["Move"]) or (parts["Move"],)
    own = {"name": name, "version": version, "moves": moves}
    made = found | own | facts | more
    made.setdefault("earned", made["score"])
    for function, part in _nearly(name, parts, made):
        log.warning(NEARLY_CALLED, name, function, part, part, function)
    made["observe"] = asking(made["observe"], made["apply"], made.get("essence", lambda all_: all_))
    return Game(**made)


def _check_whole(name: str, made: Mapping[str, Any]) -> None:
    missing = [f"\n- {part}: {what}" for part, what in NEEDED.items() if part not in made]
    if missing:
        raise TypeError(f"{name} is no game yet. What its file lacks:{''.join(missing)}")


def _nearly(
    name: str, parts: Mapping[str, Any], made: Mapping[str, Any]
) -> Iterator[tuple[str, str]]:
    """Yield unused functions with the similarly named part of the contract."""
    left = [part.name for part in fields(Game) if part.name not in made]
    for own, part in parts.items():
        where = str(getattr(part, "__module__", ""))
        of_game = name in where.split(".") or where == parts.get("__name__")
        if own in made or own.startswith("_") or isinstance(part, type) or not of_game:
            continue
        if meant := get_close_matches(own.lower(), left, 1, NEARLY):
            yield own, meant[0]
