"""JSON schemas of the moves of each game and of new matches, made from the games themselves."""

from collections.abc import Iterable
from typing import Any

from scorer import Game, Setting, Table
from scorer.evening.steps import STEPS, PlayOn
from scorer.games import GAMES
from webui.api.schema import BOOLEAN, INTEGER, TEXT, Schema, exactly, list_of, or_null, ref, schema
from webui.api.sent import NewMatch
from webui.match.player_names import NAME_LENGTH

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


def _move(kind: Any, *, table: bool = False) -> Schema:
    """Return the schema of one kind of move; with *table* it may name one."""
    described = schema(kind)
    given = {"move": {"const": kind.__name__}, **described["properties"]}
    if table:
        given.setdefault("table", TABLE)
    if kind is PlayOn:
        given["table"] = ref("Table")
    return {**described, "properties": given, "required": ["move", *described["required"]]}


def _moves(game: Game[Any, Any]) -> dict[str, Schema]:
    """Return the schemas of the moves of *game*, each by its name, and of any of them."""
    own = {
        f"Move_{game.name}_{kind.__name__}": _move(kind, table=game.tables) for kind in game.moves
    }
    names = [*own, *(kind.__name__ for kind in game.steps)]
    return own | {f"Move_{game.name}": {"oneOf": [ref(name) for name in names]}}


def _setting(setting: Setting) -> Schema:
    if isinstance(setting.values, range):
        low, high = setting.values[0], setting.values[-1]
        return {**INTEGER, "minimum": low, "maximum": high, "description": setting.meaning}
    kinds = [_listed(kind, setting.values) for kind in dict.fromkeys(map(type, setting.values))]
    if setting.read is not None:
        kinds.append({"description": f"Another value: {setting.example}, say."})
    described: Schema = {"description": setting.meaning}
    return {**described, **kinds[0]} if len(kinds) == 1 else {**described, "anyOf": kinds}


def _listed(kind: type, values: Iterable[object]) -> Schema:
    """Return the schema of those of some *values* that are of a *kind*; true and false are both."""
    if kind is bool:
        return BOOLEAN
    return {**schema(kind), "enum": [value for value in values if type(value) is kind]}


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


SCHEMAS: dict[str, Schema] = {
    **{name: one for game in GAMES.values() for name, one in _moves(game).items()},
    **{step.__name__: _move(step) for step in STEPS},
    "Table": schema(Table),
    "Move": {
        "anyOf": [ref(f"Move_{name}") for name in GAMES],
        "description": "One of the moves of the game that is played.",
    },
    **{f"NewMatch_{game.name}": _new_match(game) for game in GAMES.values()},
    "NewMatch": {
        "oneOf": [ref(f"NewMatch_{name}") for name in GAMES],
        "description": NewMatch.__doc__,
    },
}
