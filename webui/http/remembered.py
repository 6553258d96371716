"""The matches that a phone has opened last, kept by it as a cookie of their ids: the newest first.

The address of a match is the key to it, so nobody learns from this what they could not open before.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from flask import request
from werkzeug.wrappers import Response

from webui.http.prefix import cookie_path
from webui.http.roles import token
from webui.store.tables.search import Opened

COOKIE = "matches"
MOST = 24  # matches: a cookie has four thousand bytes
YEAR = 365 * 24 * 3600  # seconds
ID = re.compile(r"[\w-]{1,64}", re.ASCII)


def ids() -> list[str]:
    """Return the ids that the phone of this request has kept."""
    kept = request.cookies.get(COOKIE, "").split(".")
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
        answer.set_cookie(COOKIE, whole, path=cookie_path(), **kept_as)
    return answer
