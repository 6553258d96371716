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
BOX = {**_list(NUMBER), "description": "x, y, width, height in px of the photo"}
TAG = _or_null(
    _object(
        box=BOX,
        to={**POINT, "description": "on the outline of its piece: where a line to it ends"},
        text=TEXT,
    )
)
VIEWS = {
    **_list(
        _object(
            frame=BOX,
            unit={**NUMBER, "description": "px of the photo to a CSS px on a phone"},
            letters={
                "type": "object",
                "additionalProperties": TEXT,
                "description": "for the colours of dice, where hues alone would tell them apart",
            },
            dice=_list(TAG),
            perhaps=_list(TAG),
        )
    ),
    "description": "ways to show the photo: the part with the pieces, and the whole if that is"
    " more; each with places for tags that cover no other piece",
}
STEPS = _list(
    _object(
        seq=INTEGER,
        at={**TEXT, "format": "date-time"},
        by=_or_null(INTEGER),
        text={**_list(TEXT), "description": "each of its moves in words"},
        summary={**TEXT, "description": "all of them in one line"},
        gains={**_list(INTEGER), "description": "what it changed of the score"},
        standing=BOOLEAN,
        undo_of=_or_null(INTEGER),
        sighting=_or_null(TEXT),
        photo=_or_null(TEXT),
        thumbnail=_or_null(TEXT),
        score=_list(INTEGER),
    )
)
HISTORY: dict[str, Schema] = {
    "history": {
        **STEPS,
        "description": "the newest of `seq` events, or those before one, the oldest of them first",
    },
    "older": {**_or_null(TEXT), "description": "address of the events before these"},
}
BECAUSE: dict[str, Schema] = {
    "because": {
        **_list(PART),
        "description": "how the points came about: the newest parts, or those before one, the"
        " newest of them first",
    },
    "older_because": {**_or_null(TEXT), "description": "address of the parts before these"},
}
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
    "views": VIEWS,
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
                        per_seat={
                            **_list(TEXT),
                            "description": "words of which each player takes one; the value lists"
                            " one a seat",
                        },
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
        notes={**_list(TEXT), "description": "on each seat's score; [] where it needs none"},
        colours={**_list(TEXT), "description": "of each seat's dice; [] where they have none"},
        target=_or_null(INTEGER),
        result=_or_null(_object(winners=_list(INTEGER), why=TEXT, draw=BOOLEAN)),
        turn_total={
            **_or_null(INTEGER),
            "description": "points of the turn in play, which do not count yet",
        },
        **BECAUSE,
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
        **HISTORY,
        can_undo=BOOLEAN,
    ),
    "History": _object(**HISTORY),
    "Because": _object(**BECAUSE),
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
        doubts=_list(
            _object(
                **REMARK,
                taken={
                    **_or_null(_list(ANYTHING)),
                    "description": "what a die counts for that looks otherwise: ['red', 4]",
                },
            )
        ),
        differences=_list(_object(**REMARK, rule=TEXT)),
        preview=_or_null(_object(text=_list(TEXT), score=_list(INTEGER), because=_list(PART))),
        questions={
            **_list(_object(question=TEXT, step=INTEGER, move=MOVE)),
            "description": "moves that would explain the table in the place of a step: `instead`",
        },
        overtaken={
            **_or_null(_object(step=INTEGER, text=_list(TEXT))),
            "description": "the step of another phone that ended what was looked at; the proposal"
            " is judged as before it",
        },
    ),
    "Waiting": _object(
        job=TEXT,
        place={**INTEGER, "description": "in the queue, 1 for the next; 0: it is being read"},
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
    500: "A stored photo is no longer what it was (`Damaged`).",
    503: "Too much at once (`Busy`): try again after `Retry-After`; or, told by `/healthz`, the"
    " matches or the last photos could not be read (`Unwell`).",
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
    told = {str(status): {"description": summary, "content": _json(answer)}}
    if queued:
        told["202"] = {"description": QUEUED, "content": _json("Waiting"), "headers": WHERE}
    failed = {str(code): _failure(code) for code in (*errors, 421, *((403,) if body else ()))}
    operation = {"summary": summary, "responses": told | failed}
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
            " `alive`, every five seconds without news: who hears none has lost the server. Events"
            " `next`: data is the match that the same players went on with.",
        }
    }
}
STREAM_ALL: Schema = {
    "text/event-stream": {
        "schema": {
            **TEXT,
            "description": 'Events `seq`: data is {"match": id, "seq": its newest event\'s number},'
            ' for each match at first. Events `next`: data is {"match": id, "next": id}. Events'
            " `alive` as in the stream of one match.",
        }
    }
}
SPOT = {**INTEGER, "minimum": 0}
STEP = (400, 404, 409, 413, 415, 422, 503, 507)

PATHS: dict[str, dict[str, Schema]] = {
    "/healthz": {
        "get": _operation("Say that matches can be read, and the last photos could.", "Health", 503)
    },
    "/api/openapi.json": {
        "get": _operation("This description.", {"application/json": {"schema": {"type": "object"}}})
    },
    "/api/games": {"get": _operation("The games with their settings.", "Games")},
    "/api/matches": {
        "post": _operation(
            "Make a match.",
            "Match",
            *(400, 413, 415, 422, 503, 507),
            status=201,
            body="NewMatch",
        )
    },
    "/api/codes/{code}": {"get": _operation("The match with a join code.", "Found", 404, 429)},
    "/api/matches/{match}": {"get": _operation("A match.", "Match", 404)},
    "/api/matches/{match}/history": {
        "get": _operation("Older events, those before the event `before`.", "History", 404)
        | {"parameters": [{"name": "before", "in": "query", "schema": INTEGER}]}
    },
    "/api/matches/{match}/because": {
        "get": _operation(
            "Older parts of the tally, those before the part `before`, counted from 0.",
            "Because",
            *(404, 422),
        )
        | {"parameters": [{"name": "before", "in": "query", "schema": INTEGER}]}
    },
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
            507,
            status=201,
            body=PHOTO_SENT,
            queued=True,
        )
        | {"parameters": [{"name": "spot", "in": "query", "schema": SPOT}]}
    },
    "/api/matches/{match}/jobs/{job}": {
        "get": _operation(
            "The place in the queue of what was answered with 202, then its answer, or its error,"
            " for ten minutes.",
            {
                "application/json": {
                    "schema": {"anyOf": [_ref("Waiting"), _ref("Seen"), _ref("Taught")]}
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
    "/api/matches/{match}/sightings/{sighting}": {
        "get": _operation("What was read on a photo.", "Sighting", 404)
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
