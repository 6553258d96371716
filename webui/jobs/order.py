"""Orders, serialisable tasks for the workers that read photos, and the interface of their queue.

Answers are kept for a while, so that a phone that lost its connection can fetch its answer again.
"""

import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import IO, Any, Literal, Protocol

from scorer.messages import ENGLISH, _
from webui.errors import Problem

Body = Mapping[str, Any]  # of the answer
OrderKind = Literal["photo", "whole", "corners", "dice", "board"]
WITH_PHOTO: tuple[OrderKind, ...] = ("photo", "whole")  # that is sent with the order

AT_ONCE = 2  # each takes a core and up to some hundred MB
WAITING = 32  # at the pace of a small machine, two photos a second, a quarter of a minute
WAITING_BYTES = 200_000_000  # on the disk
OF_ONE_MATCH = 8  # all phones of a table may send at once
OF_ONE_ADDRESS = 16  # half of a queue of WAITING, and of a longer one: a hall is one address
KEPT_SECONDS = 600.0  # answers
FULL = _("Many photos are waiting to be read. Wait a moment and send yours again.")
YOURS = _(
    "Several of your photos are waiting to be read already. Wait for them, then send this one."
)
STOPPING = _("The server is stopping. Send the photo again in a moment.")
TOO_MUCH = _("Reading this photo took too long or too much memory. Take it again, or another one.")
GONE = _("This photo is no longer waiting. Send it again.")


@dataclass(frozen=True, slots=True)
class Order:
    """A task for a match, requested by an *address*; its id names the results."""

    kind: OrderKind
    match_id: str
    data: Mapping[str, Any]  # JSON
    address: str = ""
    language: str = ENGLISH  # of the answer
    patient: bool = False  # nobody waits for it: a photo of a camera, for example
    id: str = field(default_factory=lambda: secrets.token_hex(12))


# Performs an order with its photo, if there is one; errors are returned as answers.
Work = Callable[[Order, bytes | None], Body]


@dataclass(frozen=True, slots=True)
class Job:
    """An accepted order; *at_once* if a worker is free: a request may wait for it."""

    id: str
    match_id: str
    at_once: bool = False


class Jobs(Protocol):
    """A queue: every accepted order gets an answer."""

    def check(self, match_id: str, address: str, size: int) -> None:
        """Raise Busy if the queue is full; call it before *size* bytes are received."""

    def submit(self, order: Order, photo: IO[bytes] | None = None) -> Job:
        """Append an order to the queue, which then owns its *photo*; raises Busy."""

    def find(self, match_id: str, job: str) -> Job:
        """Return a job of the match; raises NotFound."""

    def place(self, job: Job) -> int:
        """Return its place in the queue, 1 for the next; 0 if it is running or done."""

    def waiting(self) -> int:
        """Return the number of queued orders."""

    def answer(self, job: Job, *, wait: bool = False) -> Body | Problem | None:
        """Return the answer, or None if there is none yet; *wait* blocks for a bounded time."""

    def close(self) -> None:
        """Start no more orders."""


def size_of(photo: IO[bytes] | None) -> int:
    """Return the size of a photo in bytes, and rewind it."""
    if photo is None:
        return 0
    size = photo.seek(0, 2)
    photo.seek(0)
    return size
