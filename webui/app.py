"""The Flask app: parts made, pages and JSON interface registered, headers set."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Callable, Iterable
from pathlib import Path

from flask import Flask, Response, jsonify, request
from flask.typing import ResponseReturnValue
from flask_compress import Compress

from webui import (
    adapters_api,
    adapters_views,
    advice_views,
    api,
    boards_api,
    bridge,
    languages,
    pages,
    print_views,
    queued,
    start_pages,
    trust_views,
    watch_api,
)
from webui.errors import problem
from webui.hosts import guard
from webui.live import Live
from webui.requests import BODY_BYTES
from webui.scripts import modules_in
from webui.services import Learn, LearnBoard, Parts, See
from webui.store import Store
from webui.watch_bridge import WatchedTable
from webui.watched_rolls import WatchedRolls
from webui.watches import FrameReader, Watches

log = logging.getLogger(__name__)

HERE = Path(__file__).parent
YEAR = 365 * 24 * 3600  # seconds
HEADERS = {
    # Pages hold no script of their own; a photo just taken is shown from a blob.
    "Content-Security-Policy": (
        "default-src 'self'; img-src 'self' blob: data:; object-src 'none'; base-uri 'none';"
        " form-action 'self'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",  # the address of a match is the key to it
    "Cross-Origin-Opener-Policy": "same-origin",
}


def create_app(
    database: str,
    photos: Path,
    see: See = bridge.see,
    address: str | None = None,
    learn: Learn = bridge.learn,
    hosts: Iterable[str] = (),
    watched: Callable[[], FrameReader] = WatchedTable,
    camera: str | None = None,
    learn_board: LearnBoard = bridge.learn_board,
) -> Flask:
    """Return the app over the log at *database*, photos in the folder *photos*.

    *see* reads a photo, *learn* learns dice from some; *address* is where other phones reach the
    server; *hosts* are the names it is reached by besides those of its own machine. *watched* opens
    a table for a camera to watch, *camera* names the server's own. *learn_board* learns a board.
    """
    # The hash stands in the path, so what a script imports beside itself is versioned with it.
    app = Flask("webui", static_url_path=f"/static/{_version(HERE / 'static')}")
    app.config.update(
        COMPRESS_ALGORITHM=["br", "gzip"],
        COMPRESS_ALGORITHM_STREAMING=["br", "deflate"],
        MAX_CONTENT_LENGTH=BODY_BYTES,  # of each address that does not say it takes more
        SEND_FILE_MAX_AGE_DEFAULT=YEAR,
    )
    app.jinja_env.globals["language"] = languages.language
    app.json.sort_keys = False  # type: ignore[attr-defined]
    app.jinja_env.globals["modules"] = modules_in(HERE / "static")
    app.jinja_env.policies["json.dumps_kwargs"] = {"sort_keys": False}  # colours keep their order
    store, live = Store(database, photos), Live()
    watches = Watches(WatchedRolls(store, live), watched)
    parts = Parts(
        *(store, live, see, address, learn),
        watches=watches,
        camera=camera,
        learn_board=learn_board,
    )
    app.extensions["pipsight"] = parts
    app.register_blueprint(api.bp)
    app.register_blueprint(queued.bp)
    app.register_blueprint(start_pages.bp)
    app.register_blueprint(pages.bp)
    app.register_blueprint(adapters_api.bp)
    app.register_blueprint(adapters_views.bp)
    app.register_blueprint(boards_api.bp)
    app.register_blueprint(watch_api.bp)
    app.register_blueprint(advice_views.bp)
    app.register_blueprint(trust_views.bp)
    app.register_blueprint(print_views.bp)
    app.before_request(_speak)  # first: whatever refuses a request says why
    app.before_request(guard(hosts))
    app.register_error_handler(Exception, _tell)
    Compress(app)
    app.after_request(_add_headers)
    app.after_request(_log)
    return app


def _version(folder: Path) -> str:
    """Return a short hash of every file in *folder*."""
    digest = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            digest.update(path.name.encode() + path.read_bytes())
    return digest.hexdigest()[:12]


def _tell(error: Exception) -> ResponseReturnValue:
    told = problem(error)
    if request.path.startswith("/api/") or request.path == "/healthz":
        return jsonify(told.to_json()), told.status, told.headers
    return pages.show_problem(told), told.status, told.headers


def _add_headers(response: Response) -> Response:
    for name, value in HEADERS.items():
        response.headers.setdefault(name, value)
    if request.endpoint != "static":
        response.headers.setdefault("Cache-Control", "no-store")
    return response


def _log(response: Response) -> Response:
    """Log the request; what a stranger may have put into its address stays on one line."""
    log.info("%s %s %r %d", request.remote_addr, request.method, request.path, response.status_code)
    return response


def _speak() -> None:
    """Answer in the language that is liked best of those there are: no page mixes two."""
    spoken = languages.known() if request.path.startswith("/api/") else languages.PAGES
    languages.speak(request.accept_languages.best_match(spoken))
