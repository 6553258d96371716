"""The language of the phone that asks, for what the rules say; the pages' own texts are English."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from flask import has_request_context, request

from scorer import named
from scorer.messages import ENGLISH, languages, translated

_languages = cache(languages)


def language() -> str:
    """Return the language the phone likes best of those there are; outside a request English."""
    if not has_request_context():
        return ENGLISH
    return request.accept_languages.best_match(_languages(), ENGLISH) or ENGLISH


def said(sentence: str, names: Sequence[str]) -> str:
    """Return a sentence of the rules with the players' names, in the language of the phone."""
    return translated(named(sentence, names), language())
