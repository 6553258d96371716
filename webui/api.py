"""The JSON interface. What each address takes and answers is told in `webui.openapi`."""

from __future__ import annotations

import re
from functools import partial
from typing import Any

from flask import Blueprint, Response, jsonify, request, send_from_directory

from scorer import NotAMove, dump_move
from scorer.games import GAMES
from scorer.sentence import MOST, speak, step
from webui import match as matches
from webui import teach
from webui.bridge import check_cells
from webui.openapi import document
from webui.parts import parts
from webui.refusal import Unknown, WrongType
from webui.say import FEW
from webui.sent import NewMatch, Play, Tapped, Undo, body
from webui.store import check_after
from webui.view import game_view, match_view, moves_view, photo_path, proposal_view

bp = Blueprint("api", __name__)

MOST_FOLLOWED = 50  # matches of one stream
IMAGE_TYPES = ("image/", "application/octet-stream")


def _photo() -> bytes:
    """Return the photo sent as the field `photo` of a form, or as the body."""
    if request.mimetype == "multipart/form-data":
        sent = request.files.get("photo")
        if sent is None:
            raise NotAMove("The form has no file in its field photo.")
        content: bytes = sent.read()
        return content
    if request.mimetype.startswith(IMAGE_TYPES):
        return request.get_data()
    raise WrongType("Send the photo itself: a JPEG, PNG, WebP or HEIC picture.")


def _spot() -> int:
    sent = request.args.get("spot", "0")
    if not re.fullmatch(r"0|[1-9][0-9]{0,99}", sent):
        raise NotAMove("spot is the number of a surface, counted from 0.")
    return int(sent)


def _view(match: matches.Match) -> dict[str, Any]:
    return match_view(match, parts().root)


# ---------------------------------------------------------------- games and matches


@bp.get("/healthz")
def health() -> Response:
    """Say that the server and its database answer."""
    parts().store.check()
    return jsonify({"ok": True})


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
    return jsonify({"id": found, "url": f"{parts().root}m/{found}"})


@bp.get("/api/matches/<match>")
def show(match: str) -> Response:
    """Return a match."""
    return jsonify(_view(matches.load(parts().store, match)))


# ---------------------------------------------------------------- steps


@bp.get("/api/matches/<match>/moves")
def moves(match: str) -> Response:
    """Return the legal moves in words, those of one kind if that is asked for."""
    now = matches.load(parts().store, match)
    kind = request.args.get("kind")
    if kind is not None and kind not in (known := [one.__name__ for one in now.rules().moves]):
        raise NotAMove(f"{now.rules().title} has the moves {', '.join(known)}, not {kind}.")
    spoken = speak(now.rules(), now.state, now.row.names)
    wanted = [one for one in spoken if kind in (None, type(one.move).__name__)]
    answer = {"seq": now.seq, "all": len(spoken) < MOST, "moves": moves_view(wanted)}
    return jsonify(answer)


@bp.get("/api/matches/<match>/sentence")
def sentence(match: str) -> Response:
    """Return what may follow the words that were said."""
    now = matches.load(parts().store, match)
    spoken = speak(now.rules(), now.state, now.row.names)
    reached = step(spoken, request.args.get("said", "").split())
    left = [one for one in spoken if one.words[: len(reached.said)] == reached.said]
    answer = {
        "seq": now.seq,
        "all": len(spoken) < MOST,
        "said": list(reached.said),
        "following": list(reached.following),
        "left": reached.left,
        "move": None if reached.move is None else dump_move(reached.move),
        "moves": moves_view(left) if len(left) <= FEW else [],
    }
    return jsonify(answer)


@bp.post("/api/matches/<match>/moves")
def play(match: str) -> tuple[Response, int]:
    """Store confirmed moves."""
    sent = body(Play)
    now = matches.play(
        parts().store,
        match,
        sent.after,
        sent.moves,
        by=sent.by,
        sighting=sent.sighting,
        request=sent.request,
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


@bp.get("/api/matches/<match>/live")
def live(match: str) -> Response:
    """Stream the number of the newest event, now and whenever it changes."""
    store = parts().store
    store.match(match)
    last = request.headers.get("Last-Event-ID", "")
    seen = int(last) if last.isascii() and last.isdigit() and len(last) < 10 else -1
    address = request.remote_addr or ""
    stream = parts().live.stream(match, lambda: store.seq(match), seen, address)
    return Response(stream, mimetype="text/event-stream")


@bp.get("/api/live")
def live_all() -> Response:
    """Stream the numbers of the newest events of several matches: one stream for a browser.

    A browser opens six connections to a server, so that its pages share one stream.
    """
    store = parts().store
    asked = dict.fromkeys(request.args.getlist("match"))
    if len(asked) > MOST_FOLLOWED:
        raise NotAMove(f"One stream follows at most {MOST_FOLLOWED} matches.")
    for match in asked:
        store.match(match)
    if not asked:
        raise NotAMove("Say which matches to follow: ?match=, for each.")
    newest = {match: partial(store.seq, match) for match in asked}
    stream = parts().live.stream_all(newest, request.remote_addr or "")
    return Response(stream, mimetype="text/event-stream")


# ---------------------------------------------------------------- photos and proposals


@bp.post("/api/matches/<match>/photos")
def see(match: str) -> tuple[Response, int]:
    """Read a photo, keep both, and say what the rules make of it."""
    now = matches.load(parts().store, match)
    spot = _spot()
    with parts().turn():  # the photo is taken into memory only then
        sight = teach.eyes(match)(_photo(), matches.equipment(now), spot)
    proposal, preview = matches.propose(now, sight.table)
    kept = parts().store.keep(match, sight.reading, sight.jpeg)
    answer = {
        "sighting": kept.id,
        "photo": photo_path(match, kept.photo),
        "width": sight.reading["width"],
        "height": sight.reading["height"],
        "reading": sight.reading,
        "proposal": proposal_view(proposal, preview, now.row.names, sight.doubts),
    }
    return jsonify(answer), 201


@bp.get("/api/matches/<match>/sightings/<sighting>")
def sighting(match: str, sighting: str) -> Response:
    """Return what was read on a photo."""
    seen = parts().store.sighting(match, sighting)
    answer = {
        "sighting": seen.id,
        "photo": photo_path(match, seen.photo),
        "width": seen.reading["width"],
        "height": seen.reading["height"],
        "reading": seen.reading,
    }
    return jsonify(answer)


@bp.get("/api/matches/<match>/photos/<photo>.jpg")
def photo(match: str, photo: str) -> Response:
    """Return a photo of a match."""
    store = parts().store
    if photo not in store.photos_of(match).values():
        raise Unknown("This match has no such photo.")
    answer = send_from_directory(store.photos, f"{photo}.jpg", mimetype="image/jpeg")
    answer.headers["Cache-Control"] = "private, max-age=31536000, immutable"
    return answer


@bp.post("/api/matches/<match>/proposals")
def propose(match: str) -> Response:
    """Say what the rules make of pieces that a person taps in; nothing is stored."""
    sent = body(Tapped)
    now = matches.load(parts().store, match)
    check_after(sent.after, now.seq)
    table = sent.table()
    check_cells(table, matches.equipment(now))
    proposal, preview = matches.propose(now, table)
    return jsonify(proposal_view(proposal, preview, now.row.names))
