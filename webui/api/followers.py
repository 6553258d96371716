"""Who follows a match from outside: tokens to look at it, webhooks, and what a token shows."""

from __future__ import annotations

from flask import Blueprint, Response, jsonify, request

from scorer.messages import _
from webui.api.answers import plain
from webui.api.answers.followers import (
    NewViewerView,
    NewWebhookView,
    Tried,
    Viewers,
    ViewerView,
    Webhooks,
    WebhookView,
)
from webui.api.live import stream_of
from webui.api.requests import NewViewer, NewWebhook, body
from webui.api.serialize.match import shown_view
from webui.errors import NotFound
from webui.http.roles import least
from webui.languages import said
from webui.match import match as matches
from webui.match.player_names import check_note
from webui.outside.deliveries import try_webhook
from webui.outside.post import NotDelivered, target
from webui.services import services
from webui.store.log import now
from webui.store.rows import MatchRow
from webui.store.tables.phones import GONE, Role, ViewerRow
from webui.store.tables.webhooks import WebhookRow

bp = Blueprint("followers_api", __name__)

NO_TOKEN = _("This token shows no match. It was mistyped, or the host has revoked it.")
BEARER = "Bearer "


# ---------------------------------------------------------------- tokens


@bp.get("/api/matches/<match_id>/viewers")
@least(Role.HOST)
def viewers(match_id: str) -> Response:
    """Return the tokens of a match."""
    services().store.match(match_id)
    found = services().store.viewers.all(match_id)
    return jsonify(plain(Viewers([_viewer(one) for one in found])))


@bp.post("/api/matches/<match_id>/viewers")
@least(Role.HOST)
def add_viewer(match_id: str) -> tuple[Response, int]:
    """Make a token."""
    services().store.match(match_id)
    row, token = new_viewer(match_id, body(NewViewer).name)
    return jsonify(plain(NewViewerView(_viewer(row), token, *addresses(token)))), 201


def new_viewer(match_id: str, name: str) -> tuple[ViewerRow, str]:
    """Make a token, named as the host says; raises Malformed, RequestError."""
    return services().store.viewers.add(match_id, check_note(name), now())


def addresses(token: str) -> tuple[str, str]:
    """Return where a token shows the big screen, and a strip of it."""
    screen = f"{services().root}m/{token}/board"
    return screen, f"{screen}?plain"


@bp.delete("/api/matches/<match_id>/viewers/<int:number>")
@least(Role.HOST)
def remove_viewer(match_id: str, number: int) -> tuple[str, int]:
    """Revoke a token."""
    revoke(match_id, number)
    return "", 204


def revoke(match_id: str, number: int) -> None:
    """Revoke a token, and end what it has open; raises NotFound."""
    at = now()
    services().store.viewers.remove(match_id, number, at)
    services().live.revoke(match_id, at)


def _viewer(row: ViewerRow) -> ViewerView:
    return ViewerView(row.number, row.name, row.at)


@bp.get("/api/view")
@least(Role.ANYBODY)
def view() -> Response:
    """Return the match that a token shows."""
    match = matches.load(services().store, _shown().id)
    return jsonify(shown_view(match))


@bp.get("/api/view/events")
@least(Role.ANYBODY)
def view_events() -> Response:
    """Stream what happens at it."""
    return stream_of(_shown())


def _shown() -> MatchRow:
    """Return the match that the token of this request shows; raises NotFound."""
    header = request.headers.get("Authorization", "")
    sent = header.removeprefix(BEARER) if header.startswith(BEARER) else ""
    try:
        return services().store.shown_at(request.args.get("token", sent))
    except NotFound:
        raise NotFound(NO_TOKEN) from None


# ---------------------------------------------------------------- webhooks


@bp.get("/api/matches/<match_id>/webhooks")
@least(Role.HOST)
def webhooks(match_id: str) -> Response:
    """Return the webhooks of a match."""
    services().store.match(match_id)
    found = services().store.webhooks.all(match_id)
    return jsonify(plain(Webhooks([_webhook(one) for one in found])))


@bp.post("/api/matches/<match_id>/webhooks")
@least(Role.HOST)
def add_webhook(match_id: str) -> tuple[Response, int]:
    """Make a webhook."""
    services().store.match(match_id)
    row = new_webhook(match_id, body(NewWebhook).url)
    return jsonify(plain(NewWebhookView(_webhook(row), row.secret))), 201


def new_webhook(match_id: str, url: str) -> WebhookRow:
    """Make a webhook; raises Malformed, RequestError."""
    target(url)
    return services().store.webhooks.add(match_id, url, now())


@bp.delete("/api/matches/<match_id>/webhooks/<int:number>")
@least(Role.HOST)
def remove_webhook(match_id: str, number: int) -> tuple[str, int]:
    """Send no more there."""
    services().store.webhooks.remove(match_id, number)
    return "", 204


@bp.post("/api/matches/<match_id>/webhooks/<int:number>/test")
@least(Role.HOST)
def test_webhook(match_id: str, number: int) -> Response:
    """Send a test there."""
    fault = tried(match_id, number)
    return jsonify(plain(Tried(fault is None, fault)))


def tried(match_id: str, number: int) -> str | None:
    """Send a test to a webhook; return why it did not arrive, None if it did. Raises NotFound."""
    store = services().store
    row = next((one for one in store.webhooks.all(match_id) if one.number == number), None)
    if row is None:
        raise NotFound(GONE)
    try:
        try_webhook(store, row, private=services().private_webhooks)
    except NotDelivered as fault:
        return said(fault.reason)
    services().live.announce(match_id, store.seq(match_id))  # it is sent what it has missed
    return None


def _webhook(row: WebhookRow) -> WebhookView:
    fault = None if row.fault is None else said(row.fault)
    how = row.failing_since, fault, row.given_up
    return WebhookView(row.number, row.url, row.at, row.seq, *how)
