"""Who asks: a guest is an address, behind a proxy the one that a trusted proxy names.

A proxy that is trusted also says how the guest reached it, `https://dice.example.org`, which is
what links and QR codes then show. What anybody else says of that is dropped before the app sees it.
"""

from __future__ import annotations

import math
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from ipaddress import IPv4Network, IPv6Address, IPv6Network, ip_network
from typing import TYPE_CHECKING, Any

from flask import request
from werkzeug.http import parse_options_header

from scorer.messages import Message, _
from webui.errors import RateLimited
from webui.http.hosts import INGRESS, LOCAL, PROXIED, in_frame, ip_of, plain_host, plain_prefix

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment


Network = IPv4Network | IPv6Network

TRIES, TRY_SECONDS = 30, 60  # wrong join codes of an address
HOUSEHOLD = 64  # bits of an IPv6 address that a household's phones share
TOLD = {  # by RFC 7239, 5: what proxies said in headers of their own before
    "for": "HTTP_X_FORWARDED_FOR",
    "proto": "HTTP_X_FORWARDED_PROTO",
    "host": "HTTP_X_FORWARDED_HOST",
}
FORWARDED = "HTTP_FORWARDED"
HANDED_ON = "pipsight.handed_on"  # whether a proxy was among those who sent it
WHERE = "HTTP_X_FORWARDED_PREFIX"  # below which path
INGRESS_PATH = "HTTP_X_INGRESS_PATH"  # the same, of Home Assistant, whose guests are logged in
UNHEEDED = ("HTTP_X_FORWARDED_PORT", "HTTP_X_REAL_IP")


def handed_on() -> bool:
    """Return True if a proxy sent this request, one that is trusted or any other."""
    return bool(request.environ.get(PROXIED) or request.environ.get(HANDED_ON))


def from_this_machine() -> bool:
    """Return True if a program on the server's own machine asks, for itself."""
    address = ip_of(request.remote_addr or "")
    return address is not None and address.is_loopback and not handed_on()


def guest() -> str:
    """Return who sends this request: an address, of IPv6 the network of a household."""
    return household(request.remote_addr or "")


@lru_cache(maxsize=4096)
def household(address: str) -> str:
    """Return an address as its guest is counted by: phones of one household are one guest.

    >>> household("2001:db8::7"), household("::ffff:192.0.2.7")
    ('2001:db8::/64', '192.0.2.7')
    """
    found = ip_of(address.partition("%")[0])
    if not isinstance(found, IPv6Address):
        return address if found is None else str(found)
    if found.ipv4_mapped:
        return str(found.ipv4_mapped)
    return str(ip_network((found, HOUSEHOLD), strict=False))


def proxied() -> bool:
    """Return True if a trusted proxy named an address of this request that all phones may open."""
    is_public = plain_host(request.host) not in LOCAL and not in_frame()
    return bool(request.environ.get(PROXIED)) and is_public


class TrustedProxies:
    """The WSGI app behind proxies: those at the *trusted* addresses say who asks, nobody else."""

    def __init__(self, app: WSGIApplication, trusted: Iterable[Network]) -> None:
        self._app, self._trusted = app, tuple(trusted)

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Answer a request in the name of who has sent it."""
        said = {name: _listed(environ.pop(header, "")) for name, header in TOLD.items()}
        forwarded = environ.pop(FORWARDED, "")
        below, frame = _listed(environ.pop(WHERE, "")), environ.pop(INGRESS_PATH, "")
        rest = [below, frame, *(environ.pop(header, "") for header in UNHEEDED)]
        environ[HANDED_ON] = any((forwarded, *said.values(), *rest, environ.get("HTTP_VIA")))
        if self._is_trusted(environ.get("REMOTE_ADDR", "")):
            # A proxy sets one or the other; what it does not set, a guest may have sent.
            environ.update(self._meant(said if any(said.values()) else _pairs(forwarded)))
            environ["SCRIPT_NAME"] = plain_prefix(frame or "".join(below))
            environ[INGRESS] = bool(frame)
        return self._app(environ, start_response)

    def _meant(self, said: Mapping[str, Sequence[str]]) -> dict[str, Any]:
        """Return what the environment of the request is, by what the proxies said."""
        address, hops = self._guest(said["for"])
        meant: dict[str, Any] = {PROXIED: True}
        if address:
            meant["REMOTE_ADDR"] = address
        if (scheme := _at(said["proto"], hops).lower()) in ("http", "https"):
            meant["wsgi.url_scheme"] = scheme
        if plain_host(host := _at(said["host"], hops)):
            meant["HTTP_HOST"] = host
        return meant

    def _guest(self, chain: Sequence[str]) -> tuple[str, int]:
        """Return the last address that is no trusted proxy, and how many of these came after it.

        "" where the proxies name none: then the proxy itself is the guest.
        """
        address, hops = "", 1
        for hop in reversed(chain):
            found = _without_port(hop)
            if ip_of(found) is None:
                break
            address = found
            if not self._is_trusted(found):
                break
            hops += 1
        return address, hops

    def _is_trusted(self, address: str) -> bool:
        found = ip_of(address.partition("%")[0])
        return found is not None and any(found in one for one in self._trusted)


def _at(values: Sequence[str], hops: int) -> str:
    """Return the value of the outermost trusted proxy; each proxy may have added one."""
    return values[-min(hops, len(values))] if values else ""


def _listed(header: str) -> list[str]:
    return [value for one in header.split(",") if (value := one.strip())]


def _pairs(forwarded: str) -> dict[str, list[str]]:
    """Return the header Forwarded (RFC 7239) as the other headers tell the same."""
    hops = [parse_options_header(f"hop;{one}")[1] for one in _listed(forwarded)]
    return {name: [hop[name] for hop in hops if hop.get(name)] for name in TOLD}


def _without_port(hop: str) -> str:
    """Return the address of `192.0.2.7:4711`, `[2001:db8::7]:4711` or either without the port."""
    if hop.startswith("["):
        return hop[1:].partition("]")[0]
    return hop.partition(":")[0] if hop.count(":") == 1 else hop


def too_many(wait: int) -> Message:
    """Return the refusal of an address without a try left."""
    return _(
        "Too many wrong codes came from this network. Type both halves of the code, "
        "or wait {wait} seconds.",
        wait=wait,
    )


class Limit:
    """At most *times* wrong tries within *seconds* for each of the last *addresses* addresses.

    Right ones do not count: a whole class may join from behind one address.
    """

    def __init__(
        self,
        times: int = TRIES,
        seconds: float = TRY_SECONDS,
        addresses: int = 10_000,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._times, self._seconds, self._addresses = times, seconds, addresses
        self._clock = clock
        self._tries: OrderedDict[str, deque[float]] = OrderedDict()
        self._lock = threading.Lock()

    def check(self, address: str) -> None:
        """Raise RateLimited, which says when it passes, if *address* has no try left."""
        with self._lock:
            tries = self._tries.get(address)
            if tries is None or len(tries) < self._times:
                return
            wait = math.ceil(tries[0] + self._seconds - self._clock())
        if wait > 0:
            raise RateLimited(too_many(wait), wait)

    def count(self, address: str) -> None:
        """Count a wrong try of *address*."""
        with self._lock:
            tries = self._tries.setdefault(address, deque(maxlen=self._times))
            tries.append(self._clock())
            self._tries.move_to_end(address)
            while len(self._tries) > self._addresses:
                self._tries.popitem(last=False)
