"""The screen of the table, `/screen`: for an unattended television at the server's own machine.

It shows the last played match as its big screen, with the code to join; without one, and hours
after it, how to connect a phone: QR codes for the Wi-Fi and the address. On other machines it shows
only the latter, as the code would let them play.
"""

from datetime import UTC, datetime, timedelta
from typing import Any

from flask import Blueprint, render_template
from markupsafe import Markup

from webui.http.guests import from_this_machine, handed_on
from webui.http.qr import svg, wifi_svg
from webui.http.roles import least
from webui.pages import screen
from webui.services import services
from webui.store.rows import MatchRow
from webui.store.tables.phones import Role

bp = Blueprint("table_screen", __name__)

LATELY = timedelta(hours=4)  # since the last step, after which the evening is over
WAITING_S, PLAYING_S, OVER_S = 5, 300, 20  # until the next check for another match


@bp.get("/screen")
@least(Role.ANYBODY)
def page() -> str:
    """Show the current match, or how to connect."""
    row = _played() if from_this_machine() else None
    if row is None:
        return render_template("welcome.html", again=WAITING_S, **_welcome())
    drawn = screen.shown(row, invites=True)
    again = OVER_S if drawn["view"]["over"] else PLAYING_S
    return render_template("board.html", again=again, **drawn)


def _played() -> MatchRow | None:
    store = services().store
    for row in store.played_last(1):
        events = store.events(row.id, store.seq(row.id) - 1)
        at = events[-1].at if events else row.created_at
        if datetime.now(UTC) - datetime.fromisoformat(at) < LATELY:
            return row
    return None


def _welcome() -> dict[str, Any]:
    wifi, root = services().settings.wifi, services().root
    shown = None if handed_on() else wifi
    return {
        "address": root.partition("://")[2].rstrip("/"),
        "qr": Markup(svg(root)),  # noqa: S704  # our own drawing of our own address
        "wifi": shown,
        "wifi_qr": shown and Markup(wifi_svg(shown.name, shown.password)),  # noqa: S704  # likewise
    }
