"""Write files durably and atomically, without a database: also for the eyes."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from secrets import token_hex

from webui.errors import NotWritten


def data_folder() -> Path:
    """Return the user's data folder."""
    if os.name == "nt":
        home = os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local"
    else:
        home = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(home) / "pipsight"


def write_durably(path: Path, content: bytes, mode: int = 0o600) -> None:
    """Replace a file atomically; raises OSError, or ValueError for a bad name."""
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


def write_named(path: Path, content: bytes) -> None:
    """Write a file that a person named, whole or not at all; raises NotWritten."""
    target = Path(os.path.realpath(path))  # a link stays one
    try:
        if target.exists() and not target.is_file():  # a pipe or a device: /dev/stdout
            target.write_bytes(content)
        else:
            write_durably(target, content, mode=0o644)
    except OSError as fault:
        raise NotWritten(path, fault) from fault


@contextmanager
def part_beside(path: Path) -> Iterator[Path]:
    """Yield a new private file that replaces *path* on success and is deleted on failure."""
    part = path.with_name(f".{path.name}.{token_hex(4)}.part")
    os.close(os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    try:
        yield part
    finally:
        part.unlink(missing_ok=True)


def put_in_place(part: Path, path: Path, *, replace: bool = True) -> None:
    """Rename the complete file *part* to *path*; an existing file is kept unless *replace*."""
    if replace:
        part.replace(path)
    else:
        try:
            os.link(part, path)
        except FileExistsError:  # another process was faster
            return
        except (OSError, AttributeError):  # a file system, or a browser, without hard links
            part.rename(path)
    if os.name == "posix":  # Windows cannot open a folder
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
