"""Photo results: immediate, or queued with a place to ask at."""

from collections.abc import Mapping
from typing import IO, Annotated, Any, TypedDict

from flask import Response, jsonify, request, url_for

from webui.api.answers.photos import SeenView, TaughtBoardView, TaughtView, WholeView
from webui.errors import Problem
from webui.http.address import address
from webui.http.guests import guest
from webui.jobs.order import Body, Job, Order, OrderKind
from webui.languages import language
from webui.services import services
from webui.store.tables.phones import Role

SOON = {"Retry-After": "1"}  # seconds
REFUSALS = (422, 500, 503, 507)  # of reading and keeping a photo, at once or later

JobAnswer = tuple[Response, int, dict[str, str]]


class WaitingView(TypedDict):
    """A place in the queue."""

    job: str
    place: Annotated[int, "in the queue, 1 for the next; 0: it is being read"]


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
    """Answer with the result of an order, 201, or with its place in the queue, 202.

    A request thread waits for as many answers as there are eyes, and for no more. Raises Busy.
    """
    job = services().jobs.submit(Order(kind, match_id, data, guest(), language(), patient), photo)
    answer = services().jobs.answer(job, wait=True) if job.at_once else None
    if answer is not None:
        return _response(answer, 201)
    where = url_for("api.queue.show", match_id=match_id, job=job.id)
    return jsonify(_place(job)), 202, {"Location": where, **SOON}


def _response(answer: Body | Problem, status: int) -> JobAnswer:
    if isinstance(answer, Problem):
        return jsonify(answer.to_json()), answer.status, dict(answer.headers)
    return jsonify(answer), status, {}


def _place(job: Job) -> WaitingView:
    return WaitingView(job=job.id, place=services().jobs.place(job))


@address(
    "GET",
    "/api/matches/<match_id>/jobs/<job>",
    Role.WATCHER,
    answer=WaitingView | SeenView | WholeView | TaughtView | TaughtBoardView,
    errors=REFUSALS,
)
def show(match_id: str, job: str) -> JobAnswer:
    """The place in the queue of what was answered with 202, then its answer, or its error.

    An answer is kept for ten minutes.
    """
    found = services().jobs.find(match_id, job)
    answer = services().jobs.answer(found)
    if answer is not None:
        return _response(answer, 200)
    return jsonify(_place(found)), 200, SOON
