"""Templates, addresses, SQL and an empty database made once: each test has an app of its own."""

from collections.abc import Callable
from pathlib import Path
from types import CodeType
from typing import Any

import sqlalchemy as sa
from flask import Flask
from jinja2 import BytecodeCache
from jinja2.bccache import Bucket
from sqlalchemy.dialects.sqlite.pysqlite import SQLiteDialect_pysqlite
from sqlalchemy.util import LRUCache
from werkzeug.routing import Rule

from webui.store import upgrade

COMPILED = ("_parts", "_trace", "_converters", "arguments")  # of an address


class KeptTemplates(BytecodeCache):
    """The code of templates, by their names and what is in them."""

    def __init__(self) -> None:
        self.kept = dict[tuple[str, str], CodeType]()

    def load_bytecode(self, bucket: Bucket) -> None:
        """Put in what was compiled before."""
        bucket.code = self.kept.get((bucket.key, bucket.checksum))

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep what was compiled."""
        assert bucket.code is not None
        self.kept[bucket.key, bucket.checksum] = bucket.code


class KeptRule(Rule):
    """An address that is made of what the same address of another app is made of."""

    kept: dict[tuple[object, ...], Callable[..., tuple[str, str]]] = {}  # noqa: RUF012
    compiled: dict[tuple[object, ...], dict[str, Any]] = {}  # noqa: RUF012

    @property
    def _key(self) -> tuple[object, ...]:
        return self.rule, self.subdomain, repr(self.defaults)

    def compile(self) -> None:
        """Find what was compiled before, or compile it; what makes links is bound to each anew."""
        if self._key not in self.compiled:
            super().compile()
            self.compiled[self._key] = {name: getattr(self, name) for name in COMPILED}
            return
        vars(self).update(self.compiled[self._key])
        self._build = self._compile_builder(False).__get__(self, None)
        self._build_unknown = self._compile_builder(True).__get__(self, None)

    def _compile_builder(self, append_unknown: bool = True) -> Any:
        key = *self._key, append_unknown
        if key not in self.kept:
            self.kept[key] = super()._compile_builder(append_unknown)
        return self.kept[key]


class KeptDatabase:
    """A database without matches, filled by the product once and copied from then on."""

    def __init__(self) -> None:
        self._fill = upgrade._fill
        self.kept = b""

    def __call__(self, part: Path) -> None:
        """Write it to *part*."""
        if self.kept:
            part.write_bytes(self.kept)
            return
        self._fill(part)
        self.kept = part.read_bytes()


def _way(dialect: Any) -> tuple[object, ...]:
    return type(dialect), dialect._json_serializer, dialect._json_deserializer


def compile_once() -> None:
    """Let every app of this process share what it compiles, and begin with the same database."""
    upgrade._fill = KeptDatabase()
    Flask.jinja_options = {"bytecode_cache": KeptTemplates()}
    Flask.url_rule_class = KeptRule
    statements = LRUCache[Any, Any](5000)  # of engines that read JSON alike
    sa.Engine._compiled_cache = property(lambda _engine: statements, lambda _engine, _own: None)  # type: ignore[assignment]
    SQLiteDialect_pysqlite.__eq__ = lambda one, other: _way(one) == _way(other)  # type: ignore[method-assign,assignment]
    SQLiteDialect_pysqlite.__hash__ = lambda one: hash(_way(one))  # type: ignore[method-assign]
