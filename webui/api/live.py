"""The numbers of the newest events as streams, of one match or of several."""

from __future__ import annotations

from flask import Blueprint, Response, request

from scorer import Malformed
from scorer.messages import _
from webui.http.guests import guest
from webui.http.live import STREAM, Follows
from webui.http.roles import least
from webui.services import services
from webui.store.phones import Role

bp = Blueprint("live_api", __name__)

EVENTS = "text/event-stream"
MOST_FOLLOWED = 50  # matches of one stream


def _streamed(follows: Follows, last_seq: int = -1) -> Response:
    """Answer with a stream; the server goes on with it, where it can take connections over."""
    headers = {"X-Accel-Buffering": "no"}  # a proxy passes it on as it comes
    if request.method == "HEAD":
        return Response(mimetype=EVENTS, headers=headers)
    stream = services().live.stream(follows, last_seq, guest())
    if STREAM not in request.environ:
        return Response(stream, mimetype=EVENTS, headers=headers)
    request.environ[STREAM] = stream
    return Response(iter(()), mimetype=EVENTS, headers=headers)


@bp.get("/api/matches/<match_id>/live")
@least(Role.WATCHER)
def live(match_id: str) -> Response:
    """Stream the number of the newest event, now and whenever it changes."""
    store = services().store
    store.match(match_id)
    last = request.headers.get("Last-Event-ID", "")
    last_seq = int(last) if last.isascii() and last.isdigit() and len(last) < 10 else -1
    return _streamed({match_id: (None,)}, last_seq)


@bp.get("/api/live")
@least(Role.ANYBODY)
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
    follows: dict[str, list[str | None]] = {}
    for address in asked:
        follows.setdefault(store.behind(address), []).append(address)
    return _streamed(follows)
