"""What a request sends: a JSON body read strictly as a dataclass, numbers of its address, files."""

import json
import re
from contextlib import ExitStack
from functools import cached_property
from typing import IO, Any, TypeVar

from flask import Request, request
from werkzeug.datastructures import MultiDict

from scorer import Malformed
from scorer.messages import _, raw
from scorer.values import SchemaError, reader
from webui.errors import WrongType

T = TypeVar("T")
FormFields = MultiDict[str, str]

BODY_BYTES = 256 * 1024  # of JSON or a form; a step of nine dice has one
PHOTO_BYTES = 40_000_000
FORM = (
    "application/x-www-form-urlencoded"  # read as a whole, 40 bytes of memory for each of its own
)
DEPTH = 16  # of JSON; a move has three levels
D = TypeVar("D", int, None)


def number(name: str, default: D) -> int | D:
    """Return the whole number `?name=` of the address, counted from 0; raises Malformed."""
    sent = request.args.get(name)
    if sent is None:
        return default
    if not re.fullmatch(r"0|[1-9][0-9]{0,99}", sent):
        raise Malformed(_("{name} is a whole number, counted from 0.", name=raw(name)))
    return int(sent)


def typed_number(text: str) -> int:
    """Return the whole number of a form's field or button, -1 if a database has no such one."""
    return int(text) if re.fullmatch(r"[0-9]{1,9}", text) else -1


def take(most: int) -> None:
    """Let this request have a body of *most* bytes, unless it is a form of plain fields."""
    if request.mimetype != FORM:
        request.max_content_length = most


def body(wanted: type[T]) -> T:
    """Return the JSON body of the request as a *wanted*; raises Malformed saying what is wrong."""
    if not request.is_json:
        raise WrongType(_("Send JSON, with the content type application/json."))
    try:
        sent = load_json(request.get_data())
    except ValueError:
        raise Malformed(_("The request is not JSON. Reload the page and try again.")) from None
    if not isinstance(sent, dict):
        raise Malformed(_("The request must be a JSON object."))
    try:
        return reader(wanted)(sent)  # type: ignore[arg-type, no-any-return]
    except SchemaError as fault:
        raise Malformed(*fault.args) from None


def load_json(text: str | bytes) -> Any:
    """Return a stranger's JSON; raises ValueError, also where it is nested as no move ever is."""
    try:
        sent = json.loads(text, parse_constant=_no_number)
    except RecursionError:
        raise ValueError("nested too deeply") from None
    if _depth(sent) > DEPTH:
        raise ValueError("nested too deeply")
    json.dumps(sent, ensure_ascii=False).encode()  # half a surrogate pair is no text
    return sent


def _no_number(word: str) -> None:
    raise ValueError(f"{word} is not a number")


def _depth(body: object) -> int:
    """Return how many lists and objects stand in one another, without recursion."""
    depth, layer = 0, [body]
    while layer := [
        item
        for one in layer
        if isinstance(one, (list, dict))
        for item in (one.values() if isinstance(one, dict) else one)
    ]:
        depth += 1
    return depth


# ---------------------------------------------------------------- forms


class FormRequest(Request):
    """A request that closes every file of its form at its end, also one that came half.

    Werkzeug leaves that of a form that is cut off to the garbage collector.
    """

    @cached_property
    def _opened(self) -> ExitStack:
        return ExitStack()

    def _get_file_stream(
        self,
        total_content_length: int | None,
        content_type: str | None,
        filename: str | None = None,
        content_length: int | None = None,
    ) -> IO[bytes]:
        given = total_content_length, content_type, filename, content_length
        return self._opened.enter_context(super()._get_file_stream(*given))

    def close(self) -> None:
        """Close what the form has opened."""
        super().close()
        self._opened.close()
