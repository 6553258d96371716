"""Who follows a match from outside."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from webui.api.answers import Time
from webui.api.answers.match import GameName


@dataclass(frozen=True, slots=True)
class ViewerView:
    """Somebody with a token to look at the match."""

    number: int
    name: str
    at: Annotated[Time, "when it was made"]


@dataclass(frozen=True, slots=True)
class Viewers:
    """Everybody with one."""

    viewers: list[ViewerView]


@dataclass(frozen=True, slots=True)
class NewViewerView:
    """A token, which is told this once."""

    viewer: ViewerView
    token: str
    screen: Annotated[str, "the address of the big screen with it"]
    overlay: Annotated[str, "the same as a strip on a transparent page, for a stream's picture"]


@dataclass(frozen=True, slots=True)
class WebhookView:
    """An address that is sent each event, and how that goes."""

    number: int
    url: str
    at: Annotated[Time, "when it was made"]
    seq: Annotated[int, "the last event that it has taken, or that was before it"]
    failing_since: Annotated[Time | None, "since when the next event is tried"]
    fault: Annotated[str | None, "why that was not delivered"]
    given_up: Annotated[bool, "nothing more is sent, until a test arrives"]


@dataclass(frozen=True, slots=True)
class Webhooks:
    """Every address."""

    webhooks: list[WebhookView]


@dataclass(frozen=True, slots=True)
class NewWebhookView:
    """A new webhook with the secret that signs what is sent, which is told this once."""

    webhook: WebhookView
    secret: str


@dataclass(frozen=True, slots=True)
class Tried:
    """Whether a test arrived."""

    delivered: bool
    fault: Annotated[str | None, "why it did not"]


@dataclass(frozen=True, slots=True)
class ShownMatch:
    """What names a match for somebody who only looks."""

    public: Annotated[str, "names the match in its events"]
    game: GameName
    names: list[str]
    created_at: Time
    seq: Annotated[int, "the newest event"]
