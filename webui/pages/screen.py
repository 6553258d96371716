"""The big screen: a match for a television, a tablet or a stream, without controls.

It has an address of its own: no answer reveals the match, where a person could play, unless the
address has the match's code, `?join=CODE`. `?plain` is a strip on a transparent page, as an overlay
for a stream.
"""

import math
from dataclasses import replace
from pathlib import PurePosixPath
from typing import Any

from flask import Blueprint, Response, redirect, render_template, request, url_for
from markupsafe import Markup
from werkzeug.wrappers import Response as Answer

from webui.api.photos import screen_sized
from webui.errors import NotFound
from webui.http.qr import svg
from webui.http.roles import least
from webui.languages import language
from webui.match import match as matches
from webui.match.match import Match
from webui.pages.match import context
from webui.services import services
from webui.store.rows import MatchRow
from webui.store.tables.phones import Role

bp = Blueprint("screen", __name__)

TRACK = 560  # SVG units; the peg track on a screen is four times as wide as on a phone
MOST_LANES = 3  # of a peg track; with more players there is only the chart
MOST_RANKS = 12  # standings readable from a distance


@bp.get("/m/<screen>/board")
@least(Role.WATCHER)
def board(screen: str) -> str | Answer:
    """Show the big screen; the match's own address redirects to it."""
    store = services().store
    try:
        own = store.match(screen)
    except NotFound:
        row = store.shown_at(screen)
        return render_template("board.html", **shown(row, _invites(row)))
    return redirect(_address(own, invites=True))


@bp.get("/m/<screen>/board/tally")
@least(Role.WATCHER)
def tally(screen: str) -> str:
    """Return the fragment that a step changes."""
    row = services().store.shown_at(screen)
    invites = _invites(row)  # always: the cached page would reveal which code is right

    def make() -> str:
        return render_template("_board.html", **shown(row, invites))

    seq, rematch, _asked = services().store.news(row.id)
    key = (*services().places, row.screen, invites, _plain(), language(), rematch)
    return services().latest.get(key, seq, make)


@bp.get("/m/<screen>/board/<photo>.jpg")
@least(Role.WATCHER)
def photo(screen: str, photo: str) -> Response:
    """Return a photo of the match in screen size."""
    return screen_sized(services().store.shown_at(screen).id, photo)


def _plain() -> bool:
    return "plain" in request.args


def shown(row: MatchRow, invites: bool) -> dict[str, Any]:
    """Return the context of a big screen."""
    match = matches.load(services().store, row.id)
    drawn = context.tally(services(), match, TRACK)
    tables = _tables(drawn["view"])
    return drawn | {
        "plain": _plain(),
        "screen": row.screen,
        "pegs": drawn["pegs"] if len(match.names) <= MOST_LANES else None,
        "photo": drawn["photo"] and replace(drawn["photo"], src=_photo_path(row, drawn["photo"])),
        "across": across(len(match.names)),
        "tables": tables,
        "columns": next(most for most in (1, 2, 3, 4) if len(tables) <= 5 * most or most == 4),
        "ranks": MOST_RANKS,
        "tally_path": _address(row, invites, "screen.tally"),
        "before": _before(match, invites),
        "next": _next(match, invites) if match.row.screen == row.screen else None,
        "join": _join(row) if invites else None,
    }


def across(number: int) -> int:
    """Return the number of columns for *number* items, so that each is as large as possible."""
    return {3: 3}.get(number, math.ceil(math.sqrt(number)))


def _tables(view: dict[str, Any]) -> list[dict[str, Any]]:
    """Return what is played at each table of a tournament, not what is played again there."""
    current = view["tournament"] or {"meetings": [], "round": 0}
    meetings = [meeting for meeting in current["meetings"] if meeting["round"] == current["round"]]
    return meetings[-len({frozenset(meeting["seats"]) for meeting in meetings}) :]


def _photo_path(row: MatchRow, shown: Any) -> str:
    name = PurePosixPath(shown.src).parent.name
    return url_for("screen.photo", screen=row.screen, photo=name)


def _join(row: MatchRow) -> dict[str, str]:
    root, code = services().root, row.whole_code
    drawn = Markup(svg(f"{root}j/{code}"))  # noqa: S704  # our own drawing
    return {"code": code, "host": root.partition("://")[2].rstrip("/"), "qr": drawn}


def _invites(row: MatchRow) -> bool:
    """Whether the address requests the invitation with the right code; raises RateLimited."""
    code = request.args.get("join")
    if code is None or _plain():
        return False
    try:
        return services().join(code) == row.id
    except NotFound:
        return False


def _next(match: Match, invites: bool) -> str | None:
    store, newest = services().store, match.row.id
    if not (match.game and match.closed is None and match.game.is_over(match.state)):
        return None
    while (rematch := store.rematch(newest)) is not None:
        newest = rematch
    return None if newest == match.row.id else _address(store.match(newest), invites)


def _before(match: Match, invites: bool) -> dict[str, str] | None:
    """Return the screen of the match before one without a step: its end may be taken back."""
    store = services().store
    if match.seq or (before := store.rematch_of(match.row.id)) is None:
        return None
    row = store.match(before)
    tally_path = _address(row, invites, "screen.tally")
    return {"screen": row.screen, "tally": tally_path, "board": _address(row, invites)}


def _address(row: MatchRow, invites: bool, endpoint: str = "screen.board") -> str:
    invited = {"join": row.whole_code} if invites else {}
    asked: dict[str, Any] = {"plain": ""} if _plain() else invited
    return url_for(endpoint, screen=row.screen, **asked)
