"""Which requests are meant for this server, below which path, and what other sites may do.

A page of another site can make a visitor's browser call any address. Two checks keep it out:
the Host header must name this server (or a foreign name could be pointed at our address, "DNS
rebinding", and its scripts would read every match), and what writes must come from our own page.
An address is no name that could be pointed elsewhere, so those of home networks are let in: behind
a published port, of a container say, the server cannot know which of them the phones open.

Sites that the owner has named reach the JSON interface alone (CORS), and as strangers: no cookie of
a phone counts with them. A path below a host is given when the server is started, or a trusted
proxy names it with each request (`webui.http.guests`); proxies may pass it on or take it off.
"""

from __future__ import annotations

import re
import socket
import sys
from collections.abc import Callable, Collection, Iterable
from ipaddress import (
    IPv4Address,
    IPv4Network,
    IPv6Address,
    IPv6Network,
    ip_address,
    ip_network,
)
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from flask import Response, current_app, request

from scorer.messages import _, raw
from webui.errors import CrossSite, Misdirected, RequestError

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment


LOCAL = ("localhost", "127.0.0.1", "::1")
# Domains that are only used within a network: nobody can register a name there.
HOME = ("local", "lan", "home", "home.arpa", "internal")
# Addresses of home networks, and of private ones between homes (RFC 6598: tailnets use it).
HOME_NETWORKS: tuple[IPv4Network | IPv6Network, ...] = tuple(
    ip_network(network)
    for network in (
        *("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16", "127.0.0.0/8"),
        *("100.64.0.0/10", "::1/128", "fc00::/7", "fe80::/10"),
    )
)
PROXIED = "pipsight.proxied"  # environ: a trusted proxy named how it was reached
LOCAL_ADDRESS = "LOCAL_ADDR"  # environ: the address of ours that the connection came in at
SAFE = ("GET", "HEAD", "OPTIONS", "TRACE")  # they change nothing (RFC 9110, 9.2.1)
OWN_PAGE = ("same-origin", "none")  # Sec-Fetch-Site of our pages, and of a person's own doing
NO_HOST = _(
    "The request names no host (RFC 9112, 3.2). Send the header Host with this server's name."
)
HOST = re.compile(
    r"(?:\[(?P<v6>[0-9a-f:.]+)\]|(?P<name>[^\[\]:/@\s]+?))\.?(?::\d*)?", re.IGNORECASE
)


def own_names() -> set[str]:
    """Return what this machine is called in its network; no name server is asked."""
    name = socket.gethostname()
    return {name, *(f"{name.partition('.')[0]}.{domain}" for domain in HOME)} if name else set()


def own_addresses() -> set[str]:
    """Return the IP addresses of this machine."""
    import psutil  # noqa: PLC0415  # a browser has none

    return {
        one.address.partition("%")[0]
        for several in psutil.net_if_addrs().values()
        for one in several
        if one.family in (socket.AF_INET, socket.AF_INET6)
    }


def phone_addresses() -> list[str]:
    """Return the addresses of this machine that phones of its networks reach, the likeliest first.

    Those of home networks are; 172.16.0.0/12 is mostly one of containers.
    """
    found = map(ip_address, own_addresses())
    near = [a for a in found if a.version == 4 and not a.is_loopback and not a.is_link_local]
    return sorted(map(str, near), key=lambda a: (not is_home_address(a), a.startswith("172."), a))


def guard(names: Iterable[str]) -> Callable[[], None]:
    """Return the check of every request to a server reached by *names*, besides its own machine.

    The address of ours at which the connection came in is always right, also after a move to
    another network; the server tells it, where it can (`webui.http.connections`). What a trusted
    proxy is called is right too (`webui.http.guests`).
    """
    allowed = {plain_host(name) for name in (*LOCAL, *names)} - {""}  # what is no name at all

    def check() -> None:
        host = request.headers.get("Host")
        if host is None and request.environ.get("SERVER_PROTOCOL") != "HTTP/1.0":
            raise RequestError(NO_HOST)
        if host is not None and not request.environ.get(PROXIED):
            _check_host(host, {*allowed, request.environ.get(LOCAL_ADDRESS, "localhost")})
        if request.method not in SAFE and not named_origins().admits():
            _check_origin(host)

    return check


def _check_host(host: str, allowed: set[str]) -> None:
    name = plain_host(host)
    if name not in allowed and not is_home_address(name):
        shown = host if len(host) <= 100 else host[:97] + "..."
        raise Misdirected(
            _(
                "This server does not answer as {shown}. Open the address that it printed when "
                "it was started, or start it with --allow-host and that name.",
                shown=raw(shown),
            )
        )


def ip_of(host: str) -> IPv4Address | IPv6Address | None:
    """Return the IP address that a host is given by, None if it is given by a name."""
    try:
        return ip_address(host)
    except ValueError:
        return None


def is_home_address(name: str) -> bool:
    """Return True if a host is an address of a home network, and no name.

    >>> is_home_address("192.168.1.20"), is_home_address("203.0.113.7"), is_home_address("box.lan")
    (True, False, False)
    """
    address = ip_of(name)
    return address is not None and any(address in network for network in HOME_NETWORKS)


def _check_origin(host: str | None) -> None:
    """Refuse what a page of another site sends; tools send neither header and may write."""
    site = request.headers.get("Sec-Fetch-Site")
    origin = request.headers.get("Origin")
    if site is not None:
        ours = site in OWN_PAGE
    else:
        ours = origin is None or urlsplit(origin).netloc.lower() == (host or "").lower()
    if not ours:
        raise CrossSite(
            _(
                "This came from a page of another site, so nothing was done."
                " Open the match itself and do it there."
            )
        )


def plain_host(host: str) -> str:
    """Return the name in a Host header, lower case and without the port; "" if there is none."""
    if host.count(":") > 1 and "[" not in host:  # an IPv6 address by itself
        return host.lower()
    found = HOST.fullmatch(host)
    return (found["v6"] or found["name"]).lower() if found else ""


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


AVAHI = Path("/run/avahi-daemon/socket")  # of what answers to such names on Linux
ANSWER = ("darwin", "win32")  # systems that do so themselves


def home_name() -> str | None:
    """Return this machine's name by multicast DNS, if something here answers to it."""
    name = socket.gethostname().partition(".")[0].lower()
    if not name or name == "localhost":
        return None
    return f"{name}.local" if sys.platform in ANSWER or AVAHI.exists() else None


CSP = "Content-Security-Policy"
# Pages hold no script of their own; a photo just taken is shown from a blob.
PAGE = (
    "default-src 'self'; img-src 'self' blob: data:; object-src 'none'; base-uri 'none';"
    " form-action 'self'; frame-ancestors "
)
# Where the browser's own eyes run: WebAssembly, which would else count as made-up script.
EYES = "; script-src 'self' 'wasm-unsafe-eval'"


def policy(*, eyes: bool = False) -> str:
    """Return the policy of a page, or of one where the browser's own *eyes* run."""
    return PAGE + ("'self'" if in_frame() else "'none'") + (EYES if eyes else "")
