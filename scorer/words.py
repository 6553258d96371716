"""Parts of sentences shared by all games: players, dice, lists and counts."""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import overload

from scorer.messages import Message, _, joined, ngettext, raw

PLAYER = "player {number}"
_SOMEBODY = PLAYER.partition("{")[0]


def tidy(text: str) -> str:
    """Normalise typed text for storage: single spaces, composed Unicode."""
    return " ".join(unicodedata.normalize("NFC", text).split())


@lru_cache(100)
def player(seat: int) -> Message:
    """Return a seat, from 0, as "player 1"."""
    return _("player {number}", number=seat + 1)


def players(seats: Iterable[int]) -> Message:
    """Return "player 1, player 2 and player 4"."""
    return listed(map(player, seats))


def listed(words: Iterable[Message]) -> Message:
    """Return "one, two and three"."""
    *some, last = list(words) or [raw("")]
    return _("{some} and {last}", some=joined(", ", some), last=last) if some else last


def either(words: Iterable[Message]) -> Message:
    """Return "one, two or three"."""
    *some, last = words
    return _("{some} or {last}", some=joined(", ", some), last=last) if some else last


def in_turn(words: Iterable[Message]) -> Message:
    """Return a sequence: "one, then two, then three"."""
    first, *more = words
    for following in more:
        first = _("{first}, then {following}", first=first, following=following)
    return first


def either_of(sentences: Iterable[Message]) -> Message:
    """Return alternatives: "one; or two; or three"."""
    first, *more = sentences
    for other in more:
        first = _("{first}; or {other}", first=first, other=other)
    return first


def just(number: int) -> Message:
    """Return a number as a message."""
    return Message("{number}", {"number": number})


def dice(number: int) -> Message:
    """Return "1 die", "3 dice"."""
    return ngettext("{n} die", "{n} dice", number)


def points(number: int) -> Message:
    """Return "1 point", "3 points"."""
    return ngettext("{n} point", "{n} points", number)


def numbers(some: Iterable[int]) -> Message:
    """Return numbers separated by spaces: "1 4 4"."""
    return joined(" ", some)


@lru_cache(1000)  # a long match has the same rolls again and again
def pair_said(pips: tuple[int, ...]) -> Message:
    """Return the dice of a roll: "3-5", a single die "3"."""
    return joined("-", pips)


def tally_said(points: Iterable[int]) -> Message:
    """Return "50 to 37 to 12"."""
    first, *more = map(just, points)
    for other in more:
        first = _("{first} to {other}", first=first, other=other)
    return first


_NUMBERS = (
    *(_("no"), _("one"), _("two"), _("three"), _("four"), _("five")),
    *(_("six"), _("seven"), _("eight"), _("nine"), _("ten")),
)
_FIRST = (
    *(_("No"), _("One"), _("Two"), _("Three"), _("Four"), _("Five")),
    *(_("Six"), _("Seven"), _("Eight"), _("Nine"), _("Ten")),
)


def spelled(number: int, *, first: bool = False) -> Message:
    """Return a small number as a word, a larger one in digits; capitalised if *first*."""
    words = _FIRST if first else _NUMBERS
    return words[number] if number < len(words) else just(number)


_COLOURS = (
    *(_("red"), _("blue"), _("green"), _("yellow"), _("orange"), _("purple"), _("white")),
    *(_("pink"), _("black"), _("grey"), _("brown"), _("clear")),
)
COLOURS = {str(one): one for one in _COLOURS}


def colour(name: str) -> Message:
    """Return the name of a die's colour."""
    return COLOURS.get(name) or raw(name)


@overload
def named(sentence: Message, names: Sequence[str]) -> Message: ...
@overload
def named(sentence: str, names: Sequence[str]) -> str: ...
def named(sentence: str, names: Sequence[str]) -> str:
    """Replace "player 1" in a sentence of the rules by the players' names."""
    if isinstance(sentence, Message):
        return _named(sentence, names)

    def name(found: re.Match[str]) -> str:
        seat = int(found[1]) - 1
        return names[seat] if 0 <= seat < len(names) else found[0]

    return re.sub(r"\b[Pp]layer (\d+)\b", name, sentence)


def _named(sentence: Message, names: Sequence[str]) -> Message:
    if _SOMEBODY not in sentence:
        return sentence
    if sentence.template == PLAYER:
        number = sentence.parts["number"]
        assert isinstance(number, int)
        if not 0 < number <= len(names):
            return sentence
        name = names[number - 1]
        return name if isinstance(name, Message) else raw(name)
    return sentence.with_parts(lambda part: _named(part, names))
