"""Figures for Prometheus: how much is asked, how long it takes, what fails.

They are of the whole server and name nobody. Who may read them: programs on this machine, and who
has the token that its owner has set.
"""

import hmac
import multiprocessing
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.metadata import version

from flask import Request
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

from scorer.messages import _
from webui.errors import NotYours
from webui.http.guests import from_this_machine

TOKEN = "PIPSIGHT_METRICS_TOKEN"  # noqa: S105  # the name of a variable
SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30)
METHODS = {"GET", "HEAD", "POST", "OPTIONS"}
ELSEWHERE = "none"  # the route of an address that there is not
NOT_FOR_YOU = _("These figures are for programs on the server itself, or with its token.")


class Metrics:
    """The figures of one server."""

    def __init__(self, listeners: Callable[[], int], waiting: Callable[[], int]) -> None:
        """*listeners* returns how many live streams there are, *waiting* how many photos wait."""
        self.registry = registry = CollectorRegistry()
        self._requests = Counter(
            "pipsight_requests", "Requests", ("method", "route", "status"), registry=registry
        )
        self._seconds = Histogram(
            "pipsight_request_seconds",
            "Until the head of an answer",
            ("route",),
            buckets=SECONDS,
            registry=registry,
        )
        self._stored = Counter(
            "pipsight_stored", "Requests that stored something", ("route",), registry=registry
        )
        self._errors = Counter("pipsight_errors", "Errors told", ("kind",), registry=registry)
        self._photos = Histogram(
            "pipsight_photo_seconds",
            "Reading one photo, from its turn to its answer",
            buckets=SECONDS,
            registry=registry,
        )
        self._gauge("listeners", "Live streams", listeners)
        self._gauge("photos_waiting", "Photos that wait for the eyes", waiting)
        self._gauge(
            "eye_processes",
            "Processes that read photos",
            lambda: len(multiprocessing.active_children()),
        )
        build = Gauge("pipsight_build_info", "This version", ("version",), registry=registry)
        build.labels(version("pipsight")).set(1)

    def _gauge(self, name: str, about: str, ask: Callable[[], int]) -> None:
        Gauge(f"pipsight_{name}", about, registry=self.registry).set_function(ask)

    def answered(self, request: Request, status: int, seconds: float, *, stored: bool) -> None:
        """Count an answer."""
        route = request.url_rule.rule if request.url_rule else ELSEWHERE
        method = request.method if request.method in METHODS else ELSEWHERE
        self._requests.labels(method, route, status).inc()
        self._seconds.labels(route).observe(seconds)
        if stored:
            self._stored.labels(route).inc()

    def failed(self, kind: str) -> None:
        """Count an error."""
        self._errors.labels(kind).inc()

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Count the photo that is read within."""
        begun = time.monotonic()
        try:
            yield
        finally:
            self._photos.observe(time.monotonic() - begun)

    def text(self) -> bytes:
        """Return all figures as Prometheus reads them."""
        return generate_latest(self.registry)


def check_reader(request: Request) -> None:
    """Raise NotYours unless a program on this machine asks, or one that has the token."""
    token = os.environ.get(TOKEN, "")
    given = request.headers.get("Authorization", "").removeprefix("Bearer ")
    if token and hmac.compare_digest(given.encode(), token.encode()):
        return
    if not from_this_machine():
        raise NotYours(NOT_FOR_YOU)
