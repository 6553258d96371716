"""What a watching camera asks about a match: kept where every server sees it, and told to all.

One row a match. Who changes it names the rolls that are gone and those that are new, so that two
servers which do so at once undo nothing of each other. A roll is JSON of `webui.camera.kept_rolls`.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from webui.store.database import Database
from webui.store.notices import notify
from webui.store.schema import ASKED

StoredJson = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class AskedRow:
    """What is asked about a match."""

    changes: int = 0  # how often `rolls` has changed
    rolls: Sequence[StoredJson] = ()  # that wait for an answer, the oldest first
    answered: StoredJson | None = None  # what was asked about the last roll that counts
    camera: str | None = None  # the one that began to watch last, at whichever server


class AskedTable:
    """What is asked about every match of a database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def of(self, match_id: str) -> AskedRow:
        """Return what is asked about a match."""
        with self._database.reading() as connection:
            return _row(connection, match_id) or AskedRow()

    def change(self, match_id: str, gone: Collection[str], new: Sequence[StoredJson]) -> int:
        """Store which rolls wait no more, by their sightings, and which do now, and tell it.

        Return how often that has changed.
        """
        self._make(match_id)
        with self._database.writing() as connection:
            before = _row(connection, match_id, lock=True) or AskedRow()
            rolls = [*(one for one in before.rolls if one.get("sighting") not in gone), *new]
            if rolls == [*before.rolls]:
                return before.changes
            _set(connection, match_id, rolls=rolls, changes=before.changes + 1)
            notify(connection, match_id, "asked", before.changes + 1)
        return before.changes + 1

    def remember(self, match_id: str, answered: StoredJson | None) -> None:
        """Store what was asked about the last roll that counts."""
        self._store(match_id, answered=answered)

    def watch(self, match_id: str, camera: str) -> None:
        """Store that a camera begins to watch: one before it, perhaps at another server, ends."""
        self._store(match_id, camera=camera)

    def _store(self, match_id: str, **values: Any) -> None:
        self._make(match_id)
        with self._database.writing() as connection:
            _set(connection, match_id, **values)

    def _make(self, match_id: str) -> None:
        """See that a match has a row."""
        with self._database.reading() as connection:
            if _row(connection, match_id) is not None:
                return
        row = {"match": match_id, "changes": 0, "rolls": []}
        with suppress(sa.exc.IntegrityError), self._database.writing() as connection:
            connection.execute(ASKED.insert().values(row))  # unless another server just did


def _row(connection: sa.Connection, match_id: str, *, lock: bool = False) -> AskedRow | None:
    """Return the row of a match; with *lock* nobody else changes it until the transaction ends."""
    query = sa.select(ASKED).where(ASKED.c.match == match_id)
    found = connection.execute(query.with_for_update() if lock else query).first()
    if found is None:
        return None
    rolls = found.rolls if isinstance(found.rolls, list) else []
    answered = found.answered if isinstance(found.answered, dict) else None
    rolls = [one for one in rolls if isinstance(one, dict)]
    return AskedRow(found.changes, rolls, answered, found.camera)


def _set(connection: sa.Connection, match_id: str, **values: Any) -> None:
    connection.execute(ASKED.update().where(ASKED.c.match == match_id).values(values))
