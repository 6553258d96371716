"""What the server refuses, each with a status, a kind for programs and a sentence for people."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from typing import NotRequired, TypedDict

from scorer import Illegal, Malformed
from scorer.messages import _
from webui.languages import said

log = logging.getLogger(__name__)


class RequestError(Exception):
    """A request that cannot be answered as asked; `str()` is a sentence that says what to do."""

    status = 400
    kind = "NotAMove"
    retry_after: int | None = None  # seconds after which the same request may do better

    def __init__(self, sentence: str, retry_after: int | None = None) -> None:
        super().__init__(sentence)
        if retry_after is not None:
            self.retry_after = retry_after


class CrossSite(RequestError):
    """A page of another site wants to change something here."""

    status, kind = 403, "Foreign"


class NotYours(RequestError):
    """The thing is there, and belongs to others."""

    status, kind = 403, "NotYours"


class NotAllowed(RequestError):
    """The phone's role at the match, or a locked seat, forbids it."""

    status, kind = 403, "NotAllowed"


class NotAgreed(RequestError):
    """The players of the match have agreed otherwise."""

    status, kind = 403, "NotAgreed"


class NotFound(RequestError):
    """What was asked for is not here."""

    status, kind = 404, "Unknown"


class PhotoGone(NotFound):
    """A photo was there once; what was read on it still is."""


class Stale(RequestError):
    """The sender saw an older state of the match than the one that stands."""

    status, kind = 409, "Stale"


class Asked(RequestError):
    """It may have been counted already: a person is asked first."""

    status, kind = 409, "Asked"


class Unconfirmed(RequestError):
    """A person is asked first; the request is sent again with what this answer names."""

    status, kind = 409, "Unconfirmed"

    def __init__(self, sentence: str, confirm: str) -> None:
        super().__init__(sentence)
        self.confirm = confirm


class WrongType(RequestError):
    """The body is of a type that is not taken here."""

    status, kind = 415, "WrongType"


class Misdirected(RequestError):
    """The request was meant for a host that this server is not."""

    status, kind = 421, "Misdirected"


class Closed(RequestError):
    """The match takes no moves under the rules that are here."""

    status, kind = 422, "Closed"


class CannotPlayOn(RequestError):
    """The rules allow what lies there, or know no way to play on with it."""

    status, kind = 422, "Illegal"


class Unadvised(RequestError):
    """No advice for this input, or none at all."""

    status, kind = 422, "NoAdvice"


class NothingToUndo(RequestError):
    """There is no step to take back, or not that one."""

    status, kind = 422, "Illegal"


class NothingToRedo(RequestError):
    """There is no step to put back, or not that one."""

    status, kind = 422, "Illegal"


class NotRead(RequestError):
    """The photo cannot be read."""

    status, kind = 422, "Unreadable"


class WholeWanted(RequestError):
    """A part of a photo is not enough: the whole is to be sent."""

    status, kind = 422, "WholeWanted"


class RateLimited(RequestError):
    """This address asks too often."""

    status, kind, retry_after = 429, "TooOften", 60


class Busy(RequestError):
    """There is too much to do at once; the same request may do better in a moment."""

    status, kind, retry_after = 503, "Busy", 5


class CorruptPhoto(RequestError):
    """What was stored is no longer what it was."""

    status, kind = 500, "Damaged"


class CorruptStore(RequestError):
    """The database can be read no more."""

    status, kind = 500, "Damaged"


class DiskFull(RequestError):
    """The disk takes no more; somebody must make room."""

    status, kind, retry_after = 507, "Full", 60


class CannotStore(RequestError):
    """The system lets the server write nothing; whoever runs it must repair that."""

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
request_id: ContextVar[str] = ContextVar("request_id", default="")  # which the log has as well


class ErrorJson(TypedDict):
    """What went wrong: a kind for programs, a sentence for people."""

    kind: str
    sentence: str
    rule: NotRequired[str]  # of docs/rules/RULES.md, where one forbids it
    confirm: NotRequired[str]  # sent again as `confirmed` once a person has said so
    request: NotRequired[str]  # its id in the server's log, where the server is at fault


class ErrorAnswer(TypedDict):
    """The body of an answer that is an error."""

    error: ErrorJson


@dataclass(frozen=True, slots=True)
class Problem:
    """An error as it is answered: a sentence for the person, a kind for the program."""

    status: int
    kind: str
    sentence: str
    rule: str | None = None
    headers: Mapping[str, str] = field(default_factory=dict)  # of the answer
    confirm: str = ""  # to be repeated by who asks again

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
        """Return the id of the request, "" where the server is not at fault."""
        return request_id.get() if self.status >= 500 else ""


def begin(request: str = "") -> None:
    """Begin the request of that id, or a job: nothing of it is stored."""
    _stored.set(False)
    request_id.set(request)


def has_stored() -> bool:
    """Return True if something of this request is stored."""
    return _stored.get()


def note_stored() -> None:
    """Note that something of this request is stored, so that no later fault denies it."""
    _stored.set(True)


def problem(error: Exception) -> Problem:
    """Return how to tell *error*; one that nobody foresaw is logged with its traceback."""
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
            return Problem(400, "NotAMove", said(*error.args))  # the word programs know
        case HTTPException(code=int(status)) if status < 500:
            kind, sentence = BY_STATUS.get(status, BY_STATUS[400])
            headers = {name: value for name, value in error.get_headers() if name == "Allow"}
            return Problem(status, kind, said(sentence), headers=headers)
        case _:
            log.error("a request failed", exc_info=error)
            return Problem(500, "Broken", said(BROKEN))
