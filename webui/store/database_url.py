"""Parse where matches and photos are stored: a path, or a URL."""

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import sqlalchemy as sa

from scorer.messages import _, raw
from webui.errors import Busy, DiskFull
from webui.languages import reason
from webui.store.database import is_full, sqlite_file
from webui.store.durable_files import data_folder
from webui.store.photos.shelves import NoPlace, wrong_place
from webui.store.private_files import private_folder
from webui.store.refusals import NO_ROOM
from webui.store.upgrade import CannotOpen

FILE = "pipsight.sqlite"
FULL = _("The disk is full, so the matches cannot be opened. Make room.")
EXAMPLE = _("Write it like /path/to/file, or sqlite:////path/to/file.")
# A Windows drive has one letter: a longer prefix is a mistyped URL.
SCHEME = re.compile(r"[a-z][a-z0-9+.-]+:", re.IGNORECASE)


def database_url(said: str | None) -> str:
    """Return the URL of a named database, of a file's path, or the user's; raises CannotOpen."""
    if said is None:
        return file_url(str(data_folder() / FILE))
    if "://" not in said:
        if not said.strip() or SCHEME.match(said):
            raise CannotOpen(
                _(
                    "{said} is neither a file nor a database's address. {example}",
                    said=raw(repr(said)),
                    example=EXAMPLE,
                )
            )
        return file_url(os.path.expanduser(said))  # noqa: PTH111  # Path's raises on an unknown ~name
    said = re.sub(r"^postgres(ql)?://", "postgresql+psycopg://", said)  # as hosts write it
    with told_in_words():
        url = sa.make_url(said)
    file = url.database or ""
    if url.get_backend_name() == "sqlite" and (not file or file.startswith((":memory:", "file:"))):
        raise CannotOpen(_("Name a file that keeps the matches: sqlite:////path/to/file."))
    return said


def file_url(path: str) -> str:
    """Return the URL of an SQLite file."""
    return sa.URL.create("sqlite", database=path).render_as_string(hide_password=False)


def is_shared(url: str) -> bool:
    """Return True if the database can share the queue of photos: PostgreSQL through psycopg."""
    with told_in_words():
        parsed = sa.make_url(url)
        return (parsed.get_backend_name(), parsed.get_driver_name()) == ("postgresql", "psycopg")


def photos_folder(url: str) -> Path:
    """Return the folder of the photos: beside an SQLite file, else in the user's data folder."""
    file = sqlite_file(url)
    return (data_folder() if file is None else file.absolute().parent) / "photos"


def photos_place(url: str, named: str | None = None) -> Path | str:
    """Return the place of the photos: *named*, else $PIPSIGHT_PHOTOS, else the folder."""
    return named or os.environ.get("PIPSIGHT_PHOTOS") or photos_folder(url)


def photos_there(url: str, named: str | None = None) -> Path | str:
    """Return the place of photos to be read: a folder that was named must exist; raises NoPlace."""
    place = photos_place(url, named)
    if isinstance(place, str) and "://" not in place:
        try:
            os.scandir(Path(place).expanduser()).close()
        except OSError as fault:
            raise wrong_place(place, reason(fault)) from None
    return place


def prepare_folder(url: str, photos: str | None = None) -> Path | str:
    """Create the folder of the database; return the place of the photos."""
    folder = photos_folder(url).parent
    if folder == data_folder() or not folder.exists():
        private_folder(folder)
    return photos_place(url, photos)


@contextmanager
def told_in_words() -> Iterator[None]:
    """Turn errors of opening a database or photos into CannotOpen, with a sentence."""
    try:
        yield
    except ImportError as fault:
        raise CannotOpen(
            _(
                "This database needs the Python package {name}, which is not installed.",
                name=raw(fault.name),
            )
        ) from None
    except sa.exc.ArgumentError as fault:
        raise CannotOpen(
            _(
                "The address of the database is wrong: {fault}. {example}",
                fault=raw(fault),
                example=EXAMPLE,
            )
        ) from None
    except (NoPlace, Busy) as fault:
        raise CannotOpen(*fault.args) from None
    except DiskFull:
        raise CannotOpen(FULL) from None
    except sa.exc.DBAPIError as fault:
        cause = raw(" ".join(str(fault.orig).split()))
        closed = _("The matches cannot be opened: {cause}.", cause=cause)
        raise CannotOpen(FULL if is_full(fault) else closed) from None
    except OSError as fault:
        if fault.errno in NO_ROOM:
            raise CannotOpen(FULL) from None
        place = f"{fault.filename}: {fault.strerror}" if fault.filename else fault
        raise CannotOpen(
            _(
                "The matches cannot be opened: {cause}. Give yourself the right to write there, or"
                " name another file: --database FILE.",
                cause=raw(place),
            )
        ) from None
