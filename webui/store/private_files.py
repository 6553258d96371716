"""Private files: readable by their owner alone, and written whole or not at all."""

from __future__ import annotations

import contextlib
import os
import time
from pathlib import Path

from scorer.messages import _
from webui.store import durable_files
from webui.store.refusals import refused

HOUR = 3600.0  # seconds; no write takes as long, so what is older was left by a kill
FULL = _("The disk of the server is full; nothing was stored. Make room and send the photo again.")


def make_private(path: Path) -> None:
    """Let nobody but its owner read *path*; on Windows the folder's rights say who may."""
    if os.name == "posix":
        with contextlib.suppress(PermissionError):  # it belongs to somebody else, who decides
            path.chmod(0o700 if path.is_dir() else 0o600)


def private_folder(path: Path) -> None:
    """Make a folder that nobody else can look into, where there is none."""
    path.mkdir(mode=0o700, parents=True, exist_ok=True)
    make_private(path)


def write_durably(path: Path, content: bytes) -> None:
    """Write a file that is there whole or not at all, also after a power cut.

    Raises DiskFull, or CannotStore where the system refuses it.
    """
    with refused(path.parent, FULL):
        durable_files.write_durably(path, content)


def sweep(folder: Path, pattern: str) -> None:
    """Delete files that were being written when a server was killed, long ago."""
    for part in folder.glob(pattern):
        with contextlib.suppress(FileNotFoundError):  # another server sweeps too
            if time.time() - part.stat().st_mtime > HOUR:
                part.unlink()
