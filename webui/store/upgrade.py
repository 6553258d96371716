"""Prepare the database: create it, recognise it as ours, and migrate it.

A file is ours if it has our `application_id`. Older files are recognised by the tables of the first
migrations, and marked then. Any other file, even an empty one, is refused unchanged.
"""

import sqlite3
from contextlib import suppress
from pathlib import Path

import sqlalchemy as sa

from scorer.messages import Message, _, raw
from webui.errors import Refusal
from webui.store.copies import fault_in, log_of, opened_to_read, to_read
from webui.store.database import LOCKED_CODES, PATIENCE, alone, connect, sqlite_file
from webui.store.durable_files import part_beside, put_in_place
from webui.store.notices import older_server
from webui.store.own_log import CommitCounter, belongs
from webui.store.private_files import make_private, sweep
from webui.store.refusals import unwritable
from webui.store.schema import FIRST_TABLES, REVISION, metadata, revision_of, stamp

APPLICATION_ID = 0x50697073  # "Pips"


class CannotOpen(Refusal):
    """The matches cannot be opened."""


def prepare(url: str) -> None:
    """Create or migrate the database at *url*; raises CannotOpen."""
    path = sqlite_file(url)
    if path is not None:
        if sentence := unwritable(path):
            raise CannotOpen(sentence)
        sweep(path.parent, f".{path.name}.*.part")
        if not path.exists():
            _make(path)
        check_ours(path)
        _check_pages(path)
        make_private(path)
    reader = connect(url, PATIENCE, poolclass=sa.NullPool)
    with reader.begin() as connection:
        there = revision_of(connection)
    if there != REVISION:
        writer = connect(url, PATIENCE, CommitCounter(), poolclass=sa.NullPool)
        _upgrade(writer, path)
    with reader.begin() as connection:
        _check_columns(connection, path)


def check_there(url: str) -> None:
    """Raise CannotOpen if the database does not exist, for a command that creates none."""
    path = sqlite_file(url)
    if path is not None and not path.exists():
        raise CannotOpen(
            _(
                "There are no matches at {path}. Start one: pipsight serve, or pipsight play GAME",
                path=raw(path),
            )
        )


def as_it_is(url: str) -> str:
    """Return the read-only URL of a database of ours and this version; raises CannotOpen."""
    check_there(url)
    path = sqlite_file(url)
    if path is not None:
        check_ours(path)
        query = {**to_read(path), "uri": "true"}
        read_only = sa.URL.create("sqlite", database=path.absolute().as_uri(), query=query)
        url = read_only.render_as_string()
    with connect(url, PATIENCE, poolclass=sa.NullPool).begin() as connection:
        there = revision_of(connection)
        if there != REVISION:
            check_known(there, path)
            raise CannotOpen(
                _(
                    "{database} was written by an older version of Pipsight. Start pipsight "
                    "serve with it once, which brings it up to date.",
                    database=raw(path or "The database"),
                )
            )
        _check_columns(connection, path)
    return url


def check_answers(url: str) -> None:
    """Raise the error that prevents reading a database."""
    with connect(url, PATIENCE, poolclass=sa.NullPool).begin() as connection:
        revision_of(connection)


def _make(path: Path) -> None:
    _check_log(path)
    with part_beside(path) as part:
        _fill(part)
        put_in_place(part, path, replace=False)


def _fill(part: Path) -> None:
    url = sa.URL.create("sqlite", database=str(part))
    with sa.create_engine(url, poolclass=sa.NullPool).begin() as connection:
        connection.exec_driver_sql(f"PRAGMA application_id={APPLICATION_ID}")
        metadata.create_all(connection)
        stamp(connection)


def _check_log(path: Path) -> None:
    """Raise CannotOpen if the -wal beside *path* does not match; reads only."""
    log = log_of(path)
    if not log.exists() or not log.stat().st_size:
        return
    with suppress(sqlite3.DatabaseError):  # not a database: reported by a later check
        if path.exists() and belongs(path):
            return
        raise CannotOpen(
            _(
                "{log} holds changes of another state of the matches than {path}, so both together "
                "would mix them up. If you have put a copy in place, move {log} to another "
                "folder and start again; if not, put back the file that was there.",
                log=raw(log),
                path=raw(path),
            )
        )


def check_ours(path: Path) -> None:
    """Raise CannotOpen unless *path* is a database of ours; reads only."""
    _check_log(path)
    another = _("Name another file, or none to use your own.")
    if not path.is_file():
        raise CannotOpen(_("{path} is no file. {another}", path=raw(path), another=another))
    if not path.stat().st_size:
        raise CannotOpen(
            _(
                "{path} is empty, so it holds no matches. Delete it, or name another.",
                path=raw(path),
            )
        )
    try:
        with opened_to_read(path) as found:
            mark = found.execute("PRAGMA application_id").fetchone()[0]
            query = "SELECT name FROM sqlite_master WHERE type = 'table'"
            tables = {name for (name,) in found.execute(query)}
    except sqlite3.DatabaseError as fault:
        if getattr(fault, "sqlite_errorcode", 0) & 0xFF in LOCKED_CODES:
            raise CannotOpen(
                _(
                    "Another program has {path} to itself. Close that, and try again.",
                    path=raw(path),
                )
            ) from None
        raise CannotOpen(
            _(
                "{path} cannot be read as a database: {fault}. If it holds your matches, save what "
                "can be read: pipsight rescue FILE. {another}",
                path=raw(path),
                fault=raw(fault),
                another=another,
            )
        ) from None
    if mark != APPLICATION_ID and (mark or not tables >= FIRST_TABLES):
        raise CannotOpen(
            _(
                "{path} belongs to another program: it holds no matches. {another}",
                path=raw(path),
                another=another,
            )
        )


def _check_pages(path: Path) -> None:
    """Raise CannotOpen if a page is damaged. It takes 0.25 s for 190 MB."""
    with opened_to_read(path) as database:
        fault = fault_in(database)
    if fault:
        raise _damaged(path, raw(fault))


def _damaged(path: Path | None, fault: Message) -> CannotOpen:
    return CannotOpen(
        _(
            "{database} is damaged: {fault}. Put a backup copy in its place, or save what can be "
            "read: pipsight rescue FILE.",
            database=raw(path or "The database"),
            fault=fault,
        )
    )


def _upgrade(engine: sa.Engine, path: Path | None) -> None:
    """Run the missing migrations in one transaction; other servers wait."""
    from webui.store import migrate  # noqa: PLC0415

    with engine.begin() as connection:  # takes the write lock
        alone(connection)
        check_known(revision_of(connection), path)
        if path is None and (sentence := older_server(connection)):
            raise CannotOpen(sentence)
        migrate.bring_up(connection, path)
        _check_columns(connection, path)
        if path is not None:
            connection.exec_driver_sql(f"PRAGMA application_id={APPLICATION_ID}")


def check_known(revision: str | None, path: Path | None) -> None:
    """Raise CannotOpen if *revision* is of a newer version."""
    from webui.store import migrate  # noqa: PLC0415

    if revision is not None and not migrate.is_known(revision):
        raise CannotOpen(
            _(
                "{database} was written by a newer version of Pipsight. Install that version, "
                "or name another file.",
                database=raw(path or "The database"),
            )
        )


def _check_columns(connection: sa.Connection, path: Path | None) -> None:
    """Raise CannotOpen if a column is missing: the file was edited or is incomplete."""
    there = sa.inspect(connection)
    tables = set(there.get_table_names())
    for name, table in metadata.tables.items():
        found = {column["name"] for column in there.get_columns(name)} if name in tables else set()
        if lost := [column.name for column in table.columns if column.name not in found]:
            fields = raw(", ".join(lost))
            raise _damaged(
                path, _("its table {name} lacks {fields}", name=raw(name), fields=fields)
            )
