"""The greeting of a server at its start: its address, and how to connect a phone."""

from __future__ import annotations

import json
import os
import socket
import sys
import webbrowser
from contextlib import suppress
from http.client import HTTPException
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import urlopen

import sqlalchemy as sa

from scorer.messages import _
from webui.http import qr
from webui.http.hosts import ip_of, phone_addresses
from webui.services import Secure

EVERYWHERE = ("", "0.0.0.0")  # noqa: S104  # distinguished from other hosts, not bound here
NOWHERE = "192.0.2.1"  # a documentation address (RFC 5737); nothing is sent to it
SITE = "http://localhost:{}/api/openapi.json"
CARDS = Path("/sys/class/net")  # network cards of Linux, a folder each
IN_CONTAINER = "PIPSIGHT_CONTAINER"  # environ: set by packaging/Containerfile
PUBLISHED = _(
    "This container has a network of its own, where no phone reaches it. Phones open the address of"
    " its machine, at the port that is published. To show that here: serve --address"
    " http://ADDRESS:8000/"
)
PATIENCE = 2.0  # seconds for another program at this port to answer


def own_address(host: str, port: int, prefix: str = "") -> str:
    """Return the address that phones open; "" if a container cannot know it."""
    reachable_here = host not in EVERYWHERE or not _has_own_network()
    return f"http://{reachable(host)}:{port}{prefix}/" if reachable_here else ""


def _has_own_network() -> bool:
    """Return True if this is a container with a network of its own."""
    cards = [name for _, name in socket.if_nameindex() if name != "lo"]
    return bool(os.environ.get(IN_CONTAINER)) and all(map(_leads_out, cards))


def _leads_out(card: str) -> bool:
    """Whether a network card is half of a pair, the other half outside; tap0: slirp4netns."""
    index, other = ((CARDS / card / name).read_text("ascii") for name in ("ifindex", "iflink"))
    return index != other or card == "tap0"


def reachable(host: str) -> str:
    """Return this machine's address in its network."""
    if host not in EVERYWHERE:
        return host
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect((NOWHERE, 9))
        except OSError:  # no way to the internet, as in a hall without a router
            return next(iter(phone_addresses()), "127.0.0.1")
        return str(probe.getsockname()[0])


def greet(address: str, database: str | None, demo: str | None, *, verbose: bool = False) -> None:
    """Print the server's address and how to stop it; *verbose* also where matches are stored.

    With no *address*, how phones find it. It keeps matches nowhere with no *database*, and always
    says so.
    """
    print(f"Pipsight is at {address}" if address else PUBLISHED)
    if demo:
        print(f"A match to look at is at {demo}")
    print(printable(qr.terminal(demo or address)) if address else "")
    if _only_here(address):
        where = "Open it in a browser on this machine; no phone reaches it."
    else:
        where = "Open it on a phone in the same network."
    if database is None:
        print(f"{where} Ctrl+C stops the server.")
        print("Matches are kept until then, and deleted when it stops.", flush=True)
        return
    print(f"{where} Ctrl+C stops the server and loses nothing.", flush=True)
    if verbose:
        url = sa.make_url(database)
        file = url.database if url.get_backend_name() == "sqlite" else None
        print(f"Matches are kept in {file or url.render_as_string()}", flush=True)


def greet_securely(host: str, prefix: str, secure: Secure) -> None:
    """Print the address of the HTTPS server, and its certificate's fingerprint."""
    where = f"https://{host or 'ADDRESS'}:{secure.port}{prefix}/"
    print(f"With a camera of the browser's own: {where}")
    print(f"Browsers warn about it once; http://…{prefix}/trust explains why, and how to trust it.")
    print(f"SHA-256 of the certificate to trust: {secure.fingerprint}", flush=True)


def open_browser(address: str) -> None:
    """Open the page in this machine's browser, or print its address."""
    with suppress(webbrowser.Error):
        if webbrowser.open(address):
            return
    print(f"Open {address} in a browser.", flush=True)


def is_pipsight(port: int) -> bool:
    """Return True if Pipsight is already serving at a port of this machine."""
    try:
        with urlopen(SITE.format(port), timeout=PATIENCE) as answer:  # noqa: S310  # http, here
            return bool(json.load(answer)["info"]["title"] == "Pipsight")
    except (OSError, HTTPException, ValueError, LookupError, TypeError):
        return False


def _only_here(address: str) -> bool:
    """Return True if only this machine can reach an address: 127.0.0.1, localhost, ::1."""
    host = urlsplit(address).hostname or ""
    found = ip_of(host)
    return host == "localhost" if found is None else found.is_loopback


def printable(drawing: str) -> str:
    """Return the QR code, or nothing for a terminal without block characters."""
    try:
        drawing.encode(sys.stdout.encoding or "ascii")
    except UnicodeEncodeError:
        return ""
    return drawing
