"""“What would be best?”: a page and a part of one, and the same in the JSON interface."""

from __future__ import annotations

import secrets

from flask import Blueprint, Response, jsonify, render_template, request

from webui.api.answers import plain
from webui.api.answers.moves import AdviceView, ChoiceView
from webui.api.requests import AskAdvice, body
from webui.errors import Refused, problem
from webui.match import match as matches
from webui.match.advice import choices, coach_turn
from webui.match.summary import sentence
from webui.services import parts

bp = Blueprint("advice", __name__)

SHOWN = 12  # choices on a page; the JSON interface tells all


@bp.post("/api/matches/<match>/advice")
def ask(match: str) -> Response:
    """Return what may be done now, the best first. Nothing is stored, the hand least of all."""
    found = choices(matches.load(parts().store, match), body(AskAdvice).hand)
    told = [ChoiceView(one.move, one.value, one.why) for one in found]
    return jsonify(plain(AdviceView(told)))


@bp.route("/m/<match>/advice", methods=["GET", "POST"])
def page(match: str) -> str | tuple[str, int]:
    """Show what would be best; a hand comes by POST, so that no address keeps it."""
    return _shown("advice.html", match)


@bp.route("/m/<match>/advice/list", methods=["GET", "POST"])
def part(match: str) -> str | tuple[str, int]:
    """Return the same as a part of the match's page."""
    return _shown("_advice.html", match)


@bp.route("/m/<match>/coach", methods=["GET", "POST"])
def coach_page(match: str) -> str:
    """Show what the coach does in the seat that it took; a hand for it comes by POST."""
    return _coach("coach.html", match)


@bp.route("/m/<match>/coach/card", methods=["GET", "POST"])
def coach_card(match: str) -> str:
    """Return the same as a part of the match's page."""
    return _coach("_coach.html", match)


def _coach(template: str, match: str) -> str:
    now = matches.load(parts().store, match)
    turn = coach_turn(now, request.form.get("hand", ""))
    view = {"id": now.row.id, "seq": now.seq}
    return render_template(template, coach=turn, view=view, request_id=secrets.token_hex(12))


def _shown(template: str, match: str) -> str | tuple[str, int]:
    now = matches.load(parts().store, match)
    game, hand = now.rules(), request.form.get("hand", "")
    shown = {"match": now.row.id, "title": game.title, "example": game.hand, "hand": hand}
    try:
        found = choices(now, hand)
    except Refused as fault:
        # A part is shown where it was asked for, so it arrives as any other does.
        status = 200 if template.startswith("_") else problem(fault).status
        return render_template(template, fault=sentence(str(fault), "."), **shown), status
    return render_template(template, choices=found[:SHOWN], more=len(found[SHOWN:]), **shown)
