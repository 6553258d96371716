"""Private files: readable by their owner only, written atomically."""

import contextlib
import os
import time
from pathlib import Path

from scorer.messages import _
from webui.store import durable_files
from webui.store.refusals import refused

HOUR = 3600.0  # seconds; an older part was left by a kill
FULL = _("The disk of the server is full; nothing was stored. Make room and send the photo again.")


def make_private(path: Path) -> None:
    """Make *path* readable by its owner only; Windows uses the folder's permissions."""
    if os.name == "posix":
        with contextlib.suppress(PermissionError):  # it belongs to another user
            path.chmod(0o700 if path.is_dir() else 0o600)


def private_folder(path: Path) -> None:
    """Create a private folder unless it exists."""
    path.mkdir(mode=0o700, parents=True, exist_ok=True)
    make_private(path)


def write_durably(path: Path, content: bytes) -> None:
    """Write a file durably and atomically; raises DiskFull or CannotStore."""
    with refused(path.parent, FULL):
        durable_files.write_durably(path, content)


def sweep(folder: Path, pattern: str) -> None:
    """Delete old partial files of a killed server."""
    for part in folder.glob(pattern):
        with contextlib.suppress(FileNotFoundError):  # another server may sweep concurrently
            if time.time() - part.stat().st_mtime > HOUR:
                part.unlink()
