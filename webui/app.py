"""The Flask app: services made, pages and JSON interface registered, headers set."""

import gc
import hashlib
import logging
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path

from flask import Flask, Response, current_app, g, jsonify, request
from flask.globals import request_ctx
from flask.typing import ResponseReturnValue
from werkzeug.routing import IntegerConverter

from scorer.messages import _
from scorer.tournament import numbered
from webui import languages
from webui.api import openapi
from webui.api.orders import perform
from webui.camera.cameras import Cameras
from webui.camera.rolls import WatchedRolls
from webui.errors import Busy, begin, has_stored, problem, request_id
from webui.eyes.eyes import OWN, Eyes
from webui.http.address import register
from webui.http.bodies import BODY_BYTES, FormRequest
from webui.http.guests import TrustedProxies, proxied
from webui.http.health import id_of
from webui.http.hosts import CSP, Below, NamedOrigins, address_of, guard, plain_host, policy
from webui.http.live import Live
from webui.http.metrics import Metrics
from webui.http.roles import admission, hand_out, least
from webui.jobs.order import AT_ONCE, Body, Jobs, Order, Work
from webui.jobs.pool import OwnJobs
from webui.pages import eyes_files, printing, screen, site, statistics, style, table_screen, trust
from webui.pages.drawings.seats import SHAPES
from webui.pages.match import (
    advice,
    deleting,
    followers,
    hand_on,
    match,
    phones,
    players,
    steps,
    taught,
    why,
)
from webui.pages.rules import rules
from webui.pages.scripts import serve_joined
from webui.pages.start import past, start
from webui.services import Services
from webui.settings import ServerSettings
from webui.store.log import Store
from webui.store.tables.phones import Role

log = logging.getLogger(__name__)

PAGES = (
    start,
    match,
    past,
    statistics,
    deleting,
    phones,
    followers,
    players,
    screen,
    steps,
    why,
    taught,
    advice,
    rules,
    trust,
    printing,
    style,
    table_screen,
    eyes_files,
    hand_on,
    site,
)
HERE = Path(__file__).parent
STOPS = _("The server is stopping; nothing was stored. Try again in a moment.")
YEAR = 365 * 24 * 3600  # seconds
HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",  # the address of a match is the key to it
    "Cross-Origin-Opener-Policy": "same-origin",
}


class PlaceNumber(IntegerConverter):
    """A number in an address, no longer than a database takes: of a step, a webhook, a seat."""

    regex = r"\d{1,9}"


USUAL = ServerSettings()
MakeJobs = Callable[[Work, Store], Jobs]


def own_queue(work: Work, _store: Store, at_once: int = AT_ONCE) -> Jobs:
    """Return the queue of a server that reads its photos alone, *at_once* together."""
    return OwnJobs(work, at_once)


def create_app(
    database: str,
    photos: Path | str,
    eyes: Eyes = OWN,
    settings: ServerSettings = USUAL,
    jobs: MakeJobs = own_queue,
    files: eyes_files.EyesFiles = eyes_files.made,
) -> Flask:
    """Return the app over the log at *database* with the photos in a folder or store.

    *jobs* makes the queue of what *eyes* are to read; *files* are those of a page's own eyes.
    """
    app = _bare_app(settings)
    store = Store(database, photos)
    live = Live(store.news_of)
    cameras = Cameras(WatchedRolls(store, live), eyes.watch)
    services = Services(store, eyes, live=live, cameras=cameras, settings=settings)
    try:
        services.jobs = jobs(_work(app, services), store)
    except BaseException:
        store.close()
        raise
    app.extensions["pipsight"], app.extensions["eyes_files"] = services, files
    app.extensions["metrics"] = Metrics(live.count, services.jobs.waiting)
    register(app, openapi.declared())
    for views in PAGES:
        app.register_blueprint(views.bp)
    app.view_functions["static"] = least(Role.ANYBODY)(app.view_functions["static"])
    app.register_error_handler(Exception, _tell)
    _add_hooks(app, services)
    below = Below(app.wsgi_app, settings.prefix)
    app.wsgi_app = TrustedProxies(below, settings.proxies)  # type: ignore[method-assign]
    return app


def _bare_app(settings: ServerSettings) -> Flask:
    """Return an app without views: its limits, the globals of its templates, its scripts."""
    # The hash stands in the path, so what a script imports beside itself is versioned with it.
    app = Flask("webui", static_url_path=f"/static/{_version(HERE / 'static')}")
    app.request_class = FormRequest
    app.url_map.converters["int"] = PlaceNumber
    app.config.update(
        COMPRESS_ALGORITHM=["br", "gzip"],
        COMPRESS_BR_LEVEL=5,  # of a page a tenth less than 4, in 1 ms more
        COMPRESS_ALGORITHM_STREAMING=["br", "deflate"],
        MAX_CONTENT_LENGTH=BODY_BYTES,  # of each address that does not say it takes more
        SEND_FILE_MAX_AGE_DEFAULT=YEAR,
    )
    app.jinja_env.globals.update(
        {"_": languages.translate, "ngettext": languages.counted, "language": languages.language},
        address_of=address_of,
        languages=languages.choices,
        in_figures=languages.in_figures,
        numbered=lambda noun, number: languages.said(numbered(noun, number)),
        seat_shapes=SHAPES,
        others=settings.others,
        lite=settings.lite is not None,
        sentences=lambda: languages.for_scripts(HERE / "static", languages.language()),
    )
    app.json.sort_keys = False  # type: ignore[attr-defined]
    serve_joined(app, HERE / "static" / "joined", compress=settings.compress)
    app.jinja_env.policies["json.dumps_kwargs"] = {"sort_keys": False}  # colours keep their order
    return app


def _add_hooks(app: Flask, services: Services) -> None:
    """Add what runs before and after each request, in this order."""
    settings = services.settings
    app.before_request(_begin)
    app.before_request(_speak)  # first: whatever refuses a request says why
    origins = app.extensions["origins"] = NamedOrigins(settings.origins)
    app.before_request(origins.preflight)
    app.before_request(guard(settings.hosts))
    app.before_request(_learn_name)
    app.before_request(_send_away)
    app.before_request(admission(services.store.phones))
    services.shares.given = settings.shares
    app.before_request(services.shares.check)
    if settings.compress:
        from flask_compress import Compress  # noqa: PLC0415  # Brotli is none of a browser's packages

        Compress(app)
    app.after_request(_add_headers)
    app.after_request(origins.tell)
    app.after_request(hand_out)
    app.after_request(services.shares.count)
    app.after_request(_log)


def warm_up(app: Flask) -> None:
    """Compile the templates before the first page, and keep the collector off what stays."""
    for name in app.jinja_env.list_templates():
        app.jinja_env.get_template(name)
    gc.freeze()
    gc.set_threshold(10_000)  # the 20,000 events of a long match are no garbage


@cache
def _version(folder: Path) -> str:
    """Return a short hash of every file in *folder*."""
    digest = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            digest.update(path.name.encode() + path.read_bytes())
    return digest.hexdigest()[:12]


def _tell(error: Exception) -> ResponseReturnValue:
    if request_ctx.url_adapter is None:  # the Host header is no name, "." say; the page tells it
        request_ctx.url_adapter = current_app.url_map.bind("localhost")
    refusal = problem(error)
    current_app.extensions["metrics"].failed(refusal.kind)
    if request.path.startswith("/api/") or request.path == "/healthz" or match.scripted():
        return jsonify(refusal.to_json()), refusal.status, refusal.headers
    return match.show_problem(refusal), refusal.status, refusal.headers


def _add_headers(response: Response) -> Response:
    for name, value in HEADERS.items():
        response.headers.setdefault(name, value)
    response.headers.setdefault(CSP, policy())
    if request.endpoint != "static":  # joined files say themselves how long they stay
        response.headers.setdefault("Cache-Control", "no-store")
    return response


def _begin() -> None:
    begin(id_of(request.headers.get("X-Request-ID")))
    g.begun = time.monotonic()


def _learn_name() -> None:
    """Note the host that a trusted proxy says a phone has opened."""
    if proxied():
        current_app.extensions["pipsight"].own_names.learn([plain_host(request.host)])


def _send_away() -> None:
    if current_app.extensions["pipsight"].stopping:
        raise Busy(STOPS)


def _log(response: Response) -> Response:
    """Log and count the request; an address may be a key, so its route stands for it."""
    seconds = time.monotonic() - g.begun
    metrics: Metrics = current_app.extensions["metrics"]
    metrics.answered(request, response.status_code, seconds, stored=has_stored())
    response.headers["X-Request-ID"] = request_id.get()
    fields = {
        "method": request.method,
        "route": request.url_rule.rule if request.url_rule else None,
        "status": response.status_code,
        "ms": round(1000 * seconds, 1),
    }
    log.info("%(method)s %(route)s %(status)s %(ms)s ms", fields, extra={"fields": fields})
    return response


def _work(app: Flask, services: Services) -> Work:
    """Return what does an order, and measures how long it takes."""

    def work(order: Order, photo: bytes | None) -> Body:
        with app.extensions["metrics"].reading():
            return perform(services, order, photo)

    return work


def _speak() -> None:
    """Answer in the language that was chosen here, else the one liked best: no page mixes two."""
    if request.path.startswith("/api/"):
        languages.speak(request.accept_languages.best_match(languages.available()))
        return
    chosen, whole = request.cookies.get(languages.COOKIE), languages.choices()
    languages.speak(chosen if chosen in whole else request.accept_languages.best_match(whole))
