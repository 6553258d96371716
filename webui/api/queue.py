"""Photo results: immediate, or queued with a place to ask at."""

from __future__ import annotations

from collections.abc import Mapping
from typing import IO, Any

from flask import Blueprint, Response, jsonify, request, url_for

from webui.api.answers import plain
from webui.api.answers.server import WaitingView
from webui.errors import Problem
from webui.http.guests import guest
from webui.http.roles import least
from webui.jobs.order import Body, Job, Order, OrderKind
from webui.languages import language
from webui.services import services
from webui.store.tables.phones import Role

SOON = {"Retry-After": "1"}  # seconds

bp = Blueprint("queued", __name__)

JobAnswer = tuple[Response, int, dict[str, str]]


def check_room(match_id: str) -> None:
    """Raise Busy where what this request sends would not be taken; asked before it is read."""
    services().jobs.check(match_id, guest(), request.content_length or 0)


def queue(
    kind: OrderKind,
    match_id: str,
    data: Mapping[str, Any],
    photo: IO[bytes] | None = None,
    *,
    patient: bool = False,
) -> JobAnswer:
    """Answer with what comes of an order, 201, or with its place in the queue, 202.

    A request thread waits for as many answers as there are eyes, and for no more. Raises Busy.
    """
    job = services().jobs.submit(Order(kind, match_id, data, guest(), language(), patient), photo)
    answer = services().jobs.answer(job, wait=True) if job.at_once else None
    if answer is not None:
        return _response(answer, 201)
    where = url_for("queued.show", match_id=match_id, job=job.id)
    return jsonify(_place(job)), 202, {"Location": where, **SOON}


def _response(answer: Body | Problem, status: int) -> JobAnswer:
    if isinstance(answer, Problem):
        return jsonify(answer.to_json()), answer.status, dict(answer.headers)
    return jsonify(answer), status, {}


def _place(job: Job) -> Body:
    return plain(WaitingView(job.id, services().jobs.place(job)))


@bp.get("/api/matches/<match_id>/jobs/<job>")
@least(Role.WATCHER)
def show(match_id: str, job: str) -> JobAnswer:
    """Return the place in the queue, or the answer: as often as it is asked for."""
    found = services().jobs.find(match_id, job)
    answer = services().jobs.answer(found)
    if answer is not None:
        return _response(answer, 200)
    return jsonify(_place(found)), 200, SOON
