"""Photos of a match in the JSON interface: read, shown, and interpreted by the rules."""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import Callable, Mapping
from functools import partial
from typing import IO, Any

from flask import Response, request
from markupsafe import escape

from scorer import Malformed
from scorer.messages import _
from webui.api.answers.photos import SeenView, SightingView, WholeView, sighting_view
from webui.api.answers.proposals import ProposalView, proposal_view
from webui.api.queue import REFUSALS, JobAnswer, check_room, queue
from webui.api.schema import COUNTED, TEXT, binary, query
from webui.api.sent import SentCorners, Tapped, check_spot
from webui.errors import Busy, PhotoGone, WrongType
from webui.eyes.look import check_cells
from webui.http.address import address
from webui.http.bodies import PHOTO_BYTES, number, take
from webui.jobs.order import OrderKind
from webui.languages import translate
from webui.match import amend, proposals
from webui.match import match as matches
from webui.services import services
from webui.store.log import check_after
from webui.store.photos.files import SCREEN, SIDE, thumbnail
from webui.store.tables.phones import Role

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
PHOTO_SENT = {
    "multipart/form-data": {
        "schema": {
            "type": "object",
            "properties": {"photo": {"type": "string", "format": "binary"}},
            "required": ["photo"],
        }
    },
    **binary("image/*", "application/octet-stream"),
}
JPEG = binary("image/jpeg")
SENT_PART = query(
    "part",
    {
        **TEXT,
        "pattern": rf"^{PART.pattern}$",
        "description": "left, top, right, bottom of the part; width, height of the whole; px",
    },
)


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


@address(
    "POST",
    "/api/matches/<match_id>/photos",
    Role.PLAYER,
    spends="photos",
    body=PHOTO_SENT,
    answer=SeenView,
    status=201,
    queued=True,
    errors=REFUSALS,
    query=[query("spot", COUNTED), query("patient", COUNTED), SENT_PART],
)
def see(match_id: str) -> JobAnswer:
    """Read a photo; `spot` says which surface it shows. Nothing is played.

    With `patient=1` it lets the photos of others go first: nobody waits for it. With `part` that
    part of a larger photo is sent, on which all dice are; `WholeWanted` asks for all of it.
    """
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


@address(
    "POST",
    "/api/matches/<match_id>/sightings/<sighting>/photo",
    Role.PLAYER,
    spends="photos",
    body=PHOTO_SENT,
    answer=WholeView,
    status=201,
    queued=True,
    errors=REFUSALS,
)
def follow(match_id: str, sighting: str) -> JobAnswer:
    """Keep the whole photo of which a part was read; nobody waits for it."""
    services().store.sighting(match_id, sighting)
    check_room(match_id)
    return _queued("whole", match_id, {"sighting": sighting}, patient=True)


@address("GET", "/api/matches/<match_id>/sightings/<sighting>", Role.WATCHER)
def sighting(match_id: str, sighting: str) -> SightingView:
    """What was read on a photo."""
    store = services().store
    return sighting_view(store, store.sighting(match_id, sighting))


@address(
    "POST",
    "/api/matches/<match_id>/sightings/<sighting>/corners",
    Role.PLAYER,
    answer=SeenView,
    status=201,
    queued=True,
    errors=REFUSALS,
)
def set_corners(match_id: str, sighting: str, sent: SentCorners) -> JobAnswer:
    """Read a photo again with its board where a person set it. Nothing is played."""
    check_spot(sent.spot)
    check_room(match_id)
    services().store.sighting(match_id, sighting)
    data = {"sighting": sighting, "spot": sent.spot, "corners": sent.corners}
    return queue("corners", match_id, data)


@address(
    "GET", "/api/matches/<match_id>/photos/<photo>.jpg", Role.WATCHER, answer=JPEG, errors=[500]
)
def photo(match_id: str, photo: str) -> Response:
    """A photo, upright, without metadata."""
    return _jpeg(partial(services().store.photo, match_id, photo))


@address("GET", "/api/matches/<match_id>/photos/<photo>/small.jpg", Role.WATCHER, answer=JPEG)
def small_photo(match_id: str, photo: str) -> Response:
    """The middle of a photo, 192 px wide."""
    return _smaller(match_id, photo, SIDE)


@address("GET", "/api/matches/<match_id>/photos/<photo>/screen.jpg", Role.WATCHER, answer=JPEG)
def screen_photo(match_id: str, photo: str) -> Response:
    """A photo, its longer side 1,280 px at the most."""
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


@address("POST", "/api/matches/<match_id>/proposals", Role.PLAYER, errors=[409, 422, 503, 507])
def propose(match_id: str, sent: Tapped) -> ProposalView:
    """What the rules make of pieces that a person taps in. Nothing is stored."""
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
    proposed = proposals.propose(match, table)
    asks = not (over or sent.instead or sent.replaces)
    return proposal_view(store, match, table, proposed, overtaken=over, asks=asks)
