"""The language of an answer: the one chosen on the start page, else the phone's.

Pages use complete languages; the JSON interface any, as far as it is translated.
"""

import json
import re
from collections.abc import Sequence
from contextvars import ContextVar
from functools import cache
from pathlib import Path
from typing import Any

from scorer import messages, named
from scorer.messages import ENGLISH, Message, _, catalogue, languages, translated
from scorer.words import COLOURS

COOKIE = "language"
ITSELF = _("English")  # each catalogue has the name of its own language for it
BUNDLES = "joined"  # the folder; their sentences are those of the scripts they are made of
# Why a system refuses files: its own words, which C libraries translate and Python does not.
OF_FILES = (
    *(_("No such file or directory"), _("Is a directory"), _("Not a directory")),
    *(_("File exists"), _("Permission denied"), _("Read-only file system")),
    *(_("No space left on device"), _("Input/output error"), _("File name too long")),
)
MOST_COUNTED = 100  # maximum number with a plural in scripts
_TEXT = r'("(?:[^"\\]|\\.)*")'
_IN_SCRIPT = re.compile(rf"\b(?:_|ngettext)\(\s*{_TEXT}(?:,\s*{_TEXT})?")
available = cache(languages)
_spoken: ContextVar[str] = ContextVar("language", default=ENGLISH)


def speak(language: str | None) -> None:
    """Set the language of this request; None is English."""
    _spoken.set(language or ENGLISH)


def language() -> str:
    """Return the language of this request; outside a request English."""
    return _spoken.get()


def said(sentence: str, names: Sequence[str] = ()) -> str:
    """Return a sentence with the players' names, in the language of the phone."""
    return translated(named(sentence, names), language())


def translate(template: str, /, **parts: Any) -> str:
    """Translate a text of a page to the language of the phone."""
    text = Message(template, parts) if parts or not isinstance(template, Message) else template
    return translated(text, language())


def reason(fault: OSError) -> Message:
    """Return why the system refused; common reasons are translated."""
    return Message(fault.strerror or str(fault), {})


def in_figures(number: float) -> str:
    """Format a number with one decimal, in the language of the phone."""
    return messages.in_figures(number, language())


def counted(single: str, many: str, n: int, /, **parts: Any) -> str:
    """Translate a text with a count to the language of the phone."""
    return translated(Message(single, {"n": n, **parts}, many, n), language())


def choices() -> dict[str, str]:
    """Return the selectable languages, each with its own name."""
    return {one: translated(ITSELF, one) for one in messages.WHOLE}


# ---------------------------------------------------------------- sentences in scripts


def in_script(path: Path) -> frozenset[tuple[str, str]]:
    """Return the sentences in a script, each with its plural, or ""."""
    if path.parent.name == BUNDLES:
        return frozenset()
    found = _IN_SCRIPT.findall(path.read_text("utf-8"))
    return frozenset((json.loads(text), json.loads(many or '""')) for text, many in found)


@cache
def for_scripts(folder: Path, spoken: str) -> dict[str, str | list[str]]:
    """Return the sentences of scripts by their English, as `static/page/words.js` looks them up.

    One that counts is a list: its forms, then for each number the digit of the form it takes.
    """
    if spoken == ENGLISH:
        return {}
    words: dict[str, str | list[str]] = {one: translated(COLOURS[one], spoken) for one in COLOURS}
    for single, many in sorted(set().union(*map(in_script, folder.rglob("*.js")))):
        text = catalogue(spoken).gettext(single)
        words[single] = _forms(single, many, spoken) if many else text
    return words


def _forms(single: str, many: str, spoken: str) -> list[str]:
    texts = [catalogue(spoken).ngettext(single, many, n) for n in range(MOST_COUNTED)]
    forms = list(dict.fromkeys(texts))
    return [*forms, "".join(str(forms.index(text)) for text in texts)]
