"""The app in a browser (python_worker.js): `begin` makes it, `answer` answers a request."""

import io
import json
import sys
from collections.abc import Mapping
from typing import IO, Any
from urllib.parse import unquote

from flask import Flask, request
from werkzeug.test import run_wsgi_app

from scorer.messages import _
from webui.app import create_app
from webui.errors import NotFound, Problem, problem
from webui.http.hosts import INGRESS, plain_host
from webui.jobs.order import GONE, Body, Job, Order, Work
from webui.lite import copies
from webui.lite.page_photo import PageEyes
from webui.pages.eyes_files import EyesFile
from webui.settings import ServerSettings
from webui.store.log import Store

EYES = PageEyes()
OF_SERVERS = frozenset(("followers", "phones", "print", "site", "taught", "trust"))  # blueprints
NO_SERVER = _("Only a Pipsight server has this page. Here, Pipsight runs on this phone alone.")
Headers = list[tuple[str, str]]


class AtOnce:
    """A queue without threads, which a browser lacks: it does each order at once.

    It keeps the newest answer.
    """

    def __init__(self, work: Work, _store: Store) -> None:
        self._work = work
        self._answers: dict[str, tuple[Order, Body | Problem]] = {}

    def check(self, match_id: str, address: str, size: int) -> None:
        """There is always room."""

    def submit(self, order: Order, photo: IO[bytes] | None = None) -> Job:
        """Do the order."""
        answer: Body | Problem
        try:
            answer = self._work(order, None if photo is None else photo.read())
        except Exception as fault:  # noqa: BLE001  # the answer of who asked
            answer = problem(fault)
        self._answers = {order.id: (order, answer)}
        return Job(order.id, order.match_id, at_once=True)

    def find(self, match_id: str, job: str) -> Job:
        """Return the newest job of the match; raises NotFound."""
        if job not in self._answers or self._answers[job][0].match_id != match_id:
            raise NotFound(GONE)
        return Job(job, match_id)

    def place(self, _job: Job) -> int:
        """Return 0: nothing waits."""
        return 0

    def waiting(self) -> int:
        """Return 0: nothing waits."""
        return 0

    def answer(self, job: Job, *, wait: bool = False) -> Body | Problem | None:
        """Return the answer."""
        return self._answers[job.id][1]

    def close(self) -> None:
        """Forget the answer."""
        self._answers = {}


def begin(folder: str, host: str, prefix: str, files: str) -> Flask:
    """Return the app over the matches in *folder*, which pages reach at *host* below *prefix*.

    *files* are those of the page's own eyes, as JSON (eyes.json, written by `webui.lite.site`).
    """
    facts = {name: EyesFile(*each) for name, each in json.loads(files).items()}
    url = f"sqlite:///{folder}/pipsight.db"
    settings = ServerSettings(
        hosts=(plain_host(host),), prefix=prefix, compress=False, others=False
    )
    app = create_app(url, f"{folder}/photos", EYES.eyes, settings, AtOnce, lambda: facts)
    app.register_blueprint(copies.views(url))
    app.before_request(_refuse_server_pages)
    return app


def _refuse_server_pages() -> None:
    if request.blueprint in OF_SERVERS:
        raise NotFound(NO_SERVER)


def answer(
    app: Flask, method: str, url: Mapping[str, str], headers: Mapping[str, str], body: bytes
) -> tuple[int, Headers, bytes]:
    """Answer a request to *url*, its parts by the names of JavaScript's URL."""
    environ: dict[str, Any] = {
        "REQUEST_METHOD": method,
        "SCRIPT_NAME": "",
        "PATH_INFO": unquote(url["pathname"]).encode().decode("latin-1"),
        "QUERY_STRING": url["search"].removeprefix("?"),
        "SERVER_NAME": "localhost",
        "SERVER_PORT": "80",
        "SERVER_PROTOCOL": "HTTP/1.1",
        "REMOTE_ADDR": "127.0.0.1",
        "HTTP_HOST": url["host"],
        "CONTENT_LENGTH": str(len(body)),
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": url["protocol"].removesuffix(":"),
        "wsgi.input": io.BytesIO(body),
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": False,
        "wsgi.multiprocess": False,
        "wsgi.run_once": False,
        INGRESS: True,  # the shell shows the pages in a frame
    }
    for name, value in headers.items():
        key = name.upper().replace("-", "_")
        environ[key if key == "CONTENT_TYPE" else f"HTTP_{key}"] = value
    parts, status, given = run_wsgi_app(app.wsgi_app, environ, buffered=True)
    return int(status.split()[0]), list(given), b"".join(parts)
