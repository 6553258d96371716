"""Cameras in the JSON interface: frames come in, and what the camera is waiting for goes back."""

from __future__ import annotations

import math

from flask import Blueprint, Response, jsonify, request

from scorer import Malformed
from webui.api.answers import plain
from webui.api.answers.watching import OutlineView, WatchView
from webui.api.requests import Drop, StartWatch, body, take
from webui.camera.cameras import ENDED, MatchCamera
from webui.camera.server_camera import NONE_HERE, run_camera
from webui.errors import NotFound, NotRead, WrongType
from webui.http.roles import access, least
from webui.jobs.order import Body
from webui.languages import said
from webui.match import match as matches
from webui.match.match import Match
from webui.match.seats import check_every_seat
from webui.match.summary import sentence
from webui.services import services
from webui.store.tables.phones import Role

FRAME_BYTES = 4_000_000  # of a frame; one of 1280 px has some 200 kB
NO_TIME = "Say when the frame was taken: ?time= in seconds, by a clock that does not go back."
NO_FRAME = "Send the frame itself: a JPEG picture."

bp = Blueprint("watch_api", __name__)


def watch_view(
    match_id: str, camera: MatchCamera | None, next_s: float = 0.0, match: Match | None = None
) -> Body:
    """Return how a camera watches a match; *next_s*: in how many seconds a frame is wanted.

    *match* is given where it was loaded just before.
    """
    asked = camera.asked if camera and match else services().store.asked.of(match_id)
    match = match or matches.load(services().store, match_id)
    shown = camera.shown if camera else None
    return plain(
        WatchView(
            watch=camera.id if camera else None,
            camera=camera.source if camera else None,
            says=sentence(said((camera.fault or camera.says) if camera else ENDED), "."),
            waiting=shown.waiting if shown else "moving",
            width=shown.width if shown else 0,
            height=shown.height if shown else 0,
            pieces=[OutlineView(one.quad, one.state) for one in (shown.outlines if shown else ())],
            next_ms=round(1000 * next_s),
            rate=round(shown.rate, 1) if shown else 0.0,
            leave_s=shown.leave_s if shown else 0,
            seq=match.seq,
            asked=asked.changes,
            over=not match.closed and match.game is not None and match.game.is_over(match.state),
        )
    )


@bp.get("/api/matches/<match_id>/watch")
@least(Role.WATCHER)
def show(match_id: str) -> Response:
    """Return how a match is watched, by whatever camera."""
    return jsonify(watch_view(match_id, services().cameras.of(match_id)))


@bp.post("/api/matches/<match_id>/watch")
@least(Role.PLAYER)
def start(match_id: str) -> tuple[Response, int]:
    """Let a camera watch a match."""
    sent, source = body(StartWatch), services().camera
    check_every_seat(access())
    if sent.camera == "server" and source is None:
        raise NotFound(NONE_HERE)
    camera = services().cameras.start(match_id, sent.camera, take=sent.take)
    if sent.camera == "server" and source is not None:
        run_camera(services().cameras, camera, source)
    return jsonify(watch_view(match_id, camera)), 201


@bp.post("/api/matches/<match_id>/watch/<watch_id>/frames")
@least(Role.PLAYER, spends="frames")
def frame(match_id: str, watch_id: str) -> Response:
    """Take a frame of a page's camera, or that it would show what the last one showed."""
    check_every_seat(access())
    camera = services().cameras.find(match_id, watch_id)
    time_s = _seconds("time")
    if request.args.get("unchanged") == "1":
        next_s = services().cameras.rest(camera, time_s)
        return jsonify(watch_view(match_id, camera, next_s, camera.match))
    if request.mimetype not in ("image/jpeg", "application/octet-stream"):
        raise WrongType(NO_FRAME)
    take(FRAME_BYTES)
    content = request.get_data()
    if not content:
        raise NotRead("The frame is empty. Is the camera on?")
    since_s = _seconds("since") if "since" in request.args else 0.0
    next_s = services().cameras.take(camera, content, time_s, since_s)
    return jsonify(watch_view(match_id, camera, next_s, camera.match))


@bp.post("/api/matches/<match_id>/watch/<watch_id>/end")
@least(Role.PLAYER)
def end(match_id: str, watch_id: str) -> Response:
    """Stop a camera; it is no error if it has stopped already."""
    camera = services().cameras.of(match_id)
    if camera is not None and camera.id == watch_id:
        services().cameras.end(camera)
    return jsonify(watch_view(match_id, None))


@bp.get("/api/matches/<match_id>/watch/<watch_id>/picture.jpg")
@least(Role.WATCHER)
def picture(match_id: str, watch_id: str) -> Response:
    """Return the last frame of the server's camera."""
    camera = services().cameras.find(match_id, watch_id)
    if not camera.picture:
        raise NotFound("The camera has sent no picture yet. Wait a moment.")
    return Response(camera.picture, mimetype="image/jpeg")


@bp.post("/api/matches/<match_id>/watch/drop")
@least(Role.PLAYER)
def drop(match_id: str) -> Response:
    """Forget a roll that is asked about: it was none."""
    services().cameras.rolls.drop(match_id, body(Drop).sighting)
    return jsonify(watch_view(match_id, services().cameras.of(match_id)))


def _seconds(name: str) -> float:
    try:
        time_s = float(request.args.get(name, ""))
    except ValueError:
        raise Malformed(NO_TIME) from None
    if not math.isfinite(time_s) or time_s < 0:
        raise Malformed(NO_TIME)
    return time_s
