"""Taught boards on the server: learned from a photo of one empty, used by matches that choose it.

As with taught pieces (`webui.store.taught`) they are no part of any match's log.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from webui.errors import NotFound, NotYours
from webui.store.log import Store, now
from webui.store.schema import BOARD, BOARD_CHOICE

OTHERS = (
    "Only the match that taught this board can forget it. To read photos without it here,"
    " choose no taught board."
)


@dataclass(frozen=True, slots=True)
class StoredBoard:
    """A board that was taught."""

    id: str
    at: str
    name: str  # of the game's board: "grid:3x3"
    learned: Mapping[str, Any]
    match: str | None = None  # that taught it


class BoardStore:
    """The taught boards in the database of a store."""

    def __init__(self, store: Store) -> None:
        self._database = store.database

    def keep(self, match_id: str, name: str, learned: Mapping[str, Any]) -> StoredBoard:
        """Store a new board and let the match use it from now on."""
        made = StoredBoard(secrets.token_hex(12), now(), name, learned, match_id)
        row = {field: getattr(made, field) for field in StoredBoard.__slots__}
        with self._database.writing() as connection:
            connection.execute(BOARD.insert().values(row))
            connection.execute(_choice(match_id, made.id))
        return made

    def all(self, name: str) -> list[StoredBoard]:
        """Return all boards taught for a game's board of this *name*, the newest first."""
        query = sa.select(BOARD).where(BOARD.c.name == name).order_by(BOARD.c.at.desc(), BOARD.c.id)
        with self._database.reading() as connection:
            return [StoredBoard(**row) for row in connection.execute(query).mappings()]

    def used(self, match_id: str) -> StoredBoard | None:
        """Return the board that the match uses; None if none, or if it was forgotten."""
        newest = sa.select(sa.func.max(BOARD_CHOICE.c.number)).where(
            BOARD_CHOICE.c.match == match_id
        )
        chosen = sa.select(BOARD_CHOICE.c.board).where(
            BOARD_CHOICE.c.number == newest.scalar_subquery()
        )
        query = sa.select(BOARD).where(BOARD.c.id == chosen.scalar_subquery())
        with self._database.reading() as connection:
            row = connection.execute(query).mappings().first()
        return None if row is None else StoredBoard(**row)

    def use(self, match_id: str, board: str | None) -> None:
        """Let the match use this board, or none; raises NotFound."""
        there = sa.select(BOARD.c.id).where(BOARD.c.id == board)
        with self._database.writing() as connection:
            if board is not None and connection.execute(there).first() is None:
                raise NotFound("This board was forgotten. Choose another one, or none.")
            connection.execute(_choice(match_id, board))

    def forget(self, match_id: str, board: str) -> None:
        """Delete a board that the match taught, if it is still there; raises NotYours."""
        mine = sa.select(BOARD.c.match).where(BOARD.c.id == board)
        with self._database.writing() as connection:
            found = connection.execute(mine).first()
            if found is not None and found.match != match_id:
                raise NotYours(OTHERS)
            connection.execute(BOARD.delete().where(BOARD.c.id == board))


def _choice(match_id: str, board: str | None) -> sa.Insert:
    return BOARD_CHOICE.insert().values(match=match_id, at=now(), board=board)
