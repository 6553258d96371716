"""Health of the server: can the matches be read, and could the last photos? And its log.

A line of the log is an event, with the id of the request it is about. It has nothing of anybody: no
names, no addresses of phones, no ids or codes with which one can play. Of an error it has the kind
and the place; its words may quote what a person sent.
"""

import json
import logging
import re
import secrets
import sqlite3
import threading
import traceback
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any

from scorer.messages import _
from webui.errors import RequestError, request_id

LAST = 5  # photos; as many failures in a row are no chance
BROKEN = _(
    "None of the last {last} photos could be read, whatever they showed: reading photos is "
    "broken here. Restart the server; until then moves can be tapped in.",
    last=LAST,
)
UNREADABLE = _("The matches cannot be read. Look at the server's messages, and restart it.")


class Unwell(RequestError):
    """The server runs and does not do its work."""

    status, kind, retry_after = 503, "Unwell", 60


class Outcomes:
    """Whether reading worked on the last photos. Many threads may tell at once."""

    def __init__(self) -> None:
        self._worked: deque[bool] = deque(maxlen=LAST)
        self._lock = threading.Lock()

    @contextmanager
    def counted(self) -> Iterator[None]:
        """Count whether the reading within worked; a photo that is refused is no fault of ours."""
        try:
            yield
        except RequestError:
            raise
        except Exception:
            self.add(worked=False)
            raise
        self.add(worked=True)

    def add(self, *, worked: bool) -> None:
        """Count one photo."""
        with self._lock:
            self._worked.append(worked)

    def check(self) -> None:
        """Raise Unwell if none of the last photos could be read."""
        with self._lock:
            if len(self._worked) == LAST and not any(self._worked):
                raise Unwell(BROKEN)


FORMS = ("plain", "json")
# What a proxy gives: a UUID, or 32 hexadecimal digits. Ids of matches are shorter.
GIVEN = re.compile(r"[0-9a-f]{32}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.ASCII)
PRIVATE = re.compile(
    r"\b[0-9a-f]{24}\b"  # ids of matches, sightings and jobs
    r"|(?<=/j/)[^\s'\"]+|(?<=code=)[^\s'\"&]+"  # codes
    r"|\b\d{1,3}(\.\d{1,3}){3}\b|\b(?:[0-9a-f]{0,4}:){3,7}[0-9a-f]{0,4}\b"  # addresses of phones
)
HIDDEN = "…"


def id_of(given: str | None) -> str:
    """Return the id of a request: the one that a proxy has *given* it, or a new one."""
    return given if given and GIVEN.fullmatch(given) else secrets.token_hex(16)


class Plain(logging.Formatter):
    """A line for a person."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s%(request)s: %(message)s")

    def format(self, record: logging.LogRecord) -> str:
        """Return the line; what a stranger has put into it stays on that line."""
        found = request_id.get()
        record.request = f" [{found}]" if found else ""
        record.exc_text = None  # another handler's, with the words of the error
        return PRIVATE.sub(HIDDEN, super().format(record))

    def formatException(self, ei: Any) -> str:  # noqa: N802  # logging's name
        """Return where an error came from."""
        return _place_of(ei[1])


class JsonLines(logging.Formatter):
    """A JSON object a line, for programs."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line."""
        line = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": PRIVATE.sub(HIDDEN, record.getMessage()),
            **getattr(record, "fields", {}),
        }
        if found := request_id.get():
            line["request"] = found
        if record.exc_info and record.exc_info[1]:
            line["error"] = _place_of(record.exc_info[1])
        return json.dumps(line)


def _place_of(error: BaseException | None) -> str:
    """Return the kinds and places of an error and what caused it, and the system's own words."""
    parts = []
    while error is not None:
        frames = traceback.extract_tb(error.__traceback__)
        places = "".join(f"\n  {at.filename}:{at.lineno} {at.name}" for at in frames)
        parts.append(f"{type(error).__qualname__}{_words(error)}{places}")
        error = error.__cause__ or error.__context__
    return "\n".join(parts)


def _words(error: BaseException) -> str:
    if isinstance(error, OSError):
        return f": {error.strerror}"
    return f": {error}" if isinstance(error, sqlite3.Error) else ""


def configure(level: str, form: str) -> None:
    """Let everything be logged from *level* on, in one of FORMS."""
    number = logging.getLevelNamesMapping()[level.upper()]
    handler = logging.StreamHandler()
    handler.setFormatter(JsonLines() if form == "json" else Plain())
    logging.basicConfig(handlers=[handler], level=number)
    if number > logging.DEBUG:
        logging.getLogger("waitress.queue").setLevel(logging.ERROR)  # a short wait is no news
