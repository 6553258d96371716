"""The tables of the shared queue, and their migration.

They are procrastinate's and one of ours. Applied migrations are recorded by name, so that a newer
procrastinate brings its own.
"""

import secrets
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import sqlalchemy as sa
from procrastinate.schema import SchemaManager

from scorer.messages import _, raw
from webui.store.database import alone
from webui.store.notices import PROCESS
from webui.store.photos.shelves import Shelf
from webui.store.upgrade import CannotOpen

NEWER = _(
    "The queue of photos in this database was made by a newer version of Pipsight. Install that"
    " version here too."
)

_metadata = sa.MetaData()
STEP = sa.Table("queue_step", _metadata, sa.Column("name", sa.Text, primary_key=True))
_at = sa.DateTime(timezone=True)  # by the clock of the database, which is the same for all
JOB = sa.Table(
    "photo_job",
    _metadata,
    sa.Column("number", sa.BigInteger, sa.Identity(), primary_key=True),  # the order of the queue
    sa.Column("id", sa.Text, nullable=False, unique=True),
    sa.Column("match", sa.Text, nullable=False),
    sa.Column("address", sa.Text, nullable=False),
    sa.Column("size", sa.BigInteger, nullable=False),  # of the photo, which waits in the store
    sa.Column("version", sa.Text, nullable=False),  # of the eyes that may do it
    sa.Column("priority", sa.Integer, nullable=False),  # the highest first
    sa.Column("asked", sa.JSON, nullable=False),  # the order
    sa.Column("made_at", _at, nullable=False, server_default=sa.func.now()),
    sa.Column("begun", sa.Integer, nullable=False, server_default="0"),  # number of attempts
    sa.Column("answer", sa.JSON(none_as_null=True)),
    sa.Column("answered_at", _at, index=True),
)

PLACE = sa.Table("photo_place", _metadata, sa.Column("id", sa.Text, primary_key=True))
MARK = "place-id"  # the file in the photo store that has this id


def prepare(connection: sa.Connection) -> None:
    """Migrate the queue's tables; raises CannotOpen."""
    alone(connection)
    STEP.create(connection, checkfirst=True)
    applied = set(connection.scalars(sa.select(STEP.c.name)))
    steps = dict(_steps(new=not applied))
    if applied - set(steps):
        raise CannotOpen(NEWER)
    for name, apply in steps.items():
        if name not in applied:
            apply(connection)
            connection.execute(STEP.insert().values(name=name))


def _steps(*, new: bool) -> Iterator[tuple[str, Callable[[sa.Connection], None]]]:
    """Yield the migrations; in a *new* database procrastinate's whole schema is one."""
    yield "pipsight 1", _our_tables
    yield "pipsight 2", _nothing  # its table is one of the matches' tables
    migrations = sorted(Path(SchemaManager.get_migrations_path()).glob("*.sql"))
    yield ("procrastinate", lambda connection: _run(connection, SchemaManager.get_schema()))
    for path in migrations:
        yield f"procrastinate {path.stem}", _nothing if new else _file(path)


def _our_tables(connection: sa.Connection) -> None:
    for table in (PROCESS, JOB, PLACE):
        table.create(connection)


def check_place(connection: sa.Connection, shelf: Shelf) -> None:
    """Raise CannotOpen unless all processes here use the same photo store; raises Busy."""
    wanted = connection.scalar(sa.select(PLACE.c.id))
    try:
        found = shelf.read(MARK).decode()
    except FileNotFoundError:
        found = ""
    if wanted is None:
        if not found:
            found = secrets.token_hex(12)
            shelf.write(MARK, found.encode())
        connection.execute(PLACE.insert().values(id=found))
    elif found != wanted:
        raise CannotOpen(
            _(
                "The photos of these matches lie elsewhere than in {place}. Name their place with "
                "--photos or PIPSIGHT_PHOTOS, the same on every machine.",
                place=raw(shelf),
            )
        )


def _file(path: Path) -> Callable[[sa.Connection], None]:
    return lambda connection: _run(connection, path.read_text("utf-8"))


def _nothing(_connection: sa.Connection) -> None:
    """Do nothing: another schema includes it."""


def _run(connection: sa.Connection, script: str) -> None:
    """Run a script of several statements, in which a % is not a placeholder."""
    with closing(connection.connection.cursor()) as cursor:
        cursor.execute(script)
