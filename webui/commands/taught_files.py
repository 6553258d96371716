"""Where taught pieces are kept: one file for each name in a person's data folder."""

from __future__ import annotations

import re
from pathlib import Path

from vision.faces.adapter import Adapter, NotTaught
from webui.store.durable_files import data_folder, write_durably

NAME = re.compile(r"[^\W_][\w .-]{0,39}")


def pieces_folder() -> Path:
    """Return where taught pieces are kept unless told otherwise."""
    return data_folder() / "pieces"


def path_of(name: str, folder: Path) -> Path:
    """Return the file of a name; raises NotTaught if it is no name for a file."""
    if not NAME.fullmatch(name) or name.endswith((" ", ".")):
        raise NotTaught(
            f"{name!r} is no name for pieces. Use letters, digits, spaces and hyphens, at most 40."
        )
    return folder / f"{name}.json"


def names(folder: Path) -> list[str]:
    """Return the names of all taught pieces."""
    return sorted(path.stem for path in folder.glob("*.json"))


def take(name: str, folder: Path) -> Adapter:
    """Return the pieces of a name, ready to be used; raises NotTaught."""
    pieces = Adapter.load(_there(name, folder))
    pieces.check()
    return pieces


def put(name: str, pieces: Adapter, folder: Path) -> Path:
    """Keep the pieces under a name, in place of any that had it; return the file."""
    path = path_of(name, folder)
    folder.mkdir(parents=True, exist_ok=True)
    write_durably(path, pieces.to_text().encode())
    return path


def forget(name: str, folder: Path) -> None:
    """Delete the pieces of a name; raises NotTaught if there are none."""
    _there(name, folder).unlink()


def _there(name: str, folder: Path) -> Path:
    path = path_of(name, folder)
    if not path.exists():
        known = names(folder)
        told = f"There are {', '.join(known)}." if known else "Nothing has been taught yet."
        raise NotTaught(f"No pieces are called {name}. {told}")
    return path
