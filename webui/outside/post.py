"""HTTP POST to an address that a stranger named, without server-side request forgery.

The name is resolved once and the connection uses that result, so DNS rebinding has no effect.
Private networks, the server's own machine and the addresses that its names lead to are refused
unless the owner allows them. Redirects are not followed, and little more than the status of an
answer is read.
"""

import http.client
import socket
import ssl
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from functools import cache
from ipaddress import ip_address
from urllib.parse import urlsplit

from scorer import Malformed
from scorer.messages import Message, _, raw
from webui.http.hosts import own_addresses
from webui.outside.special_networks import is_public

SECONDS = 15.0  # for all of it
ANSWER_BYTES = 4096
URL_LENGTH = 500
PORTS = {"https": 443, "http": 80}
WRONG = _("Write the whole address, as https://example.org/pipsight, without a name or password.")


class NotDelivered(Exception):
    """A failed delivery, with its `reason`. *gone*: the receiver wants no more events."""

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
        """Return the form shown in sentences."""
        return raw(self.host)


def target(url: str) -> Target:
    """Parse an address; raises Malformed."""
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


@dataclass(frozen=True, slots=True)
class Reach:
    """Where webhooks may lead; `own` returns the names that the servers are reached by."""

    private: bool = False  # the server's own machine and private networks too
    own: Callable[[], Iterable[str]] = frozenset


def post(url: str, body: bytes, headers: Mapping[str, str], reach: Reach) -> None:
    """Send *body*; raises NotDelivered unless it is accepted."""
    where = target(url)
    with closing(_Connection(where, _addresses(where, reach))) as connection:
        ends = threading.Timer(SECONDS, connection.cut)
        ends.daemon = True
        ends.start()
        try:
            connection.request("POST", where.path, body, dict(headers))
            answer = connection.getresponse()
            answer.read(ANSWER_BYTES)
        except (OSError, http.client.HTTPException) as fault:
            raise NotDelivered(_unanswered(fault, where, late=connection.late)) from None
        finally:
            ends.cancel()
    if not 200 <= answer.status < 300:
        refused = _refused(where.shown, answer.status)
        raise NotDelivered(refused, gone=answer.status == http.client.GONE)


def _unanswered(fault: Exception, where: Target, *, late: bool) -> Message:
    """Return a sentence about a missing or broken answer."""
    host, port = where.shown, where.port
    if late or isinstance(fault, TimeoutError):
        return _("{host} did not answer within {s} seconds.", host=host, s=int(SECONDS))
    if isinstance(fault, ssl.SSLCertVerificationError):
        return _("The certificate of {host} is not valid.", host=host)
    if isinstance(fault, ssl.SSLError):
        return _("{host} does not speak HTTPS at port {port}.", host=host, port=port)
    if isinstance(fault, ConnectionRefusedError):
        return _("Nothing listens at port {port} of {host}.", host=host, port=port)
    return _("{host} does not answer.", host=host)


def _refused(host: Message, status: int) -> Message:
    """Return a sentence about an answer that refuses the event."""
    if 300 <= status < 400:
        return _(
            "{host} answered {status}, which leads elsewhere. Add the address that it leads to.",
            host=host,
            status=status,
        )
    return _("{host} answered {status}.", host=host, status=status)


def _addresses(where: Target, reach: Reach) -> list[str]:
    """Resolve a name to IP addresses, the preferred first; raises NotDelivered."""
    try:
        found = socket.getaddrinfo(where.host, where.port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise NotDelivered(_("{host} cannot be found.", host=where.shown)) from None
    addresses = [str(one[4][0]) for one in found]
    if reach.private:
        return addresses
    if not all(map(is_public, addresses)):
        raise NotDelivered(
            _(
                "{host} is in a private network, and this server sends nothing there. Whoever"
                " runs it can allow that: --webhooks-private.",
                host=where.shown,
            )
        )
    if not _ours(reach.own()).isdisjoint(map(_plain, addresses)):
        raise NotDelivered(
            _(
                "{host} is this server's own machine, to which it sends nothing. Whoever runs it"
                " can allow that: --webhooks-private.",
                host=where.shown,
            )
        )
    return addresses


def _ours(names: Iterable[str]) -> set[str]:
    """Return the addresses of this machine, and those that *names* lead to.

    The latter may be a router's, which leads back to the server.
    """
    found = own_addresses()
    for name in names:
        with suppress(OSError, UnicodeError):
            found |= {str(one[4][0]) for one in socket.getaddrinfo(name, None)}
    return {*map(_plain, found)}


def _plain(address: str) -> str:
    """Return an IP address in canonical form."""
    return str(ip_address(address.partition("%")[0]))


class _Connection(http.client.HTTPConnection):
    """A connection to the first reachable IP address, with TLS verified for the host name."""

    def __init__(self, where: Target, addresses: Sequence[str]) -> None:
        super().__init__(where.host, where.port, timeout=SECONDS)
        self._where, self._addresses = where, addresses
        self.late = False

    def connect(self) -> None:
        """Connect, with TLS if the address says https."""
        connected = self._connected()
        connected.settimeout(SECONDS)
        self.sock = (
            _trust().wrap_socket(connected, server_hostname=self._where.host)
            if self._where.secure
            else connected
        )

    def _connected(self) -> socket.socket:
        *others, last = ((address, self._where.port) for address in self._addresses)
        share = SECONDS / len(self._addresses)
        for address in others:
            with suppress(OSError):
                return socket.create_connection(address, share)
        return socket.create_connection(last, share)

    def cut(self) -> None:
        """Abort the connection, so that a blocked read returns."""
        self.late = True
        if self.sock is not None:
            with suppress(OSError):
                self.sock.shutdown(socket.SHUT_RDWR)


@cache
def _trust() -> ssl.SSLContext:
    return ssl.create_default_context()
