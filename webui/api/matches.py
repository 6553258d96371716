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
from webui.services import Parts, parts
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
    return match_view(match, parts().root)


# ---------------------------------------------------------------- games and matches


@bp.get("/healthz")
def health() -> Response:
    """Say that the matches can be read, and that the last photos could; raises Unwell."""
    try:
        parts().store.check()
    except SQLAlchemyError as fault:
        log.exception("the matches cannot be read")
        raise Unwell(UNREADABLE) from fault
    parts().outcomes.check()
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
    made = matches.create(parts().store, sent.game, sent.names, sent.settings or {}, sent.opening)
    return jsonify(_view(made)), 201


@bp.get("/api/codes/<code>")
def find(code: str) -> Response:
    """Return the match with a join code."""
    found = parts().join(code)
    return jsonify(plain(MatchAddress(found, f"{parts().root}m/{found}")))


@bp.get("/api/matches/<match>")
def show(match: str) -> Response:
    """Return a match."""
    return jsonify(_view(matches.load(parts().store, match)))


@bp.get("/api/matches/<match>/history")
def history(match: str) -> Response:
    """Return older steps of a match."""
    now = matches.load(parts().store, match)
    before = number("before", now.seq + 1)
    return jsonify(steps_view(now, matches.history(parts().store, now, before, MORE), MORE))


@bp.get("/api/matches/<match>/because")
def because(match: str) -> Response:
    """Return older parts of the tally of a match."""
    now = matches.load(parts().store, match)
    return jsonify(parts_view(now, now.because(), number("before", None)))


# ---------------------------------------------------------------- steps


@bp.get("/api/matches/<match>/moves")
def moves(match: str) -> Response:
    """Return the legal moves in words, those of one kind if that is asked for."""
    now = matches.load(parts().store, match)
    kind = request.args.get("kind")
    if kind is not None and kind not in (known := [one.__name__ for one in now.rules().moves]):
        raise Malformed(f"{now.rules().title} has the moves {', '.join(known)}, not {kind}.")
    spoken, written = now.spoken(), moves_json(now)
    wanted = [
        text
        for one, text in zip(spoken, written, strict=True)
        if kind in (None, type(one.move).__name__)
    ]
    every = json.dumps(len(spoken) < MOST)
    answer = f'{{"seq":{now.seq},"all":{every},"moves":[{",".join(wanted)}]}}\n'
    return Response(answer, mimetype="application/json")


@bp.get("/api/matches/<match>/sentence")
def sentence(match: str) -> Response:
    """Return what may follow the words that were said."""
    now = matches.load(parts().store, match)
    return jsonify(sentence_view(now, request.args.get("said", "").split()))


@bp.post("/api/matches/<match>/moves")
def play(match: str) -> tuple[Response, int]:
    """Store confirmed moves."""
    sent = body(Play)
    store, right = parts().store, sent.instead
    by, seen, request_id = sent.by, sent.sighting, sent.request
    if right is None:
        if seen is None:
            parts().watches.check_entered(match, sent.after, sent.moves)
        now = matches.play(
            store, match, sent.after, sent.moves, by=by, sighting=seen, request=request_id
        )
    else:
        now = amend.amend(
            store,
            match,
            sent.after,
            right.step,
            right.moves,
            sent.moves,
            by=by,
            sighting=seen,
            request=request_id,
        )
    parts().live.announce(match, now.seq)
    return jsonify(_view(now)), 201


@bp.post("/api/matches/<match>/undo")
def undo(match: str) -> tuple[Response, int]:
    """Take steps back."""
    sent = body(Undo)
    now = matches.undo(
        parts().store, match, sent.after, to=sent.to, by=sent.by, request=sent.request
    )
    parts().live.announce(match, now.seq)
    return jsonify(_view(now)), 201


def _log(match: str) -> Log:
    store = parts().store
    return partial(store.news, match)


@bp.get("/api/matches/<match>/live")
def live(match: str) -> Response:
    """Stream the number of the newest event, now and whenever it changes."""
    store = parts().store
    store.match(match)
    last = request.headers.get("Last-Event-ID", "")
    seen = int(last) if last.isascii() and last.isdigit() and len(last) < 10 else -1
    address = request.remote_addr or ""
    stream = parts().live.stream(match, _log(match), seen, address)
    return Response(stream, mimetype="text/event-stream")


@bp.get("/api/live")
def live_all() -> Response:
    """Stream the numbers of the newest events of several matches: one stream for a browser.

    A browser opens six connections to a server, so that its pages share one stream.
    """
    store = parts().store
    asked = dict.fromkeys(request.args.getlist("match"))
    if len(asked) > MOST_FOLLOWED:
        raise Malformed(f"One stream follows at most {MOST_FOLLOWED} matches.")
    for match in asked:
        store.match(match)
    if not asked:
        raise Malformed("Say which matches to follow: ?match=, for each.")
    followed = {match: _log(match) for match in asked}
    stream = parts().live.stream_all(followed, request.remote_addr or "")
    return Response(stream, mimetype="text/event-stream")


# ---------------------------------------------------------------- photos and proposals


@bp.post("/api/matches/<match>/photos")
def see(match: str) -> Answer:
    """Read a photo, keep both, and say what the rules make of it."""
    parts().store.match(match)
    check_room(match)
    spot = number("spot", 0)
    spool = _spooled(_photo())
    try:
        return queue(match, spool.tell(), partial(_read, parts(), match, spot, spool))
    except Busy:
        spool.close()
        raise


def _read(here: Parts, match: str, spot: int, spool: IO[bytes]) -> Body:
    """Read a photo that waited on the disk; only now it is taken into memory."""
    with spool:
        spool.seek(0)
        content = spool.read()
    return _seen(here, match, spot, content)


def _seen(here: Parts, match: str, spot: int, content: bytes, **known: Any) -> Body:
    """Read a photo with what is *known* of it, keep both, and say what the rules make of it."""
    now = matches.load(here.store, match)
    with here.outcomes.told():
        sight = taught.eyes(here, match)(content, matches.equipment(now), spot, **known)
    lies = lies_as_before(here.store, now, sight.reading)
    table = with_answers(here.store, now, sight.table)
    proposal, preview = matches.propose(now, table, lies)
    asked = amend.questions(here.store, now, table) if proposal.differences else ()
    kept = here.store.keep(match, sight.reading, sight.jpeg)
    answers = answers_beside(now, proposal)
    proposed = proposal_view(proposal, preview, now.row.names, sight.doubts, asked, answers)
    shown = as_taken(sight.reading, table, proposal)
    return _sighting_view(here.store, replace(kept, reading=shown)) | {"proposal": proposed}


def _sighting_view(store: Store, seen: Sighting) -> Body:
    """Return what was read on a photo, and how to show it."""
    reading = seen.reading
    told: Body = plain(
        SightingView(
            sighting=seen.id,
            photo=photo_path(seen.match, seen.photo),
            width=reading["width"],
            height=reading["height"],
            views=[PhotoView(**one) for one in views(reading)],
            cells=[
                PrintedCell(cell, quad)
                for cell, quad in cells_on(reading, boards.used_by(store, seen.match))
            ],
            reading=cast("StoredReading", reading),  # as `PhotoReading` had it when it was stored
        )
    )
    return told


@bp.get("/api/matches/<match>/sightings/<sighting>")
def sighting(match: str, sighting: str) -> Response:
    """Return what was read on a photo."""
    store = parts().store
    return jsonify(_sighting_view(store, store.sighting(match, sighting)))


@bp.post("/api/matches/<match>/sightings/<sighting>/corners")
def set_corners(match: str, sighting: str) -> Answer:
    """Read a photo again with its board where a person set it; it is kept as another sighting."""
    sent = body(Corners)
    if sent.spot < 0:
        raise Malformed("spot is a whole number, counted from 0.")
    check_room(match)
    here, seen = parts(), parts().store.sighting(match, sighting)
    told: SetCorners = {"corners": sent.corners, "width": seen.reading["width"]}

    def again() -> Body:
        content = here.store.photo(match, seen.photo).read_bytes()
        return _seen(here, match, sent.spot, content, corners=told)

    return queue(match, 0, again)


@bp.get("/api/matches/<match>/photos/<photo>.jpg")
def photo(match: str, photo: str) -> Response:
    """Return a photo of a match."""
    answer = send_file(parts().store.photo(match, photo), mimetype="image/jpeg")
    answer.headers["Cache-Control"] = FOREVER
    return answer


@bp.get("/api/matches/<match>/photos/<photo>/small.jpg")
def small_photo(match: str, photo: str) -> Response:
    """Return a photo of a match as small as the history shows it."""
    answer = Response(thumbnail(parts().store.photo(match, photo)), mimetype="image/jpeg")
    answer.headers["Cache-Control"] = FOREVER
    return answer


@bp.post("/api/matches/<match>/proposals")
def propose(match: str) -> Response:
    """Say what the rules make of pieces that a person taps in; nothing is stored."""
    sent = body(Tapped)
    store = parts().store
    now = matches.load(store, match)
    check_after(sent.after, now.seq)
    table = sent.table()
    over = None if sent.since is None else amend.overtaken(store, now, sent.since, sent.spot)
    if sent.instead is not None:
        now = amend.amended(store, now, sent.instead.step, sent.instead.moves)
    elif over is not None:
        now = amend.before(store, now, over.step)
    check_cells(table, matches.equipment(now))
    proposal, preview = matches.propose(now, table)
    asked = proposal.differences and not (over or sent.instead)
    questions = amend.questions(store, now, table) if asked else ()
    names = now.row.names
    answers = answers_beside(now, proposal)
    return jsonify(proposal_view(proposal, preview, names, (), questions, answers, over))
