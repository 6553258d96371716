"""JSON schemas of what may be sent, derived from the types and games that read it."""

from __future__ import annotations

from typing import Any

from scorer import Game, Setting
from scorer.games import GAMES
from webui.api.openapi.json_schema import (
    INTEGER,
    TEXT,
    Schema,
    exactly,
    list_of,
    or_null,
    ref,
    schema,
)
from webui.api.requests import (
    AskAdvice,
    Confirmed,
    Drop,
    NewMatch,
    NewViewer,
    NewWebhook,
    Note,
    Play,
    Redo,
    SentCorners,
    StartWatch,
    Tapped,
    TeachBoard,
    Undo,
)
from webui.match.player_names import NAME_LENGTH, NOTE_LENGTH
from webui.outside.post import URL_LENGTH

# ---------------------------------------------------------------- matches and moves

SEAT = {**INTEGER, "minimum": 0, "maximum": max(game.seats[-1] for game in GAMES.values()) - 1}
NAME = {
    **TEXT,
    "minLength": 1,
    "maxLength": NAME_LENGTH,
    "pattern": r"\S",
    "description": "Letters that can be seen; upper and lower case name the same player.",
}
NOTE = {**TEXT, "maxLength": NOTE_LENGTH, "description": "Letters that can be seen, or none."}
MOVE_KINDS = sorted({kind.__name__ for game in GAMES.values() for kind in game.moves})


TABLE = {
    **INTEGER,
    "minimum": 0,
    "description": "At which table of several, from 0; seats in the move are those of its table.",
}


def _moves(game: Game[Any, Any]) -> Schema:
    """Return the schema of a move of *game*: its kind, with what that kind needs."""
    kinds = []
    for kind in (*game.moves, *game.steps):
        described = schema(kind)
        described["properties"] = {"move": {"const": kind.__name__}, **described["properties"]}
        described["required"] = ["move", *described["required"]]
        if game.tables and kind not in game.steps:
            described["properties"].setdefault("table", TABLE)
        kinds.append(described)
    return {"oneOf": kinds}


def _setting(setting: Setting) -> Schema:
    if isinstance(setting.values, range):
        low, high = setting.values[0], setting.values[-1]
        return {**INTEGER, "minimum": low, "maximum": high, "description": setting.meaning}
    described: Schema = {"description": setting.meaning}
    listed: Schema = {"enum": list(setting.values)}
    if setting.read is None:
        return {**described, **listed}
    return {
        **described,
        "anyOf": [listed, {"description": f"Another value: {setting.example}, say."}],
    }


def _new_match(game: Game[Any, Any]) -> Schema:
    settings = exactly(**{setting.name: _setting(setting) for setting in game.settings})
    described = exactly(
        game={"const": game.name},
        names={
            **list_of(NAME),
            "minItems": game.seats[0],
            "maxItems": game.seats[-1],
            "uniqueItems": True,
        },
        settings=or_null({**settings, "required": []}),
        opening=list_of(ref(f"Move_{game.name}")),
    )
    return {**described, "required": ["game", "names"]}


def _sent(kind: type, **rules: Schema) -> Schema:
    """Return the schema of *kind*, of some fields with what the rules ask for besides the type."""
    described = schema(kind)
    return {**described, "properties": {**described["properties"], **rules}}


SENT: dict[str, Schema] = {
    **{f"Move_{game.name}": _moves(game) for game in GAMES.values()},
    "Move": {
        "anyOf": [ref(f"Move_{name}") for name in GAMES],
        "description": "One of the moves of the game that is played.",
    },
    **{f"NewMatch_{game.name}": _new_match(game) for game in GAMES.values()},
    "NewMatch": {
        "oneOf": [ref(f"NewMatch_{name}") for name in GAMES],
        "description": NewMatch.__doc__,
    },
    "Play": _sent(Play, moves={**list_of(ref("Move")), "minItems": 1}, by=or_null(SEAT)),
    "Undo": _sent(Undo, by=or_null(SEAT)),
    "Redo": _sent(Redo, by=or_null(SEAT)),
    "Note": _sent(Note, by=or_null(SEAT), text=NOTE),
    "Tapped": _sent(Tapped),
    "Confirmed": _sent(Confirmed),
    "StartWatch": _sent(StartWatch),
    "Drop": _sent(Drop),
    "AskAdvice": _sent(AskAdvice),
    "TeachBoard": _sent(TeachBoard),
    "NewViewer": _sent(NewViewer, name=NOTE),
    "NewWebhook": _sent(NewWebhook, url={**TEXT, "format": "uri", "maxLength": URL_LENGTH}),
    "Corners": _sent(SentCorners, spot={**INTEGER, "minimum": 0}),
}
