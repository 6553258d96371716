"""Send something to an address that a stranger named, and to no other.

The name is looked up once and the connection goes to what was found, so nothing can lead it
elsewhere between both. Private networks are refused unless the owner allows them: from here a
stranger could reach what no stranger may, a router's own page, say. Redirects are not followed, and
of an answer hardly more than its status is read.
"""

from __future__ import annotations

import http.client
import socket
import ssl
import threading
from collections.abc import Mapping
from contextlib import closing, suppress
from dataclasses import dataclass
from functools import cache
from ipaddress import IPv6Address, IPv6Network, ip_address
from urllib.parse import urlsplit

from scorer import Malformed
from scorer.messages import Message, _, raw

SECONDS = 15.0  # for all of it
ANSWER_BYTES = 4096
URL_LENGTH = 500
PORTS = {"https": 443, "http": 80}
TRANSLATED = IPv6Network("64:ff9b::/96")  # an IPv4 address behind a translator (RFC 6052)
WRONG = _("Write the whole address, as https://example.org/pipsight, without a name or password.")


class NotDelivered(Exception):
    """It did not arrive; `reason` says why. *gone*: the address wants no more."""

    def __init__(self, reason: Message, *, gone: bool = False) -> None:
        super().__init__(reason)
        self.reason, self.gone = reason, gone


@dataclass(frozen=True, slots=True)
class Target:
    """Where to send."""

    secure: bool
    host: str
    port: int
    path: str

    @property
    def shown(self) -> Message:
        """Return what it is called in a sentence."""
        return raw(self.host)


def target(url: str) -> Target:
    """Return what an address says; raises Malformed."""
    try:
        parts = urlsplit(url)
        port, host = parts.port, parts.hostname
    except ValueError:
        raise Malformed(WRONG) from None
    usual = PORTS.get(parts.scheme)
    strange = parts.username is not None or not url.isascii() or not url.isprintable()
    if usual is None or not host or strange or " " in url or len(url) > URL_LENGTH:
        raise Malformed(WRONG)
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return Target(parts.scheme == "https", host, port or usual, path)


def is_public(address: str) -> bool:
    """Say whether an IP address is one of the internet's, however it is written."""
    found = ip_address(address.partition("%")[0])
    if isinstance(found, IPv6Address) and (
        found.ipv4_mapped or found.sixtofour or found.teredo or found in TRANSLATED
    ):
        return False  # an IPv4 address within, which may be any
    return found.is_global and not found.is_multicast and not found.is_reserved


def post(url: str, body: bytes, headers: Mapping[str, str], *, private: bool) -> None:
    """Send *body*; raises NotDelivered unless it was taken. *private* networks too, or not."""
    where = target(url)
    with closing(_Connection(where, _address(where, private=private))) as connection:
        ends = threading.Timer(SECONDS, connection.cut)
        ends.daemon = True
        ends.start()
        try:
            connection.request("POST", where.path, body, dict(headers))
            answer = connection.getresponse()
            answer.read(ANSWER_BYTES)
        except ssl.SSLCertVerificationError:
            raise NotDelivered(
                _("The certificate of {host} is not valid.", host=where.shown)
            ) from None
        except (OSError, http.client.HTTPException):
            raise NotDelivered(_("{host} does not answer.", host=where.shown)) from None
        finally:
            ends.cancel()
    if not 200 <= answer.status < 300:
        answered = _("{host} answered {status}.", host=where.shown, status=answer.status)
        raise NotDelivered(answered, gone=answer.status == http.client.GONE)


def _address(where: Target, *, private: bool) -> str:
    """Return the IP address to connect to; raises NotDelivered."""
    try:
        found = socket.getaddrinfo(where.host, where.port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise NotDelivered(_("{host} cannot be found.", host=where.shown)) from None
    addresses = [str(one[4][0]) for one in found]
    if not private and not all(map(is_public, addresses)):
        raise NotDelivered(
            _(
                "{host} is in a private network, and this server sends nothing there. Whoever"
                " runs it can allow that: --webhooks-private.",
                host=where.shown,
            )
        )
    return addresses[0]


class _Connection(http.client.HTTPConnection):
    """A connection to an IP address, under the name that led to it."""

    def __init__(self, where: Target, address: str) -> None:
        super().__init__(where.host, where.port, timeout=SECONDS)
        self._where, self._address = where, address

    def connect(self) -> None:
        """Connect, securely where the address says so."""
        connected = socket.create_connection((self._address, self._where.port), self.timeout)
        self.sock = (
            _trust().wrap_socket(connected, server_hostname=self._where.host)
            if self._where.secure
            else connected
        )

    def cut(self) -> None:
        """Break off: whoever waits for the other side waits no more."""
        if self.sock is not None:
            with suppress(OSError):
                self.sock.shutdown(socket.SHUT_RDWR)


@cache
def _trust() -> ssl.SSLContext:
    return ssl.create_default_context()
