"""The photos: files named by their SHA-256, so that each can be held against its name."""

from __future__ import annotations

import hashlib

from scorer.messages import _
from webui.errors import CorruptPhoto, NotFound
from webui.store.shelves import Shelf

DAMAGED = _(
    "This photo is damaged on the server's disk, so it is not shown. Scores are unaffected."
)
GONE = _("The file of this photo is gone from the server's disk. Scores are unaffected.")


class PhotoFiles:
    """The photos on a *shelf*, and smaller pictures of them beside them."""

    def __init__(self, shelf: Shelf) -> None:
        self.shelf = shelf

    def keep(self, jpeg: bytes) -> str:
        """Store a photo and return its name; one that is there is stored anew if it is damaged."""
        photo = hashlib.sha256(jpeg).hexdigest()
        try:
            self.read(photo)
        except (NotFound, CorruptPhoto):
            self.shelf.write(f"{photo}.jpg", jpeg)
        return photo

    def read(self, photo: str) -> bytes:
        """Return a photo; raises NotFound (gone), CorruptPhoto (changed) or Busy (out of reach)."""
        try:
            content = self.shelf.read(f"{photo}.jpg")
        except FileNotFoundError:
            raise NotFound(GONE) from None
        if hashlib.sha256(content).hexdigest() != photo:
            raise CorruptPhoto(DAMAGED)
        return content
