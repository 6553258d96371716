"""A made-up third language, whose vowels have accents: a plain vowel was never looked up."""

from __future__ import annotations

import re

import pytest
from babel.messages.catalog import Catalog

from scorer import messages, sentence, typed_words
from scorer.games import GAMES
from tests.tools.messages import compiled, extracted
from webui import languages
from webui.commands import language as of_commands

LANGUAGE = "eo"
ACCENTS = str.maketrans("aeiouyAEIOUY", "àèìòùýÀÈÌÒÙÝ")
KEPT = re.compile(r"(\{[^}]*\}|<[^>]*>|%\(\w+\)[a-z]|%[a-z])")  # parameters and tags
OURS = {"Skyjo", "Ana", "Ben", "Pipsight", "Farkle", "Pig", "Gords", "English", "code", "Android"}
OURS |= {word for game in GAMES.values() for word in re.findall("[A-Za-z]+", game.title)}


def accented(sentence):
    """Return a sentence in the made-up language; what stands in braces or is a tag stays."""
    parts = KEPT.split(sentence)
    return "".join(
        part if place % 2 else part.translate(ACCENTS) for place, part in enumerate(parts)
    )


def untranslated(text, ours=OURS):
    """Return the words of a text that were never looked up."""
    words = re.findall(r"[^\W\d_]+", text)
    return [word for word in words if re.search("[aeiou]", word) and word not in ours]


@pytest.fixture(scope="session")
def locale(tmp_path_factory):
    """Make the language, from the sentences there are; return the folder of its catalogue."""
    catalogue = Catalog(locale=LANGUAGE)
    for english in (message.id for message in extracted() if message.id):
        accents = tuple(map(accented, english)) if isinstance(english, tuple) else accented(english)
        catalogue.add(english, accents)
    folder = tmp_path_factory.mktemp("locale")
    file = folder / LANGUAGE / "LC_MESSAGES" / "pipsight.mo"
    file.parent.mkdir(parents=True)
    file.write_bytes(compiled(catalogue))
    return folder


@pytest.fixture
def third_language(locale, monkeypatch):
    """Let pages and commands speak the language."""
    for module in (messages, of_commands):
        monkeypatch.setattr(module, "LOCALE", locale)
        monkeypatch.setattr(module, "WHOLE", ("en", LANGUAGE))
    kept = (messages.catalogue, languages.available, languages.for_scripts)
    kept += (typed_words.words_for, typed_words._faces, sentence._colours)
    for cached in kept:
        cached.cache_clear()
    yield
    for cached in kept:
        cached.cache_clear()
