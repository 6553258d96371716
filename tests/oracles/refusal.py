"""What an oracle says where a rule is broken."""

from __future__ import annotations


class No(Exception):
    """The rules forbid it."""


def need(truth: object) -> None:
    """Raise No unless it is true."""
    if not truth:
        raise No
