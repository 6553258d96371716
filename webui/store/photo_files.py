"""The photos: files named by their SHA-256, so that each can be held against its name."""

from __future__ import annotations

import hashlib
import threading
from pathlib import Path

from scorer.messages import _
from webui.errors import CorruptPhoto, NotFound
from webui.store.private_files import private_folder, sweep, write_durably

CHECKED = 10_000  # files whose check is remembered; a file that changes is checked again
DAMAGED = _(
    "This photo is damaged on the server's disk, so it is not shown. Scores are unaffected."
)
GONE = _("The file of this photo is gone from the server's disk. Scores are unaffected.")

Version = tuple[int, int]  # size and time of the last change, ns


class PhotoFiles:
    """The photos in *folder*."""

    def __init__(self, folder: Path, *, make: bool = True) -> None:
        """Make the folder where there is none, or leave all as it is. Raises OSError."""
        self.folder = folder
        if make:
            private_folder(folder)
            sweep(folder, "*.part")
        self._whole: dict[str, Version] = {}
        self._lock = threading.Lock()

    def keep(self, jpeg: bytes) -> str:
        """Store a photo and return its name; one that is there is stored anew if it is damaged."""
        photo = hashlib.sha256(jpeg).hexdigest()
        try:
            self.path(photo)
        except (NotFound, CorruptPhoto):
            write_durably(self._path(photo), jpeg)
        return photo

    def path(self, photo: str) -> Path:
        """Return the file of a photo; raises NotFound (gone) or CorruptPhoto (changed)."""
        path = self._path(photo)
        try:
            stat = path.stat()
            version = stat.st_size, stat.st_mtime_ns
            with self._lock:
                if self._whole.get(photo) == version:
                    return path
            with path.open("rb") as file:
                whole = hashlib.file_digest(file, "sha256").hexdigest() == photo
        except FileNotFoundError:
            raise NotFound(GONE) from None
        if not whole:
            raise CorruptPhoto(DAMAGED)
        with self._lock:
            if len(self._whole) >= CHECKED:
                self._whole.clear()
            self._whole[photo] = version
        return path

    def _path(self, photo: str) -> Path:
        return self.folder / f"{photo}.jpg"
