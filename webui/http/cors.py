"""Pages of other sites that may read and write here: none but those the owner has named (CORS).

They reach the JSON interface alone, and as strangers: no cookie of a phone counts with them.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from flask import Response, current_app, request

ORIGIN = re.compile(r"https?://[a-z0-9.\-]+(:\d+)?|https?://\[[0-9a-f:.]+\](:\d+)?")
METHODS = "GET, POST, DELETE"
HEADERS = "Authorization, Content-Type, Last-Event-ID"
KEPT_S = 600  # in which a browser does not ask again what it may do


def is_origin(text: str) -> bool:
    """Return True if *text* is what a browser calls a site: "https://example.org:8443"."""
    return ORIGIN.fullmatch(text) is not None


class NamedOrigins:
    """The sites that may call the JSON interface."""

    def __init__(self, origins: Collection[str] = ()) -> None:
        self._origins = frozenset(origins)

    def admits(self) -> bool:
        """Return True if this request comes from a page of one of them, and goes where it may."""
        return _of_api() and request.headers.get("Origin") in self._origins

    def preflight(self) -> Response | None:
        """Answer a browser that asks what a page of another site may do here."""
        asks = "Access-Control-Request-Method" in request.headers
        if request.method != "OPTIONS" or not asks or not self.admits():
            return None
        answer = Response(status=204)
        answer.headers["Access-Control-Allow-Methods"] = METHODS
        answer.headers["Access-Control-Allow-Headers"] = HEADERS
        answer.headers["Access-Control-Max-Age"] = str(KEPT_S)
        return answer

    def tell(self, response: Response) -> Response:
        """Let the page have the answer, where it may."""
        if self._origins and _of_api():
            response.vary.add("Origin")
        if self.admits():
            response.headers["Access-Control-Allow-Origin"] = request.headers["Origin"]
            response.headers["Access-Control-Expose-Headers"] = "Location, Retry-After"
        return response


def named_origins() -> NamedOrigins:
    """Return the sites that the app of this request admits."""
    found: NamedOrigins = current_app.extensions["origins"]
    return found


def _of_api() -> bool:
    return request.path.startswith("/api/")
