"""Which requests are meant for this server, and which pages may change something here.

A page of another site can make a visitor's browser call any address. Two checks keep it out:
the Host header must name this server (or a foreign name could be pointed at our address, "DNS
rebinding", and its scripts would read every match), and what writes must come from our own page.
An address is no name that could be pointed elsewhere, so those of home networks are let in: behind
a published port, of a container say, the server cannot know which of them the phones open.
"""

from __future__ import annotations

import re
import socket
from collections.abc import Callable, Iterable
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from urllib.parse import urlsplit

import psutil
from flask import request

from scorer.messages import _, raw
from webui.errors import CrossSite, Misdirected, RequestError
from webui.http.cors import named_origins

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
PROXIED = "pipsight.proxied"  # environ: a trusted proxy told how it was reached
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
    return {
        one.address.partition("%")[0]
        for several in psutil.net_if_addrs().values()
        for one in several
        if one.family in (socket.AF_INET, socket.AF_INET6)
    }


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


def is_home_address(name: str) -> bool:
    """Return True if a host is an address of a home network, and no name.

    >>> is_home_address("192.168.1.20"), is_home_address("203.0.113.7"), is_home_address("box.lan")
    (True, False, False)
    """
    try:
        address = ip_address(name)
    except ValueError:
        return False
    return any(address in network for network in HOME_NETWORKS)


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
