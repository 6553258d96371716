"""Templates, addresses and an empty database made once: each test has an app of its own."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import CodeType
from typing import Any

from flask import Flask
from jinja2 import BytecodeCache
from jinja2.bccache import Bucket
from werkzeug.routing import Rule

from webui.store import upgrade


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
    """An address whose function that makes links is that of the same address of another app."""

    kept: dict[tuple[object, ...], Callable[..., tuple[str, str]]] = {}  # noqa: RUF012

    def _compile_builder(self, append_unknown: bool = True) -> Any:
        key = self.rule, self.subdomain, repr(self.defaults), append_unknown
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


def compile_once() -> None:
    """Let every app of this process share what it compiles, and begin with the same database."""
    upgrade._fill = KeptDatabase()
    Flask.jinja_options = {"bytecode_cache": KeptTemplates()}
    Flask.url_rule_class = KeptRule
