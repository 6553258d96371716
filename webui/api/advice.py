"""“What would be best?” in the JSON interface."""

from __future__ import annotations

from flask import Blueprint, Response, jsonify

from webui.api.answers import plain
from webui.api.answers.moves import AdviceView, ChoiceView
from webui.api.requests import AskAdvice, body
from webui.http.roles import least
from webui.match import match as matches
from webui.match.advice import choices
from webui.services import services
from webui.store.tables.phones import Role

bp = Blueprint("advice_api", __name__)


@bp.post("/api/matches/<match_id>/advice")
@least(Role.WATCHER)
def ask(match_id: str) -> Response:
    """Return what may be done now, the best first. Nothing is stored, the hand least of all."""
    found = choices(matches.load(services().store, match_id), body(AskAdvice).hand)
    views = [ChoiceView(one.move, one.value, one.why) for one in found]
    return jsonify(plain(AdviceView(views)))
