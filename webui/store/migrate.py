"""Migrations by Alembic, imported only if one is due: that takes longer than opening a match."""

import logging
from datetime import datetime
from functools import cache
from pathlib import Path

import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory

from webui.store.copies import copy_database, opened_to_read
from webui.store.durable_files import part_beside, put_in_place
from webui.store.schema import FIRST_TABLES, revision_of

log = logging.getLogger(__name__)

MIGRATIONS = Path(__file__).parent / "migrations"
# For databases older than the migrations: the tables that each of the first ones created.
UNMARKED = {"r0002": {"pieces", "pieces_choice"}, "r0001": FIRST_TABLES}


def is_known(revision: str) -> bool:
    """Return True if this version of Pipsight can migrate from *revision*."""
    return any(one.revision == revision for one in _scripts().walk_revisions())


def bring_up(connection: sa.Connection, path: Path | None) -> None:
    """Run the missing migrations, after a copy of the file beside it."""
    there = revision_of(connection)
    tables = set(sa.inspect(connection).get_table_names())
    if there is None and tables & FIRST_TABLES:
        there = next(one for one, made in UNMARKED.items() if made <= tables)
        command.stamp(_config(connection), there)
    if there != _scripts().get_current_head():
        if path is not None and there is not None:
            _back_up(path, there)
        _run_migrations(connection)


def _back_up(path: Path, revision: str) -> None:
    copy = path.with_name(f"{path.name}.{revision}-{datetime.now():%Y%m%d-%H%M%S}.backup")
    with part_beside(copy) as part, opened_to_read(path) as source:
        copy_database(source, part)
        put_in_place(part, copy)
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
