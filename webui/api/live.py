"""Streams: of what happens at a match, and of the numbers of the newest events alone."""

from __future__ import annotations

from collections.abc import Callable

from flask import Blueprint, Response, request

from scorer import Malformed
from scorer.messages import _
from webui.api.requests import number
from webui.http.event_stream import EventStream
from webui.http.guests import guest
from webui.http.live import STREAM, Live, Stream
from webui.http.roles import least
from webui.services import services
from webui.store.rows import MatchRow
from webui.store.tables.phones import Role

bp = Blueprint("live_api", __name__)

EVENTS = "text/event-stream"
MOST_FOLLOWED = 50  # matches of one stream


def _streamed(begin: Callable[[Live], Stream]) -> Response:
    """Answer with a stream; the server goes on with it, where it can take connections over."""
    headers = {"X-Accel-Buffering": "no"}  # a proxy passes it on as it comes
    if request.method == "HEAD":
        return Response(mimetype=EVENTS, headers=headers)
    stream = begin(services().live)
    if STREAM not in request.environ:
        return Response(stream, mimetype=EVENTS, headers=headers)
    request.environ[STREAM] = stream
    return Response(iter(()), mimetype=EVENTS, headers=headers)


@bp.get("/api/matches/<match_id>/live")
@least(Role.WATCHER)
def live(match_id: str) -> Response:
    """Stream the number of the newest event, now and whenever it changes."""
    services().store.match(match_id)
    last_seq = _left_off(-1)
    return _streamed(lambda live: live.stream({match_id: (None,)}, last_seq, guest()))


@bp.get("/api/matches/<match_id>/events")
@least(Role.WATCHER)
def events(match_id: str) -> Response:
    """Stream what happens from now on, or what happened after an event too."""
    return stream_of(services().store.match(match_id))


def stream_of(row: MatchRow) -> Response:
    """Stream what happens at a match, from where the request says that it left off."""
    newest = services().store.seq(row.id)
    after = min(_left_off(number("after", newest)), newest)
    written = services().events
    return _streamed(lambda live: live.begin(EventStream(live, written, row.id, after, guest())))


def _left_off(default: int) -> int:
    """Return the last event that a browser had which comes back, *default* where it had none."""
    last = request.headers.get("Last-Event-ID", "")
    return int(last) if last.isascii() and last.isdigit() and len(last) < 10 else default


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
    return _streamed(lambda live: live.stream(follows, address=guest()))
