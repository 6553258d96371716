"""Templates and addresses compiled once: each test has an app of its own that would do it anew."""

from __future__ import annotations

from collections.abc import Callable
from types import CodeType
from typing import Any

from flask import Flask
from jinja2 import BytecodeCache
from jinja2.bccache import Bucket
from werkzeug.routing import Rule


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


def compile_once() -> None:
    """Let every app of this process share what it compiles."""
    Flask.jinja_options = {"bytecode_cache": KeptTemplates()}
    Flask.url_rule_class = KeptRule
