"""Deletion of a match: the page that asks, and its button."""

from flask import Blueprint, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from webui.http.roles import forget, least
from webui.pages.match.match import load
from webui.services import services
from webui.store.tables.phones import Role

bp = Blueprint("deleting", __name__)


@bp.get("/m/<match_id>/delete")
@least(Role.HOST)
def page(match_id: str) -> str:
    """Ask for confirmation, and list what is deleted with the match."""
    match, store = load(match_id), services().store
    return render_template(
        "delete.html",
        id=match_id,
        title=match.title,
        names=match.names,
        steps=match.seq,
        photos=store.count_photos(match_id),
    )


@bp.post("/m/<match_id>/delete")
@least(Role.HOST)
def delete(match_id: str) -> Response:
    """Delete the match, and remove it from this phone's list."""
    services().delete(match_id)
    listed = request.args.get("back") == "past"
    home = url_for("past.page") if listed else url_for("start.start", _anchor="mine")
    return forget(redirect(home, 303), match_id)
