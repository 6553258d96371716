"""The JSON interface in OpenAPI 3.1. What is sent is told from the very types that read it.

Tests hold the rest to reality: every address is told, and every answer has the shape told here.
"""

from __future__ import annotations

from typing import Any

from webui.openapi_sent import ANYTHING, BOOLEAN, INTEGER, MOVE_KINDS, NUMBER, SENT, TEXT, Schema
from webui.openapi_sent import exactly as _object
from webui.openapi_sent import list_of as _list
from webui.openapi_sent import or_null as _or_null
from webui.openapi_sent import ref as _ref

# ---------------------------------------------------------------- what is answered

CELL = _list(INTEGER)
POINT = {**_list(NUMBER), "minItems": 2, "maxItems": 2}
MOVE = {"type": "object", "properties": {"move": TEXT}, "required": ["move"]}
PIECES = _list(_object(cell=_or_null(CELL), value=INTEGER, colour=TEXT))
REMARK = {
    "sentence": TEXT,
    "piece": {**_or_null(_list(ANYTHING)), "description": "kind and place: ['dice', 4]"},
}
PART = _object(
    part=TEXT,
    lines=_list(
        _object(seat=_or_null(INTEGER), points=INTEGER, text=TEXT, rule=TEXT, cells=_list(CELL))
    ),
)
READING = {
    "type": "object",
    "description": "As `pipsight read --json` prints it, in px of the upright photo.",
    "properties": {
        "width": INTEGER,
        "height": INTEGER,
        "dice": _list(
            _object(
                quad=_list(POINT),
                center=POINT,
                value=INTEGER,
                color=TEXT,
                confidence=NUMBER,
                sure=BOOLEAN,
                alternatives=_list(_list(NUMBER)),
                color_alternatives=_list({"type": "array"}),
                cell=_or_null(CELL),
            )
        ),
        "tiles": _list({"type": "object"}),
        "marks": _list({"type": "object"}),
        "board": _or_null({"type": "object"}),
        "warnings": _list(TEXT),
        "perhaps": _list(_list(POINT)),
        "hint": _or_null(TEXT),
        "ms": NUMBER,
    },
    "required": ["width", "height", "dice", "tiles", "marks", "board", "warnings", "ms"],
}
SEEN = {
    "sighting": TEXT,
    "photo": {**TEXT, "description": "address of the upright photo, without metadata"},
    "width": INTEGER,
    "height": INTEGER,
    "reading": READING,
}
SPOKEN = _list(_object(words=TEXT, move=MOVE))
ALL = {**BOOLEAN, "description": "false: there are more moves than were looked at"}
SCHEMAS: dict[str, Schema] = {
    "Error": _object(
        error={
            "type": "object",
            "properties": {"kind": TEXT, "sentence": TEXT, "rule": TEXT},
            "required": ["kind", "sentence"],
            "additionalProperties": False,
        }
    ),
    "Health": _object(ok=BOOLEAN),
    "Games": _object(
        games=_list(
            _object(
                name=TEXT,
                title=TEXT,
                seats={**_list(INTEGER), "description": "fewest and most players"},
                settings=_list(
                    _object(
                        name=TEXT,
                        meaning=TEXT,
                        default=ANYTHING,
                        choices=_list(_object(value=ANYTHING, says=TEXT)),
                        range=_or_null(_list(INTEGER)),
                        open={**BOOLEAN, "description": "other values may be given too"},
                        example={**TEXT, "description": "such a value, as a person types it"},
                        rule=TEXT,
                        only_if={
                            **_or_null(_list(ANYTHING)),
                            "description": "another setting, and its values that make this matter",
                        },
                        seats={
                            **_or_null(_list(INTEGER)),
                            "description": "fewest and most players with whom it matters",
                        },
                    )
                ),
            )
        )
    ),
    "Found": _object(id=TEXT, url=TEXT),
    "Match": _object(
        id=TEXT,
        code={**TEXT, "description": "to be typed on another phone"},
        url=TEXT,
        join={**TEXT, "description": "the address behind the QR code"},
        game=_object(name=TEXT, title=TEXT),
        names=_list(TEXT),
        seats=INTEGER,
        created_at=TEXT,
        settings=_list(_object(name=TEXT, value=ANYTHING, meaning=TEXT, says=TEXT)),
        seq={**INTEGER, "description": "the newest event; `after` of the next step"},
        version_ok={**BOOLEAN, "description": "false: the rules here differ, `prompt` says how"},
        over=BOOLEAN,
        prompt=TEXT,
        to_move=_list(INTEGER),
        score=_list(INTEGER),
        target=_or_null(INTEGER),
        result=_or_null(_object(winners=_list(INTEGER), why=TEXT)),
        because={**_list(PART), "description": "how the points came about, the newest part first"},
        equipment=_object(
            board=_or_null(TEXT),
            dice=_or_null(INTEGER),
            colours={"type": "object", "additionalProperties": INTEGER},
            tiles=BOOLEAN,
            places={**_list(TEXT), "description": "of a track; place i is the cell [0, i]"},
            spots=_list(
                _object(
                    title=TEXT,
                    board=PIECES,
                    tiles=_list(_object(halves=CELL, cells=_list(CELL), level=_or_null(INTEGER))),
                    marks=_list(_object(cell=_list(ANYTHING), mark=TEXT)),
                )
            ),
        ),
        board={**PIECES, "description": "what lies on the first surface as far as is known"},
        history=_list(
            _object(
                seq=INTEGER,
                at={**TEXT, "format": "date-time"},
                by=_or_null(INTEGER),
                text=_list(TEXT),
                standing=BOOLEAN,
                undo_of=_or_null(INTEGER),
                sighting=_or_null(TEXT),
                photo=_or_null(TEXT),
                score=_list(INTEGER),
            )
        ),
        can_undo=BOOLEAN,
    ),
    "Moves": _object(seq=INTEGER, all=ALL, moves=SPOKEN),
    "Sentence": _object(
        seq=INTEGER,
        all=ALL,
        said={**_list(TEXT), "description": "with the words that could only follow"},
        following={**_list(TEXT), "description": "the words that are possible next"},
        left={**INTEGER, "description": "how many moves are still possible"},
        move={**_or_null(MOVE), "description": "the move whose whole sentence was said"},
        moves={**SPOKEN, "description": "what is left, once that is few"},
    ),
    "Sighting": _object(**SEEN),
    "Seen": _object(**SEEN, proposal=_ref("Proposal")),
    "Proposal": _object(
        moves=_list(MOVE),
        doubts=_list(_object(**REMARK)),
        differences=_list(_object(**REMARK, rule=TEXT)),
        preview=_or_null(_object(text=_list(TEXT), score=_list(INTEGER), because=_list(PART))),
    ),
    "Taught": _object(
        pieces=TEXT,
        faces={**INTEGER, "description": "that were learned, on up to two photos"},
        says={**TEXT, "description": "how photos of this match are read from now on"},
    ),
    **SENT,
}

# ---------------------------------------------------------------- the addresses

ERRORS = {
    400: "The request is no move, or its JSON is not of the shape told here (`NotAMove`).",
    403: "A page of another site must not write (`Foreign`).",
    404: "There is no such thing (`Unknown`).",
    409: "Another phone moved since (`Stale`): load the match again.",
    413: "A photo over 40 MB, or a JSON body over 256 kB (`TooLarge`).",
    415: "A body of another type (`WrongType`).",
    421: "The server is not called what the header Host says (`Misdirected`).",
    422: "The rules forbid it (`Illegal`, with `rule`), the photo cannot be read (`Unreadable`),"
    " or the rules here are not those of the match (`Closed`).",
    429: "Too many wrong tries (`TooOften`): try again after `Retry-After`.",
    503: "Too much at once (`Busy`): try again after `Retry-After`.",
}


def _operation(
    summary: str,
    answer: str | Schema,
    *errors: int,
    status: int = 200,
    body: str | Schema | None = None,
) -> Schema:
    told = {"description": summary, "content": _json(answer)}
    failed = {str(code): _failure(code) for code in (*errors, 421, *((403,) if body else ()))}
    operation = {"summary": summary, "responses": {str(status): told} | failed}
    if body is not None:
        operation["requestBody"] = {"required": True, "content": _json(body)}
    return operation


def _failure(code: int) -> Schema:
    told: Schema = {"description": ERRORS[code], "content": _json("Error")}
    if code in (429, 503):
        told["headers"] = {"Retry-After": {"schema": INTEGER, "description": "seconds"}}
    return told


def _json(content: str | Schema) -> Schema:
    """Return the content of a named schema as JSON; another content is told as it is."""
    return {"application/json": {"schema": _ref(content)}} if isinstance(content, str) else content


def _binary(*kinds: str) -> Schema:
    return {kind: {"schema": {"type": "string", "format": "binary"}} for kind in kinds}


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
            " `alive`, every five seconds without news: who hears none has lost the server.",
        }
    }
}
STREAM_ALL: Schema = {
    "text/event-stream": {
        "schema": {
            **TEXT,
            "description": 'Events `seq`: data is {"match": id, "seq": its newest event\'s number},'
            " for each match at first. Events `alive` as in the stream of one match.",
        }
    }
}
SPOT = {**INTEGER, "minimum": 0}
STEP = (400, 404, 409, 413, 415, 422)

PATHS: dict[str, dict[str, Schema]] = {
    "/healthz": {"get": _operation("Say that server and database answer.", "Health")},
    "/api/openapi.json": {
        "get": _operation("This description.", {"application/json": {"schema": {"type": "object"}}})
    },
    "/api/games": {"get": _operation("The games with their settings.", "Games")},
    "/api/matches": {
        "post": _operation(
            "Make a match.", "Match", 400, 413, 415, 422, status=201, body="NewMatch"
        )
    },
    "/api/codes/{code}": {"get": _operation("The match with a join code.", "Found", 404, 429)},
    "/api/matches/{match}": {"get": _operation("A match.", "Match", 404)},
    "/api/matches/{match}/moves": {
        "get": _operation("The legal moves, in words.", "Moves", 400, 404, 422)
        | {"parameters": [{"name": "kind", "in": "query", "schema": {"enum": MOVE_KINDS}}]},
        "post": _operation(
            "Store confirmed moves, all or none, as one step. The same `request` sent again is"
            " answered again, not stored again.",
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
    "/api/matches/{match}/live": {
        "get": _operation("The newest event's number, whenever it changes.", STREAM, 404, 503)
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
                    "schema": {**_list(TEXT), "minItems": 1, "maxItems": 50, "uniqueItems": True},
                }
            ]
        }
    },
    "/api/matches/{match}/photos": {
        "post": _operation(
            "Read a photo; `spot` says which surface it shows. Nothing is played.",
            "Seen",
            400,
            404,
            413,
            415,
            422,
            503,
            status=201,
            body=PHOTO_SENT,
        )
        | {"parameters": [{"name": "spot", "in": "query", "schema": SPOT}]}
    },
    "/api/matches/{match}/photos/{photo}.jpg": {
        "get": _operation("A photo, upright, without metadata.", _binary("image/jpeg"), 404)
    },
    "/api/matches/{match}/sightings/{sighting}": {
        "get": _operation("What was read on a photo.", "Sighting", 404)
    },
    "/api/matches/{match}/pieces": {
        "post": _operation(
            "Learn the dice on a photo, and read the match's next photos with what was learned."
            " No step is stored.",
            "Taught",
            *(400, 404, 413, 415, 422, 503),
            status=201,
            body="Confirmed",
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


def _with_parameters(path: str, told: dict[str, Schema]) -> dict[str, Any]:
    names = [part.split("}")[0] for part in path.split("{")[1:]]
    if not names:
        return told
    parameters = [{"name": name, "in": "path", "required": True, "schema": TEXT} for name in names]
    return {**told, "parameters": parameters}
