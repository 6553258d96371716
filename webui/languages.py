"""The language of an answer: for the JSON interface any that is asked for, for pages English."""

from __future__ import annotations

from collections.abc import Sequence
from contextvars import ContextVar
from functools import cache

from scorer import named
from scorer.messages import ENGLISH, languages, translated

available = cache(languages)
PAGES = (ENGLISH,)  # the languages that the pages' own texts are in: a page speaks one alone
_spoken: ContextVar[str] = ContextVar("language", default=ENGLISH)


def speak(language: str | None) -> None:
    """Answer the request at hand in one of the `available` languages; None is English."""
    _spoken.set(language or ENGLISH)


def language() -> str:
    """Return the language that the request at hand is answered in; outside a request English."""
    return _spoken.get()


def said(sentence: str, names: Sequence[str]) -> str:
    """Return a sentence of the rules with the players' names, in the language of the phone."""
    return translated(named(sentence, names), language())
