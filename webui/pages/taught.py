"""The page to choose or forget a family's own dice."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flask import Blueprint, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from webui.api.taught import named, says
from webui.services import services
from webui.store.taught import AdapterStore

bp = Blueprint("teach", __name__)


@bp.app_context_processor
def _for_templates() -> dict[str, Callable[..., Any]]:
    return {"pieces_say": lambda match: says(_adapters().used(match))}


def _adapters() -> AdapterStore:
    return AdapterStore(services().store)


@bp.get("/m/<match_id>/pieces")
def pieces_page(match_id: str) -> str:
    """Show which pieces there are and which this match uses."""
    row = services().store.match(match_id)
    adapters = _adapters()
    used = adapters.used(match_id)
    return render_template(
        "pieces.html", match=row, used=used, says=says(used), all=adapters.all(), named=named
    )


@bp.post("/m/<match_id>/pieces")
def choose(match_id: str) -> AnyResponse:
    """Use the chosen pieces, or none."""
    row = services().store.match(match_id)
    _adapters().use(row.id, request.form.get("pieces") or None)
    return redirect(url_for(".pieces_page", match_id=row.id), 303)


@bp.post("/m/<match_id>/pieces/forget")
def forget(match_id: str) -> AnyResponse:
    """Forget pieces that this match taught, for every match of this server; raises NotYours."""
    row = services().store.match(match_id)
    _adapters().forget(row.id, request.form.get("pieces", ""))
    return redirect(url_for(".pieces_page", match_id=row.id), 303)
