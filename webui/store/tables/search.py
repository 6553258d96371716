"""Search of matches by player, game and date, in pages, the newest first."""

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from webui.store.schema import MATCH, PLAYER
from webui.store.tables.phones import opened_with

UNHEARD = {"Mn", "Cc", "Cf", "Cs"}  # Unicode's categories: accents, and invisible characters


@dataclass(frozen=True, slots=True)
class Opened:
    """The matches that one phone has opened: stored under its *token*, or sent by it as *ids*."""

    token: str
    ids: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Wanted:
    """Search terms, all of which must match. Times are in their stored form."""

    player: str = ""  # words, each in the name of a player
    game: str = ""
    setting: str = ""  # has one of `values`
    values: Sequence[str] = ()
    since: str = ""
    before: str = ""
    opened: Opened | None = None  # None: any match of the database

    def conditions(self) -> Iterator[sa.ColumnElement[bool]]:
        """Yield the conditions of the search."""
        for word in folded(self.player).split():
            plays = (PLAYER.c.match == MATCH.c.id) & PLAYER.c.folded.contains(word, autoescape=True)
            yield sa.exists().where(plays)
        if self.game:
            yield MATCH.c.game == self.game
        if self.setting:
            yield MATCH.c.settings[self.setting].as_string().in_(self.values)
        if self.since:
            yield MATCH.c.created_at >= self.since
        if self.before:
            yield MATCH.c.created_at < self.before
        if self.opened is not None:
            noted = MATCH.c.id.in_(opened_with(self.opened.token))
            yield noted | MATCH.c.id.in_(self.opened.ids)


ALL = Wanted()


def made_last(wanted: Wanted, most: int, skip: int = 0) -> sa.Select[Any]:
    """Return the query for a page of results after the first *skip*."""
    query = sa.select(MATCH).where(*wanted.conditions()).limit(most).offset(skip)
    return query.order_by(MATCH.c.created_at.desc(), MATCH.c.id)


def counted(wanted: Wanted) -> sa.Select[Any]:
    """Return the query for the number of results."""
    return sa.select(sa.func.count()).select_from(MATCH).where(*wanted.conditions())


def values_of(setting: str, wanted: Wanted) -> sa.Select[tuple[str]]:
    """Return the query for the values of a setting, each once."""
    value = MATCH.c.settings[setting].as_string()
    return sa.select(value).where(value.is_not(None), *wanted.conditions()).distinct()


def player_rows(match_id: str, names: Sequence[str]) -> list[dict[str, Any]]:
    """Return the search rows of a match's players."""
    return [
        {"match": match_id, "seat": seat, "folded": folded(name)} for seat, name in enumerate(names)
    ]


def add_names(connection: sa.Connection, match_id: str, names: Sequence[str]) -> None:
    """Index the players' new names for search."""
    mine = PLAYER.c.match == match_id
    kept = dict(connection.execute(sa.select(PLAYER.c.seat, PLAYER.c.folded).where(mine)).all())
    for row in player_rows(match_id, names):
        before = kept.get(row["seat"])
        if before is None:
            connection.execute(PLAYER.insert().values(row))
        elif row["folded"] not in before:
            every = f"{before} {row['folded']}"
            same = mine & (PLAYER.c.seat == row["seat"])
            connection.execute(PLAYER.update().where(same).values(folded=every))


def folded(text: str) -> str:
    """Return the searchable form of a text: without accents, in lower case.

    >>> folded("Jürgen"), folded("STRASSE") == folded("Straße")
    ('jurgen', True)
    """
    apart = unicodedata.normalize("NFKD", " ".join(text.casefold().split()))
    return "".join(letter for letter in apart if unicodedata.category(letter) not in UNHEARD)
