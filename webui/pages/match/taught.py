"""The page to choose or delete taught dice and boards."""

from typing import Any

from flask import Blueprint, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from webui.http.roles import access, least
from webui.match import match as matches
from webui.match.seats import check_every_seat
from webui.match.taught import dice_say, named
from webui.pages.match.match import kept_from
from webui.services import services
from webui.store.tables.phones import Role
from webui.store.taught import TaughtKind, TaughtTable

bp = Blueprint("taught", __name__)

# In the address, and in the form.
KINDS: dict[str, TaughtKind] = {"pieces": "dice", "board": "board"}


def _table(what: str) -> TaughtTable:
    return TaughtTable(services().store, KINDS[what])


@bp.get("/m/<match_id>/pieces")
@least(Role.WATCHER)
def pieces_page(match_id: str) -> str:
    """Show taught dice and boards, and those that this match uses."""
    match = matches.load(services().store, match_id)
    dice, boards = _table("pieces"), _table("board")
    name = matches.equipment(match).board
    used = dice.used(match_id)
    chosen = {
        what: request.args.get(what, taught.id if taught else "")
        for what, taught in (("pieces", used), ("board", boards.used(match_id)))
    }
    return render_template(
        "pieces.html",
        match_id=match_id,
        kept_from=kept_from(match_id, check_every_seat),
        says=dice_say(used),
        chosen=chosen,
        all=dice.all(),
        boards=[] if name is None else boards.all(name),
        named=named,
    )


@bp.post("/m/<match_id>/pieces")
@least(Role.PLAYER)
def choose(match_id: str) -> Response:
    """Use the chosen dice and board, or none."""
    check_every_seat(access())
    row = services().store.match(match_id)
    for what in KINDS.keys() & request.form.keys():
        _table(what).use(row.id, request.form[what] or None)
    return redirect(url_for(".pieces_page", match_id=row.id), 303)


@bp.post("/m/<match_id>/pieces/forget", defaults={"what": "pieces"})
@bp.post("/m/<match_id>/board/forget", defaults={"what": "board"})
@least(Role.PLAYER)
def forget(match_id: str, what: str) -> Response:
    """Delete what this match taught, for all matches of the server; raises NotYours."""
    check_every_seat(access())
    row = services().store.match(match_id)
    forgotten = request.form.get("forget", "")
    _table(what).forget(row.id, forgotten)
    chosen: dict[str, Any] = {
        name: request.form[name]
        for name in KINDS.keys() & request.form.keys()
        if request.form[name] != forgotten
    }
    return redirect(url_for(".pieces_page", match_id=row.id, **chosen), 303)
