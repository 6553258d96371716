"""The statistics page: all players, one player, records, and how fair the dice are."""

from flask import Blueprint, render_template, request

from scorer import Malformed
from scorer.games import GAMES
from scorer.words import colour
from webui.api.answers.statistics import statistics_view
from webui.errors import RequestError, problem
from webui.http.roles import least, opened
from webui.languages import said
from webui.match import past
from webui.match.statistics.players import FIELDS, Statistics, look_up
from webui.pages.drawings.dice_chart import dice_chart
from webui.services import services
from webui.store.tables.phones import Role

bp = Blueprint("statistics", __name__)


@bp.get("/players")
@least(Role.ANYBODY)
def page() -> str | tuple[str, int]:
    """Show statistics of the matches that this phone has opened, or an error."""
    sought = {name: request.args.get(name, "") for name in FIELDS}
    try:
        return _shown(sought, *look_up(services().store, sought, opened()))
    except (Malformed, RequestError) as fault:
        refusal = problem(fault)
        found = Statistics((), (), {})
        return _shown(sought | {"name": ""}, found, 0, refusal.sentence), refusal.status


def _shown(sought: dict[str, str], found: Statistics, left: int, notice: str = "") -> str:
    view = statistics_view(found, left)
    return render_template(
        "statistics.html",
        view=view,
        player=view["players"][0] if sought["name"] else None,
        charts=[dice_chart(dice, said(colour(dice["colour"]))) for dice in view["dice"]],
        sought=sought,
        kept={name: sought[name] for name in FIELDS[1:] if sought[name]},
        games=GAMES.values(),
        named_games=[own[0] for _game, own in past.named_games(services().store, opened())],
        notice=notice,
    )
