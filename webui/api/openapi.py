"""The JSON interface as an OpenAPI 3.1 document, made from what each view declares."""

import re
from functools import cache
from types import NoneType
from typing import Any

from webui.api import camera, followers, live, matches, moves_schema, photos, queue, taught
from webui.api.schema import INTEGER, TEXT, Schema, described_object, ref, schema
from webui.errors import ErrorAnswer
from webui.http.address import ADDRESSES, Address, address
from webui.http.hosts import address_of
from webui.match.events import MatchEvent
from webui.store.tables.phones import Role

DECLARING = (camera, followers, live, matches, photos, queue, taught)  # by being imported
ERRORS = {
    400: "The request is no move, or its JSON is not of the shape described here (`NotAMove`).",
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
OF_A_BODY = (400, 413, 415)
OF_ANY_BODY = (403, 429)  # refused before it is read
RETRY_AFTER: Schema = {"Retry-After": {"schema": INTEGER, "description": "seconds"}}
QUEUED: Schema = {
    "description": "The eyes are busy: it waits in a queue, and is answered at `Location`.",
    "content": {"application/json": {"schema": ref("Waiting")}},
    "headers": {
        "Location": {"schema": TEXT, "description": "ask here, as often as wanted"},
        **RETRY_AFTER,
    },
}


@address(
    "GET",
    "/api/openapi.json",
    Role.ANYBODY,
    answer={"application/json": {"schema": {"type": "object"}}},
)
def openapi() -> dict[str, Any]:
    """The description of this interface."""
    return {**document(), "servers": [{"url": address_of("") or "/"}]}


def declared() -> list[Address]:
    """Return all addresses, in the order of their routes: those of one route side by side."""
    return sorted(ADDRESSES, key=lambda one: one.rule)


def described() -> list[Address]:
    """Return the addresses of the JSON interface; figures for Prometheus are no JSON."""
    return [one for one in declared() if one.rule != "/metrics"]


@cache
def document() -> Schema:
    """Return the OpenAPI document."""
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Pipsight",
            "version": "1",
            "description": "Ids are unguessable: who has the address of a match may play it."
            " Seats, rows, columns and surfaces are counted from 0. Whole numbers are sent without"
            " a fraction: 3, not 3.0.",
        },
        "paths": _paths(),
        "webhooks": followers.SENT_TO_WEBHOOKS,
        "components": {"schemas": _schemas()},
    }


# ---------------------------------------------------------------- addresses


def path_of(rule: str) -> str:
    """Return a rule as OpenAPI writes it.

    >>> path_of("/api/matches/<match_id>/viewers/<int:number>")
    '/api/matches/{match}/viewers/{number}'
    """
    return re.sub(r"<(?:\w+:)?(\w+?)(?:_id)?>", r"{\1}", rule)


def _paths() -> dict[str, Schema]:
    paths: dict[str, Schema] = {}
    for made in described():
        path = path_of(made.rule)
        paths.setdefault(path, {})[made.method.lower()] = _operation(made)
    for path, operations in paths.items():
        if names := re.findall(r"\{(\w+)\}", path):
            operations["parameters"] = [
                {"name": name, "in": "path", "required": True, "schema": TEXT} for name in names
            ]
    return paths


def _operation(made: Address) -> Schema:
    summary, _, more = made.says.partition("\n\n")
    content = _content(made.answer)
    answer = {"description": summary, **({"content": content} if content else {})}
    responses = {str(made.status): answer} | ({"202": QUEUED} if made.queued else {})
    operation: Schema = {
        "summary": summary,
        **({"description": " ".join(more.split())} if more else {}),
        "responses": responses | {str(code): _failure(code) for code in _errors(made)},
    }
    body = made.body or (made.sent and _content(made.sent))
    if body:
        operation["requestBody"] = {"required": True, "content": body}
    if made.query:
        operation["parameters"] = [*made.query]
    return operation


def _content(answer: Any) -> Any:
    """Return a type as the content of JSON; content of another kind as it is."""
    if answer in (None, NoneType) or isinstance(answer, dict):
        return answer if isinstance(answer, dict) else None
    return {"application/json": {"schema": schema(answer, _names())}}


def _errors(made: Address) -> list[int]:
    """Return the errors of an address: its own, those of what is sent there, and those of all."""
    is_sent = bool(made.sent or made.body)
    own = {*made.errors, *(OF_A_BODY if is_sent else ()), *((404,) if "<" in made.rule else ())}
    return [*sorted(own), 421, *(OF_ANY_BODY if is_sent else ())]


def _failure(code: int) -> Schema:
    content = {"application/json": {"schema": ref("Error")}}
    headers = {"headers": RETRY_AFTER} if code in (429, 503) else {}
    return {"description": ERRORS[code], "content": content, **headers}


# ---------------------------------------------------------------- schemas


@cache
def _names() -> dict[Any, str]:
    """Return the types of all bodies and answers with their names: `MatchView` is "Match"."""
    kinds = dict.fromkeys([MatchEvent, *(kind for one in described() for kind in _kinds(one))])
    names = {kind: re.sub("^Sent(?=[A-Z])|View$", "", kind.__name__) for kind in kinds}
    return {**names, ErrorAnswer: "Error"}


def _kinds(made: Address) -> list[Any]:
    """Return the types that an address takes and answers; of several answers each."""
    kinds = [made.sent, *getattr(made.answer, "__args__", [made.answer])]
    return [kind for kind in kinds if isinstance(kind, type) and kind is not NoneType]


def _schemas() -> dict[str, Schema]:
    names = _names()
    described = {name: described_object(kind, names) for kind, name in names.items()}
    return described | moves_schema.SCHEMAS
