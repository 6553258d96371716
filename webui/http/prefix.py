"""Below a path of another site: `https://home.example/pipsight/` in the place of a host's top.

The path is given when the server is started, or a trusted proxy names it with each request
(`webui.http.guests`). Proxies may hand it on or take it off: both are answered.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from flask import request

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

PREFIX = re.compile(r"(?:/[\w~-][\w.~-]*)+", re.ASCII)
INGRESS = "pipsight.ingress"  # environ: the page stands in a frame of the program that hands it on


def plain_prefix(text: str) -> str:
    """Return the path that is meant, without a slash at its end; "" where *text* names none.

    >>> plain_prefix("/pipsight/"), plain_prefix("/"), plain_prefix("//other.example")
    ('/pipsight', '', '')
    """
    path = text.removesuffix("/")
    return path if PREFIX.fullmatch(path) else ""


def address_of(path: str) -> str:
    """Return the address of a *path* of the server, as the browser that asks reaches it."""
    return request.script_root + path


def cookie_path() -> str:
    """Return where cookies of this request belong: other programs at the same host get none."""
    return address_of("") or "/"


def in_frame() -> bool:
    """Return True if a trusted program shows this page within its own, as Home Assistant does."""
    return bool(request.environ.get(INGRESS))


class Below:
    """The WSGI app below *prefix*, or below what a trusted proxy has put into the environment."""

    def __init__(self, app: WSGIApplication, prefix: str) -> None:
        self._app, self._prefix = app, prefix

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Answer a request whose path may still have the prefix."""
        prefix = environ["SCRIPT_NAME"] = environ.get("SCRIPT_NAME") or self._prefix
        path = environ.get("PATH_INFO", "")
        if prefix and f"{path}/".startswith(f"{prefix}/"):
            environ["PATH_INFO"] = path.removeprefix(prefix) or "/"
        return self._app(environ, start_response)
