"""The type of a subcommand."""

import argparse
from collections.abc import Callable, Sequence
from dataclasses import dataclass

Main = Callable[[Sequence[str]], int]


@dataclass(frozen=True, slots=True)
class Command:
    """A subcommand: its line in the help, its parser and its function."""

    help: str
    run: Main
    parser: Callable[[], argparse.ArgumentParser]
