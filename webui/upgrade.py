"""The database before it is used: made, recognised as ours, and brought up to date.

A file is ours where SQLite's `application_id` says so. Files that were made before it was set have
the tables of the first migrations, and are marked once these are found whole. Anything else that
somebody names, an empty file too, is refused as it is: no byte of it is changed.
"""

from __future__ import annotations

import logging
import os
import sqlite3
from contextlib import closing
from datetime import datetime
from functools import cache
from pathlib import Path
from secrets import token_hex

import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory

from webui.database import PATIENCE, connect
from webui.files import make_private, put_in_place, sweep
from webui.schema import metadata

log = logging.getLogger(__name__)

APPLICATION_ID = 0x50697073  # "Pips"
MIGRATIONS = Path(__file__).parent / "migrations"
# Databases made before there were migrations: the tables that each of the first ones made.
UNMARKED = {"r0002": {"pieces", "pieces_choice"}, "r0001": {"match", "sighting", "event"}}


class CannotOpen(Exception):
    """The matches cannot be opened; `str()` is a sentence that says what to do."""


def prepare(url: str) -> None:
    """Make the database at *url*, or bring it up to date; raises CannotOpen."""
    path = sqlite_file(url)
    if path is not None:
        sweep(path.parent, f".{path.name}.*.part")
        if not path.exists():
            _make(path)
        _check_ours(path)
        make_private(path)
    reader = connect(url, PATIENCE, poolclass=sa.NullPool)
    with reader.begin() as connection:
        there = MigrationContext.configure(connection).get_current_revision()
    if there != _head():
        writer = connect(url, PATIENCE, write=True, poolclass=sa.NullPool)
        _upgrade(writer, path)
    with reader.begin() as connection:
        _check_columns(connection, path)


def as_it_is(url: str) -> str:
    """Return the URL through which a database is read and never written; raises CannotOpen.

    It must be there, ours and of this version.
    """
    path = sqlite_file(url)
    if path is not None:
        if not path.exists():
            raise CannotOpen(
                f"There are no matches at {path}. pipsight serve or pipsight play makes it."
            )
        _check_ours(path)
        query = {"mode": "ro", "uri": "true"}
        read_only = sa.URL.create("sqlite", database=path.absolute().as_uri(), query=query)
        url = read_only.render_as_string()
    with connect(url, PATIENCE, poolclass=sa.NullPool).begin() as connection:
        there = MigrationContext.configure(connection).get_current_revision()
        _check_known(there, path)
        if there != _head():
            raise CannotOpen(
                f"{path or 'The database'} was written by an older version of Pipsight. Start"
                " pipsight serve with it once, which brings it up to date."
            )
        _check_columns(connection, path)
    return url


def sqlite_file(url: str) -> Path | None:
    """Return the file of an SQLite database, None of another one."""
    parsed = sa.make_url(url)
    return Path(parsed.database or "") if parsed.get_backend_name() == "sqlite" else None


# ---------------------------------------------------------------- whose it is


def _make(path: Path) -> None:
    """Make a new database elsewhere and put it in its place whole: a half-made one is never met."""
    part = path.with_name(f".{path.name}.{token_hex(4)}.part")
    os.close(os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    try:
        with closing(sqlite3.connect(part)) as connection:
            connection.execute(f"PRAGMA application_id={APPLICATION_ID}")
        url = sa.URL.create("sqlite", database=str(part))
        with sa.create_engine(url, poolclass=sa.NullPool).begin() as connection:
            metadata.create_all(connection)
            MigrationContext.configure(connection).stamp(_scripts(), "head")
        put_in_place(part, path, replace=False)
    finally:
        part.unlink(missing_ok=True)


def _check_ours(path: Path) -> None:
    """Raise CannotOpen unless *path* is a database of ours; reads only."""
    another = "Name another file, or none to use your own."
    if not path.is_file():
        raise CannotOpen(f"{path} is no file. {another}")
    if not path.stat().st_size:
        raise CannotOpen(f"{path} is empty, so it holds no matches. Delete it, or name another.")
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as found:
            mark = found.execute("PRAGMA application_id").fetchone()[0]
            query = "SELECT name FROM sqlite_master WHERE type = 'table'"
            tables = {name for (name,) in found.execute(query)}
    except sqlite3.DatabaseError as fault:
        raise CannotOpen(f"{path} cannot be read as a database: {fault}. {another}") from None
    if mark != APPLICATION_ID and (mark or not tables >= UNMARKED["r0001"]):
        raise CannotOpen(f"{path} belongs to another program: it holds no matches. {another}")


# ---------------------------------------------------------------- bringing it up to date


def _upgrade(engine: sa.Engine, path: Path | None) -> None:
    """Run what is missing of the migrations, all or none; other servers wait meanwhile."""
    with engine.begin() as connection:  # writes are locked from here on
        there = MigrationContext.configure(connection).get_current_revision()
        _check_known(there, path)
        tables = set(sa.inspect(connection).get_table_names())
        if there is None and tables & UNMARKED["r0001"]:
            there = next(one for one, made in UNMARKED.items() if made <= tables)
            command.stamp(_config(connection), there)
        if there != _head():
            if path is not None and there is not None:
                _back_up(path, there)
            _run_migrations(connection)
        _check_columns(connection, path)
        if path is not None:
            connection.exec_driver_sql(f"PRAGMA application_id={APPLICATION_ID}")


def _check_known(revision: str | None, path: Path | None) -> None:
    known = {one.revision for one in _scripts().walk_revisions()}
    if revision is not None and revision not in known:
        raise CannotOpen(
            f"{path or 'The database'} was written by a newer version of Pipsight. Install that"
            " version, or name another file."
        )


def _back_up(path: Path, revision: str) -> None:
    """Copy the database as it is beside it, before anything of it is changed."""
    copy = path.with_name(f"{path.name}.{revision}-{datetime.now():%Y%m%d-%H%M%S}.backup")
    part = copy.with_name(f".{path.name}.{token_hex(4)}.part")
    os.close(os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    try:
        with (
            closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as source,
            closing(sqlite3.connect(part)) as target,
        ):
            source.backup(target)
        put_in_place(part, copy)
    finally:
        part.unlink(missing_ok=True)
    log.warning("The matches are brought up to date; a copy of them as they were is %s", copy)


def _run_migrations(connection: sa.Connection) -> None:
    command.upgrade(_config(connection), "head")


def _config(connection: sa.Connection) -> Config:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection
    return config


@cache
def _scripts() -> ScriptDirectory:
    return ScriptDirectory(str(MIGRATIONS))


def _head() -> str | None:
    head: str | None = _scripts().get_current_head()
    return head


def _check_columns(connection: sa.Connection, path: Path | None) -> None:
    """Raise CannotOpen if a column is missing: somebody changed the file by hand, or lost some."""
    there = sa.inspect(connection)
    tables = set(there.get_table_names())
    for name, table in metadata.tables.items():
        found = {column["name"] for column in there.get_columns(name)} if name in tables else set()
        if lost := [column.name for column in table.columns if column.name not in found]:
            raise CannotOpen(
                f"{path or 'The database'} is damaged: its table {name} lacks {', '.join(lost)}."
                " Put a backup copy in its place, or name another file."
            )
