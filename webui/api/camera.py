"""Cameras in the JSON interface: frames come in, and what the camera is waiting for goes back."""

from __future__ import annotations

import math
from typing import Annotated, TypedDict

from flask import Response, request

from scorer import Malformed
from scorer.messages import _
from webui.api.answers import PointView
from webui.api.schema import NUMBER, binary, query
from webui.api.sent import Drop, StartWatch
from webui.camera.cameras import ENDED, MatchCamera
from webui.camera.server_camera import NONE_HERE, run_camera
from webui.errors import NotFound, NotRead, WrongType
from webui.http.address import address
from webui.http.bodies import take
from webui.http.roles import access
from webui.languages import said
from webui.match import match as matches
from webui.match.match import Match
from webui.match.seats import check_every_seat
from webui.match.summary import sentence
from webui.services import services
from webui.store.tables.phones import Role

FRAME_BYTES = 4_000_000  # of a frame; one of 1280 px has some 200 kB
NO_TIME = _("Say when the frame was taken: ?time= in seconds, by a clock that does not go back.")
NO_FRAME = _("Send the frame itself: a JPEG picture.")

FRAME_TIMES = (
    query(
        "time",
        {**NUMBER, "minimum": 0},
        "when it was taken: seconds by a clock that does not go back",
        required=True,
    ),
    query(
        "unchanged",
        {"type": "string", "enum": ["1"]},
        "1, and no picture, where it would show what the last did",
    ),
    query("since", {**NUMBER, "minimum": 0}, "until when the page saw no change"),
)


class OutlineView(TypedDict):
    """A piece as the last frame shows it."""

    quad: list[PointView]
    state: Annotated[str, "still, moving, hand (one is over it), doubt or leaning"]


class WatchView(TypedDict):
    """How a camera watches a match."""

    watch: Annotated[str | None, "the camera's id; null: none watches"]
    camera: Annotated[str | None, "page or server"]
    says: Annotated[str, "what is waited for, or what is due, in a sentence"]
    waiting: Annotated[str, "empty once all lies still, else moving, hand, doubt or leaning"]
    width: Annotated[int, "px of the frame"]
    height: int
    pieces: list[OutlineView]
    next_ms: Annotated[int, "after which the next frame is wanted"]
    rate: Annotated[float, "frames per second while something moves; 0: enough for any roll"]
    leave_s: Annotated[int, "seconds for which dice must rest to be found; 0: the usual time"]
    seq: int
    asked: Annotated[int, "changes whenever what is asked about a roll does"]
    over: bool


def watch_view(
    match_id: str, camera: MatchCamera | None, next_s: float = 0.0, match: Match | None = None
) -> WatchView:
    """Return how a camera watches a match; *next_s*: in how many seconds a frame is wanted.

    *match* is given where it was loaded just before.
    """
    asked = camera.asked if camera and match else services().store.asked.of(match_id)
    match = match or matches.load(services().store, match_id)
    shown = camera.shown if camera else None
    return WatchView(
        watch=camera.id if camera else None,
        camera=camera.source if camera else None,
        says=sentence(said((camera.fault or camera.says) if camera else ENDED), "."),
        waiting=shown.waiting if shown else "moving",
        width=shown.width if shown else 0,
        height=shown.height if shown else 0,
        pieces=[
            OutlineView(quad=one.quad, state=one.state) for one in (shown.outlines if shown else ())
        ],
        next_ms=round(1000 * next_s),
        rate=round(shown.rate, 1) if shown else 0.0,
        leave_s=shown.leave_s if shown else 0,
        seq=match.seq,
        asked=asked.changes,
        over=not match.closed and match.game is not None and match.game.is_over(match.state),
    )


@address("GET", "/api/matches/<match_id>/watch", Role.WATCHER)
def show(match_id: str) -> WatchView:
    """How a camera watches the match."""
    return watch_view(match_id, services().cameras.of(match_id))


@address("POST", "/api/matches/<match_id>/watch", Role.PLAYER, status=201, errors=[422, 503])
def start(match_id: str, sent: StartWatch) -> WatchView:
    """Let a camera watch the match: what it sees thrown is counted, where nothing is doubtful."""
    source = services().settings.camera
    check_every_seat(access())
    if sent.camera == "server" and source is None:
        raise NotFound(NONE_HERE)
    camera = services().cameras.start(match_id, sent.camera, take=sent.take)
    if sent.camera == "server" and source is not None:
        run_camera(services().cameras, camera, source)
    return watch_view(match_id, camera)


@address(
    "POST",
    "/api/matches/<match_id>/watch/<watch_id>/frames",
    Role.PLAYER,
    spends="frames",
    body=binary("image/jpeg", "application/octet-stream"),
    errors=[422, 503, 507],
    query=FRAME_TIMES,
)
def frame(match_id: str, watch_id: str) -> WatchView:
    """Take the next frame of the page's camera, and count the roll that it settles.

    One that was taken before the last is left out.
    """
    check_every_seat(access())
    camera = services().cameras.find(match_id, watch_id)
    time_s = _seconds("time")
    if request.args.get("unchanged") == "1":
        next_s = services().cameras.rest(camera, time_s)
        return watch_view(match_id, camera, next_s, camera.match)
    if request.mimetype not in ("image/jpeg", "application/octet-stream"):
        raise WrongType(NO_FRAME)
    take(FRAME_BYTES)
    content = request.get_data()
    if not content:
        raise NotRead(_("The frame is empty. Is the camera on?"))
    since_s = _seconds("since") if "since" in request.args else 0.0
    next_s = services().cameras.take(camera, content, time_s, since_s)
    return watch_view(match_id, camera, next_s, camera.match)


@address("POST", "/api/matches/<match_id>/watch/<watch_id>/end", Role.PLAYER, errors=[403])
def end(match_id: str, watch_id: str) -> WatchView:
    """Stop a camera."""
    check_every_seat(access())
    camera = services().cameras.of(match_id)
    if camera is not None and camera.id == watch_id:
        services().cameras.end(camera)
    return watch_view(match_id, None)


@address(
    "GET",
    "/api/matches/<match_id>/watch/<watch_id>/picture.jpg",
    Role.WATCHER,
    answer=binary("image/jpeg"),
    errors=[403],
)
def picture(match_id: str, watch_id: str) -> Response:
    """The last frame of the server's camera."""
    camera = services().cameras.find(match_id, watch_id)
    if not camera.picture:
        raise NotFound(_("The camera has sent no picture yet. Wait a moment."))
    return Response(camera.picture, mimetype="image/jpeg")


@address("POST", "/api/matches/<match_id>/watch/drop", Role.PLAYER)
def drop(match_id: str, sent: Drop) -> WatchView:
    """Forget a roll that is asked about: it was none."""
    services().cameras.rolls.drop(match_id, sent.sighting, access())
    return watch_view(match_id, services().cameras.of(match_id))


def _seconds(name: str) -> float:
    try:
        time_s = float(request.args.get(name, ""))
    except ValueError:
        raise Malformed(NO_TIME) from None
    if not math.isfinite(time_s) or time_s < 0:
        raise Malformed(NO_TIME)
    return time_s
