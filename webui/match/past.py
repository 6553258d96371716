"""Past matches: those that fit what a person looks for, and how each of them stands."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta

from scorer import Malformed
from scorer.messages import Message, _, raw
from webui.languages import said
from webui.match import match as matches
from webui.match.match import Match, SeatPoints
from webui.match.player_names import is_unnamed
from webui.match.points import points_after
from webui.store.log import Store
from webui.store.rows import MatchRow, as_stored
from webui.store.tables.search import Opened, Wanted

FIELDS = ("player", "game", "since", "until")
DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
ROWS = 20  # of a page
PLAYERS = 12  # that are offered
SEARCH_LENGTH = 100  # letters: the names of four players


@dataclass(frozen=True, slots=True)
class ListedMatch:
    """A match as lists show it; of one whose rules are not here nobody knows if it is over."""

    id: str
    game: str
    title: Message
    names: tuple[str, ...]
    score: SeatPoints
    earned: SeatPoints
    created_at: str
    over: bool | None
    winners: tuple[int, ...] = ()  # of one that is over; two who are level have not won
    ending: str = ""  # in a few words
    overridden: tuple[str, ...] = ()  # rules against which all played on
    prompt: str = ""

    @property
    def points(self) -> tuple[tuple[str, int], ...]:
        """Return what everybody has earned, by name."""
        return tuple(zip(self.names, self.earned, strict=False))


@dataclass(frozen=True, slots=True)
class Found:
    """A page of the matches that fit."""

    matches: tuple[ListedMatch, ...]
    total: int
    page: int
    pages: int


def wanted(sought: Mapping[str, str], opened: Opened | None = None) -> Wanted:
    """Return what is looked for, by the names of FIELDS; raises NotAMove, Malformed.

    "since" and "until" are the first and the last day, "2026-11-27", where the server stands.
    """
    player, game, since, until = (sought.get(name, "") for name in FIELDS)
    if len(player) > SEARCH_LENGTH:
        raise Malformed(
            _("Search for at most {most} letters of the players' names.", most=SEARCH_LENGTH)
        )
    if game:
        matches.game_called(game)
    return Wanted(player, game, _midnight(since), _midnight(until, days=1), opened)


def _midnight(day: str, days: int = 0) -> str:
    """Return when so many *days* after a *day* begin, as times are stored; "" of none."""
    if not day:
        return ""
    begins = as_date(day)
    try:
        return as_stored((datetime.combine(begins, time()) + timedelta(days)).astimezone(UTC))
    except (OverflowError, ValueError):  # before the first or after the last time that there is
        return as_stored(datetime.min if begins.year == 1 else datetime.max)


def as_date(day: str) -> date:
    """Return a date written as in RFC 3339, 2026-11-27; raises Malformed."""
    try:
        if DATE.fullmatch(day):
            return date.fromisoformat(day)
    except ValueError:  # no such day in that month
        pass
    raise Malformed(_("{day} is no date; write it like 2026-11-27.", day=raw(repr(day[:20]))))


def search(store: Store, what: Wanted, page: int) -> Found:
    """Return a page of the matches that fit, the nearest one that there is."""
    total = store.count(what)
    pages = max(1, -(-total // ROWS))
    page = min(max(page, 1), pages)
    rows = store.newest(ROWS, what, (page - 1) * ROWS)
    return Found(tuple(listed(store, row) for row in rows), total, page, pages)


def listed(store: Store, row: MatchRow) -> ListedMatch:
    """Return a match as it stands."""
    match = matches.load(store, row.id)
    score, earned = points_after(match, match.last)
    none = (0,) * len(match.names)
    stands = match.standing()
    return ListedMatch(
        row.id,
        row.game,
        match.title,
        match.names,
        score or none,
        earned or none,
        row.created_at,
        over=is_over(match),
        winners=stands.won if stands else (),
        ending=said(stands.title or "", match.names) if stands else "",
        overridden=match.overridden,
        prompt=said(stands.prompt, match.names) if stands else "",
    )


def is_over(match: Match) -> bool | None:
    """Return True if a match is over; None where its rules are not here."""
    stands = match.standing()
    return None if stands is None else stands.over


def players(rows: Iterable[MatchRow]) -> list[str]:
    """Return who has played, who played last first; not those who gave no name."""
    names = {name: None for row in rows for name in row.names if not is_unnamed(name)}
    return [*names][:PLAYERS]
