"""The host's page of a match's followers: overlay tokens and webhooks."""

from typing import Any

from flask import Blueprint, render_template, request

from scorer import Malformed
from scorer.messages import _
from webui.api.followers import addresses, new_viewer, new_webhook, revoke, tried
from webui.errors import RequestError, problem
from webui.http.bodies import typed_number
from webui.http.roles import least
from webui.languages import said
from webui.outside.post import target
from webui.pages.match.match import load
from webui.pages.match.phones import CHOOSE
from webui.services import services
from webui.store.tables.phones import Role

bp = Blueprint("followers", __name__)

ARRIVED = _("The test arrived.")


@bp.get("/m/<match_id>/followers")
@least(Role.HOST)
def page(match_id: str) -> str:
    """Show the tokens and the webhooks of a match."""
    load(match_id)
    return _shown(match_id)


@bp.post("/m/<match_id>/followers")
@least(Role.HOST)
def change(match_id: str) -> str | tuple[str, int]:
    """Make or remove a token or a webhook, or send a test; other fields stay as typed."""
    load(match_id)
    typed = {name: request.form.get(name, "") for name in ("name", "url")}
    try:
        done = _done(match_id, request.form.get("do", ""), typed)
        return _shown(match_id, typed=typed, **done)
    except (RequestError, Malformed) as fault:
        refused = problem(fault)
        return _shown(match_id, notice=refused.sentence, typed=typed), refused.status


def _done(match_id: str, pressed: str, typed: dict[str, str]) -> dict[str, Any]:
    do, _space, at = pressed.partition(" ")
    number = typed_number(at)
    if do == "enter":
        do = "hook" if typed["url"] and not typed["name"] else "view"
    if do == "view":
        row, token = new_viewer(match_id, typed["name"])
        typed["name"] = ""
        return {"viewer": row, "addresses": addresses(token), "token": token}
    if do == "hook":
        made = new_webhook(match_id, typed["url"].strip())
        typed["url"] = ""
        return {"webhook": made}
    if do == "test":
        fault = tried(match_id, number)
        return {"notice": fault} if fault else {"says": ARRIVED}
    if do == "revoke":
        revoke(match_id, number)
    elif do == "unhook":
        services().store.webhooks.remove(match_id, number)
    else:
        raise Malformed(CHOOSE)
    return {}


def _shown(match_id: str, **made: Any) -> str:
    """Return the page; refused input, `typed`, stays in its fields."""
    store = services().store
    return render_template(
        "followers.html",
        match_id=match_id,
        viewers=store.viewers.all(match_id),
        webhooks=store.webhooks.all(match_id),
        said=said,
        host_of=lambda url: target(url).host,
        **{"typed": {}} | made,
    )
