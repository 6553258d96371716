"""What may be sent, in JSON schema: told from the very types and games that read it."""

from __future__ import annotations

import types
import typing
from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass
from typing import Any

from scorer import Game, Setting
from scorer.games import GAMES
from webui.names import NAME_LENGTH
from webui.requests import (
    AskAdvice,
    Confirmed,
    Corners,
    Drop,
    NewMatch,
    Play,
    StartWatch,
    Tapped,
    TeachBoard,
    Undo,
)

Schema = dict[str, Any]

INTEGER: Schema = {"type": "integer"}
TEXT: Schema = {"type": "string"}
BOOLEAN: Schema = {"type": "boolean"}
NUMBER: Schema = {"type": "number"}
ANYTHING: Schema = {}
PLAIN = {int: INTEGER, str: TEXT, bool: BOOLEAN, float: NUMBER, Any: ANYTHING}


def schema(wanted: Any) -> Schema:
    """Return the JSON schema of what `scorer.values.reader` takes as the type *wanted*."""
    origin, parts = typing.get_origin(wanted), typing.get_args(wanted)
    if wanted in PLAIN:
        return PLAIN[wanted]
    if origin is typing.Literal:
        return {"enum": list(parts)}
    if origin in (typing.Union, types.UnionType):
        return or_null(schema(next(part for part in parts if part is not types.NoneType)))
    if origin is tuple:
        if parts[1:] == (...,):
            return list_of(schema(parts[0]))
        return {
            "type": "array",
            "prefixItems": [schema(part) for part in parts],
            "minItems": len(parts),
            "maxItems": len(parts),
        }
    if origin is not None and issubclass(origin, Mapping):
        return {"type": "object", "additionalProperties": schema(parts[1])}
    assert is_dataclass(wanted)
    hints = typing.get_type_hints(wanted)
    return {
        **exactly(**{field.name: schema(hints[field.name]) for field in fields(wanted)}),
        "description": wanted.__doc__,
        "required": [field.name for field in fields(wanted) if field.default is MISSING],
    }


def exactly(**properties: Schema) -> Schema:
    """Return the schema of an object that has exactly these keys."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def list_of(item: Schema) -> Schema:
    """Return the schema of a list of such items."""
    return {"type": "array", "items": item}


def or_null(one: Schema) -> Schema:
    """Return the schema of such a thing or null."""
    return {"anyOf": [one, {"type": "null"}]}


def ref(name: str) -> Schema:
    """Return the reference to a named schema."""
    return {"$ref": f"#/components/schemas/{name}"}


# ---------------------------------------------------------------- matches and moves

SEAT = {**INTEGER, "minimum": 0, "maximum": max(game.seats[-1] for game in GAMES.values()) - 1}
NAME = {
    **TEXT,
    "minLength": 1,
    "maxLength": NAME_LENGTH,
    "pattern": r"\S",
    "description": "Letters that can be seen; upper and lower case name the same player.",
}
MOVE_KINDS = sorted({kind.__name__ for game in GAMES.values() for kind in game.moves})


TABLE = {
    **INTEGER,
    "minimum": 0,
    "description": "At which table of several, from 0; seats in the move are those of its table.",
}


def _moves(game: Game[Any, Any]) -> Schema:
    """Return the schema of a move of *game*: its kind, with what that kind needs."""
    kinds = []
    for kind in game.moves:
        told = schema(kind)
        told["properties"] = {"move": {"const": kind.__name__}, **told["properties"]}
        told["required"] = ["move", *told["required"]]
        if game.tables:
            told["properties"].setdefault("table", TABLE)
        kinds.append(told)
    return {"oneOf": kinds}


def _setting(setting: Setting) -> Schema:
    if isinstance(setting.values, range):
        low, high = setting.values[0], setting.values[-1]
        return {**INTEGER, "minimum": low, "maximum": high, "description": setting.meaning}
    told: Schema = {"description": setting.meaning}
    listed: Schema = {"enum": list(setting.values)}
    if setting.read is None:
        return {**told, **listed}
    return {**told, "anyOf": [listed, {"description": f"Another value: {setting.example}, say."}]}


def _new_match(game: Game[Any, Any]) -> Schema:
    settings = exactly(**{setting.name: _setting(setting) for setting in game.settings})
    told = exactly(
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
    return {**told, "required": ["game", "names"]}


def _sent(kind: type, **rules: Schema) -> Schema:
    """Return the schema of *kind*, of some fields with what the rules ask for besides the type."""
    told = schema(kind)
    return {**told, "properties": {**told["properties"], **rules}}


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
    "Tapped": _sent(Tapped),
    "Confirmed": _sent(Confirmed),
    "StartWatch": _sent(StartWatch),
    "Drop": _sent(Drop),
    "AskAdvice": _sent(AskAdvice),
    "TeachBoard": _sent(TeachBoard),
    "Corners": _sent(Corners, spot={**INTEGER, "minimum": 0}),
}
