"""Past matches that this phone has opened, searchable by player, game and date."""

from typing import Any

from flask import Blueprint, render_template, request

from scorer import Malformed
from scorer.games import GAMES
from webui.errors import problem
from webui.http.roles import least, opened, token
from webui.match import past
from webui.match.past import Found
from webui.services import services
from webui.store.tables.phones import Role

bp = Blueprint("past", __name__)

NOTHING = Found((), 0, 1, 1)


@bp.get("/matches")
@least(Role.ANYBODY)
def page() -> str | tuple[str, int]:
    """Show a page of search results, or an error in the search terms."""
    sought = {name: request.args.get(name, "") for name in past.FIELDS}
    try:
        wanted = past.wanted(services().store, sought, opened())
    except Malformed as fault:
        refusal = problem(fault)
        return _shown(sought, NOTHING, refusal.sentence), refusal.status
    place: int = request.args.get("page", 1, type=int)
    return _shown(sought, past.search(services().store, wanted, place))


def _shown(sought: dict[str, str], found: Found, notice: str = "") -> str:
    phones, own = services().store.phones, token()
    given: dict[str, Any] = {name: text for name, text in sought.items() if text}
    return render_template(
        "past.html",
        found=found,
        sought=sought,
        given=given,
        games=GAMES.values(),
        named_games=[own[0] for _game, own in past.named_games(services().store, opened())],
        roles={match.id: phones.access(match.id, own).role for match in found.matches},
        player=Role.PLAYER,
        host=Role.HOST,
        notice=notice,
    )
