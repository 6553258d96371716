"""Photo files named by their SHA-256, so that each can be verified; thumbnails beside them."""

import hashlib
import io
import logging
import secrets
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

import sqlalchemy as sa

from scorer.messages import _
from webui.errors import Busy, CannotStore, CorruptPhoto, DiskFull, NotFound, PhotoGone
from webui.store.photos.shelves import Shelf
from webui.store.private_files import HOUR
from webui.store.refusals import LastWrite
from webui.store.schema import PIECES, SIGHTING, WHOLE_PHOTO

log = logging.getLogger(__name__)

MARK = ".new"  # marks a photo without a row yet
PROBE_BYTES = 300_000  # typical size of a photo
DAMAGED = _(
    "This photo is damaged on the server's disk, so it is not shown. Scores are unaffected."
)
GONE = _("This photo is not kept any more. What was read on it and all scores stay.")
SIDE = 192  # px; 64 px in the history at a device pixel ratio of 3
SCREEN = 1280  # px; longer side of a photo on a page
QUALITY = 72  # of JPEG: some 8 kB for the small one, 150 for the large one


class PhotoFiles:
    """The photos on a *shelf*, with their thumbnails."""

    def __init__(self, shelf: Shelf) -> None:
        self.shelf = shelf
        self.last_write = LastWrite()

    @contextmanager
    def kept(self, jpeg: bytes) -> Iterator[str]:
        """Store a photo and yield its name for its row.

        A damaged file is written again. A new one has a marker file until the row is stored, by
        which `sweep` finds photos without a row.
        """
        photo = hashlib.sha256(jpeg).hexdigest()
        with self.last_write.noted():
            new = self._write(photo, jpeg)
        yield photo
        if new:
            self._unmark(photo)
        else:  # a sweep may have looked for the row just before it was stored
            self._write(photo, jpeg)

    def keep(self, jpeg: bytes) -> str:
        """Store a photo permanently and return its name."""
        with self.kept(jpeg) as photo:
            return photo

    def _write(self, photo: str, jpeg: bytes) -> bool:
        """Store a photo with its marker unless it exists; return True if it is new."""
        try:
            self.read(photo)
        except CorruptPhoto:  # a row may name it already: no marker
            self.shelf.write(f"{photo}.jpg", jpeg)
        except NotFound:
            self.shelf.write(f"{photo}{MARK}", b"")
            try:
                self.shelf.write(f"{photo}.jpg", jpeg)
            except BaseException:
                self._unmark(photo)
                raise
            return True
        return False

    def _unmark(self, photo: str) -> None:
        with suppress(OSError, Busy):  # the sweep will do it
            self.shelf.delete(f"{photo}{MARK}")

    def check(self) -> None:
        """Raise DiskFull, CannotStore or Busy if no photo can be stored now."""
        self.last_write.check(self._probe)

    def _probe(self) -> None:
        probe = f"probe-{secrets.token_hex(4)}.part"
        with self.last_write.noted():
            self.shelf.write(probe, bytes(PROBE_BYTES))
        self.shelf.delete(probe)

    def sweep(self, is_named: Callable[[str], bool]) -> int:
        """Delete photos that never got a row; return the number.

        *is_named* returns True if a row names a photo. Only photos with a marker older than an hour
        are candidates: photos of other databases in this folder have none.
        """
        files, old = list(self.shelf.files()), time.time() - HOUR
        marked = [file.name for file in files if file.name.endswith(MARK) and file.changed < old]
        orphans = 0
        for photo in (name.removesuffix(MARK) for name in marked):
            orphans += self._sweep(photo, is_named)
            for name in (file.name for file in files if file.name.startswith(f"{photo}.")):
                if name != f"{photo}.jpg":  # markers, and thumbnails, which are made again
                    self.shelf.delete(name)
        return orphans

    def _sweep(self, photo: str, is_named: Callable[[str], bool]) -> bool:
        """Delete a photo unless a row names it, also one stored since; return True if deleted."""
        if is_named(photo):
            return False
        name = f"{photo}.jpg"
        try:
            content = self.shelf.read(name)
        except FileNotFoundError:
            return False
        self.shelf.delete(name)
        if is_named(photo):
            self.shelf.write(name, content)
            return False
        return True

    def read(self, photo: str) -> bytes:
        """Return a photo; raises PhotoGone, CorruptPhoto (changed) or Busy (unreachable)."""
        try:
            content = self.shelf.read(f"{photo}.jpg")
        except FileNotFoundError:
            raise PhotoGone(GONE) from None
        if hashlib.sha256(content).hexdigest() != photo:
            raise CorruptPhoto(DAMAGED)
        return content

    def has(self, photo: str) -> bool:
        """Return True if the file of a photo exists, without verifying it."""
        return self.shelf.has(f"{photo}.jpg")

    def delete(self, photo: str) -> None:
        """Delete a photo, its marker and its thumbnails."""
        for name in (photo, f"{photo}.{SIDE}", f"{photo}.{SCREEN}"):
            self.shelf.delete(f"{name}.jpg")
        self.shelf.delete(f"{photo}{MARK}")

    def drop(self, photo: str, is_named: Callable[[str], bool]) -> bool:
        """Delete a photo and its thumbnails unless a row names it; return True if deleted."""
        dropped = self._sweep(photo, is_named)
        if dropped:
            self.delete(photo)
        return dropped


NAMING = {SIGHTING: SIGHTING.c.id, WHOLE_PHOTO: WHOLE_PHOTO.c.sighting}  # tables with their keys


def naming(photo: str, match_id: str | None = None) -> sa.CompoundSelect[Any]:
    """Return the query for the sightings of a photo, optionally in one match."""
    queries = []
    for table, key in NAMING.items():
        query = sa.select(key).where(table.c.photo == photo)
        queries.append(query if match_id is None else query.where(table.c.match == match_id))
    return sa.union_all(*queries)


def is_named(connection: sa.Connection, photo: str) -> bool:
    """Return True if a match or taught dice name the photo."""
    if connection.execute(naming(photo).limit(1)).first() is not None:
        return True
    return photo in _taught(connection)


def named_photos(connection: sa.Connection) -> set[str]:
    """Return every photo that a match or taught dice name."""
    of_matches = sa.union(*(sa.select(table.c.photo) for table in NAMING))
    return {*connection.scalars(of_matches), *_taught(connection)}


def _taught(connection: sa.Connection) -> Iterator[str]:
    for lessons in connection.scalars(sa.select(PIECES.c.lessons)):
        yield from (lesson["photo"] for lesson in lessons)


def thumbnail(photos: PhotoFiles, photo: str, side: int = SIDE) -> bytes:
    """Return a stored *photo* as a JPEG: if small its centre, else all of it; raises NotFound."""
    name = f"{photo}.{side}.jpg"
    with suppress(FileNotFoundError):
        return photos.shelf.read(name)
    small = _shrunk(photos.read(photo), side)
    try:
        photos.shelf.write(name, small)
    except (OSError, DiskFull, CannotStore, Busy):
        log.warning("the small picture of %s could not be kept", photo, exc_info=True)
    return small


def _shrunk(jpeg: bytes, side: int) -> bytes:
    from PIL import Image, ImageOps  # noqa: PLC0415  # a browser has none

    try:
        with Image.open(io.BytesIO(jpeg), formats=("JPEG",)) as picture:
            picture.draft("RGB", (side, side))  # decodes at a reduced size
            small = picture.convert("RGB")
            if side == SIDE:
                small = ImageOps.fit(small, (side, side))
            else:
                small.thumbnail((side, side))
    except (OSError, Image.DecompressionBombError):  # truncated, or not one of our photos
        raise NotFound(_("This photo is damaged. What was read on it is still here.")) from None
    content = io.BytesIO()
    small.save(content, "JPEG", quality=QUALITY, optimize=True)
    return content.getvalue()
