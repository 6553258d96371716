"""Which phone may do what at a match: each route declares the least role it needs.

A phone is known by a token in a cookie, which it is given with the first match that it opens.
"""

import re
import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeVar

from flask import current_app, g, request
from werkzeug.wrappers import Response

from scorer.messages import _
from webui.errors import NotAllowed
from webui.http.guests import proxied
from webui.http.hosts import SAFE, cookie_path, named_origins
from webui.store.tables.phones import Access, PhoneTable, Role
from webui.store.tables.search import Opened

ViewFunction = TypeVar("ViewFunction", bound=Callable[..., Any])

Spends = Literal["photos", "matches", "forms", "frames"]  # frames of a camera are bytes alone

COOKIE = "phone"
YEAR = 365 * 24 * 3600  # seconds
TOKEN = re.compile(r"[0-9a-f]{32}")
DEVICES = ("iPhone", "iPad", "Android", "Windows", "Macintosh", "Linux")
WATCHES = _("This phone only watches this match. Its host can let it play.")
NOT_HOST = _("Only the host's phone can do this.")


@dataclass(frozen=True, slots=True)
class Least:
    """The least role that may read at an address, and that may write there."""

    reads: Role
    writes: Role
    spends: Spends = "forms"  # of a guest's share (`webui.http.shares`)


def least(
    role: Role, *, writes: Role | None = None, spends: Spends = "forms"
) -> Callable[[ViewFunction], ViewFunction]:
    """Declare the least role that a view needs, another one for what it *writes*.

    What is sent to it *spends* of a guest's share.
    """

    def declared(view: ViewFunction) -> ViewFunction:
        view.least = Least(role, writes or role, spends)  # type: ignore[attr-defined]
        return view

    return declared


def declared_least(view: Callable[..., Any]) -> Least:
    """Return what a view declares; one that declares nothing is for hosts alone."""
    found: Least = getattr(view, "least", Least(Role.HOST, Role.HOST))
    return found


def needed() -> Least | None:
    """Return what the view of this request declares; None where there is nothing at its address."""
    found = request.endpoint
    return None if found is None else declared_least(current_app.view_functions[found])


def admission(phones: PhoneTable) -> Callable[[], None]:
    """Return the check of every request: may this phone do that at this match?"""

    def check() -> None:
        if (least := needed()) is None:
            return
        role = least.reads if request.method in SAFE else least.writes
        match_id = (request.view_args or {}).get("match_id")
        if role <= Role.WATCHER or match_id is None:
            return  # whoever has the address may look
        g.access = phones.access(match_id, token())
        check_role(g.access, role)

    return check


def check_role(has: Access, role: Role) -> None:
    """Raise NotAllowed if what a phone *has* is less than a role."""
    if has.role < role:
        raise NotAllowed(WATCHES if has.role is Role.WATCHER else NOT_HOST)


def access() -> Access:
    """Return what the phone of this request may do, where its route needs a player or the host."""
    found: Access = g.access
    return found


def token() -> str:
    """Return the token that the phone of this request keeps, or is given now; "" if none.

    What a page of another site asks is not asked by the phone.
    """
    if named_origins().admits():
        return ""
    kept = request.cookies.get(COOKIE, "")
    return kept if TOKEN.fullmatch(kept) else str(g.get("new_token", ""))


def kept_token() -> str:
    """Return the token that the phone of this request has sent; "" where it has none yet."""
    return "" if "new_token" in g else token()


def own_token() -> str:
    """Return the token of the phone of this request, which is given one if it has none."""
    if not token():
        g.new_token = secrets.token_hex(16)
    return token()


def hand_out(answer: Response) -> Response:
    """Return *answer* with the token that its phone was given."""
    if made := g.pop("new_token", None):
        kept: Any = {"max_age": YEAR, "path": cookie_path(), "httponly": True, "samesite": "Lax"}
        # By its own secure door a server is reached without TLS too, as the same phone.
        answer.set_cookie(COOKIE, made, secure=proxied() and request.is_secure, **kept)
    return answer


def device() -> str:
    """Return what kind of device the request comes from, as far as its browser says; "" if not."""
    agent = request.headers.get("User-Agent", "")
    return next((name for name in DEVICES if name in agent), "")


# ---------------------------------------------------------------- matches opened last

REMEMBERED = "matches"  # a cookie: the ids of the matches opened last, the newest first
MOST = 24  # matches: a cookie has four thousand bytes
ID = re.compile(r"[\w-]{1,64}", re.ASCII)


def ids() -> list[str]:
    """Return the ids that the phone of this request has kept."""
    kept = request.cookies.get(REMEMBERED, "").split(".")
    return [match_id for match_id in kept if ID.fullmatch(match_id)][:MOST]


def opened() -> Opened:
    """Return what the phone of this request has opened, lately or long ago."""
    return Opened(token(), ids())


def remember(answer: Response, match_id: str) -> Response:
    """Return *answer*, which has the phone keep a match as the newest one."""
    return _keep(answer, [match_id, *_without(match_id)][:MOST])


def forget(answer: Response, match_id: str) -> Response:
    """Return *answer*, which has the phone keep a match no more."""
    return _keep(answer, _without(match_id))


def _without(match_id: str) -> list[str]:
    return [kept for kept in ids() if kept != match_id]


def _keep(answer: Response, kept: Sequence[str]) -> Response:
    if kept != ids():
        whole = ".".join(kept)
        kept_as: Any = {"max_age": YEAR, "httponly": True, "samesite": "Lax"}
        answer.set_cookie(REMEMBERED, whole, path=cookie_path(), **kept_as)
    return answer
