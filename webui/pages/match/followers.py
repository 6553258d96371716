"""The host's page of a match's followers: overlay tokens and webhooks."""

from typing import Any

from flask import Blueprint, render_template, request

from scorer import Malformed
from scorer.messages import _
from webui.api.followers import addresses, new_viewer, new_webhook, revoke, tried
from webui.errors import RequestError, problem
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
    """Make or remove a token or a webhook, or send a test."""
    load(match_id)
    try:
        return _shown(match_id, **_done(match_id, request.form.get("do", "")))
    except (RequestError, Malformed) as fault:
        refused = problem(fault)
        return _shown(match_id, notice=refused.sentence, typed=request.form), refused.status


def _done(match_id: str, do: str) -> dict[str, Any]:
    """Perform the action of a button; return its result. Raises Malformed, RequestError."""
    number = request.form.get("number", -1, type=int)
    if do == "view":
        row, token = new_viewer(match_id, request.form.get("name", ""))
        return {"viewer": row, "addresses": addresses(token), "token": token}
    if do == "hook":
        return {"webhook": new_webhook(match_id, request.form.get("url", "").strip())}
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
