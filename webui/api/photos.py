"""Photos of a match in the JSON interface: read, shown, and interpreted by the rules."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import IO, Any, cast

from flask import Blueprint, Response, jsonify, request

from scorer import Malformed
from scorer.messages import _
from webui.api.answers import plain
from webui.api.answers.photos import PhotoView, PrintedCell, SightingView
from webui.api.queue import JobAnswer, check_room, queue
from webui.api.requests import PHOTO_BYTES, SentCorners, Tapped, body, number, take
from webui.api.serialize.history import photo_path
from webui.api.serialize.proposals import proposal_view
from webui.errors import Busy, WrongType
from webui.eyes.look import check_cells
from webui.eyes.photo import See, SetCorners
from webui.eyes.phrases import phrase
from webui.eyes.readings import StoredReading, cells_on
from webui.eyes.views import views
from webui.http.jobs import Body
from webui.languages import said
from webui.match import amend
from webui.match import match as matches
from webui.match.answered_sheets import as_taken, with_answers
from webui.match.same_dice import lies_as_before
from webui.match.tap_answers import answers_beside
from webui.match.taught import taught, used_board
from webui.services import Services, services
from webui.store.log import Store, check_after
from webui.store.rows import Sighting
from webui.store.thumbnails import SCREEN, SIDE, thumbnail

bp = Blueprint("photos_api", __name__)

FOREVER = "private, max-age=31536000, immutable"  # a photo's address holds its hash
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
def see(match_id: str) -> JobAnswer:
    """Read a photo, keep both, and say what the rules make of it."""
    services().store.match(match_id)
    check_room(match_id)
    spot = number("spot", 0)
    spool = _spooled(_photo())
    try:
        return queue(match_id, spool.tell(), partial(_read, services(), match_id, spot, spool))
    except Busy:
        spool.close()
        raise


def _read(services: Services, match_id: str, spot: int, spool: IO[bytes]) -> Body:
    """Read a photo that waited on the disk; only now it is taken into memory."""
    with spool:
        spool.seek(0)
        content = spool.read()
    return _keep(services, match_id, spot, content)


def _eyes(services: Services, match_id: str) -> See:
    """Return the eyes that know the pieces and the board a match uses."""
    return partial(services.see, **taught(services.store, match_id))


def _keep(services: Services, match_id: str, spot: int, content: bytes, **given: Any) -> Body:
    """Read a photo with what is *given* beside it, keep both, and say what the rules make of it."""
    match = matches.load(services.store, match_id)
    with services.outcomes.counted():
        sight = _eyes(services, match_id)(content, matches.equipment(match), spot, **given)
    lies = lies_as_before(services.store, match, sight.reading)
    table = with_answers(services.store, match, sight.table)
    proposal, preview = matches.propose(match, table, lies)
    asked = amend.questions(services.store, match, table) if proposal.differences else ()
    kept = services.store.keep(match_id, sight.reading, sight.jpeg)
    answers = answers_beside(match, proposal)
    proposed = proposal_view(proposal, preview, match.row.names, sight.doubts, asked, answers)
    shown = as_taken(sight.reading, table, proposal)
    return _sighting_view(services.store, replace(kept, reading=shown)) | {"proposal": proposed}


def _sighting_view(store: Store, sighting: Sighting) -> Body:
    """Return what was read on a photo, and how to show it."""
    reading = sighting.reading
    return plain(
        SightingView(
            sighting=sighting.id,
            photo=photo_path(sighting.match_id, sighting.photo),
            width=reading["width"],
            height=reading["height"],
            views=[PhotoView(**one) for one in views(reading)],
            cells=[
                PrintedCell(cell, quad)
                for cell, quad in cells_on(reading, used_board(store, sighting.match_id))
            ],
            reading=cast(
                "StoredReading", _said(reading)
            ),  # as `PhotoReading` had it when it was stored
        )
    )


def _said(reading: Mapping[str, Any]) -> dict[str, Any]:
    """Return a reading with what the eyes warn of in the language of the phone."""
    hint = reading.get("hint")
    warnings = [said(phrase(text)) for text in reading["warnings"]]
    return {**reading, "warnings": warnings, "hint": hint and said(phrase(hint))}


@bp.get("/api/matches/<match_id>/sightings/<sighting>")
def sighting(match_id: str, sighting: str) -> Response:
    """Return what was read on a photo."""
    store = services().store
    return jsonify(_sighting_view(store, store.sighting(match_id, sighting)))


@bp.post("/api/matches/<match_id>/sightings/<sighting>/corners")
def set_corners(match_id: str, sighting: str) -> JobAnswer:
    """Read a photo again with its board where a person set it; it is kept as another sighting."""
    sent = body(SentCorners)
    if sent.spot < 0:
        raise Malformed("spot is a whole number, counted from 0.")
    check_room(match_id)
    shown = services().store.sighting(match_id, sighting)
    return queue(match_id, 0, partial(_again, services(), shown, sent))


def _again(services: Services, sighting: Sighting, sent: SentCorners) -> Body:
    content = services.store.photo(sighting.match_id, sighting.photo)
    corners: SetCorners = {"corners": sent.corners, "width": sighting.reading["width"]}
    return _keep(services, sighting.match_id, sent.spot, content, corners=corners)


@bp.get("/api/matches/<match_id>/photos/<photo>.jpg")
def photo(match_id: str, photo: str) -> Response:
    """Return a photo of a match."""
    return _jpeg(services().store.photo(match_id, photo))


@bp.get("/api/matches/<match_id>/photos/<photo>/small.jpg")
def small_photo(match_id: str, photo: str) -> Response:
    """Return a photo of a match as small as the history shows it."""
    return _smaller(match_id, photo, SIDE)


@bp.get("/api/matches/<match_id>/photos/<photo>/screen.jpg")
def screen_photo(match_id: str, photo: str) -> Response:
    """Return a whole photo of a match as large as a page shows it."""
    return screen_sized(match_id, photo)


def screen_sized(match_id: str, photo: str) -> Response:
    """Return a whole photo of a match, 1,280 px at the most; raises NotFound."""
    return _smaller(match_id, photo, SCREEN)


def _smaller(match_id: str, photo: str, side: int) -> Response:
    store = services().store
    store.check_photo(match_id, photo)
    return _jpeg(thumbnail(store.photo_files, photo, side))


def _jpeg(content: bytes) -> Response:
    return Response(content, mimetype="image/jpeg", headers={"Cache-Control": FOREVER})


@bp.post("/api/matches/<match_id>/proposals")
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
    proposal, preview = matches.propose(match, table)
    asked = proposal.differences and not (over or sent.instead or sent.replaces)
    questions = amend.questions(store, match, table) if asked else ()
    names = match.row.names
    answers = answers_beside(match, proposal)
    return jsonify(proposal_view(proposal, preview, names, (), questions, answers, over))
