"""The language of a command: `--language`, else the system's, else English."""

from __future__ import annotations

import argparse
import gettext
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, NoReturn

from scorer.messages import DOMAIN, ENGLISH, LOCALE, WHOLE, _, languages
from webui.languages import language, said, speak, translate

OPTION = "--language"
# argparse's own sentences, which it looks up with gettext.
OF_ARGPARSE = (
    *(_("usage: "), _("options"), _("positional arguments"), _("show this help message and exit")),
    *(_("show program's version number and exit"), _("%(prog)s: error: %(message)s\n")),
    *(_("argument %(argument_name)s: %(message)s"), _("unrecognized arguments: %s")),
    _("the following arguments are required: %s"),
    _("invalid choice: %(value)r (choose from %(choices)s)"),
    *(_("invalid %(type)s value: %(value)r"), _("expected one argument")),
    *(_("expected at least one argument"), _("expected at most one argument")),
    _("not allowed with argument %s"),
)
OF_SYSTEM = ("LC_ALL", "LC_MESSAGES", "LANG")  # the first one set is used, as by gettext


@contextmanager
def speaking(argv: Sequence[str]) -> Iterator[None]:
    """Set the language chosen by the arguments, for argparse too."""
    before = os.environ.get("LANGUAGE", "")
    speak(chosen(argv, os.environ))
    os.environ["LANGUAGE"] = language()  # used by gettext for argparse's sentences
    gettext.bindtextdomain(DOMAIN, str(LOCALE))
    gettext.textdomain(DOMAIN)
    try:
        yield
    finally:
        speak(ENGLISH)
        os.environ["LANGUAGE"] = before


def chosen(argv: Sequence[str], environ: Mapping[str, str]) -> str:
    """Return the language given, else the system's, if its catalogue is complete.

    Output for programs is English unless a language was given.
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
    """An argument parser with translated help and `--language`."""

    def __init__(self, prog: str, **more: Any) -> None:
        super().__init__(prog, **more)
        about = _("language of the texts, once all are translated (default: that of the system)")
        self.add_argument(OPTION, choices=languages(), default=language(), help=about)

    def error(self, message: str) -> NoReturn:
        """Print the usage and *message*, translated if it is one of ours; exit with code 2."""
        super().error(said(message))

    def refuse(self, fault: Exception) -> NoReturn:
        """Exit like `error`, with the sentence of *fault*."""
        from webui.eyes.phrases import sentence_of  # noqa: PLC0415

        self.error(sentence_of(fault))

    def format_help(self) -> str:
        """Return the help, its texts translated."""
        for place in (self, *self._actions):
            for name in ("description", "epilog", "help"):
                if text := getattr(place, name, None):
                    setattr(place, name, translate(text) if text != argparse.SUPPRESS else text)
        return super().format_help()
