"""Sentences as messages: English with named parameters, which other languages can follow.

    >>> from scorer.words import player
    >>> told = _("{who} rolls {pips}", who=player(0), pips=4)
    >>> told, told.template
    ('player 1 rolls 4', '{who} rolls {pips}')

A message is a str with its English text, and keeps its template and parameters. So rules know no
language: pages insert the names (`scorer.named`) and translate (`translated`). Sentences have the
type `Message`; a plain str is a type error. Parameters are numbers or messages: `raw` for names
chosen by people, `joined` for lists.

`make messages` puts every text given to `_`, `ngettext` and `reason` into `locale/pipsight.pot`,
and each `locale/LANGUAGE/LC_MESSAGES/pipsight.po` into the `.mo` beside it, which gettext reads.
"""

from __future__ import annotations

import gettext
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

DOMAIN = "pipsight"
LOCALE = Path(__file__).with_name("locale")
ENGLISH = "en"
WHOLE = (ENGLISH, "de")  # complete languages, checked by tests

Part = "Message | int | float"
MINUS = "−"  # in every shown number; a hyphen may be typed


class Message(str):
    """A sentence or part of one; with a `plural` the count, `number`, selects the form."""

    __slots__ = ("number", "parts", "plural", "template")
    template: str
    parts: Mapping[str, object]
    plural: str
    number: int

    def __new__(
        cls, template: str, parts: Mapping[str, object], plural: str = "", number: int = 1
    ) -> Message:
        """Make the English text."""
        said = plural if plural and number != 1 else template
        made = super().__new__(cls, said.format_map(_in_english(parts)) if parts else said)
        made.template, made.parts, made.plural, made.number = template, parts, plural, number
        return made

    def __getnewargs__(self) -> tuple[str, Mapping[str, object], str, int]:  # type: ignore[override]
        """Return the arguments for pickling."""
        return self.template, self.parts, self.plural, self.number

    def with_parts(self, change: Callable[[Message], Message]) -> Message:
        """Apply *change* to each nested message; return itself if nothing changed."""
        changed = {
            name: new
            for name, part in self.parts.items()
            if isinstance(part, Message) and (new := change(part)) is not part
        }
        if not changed:
            return self
        return Message(self.template, {**self.parts, **changed}, self.plural, self.number)

    def walk(self) -> Iterator[Message]:
        """Yield the message and all nested messages."""
        yield self
        for part in self.parts.values():
            if isinstance(part, Message):
                yield from part.walk()


def packed(message: Message) -> list[Any]:
    """Serialise a message to JSON for later translation; `unpacked` reverses it."""
    parts = {
        name: packed(part) if isinstance(part, Message) else part
        for name, part in message.parts.items()
    }
    counts = [message.plural, message.number] if message.plural else []
    return [message.template, parts, *counts]


def unpacked(data: list[Any]) -> Message:
    """Deserialise a message from *data*."""
    template, parts, *counts = data
    return Message(
        template,
        {name: unpacked(part) if isinstance(part, list) else part for name, part in parts.items()},
        *counts,
    )


def _(template: str, /, **parts: Message | int | float) -> Message:
    """Return a message; *parts* replace the names in braces in the template."""
    return Message(template, parts)


def ngettext(singular: str, plural: str, n: int, /, **parts: Message | int | float) -> Message:
    """Return a message with a count *n*: *one* for 1, *many* otherwise."""
    return Message(singular, {"n": n, **parts}, plural, n)


def raw(text: object) -> Message:
    """Return an untranslated message: a name, a place of a board, numbers."""
    return Message("{text}", {"text": str(text)})


def as_message(text: str) -> Message:
    """Return *text* if it is a message, else as an untranslated message."""
    return text if isinstance(text, Message) else raw(text)


def joined(separator: str, messages: Iterable[Message | int]) -> Message:
    """Concatenate messages; the *separator* is not translated."""
    parts = {f"part{place}": message for place, message in enumerate(messages)}
    return Message(separator.join(f"{{{name}}}" for name in parts), parts)


def languages() -> tuple[str, ...]:
    """Return the available languages, English first."""
    found = sorted(file.parts[-3] for file in LOCALE.glob(f"*/LC_MESSAGES/{DOMAIN}.mo"))
    return (ENGLISH, *found)


@cache
def catalogue(language: str) -> gettext.NullTranslations:
    """Return the catalogue of *language*, empty if there is none."""
    if language not in languages():
        return gettext.NullTranslations()
    return gettext.translation(DOMAIN, LOCALE, [language], fallback=True)


FRACTION = _("0.5")  # with the language's decimal separator


def in_figures(number: float, language: str) -> str:
    """Format a number with one decimal: 3,5 in German."""
    return translated(Message("{number:.1f}", {"number": number}), language)


def translated(sentence: str, language: str) -> str:
    """Return *sentence* in *language*; untranslated parts and plain text stay English."""
    if not isinstance(sentence, Message) or language == ENGLISH:
        return str(sentence)
    return _said(sentence, catalogue(language))


def _said(message: Message, words: gettext.NullTranslations) -> str:
    said = message.template
    if message.plural:
        said = words.ngettext(message.template, message.plural, message.number)
    elif said:  # the entry "" is the head of the catalogue
        said = words.gettext(message.template)
    parts = {name: _part(part, words) for name, part in message.parts.items()}
    return said.format_map(parts) if parts else said


def _part(part: object, words: gettext.NullTranslations) -> object:
    if isinstance(part, Message):
        return _said(part, words)
    point = "," if isinstance(part, float) and "," in words.gettext(FRACTION.template) else "."
    return _shown(part, point)


def figure(number: float) -> str:
    """Format a number with a true minus: −3."""
    return str(number).replace("-", MINUS)


def gain(points: int) -> str:
    """Format points with their sign: +4, −3."""
    return f"{points:+d}".replace("-", MINUS)


def _in_english(parts: Mapping[str, object]) -> Mapping[str, object]:
    """Return what an English sentence shows: the parts themselves, but for negative numbers."""
    for part in parts.values():
        if (type(part) is int or type(part) is float) and part < 0:
            return {name: _shown(part) for name, part in parts.items()}
    return parts


def _shown(part: object, point: str = ".") -> object:
    other = isinstance(part, (int, float)) and (part < 0 or point != ".")
    return _Number(part, point) if other else part


class _Number:
    """A number formatted with a true minus and the language's decimal separator."""

    def __init__(self, number: Any, point: str) -> None:
        self.number, self.point = number, point

    def __format__(self, spec: str) -> str:
        return format(self.number, spec).replace("-", MINUS).replace(".", self.point)
