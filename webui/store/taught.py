"""Taught dice and boards, for the matches that choose them; no log needs them for its tally."""

import logging
import secrets
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Literal

import sqlalchemy as sa
from sqlalchemy.engine import RowMapping

from scorer.messages import _
from webui.errors import NotFound, NotYours
from webui.store.log import Store, now
from webui.store.schema import BOARD, BOARD_CHOICE, CHOICE, PIECES

log = logging.getLogger(__name__)

TaughtKind = Literal["dice", "board"]

MOST_LESSONS = 2  # newest photos from which a set of dice is learned
ROWS = {"dice": PIECES, "board": BOARD}
CHOICES = {"dice": CHOICE, "board": BOARD_CHOICE}
CHOSEN = {"dice": "pieces", "board": "board"}  # columns of CHOICES that name a row of ROWS
FORGOTTEN = {
    "dice": _("These pieces were forgotten. Choose others, or none."),
    "board": _("This board was forgotten. Choose another one, or none."),
}
OTHERS = {
    "dice": _(
        "Only the match that taught these dice can forget them. To read photos without them"
        " here, choose no taught dice."
    ),
    "board": _(
        "Only the match that taught this board can forget it. To read photos without it"
        " here, choose no taught board."
    ),
}


@dataclass(frozen=True, slots=True)
class Taught:
    """Taught dice, or a taught board."""

    kind: TaughtKind
    id: str
    at: str
    learned: Mapping[str, Any]
    match_id: str | None  # of the match that taught them; None if unknown
    lessons: Sequence[Mapping[str, Any]] = ()  # of dice
    name: str = ""  # of the game's board: "grid:3x3"

    @property
    def faces(self) -> int:
        """Return the number of taught faces."""
        return int(self.learned["faces"])


class TaughtTable:
    """All taught items of one *kind* in a database."""

    def __init__(self, store: Store, kind: TaughtKind) -> None:
        self._database, self._asked = store.database, store.asked
        self._kind: TaughtKind = kind
        self._rows, self._choices = ROWS[kind], CHOICES[kind]

    def keep(
        self, match_id: str, learned: Mapping[str, Any], taught_id: str | None = None, **more: Any
    ) -> Taught:
        """Store what was *learned*, and use it in the match; the id is an idempotency key."""
        named = taught_id or secrets.token_hex(12)
        taught = Taught(self._kind, named, now(), learned, match_id, **more)
        row = {"id": taught.id, "at": taught.at, "learned": learned, "match": match_id, **more}
        with suppress(sa.exc.IntegrityError), self._database.writing() as connection:
            connection.execute(self._rows.insert().values(row))
            connection.execute(self._choice(match_id, taught.id))
        self._asked.touch(match_id)
        return taught

    def all(self, name: str | None = None) -> list[Taught]:
        """Return all, or all for the game's board *name*, the newest first."""
        query = sa.select(self._rows).order_by(self._rows.c.at.desc(), self._rows.c.id)
        if name is not None:
            query = query.where(self._rows.c.name == name)
        with self._database.reading() as connection:
            rows = connection.execute(query).mappings().all()
        return [self._taught(row) for row in rows if self._is_whole(row)]

    def used(self, match_id: str) -> Taught | None:
        """Return the item that the match uses; None if there is none, or it was deleted."""
        choices = self._choices.c
        newest = sa.select(sa.func.max(choices.number)).where(choices.match == match_id)
        chosen = sa.select(choices[CHOSEN[self._kind]]).where(
            choices.number == newest.scalar_subquery()
        )
        query = sa.select(self._rows).where(self._rows.c.id == chosen.scalar_subquery())
        with self._database.reading() as connection:
            row = connection.execute(query).mappings().first()
        return self._taught(row) if row is not None and self._is_whole(row) else None

    def use(self, match_id: str, chosen: str | None) -> None:
        """Use the item with the id *chosen*, or none; raises NotFound."""
        found = sa.select(self._rows.c.id).where(self._rows.c.id == chosen)
        with self._database.writing() as connection:
            if chosen is not None and connection.execute(found).first() is None:
                raise NotFound(FORGOTTEN[self._kind])
            connection.execute(self._choice(match_id, chosen))
        self._asked.touch(match_id)

    def forget(self, match_id: str, taught_id: str) -> None:
        """Delete an item that the match taught, if it exists; raises NotYours."""
        choices = self._choices.c
        newest = sa.select(sa.func.max(choices.number)).group_by(choices.match)
        users = sa.select(choices.match).where(
            choices.number.in_(newest), choices[CHOSEN[self._kind]] == taught_id
        )
        teacher = sa.select(self._rows.c.match).where(self._rows.c.id == taught_id)
        with self._database.writing() as connection:
            found = connection.execute(teacher).first()
            if found is not None and found.match != match_id:
                raise NotYours(OTHERS[self._kind])
            using = connection.execute(users).scalars().all()
            connection.execute(self._rows.delete().where(self._rows.c.id == taught_id))
        for user in using:
            self._asked.touch(user)

    def _choice(self, match_id: str, chosen: str | None) -> sa.Insert:
        row = {"match": match_id, "at": now(), CHOSEN[self._kind]: chosen}
        return self._choices.insert().values(row)

    def _is_whole(self, row: RowMapping) -> bool:
        learned, lessons = row["learned"], row.get("lessons", [])
        whole = isinstance(learned, dict) and isinstance(lessons, list)
        whole = whole and (self._kind == "board" or "faces" in learned)
        if not whole:
            log.error("a taught %s of %s cannot be read: it is damaged", self._kind, row["at"])
        return whole

    def _taught(self, row: RowMapping) -> Taught:
        return Taught(
            self._kind,
            *(row["id"], row["at"], row["learned"], row["match"]),
            lessons=row.get("lessons", ()),
            name=row.get("name", ""),
        )
