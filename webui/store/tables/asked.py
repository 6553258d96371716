"""Open questions of a watching camera, shared by all servers, with notifications.

One row a match. A change names the removed and the new rolls, so that concurrent changes of two
servers do not undo each other. A roll is JSON of `webui.camera.kept_rolls`.
"""

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
    """The open questions of a match."""

    changes: int = 0  # number of changes of `rolls`, and of taught dice and boards
    rolls: Sequence[StoredJson] = ()  # pending rolls, the oldest first
    answered: StoredJson | None = None  # answered doubts of the last counted roll
    camera: str | None = None  # the camera that started last, on any server


class AskedTable:
    """The open questions of all matches."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def of(self, match_id: str) -> AskedRow:
        """Return the open questions of a match."""
        with self._database.reading() as connection:
            return _row(connection, match_id) or AskedRow()

    def change(self, match_id: str, gone: Collection[str], new: Sequence[StoredJson]) -> int:
        """Remove rolls by sightings, add new ones, notify; return the number of changes."""
        self._make(match_id)
        with self._database.writing() as connection:
            before = _row(connection, match_id, lock=True) or AskedRow()
            rolls = [*(one for one in before.rolls if one.get("sighting") not in gone), *new]
            if rolls == [*before.rolls]:
                return before.changes
            _set(connection, match_id, rolls=rolls, changes=before.changes + 1)
            notify(connection, match_id, "asked", before.changes + 1)
        return before.changes + 1

    def touch(self, match_id: str) -> None:
        """Count and notify a change of what else is read: the dice or the board that are taught."""
        self._make(match_id)
        with self._database.writing() as connection:
            changes = (_row(connection, match_id, lock=True) or AskedRow()).changes + 1
            _set(connection, match_id, changes=changes)
            notify(connection, match_id, "asked", changes)

    def remember(self, match_id: str, answered: StoredJson | None) -> None:
        """Store the answered doubts of the last counted roll."""
        self._store(match_id, answered=answered)

    def watch(self, match_id: str, camera: str) -> None:
        """Record a new camera: the previous one, perhaps on another server, stops."""
        self._store(match_id, camera=camera)

    def _store(self, match_id: str, **values: Any) -> None:
        self._make(match_id)
        with self._database.writing() as connection:
            _set(connection, match_id, **values)

    def _make(self, match_id: str) -> None:
        with self._database.reading() as connection:
            if _row(connection, match_id) is not None:
                return
        row = {"match": match_id, "changes": 0, "rolls": []}
        with suppress(sa.exc.IntegrityError), self._database.writing() as connection:
            connection.execute(ASKED.insert().values(row))  # unless another server just did


def _row(connection: sa.Connection, match_id: str, *, lock: bool = False) -> AskedRow | None:
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
