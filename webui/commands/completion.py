"""`pipsight completion`: a script that lets a shell complete commands, options and file names."""

import argparse
from collections.abc import Mapping
from pathlib import Path

import shtab

from webui.commands.command import Command


def script(shell: str, commands: Mapping[str, Command]) -> str:
    """Return the completion script of *shell* for `pipsight` with all its subcommands."""
    whole = argparse.ArgumentParser("pipsight")
    whole.add_argument("--version", action="store_true", help="print the version")
    choices = whole.add_subparsers()
    for name, command in commands.items():
        own = command.parser(name)
        for action in own._actions:  # shtab requires its attribute on each
            if action.type is Path:
                folder = action.metavar == "DIR"
                action.complete = shtab.DIRECTORY if folder else shtab.FILE  # type: ignore[attr-defined]
        choices.add_parser(name, help=command.help, parents=[own], add_help=False)
    made: str = shtab.complete(whole, shell)
    return made
