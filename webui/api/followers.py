"""Who follows a match from outside: tokens to look at it, webhooks, and what a token shows."""

from typing import Annotated, TypedDict

from flask import Response, request

from scorer.messages import _
from webui.api.answers import Time
from webui.api.answers.match import ShownView, shown_view
from webui.api.live import AFTER, STREAM_OF_EVENTS, stream_of
from webui.api.schema import TEXT, Schema, query, ref
from webui.api.sent import NewViewer, NewWebhook
from webui.errors import NotFound
from webui.http.address import address
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

NO_TOKEN = _("This token shows no match. It was mistyped, or the host has revoked it.")
BEARER = "Bearer "
TOKEN = query("token", TEXT, "the token, unless it is sent as `Authorization: Bearer`")
STORED = (503, 507)
SENT_TO_WEBHOOKS: Schema = {
    "event": {
        "post": {
            "summary": "An event, signed as Standard Webhooks has it; one that is not taken comes"
            " again, for a day.",
            "parameters": [
                {"name": f"Webhook-{name}", "in": "header", "required": True, "schema": TEXT}
                for name in ("Id", "Timestamp", "Signature")
            ],
            "requestBody": {
                "required": True,
                "content": {"application/json": {"schema": ref("MatchEvent")}},
            },
            "responses": {
                "2XX": {"description": "It is taken."},
                "410": {"description": "No more is to be sent."},
            },
        }
    }
}


# ---------------------------------------------------------------- tokens


class ListedViewer(TypedDict):
    """Somebody with a token to look at the match."""

    number: int
    name: str
    at: Annotated[Time, "when it was made"]


class Viewers(TypedDict):
    """Everybody with one."""

    viewers: list[ListedViewer]


class ViewerView(TypedDict):
    """A token, which is shown this once."""

    viewer: ListedViewer
    token: str
    screen: Annotated[str, "the address of the big screen with it"]
    overlay: Annotated[str, "the same as a strip on a transparent page, for a stream's picture"]


@address("GET", "/api/matches/<match_id>/viewers", Role.HOST, errors=[403])
def viewers(match_id: str) -> Viewers:
    """The tokens to look at the match."""
    services().store.match(match_id)
    return Viewers(viewers=[_viewer(one) for one in services().store.viewers.all(match_id)])


@address("POST", "/api/matches/<match_id>/viewers", Role.HOST, status=201, errors=STORED)
def add_viewer(match_id: str, sent: NewViewer) -> ViewerView:
    """Make a token to look at the match and never play."""
    services().store.match(match_id)
    row, token = new_viewer(match_id, sent.name)
    screen, overlay = addresses(token)
    return ViewerView(viewer=_viewer(row), token=token, screen=screen, overlay=overlay)


def new_viewer(match_id: str, name: str) -> tuple[ViewerRow, str]:
    """Make a token, named as the host says; raises Malformed, RequestError."""
    return services().store.viewers.add(match_id, check_note(name), now())


def addresses(token: str) -> tuple[str, str]:
    """Return where a token shows the big screen, and a strip of it."""
    screen = f"{services().root}m/{token}/board"
    return screen, f"{screen}?plain"


@address(
    "DELETE",
    "/api/matches/<match_id>/viewers/<int:number>",
    Role.HOST,
    status=204,
    errors=[403, *STORED],
)
def remove_viewer(match_id: str, number: int) -> None:
    """Revoke a token."""
    revoke(match_id, number)


def revoke(match_id: str, number: int) -> None:
    """Revoke a token, and end what it has open; raises NotFound."""
    at = now()
    services().store.viewers.remove(match_id, number, at)
    services().live.tell(match_id, "revoked", at)  # who still may look comes back at once


def _viewer(row: ViewerRow) -> ListedViewer:
    return ListedViewer(number=row.number, name=row.name, at=row.at)


@address("GET", "/api/view", Role.ANYBODY, errors=[404], query=[TOKEN])
def view() -> ShownView:
    """The match that a token shows."""
    return shown_view(matches.load(services().store, _shown().id))


@address(
    "GET",
    "/api/view/events",
    Role.ANYBODY,
    answer=STREAM_OF_EVENTS,
    errors=[400, 404, 503],
    query=[TOKEN, AFTER],
)
def view_events() -> Response:
    """What happens at that match from now on."""
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


class ListedWebhook(TypedDict):
    """An address that is sent each event, and how that goes."""

    number: int
    url: str
    at: Annotated[Time, "when it was made"]
    seq: Annotated[int, "the last event that it has taken, or that was before it"]
    failing_since: Annotated[Time | None, "since when the next event is tried"]
    fault: Annotated[str | None, "why that was not delivered"]
    given_up: Annotated[bool, "nothing more is sent, until a test arrives"]


class Webhooks(TypedDict):
    """Every address."""

    webhooks: list[ListedWebhook]


class WebhookView(TypedDict):
    """A new webhook with the secret that signs what is sent, which is shown this once."""

    webhook: ListedWebhook
    secret: str


class Tried(TypedDict):
    """Whether a test arrived."""

    delivered: bool
    fault: Annotated[str | None, "why it did not"]


@address("GET", "/api/matches/<match_id>/webhooks", Role.HOST, errors=[403])
def webhooks(match_id: str) -> Webhooks:
    """The addresses that are sent each event."""
    services().store.match(match_id)
    return Webhooks(webhooks=[_webhook(one) for one in services().store.webhooks.all(match_id)])


@address("POST", "/api/matches/<match_id>/webhooks", Role.HOST, status=201, errors=STORED)
def add_webhook(match_id: str, sent: NewWebhook) -> WebhookView:
    """Let an address be sent each event from now on."""
    services().store.match(match_id)
    row = new_webhook(match_id, sent.url)
    return WebhookView(webhook=_webhook(row), secret=row.secret)


def new_webhook(match_id: str, url: str) -> WebhookRow:
    """Make a webhook; raises Malformed, RequestError."""
    target(url)
    return services().store.webhooks.add(match_id, url, now())


@address(
    "DELETE",
    "/api/matches/<match_id>/webhooks/<int:number>",
    Role.HOST,
    status=204,
    errors=[403, *STORED],
)
def remove_webhook(match_id: str, number: int) -> None:
    """Send no more there."""
    services().store.webhooks.remove(match_id, number)


@address(
    "POST", "/api/matches/<match_id>/webhooks/<int:number>/test", Role.HOST, errors=[403, *STORED]
)
def test_webhook(match_id: str, number: int) -> Tried:
    """Send a test there."""
    fault = tried(match_id, number)
    return Tried(delivered=fault is None, fault=fault)


def tried(match_id: str, number: int) -> str | None:
    """Send a test to a webhook; return why it did not arrive, None if it did. Raises NotFound."""
    store = services().store
    row = next((one for one in store.webhooks.all(match_id) if one.number == number), None)
    if row is None:
        raise NotFound(GONE)
    try:
        try_webhook(store, row, services().webhooks)
    except NotDelivered as fault:
        return said(fault.reason)
    services().live.announce(match_id, store.seq(match_id))  # it is sent what it has missed
    return None


def _webhook(row: WebhookRow) -> ListedWebhook:
    return ListedWebhook(
        number=row.number,
        url=row.url,
        at=row.at,
        seq=row.seq,
        failing_since=row.failing_since,
        fault=None if row.fault is None else said(row.fault),
        given_up=row.given_up,
    )
