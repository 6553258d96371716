"""A reverse proxy: what is below a path there, the server behind it has at its top."""

import re
import socket
import socketserver
import threading
from collections.abc import Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field

PIECE = 65_536  # bytes handed on at once
KEPT = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")  # of nginx, each in a folder


def temp_paths(folder):
    """Return the settings with which nginx keeps what it must below a folder."""
    return "".join(f"{what}_temp_path {folder}/{what};" for what in KEPT)


def hand_on(source, sink):
    """Send what comes until there is no more, then hang up."""
    with suppress(OSError):
        while piece := source.recv(PIECE):
            sink.sendall(piece)
    with suppress(OSError):
        sink.shutdown(socket.SHUT_RDWR)


@dataclass
class Proxy:
    """Takes *prefix* off each path and says so in *headers*; what is not below it is noted."""

    port: int  # of the server behind it
    prefix: str
    headers: Mapping[str, str]
    strays: list[str] = field(default_factory=list)
    address: str = ""

    def answer(self, phone):
        """Hand one request on, and its answer back, however long that takes."""
        head = b""
        while b"\r\n\r\n" not in head:
            if not (piece := phone.recv(PIECE)):
                return
            head += piece
        method, path, rest = head.split(b" ", 2)
        if not path.startswith(f"{self.prefix}/".encode()):
            self.strays.append(path.decode())
            phone.sendall(
                b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
            )
            return
        more = "".join(f"\r\n{name}: {value}" for name, value in self.headers.items())
        line, rest = re.sub(rb"(?i)\r\nConnection: [^\r]*", b"", rest, count=1).split(b"\r\n", 1)
        line += f"{more}\r\nConnection: close\r\n".encode()
        with socket.create_connection(("127.0.0.1", self.port)) as server:
            server.sendall(
                b" ".join((method, path.removeprefix(self.prefix.encode()), line)) + rest
            )
            threading.Thread(target=hand_on, args=(phone, server), daemon=True).start()
            hand_on(server, phone)


@contextmanager
def proxy(port, prefix, headers):
    """Serve below *prefix* what a server has at *port*, until the block ends."""
    found = Proxy(port, prefix, headers)

    class Handler(socketserver.BaseRequestHandler):
        def handle(self):
            with suppress(OSError):
                found.answer(self.request)

    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler) as server:
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, args=(0.05,)).start()
        found.address = f"http://127.0.0.1:{server.server_address[1]}{prefix}/"
        try:
            yield found
        finally:
            server.shutdown()


@contextmanager
def relay(at, port, host="127.0.0.1", to="127.0.0.1"):
    """Hand every connection to the port *at* on to another, until the block ends them all."""
    ends: list[socket.socket] = []

    class Handler(socketserver.BaseRequestHandler):
        def handle(self):
            with socket.create_connection((to, port)) as server:
                ends.extend((self.request, server))
                threading.Thread(target=hand_on, args=(server, self.request), daemon=True).start()
                hand_on(self.request, server)

    class Server(socketserver.ThreadingTCPServer):
        allow_reuse_address, daemon_threads = True, True

    with Server((host, at), Handler) as serving:
        threading.Thread(target=serving.serve_forever, args=(0.05,)).start()
        try:
            yield
        finally:
            serving.shutdown()
            for end in ends:
                with suppress(OSError):
                    end.shutdown(socket.SHUT_RDWR)
