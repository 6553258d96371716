"""Watching a table in the JSON interface: frames come in, what is waited for goes back."""

from __future__ import annotations

import math

from flask import Blueprint, Response, jsonify, request

from scorer import Malformed
from webui.api.answers import plain
from webui.api.answers.watching import OutlineView, WatchView
from webui.api.requests import Drop, StartWatch, body, take
from webui.camera.cameras import ENDED, MatchCamera
from webui.camera.server_camera import NONE_HERE, run_camera
from webui.errors import NotRead, Unknown, WrongType
from webui.http.jobs import Body
from webui.match import match as matches
from webui.match.match import Match
from webui.services import parts

FRAME_BYTES = 4_000_000  # of a frame; one of 1280 px has some 200 kB
NO_TIME = "Say when the frame was taken: ?time= in seconds, by a clock that does not go back."
NO_FRAME = "Send the frame itself: a JPEG picture."

bp = Blueprint("watch_api", __name__)


def watch_view(
    match: str, watch: MatchCamera | None, next_s: float = 0.0, now: Match | None = None
) -> Body:
    """Return how a camera watches a match; *next_s*: in how many seconds a frame is wanted.

    *now* is the match where it was loaded just before.
    """
    here = parts()
    now = now or matches.load(here.store, match)
    shown = watch.shown if watch else None
    told: Body = plain(
        WatchView(
            watch=watch.id if watch else None,
            camera=watch.source if watch else None,
            says=(watch.fault or watch.says) if watch else ENDED,
            waiting=shown.waiting if shown else "moving",
            width=shown.width if shown else 0,
            height=shown.height if shown else 0,
            pieces=[OutlineView(one.quad, one.state) for one in (shown.outlines if shown else ())],
            next_ms=round(1000 * next_s),
            seq=now.seq,
            asked=here.live.asked(match),
            over=now.game is not None and now.game.is_over(now.state),
        )
    )
    return told


@bp.get("/api/matches/<match>/watch")
def show(match: str) -> Response:
    """Return how a match is watched, by whatever camera."""
    return jsonify(watch_view(match, parts().watches.of(match)))


@bp.post("/api/matches/<match>/watch")
def start(match: str) -> tuple[Response, int]:
    """Let a camera watch a match."""
    sent, here = body(StartWatch), parts()
    if sent.camera == "server" and here.camera is None:
        raise Unknown(NONE_HERE)
    watch = here.watches.start(match, sent.camera, take=sent.take)
    if sent.camera == "server" and here.camera is not None:
        run_camera(here.watches, watch, here.camera)
    return jsonify(watch_view(match, watch)), 201


@bp.post("/api/matches/<match>/watch/<watch>/frames")
def frame(match: str, watch: str) -> Response:
    """Take a frame of a page's camera."""
    there = parts().watches.find(match, watch)
    time_s = _time()
    if request.mimetype not in ("image/jpeg", "application/octet-stream"):
        raise WrongType(NO_FRAME)
    take(FRAME_BYTES)
    content = request.get_data()
    if not content:
        raise NotRead("The frame is empty. Is the camera on?")
    next_s = parts().watches.take(there, content, time_s)
    return jsonify(watch_view(match, there, next_s, there.now))


@bp.post("/api/matches/<match>/watch/<watch>/end")
def end(match: str, watch: str) -> Response:
    """Stop a camera; one that was stopped is no error."""
    there = parts().watches.of(match)
    if there is not None and there.id == watch:
        parts().watches.end(there)
    return jsonify(watch_view(match, None))


@bp.get("/api/matches/<match>/watch/<watch>/picture.jpg")
def picture(match: str, watch: str) -> Response:
    """Return the last frame of the server's camera."""
    there = parts().watches.find(match, watch)
    if not there.picture:
        raise Unknown("The camera has sent no picture yet. Wait a moment.")
    return Response(there.picture, mimetype="image/jpeg")


@bp.post("/api/matches/<match>/watch/drop")
def drop(match: str) -> Response:
    """Forget a roll that is asked about: it was none."""
    parts().watches.rolls.drop(match, body(Drop).sighting)
    return jsonify(watch_view(match, parts().watches.of(match)))


def _time() -> float:
    try:
        time_s = float(request.args.get("time", ""))
    except ValueError:
        raise Malformed(NO_TIME) from None
    if not math.isfinite(time_s) or time_s < 0:
        raise Malformed(NO_TIME)
    return time_s
