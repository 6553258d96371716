"""Matches of the terminal on the disk: each is kept from its first move on, whatever ends it."""

from __future__ import annotations

import os
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from scorer import Game, Malformed, recording
from scorer.games import GAMES
from scorer.recording import Recording


class NotKept(Exception):
    """A file cannot be written; `str()` is a sentence that says why."""


class Kept:
    """The file of one match, made with its first move."""

    def __init__(self, folder: Path, game: Game[Any, Any], resumed: Path | None = None) -> None:
        self.folder, self.game = folder, game
        # A match that was kept before goes on in its file.
        own = resumed is not None and resumed.absolute().parent == folder.absolute()
        self.path = resumed if own else None

    def write(self, recorded: Recording) -> None:
        """Write the match as it stands; raises NotKept."""
        try:
            self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            self.path = self.path or _new_file(self.folder, self.game.name)
        except OSError as fault:
            raise NotKept(f"{self.folder} cannot be written: {fault.strerror}.") from fault
        write(self.path, recorded)


def write(path: Path, recorded: Recording) -> None:
    """Write a recording whole, or leave what was there; raises NotKept."""
    part = Path(f"{path}.part")
    try:
        with part.open("w", encoding="utf-8") as file:
            file.write("\n".join(recording.write(recorded)) + "\n")
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    except OSError as fault:
        with suppress(OSError):
            part.unlink(missing_ok=True)
        raise NotKept(f"{path} cannot be written: {fault.strerror}.") from fault
    except ValueError as fault:  # a letter that no name may have
        raise NotKept(f"{str(path)!r} is no name for a file.") from fault


def read(path: Path) -> Recording:
    """Return the match in a file; raises Malformed saying what is wrong with it."""
    try:
        return recording.read(path.read_text("utf-8").splitlines(), GAMES)
    except OSError as fault:
        raise Malformed(f"{path} cannot be opened: {fault.strerror}") from fault
    except UnicodeDecodeError as fault:
        raise Malformed(f"{path} holds no saved match") from fault


def is_earlier(path: Path, recorded: Recording) -> bool:
    """Say whether a file holds this match as it stands or stood: to replace it loses nothing."""
    try:
        there = read(path)
    except Malformed:
        return False
    same = [
        (one.game, one.seats, dict(one.settings), one.moves[: len(there.moves)])
        for one in (there, recorded)
    ]
    return same[0] == same[1]


def _new_file(folder: Path, game: str) -> Path:
    """Make an empty file that nobody has, named by the day and the minute."""
    stem = f"{game}-{time.strftime('%Y-%m-%d-%H%M')}"
    number = 1
    while True:
        path = folder / (f"{stem}.jsonl" if number == 1 else f"{stem}-{number}.jsonl")
        try:
            path.touch(exist_ok=False, mode=0o600)
        except FileExistsError:
            number += 1
        else:
            return path
