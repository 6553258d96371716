"""The language of a command: `--language`, else that of the system, else English."""

from __future__ import annotations

import argparse
import gettext
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from scorer.messages import DOMAIN, ENGLISH, LOCALE, WHOLE, _, languages
from webui.languages import language, speak, translate

OPTION = "--language"
# What argparse says by itself; it looks these up as gettext does.
OF_ARGPARSE = (
    *(_("usage: "), _("options"), _("positional arguments"), _("show this help message and exit")),
    *(_("show program's version number and exit"), _("%(prog)s: error: %(message)s\n")),
    *(_("argument %(argument_name)s: %(message)s"), _("unrecognized arguments: %s")),
    _("the following arguments are required: %s"),
    _("invalid choice: %(value)r (choose from %(choices)s)"),
    *(_("invalid %(type)s value: %(value)r"), _("expected one argument")),
    *(_("expected at least one argument"), _("expected at most one argument")),
)
OF_SYSTEM = ("LC_ALL", "LC_MESSAGES", "LANG")  # the first that is set decides, as for gettext


@contextmanager
def speaking(argv: Sequence[str]) -> Iterator[None]:
    """Speak the language that the words after `pipsight` choose, argparse too."""
    before = os.environ.get("LANGUAGE", "")
    speak(chosen(argv, os.environ))
    os.environ["LANGUAGE"] = language()  # by which gettext looks up what argparse says
    gettext.bindtextdomain(DOMAIN, str(LOCALE))
    gettext.textdomain(DOMAIN)
    try:
        yield
    finally:
        speak(ENGLISH)
        os.environ["LANGUAGE"] = before


def chosen(argv: Sequence[str], environ: Mapping[str, str]) -> str:
    """Return the language that was typed, else the one that the system speaks, if it is whole.

    What is printed for programs is English unless a language was typed.
    """
    for at, word in enumerate(argv):
        option, equals, code = word.partition("=")
        if option == OPTION:
            typed = code if equals else (*argv[at + 1 :], "")[0]
            return typed if typed in WHOLE else ENGLISH
    for_programs = "--json" in argv
    system = "" if for_programs else next(filter(None, map(environ.get, OF_SYSTEM)), "")
    return system[:2] if system[:2] in WHOLE else ENGLISH


class CommandParser(argparse.ArgumentParser):
    """What a command takes, said in the language of the person; each takes `--language`."""

    def __init__(self, prog: str, **more: Any) -> None:
        super().__init__(prog, **more)
        about = _("language of the texts, once all are translated (default: that of the system)")
        self.add_argument(OPTION, choices=languages(), default=language(), help=about)

    def format_help(self) -> str:
        """Return the help, its texts translated."""
        for place in (self, *self._actions):
            for name in ("description", "epilog", "help"):
                if text := getattr(place, name, None):
                    setattr(place, name, translate(text) if text != argparse.SUPPRESS else text)
        return super().format_help()
