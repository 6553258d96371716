"""The matches that a phone has opened, kept by it as a cookie of their ids: the newest first.

The address of a match is the key to it, so nobody learns from this what they could not open before.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from flask import request
from werkzeug.wrappers import Response

from webui.languages import said
from webui.match import match as matches
from webui.match.match import points_after
from webui.match.player_names import is_unnamed
from webui.store.log import Store
from webui.store.rows import MatchRow

COOKIE = "matches"
MOST = 24  # matches: a cookie has four thousand bytes
LISTED = 6
PLAYERS = 12  # that are offered
YEAR = 365 * 24 * 3600  # seconds
ID = re.compile(r"[\w-]{1,64}", re.ASCII)


@dataclass(frozen=True, slots=True)
class ListedMatch:
    """A match as the start page lists it; of one whose rules are not here there is no prompt."""

    id: str
    game: str
    title: str
    scores: tuple[tuple[str, int], ...]  # by name
    over: bool
    prompt: str = ""


def ids() -> list[str]:
    """Return the ids that the phone of this request has kept."""
    kept = request.cookies.get(COOKIE, "").split(".")
    return [match_id for match_id in kept if ID.fullmatch(match_id)][:MOST]


def remember(answer: Response, match_id: str) -> Response:
    """Return *answer*, which has the phone keep a match as the newest one."""
    return _keep(answer, [match_id, *_without(match_id)][:MOST])


def forget(answer: Response, match_id: str) -> Response:
    """Return *answer*, which has the phone keep a match no more."""
    return _keep(answer, _without(match_id))


def _without(match_id: str) -> list[str]:
    return [kept for kept in ids() if kept != match_id]


def _keep(answer: Response, kept: Sequence[str]) -> Response:
    if kept != ids():
        whole = ".".join(kept)
        answer.set_cookie(COOKIE, whole, max_age=YEAR, httponly=True, samesite="Lax")
    return answer


def players(rows: Iterable[MatchRow]) -> list[str]:
    """Return who has played, who played last first; not those who gave no name."""
    names = {name: None for row in rows for name in row.names if not is_unnamed(name)}
    return [*names][:PLAYERS]


def listed(store: Store, rows: Sequence[MatchRow]) -> list[ListedMatch]:
    """Return the newest of *rows* with their points."""
    return [_listed(store, row) for row in rows[:LISTED]]


def _listed(store: Store, row: MatchRow) -> ListedMatch:
    match = matches.load(store, row.id)
    game = None if match.closed else match.game
    _, points = points_after(match, match.last)
    return ListedMatch(
        row.id,
        row.game,
        game.title if game else row.game,
        tuple(zip(row.names, points or [0] * len(row.names), strict=True)),
        over=game is not None and game.is_over(match.state),
        prompt=said(game.prompt(match.state), row.names) if game else "",
    )
