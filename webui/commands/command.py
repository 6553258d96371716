"""The type of a subcommand."""

import argparse
from collections.abc import Callable
from dataclasses import dataclass

from webui.commands.language import CommandParser


@dataclass(frozen=True, slots=True)
class Command:
    """A subcommand: its line in the help, and the functions that describe and run it.

    What runs it gets its parser as `ask`, among its arguments.
    """

    help: str
    options: Callable[[CommandParser], None]
    run: Callable[[argparse.Namespace], int]

    def parser(self, name: str) -> CommandParser:
        """Return its parser."""
        ask = CommandParser(f"pipsight {name}")
        self.options(ask)
        ask.set_defaults(ask=ask)
        return ask
