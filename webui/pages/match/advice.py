"""“What may I do?” and “What would be best?”: each a page and a part of one."""

import secrets
from typing import Any

from flask import Blueprint, render_template, request

from webui.errors import RequestError, problem
from webui.http.roles import least
from webui.languages import said
from webui.match import match as matches
from webui.match.advice import choices, coach_turn
from webui.match.possible import possible
from webui.match.summary import sentence
from webui.pages.match.entered import number_fields
from webui.pages.rules.rule_pictures import bounds
from webui.services import services
from webui.store.tables.phones import Role

bp = Blueprint("advice", __name__)

SHOWN = 12  # choices on a page; the JSON interface has all
ASKED = ["GET", "POST"]


def _as(template: str, endpoint: str) -> dict[str, Any]:
    """Return what a page is shown with, and where its part is: `_` begins the name of that."""
    return {"endpoint": endpoint, "defaults": {"template": template}}


@bp.get("/m/<match_id>/may", **_as("may.html", "may_page"))
@bp.get("/m/<match_id>/may/list", **_as("_may.html", "may_part"))
@least(Role.WATCHER)
def may(match_id: str, template: str) -> str:
    """Show the possible moves with their scores."""
    match = matches.load(services().store, match_id)
    found, more = possible(match, SHOWN)
    return render_template(
        template,
        match_id=match.row.id,
        title=match.title,
        names=match.names,
        choices=found.choices,
        by_chance=found.by_chance,
        numbers=number_fields(match.rules(), match.state, match.names),
        more=more,
        bounds=bounds,
    )


@bp.route("/m/<match_id>/coach", methods=ASKED, **_as("coach.html", "coach_page"))
@bp.route("/m/<match_id>/coach/card", methods=ASKED, **_as("_coach.html", "coach_card"))
@least(Role.WATCHER)
def coach(match_id: str, template: str) -> str:
    """Show the coach's turn in its seat; its hand is sent by POST."""
    match = matches.load(services().store, match_id)
    turn = coach_turn(match, request.form.get("hand", ""))
    view = {"id": match.row.id, "seq": match.seq}
    return render_template(template, coach=turn, view=view, request_id=secrets.token_hex(12))


@bp.route("/m/<match_id>/advice", methods=ASKED, **_as("advice.html", "page"))
@bp.route("/m/<match_id>/advice/list", methods=ASKED, **_as("_advice.html", "part"))
@least(Role.WATCHER)
def advice(match_id: str, template: str) -> str | tuple[str, int]:
    """Show the best moves; a hand is sent by POST, so that no address contains it."""
    match = matches.load(services().store, match_id)
    game, hand = match.rules(), request.form.get("hand", "")
    shown = {"match_id": match.row.id, "title": match.title, "example": game.hand, "hand": hand}
    try:
        found = choices(match, hand)
    except RequestError as fault:
        # Errors of a part are shown in its place, so they are sent with status 200.
        status = 200 if template.startswith("_") else problem(fault).status
        return render_template(template, fault=sentence(said(*fault.args), "."), **shown), status
    return render_template(template, choices=found[:SHOWN], more=len(found[SHOWN:]), **shown)
