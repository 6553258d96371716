"""What the OpenAPI document says of one address: its answers and its errors."""

from __future__ import annotations

from webui.api.openapi.json_schema import INTEGER, TEXT, Schema, ref

COUNTED = {**INTEGER, "minimum": 0}

ERRORS = {
    400: "The request is no move, or its JSON is not of the shape told here (`NotAMove`).",
    403: "A page of another site must not write (`Foreign`), another camera watches the match"
    " (`NotYours`), the players have agreed otherwise (`NotAgreed`), or the host lets this phone"
    " only watch, or has locked the seat to another one (`NotAllowed`).",
    404: "There is no such thing (`Unknown`).",
    409: "Another phone moved since (`Stale`): load the match again. Or a person is asked first"
    " (`Asked`, `Unconfirmed`).",
    413: "A photo over 40 MB, or a JSON body over 256 kB (`TooLarge`).",
    415: "A body of another type (`WrongType`).",
    421: "The server is not called what the header Host says (`Misdirected`).",
    422: "The rules forbid it (`Illegal`, with `rule`), the photo cannot be read (`Unreadable`),"
    " the rules here are not those of the match (`Closed`), or there is no advice"
    " (`NoAdvice`).",
    429: "Too many wrong tries, or more than a guest's share of the day (`TooOften`): try again"
    " after `Retry-After`.",
    500: "A stored photo, or the database, is no longer what it was (`Damaged`).",
    503: "Too much at once (`Busy`): try again after `Retry-After`; the system lets the server"
    " store nothing (`CannotStore`); or, told by `/healthz`, the matches cannot be read or stored,"
    " or the last photos could not be read (`Unwell`).",
    507: "The disk of the server is full (`Full`); nothing was stored.",
}


QUEUED = "The eyes are busy: it waits in a queue, and is answered at `Location`."
WHERE: Schema = {
    "Location": {"schema": TEXT, "description": "ask here, as often as wanted"},
    "Retry-After": {"schema": INTEGER, "description": "seconds"},
}


def operation(
    summary: str,
    answer: str | Schema | None,
    *errors: int,
    status: int = 200,
    body: str | Schema | None = None,
    queued: bool = False,
) -> Schema:
    """Return what is said of an address and a method: what it answers, and which *errors*."""
    content = {} if answer is None else {"content": as_json(answer)}
    answers: Schema = {str(status): {"description": summary, **content}}
    if queued:
        answers["202"] = {"description": QUEUED, "content": as_json("Waiting"), "headers": WHERE}
    failed = {str(code): _failure(code) for code in (*errors, 421, *((403, 429) if body else ()))}
    operation = {"summary": summary, "responses": answers | failed}
    if body is not None:
        operation["requestBody"] = {"required": True, "content": as_json(body)}
    return operation


def _failure(code: int) -> Schema:
    response: Schema = {"description": ERRORS[code], "content": as_json("Error")}
    if code in (429, 503):
        response["headers"] = {"Retry-After": {"schema": INTEGER, "description": "seconds"}}
    return response


def as_json(content: str | Schema) -> Schema:
    """Return the content of a named schema as JSON; other content as it is."""
    return {"application/json": {"schema": ref(content)}} if isinstance(content, str) else content


def binary(*kinds: str) -> Schema:
    """Return content of one of some *kinds* as it is."""
    return {kind: {"schema": {"type": "string", "format": "binary"}} for kind in kinds}
