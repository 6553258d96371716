"""The numbers of the newest events as streams, of one match or of several."""

from __future__ import annotations

from functools import partial

from flask import Blueprint, Response, request

from scorer import Malformed
from scorer.messages import _
from webui.http.guests import guest
from webui.http.live import ReadLog
from webui.services import services

bp = Blueprint("live_api", __name__)

MOST_FOLLOWED = 50  # matches of one stream


def _log(match_id: str) -> ReadLog:
    store = services().store
    return partial(store.news, match_id)


@bp.get("/api/matches/<match_id>/live")
def live(match_id: str) -> Response:
    """Stream the number of the newest event, now and whenever it changes."""
    store = services().store
    store.match(match_id)
    last = request.headers.get("Last-Event-ID", "")
    last_seq = int(last) if last.isascii() and last.isdigit() and len(last) < 10 else -1
    stream = services().live.stream(match_id, _log(match_id), last_seq, guest())
    return Response(stream, mimetype="text/event-stream")


@bp.get("/api/live")
def live_all() -> Response:
    """Stream the numbers of the newest events of several matches: one stream for a browser.

    A browser opens six connections to a server, so that its pages share one stream. Instead of a
    match its screen may be followed, which is not told the ids of matches.
    """
    store = services().store
    asked = dict.fromkeys(request.args.getlist("match"))
    if len(asked) > MOST_FOLLOWED:
        raise Malformed(_("One stream follows at most {most} matches.", most=MOST_FOLLOWED))
    if not asked:
        raise Malformed(_("Say which matches to follow: ?match=, for each."))
    addresses: dict[str, list[str]] = {}
    for address in asked:
        addresses.setdefault(store.behind(address), []).append(address)
    followed = {match_id: _log(match_id) for match_id in addresses}
    stream = services().live.stream_all(followed, addresses, guest())
    return Response(stream, mimetype="text/event-stream")
