"""Taught pieces on the server: learned from confirmed photos, used by the matches that choose them.

They are no part of any match's log: a person may forget them, and no tally changes by that.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from webui.bridge import Lesson
from webui.refusal import Unknown
from webui.store import MATCH, NULL_JSON, Store, metadata, now

MOST_LESSONS = 2  # photos that one set of pieces is learned from, the newest

PIECES = sa.Table(
    "pieces",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("at", sa.Text, nullable=False),
    sa.Column("lessons", NULL_JSON, nullable=False),  # a photo's SHA-256 and what lies on it, each
    sa.Column("learned", NULL_JSON, nullable=False),  # as `pipsight teach` writes it
)
CHOICE = sa.Table(  # the newest row of a match counts
    "pieces_choice",
    metadata,
    sa.Column("number", sa.Integer, primary_key=True),
    sa.Column("match", sa.ForeignKey(MATCH.c.id), nullable=False, index=True),
    sa.Column("at", sa.Text, nullable=False),
    sa.Column("pieces", sa.Text),  # NULL: none. May name pieces that were forgotten since
)


@dataclass(frozen=True, slots=True)
class Taught:
    """Pieces that were taught."""

    id: str
    at: str
    lessons: Sequence[Lesson]
    learned: Mapping[str, Any]

    @property
    def faces(self) -> int:
        """Return how many faces were taught."""
        return int(self.learned["faces"])


class Shelf:
    """The taught pieces in the database of a store."""

    def __init__(self, store: Store) -> None:
        self._engine = store.engine

    def keep(self, match: str, lessons: Sequence[Lesson], learned: Mapping[str, Any]) -> Taught:
        """Store new pieces and let *match* use them from now on."""
        made = Taught(secrets.token_hex(12), now(), lessons, learned)
        row = {name: getattr(made, name) for name in Taught.__slots__} | {"lessons": list(lessons)}
        with self._engine.begin() as connection:
            connection.execute(PIECES.insert().values(row))
            connection.execute(_choice(match, made.id))
        return made

    def all(self) -> list[Taught]:
        """Return all pieces, the newest first."""
        query = sa.select(PIECES).order_by(PIECES.c.at.desc(), PIECES.c.id)
        with self._engine.connect() as connection:
            return [Taught(**row) for row in connection.execute(query).mappings()]

    def used(self, match: str) -> Taught | None:
        """Return the pieces that *match* uses; None if none, or if they were forgotten."""
        newest = sa.select(sa.func.max(CHOICE.c.number)).where(CHOICE.c.match == match)
        chosen = sa.select(CHOICE.c.pieces).where(CHOICE.c.number == newest.scalar_subquery())
        query = sa.select(PIECES).where(PIECES.c.id == chosen.scalar_subquery())
        with self._engine.connect() as connection:
            row = connection.execute(query).mappings().first()
        return None if row is None else Taught(**row)

    def use(self, match: str, pieces: str | None) -> None:
        """Let *match* use these pieces, or none; raises Unknown."""
        if pieces is not None and pieces not in (one.id for one in self.all()):
            raise Unknown("These pieces were forgotten. Choose others, or none.")
        with self._engine.begin() as connection:
            connection.execute(_choice(match, pieces))

    def forget(self, pieces: str) -> None:
        """Delete pieces, if they are still there."""
        with self._engine.begin() as connection:
            connection.execute(PIECES.delete().where(PIECES.c.id == pieces))


def _choice(match: str, pieces: str | None) -> sa.Insert:
    return CHOICE.insert().values(match=match, at=now(), pieces=pieces)
