"""The JSON interface as an OpenAPI 3.1 document; its schemas are derived from the types in use.

Tests hold the rest to reality: every address is told, and every answer has the shape told here.
"""

from __future__ import annotations

from typing import Any

from scorer.games import GAMES
from webui.api.openapi import answers, followers
from webui.api.openapi.json_schema import NUMBER, TEXT, Schema, ref
from webui.api.openapi.operations import COUNTED, binary, operation
from webui.api.openapi.sent import MOVE_KINDS, SENT
from webui.match.past import SEARCH_LENGTH

SCHEMAS: dict[str, Schema] = {**answers.SCHEMAS, **SENT}


def _searched(name: str, **limits: Any) -> Schema:
    return {"name": name, "in": "query", "schema": {**TEXT, **limits}}


def _day(name: str) -> Schema:
    return {"name": name, "in": "query", "schema": {**TEXT, "format": "date"}}


OF_GAME = _searched("game", enum=["", *GAMES])  # "": of any
PHOTO_SENT: Schema = {
    "multipart/form-data": {
        "schema": {
            "type": "object",
            "properties": {"photo": {"type": "string", "format": "binary"}},
            "required": ["photo"],
        }
    },
    **binary("image/*", "application/octet-stream"),
}
PART = {
    **TEXT,
    "pattern": r"^\d{1,5}(,\d{1,5}){5}$",
    "description": "left, top, right, bottom of the part; width, height of the whole; px",
}
STEP = (400, 404, 409, 413, 415, 422, 503, 507)

PATHS: dict[str, dict[str, Schema]] = {
    "/healthz": {
        "get": operation(
            "Say that matches can be read and stored, and the last photos read.", "Health", 503
        )
    },
    "/api/openapi.json": {
        "get": operation("This description.", {"application/json": {"schema": {"type": "object"}}})
    },
    "/api/games": {"get": operation("The games with their settings.", "Games")},
    "/api/matches": {
        "get": operation(
            "The matches that the phone with these cookies has opened, the newest first, by the"
            " page. Each word of `player` is in the name of somebody who plays.",
            "PastMatches",
            400,
        )
        | {
            "parameters": [
                _searched("player", maxLength=SEARCH_LENGTH),
                OF_GAME,
                *map(_day, ("since", "until")),
                {"name": "page", "in": "query", "schema": COUNTED},
            ]
        },
        "post": operation(
            "Make a match.",
            "Match",
            *(400, 413, 415, 422, 503, 507),
            status=201,
            body="NewMatch",
        ),
    },
    "/api/players": {
        "get": operation(
            "What the matches come to that the phone with these cookies has opened, by player; with"
            " `name` for that player alone, with `by_rules=1` without matches in which players went"
            " on with what the rules forbid.",
            "Statistics",
            *(400, 404),
        )
        | {
            "parameters": [
                *map(_searched, ("name", "by_rules")),
                OF_GAME,
                *map(_day, ("since", "until")),
            ]
        }
    },
    "/api/codes/{code}": {"get": operation("The match with a join code.", "Found", 404, 429)},
    "/api/matches/{match}": {
        "get": operation("A match.", "Match", 404),
        "delete": operation(
            "Delete a match for good: its steps, what it taught, and the photos that no other"
            " match names.",
            "DeletedMatch",
            *(403, 404, 503, 507),
        ),
    },
    "/api/matches/{match}/history": {
        "get": operation("Older events, those before the event `before`.", "History", 400, 404)
        | {"parameters": [{"name": "before", "in": "query", "schema": COUNTED}]}
    },
    "/api/matches/{match}/because": {
        "get": operation(
            "Older parts of the tally, those before the part `before`, counted from 0.",
            "Because",
            *(400, 404, 422),
        )
        | {"parameters": [{"name": "before", "in": "query", "schema": COUNTED}]}
    },
    "/api/matches/{match}/moves": {
        "get": operation("The legal moves, in words.", "Moves", 400, 404, 422)
        | {"parameters": [{"name": "kind", "in": "query", "schema": {"enum": MOVE_KINDS}}]},
        "post": operation(
            "Store confirmed moves, all or none, as one step. A repeated `request` gets the first"
            " result.",
            "Match",
            *STEP,
            status=201,
            body="Play",
        ),
    },
    "/api/matches/{match}/sentence": {
        "get": operation("A move said word by word.", "Sentence", 404, 422)
        | {"parameters": [{"name": "said", "in": "query", "schema": TEXT}]}
    },
    "/api/matches/{match}/undo": {
        "post": operation("Take steps back.", "Match", *STEP, status=201, body="Undo")
    },
    "/api/matches/{match}/redo": {
        "post": operation(
            "Put steps back that were taken back.", "Match", *STEP, status=201, body="Redo"
        )
    },
    "/api/matches/{match}/notes": {
        "post": operation("Note something on a step.", "Match", *STEP, status=201, body="Note")
    },
    "/api/matches/{match}/photos": {
        "post": operation(
            "Read a photo; `spot` says which surface it shows. Nothing is played. With `patient=1`"
            " it lets the photos of others go first: nobody waits for it. With `part` that part of"
            " a larger photo is sent, on which all dice are; `WholeWanted` asks for all of it.",
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
                {"name": "part", "in": "query", "schema": PART},
            ]
        }
    },
    "/api/matches/{match}/jobs/{job}": {
        "get": operation(
            "The place in the queue of what was answered with 202, then its answer, or its error,"
            " for ten minutes.",
            {
                "application/json": {
                    "schema": {
                        "anyOf": [
                            ref("Waiting"),
                            ref("Seen"),
                            ref("Whole"),
                            ref("Taught"),
                            ref("TaughtBoard"),
                        ]
                    }
                }
            },
            404,
            422,
        )
    },
    "/api/matches/{match}/photos/{photo}.jpg": {
        "get": operation("A photo, upright, without metadata.", binary("image/jpeg"), 404, 500)
    },
    "/api/matches/{match}/photos/{photo}/small.jpg": {
        "get": operation("The middle of a photo, 192 px wide.", binary("image/jpeg"), 404)
    },
    "/api/matches/{match}/photos/{photo}/screen.jpg": {
        "get": operation(
            "A photo, its longer side 1,280 px at the most.", binary("image/jpeg"), 404
        )
    },
    "/api/matches/{match}/sightings/{sighting}": {
        "get": operation("What was read on a photo.", "Sighting", 404)
    },
    "/api/matches/{match}/sightings/{sighting}/photo": {
        "post": operation(
            "Keep the whole photo of which a part was read; nobody waits for it.",
            "Whole",
            *(400, 404, 413, 415, 422, 500, 503, 507),
            status=201,
            body=PHOTO_SENT,
            queued=True,
        )
    },
    "/api/matches/{match}/sightings/{sighting}/corners": {
        "post": operation(
            "Read a photo again with its board where a person set it. Nothing is played.",
            "Seen",
            *(400, 404, 413, 415, 422, 500, 503, 507),
            status=201,
            body="Corners",
            queued=True,
        )
    },
    "/api/matches/{match}/pieces": {
        "post": operation(
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
        "post": operation(
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
        "post": operation(
            "What would be best now, where the players agreed that anybody may ask. Nothing is"
            " stored.",
            "Advice",
            *(400, 403, 404, 413, 415, 422),
            body="AskAdvice",
        )
    },
    "/api/matches/{match}/watch": {
        "get": operation("How a camera watches the match.", "Watch", 404),
        "post": operation(
            "Let a camera watch the match: what it sees thrown is counted, where nothing is"
            " doubtful.",
            "Watch",
            *(400, 404, 413, 415, 422, 503),
            status=201,
            body="StartWatch",
        ),
    },
    "/api/matches/{match}/watch/{watch}/frames": {
        "post": operation(
            "Take the next frame of the page's camera, and count the roll that it settles. One"
            " that was taken before the last is left out.",
            "Watch",
            *(400, 404, 413, 415, 422, 503, 507),
            body=binary("image/jpeg", "application/octet-stream"),
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
        "post": operation("Stop a camera.", "Watch", 403, 404)
    },
    "/api/matches/{match}/watch/{watch}/picture.jpg": {
        "get": operation("The last frame of the server's camera.", binary("image/jpeg"), 403, 404)
    },
    "/api/matches/{match}/watch/drop": {
        "post": operation(
            "Forget a roll that is asked about: it was none.",
            "Watch",
            *(400, 404, 413, 415),
            body="Drop",
        )
    },
    "/api/matches/{match}/proposals": {
        "post": operation(
            "What the rules make of pieces that a person taps in. Nothing is stored.",
            "Proposal",
            *STEP,
            body="Tapped",
        )
    },
    **followers.PATHS,
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
        "webhooks": followers.SENT_TO_WEBHOOKS,
        "components": {"schemas": SCHEMAS},
    }


def _with_parameters(path: str, operations: dict[str, Schema]) -> dict[str, Any]:
    names = [part.split("}")[0] for part in path.split("{")[1:]]
    if not names:
        return operations
    parameters = [{"name": name, "in": "path", "required": True, "schema": TEXT} for name in names]
    return {**operations, "parameters": parameters}
