"""Errors of requests, each with a status, a kind for programs and a sentence for people."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from typing import NotRequired, TypedDict

from scorer import Illegal, Malformed
from scorer.messages import Message, _, raw
from webui.languages import reason, said

log = logging.getLogger(__name__)


def not_written(path: object, fault: OSError) -> Message:
    """Return the sentence of a file that cannot be written."""
    return _("{file} cannot be written: {why}.", file=raw(path), why=reason(fault))


def already_there(path: object) -> Message:
    """Return the sentence of a file that would be replaced."""
    return _("{file} is there already. Choose another name.", file=raw(path))


class Refusal(Exception):
    """`str()` is a sentence that says what to do; a command prints it and ends with code 1."""


class NotWritten(Refusal):
    """A file or folder cannot be written."""

    def __init__(self, path: object, cause: OSError) -> None:
        super().__init__(not_written(path, cause))


class RequestError(Refusal):
    """A refused request."""

    status = 400
    kind = "NotAMove"
    retry_after: int | None = None  # seconds after which a retry may succeed

    def __init__(self, sentence: str, retry_after: int | None = None) -> None:
        super().__init__(sentence)
        if retry_after is not None:
            self.retry_after = retry_after


class CrossSite(RequestError):
    """A write request from a page of another site."""

    status, kind = 403, "Foreign"


class NotYours(RequestError):
    """The resource exists but belongs to someone else."""

    status, kind = 403, "NotYours"


class NotAllowed(RequestError):
    """The phone's role at the match, or a locked seat, forbids it."""

    status, kind = 403, "NotAllowed"


class NotAgreed(RequestError):
    """The players of the match have not agreed to it."""

    status, kind = 403, "NotAgreed"


class NotFound(RequestError):
    """The resource does not exist."""

    status, kind = 404, "Unknown"


class PhotoGone(NotFound):
    """A photo was deleted; its reading still exists."""


class Stale(RequestError):
    """The sender's state of the match is outdated."""

    status, kind = 409, "Stale"


class Asked(RequestError):
    """It may have been counted already: confirmation is required."""

    status, kind = 409, "Asked"


class Unconfirmed(RequestError):
    """Confirmation is required: the request is repeated with the token in this answer."""

    status, kind = 409, "Unconfirmed"

    def __init__(self, sentence: str, confirm: str) -> None:
        super().__init__(sentence)
        self.confirm = confirm


class WrongType(RequestError):
    """The content type is not supported."""

    status, kind = 415, "WrongType"


class Misdirected(RequestError):
    """The request has a foreign host name."""

    status, kind = 421, "Misdirected"


class Closed(RequestError):
    """The match takes no moves under the installed rules."""

    status, kind = 422, "Closed"


class CannotPlayOn(RequestError):
    """The rules allow the table, or cannot continue from it."""

    status, kind = 422, "Illegal"


class Unadvised(RequestError):
    """There is no advice, or not for this input."""

    status, kind = 422, "NoAdvice"


class NothingToUndo(RequestError):
    """There is no step to undo, or not that one."""

    status, kind = 422, "Illegal"


class NothingToRedo(RequestError):
    """There is no step to redo, or not that one."""

    status, kind = 422, "Illegal"


class NotRead(RequestError):
    """The photo cannot be read."""

    status, kind = 422, "Unreadable"


class WholeWanted(RequestError):
    """A part of a photo is not enough: the whole is required."""

    status, kind = 422, "WholeWanted"


class RateLimited(RequestError):
    """Too many requests from this address."""

    status, kind, retry_after = 429, "TooOften", 60


class Busy(RequestError):
    """The server is overloaded; a retry may succeed."""

    status, kind, retry_after = 503, "Busy", 5


class CorruptPhoto(RequestError):
    """A stored photo was changed."""

    status, kind = 500, "Damaged"


class CorruptStore(RequestError):
    """The database is unreadable."""

    status, kind = 500, "Damaged"


class DiskFull(RequestError):
    """The disk is full."""

    status, kind, retry_after = 507, "Full", 60


class CannotStore(RequestError):
    """The system refuses writes."""

    status, kind, retry_after = 503, "CannotStore", 60


BY_STATUS = {
    400: ("NotAMove", _("The request could not be understood. Reload the page and try again.")),
    404: ("Unknown", _("There is nothing at this address. Check the link.")),
    405: ("WrongMethod", _("This address does not take that kind of request.")),
    413: (
        "TooLarge",
        _(
            "That is too large: a photo may have 40 MB, a recording or a frame 4 MB, "
            "all else 256 kB."
        ),
    ),
}
BROKEN = _("Something went wrong here, and nothing was stored. Try again in a moment.")
STORED = _("It was stored, and then something went wrong here. Reload the page to see it.")

_stored: ContextVar[bool] = ContextVar("stored", default=False)
request_id: ContextVar[str] = ContextVar("request_id", default="")  # also in the log


class ErrorJson(TypedDict):
    """The error: a kind for programs, a sentence for people."""

    kind: str
    sentence: str
    rule: NotRequired[str]  # of docs/rules/RULES.md, if a rule forbids it
    confirm: NotRequired[str]  # sent again as `confirmed` after a person's confirmation
    request: NotRequired[str]  # its id in the server's log, for a server error


class ErrorAnswer(TypedDict):
    """The body of an answer that is an error."""

    error: ErrorJson


@dataclass(frozen=True, slots=True)
class Problem:
    """An error as an answer: a sentence for the person, a kind for the program."""

    status: int
    kind: str
    sentence: str
    rule: str | None = None
    headers: Mapping[str, str] = field(default_factory=dict)  # of the answer
    confirm: str = ""  # token for the repeated request

    def to_json(self) -> ErrorAnswer:
        """Return the body of the answer."""
        error: ErrorJson = {"kind": self.kind, "sentence": self.sentence}
        if self.rule:
            error["rule"] = self.rule
        if self.confirm:
            error["confirm"] = self.confirm
        if self.reference:
            error["request"] = self.reference
        return {"error": error}

    @property
    def reference(self) -> str:
        """Return the id of the request for a server error, else ""."""
        return request_id.get() if self.status >= 500 else ""


def begin(request: str = "") -> None:
    """Begin a request or a job with this id: nothing is stored yet."""
    _stored.set(False)
    request_id.set(request)


def has_stored() -> bool:
    """Return True if something of this request is stored."""
    return _stored.get()


def note_stored() -> None:
    """Record that something of this request is stored, so that later errors do not deny it."""
    _stored.set(True)


def problem(error: Exception) -> Problem:
    """Convert *error* to an answer; an unexpected one is logged with its traceback."""
    found = _problem(error)
    return replace(found, sentence=said(STORED)) if found.status >= 500 and _stored.get() else found


def _problem(error: Exception) -> Problem:
    from werkzeug.exceptions import HTTPException  # noqa: PLC0415  # 50 ms; photos need none of it

    match error:
        case Unconfirmed():
            return Problem(error.status, error.kind, said(error.args[0]), confirm=error.confirm)
        case RequestError():
            wait = {} if error.retry_after is None else {"Retry-After": str(error.retry_after)}
            return Problem(error.status, error.kind, said(error.args[0]), headers=wait)
        case Illegal():
            return Problem(422, "Illegal", said(error.reason), error.rule)
        case Malformed():
            return Problem(400, "NotAMove", said(*error.args))  # the kind that programs know
        case HTTPException(code=int(status)) if status < 500:
            kind, sentence = BY_STATUS.get(status, BY_STATUS[400])
            headers = {name: value for name, value in error.get_headers() if name == "Allow"}
            return Problem(status, kind, said(sentence), headers=headers)
        case _:
            log.error("a request failed", exc_info=error)
            return Problem(500, "Broken", said(BROKEN))
