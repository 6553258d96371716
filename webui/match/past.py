"""Search of past matches, with the status of each."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from itertools import groupby

from scorer import Malformed
from scorer.games import GAMES
from scorer.messages import Message, _, raw
from webui.languages import said
from webui.match import match as matches
from webui.match.match import Match, SeatPoints
from webui.match.player_names import is_unnamed
from webui.match.points import points_after
from webui.store.log import Store
from webui.store.rows import MatchRow, as_stored
from webui.store.tables.search import Opened, Wanted, values_of

FIELDS = ("player", "game", "since", "until")
DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
ROWS = 20  # of a page
PLAYERS = 12  # that are offered
SEARCH_LENGTH = 100  # letters: the names of four players


@dataclass(frozen=True, slots=True)
class ListedMatch:
    """A match in a list; without its installed rules it is unknown whether it is over."""

    id: str
    game: str
    title: Message
    names: tuple[str, ...]
    score: SeatPoints
    earned: SeatPoints
    created_at: str
    over: bool | None
    winners: tuple[int, ...] = ()  # once it is over; a draw has no winners
    ending: str = ""  # in a few words
    overridden: tuple[str, ...] = ()  # rules that the players overrode
    prompt: str = ""

    @property
    def points(self) -> tuple[tuple[str, int], ...]:
        """Return the points of each player, by name."""
        return tuple(zip(self.names, self.earned, strict=False))


@dataclass(frozen=True, slots=True)
class Found:
    """A page of search results."""

    matches: tuple[ListedMatch, ...]
    total: int
    page: int
    pages: int


def wanted(store: Store, sought: Mapping[str, str], opened: Opened | None = None) -> Wanted:
    """Return the search terms by the names of FIELDS; raises NotAMove, Malformed.

    "game" is the name of a game, or its title: its own, or that which players gave it.

    "since" and "until" are the first and the last day, "2026-11-27", in the server's time zone.
    """
    player, game, since, until = (sought.get(name, "") for name in FIELDS)
    if len(player) > SEARCH_LENGTH:
        raise Malformed(
            _("Search for at most {most} letters of the players' names.", most=SEARCH_LENGTH)
        )
    found = _of_game(store, game, opened) if game else Wanted()
    between = _midnight(since), _midnight(until, days=1)
    return replace(found, player=player, since=between[0], before=between[1], opened=opened)


def _of_game(store: Store, called: str, opened: Opened | None) -> Wanted:
    """Return the search for a game by its name or title; raises NotAMove."""
    title = called.casefold()
    for name, game in GAMES.items():
        if title in (name, game.title.casefold(), said(Message(game.title, {})).casefold()):
            return Wanted(game=name)
    for name, own in named_games(store, opened):
        if title == own[0].casefold():
            return Wanted(game=name, setting=GAMES[name].named_by, values=own)
    matches.game_called(called)
    return Wanted(game=called)


def named_games(store: Store, opened: Opened | None) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield each game with a title that its players gave it, in all its spellings."""
    for name, game in GAMES.items():
        if game.named_by:
            query = values_of(game.named_by, Wanted(game=name, opened=opened))
            with store.database.reading() as connection:
                titles = [str(title) for title in connection.scalars(query) if title]
            for _title, spellings in groupby(sorted(titles, key=str.casefold), str.casefold):
                yield name, (*spellings,)


def _midnight(day: str, days: int = 0) -> str:
    """Return the stored form of midnight *days* after *day*; "" if there is none."""
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
    """Return a page of results, the nearest existing one."""
    total = store.count(what)
    pages = max(1, -(-total // ROWS))
    page = min(max(page, 1), pages)
    rows = store.newest(ROWS, what, (page - 1) * ROWS)
    return Found(tuple(listed(store, row) for row in rows), total, page, pages)


def listed(store: Store, row: MatchRow) -> ListedMatch:
    """Return a match with its status."""
    match = matches.load(store, row.id)
    score, earned = points_after(match, match.last)
    stands = match.standing()
    return ListedMatch(
        row.id,
        row.game,
        match.title,
        match.names,
        score,
        earned,
        row.created_at,
        over=is_over(match),
        winners=stands.won if stands else (),
        ending=said(stands.title or "", match.names) if stands else "",
        overridden=match.overridden,
        prompt=said(stands.prompt, match.names) if stands else "",
    )


def is_over(match: Match) -> bool | None:
    """Return True if a match is over; None if its rules are not installed."""
    stands = match.standing()
    return None if stands is None else stands.over


def players(rows: Iterable[MatchRow]) -> list[str]:
    """Return the players with a name, the most recent first."""
    names = {name: None for row in rows for name in row.names if not is_unnamed(name)}
    return [*names][:PLAYERS]
