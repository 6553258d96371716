"""Files of taught pieces and boards: one for each name in the user's data folder."""

from __future__ import annotations

import json
import re
from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import ClassVar, Generic, TypeVar

from scorer.messages import Message, _, joined, raw
from vision.board_profile import DAMAGED, Profile
from vision.faces.adapter import Adapter, NotTaught
from vision.reading import Look
from webui.errors import NotWritten
from webui.eyes.phrases import sentence_of
from webui.languages import counted, translate
from webui.store.durable_files import data_folder, write_durably

Learned = TypeVar("Learned")


class TaughtFiles(ABC, Generic[Learned]):
    """A folder of taught items of one kind."""

    NAME: ClassVar[re.Pattern[str]]
    CALLED: ClassVar[str] = ""  # prefix of names of this kind
    BAD_NAME: ClassVar[Message]
    MISSING: ClassVar[Message]
    NOTHING: ClassVar[Message]

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def path_of(self, name: str) -> Path:
        """Return the file of a name; raises NotTaught if the name is not valid."""
        if not self.NAME.fullmatch(name):
            raise NotTaught(Message(self.BAD_NAME.template, {"name": repr(name)}))
        return self.folder / f"{name}.json"

    def names(self) -> list[str]:
        """Return the names of all taught items."""
        return sorted(path.stem for path in self.folder.glob("*.json"))

    def load(self, name: str) -> Learned:
        """Load the item with a name; raises NotTaught."""
        return self._read(self._existing(name))

    def save(self, name: str, learned: Learned) -> Path:
        """Store an item under a name, replacing any; return the file.

        Raises NotWritten.
        """
        path = self.path_of(name)
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            write_durably(path, self._text(learned).encode())
        except OSError as fault:
            raise NotWritten(fault.filename or path, fault) from fault
        return path

    def forget(self, name: str) -> None:
        """Delete the item with a name; raises NotTaught if there is none."""
        self._existing(name).unlink()

    def listed(self) -> Iterator[str]:
        """Yield a line for each name."""
        for name in self.names():
            try:
                size = self._size(self.load(name))
            except NotTaught as fault:
                size = sentence_of(fault)
            yield f"{self.CALLED}{name}: {size}"

    def _existing(self, name: str) -> Path:
        path = self.path_of(name)
        if not path.exists():
            names = self.names()
            listed = _("There are {names}.", names=raw(", ".join(names)))
            missing = Message(self.MISSING.template, {"name": name})
            raise NotTaught(joined(" ", (missing, listed if names else self.NOTHING)))
        return path

    @abstractmethod
    def _read(self, path: Path) -> Learned: ...

    @abstractmethod
    def _text(self, learned: Learned) -> str: ...

    @abstractmethod
    def _size(self, learned: Learned) -> str: ...


class PieceFiles(TaughtFiles[Adapter]):
    """Taught dice and dominoes."""

    NAME = re.compile(r"[^\W_]([\w .-]{0,38}[\w-])?")
    BAD_NAME = _(
        "{name} is not a name for pieces. Use letters, digits, spaces and hyphens, at most 40."
    )
    MISSING = _("No pieces are called {name}.")
    NOTHING = _("Nothing has been taught yet.")

    def __init__(self, folder: Path | None = None) -> None:
        super().__init__(folder or data_folder() / "pieces")

    def _read(self, path: Path) -> Adapter:
        pieces = Adapter.load(path)
        pieces.check()
        return pieces

    def _text(self, learned: Adapter) -> str:
        return learned.to_text()

    def _size(self, learned: Adapter) -> str:
        return counted("{n} face", "{n} faces", learned.faces)


class BoardFiles(TaughtFiles[Profile]):
    """Taught boards, below the folder of taught pieces if one is named."""

    NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")  # the NAME in `--look board:NAME`
    CALLED = "board:"
    BAD_NAME = _(
        "{name} is not a name for a board. Use small letters, digits and hyphens, at most 40."
    )
    MISSING = _("No board is called {name}.")
    NOTHING = _("No board has been taught yet.")

    def __init__(self, pieces: Path | None = None) -> None:
        super().__init__((pieces or data_folder()) / "boards")

    def added_to(self, look: Look) -> Look:
        """Add the taught board named by a look, if no game has a printed one of that name.

        Raises:
            NotTaught: there is no item with the name, or it cannot be used.
        """
        if look.kind != "board" or look.layout is not None:
            return look
        profile = self.load(look.name)
        return replace(look, layout=profile.layout, profile=profile)

    def _read(self, path: Path) -> Profile:
        try:
            return Profile.from_json(json.loads(path.read_text(encoding="utf-8")))
        except (OSError, ValueError, RecursionError) as fault:  # NotABoard is one
            raise NotTaught(DAMAGED) from fault

    def _text(self, learned: Profile) -> str:
        return f"{json.dumps(learned.to_json())}\n"

    def _size(self, learned: Profile) -> str:
        return translate(
            "{rows} rows, {columns} columns", rows=learned.rows, columns=learned.columns
        )
