"""The JSON interface as an OpenAPI 3.1 document; its schemas are derived from the types in use.

Tests hold the rest to reality: every address is told, and every answer has the shape told here.
"""

from __future__ import annotations

from typing import Any

from webui.api.openapi import answers
from webui.api.openapi.json_schema import INTEGER, NUMBER, TEXT, Schema, list_of
from webui.api.openapi.json_schema import ref as _ref
from webui.api.openapi.sent import MOVE_KINDS, SENT

SCHEMAS: dict[str, Schema] = {**answers.SCHEMAS, **SENT}

# ---------------------------------------------------------------- the addresses

ERRORS = {
    400: "The request is no move, or its JSON is not of the shape told here (`NotAMove`).",
    403: "A page of another site must not write (`Foreign`), another camera watches the match"
    " (`NotYours`), the players have agreed otherwise (`NotAgreed`), or the host lets this phone"
    " only watch, or has locked the seat to another one (`NotAllowed`).",
    404: "There is no such thing (`Unknown`).",
    409: "Another phone moved since (`Stale`): load the match again.",
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


def _operation(
    summary: str,
    answer: str | Schema,
    *errors: int,
    status: int = 200,
    body: str | Schema | None = None,
    queued: bool = False,
) -> Schema:
    answers = {str(status): {"description": summary, "content": _json(answer)}}
    if queued:
        answers["202"] = {"description": QUEUED, "content": _json("Waiting"), "headers": WHERE}
    failed = {str(code): _failure(code) for code in (*errors, 421, *((403, 429) if body else ()))}
    operation = {"summary": summary, "responses": answers | failed}
    if body is not None:
        operation["requestBody"] = {"required": True, "content": _json(body)}
    return operation


def _failure(code: int) -> Schema:
    response: Schema = {"description": ERRORS[code], "content": _json("Error")}
    if code in (429, 503):
        response["headers"] = {"Retry-After": {"schema": INTEGER, "description": "seconds"}}
    return response


def _json(content: str | Schema) -> Schema:
    """Return the content of a named schema as JSON; other content as it is."""
    return {"application/json": {"schema": _ref(content)}} if isinstance(content, str) else content


def _binary(*kinds: str) -> Schema:
    return {kind: {"schema": {"type": "string", "format": "binary"}} for kind in kinds}


def _searched(name: str) -> Schema:
    return {"name": name, "in": "query", "schema": TEXT}


def _day(name: str) -> Schema:
    return {"name": name, "in": "query", "schema": {**TEXT, "format": "date"}}


PHOTO_SENT: Schema = {
    "multipart/form-data": {
        "schema": {
            "type": "object",
            "properties": {"photo": {"type": "string", "format": "binary"}},
            "required": ["photo"],
        }
    },
    **_binary("image/*", "application/octet-stream"),
}
STREAM: Schema = {
    "text/event-stream": {
        "schema": {
            **TEXT,
            "description": "Events `seq`: id and data are the newest event's number. Events"
            " `alive`, every five seconds without news: who hears none has lost the server. Events"
            " `next`: data is the match that the same players went on with. Events `asked`: what is"
            " asked about a watched roll has changed. Events `joined`: a phone has come to the"
            " table; `roles`: the host has changed what phones may do.",
        }
    }
}
STREAM_ALL: Schema = {
    "text/event-stream": {
        "schema": {
            **TEXT,
            "description": 'Events `seq`: data is {"match": id, "seq": its newest event\'s number},'
            ' for each match at first. Events `next`: data is {"match": id, "next": id}; `asked`'
            " likewise, `joined` and `roles` too. Events `alive` as in the stream of one match.",
        }
    }
}
STREAM_OF_EVENTS: Schema = {
    "text/event-stream": {
        "schema": {
            **TEXT,
            "description": "An event without a name for each event of the log, in order, none"
            " twice: its id is the event's number, its data JSON, a `MatchEvent`. Who comes back"
            " with `Last-Event-ID`, as browsers do by themselves, goes on where it left off."
            " Events `alive` as in the stream of numbers.",
            "contentSchema": _ref("MatchEvent"),
        }
    }
}
COUNTED = {**INTEGER, "minimum": 0}
STEP = (400, 404, 409, 413, 415, 422, 503, 507)

PATHS: dict[str, dict[str, Schema]] = {
    "/healthz": {
        "get": _operation(
            "Say that matches can be read and stored, and the last photos read.", "Health", 503
        )
    },
    "/api/openapi.json": {
        "get": _operation("This description.", {"application/json": {"schema": {"type": "object"}}})
    },
    "/api/games": {"get": _operation("The games with their settings.", "Games")},
    "/api/matches": {
        "get": _operation(
            "The matches that the phone with these cookies has opened, the newest first, by the"
            " page. Each word of `player` is in the name of somebody who plays.",
            "PastMatches",
            400,
        )
        | {
            "parameters": [
                *map(_searched, ("player", "game")),
                *map(_day, ("since", "until")),
                {"name": "page", "in": "query", "schema": COUNTED},
            ]
        },
        "post": _operation(
            "Make a match.",
            "Match",
            *(400, 413, 415, 422, 503, 507),
            status=201,
            body="NewMatch",
        ),
    },
    "/api/players": {
        "get": _operation(
            "What the matches come to that the phone with these cookies has opened, by player; with"
            " `name` for that player alone, with `by_rules=1` without matches in which players went"
            " on with what the rules forbid.",
            "Statistics",
            *(400, 404),
        )
        | {
            "parameters": [
                *map(_searched, ("name", "game", "by_rules")),
                *map(_day, ("since", "until")),
            ]
        }
    },
    "/api/codes/{code}": {"get": _operation("The match with a join code.", "Found", 404, 429)},
    "/api/matches/{match}": {
        "get": _operation("A match.", "Match", 404),
        "delete": _operation(
            "Delete a match for good: its steps, what it taught, and the photos that no other"
            " match names.",
            "DeletedMatch",
            *(403, 404, 503, 507),
        ),
    },
    "/api/matches/{match}/history": {
        "get": _operation("Older events, those before the event `before`.", "History", 400, 404)
        | {"parameters": [{"name": "before", "in": "query", "schema": COUNTED}]}
    },
    "/api/matches/{match}/because": {
        "get": _operation(
            "Older parts of the tally, those before the part `before`, counted from 0.",
            "Because",
            *(400, 404, 422),
        )
        | {"parameters": [{"name": "before", "in": "query", "schema": COUNTED}]}
    },
    "/api/matches/{match}/moves": {
        "get": _operation("The legal moves, in words.", "Moves", 400, 404, 422)
        | {"parameters": [{"name": "kind", "in": "query", "schema": {"enum": MOVE_KINDS}}]},
        "post": _operation(
            "Store confirmed moves, all or none, as one step. A repeated `request` gets the first"
            " result.",
            "Match",
            *STEP,
            status=201,
            body="Play",
        ),
    },
    "/api/matches/{match}/sentence": {
        "get": _operation("A move said word by word.", "Sentence", 404, 422)
        | {"parameters": [{"name": "said", "in": "query", "schema": TEXT}]}
    },
    "/api/matches/{match}/undo": {
        "post": _operation("Take steps back.", "Match", *STEP, status=201, body="Undo")
    },
    "/api/matches/{match}/redo": {
        "post": _operation(
            "Put steps back that were taken back.", "Match", *STEP, status=201, body="Redo"
        )
    },
    "/api/matches/{match}/notes": {
        "post": _operation("Note something on a step.", "Match", *STEP, status=201, body="Note")
    },
    "/api/matches/{match}/live": {
        "get": _operation("The newest event's number, whenever it changes.", STREAM, 404, 503)
    },
    "/api/matches/{match}/events": {
        "get": _operation("What happens from now on.", STREAM_OF_EVENTS, 400, 404, 503)
        | {
            "parameters": [
                {
                    "name": "after",
                    "in": "query",
                    "schema": COUNTED,
                    "description": "begin after this event instead; 0: with the first",
                }
            ]
        }
    },
    "/api/live": {
        "get": _operation(
            "The newest events' numbers of several matches, in one stream for all pages of a"
            " browser.",
            STREAM_ALL,
            400,
            404,
            503,
        )
        | {
            "parameters": [
                {
                    "name": "match",
                    "in": "query",
                    "required": True,
                    "schema": {**list_of(TEXT), "minItems": 1, "maxItems": 50, "uniqueItems": True},
                }
            ]
        }
    },
    "/api/matches/{match}/photos": {
        "post": _operation(
            "Read a photo; `spot` says which surface it shows. Nothing is played. With `patient=1`"
            " it lets the photos of others go first: nobody waits for it.",
            "Seen",
            400,
            404,
            413,
            415,
            422,
            503,
            507,
            status=201,
            body=PHOTO_SENT,
            queued=True,
        )
        | {
            "parameters": [
                {"name": "spot", "in": "query", "schema": COUNTED},
                {"name": "patient", "in": "query", "schema": COUNTED},
            ]
        }
    },
    "/api/matches/{match}/jobs/{job}": {
        "get": _operation(
            "The place in the queue of what was answered with 202, then its answer, or its error,"
            " for ten minutes.",
            {
                "application/json": {
                    "schema": {
                        "anyOf": [
                            _ref("Waiting"),
                            _ref("Seen"),
                            _ref("Taught"),
                            _ref("TaughtBoard"),
                        ]
                    }
                }
            },
            404,
            422,
        )
    },
    "/api/matches/{match}/photos/{photo}.jpg": {
        "get": _operation("A photo, upright, without metadata.", _binary("image/jpeg"), 404, 500)
    },
    "/api/matches/{match}/photos/{photo}/small.jpg": {
        "get": _operation("The middle of a photo, 192 px wide.", _binary("image/jpeg"), 404)
    },
    "/api/matches/{match}/photos/{photo}/screen.jpg": {
        "get": _operation(
            "A photo, its longer side 1,280 px at the most.", _binary("image/jpeg"), 404
        )
    },
    "/api/matches/{match}/sightings/{sighting}": {
        "get": _operation("What was read on a photo.", "Sighting", 404)
    },
    "/api/matches/{match}/sightings/{sighting}/corners": {
        "post": _operation(
            "Read a photo again with its board where a person set it. Nothing is played.",
            "Seen",
            *(400, 404, 413, 415, 422, 500, 503, 507),
            status=201,
            body="Corners",
            queued=True,
        )
    },
    "/api/matches/{match}/pieces": {
        "post": _operation(
            "Learn the dice on a photo, and read the match's next photos with what was learned."
            " No step is stored.",
            "Taught",
            *(400, 404, 413, 415, 422, 500, 503, 507),
            status=201,
            body="Confirmed",
            queued=True,
        )
    },
    "/api/matches/{match}/board": {
        "post": _operation(
            "Learn the match's own board on a photo of it empty, and look for it on the match's"
            " next photos. No step is stored.",
            "TaughtBoard",
            *(400, 404, 413, 415, 422, 500, 503, 507),
            status=201,
            body="TeachBoard",
            queued=True,
        )
    },
    "/api/matches/{match}/advice": {
        "post": _operation(
            "What would be best now, where the players agreed that anybody may ask. Nothing is"
            " stored.",
            "Advice",
            *(400, 403, 404, 413, 415, 422),
            body="AskAdvice",
        )
    },
    "/api/matches/{match}/watch": {
        "get": _operation("How a camera watches the match.", "Watch", 404),
        "post": _operation(
            "Let a camera watch the match: what it sees thrown is counted, where nothing is"
            " doubtful.",
            "Watch",
            *(400, 404, 413, 415, 422, 503),
            status=201,
            body="StartWatch",
        ),
    },
    "/api/matches/{match}/watch/{watch}/frames": {
        "post": _operation(
            "Take the next frame of the page's camera, and count the roll that it settles. One"
            " that was taken before the last is left out.",
            "Watch",
            *(400, 404, 413, 415, 422, 503, 507),
            body=_binary("image/jpeg", "application/octet-stream"),
        )
        | {
            "parameters": [
                {
                    "name": "time",
                    "in": "query",
                    "required": True,
                    "schema": {**NUMBER, "minimum": 0},
                    "description": "when it was taken: seconds by a clock that does not go back",
                },
                {
                    "name": "unchanged",
                    "in": "query",
                    "schema": {"type": "string", "enum": ["1"]},
                    "description": "1, and no picture, where it would show what the last did",
                },
            ]
        }
    },
    "/api/matches/{match}/watch/{watch}/end": {
        "post": _operation("Stop a camera.", "Watch", 403, 404)
    },
    "/api/matches/{match}/watch/{watch}/picture.jpg": {
        "get": _operation("The last frame of the server's camera.", _binary("image/jpeg"), 403, 404)
    },
    "/api/matches/{match}/watch/drop": {
        "post": _operation(
            "Forget a roll that is asked about: it was none.",
            "Watch",
            *(400, 404, 413, 415),
            body="Drop",
        )
    },
    "/api/matches/{match}/proposals": {
        "post": _operation(
            "What the rules make of pieces that a person taps in. Nothing is stored.",
            "Proposal",
            *STEP,
            body="Tapped",
        )
    },
}


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
        "paths": {path: _with_parameters(path, told) for path, told in PATHS.items()},
        "components": {"schemas": SCHEMAS},
    }


def _with_parameters(path: str, operations: dict[str, Schema]) -> dict[str, Any]:
    names = [part.split("}")[0] for part in path.split("{")[1:]]
    if not names:
        return operations
    parameters = [{"name": name, "in": "path", "required": True, "schema": TEXT} for name in names]
    return {**operations, "parameters": parameters}
