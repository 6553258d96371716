"""What is answered, in JSON schema: told from the very types it is made of (`webui.answers`)."""

from __future__ import annotations

import types
import typing
from collections.abc import Mapping
from dataclasses import fields
from typing import Annotated, Any, NewType

from webui import answers
from webui.openapi_sent import (
    BOOLEAN,
    INTEGER,
    NUMBER,
    PLAIN,
    TEXT,
    Schema,
    exactly,
    list_of,
    or_null,
    ref,
)

POINT = {**list_of(NUMBER), "minItems": 2, "maxItems": 2}
# A reading is told in docs/interfaces.md; here it is passed on as it was stored.
READING: Schema = {
    "type": "object",
    "description": "As `pipsight read --json` prints it, in px of the upright photo.",
    "properties": {
        "width": INTEGER,
        "height": INTEGER,
        "dice": list_of(
            exactly(
                quad=list_of(POINT),
                center=POINT,
                value=INTEGER,
                color=TEXT,
                confidence=NUMBER,
                sure=BOOLEAN,
                alternatives=list_of(list_of(NUMBER)),
                color_alternatives=list_of({"type": "array"}),
                cell=or_null(list_of(INTEGER)),
            )
        ),
        "tiles": list_of({"type": "object"}),
        "marks": list_of({"type": "object"}),
        "board": or_null({"type": "object"}),
        "warnings": list_of(TEXT),
        "perhaps": list_of(list_of(POINT)),
        "hint": or_null(TEXT),
        "ms": NUMBER,
    },
    "required": ["width", "height", "dice", "tiles", "marks", "board", "warnings", "ms"],
}
NAMED: dict[object, Schema] = {
    answers.MoveView: {"type": "object", "properties": {"move": TEXT}, "required": ["move"]},
    answers.Reading: READING,
    answers.Time: {**TEXT, "format": "date-time"},
    answers.Point: POINT,
}


def object_of(*kinds: type) -> Schema:
    """Return the schema of an object that has exactly the fields of these dataclasses."""
    told: dict[str, Schema] = {}
    for kind in kinds:
        hints = typing.get_type_hints(kind, include_extras=True)
        told |= {one.name: _schema(hints[one.name]) for one in fields(kind)}
    return exactly(**told)


def _schema(wanted: Any) -> Schema:
    origin, parts = typing.get_origin(wanted), typing.get_args(wanted)
    if isinstance(wanted, NewType):
        return NAMED[wanted]
    if wanted in PLAIN:
        return PLAIN[wanted]
    if origin is Annotated:
        return {**_schema(parts[0]), "description": parts[1]}
    if origin in (typing.Union, types.UnionType):
        return or_null(_schema(next(part for part in parts if part is not types.NoneType)))
    if origin is list:
        return list_of(_schema(parts[0]))
    if origin is not None and issubclass(origin, Mapping):
        return {"type": "object", "additionalProperties": _schema(parts[1])}
    return object_of(wanted)


def _with(told: Schema, **more: Schema) -> Schema:
    return exactly(**told["properties"], **more)


SCHEMAS: dict[str, Schema] = {
    "Error": exactly(
        error={
            "type": "object",
            "properties": {"kind": TEXT, "sentence": TEXT, "rule": TEXT},
            "required": ["kind", "sentence"],
            "additionalProperties": False,
        }
    ),
    "Health": object_of(answers.Health),
    "Games": object_of(answers.Games),
    "Found": object_of(answers.Found),
    "Match": object_of(answers.Identity, answers.Standing, answers.BecauseView, answers.History),
    "History": object_of(answers.History),
    "Because": object_of(answers.BecauseView),
    "Moves": object_of(answers.Moves),
    "Sentence": object_of(answers.Sentence),
    "Sighting": object_of(answers.SightingView),
    "Seen": _with(object_of(answers.SightingView), proposal=ref("Proposal")),
    "Proposal": object_of(answers.ProposalView),
    "Waiting": object_of(answers.Waiting),
    "Taught": object_of(answers.TaughtView),
    "TaughtBoard": object_of(answers.TaughtBoardView),
    "Advice": object_of(answers.AdviceView),
    "Watch": object_of(answers.WatchView),
}
