"""Exports of a match: files, a picture of the result, BG Stats."""

import json
import tempfile
from collections.abc import Iterable
from zipfile import ZipFile

from flask import Blueprint, Response, render_template, send_file

from scorer.games import GAMES
from webui.http.qr import svg
from webui.http.roles import least, token
from webui.match import export, labels
from webui.match.summary import clock
from webui.pages.match.match import load, view_of
from webui.services import services
from webui.store.tables.phones import Role

bp = Blueprint("hand_on", __name__)


@bp.get("/m/<match_id>/share")
@least(Role.WATCHER)
def page(match_id: str) -> str:
    """Show the exports of a match."""
    match = load(match_id)
    store = services().store
    play = export.bg_stats(store, match)
    return render_template(
        "share.html",
        view=view_of(match),
        bg_stats=play,
        bg_stats_code=play and svg(play),
        day=clock(match.last.at if match.last else match.row.created_at),
        text="\n".join(export.play_by_play(store, match)),
        readable=match.closed is None and match.row.game in GAMES,
        photographed=store.phones.access(match_id, token()).role is Role.HOST
        and any(step.event.sighting for step in match.steps),
    )


@bp.get("/m/<match_id>/play.txt")
@least(Role.WATCHER)
def text(match_id: str) -> Response:
    """Return the match as a text to read, step by step."""
    lines = export.play_by_play(services().store, load(match_id))
    return _file(lines, "text/plain", "match.txt")


@bp.get("/m/<match_id>/steps.csv")
@least(Role.WATCHER)
def table(match_id: str) -> Response:
    """Return every step as a table."""
    return _file(export.steps_csv(services().store, load(match_id)), "text/csv", "match.csv")


@bp.get("/m/<match_id>/match.json")
@least(Role.WATCHER)
def whole(match_id: str) -> Response:
    """Return all of the match as JSON."""
    made = json.dumps(export.whole(services().store, load(match_id)), ensure_ascii=False)
    return _file([made], "application/json", "match.json")


@bp.get("/m/<match_id>/photos.zip")
@least(Role.HOST)
def photos(match_id: str) -> Response:
    """Return the counted photos, labelled with what was counted."""
    load(match_id)  # raises NotFound, for the address of a screen too
    file = tempfile.TemporaryFile()  # noqa: SIM115  # it is closed once it is sent
    with ZipFile(file, "w") as into:
        labels.export(services().store, [match_id], into.writestr, lambda *_: None)
    file.seek(0)
    return send_file(file, "application/zip", as_attachment=True, download_name="photos.zip")


def _file(lines: Iterable[str], kind: str, name: str) -> Response:
    heads = {"Content-Disposition": f"attachment; filename={name}"}
    return Response("".join(f"{line}\n" for line in lines), mimetype=kind, headers=heads)
