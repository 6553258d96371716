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

from scorer.messages import Message, _, joined, ngettext, raw
from scorer.words import either

T = TypeVar("T")
Paged = tuple[tuple[T, ...], ...]  # a list that grows, PAGE items a page
PAGE = 64

Json = None | bool | int | float | str | list["Json"] | dict[str, "Json"]
Reader = Callable[[object], Any]
Setter = Callable[[object, object], None]
PLAIN = frozenset({type(None), bool, int, float, str})  # JSON scalars


class SchemaError(ValueError):
    """JSON does not match the type; the sentence has the path and the type *wanted* there."""

    def __init__(self, sentence: Message, wanted: Message | None = None) -> None:
        super().__init__(sentence)
        self.wanted = wanted


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
        return _union(parts)
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
    words = {int: _("a whole number"), str: _("a text"), bool: _("true or false")}
    word = words.get(kind, _("a number") if kind is float else raw("null"))

    def read(data: object) -> Any:
        if type(data) not in kinds:
            raise _unlike(word, data)
        return data

    return read


def _unlike(wanted: Message, data: object) -> SchemaError:
    value = raw(shown(data))
    return SchemaError(_("expected {wanted}, not {value}", wanted=wanted, value=value), wanted)


def _literal(values: tuple[object, ...]) -> Reader:
    typed = {(type(value), value) for value in values}

    def read(data: object) -> Any:
        if not isinstance(data, (str, int, bool, type(None))) or (type(data), data) not in typed:
            raise _unlike(_("one of {values}", values=raw(", ".join(map(as_typed, values)))), data)
        return data

    return read


def _union(parts: tuple[Any, ...]) -> Reader:
    readers, optional = tuple(map(reader, parts)), type(None) in parts

    def read(data: object) -> Any:
        if data is None and optional:
            return None
        faults = list[SchemaError]()
        for read_as in readers:
            try:
                return read_as(data)
            except SchemaError as fault:
                faults.append(fault)
        wanted = [fault.wanted for fault in faults if fault.wanted is not None]
        if len(wanted) == len(faults):
            raise _unlike(either(wanted), data)
        raise SchemaError(either(fault.args[0] for fault in faults))

    return read


def _tuple(parts: tuple[Any, ...]) -> Reader:
    endless = len(parts) == 2 and parts[1] is ...
    readers = tuple(reader(part) for part in (parts[:1] if endless else parts))

    def read(data: object) -> Any:
        if not isinstance(data, Sequence) or isinstance(data, str):
            raise _unlike(_("a list"), data)
        if endless:
            return tuple([readers[0](item) for item in data])
        if len(data) != len(readers):
            sizes = {"n": len(readers), "there": len(data)}
            raise SchemaError(_("expected a list of {n}, not of {there}", **sizes))
        return tuple([one(item) for one, item in zip(readers, data, strict=True)])

    return read


def _mapping(value: Reader) -> Reader:
    def read(data: object) -> Any:
        if not isinstance(data, Mapping):
            raise _unlike(_("an object"), data)
        return {str(key): value(item) for key, item in data.items()}

    return read


def _record(wanted: type) -> Reader:
    hints = typing.get_type_hints(wanted)
    readers = {name: reader(hints[name]) for name in _field_names(wanted) or ()}
    needed = readers.keys() - _defaults(wanted)

    def read(data: object) -> Any:
        if not isinstance(data, Mapping):
            raise _unlike(_("an object"), data)
        if missing := needed - data.keys():
            lacks = raw(", ".join(sorted(missing)))
            raise SchemaError(
                ngettext("{names} is missing", "{names} are missing", len(missing), names=lacks)
            )
        values = {}
        for key, item in data.items():
            if key not in readers:
                names = raw(", ".join(readers)) if readers else _("no fields at all")
                raise SchemaError(_("{key} is not one of {names}", key=raw(key), names=names))
            try:
                values[key] = readers[key](item)
            except SchemaError as fault:
                raise SchemaError(joined(": ", (raw(key), fault.args[0]))) from None
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
