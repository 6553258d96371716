"""Validation of names and notes: any text that is visible and distinguishable."""

import re
import unicodedata
from collections.abc import Sequence
from functools import cache

from scorer import Malformed
from scorer.messages import Message, _, raw, translated
from scorer.words import tidy
from webui.languages import choices, translate

NAME_LENGTH = 24
NOTE_LENGTH = 200  # letters: two sentences, which a line of the history holds
JOINERS = "\u200c\u200d"  # within Persian words and within emoji; alone they show nothing
HIDDEN = {"Cc", "Cf", "Cs"}  # Unicode's categories: control, format, half a surrogate pair
# What shows nothing though its category is that of letters, marks or signs: Unicode's property
# Default_Ignorable_Code_Point (DerivedCoreProperties.txt, 16.0) without those of category Cf, and
# letters that are drawn blank: of Braille, of music, of Khitan, Egyptian hieroglyphs.
BLANK_RANGES = (
    (0x034F, 0x034F),  # combining grapheme joiner
    (0x115F, 0x1160),  # Hangul fillers
    (0x17B4, 0x17B5),  # Khmer inherent vowels
    (0x180B, 0x180F),  # Mongolian variation selectors
    (0x2065, 0x2065),
    (0x2800, 0x2800),  # Braille pattern blank
    (0x3164, 0x3164),  # Hangul filler
    (0xFE00, 0xFE0F),  # variation selectors
    (0xFFA0, 0xFFA0),  # halfwidth Hangul filler
    (0xFFF0, 0xFFF8),
    (0x13441, 0x13442),  # Egyptian hieroglyph blanks
    (0x16FE4, 0x16FE4),  # Khitan small script filler
    (0x1D159, 0x1D159),  # musical symbol null notehead
    (0xE0000, 0xE0FFF),  # tags and variation selectors
)
BLANK = frozenset(chr(code) for first, last in BLANK_RANGES for code in range(first, last + 1))


def unnamed(seat: int) -> str:
    """Return the default name of an unnamed player, in the phone's language."""
    return translate("Player {number}", number=seat)


def with_unnamed(names: Sequence[str], seats: int) -> tuple[str, ...]:
    """Return the names of all seats; those beyond *names* have none of their own."""
    return (*names, *map(unnamed, range(len(names) + 1, seats + 1)))


def is_unnamed(name: str) -> bool:
    """Return True if a name is the default name in any language."""
    return _unnamed().fullmatch(name) is not None


@cache
def _unnamed() -> re.Pattern[str]:
    every = [translated(Message("Player {number}", {"number": "#"}), one) for one in choices()]
    return re.compile("|".join(re.escape(text).replace(r"\#", r"\d+") for text in every))


def check_names(names: Sequence[object]) -> tuple[str, ...]:
    """Return the names trimmed; raises Malformed on one that cannot be shown on a tally."""
    checked, taken = [], set()
    for place, name in enumerate(names, start=1):
        plain = _check(name, place)
        if (looks := _looks(plain)) in taken:
            raise Malformed(
                _("Two players are called {name}; give one of them another name.", name=raw(plain))
            )
        taken.add(looks)
        checked.append(plain)
    return tuple(checked)


def _check(name: object, place: int) -> str:
    if not isinstance(name, str):
        raise Malformed(_("The name of player {place} is a text.", place=place))
    plain = tidy(name)
    if not plain.strip(JOINERS):
        raise Malformed(_("Player {place} needs a name.", place=place))
    if len(plain) > NAME_LENGTH:
        raise Malformed(
            _(
                "The name of player {place} has more than {most} letters.",
                place=place,
                most=NAME_LENGTH,
            )
        )
    if any(unicodedata.category(letter) in HIDDEN for letter in plain if letter not in JOINERS):
        raise Malformed(
            _("The name of player {place} contains a character that cannot be shown.", place=place)
        )
    if not _looks(plain):
        raise Malformed(
            _("The name of player {place} is invisible; use visible letters.", place=place)
        )
    return plain


def _looks(name: str) -> str:
    """Return the key that distinguishes *name*: its visible characters in lower case."""
    visible = "".join(letter for letter in name if letter not in BLANK and letter not in JOINERS)
    return tidy(visible).casefold()


def check_note(text: str) -> str:
    """Return a note in one line; raises Malformed if it is too long or cannot be shown."""
    plain = tidy(text)
    if len(plain) > NOTE_LENGTH:
        raise Malformed(
            _(
                "A note has at most {most} letters, and this one has {count}. Make it shorter.",
                most=NOTE_LENGTH,
                count=len(plain),
            )
        )
    if any(unicodedata.category(letter) in HIDDEN for letter in plain if letter not in JOINERS):
        raise Malformed(_("The note contains a character that cannot be shown."))
    return plain
