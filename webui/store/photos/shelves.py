"""Storage backends of photos: a folder, or a shared store through fsspec.

Both write files atomically and have the same interface. `s3://bucket/prefix` is Amazon S3 or a
compatible store.
"""

import logging
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import unquote, urlsplit

from scorer.messages import Message, _, raw
from webui.errors import Busy
from webui.languages import reason
from webui.store.private_files import private_folder, sweep, write_durably
from webui.store.refusals import unwritable

log = logging.getLogger(__name__)

AWAY = _(
    "The store of the photos does not answer; nothing was lost. Try again in a moment."
    " Moves can be tapped in meanwhile."
)
# Timeouts of a request to an unreachable store; it is retried anyway.
PATIENCE = {
    "s3": {
        "config_kwargs": {
            "connect_timeout": 3,
            "read_timeout": 10,
            "retries": {"total_max_attempts": 1},
        }
    }
}


class NoPlace(Exception):
    """Photos cannot be stored at this place; `str()` is a sentence."""


def wrong_place(place: object, fault: Message) -> NoPlace:
    """Return the error of a place that is no folder or store."""
    sentence = _(
        "Photos cannot be kept at {place}: {fault}. Name a folder, or a store like "
        "s3://bucket/photos.",
        place=raw(place),
        fault=fault,
    )
    return NoPlace(sentence)


@dataclass(frozen=True, slots=True)
class StoredFile:
    """A file on a shelf."""

    name: str
    size: int  # bytes
    changed: float  # seconds since 1970, by the backend's clock


class Shelf(Protocol):
    """A storage backend; raises Busy if it is unreachable."""

    def read(self, name: str) -> bytes:
        """Return a file; raises FileNotFoundError."""

    def write(self, name: str, content: bytes) -> None:
        """Store a file durably; raises DiskFull, CannotStore."""

    def delete(self, name: str) -> None:
        """Delete a file, if it is there."""

    def has(self, name: str) -> bool:
        """Return True if a file is there."""

    def files(self) -> Iterator[StoredFile]:
        """Yield all files."""


class Folder:
    """A folder, local or shared."""

    def __init__(self, folder: Path, *, make: bool = True) -> None:
        """Create the folder, or change nothing. Raises OSError, NoPlace."""
        self.folder = folder
        if make:
            try:
                private_folder(folder)
            except (FileExistsError, NotADirectoryError) as fault:
                raise wrong_place(folder, reason(fault)) from None
            if sentence := unwritable(folder):
                raise NoPlace(sentence)
            sweep(folder, "*.part")

    def __str__(self) -> str:
        return str(self.folder)

    def read(self, name: str) -> bytes:
        """Return a file; raises FileNotFoundError."""
        return (self.folder / name).read_bytes()

    def write(self, name: str, content: bytes) -> None:
        """Store a file durably; raises DiskFull."""
        write_durably(self.folder / name, content)

    def delete(self, name: str) -> None:
        """Delete a file, if it is there."""
        (self.folder / name).unlink(missing_ok=True)

    def has(self, name: str) -> bool:
        """Return True if a file is there."""
        return (self.folder / name).exists()

    def files(self) -> Iterator[StoredFile]:
        """Yield all files."""
        for path in self.folder.iterdir():
            if path.suffix != ".part":
                stat = path.stat()
                yield StoredFile(path.name, stat.st_size, stat.st_mtime)


class Bucket:
    """An fsspec store with atomic writes."""

    def __init__(self, place: str) -> None:
        """Prepare the store without connecting. Raises NoPlace."""
        try:
            from fsspec.core import url_to_fs  # noqa: PLC0415  # only who shares photos has it

            scheme = urlsplit(place).scheme
            self._files, self._root = url_to_fs(
                place,
                use_listings_cache=False,
                skip_instance_cache=True,
                **PATIENCE.get(scheme, {}),
            )
        except ImportError as fault:
            raise NoPlace(
                _(
                    "Photos at {place} need a package that is not installed: {fault}. "
                    "Install the wheel again with its extra scale: "
                    "pip install 'pipsight-….whl[scale]'.",
                    place=raw(place),
                    fault=raw(fault),
                )
            ) from None
        except ValueError as fault:
            raise wrong_place(place, raw(fault)) from None
        self.place = place

    def __str__(self) -> str:
        return self.place

    def read(self, name: str) -> bytes:
        """Return a file; raises FileNotFoundError."""
        with self._reached(FileNotFoundError):
            content: bytes = self._files.cat_file(self._path(name))
        return content

    def write(self, name: str, content: bytes) -> None:
        """Store a file."""
        with self._reached():
            self._files.pipe_file(self._path(name), content)

    def delete(self, name: str) -> None:
        """Delete a file, if it is there."""
        with suppress(FileNotFoundError), self._reached(FileNotFoundError):
            self._files.rm_file(self._path(name))

    def has(self, name: str) -> bool:
        """Return True if a file is there."""
        with self._reached():
            return bool(self._files.exists(self._path(name)))

    def files(self) -> Iterator[StoredFile]:
        """Yield all files."""
        found = []
        with suppress(FileNotFoundError), self._reached(FileNotFoundError):  # nothing written yet
            found = self._files.ls(self._root, detail=True, refresh=True)
        for about in found:
            if about["type"] == "file":
                name = about["name"].rsplit("/", 1)[-1]
                yield StoredFile(name, about["size"], _changed(about))

    def _path(self, name: str) -> str:
        return f"{self._root}/{name}"

    @contextmanager
    def _reached(self, *passing: type[Exception]) -> Iterator[None]:
        """Turn the errors of all kinds of stores into ours, but for those *passing*."""
        try:
            yield
        except passing:
            raise
        except Exception as fault:
            log.warning("the photos at %s cannot be reached: %s", self.place, fault)
            raise Busy(AWAY) from fault


def _changed(about: dict[str, Any]) -> float:
    at = about.get("LastModified") or about.get("mtime") or about.get("created") or 0.0
    return at.timestamp() if isinstance(at, datetime) else float(at)


def shelf_at(place: Path | str, *, make: bool = True) -> Shelf:
    """Return the backend for a *place*, a folder or a URL; raises NoPlace."""
    if isinstance(place, Path) or "://" not in place:
        return Folder(Path(place).expanduser(), make=make)
    url = urlsplit(place)
    if url.scheme == "file":  # fsspec does not sync to disk
        return Folder(Path(unquote(url.path)), make=make)
    return Bucket(place)
