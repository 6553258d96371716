"""A program elsewhere that takes webhooks, as slowly and as badly as a test likes."""

import base64
import hashlib
import hmac
import json
import threading
from collections import deque
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from queue import SimpleQueue
from typing import Any

import pytest


class Receiver(ThreadingHTTPServer):
    """Puts what it gets into `got`: the headers and the body; answers as `answers` says, or 204."""

    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), _Handler)
        self.got: SimpleQueue[tuple[Any, bytes]] = SimpleQueue()
        self.answers: deque[int | bytes | threading.Event] = deque()
        self.url = f"http://127.0.0.1:{self.server_address[1]}/hook?match=1"

    def secure(self, context):
        """Speak TLS from now on."""
        self.socket = context.wrap_socket(self.socket, server_side=True)

    def next(self):
        """Return the next event that it gets."""
        return json.loads(self.got.get(timeout=30)[1])

    def handle_error(self, *_):
        """Say nothing of who breaks off."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        server: Receiver = self.server
        server.got.put((self.headers, body))
        answer = server.answers.popleft() if server.answers else 204
        if isinstance(answer, threading.Event):
            answer.wait(30)
            answer = 204
        if isinstance(answer, bytes):
            self.wfile.write(answer)
            self.close_connection = True
            return
        self.send_response(answer)
        self.send_header("Content-Length", "0")
        if answer == 302:
            self.send_header("Location", server.url)
        self.end_headers()

    def log_message(self, *_):
        """Print nothing."""


@pytest.fixture
def receiver():
    server = Receiver()
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


def is_signed(secret, headers, body):
    """Return True if a webhook is signed as Standard Webhooks has it."""
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = f"{headers['Webhook-Id']}.{headers['Webhook-Timestamp']}.".encode() + body
    made = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    return made in [part.removeprefix("v1,") for part in headers["Webhook-Signature"].split()]
