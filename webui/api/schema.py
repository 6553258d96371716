"""JSON schemas of types: requests and answers are described by the types that are used."""

import types
import typing
from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass
from functools import partial
from typing import Annotated, Any, Literal, NotRequired

Schema = dict[str, Any]
Names = Mapping[Any, str]  # of types that are described once, under these names

INTEGER: Schema = {"type": "integer"}
TEXT: Schema = {"type": "string"}
BOOLEAN: Schema = {"type": "boolean"}
NUMBER: Schema = {"type": "number"}
NULL: Schema = {"type": "null"}
ANYTHING: Schema = {}
COUNTED = {**INTEGER, "minimum": 0}
PLAIN = {int: INTEGER, str: TEXT, bool: BOOLEAN, float: NUMBER, types.NoneType: NULL, Any: ANYTHING}


def schema(wanted: Any, names: Names | None = None) -> Schema:
    """Return the JSON schema of a type: of plain values, of collections, of objects with fields.

    In `Annotated` a text is the description, and a pair a key of the schema with its value. A type
    that has one of the *names* is referred to by it.
    """
    origin, parts = typing.get_origin(wanted), typing.get_args(wanted)
    within = partial(schema, names=names)
    if origin is Annotated:
        pairs = (("description", one) if isinstance(one, str) else one for one in parts[1:])
        return within(parts[0]) | dict(pairs)
    if wanted in PLAIN:
        return PLAIN[wanted]
    if origin is Literal:
        return {"enum": list(parts)}
    if origin in (typing.Union, types.UnionType):
        return {"anyOf": [within(part) for part in parts]}
    if origin is list or parts[1:] == (...,):
        return list_of(within(parts[0]))
    if origin is tuple:
        described = {"type": "array", "prefixItems": [within(part) for part in parts]}
        return {**described, "minItems": len(parts), "maxItems": len(parts)}
    if origin is not None and issubclass(origin, Mapping):
        return {"type": "object", "additionalProperties": within(parts[1])}
    return ref(names[wanted]) if names and wanted in names else described_object(wanted, names)


def described_object(wanted: Any, names: Names | None = None) -> Schema:
    """Return the schema of a dataclass or a TypedDict, with its docstring."""
    hints = typing.get_type_hints(wanted, include_extras=True)
    if is_dataclass(wanted):
        missing = {one.name for one in fields(wanted) if one.default is not MISSING}
    else:
        missing = {name for name, hint in hints.items() if typing.get_origin(hint) is NotRequired}
        hints = typing.get_type_hints(wanted, include_extras=True) | {
            name: typing.get_args(hints[name])[0] for name in missing
        }
    described = exactly(**{name: schema(hint, names) for name, hint in hints.items()})
    required = [name for name in described["properties"] if name not in missing]
    return {**described, "description": wanted.__doc__, "required": required}


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


def or_null(described: Schema) -> Schema:
    """Return the schema of such a thing or null."""
    return {"anyOf": [described, NULL]}


def ref(name: str) -> Schema:
    """Return the reference to a named schema."""
    return {"$ref": f"#/components/schemas/{name}"}


# ---------------------------------------------------------------- parts of addresses


def binary(*kinds: str) -> Schema:
    """Return content of one of some *kinds* as it is."""
    return {kind: {"schema": {"type": "string", "format": "binary"}} for kind in kinds}


def stream(description: str, **more: Any) -> Schema:
    """Return the content of a stream of events."""
    return {"text/event-stream": {"schema": {**TEXT, "description": description, **more}}}


def query(
    name: str, schema: Schema = TEXT, description: str = "", *, required: bool = False
) -> Schema:
    """Return a parameter after the "?" of an address."""
    needed = {"required": True} if required else {}
    says = {"description": description} if description else {}
    return {"name": name, "in": "query", **needed, "schema": schema, **says}


def day(name: str) -> Schema:
    """Return a parameter that is a date."""
    return query(name, {**TEXT, "format": "date"})
