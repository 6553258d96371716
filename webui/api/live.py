"""Streams: of what happens at a match, and of the numbers of the newest events alone."""

from collections.abc import Callable

from flask import Response, request

from scorer import Malformed
from scorer.messages import _
from webui.api.schema import COUNTED, TEXT, list_of, query, ref, stream
from webui.http.address import address
from webui.http.bodies import number
from webui.http.event_stream import EventStream
from webui.http.guests import guest
from webui.http.live import STREAM, Live, Stream
from webui.services import services
from webui.store.rows import MatchRow
from webui.store.tables.phones import Role

EVENTS = "text/event-stream"
MOST_FOLLOWED = 50  # matches of one stream
NUMBERS = stream(
    "Events `seq`: id and data are the newest event's number. Events"
    " `alive`, every five seconds without news: who hears none has lost the server. Events"
    " `next`: data is the match that the same players went on with. Events `asked`: what is"
    " asked about a watched roll has changed. Events `joined`: a phone has come to the"
    " table; `roles`: the host has changed what phones may do; `gone`: the match was"
    " deleted."
)
NUMBERS_OF_ALL = stream(
    'Events `seq`: data is {"match": id, "seq": its newest event\'s number},'
    ' for each match at first. Events `next`: data is {"match": id, "next": id}; `asked`'
    " likewise, `joined`, `roles` and `gone` too. Events `alive` as in the stream of one"
    " match."
)
STREAM_OF_EVENTS = stream(
    "An event without a name for each event of the log, in order, none"
    " twice: its id is the event's number, its data JSON, a `MatchEvent`. Who comes back"
    " with `Last-Event-ID`, as browsers do by themselves, goes on where it left off."
    " Events `alive` as in the stream of numbers.",
    contentSchema=ref("MatchEvent"),
)
AFTER = query("after", COUNTED, "begin after this event instead; 0: with the first")
FOLLOWED = {**list_of(TEXT), "minItems": 1, "maxItems": MOST_FOLLOWED, "uniqueItems": True}


def _streamed(begin: Callable[[Live], Stream]) -> Response:
    """Answer with a stream; a server that can take connections over serves it from there."""
    headers = {"X-Accel-Buffering": "no"}  # a proxy passes it on as it comes
    if request.method == "HEAD":
        return Response(mimetype=EVENTS, headers=headers)
    stream = begin(services().live)
    if STREAM not in request.environ:
        return Response(stream, mimetype=EVENTS, headers=headers)
    request.environ[STREAM] = stream
    return Response(iter(()), mimetype=EVENTS, headers=headers)


@address("GET", "/api/matches/<match_id>/live", Role.WATCHER, answer=NUMBERS, errors=[503])
def live(match_id: str) -> Response:
    """The newest event's number, whenever it changes."""
    services().store.match(match_id)
    last_seq = _left_off(-1)
    return _streamed(lambda live: live.stream({match_id: (None,)}, last_seq, guest()))


@address(
    "GET",
    "/api/matches/<match_id>/events",
    Role.WATCHER,
    answer=STREAM_OF_EVENTS,
    errors=[400, 503],
    query=[AFTER],
)
def events(match_id: str) -> Response:
    """What happens from now on."""
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


@address(
    "GET",
    "/api/live",
    Role.ANYBODY,
    answer=NUMBERS_OF_ALL,
    errors=[400, 404, 503],
    query=[query("match", FOLLOWED, required=True)],
)
def live_all() -> Response:
    """The newest events' numbers of several matches, in one stream for all pages of a browser.

    A match may be named by its screen instead, whose stream names no id of a match.
    """
    store = services().store
    asked = dict.fromkeys(request.args.getlist("match"))
    if len(asked) > MOST_FOLLOWED:
        raise Malformed(_("One stream follows at most {most} matches.", most=MOST_FOLLOWED))
    if not asked:
        raise Malformed(_("Say which matches to follow: ?match=, for each."))
    follows: dict[str, list[str | None]] = {}
    for name in asked:
        follows.setdefault(store.behind(name), []).append(name)
    return _streamed(lambda live: live.stream(follows, address=guest()))
