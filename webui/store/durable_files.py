"""Write files durably: whole or not at all, also after a power cut.

Eyes and pages both keep such files, and share nothing else: this needs the standard library alone.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from secrets import token_hex


def data_folder() -> Path:
    """Return the folder for a person's own data."""
    if os.name == "nt":
        home = os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local"
    else:
        home = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(home) / "pipsight"


def write_durably(path: Path, content: bytes, mode: int = 0o600) -> None:
    """Write a file whole, in place of what had its name, or leave that.

    Raises OSError, or ValueError where *path* is no name that a file can have.
    """
    part: Path | None = None
    try:
        with tempfile.NamedTemporaryFile(dir=path.parent, suffix=".part", delete=False) as file:
            part = Path(file.name)
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        part.chmod(mode)
        put_in_place(part, path)
    except (OSError, ValueError):
        if part is not None:
            with suppress(OSError):
                part.unlink(missing_ok=True)
        raise


@contextmanager
def part_beside(path: Path) -> Iterator[Path]:
    """Yield a new private file to be written, then put in place of *path*; else it goes again."""
    part = path.with_name(f".{path.name}.{token_hex(4)}.part")
    os.close(os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    try:
        yield part
    finally:
        part.unlink(missing_ok=True)


def put_in_place(part: Path, path: Path, *, replace: bool = True) -> None:
    """Give the whole file *part* its name; where one has it, that stays unless *replace*."""
    if replace:
        part.replace(path)
    else:
        try:
            os.link(part, path)
        except FileExistsError:  # another process was quicker
            return
        except OSError:  # a file system without links
            part.rename(path)
    if os.name == "posix":  # elsewhere a folder cannot be opened
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
