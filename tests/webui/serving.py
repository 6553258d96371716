"""The real server in a process of its own, for tests that stop it, kill it and start it again."""

import http.client
import json
import os
import re
import socket
import subprocess
import sys
import threading
from contextlib import contextmanager, suppress
from queue import SimpleQueue
from typing import Any
from urllib.parse import urlsplit

from webui.http.bodies import PHOTO_BYTES
from webui.http.connections import Server as WebServer

# A worker that takes photos and reads none: database, photos, version.
HELD = """
import sys, time
from webui.jobs.worker import Worker
from webui.store.log import Store

def work(order, photo):
    print(order.id, flush=True)
    time.sleep(600)

Worker(Store(*sys.argv[1:3]), work, sys.argv[3], 1)
time.sleep(600)
"""


SERVE = (sys.executable, "-m", "webui.cli", "serve", "--verbose")


_reserved: list[socket.socket] = []


def reserved_port() -> int:
    """Return a port of this machine on which a server of these tests alone can listen."""
    _reserved.append(held := socket.socket())
    held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    held.bind(("127.0.0.1", 0))
    return int(held.getsockname()[1])


class ServerProcess:
    """`pipsight serve` on a free port of this machine, its matches in *folder* or *database*."""

    def __init__(self, folder, *options, database="", command=SERVE, **env):
        self.process = begun(folder, *options, database=database, command=command, **env)
        self.greeting = self._greeting()
        found = re.search(r"http://127\.0\.0\.1:\d+/", self.greeting)
        assert found, self.greeting
        self.address = found[0]

    def _greeting(self):
        lines = []
        for line in self.process.stdout:
            lines.append(line)
            if line.startswith("Matches are kept"):
                break
        return "".join(lines)

    def end(self, number):
        """Send a signal; return the exit code and what was said on standard error."""
        self.process.send_signal(number)
        _, errors = self.process.communicate(timeout=120)
        return self.process.returncode, errors

    def kill(self):
        """Let it die at once, as in a power cut; its workers notice that by themselves."""
        self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdout, self.process.stderr):
            if pipe is not None:
                pipe.close()

    def pass_on(self):
        """Print what it says from now on: a pipe that nobody reads would fill and stop it."""
        lines = self.process.stderr
        threading.Thread(target=lambda: sys.stderr.writelines(lines), daemon=True).start()

    def connect(self):
        return http.client.HTTPConnection(urlsplit(self.address).netloc, timeout=30)

    def call(self, path, sent=None):
        """Return status and JSON of a GET, or of a POST where a photo or an object is *sent*."""
        connection = self.connect()
        try:
            if sent is None:
                connection.request("GET", path)
            else:
                is_photo = isinstance(sent, bytes)
                headers = {"Content-Type": "image/jpeg" if is_photo else "application/json"}
                connection.request("POST", path, sent if is_photo else json.dumps(sent), headers)
            answer = connection.getresponse()
            return answer.status, json.load(answer)
        finally:
            connection.close()


def begun(folder, *options, database="", command=SERVE, **env):
    """Start the process of a server and do not wait for it; *folder* has the person's data too."""
    database = database or f"sqlite:///{folder / 'pipsight.sqlite'}"
    where = ["--host", "127.0.0.1", "--port", "0", "--database", database]
    return subprocess.Popen(
        [*command, *where, *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONIOENCODING": "utf-8", "XDG_DATA_HOME": str(folder), **env},
    )


@contextmanager
def serving(folder, *options, database="", command=SERVE, **env):
    """Start a server; kill it at the end unless the test has ended it."""
    server = ServerProcess(folder, *options, database=database, command=command, **env)
    try:
        yield server
    finally:
        server.process.kill()
        server.process.communicate()


@contextmanager
def process(*words):
    """Run Python in a process of its own, which is killed at the end."""
    run = subprocess.Popen([sys.executable, *words], stdout=subprocess.PIPE, text=True)
    try:
        yield run
    finally:
        run.kill()
        run.communicate()


@contextmanager
def served(app, host="127.0.0.1", port=0):
    """Serve *app* as `pipsight serve` does, but in this process; yield its port."""
    listening = socket.create_server((host, port))
    server: Any = WebServer(app, listening, threads=16, photo_bytes=PHOTO_BYTES)
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        yield int(server.effective_port)
    finally:
        stop(server, thread, app.extensions["pipsight"].live)


def stop(server, thread, live):
    """End a server that runs in a thread."""
    live.close()
    server.task_dispatcher.shutdown()
    with suppress(OSError):  # another wake-up made the loop hang up before this one is written
        server.trigger.pull_trigger(lambda: _hang_up(server))
    thread.join()


def _hang_up(server):
    """Close every connection: browsers keep theirs open, and the loop ends with the last one."""
    for channel in list(server.active_channels.values()):
        channel.handle_close()
    server.close()


def listen(connection, match, last_event=None):
    """Open the live stream of a match; return its lines as they come."""
    headers = {} if last_event is None else {"Last-Event-ID": str(last_event)}
    connection.request("GET", f"/api/matches/{match}/live", headers=headers)
    return connection.getresponse()


def next_seq(stream):
    """Return the number of the next event told by the stream."""
    for line in stream:
        if line.startswith(b"data: "):
            return int(line[6:])
    raise EOFError("the stream ended")


class HeldStream:
    """Stands for the connection of a phone: what is sent comes out of `heard`, None at its end."""

    def __init__(self, live, match="m", address="", last_seq=1):
        self.heard, self.closed, self.unsent = SimpleQueue(), False, 0
        self.stream = self.begin(live, match, address, last_seq)
        self.stream.take(self.taken_over, b"")
        assert self.next().startswith("retry: 1000")

    def begin(self, live, match, address, last_seq):
        return live.stream({match: [None]}, last_seq, address)

    async def taken_over(self, _stream):
        return self

    def next(self):
        sent = self.heard.get(timeout=30)
        return sent and sent.decode().strip()

    def write(self, sent):
        self.heard.put(sent)

    def get_write_buffer_size(self):
        return self.unsent

    def is_closing(self):
        return self.closed

    def close(self):
        if not self.closed:
            self.closed = True
            self.stream.connection_lost(None)
            self.heard.put(None)

    abort = close
