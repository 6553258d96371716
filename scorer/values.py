"""Frozen dataclasses to JSON and back, strictly.

Moves from a phone are untrusted: all fields are required, no others are allowed, and each value
must have the declared type. `True` is not a number and `3.0` is not 3.
"""

import json
import types
import typing
from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, dataclass, fields, is_dataclass
from functools import cache
from typing import Any, TypeVar

T = TypeVar("T")
Paged = tuple[tuple[T, ...], ...]  # a list that grows, PAGE items a page
PAGE = 64

Json = None | bool | int | float | str | list["Json"] | dict[str, "Json"]
Reader = Callable[[object], Any]
Setter = Callable[[object, object], None]
EXPECTED = "expected "
PLAIN = frozenset({type(None), bool, int, float, str})  # JSON scalars


class SchemaError(ValueError):
    """JSON does not match the type; the text has the path and the expected type."""


SWITCHES = {"on": True, "true": True, "yes": True, "off": False, "false": False, "no": False}


def typed(text: str) -> Json:
    """Parse a typed value: JSON, on or off, a list with commas, or a word."""
    if (switch := SWITCHES.get(text.strip().lower())) is not None:
        return switch
    try:
        value: Json = json.loads(text)
    except (ValueError, RecursionError):
        words: list[Json] = [word.strip() for word in text.split(",")]
        return words if len(words) > 1 else text.strip()
    return value


def dump(value: object) -> Any:
    """Return *value* as JSON data: dataclasses and named tuples as objects, tuples as lists."""
    if type(value) in PLAIN:
        return value
    kind: Any = type(value)
    if (names := _field_names(kind)) is not None:
        return {name: dump(getattr(value, name)) for name in names}
    if isinstance(value, (tuple, list)):
        return [item if type(item) in PLAIN else dump(item) for item in value]
    if isinstance(value, Mapping):
        return {str(key): dump(item) for key, item in value.items()}
    return value


@cache
def _field_names(kind: Any) -> tuple[str, ...] | None:
    if is_dataclass(kind):
        return tuple(field.name for field in fields(kind))
    return getattr(kind, "_fields", None)


def changed(value: T, **changes: object) -> T:
    """Return a copy of a frozen dataclass with slots, with some fields changed.

    Like `dataclasses.replace` in half the time, which dominates a move; but without `__init__` and
    `__post_init__`.
    """
    kind: Any = type(value)
    new: T = object.__new__(kind)
    pairs, write_of = _slots(kind)
    for read, write in pairs:
        write(new, read(value))
    for name, change in changes.items():
        write_of[name](new, change)
    return new


def appended(pages: Paged[T], item: T) -> Paged[T]:
    """Return *pages* with one more item: a long match copies its last page, not all before it."""
    if pages and len(pages[-1]) < PAGE:
        return (*pages[:-1], (*pages[-1], item))
    return (*pages, (item,))


@dataclass(frozen=True, slots=True)
class Unordered:
    """A value with unordered tuples: they are sorted, so that equal ones compare equal."""

    def __post_init__(self) -> None:
        """Sort the tuples."""
        kind: Any = type(self)
        for read, write in _slots(kind)[0]:
            if isinstance(items := read(self), tuple):
                write(self, tuple(sorted(items)))


@cache
def _slots(kind: Any) -> tuple[tuple[tuple[Reader, Setter], ...], Mapping[str, Setter]]:
    """Return the getter and setter of each field of a dataclass, and the setters by name."""
    slots = {field.name: getattr(kind, field.name) for field in fields(kind)}
    pairs = tuple((slot.__get__, slot.__set__) for slot in slots.values())
    return pairs, {name: slot.__set__ for name, slot in slots.items()}


@cache
def reader(wanted: Any) -> Reader:
    """Return a parser of JSON data for the type *wanted*; it raises SchemaError.

    Knows None, bool, int, float, str, Literal, unions, tuple[X, ...], tuple[X, Y], Mapping[str, X]
    dataclasses and named tuples of these; Any accepts everything (checked elsewhere), with lists as
    tuples.
    """
    if wanted is Any:
        return _anything
    origin, parts = typing.get_origin(wanted), typing.get_args(wanted)
    if origin is typing.Literal:
        return _literal(parts)
    if origin in (typing.Union, types.UnionType):
        return _union(tuple(reader(part) for part in parts))
    if origin is tuple:
        return _tuple(parts)
    if origin is not None and issubclass(origin, Mapping):
        return _mapping(reader(parts[1]))
    if isinstance(wanted, type) and _field_names(wanted) is not None:
        return _record(wanted)
    return _plain(wanted)


def _anything(data: object) -> Any:
    return tuple(map(_anything, data)) if isinstance(data, list) else data


def _plain(wanted: Any) -> Reader:
    kind = type(None) if wanted is None else wanted
    # An int is accepted as float; there are no other conversions.
    kinds = (int, float) if kind is float else (kind,)
    word = {int: "a whole number", str: "a text", bool: "true or false", float: "a number"}

    def read(data: object) -> Any:
        if type(data) not in kinds:
            raise SchemaError(f"expected {word.get(kind, 'null')}, not {shown(data)}")
        return data

    return read


def _literal(values: tuple[object, ...]) -> Reader:
    typed = {(type(value), value) for value in values}

    def read(data: object) -> Any:
        if not isinstance(data, (str, int, bool, type(None))) or (type(data), data) not in typed:
            raise SchemaError(
                f"expected one of {', '.join(map(as_typed, values))}, not {shown(data)}"
            )
        return data

    return read


def _union(readers: tuple[Reader, ...]) -> Reader:
    def read(data: object) -> Any:
        faults = []
        for read_as in readers:
            try:
                return read_as(data)
            except SchemaError as fault:
                faults.append(str(fault))
        ending = f", not {shown(data)}"
        if all(fault.startswith(EXPECTED) and fault.endswith(ending) for fault in faults):
            wanted = [fault.removeprefix(EXPECTED).removesuffix(ending) for fault in faults]
            raise SchemaError(f"{EXPECTED}{' or '.join(wanted)}{ending}")
        raise SchemaError(" or ".join(faults))

    return read


def _tuple(parts: tuple[Any, ...]) -> Reader:
    endless = len(parts) == 2 and parts[1] is ...
    readers = tuple(reader(part) for part in (parts[:1] if endless else parts))

    def read(data: object) -> Any:
        if not isinstance(data, Sequence) or isinstance(data, str):
            raise SchemaError(f"expected a list, not {shown(data)}")
        if endless:
            return tuple([readers[0](item) for item in data])
        if len(data) != len(readers):
            raise SchemaError(f"expected a list of {len(readers)}, not of {len(data)}")
        return tuple([one(item) for one, item in zip(readers, data, strict=True)])

    return read


def _mapping(value: Reader) -> Reader:
    def read(data: object) -> Any:
        if not isinstance(data, Mapping):
            raise SchemaError(f"expected an object, not {shown(data)}")
        return {str(key): value(item) for key, item in data.items()}

    return read


def _record(wanted: type) -> Reader:
    hints = typing.get_type_hints(wanted)
    readers = {name: reader(hints[name]) for name in _field_names(wanted) or ()}
    needed = readers.keys() - _defaults(wanted)

    def read(data: object) -> Any:
        if not isinstance(data, Mapping):
            raise SchemaError(f"expected an object, not {shown(data)}")
        if missing := needed - data.keys():
            lacks = "is missing" if len(missing) == 1 else "are missing"
            raise SchemaError(f"{', '.join(sorted(missing))} {lacks}")
        values = {}
        for key, item in data.items():
            if key not in readers:
                raise SchemaError(f"{key} is not one of {', '.join(readers) or 'no fields at all'}")
            try:
                values[key] = readers[key](item)
            except SchemaError as fault:
                raise SchemaError(f"{key}: {fault}") from None
        return wanted(**values)

    return read


def _defaults(kind: Any) -> set[str]:
    if not is_dataclass(kind):
        return {*kind._field_defaults}
    of = [field for field in fields(kind) if field.default is not MISSING]
    made = [field for field in fields(kind) if field.default_factory is not MISSING]
    return {field.name for field in (*of, *made)}


def shown(data: object) -> str:
    """Format *data* for a sentence: short, text in quotes, others as JSON."""
    text = repr(data) if isinstance(data, str) else as_typed(data)
    return text if len(text) <= 40 else text[:37] + "..."


def as_typed(data: object) -> str:
    """Format a value as typed by a person: "true", "3", a bare word."""
    return data if isinstance(data, str) else json.dumps(data, ensure_ascii=False, default=str)
