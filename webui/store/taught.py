"""Taught pieces on the server: learned from confirmed photos, used by the matches that choose them.

They are no part of any match's log: a person may forget them, and no tally changes by that.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from webui.errors import NotFound, NotYours
from webui.store.log import Store, now
from webui.store.schema import CHOICE, PIECES

MOST_LESSONS = 2  # photos that one set of pieces is learned from, the newest
OTHERS = (
    "Only the match that taught these dice can forget them. To read photos without them here,"
    " choose no taught dice."
)


@dataclass(frozen=True, slots=True)
class StoredAdapter:
    """Pieces that were taught."""

    id: str
    at: str
    lessons: Sequence[Mapping[str, Any]]
    learned: Mapping[str, Any]
    match: str | None = None  # that taught them; None: it is not known any more

    @property
    def faces(self) -> int:
        """Return how many faces were taught."""
        return int(self.learned["faces"])


class AdapterStore:
    """The taught pieces in the database of a store."""

    def __init__(self, store: Store) -> None:
        self._database = store.database

    def keep(
        self, match_id: str, lessons: Sequence[Mapping[str, Any]], learned: Mapping[str, Any]
    ) -> StoredAdapter:
        """Store new pieces and let the match use them from now on."""
        made = StoredAdapter(secrets.token_hex(12), now(), lessons, learned, match_id)
        row = {name: getattr(made, name) for name in StoredAdapter.__slots__} | {
            "lessons": list(lessons)
        }
        with self._database.writing() as connection:
            connection.execute(PIECES.insert().values(row))
            connection.execute(_choice(match_id, made.id))
        return made

    def all(self) -> list[StoredAdapter]:
        """Return all pieces, the newest first."""
        query = sa.select(PIECES).order_by(PIECES.c.at.desc(), PIECES.c.id)
        with self._database.reading() as connection:
            return [StoredAdapter(**row) for row in connection.execute(query).mappings()]

    def used(self, match_id: str) -> StoredAdapter | None:
        """Return the pieces that the match uses; None if none, or if they were forgotten."""
        newest = sa.select(sa.func.max(CHOICE.c.number)).where(CHOICE.c.match == match_id)
        chosen = sa.select(CHOICE.c.pieces).where(CHOICE.c.number == newest.scalar_subquery())
        query = sa.select(PIECES).where(PIECES.c.id == chosen.scalar_subquery())
        with self._database.reading() as connection:
            row = connection.execute(query).mappings().first()
        return None if row is None else StoredAdapter(**row)

    def use(self, match_id: str, pieces: str | None) -> None:
        """Let the match use these pieces, or none; raises NotFound."""
        if pieces is not None and pieces not in (one.id for one in self.all()):
            raise NotFound("These pieces were forgotten. Choose others, or none.")
        with self._database.writing() as connection:
            connection.execute(_choice(match_id, pieces))

    def forget(self, match_id: str, pieces: str) -> None:
        """Delete pieces that the match taught, if they are still there; raises NotYours."""
        mine = sa.select(PIECES.c.match).where(PIECES.c.id == pieces)
        with self._database.writing() as connection:
            found = connection.execute(mine).first()
            if found is not None and found.match != match_id:
                raise NotYours(OTHERS)
            connection.execute(PIECES.delete().where(PIECES.c.id == pieces))


def _choice(match_id: str, pieces: str | None) -> sa.Insert:
    return CHOICE.insert().values(match=match_id, at=now(), pieces=pieces)
