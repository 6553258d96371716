"""The JSON interface. What each address takes and answers is told in `webui.api.openapi`."""

from __future__ import annotations

import json
import logging
import shutil
import tempfile
from dataclasses import replace
from functools import partial
from typing import IO, Any, cast

from flask import Blueprint, Response, jsonify, request, send_file
from sqlalchemy.exc import SQLAlchemyError

from scorer import Malformed
from scorer.games import GAMES
from scorer.sentence import MOST
from webui.api import boards, taught
from webui.api.answers import plain
from webui.api.answers.photos import PhotoView, PrintedCell, SightingView
from webui.api.answers.server import Health, MatchAddress
from webui.api.openapi.document import document
from webui.api.queue import Answer, check_room, queue
from webui.api.requests import (
    PHOTO_BYTES,
    Corners,
    NewMatch,
    Play,
    Tapped,
    Undo,
    body,
    number,
    take,
)
from webui.api.serialize.games import game_view
from webui.api.serialize.history import MORE, parts_view, photo_path, steps_view
from webui.api.serialize.match import match_view
from webui.api.serialize.moves import moves_json, sentence_view
from webui.api.serialize.proposals import proposal_view
from webui.errors import Busy, WrongType
from webui.eyes.look import check_cells
from webui.eyes.photo import SetCorners
from webui.eyes.readings import StoredReading, cells_on
from webui.eyes.views import views
from webui.http.health import UNREADABLE, Unwell
from webui.http.jobs import Body
from webui.http.live import Log
from webui.match import amend
from webui.match import match as matches
from webui.match.answered_sheets import as_taken, with_answers
from webui.match.same_dice import lies_as_before
from webui.match.tap_answers import answers_beside
from webui.services import Services, services
from webui.store.log import Store, check_after
from webui.store.rows import Sighting
from webui.store.thumbnails import thumbnail

bp = Blueprint("api", __name__)
log = logging.getLogger(__name__)

FOREVER = "private, max-age=31536000, immutable"  # a photo's address holds its hash
MOST_FOLLOWED = 50  # matches of one stream
IMAGE_TYPES = ("image/", "application/octet-stream")


def _photo() -> IO[bytes]:
    """Return the photo sent as the field `photo` of a form, or as the body."""
    take(PHOTO_BYTES)
    if request.mimetype == "multipart/form-data":
        sent = request.files.get("photo")
        if sent is None:
            raise Malformed("The form has no file in its field photo.")
        return sent.stream
    if request.mimetype.startswith(IMAGE_TYPES):
        return request.stream
    raise WrongType("Send the photo itself: a JPEG, PNG, WebP or HEIC picture.")


def _spooled(photo: IO[bytes]) -> IO[bytes]:
    """Copy a photo into a file without a name: it is gone when it is closed, or the server is."""
    spool = tempfile.TemporaryFile()  # noqa: SIM115  # whoever reads the photo closes it
    try:
        shutil.copyfileobj(photo, spool)
    except BaseException:
        spool.close()
        raise
    return spool


def _view(match: matches.Match) -> dict[str, Any]:
    return match_view(match, services().root)


# ---------------------------------------------------------------- games and matches


@bp.get("/healthz")
def health() -> Response:
    """Say that the matches can be read, and that the last photos could; raises Unwell."""
    try:
        services().store.check()
    except SQLAlchemyError as fault:
        log.exception("the matches cannot be read")
        raise Unwell(UNREADABLE) from fault
    services().outcomes.check()
    return jsonify(plain(Health(ok=True)))


@bp.get("/api/openapi.json")
def openapi() -> Response:
    """Return the description of this interface."""
    return jsonify(document())


@bp.get("/api/games")
def games() -> Response:
    """Return the games there are, with their settings."""
    return jsonify({"games": [game_view(game) for game in GAMES.values()]})


@bp.post("/api/matches")
def create() -> tuple[Response, int]:
    """Make a match."""
    sent = body(NewMatch)
    made = matches.create(
        services().store, sent.game, sent.names, sent.settings or {}, sent.opening
    )
    return jsonify(_view(made)), 201


@bp.get("/api/codes/<code>")
def find(code: str) -> Response:
    """Return the match with a join code."""
    found = services().join(code)
    return jsonify(plain(MatchAddress(found, f"{services().root}m/{found}")))


@bp.get("/api/matches/<match_id>")
def show(match_id: str) -> Response:
    """Return a match."""
    return jsonify(_view(matches.load(services().store, match_id)))


@bp.get("/api/matches/<match_id>/history")
def history(match_id: str) -> Response:
    """Return older steps of a match."""
    match = matches.load(services().store, match_id)
    before = number("before", match.seq + 1)
    return jsonify(steps_view(match, matches.history(services().store, match, before, MORE), MORE))


@bp.get("/api/matches/<match_id>/because")
def because(match_id: str) -> Response:
    """Return older parts of the tally of a match."""
    match = matches.load(services().store, match_id)
    return jsonify(parts_view(match, match.because(), number("before", None)))


# ---------------------------------------------------------------- steps


@bp.get("/api/matches/<match_id>/moves")
def moves(match_id: str) -> Response:
    """Return the legal moves in words, those of one kind if that is asked for."""
    match = matches.load(services().store, match_id)
    kind = request.args.get("kind")
    if kind is not None and kind not in (known := [one.__name__ for one in match.rules().moves]):
        raise Malformed(f"{match.rules().title} has the moves {', '.join(known)}, not {kind}.")
    spoken, written = match.spoken(), moves_json(match)
    wanted = [
        text
        for one, text in zip(spoken, written, strict=True)
        if kind in (None, type(one.move).__name__)
    ]
    every = json.dumps(len(spoken) < MOST)
    answer = f'{{"seq":{match.seq},"all":{every},"moves":[{",".join(wanted)}]}}\n'
    return Response(answer, mimetype="application/json")


@bp.get("/api/matches/<match_id>/sentence")
def sentence(match_id: str) -> Response:
    """Return what may follow the words that were said."""
    match = matches.load(services().store, match_id)
    return jsonify(sentence_view(match, request.args.get("said", "").split()))


@bp.post("/api/matches/<match_id>/moves")
def play(match_id: str) -> tuple[Response, int]:
    """Store confirmed moves."""
    sent = body(Play)
    store, right = services().store, sent.instead
    by, seen, request_id = sent.by, sent.sighting, sent.request
    if right is None:
        if seen is None:
            services().watches.check_entered(match_id, sent.after, sent.moves)
        match = matches.play(
            store, match_id, sent.after, sent.moves, by=by, sighting=seen, request=request_id
        )
    else:
        match = amend.amend(
            store,
            match_id,
            sent.after,
            right.step,
            right.moves,
            sent.moves,
            by=by,
            sighting=seen,
            request=request_id,
        )
    services().live.announce(match_id, match.seq)
    return jsonify(_view(match)), 201


@bp.post("/api/matches/<match_id>/undo")
def undo(match_id: str) -> tuple[Response, int]:
    """Take steps back."""
    sent = body(Undo)
    match = matches.undo(
        services().store, match_id, sent.after, to=sent.to, by=sent.by, request=sent.request
    )
    services().live.announce(match_id, match.seq)
    return jsonify(_view(match)), 201


def _log(match_id: str) -> Log:
    store = services().store
    return partial(store.news, match_id)


@bp.get("/api/matches/<match_id>/live")
def live(match_id: str) -> Response:
    """Stream the number of the newest event, now and whenever it changes."""
    store = services().store
    store.match(match_id)
    last = request.headers.get("Last-Event-ID", "")
    seen = int(last) if last.isascii() and last.isdigit() and len(last) < 10 else -1
    address = request.remote_addr or ""
    stream = services().live.stream(match_id, _log(match_id), seen, address)
    return Response(stream, mimetype="text/event-stream")


@bp.get("/api/live")
def live_all() -> Response:
    """Stream the numbers of the newest events of several matches: one stream for a browser.

    A browser opens six connections to a server, so that its pages share one stream.
    """
    store = services().store
    asked = dict.fromkeys(request.args.getlist("match"))
    if len(asked) > MOST_FOLLOWED:
        raise Malformed(f"One stream follows at most {MOST_FOLLOWED} matches.")
    for match_id in asked:
        store.match(match_id)
    if not asked:
        raise Malformed("Say which matches to follow: ?match=, for each.")
    followed = {match_id: _log(match_id) for match_id in asked}
    stream = services().live.stream_all(followed, request.remote_addr or "")
    return Response(stream, mimetype="text/event-stream")


# ---------------------------------------------------------------- photos and proposals


@bp.post("/api/matches/<match_id>/photos")
def see(match_id: str) -> Answer:
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
    return _seen(services, match_id, spot, content)


def _seen(services: Services, match_id: str, spot: int, content: bytes, **known: Any) -> Body:
    """Read a photo with what is *known* of it, keep both, and say what the rules make of it."""
    match = matches.load(services.store, match_id)
    with services.outcomes.told():
        sight = taught.eyes(services, match_id)(content, matches.equipment(match), spot, **known)
    lies = lies_as_before(services.store, match, sight.reading)
    table = with_answers(services.store, match, sight.table)
    proposal, preview = matches.propose(match, table, lies)
    asked = amend.questions(services.store, match, table) if proposal.differences else ()
    kept = services.store.keep(match_id, sight.reading, sight.jpeg)
    answers = answers_beside(match, proposal)
    proposed = proposal_view(proposal, preview, match.row.names, sight.doubts, asked, answers)
    shown = as_taken(sight.reading, table, proposal)
    return _sighting_view(services.store, replace(kept, reading=shown)) | {"proposal": proposed}


def _sighting_view(store: Store, seen: Sighting) -> Body:
    """Return what was read on a photo, and how to show it."""
    reading = seen.reading
    told: Body = plain(
        SightingView(
            sighting=seen.id,
            photo=photo_path(seen.match_id, seen.photo),
            width=reading["width"],
            height=reading["height"],
            views=[PhotoView(**one) for one in views(reading)],
            cells=[
                PrintedCell(cell, quad)
                for cell, quad in cells_on(reading, boards.used_by(store, seen.match_id))
            ],
            reading=cast("StoredReading", reading),  # as `PhotoReading` had it when it was stored
        )
    )
    return told


@bp.get("/api/matches/<match_id>/sightings/<sighting>")
def sighting(match_id: str, sighting: str) -> Response:
    """Return what was read on a photo."""
    store = services().store
    return jsonify(_sighting_view(store, store.sighting(match_id, sighting)))


@bp.post("/api/matches/<match_id>/sightings/<sighting>/corners")
def set_corners(match_id: str, sighting: str) -> Answer:
    """Read a photo again with its board where a person set it; it is kept as another sighting."""
    sent = body(Corners)
    if sent.spot < 0:
        raise Malformed("spot is a whole number, counted from 0.")
    check_room(match_id)
    seen = services().store.sighting(match_id, sighting)
    return queue(match_id, 0, partial(_again, services(), seen, sent))


def _again(services: Services, seen: Sighting, sent: Corners) -> Body:
    content = services.store.photo(seen.match_id, seen.photo).read_bytes()
    corners: SetCorners = {"corners": sent.corners, "width": seen.reading["width"]}
    return _seen(services, seen.match_id, sent.spot, content, corners=corners)


@bp.get("/api/matches/<match_id>/photos/<photo>.jpg")
def photo(match_id: str, photo: str) -> Response:
    """Return a photo of a match."""
    answer = send_file(services().store.photo(match_id, photo), mimetype="image/jpeg")
    answer.headers["Cache-Control"] = FOREVER
    return answer


@bp.get("/api/matches/<match_id>/photos/<photo>/small.jpg")
def small_photo(match_id: str, photo: str) -> Response:
    """Return a photo of a match as small as the history shows it."""
    answer = Response(thumbnail(services().store.photo(match_id, photo)), mimetype="image/jpeg")
    answer.headers["Cache-Control"] = FOREVER
    return answer


@bp.post("/api/matches/<match_id>/proposals")
def propose(match_id: str) -> Response:
    """Say what the rules make of pieces that a person taps in; nothing is stored."""
    sent = body(Tapped)
    store = services().store
    match = matches.load(store, match_id)
    check_after(sent.after, match.seq)
    table = sent.table()
    over = None if sent.since is None else amend.overtaken(store, match, sent.since, sent.spot)
    if sent.instead is not None:
        match = amend.amended(store, match, sent.instead.step, sent.instead.moves)
    elif over is not None:
        match = amend.before(store, match, over.step)
    check_cells(table, matches.equipment(match))
    proposal, preview = matches.propose(match, table)
    asked = proposal.differences and not (over or sent.instead)
    questions = amend.questions(store, match, table) if asked else ()
    names = match.row.names
    answers = answers_beside(match, proposal)
    return jsonify(proposal_view(proposal, preview, names, (), questions, answers, over))
