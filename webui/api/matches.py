"""Matches and their steps in the JSON interface, which `webui.api.openapi` describes."""

from __future__ import annotations

import json
import logging
from typing import Any

from flask import Blueprint, Response, current_app, jsonify, request
from prometheus_client import CONTENT_TYPE_LATEST
from sqlalchemy.exc import SQLAlchemyError

from scorer import Malformed
from scorer.games import GAMES
from scorer.messages import _, raw
from scorer.sentence import MOST
from webui.api.answers import plain
from webui.api.answers.server import DeletedMatch, Health, MatchAddress
from webui.api.openapi.document import document
from webui.api.requests import NewMatch, Note, Play, Redo, Undo, body, number, sought
from webui.api.serialize.games import game_view
from webui.api.serialize.history import MORE, parts_view, steps_view
from webui.api.serialize.match import match_view
from webui.api.serialize.moves import moves_json, sentence_view
from webui.api.serialize.past import past_view
from webui.api.serialize.statistics import statistics_view
from webui.errors import RequestError
from webui.http.health import UNREADABLE, Unwell
from webui.http.metrics import Metrics, check_reader
from webui.http.prefix import address_of
from webui.http.remembered import opened
from webui.http.roles import access, least
from webui.match import amend, at_table, past
from webui.match import match as matches
from webui.match import undo as undoing
from webui.match.statistics import players as stats
from webui.services import services
from webui.store.tables.phones import Role

bp = Blueprint("api", __name__)
log = logging.getLogger(__name__)


def _view(match: matches.Match) -> dict[str, Any]:
    return match_view(match, services().root)


# ---------------------------------------------------------------- games and matches


@bp.get("/healthz")
@least(Role.ANYBODY)
def health() -> Response:
    """Say that matches can be read and stored, and the last photos read; raises Unwell."""
    try:
        services().store.check()
    except RequestError as fault:
        raise Unwell(fault.args[0]) from fault
    except SQLAlchemyError as fault:
        log.exception("the matches cannot be read")
        raise Unwell(UNREADABLE) from fault
    services().outcomes.check()
    return jsonify(plain(Health(ok=True)))


@bp.get("/metrics")
@least(Role.ANYBODY)
def metrics() -> Response:
    """Return the figures of the server for Prometheus; raises NotYours."""
    check_reader(request)
    figures: Metrics = current_app.extensions["metrics"]
    return Response(figures.text(), content_type=CONTENT_TYPE_LATEST)


@bp.get("/api/openapi.json")
@least(Role.ANYBODY)
def openapi() -> Response:
    """Return the description of this interface."""
    return jsonify({**document(), "servers": [{"url": address_of("") or "/"}]})


@bp.get("/api/games")
@least(Role.ANYBODY)
def games() -> Response:
    """Return the games there are, with their settings."""
    return jsonify({"games": [game_view(game) for game in GAMES.values()]})


@bp.post("/api/matches")
@least(Role.ANYBODY, spends="matches")
def create() -> tuple[Response, int]:
    """Make a match."""
    sent = body(NewMatch)
    made = matches.create(
        services().store, sent.game, sent.names, sent.settings or {}, sent.opening
    )
    return jsonify(_view(made)), 201


@bp.get("/api/matches")
@least(Role.ANYBODY)
def find_past() -> Response:
    """Return a page of the matches that the asking phone has opened."""
    wanted = past.wanted(sought(), opened())
    found = past.search(services().store, wanted, number("page", 1))
    return jsonify(past_view(found, services().root))


@bp.get("/api/players")
@least(Role.ANYBODY)
def players() -> Response:
    """Return what the matches come to that the asking phone has opened, by player."""
    found, left = stats.look_up(services().store, sought(), opened())
    return jsonify(statistics_view(found, left))


@bp.get("/api/codes/<code>")
@least(Role.ANYBODY)
def find(code: str) -> Response:
    """Return the match with a join code."""
    found = services().join(code)
    return jsonify(plain(MatchAddress(found, f"{services().root}m/{found}")))


@bp.get("/api/matches/<match_id>")
@least(Role.WATCHER)
def show(match_id: str) -> Response:
    """Return a match."""
    return jsonify(_view(matches.load(services().store, match_id)))


@bp.delete("/api/matches/<match_id>")
@least(Role.HOST)
def delete(match_id: str) -> Response:
    """Delete a match and all that is only its own."""
    return jsonify(plain(DeletedMatch(services().delete(match_id).photos)))


@bp.get("/api/matches/<match_id>/history")
@least(Role.WATCHER)
def history(match_id: str) -> Response:
    """Return older steps of a match."""
    match = matches.load(services().store, match_id)
    before = number("before", match.seq + 1)
    return jsonify(steps_view(match, matches.history(services().store, match, before, MORE), MORE))


@bp.get("/api/matches/<match_id>/because")
@least(Role.WATCHER)
def because(match_id: str) -> Response:
    """Return older parts of the tally of a match."""
    match = matches.load(services().store, match_id)
    return jsonify(parts_view(match, match.because(), number("before", None)))


# ---------------------------------------------------------------- steps


@bp.get("/api/matches/<match_id>/moves")
@least(Role.WATCHER)
def moves(match_id: str) -> Response:
    """Return the legal moves in words, those of one kind if that is asked for."""
    match = matches.load(services().store, match_id)
    kind = request.args.get("kind")
    if kind is not None and kind not in (kinds := [one.__name__ for one in match.rules().moves]):
        raise Malformed(
            _(
                "{title} has the moves {names}, not {kind}.",
                title=raw(match.rules().title),
                names=raw(", ".join(kinds)),
                kind=raw(kind),
            )
        )
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
@least(Role.WATCHER)
def sentence(match_id: str) -> Response:
    """Return what may follow the words that were said."""
    match = matches.load(services().store, match_id)
    return jsonify(sentence_view(match, request.args.get("said", "").split()))


@bp.post("/api/matches/<match_id>/moves")
@least(Role.PLAYER)
def play(match_id: str) -> tuple[Response, int]:
    """Store confirmed moves."""
    sent = body(Play)
    store, right = services().store, sent.instead
    given: Any = {"by": sent.by, "sighting": sent.sighting, "request": sent.request}
    given["access"] = access()
    replaced = right.moves if right else ()
    at_table.check_confirmed(store, match_id, sent.after, (*sent.moves, *replaced), sent.confirmed)
    if right is None:
        if sent.sighting is None:
            services().cameras.check_entered(match_id, sent.after, sent.moves)
        match = matches.play(store, match_id, sent.after, sent.moves, **given)
    else:
        match = amend.amend(store, match_id, sent.after, right, sent.moves, **given)
    return _stored(match)


@bp.post("/api/matches/<match_id>/undo")
@least(Role.PLAYER)
def undo(match_id: str) -> tuple[Response, int]:
    """Take steps back."""
    sent = body(Undo)
    given: Any = {"by": sent.by, "request": sent.request, "access": access()}
    return _stored(undoing.undo(services().store, match_id, sent.after, to=sent.to, **given))


@bp.post("/api/matches/<match_id>/redo")
@least(Role.PLAYER)
def redo(match_id: str) -> tuple[Response, int]:
    """Put steps back that were taken back."""
    sent = body(Redo)
    place = services().store, match_id, sent.after, sent.step
    return _stored(undoing.redo(*place, by=sent.by, request=sent.request, access=access()))


@bp.post("/api/matches/<match_id>/notes")
@least(Role.PLAYER)
def note(match_id: str) -> tuple[Response, int]:
    """Store a note on a step."""
    sent = body(Note)
    place = services().store, match_id, sent.after, sent.step, sent.text
    return _stored(undoing.write_note(*place, by=sent.by, request=sent.request))


def _stored(match: matches.Match) -> tuple[Response, int]:
    """Answer a match that has changed, and tell every phone."""
    services().live.announce(match.row.id, match.seq)
    return jsonify(_view(match)), 201
