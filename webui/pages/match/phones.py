"""The phones at the table, and their rights, which the host sets."""

from collections.abc import Callable
from typing import Any

from flask import Blueprint, redirect, render_template, request, url_for
from markupsafe import Markup
from werkzeug.wrappers import Response

from scorer import Malformed
from scorer.messages import _
from webui.errors import RequestError, problem
from webui.http.bodies import typed_number
from webui.http.qr import svg
from webui.http.roles import device, least, own_token, token
from webui.match.match import Match, check_seat
from webui.match.points import by_person
from webui.pages.match.match import load
from webui.services import services
from webui.store.log import now
from webui.store.tables.phones import PhoneTable, Role

bp = Blueprint("phones", __name__)

CHOOSE = _("Choose one of the buttons on this page.")


@bp.get("/m/<match_id>/phones", endpoint="page", defaults={"template": "phones.html"})
@bp.get("/m/<match_id>/phones/list", endpoint="part", defaults={"template": "_phones.html"})
@least(Role.WATCHER)
def show(match_id: str, template: str) -> str:
    """Show the phones; `?key=` offers to make this phone the host."""
    return _shown(template, load(match_id))


@bp.post("/m/<match_id>/phones")
@least(Role.HOST)
def change(match_id: str) -> str | Response | tuple[str, int]:
    """Change a phone's rights as the host, or become the host of a match without one."""
    match, do, at = load(match_id), request.form.get("do", ""), now()
    try:
        if do == "key":
            return _shown("phones.html", match, services().store.phones.new_key(match_id))
        _act(services().store.phones, match, do, at)
    except (RequestError, Malformed) as fault:
        refused = problem(fault)
        return _shown("phones.html", match, notice=refused.sentence), refused.status
    services().live.tell(match_id, "roles", at)
    return _back(match_id)


@bp.post("/m/<match_id>/phones/host")
@least(Role.WATCHER)
def take_over(match_id: str) -> Response:
    """Make this phone the host with a one-time key."""
    services().store.match(match_id)
    key, at = request.form.get("key", ""), now()
    services().store.phones.use_key(match_id, key, own_token(), device(), at)
    services().live.tell(match_id, "roles", at)
    return _back(match_id)


def _back(match_id: str) -> Response:
    return redirect(url_for(".page", match_id=match_id), 303)


def _act(phones: PhoneTable, match: Match, do: str, at: str) -> None:
    match_id, number = match.row.id, typed_number(request.form.get("phone", ""))
    acts: dict[str, Callable[[], object]] = {
        "begin": lambda: phones.begin(match_id, own_token(), device(), at),
        "play": lambda: phones.let(match_id, number, "plays", at),
        "watch": lambda: phones.let(match_id, number, "watches", at),
        "remove": lambda: phones.let(match_id, number, "removed", at),
        "host": lambda: phones.hand_on(match_id, number, at),
        "lock": lambda: phones.lock(match_id, _seat(match), number, at),
        "unlock": lambda: phones.unlock(match_id, _seat(match), at),
        "open": lambda: phones.set_closed(match_id, at, closed=False),
        "close": lambda: phones.set_closed(match_id, at, closed=True),
    }
    if do not in acts:
        raise Malformed(CHOOSE)
    acts[do]()


def _seat(match: Match) -> int:
    return check_seat(match, typed_number(request.form.get("seat", ""))) or 0


def _shown(template: str, match: Match, key: str = "", notice: str = "") -> str:
    row, phones, root = match.row, services().store.phones, services().root
    access = phones.access(row.id, token())
    look = f"{root}m/{row.screen}/board"
    own: dict[str, Any] = {"key": key, "key_address": f"{root}m/{row.id}/phones?key={key}"}
    return render_template(
        template,
        match_id=row.id,
        names=by_person(match),
        access=access,
        is_host=access.role is Role.HOST,
        phones=phones.all(row.id) if access.host is not None else (),
        look=look,
        qr=Markup(svg(look)),  # noqa: S704  # our own drawing of our own address
        given_key=request.args.get("key", ""),
        key_qr=Markup(svg(own["key_address"])) if key else "",  # noqa: S704  # likewise
        notice=notice,
        **own,
    )
