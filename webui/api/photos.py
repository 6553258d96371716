"""Photos of a match in the JSON interface: read, shown, and interpreted by the rules."""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import Callable, Mapping
from functools import partial
from typing import IO, Any

from flask import Blueprint, Response, jsonify, request
from markupsafe import escape

from scorer import Malformed
from scorer.messages import _
from webui.api.orders import sighting_view
from webui.api.queue import JobAnswer, check_room, queue
from webui.api.requests import PHOTO_BYTES, SentCorners, Tapped, body, number, take
from webui.api.serialize.proposals import proposal_view
from webui.errors import Busy, PhotoGone, WrongType
from webui.eyes.look import check_cells
from webui.http.roles import least
from webui.jobs.order import OrderKind
from webui.languages import translate
from webui.match import amend, proposals
from webui.match import match as matches
from webui.match.at_table import can_play_on
from webui.match.tap_answers import answers_beside
from webui.services import services
from webui.store.log import check_after
from webui.store.photos.files import SCREEN, SIDE
from webui.store.photos.thumbnails import thumbnail
from webui.store.tables.phones import Role

bp = Blueprint("photos_api", __name__)

FOREVER = "private, max-age=31536000, immutable"  # a photo's address holds its hash
# A picture's frame, empty: neither light nor dark, as it stands on both.
NOT_KEPT = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64" fill="none" stroke="#8a7f72"'
    ' stroke-width="3"><rect x="12" y="10" width="40" height="32" rx="5"/><path d="m12 10 40 32"/>'
    '<text x="32" y="54" font-family="sans-serif" font-size="4.5" text-anchor="middle"'
    ' stroke="none" fill="#8a7f72">{says}</text></svg>'
)
PART = re.compile(r"\d{1,5}(,\d{1,5}){5}")
NO_PART = _(
    "part is six whole numbers with commas between them: left, top, right and bottom of the part, "
    "then width and height of the whole photo."
)
IMAGE_TYPES = ("image/", "application/octet-stream")


def _photo() -> IO[bytes]:
    """Return the photo sent as the field `photo` of a form, or as the body."""
    take(PHOTO_BYTES)
    if request.mimetype == "multipart/form-data":
        sent = request.files.get("photo")
        if sent is None:
            raise Malformed(_("The form has no file in its field photo."))
        return sent.stream
    if request.mimetype.startswith(IMAGE_TYPES):
        return request.stream
    raise WrongType(_("Send the photo itself: a JPEG, PNG, WebP or HEIC picture."))


def _spooled(photo: IO[bytes]) -> IO[bytes]:
    """Copy a photo into a file without a name: it is gone when it is closed, or the server is."""
    spool = tempfile.TemporaryFile()  # noqa: SIM115  # whoever reads the photo closes it
    try:
        shutil.copyfileobj(photo, spool)
    except BaseException:
        spool.close()
        raise
    return spool


@bp.post("/api/matches/<match_id>/photos")
@least(Role.PLAYER, spends="photos")
def see(match_id: str) -> JobAnswer:
    """Read a photo, keep both, and say what the rules make of it."""
    services().store.match(match_id)
    check_room(match_id)
    spot, patient = number("spot", 0), number("patient", 0)
    data = {"spot": spot, "part": _part()}
    return _queued("photo", match_id, data, patient=bool(patient))


def _part() -> list[int] | None:
    """Return which part of a photo is sent, and how large the whole is; None if that is sent."""
    sent = request.args.get("part")
    if sent is None:
        return None
    if not PART.fullmatch(sent):
        raise Malformed(NO_PART)
    return [int(number) for number in sent.split(",")]


def _queued(kind: OrderKind, match_id: str, data: Mapping[str, Any], *, patient: bool) -> JobAnswer:
    """Put what is to be done with the photo of this request into the queue."""
    spool = _spooled(_photo())
    try:
        return queue(kind, match_id, data, spool, patient=patient)
    except Busy:
        spool.close()
        raise


@bp.post("/api/matches/<match_id>/sightings/<sighting>/photo")
@least(Role.PLAYER, spends="photos")
def follow(match_id: str, sighting: str) -> JobAnswer:
    """Keep the whole photo of which a part was read; nobody waits for it."""
    services().store.sighting(match_id, sighting)
    check_room(match_id)
    return _queued("whole", match_id, {"sighting": sighting}, patient=True)


@bp.get("/api/matches/<match_id>/sightings/<sighting>")
@least(Role.WATCHER)
def sighting(match_id: str, sighting: str) -> Response:
    """Return what was read on a photo."""
    store = services().store
    return jsonify(sighting_view(store, store.sighting(match_id, sighting)))


@bp.post("/api/matches/<match_id>/sightings/<sighting>/corners")
@least(Role.PLAYER)
def set_corners(match_id: str, sighting: str) -> JobAnswer:
    """Read a photo again with its board where a person set it; it is kept as another sighting."""
    sent = body(SentCorners)
    if sent.spot < 0:
        raise Malformed("spot is a whole number, counted from 0.")
    check_room(match_id)
    services().store.sighting(match_id, sighting)
    data = {"sighting": sighting, "spot": sent.spot, "corners": sent.corners}
    return queue("corners", match_id, data)


@bp.get("/api/matches/<match_id>/photos/<photo>.jpg")
@least(Role.WATCHER)
def photo(match_id: str, photo: str) -> Response:
    """Return a photo of a match."""
    return _jpeg(partial(services().store.photo, match_id, photo))


@bp.get("/api/matches/<match_id>/photos/<photo>/small.jpg")
@least(Role.WATCHER)
def small_photo(match_id: str, photo: str) -> Response:
    """Return a photo of a match as small as the history shows it."""
    return _smaller(match_id, photo, SIDE)


@bp.get("/api/matches/<match_id>/photos/<photo>/screen.jpg")
@least(Role.WATCHER)
def screen_photo(match_id: str, photo: str) -> Response:
    """Return a whole photo of a match as large as a page shows it."""
    return screen_sized(match_id, photo)


def screen_sized(match_id: str, photo: str) -> Response:
    """Return a whole photo of a match, 1,280 px at the most; raises NotFound."""
    return _smaller(match_id, photo, SCREEN)


def _smaller(match_id: str, photo: str, side: int) -> Response:
    store = services().store
    store.check_photo(match_id, photo)
    return _jpeg(partial(thumbnail, store.photo_files, photo, side))


def _jpeg(make: Callable[[], bytes]) -> Response:
    """Answer a picture; a page in which it stands gets a drawing where it is not kept any more."""
    try:
        return Response(make(), mimetype="image/jpeg", headers={"Cache-Control": FOREVER})
    except PhotoGone:
        wanted = request.accept_mimetypes
        if wanted["image/svg+xml"] <= wanted["application/json"]:
            raise
        frame = NOT_KEPT.format(says=escape(translate("Photo not kept any more")))
        return Response(frame, 404, mimetype="image/svg+xml", headers={"Vary": "Accept"})


@bp.post("/api/matches/<match_id>/proposals")
@least(Role.PLAYER)
def propose(match_id: str) -> Response:
    """Say what the rules make of pieces that a person taps in; nothing is stored."""
    sent = body(Tapped)
    store = services().store
    match = matches.load(store, match_id)
    check_after(sent.after, match.seq)
    table = sent.table()
    over = None if sent.since is None else amend.overtaken(store, match, sent.since, sent.spot)
    if sent.replaces is not None:
        match = amend.before(store, match, sent.replaces)
    elif sent.instead is not None:
        match = amend.amended(store, match, sent.instead.step, sent.instead.moves)
    elif over is not None:
        match = amend.before(store, match, over.step)
    check_cells(table, matches.equipment(match))
    proposal, preview = proposals.propose(match, table)
    asked = proposal.differences and not (over or sent.instead or sent.replaces)
    questions = amend.questions(store, match, table) if asked else ()
    names = match.names
    answers = answers_beside(match, proposal)
    against = can_play_on(match, table, proposal)
    return jsonify(
        proposal_view(proposal, preview, names, (), questions, answers, over, play_on=against)
    )
