"""The addresses for those who follow a match, and what is sent to webhooks."""

from __future__ import annotations

from webui.api.openapi.json_schema import TEXT, Schema, list_of, ref
from webui.api.openapi.operations import COUNTED, as_json, operation

STREAM: Schema = {
    "text/event-stream": {
        "schema": {
            **TEXT,
            "description": "Events `seq`: id and data are the newest event's number. Events"
            " `alive`, every five seconds without news: who hears none has lost the server. Events"
            " `next`: data is the match that the same players went on with. Events `asked`: what is"
            " asked about a watched roll has changed. Events `joined`: a phone has come to the"
            " table; `roles`: the host has changed what phones may do; `gone`: the match was"
            " deleted.",
        }
    }
}
STREAM_ALL: Schema = {
    "text/event-stream": {
        "schema": {
            **TEXT,
            "description": 'Events `seq`: data is {"match": id, "seq": its newest event\'s number},'
            ' for each match at first. Events `next`: data is {"match": id, "next": id}; `asked`'
            " likewise, `joined`, `roles` and `gone` too. Events `alive` as in the stream of one"
            " match.",
        }
    }
}
AFTER: Schema = {
    "name": "after",
    "in": "query",
    "schema": COUNTED,
    "description": "begin after this event instead; 0: with the first",
}
TOKEN: Schema = {
    "name": "token",
    "in": "query",
    "schema": TEXT,
    "description": "the token, unless it is sent as `Authorization: Bearer`",
}
STREAM_OF_EVENTS: Schema = {
    "text/event-stream": {
        "schema": {
            **TEXT,
            "description": "An event without a name for each event of the log, in order, none"
            " twice: its id is the event's number, its data JSON, a `MatchEvent`. Who comes back"
            " with `Last-Event-ID`, as browsers do by themselves, goes on where it left off."
            " Events `alive` as in the stream of numbers.",
            "contentSchema": ref("MatchEvent"),
        }
    }
}
PATHS: dict[str, dict[str, Schema]] = {
    "/api/matches/{match}/live": {
        "get": operation("The newest event's number, whenever it changes.", STREAM, 404, 503)
    },
    "/api/matches/{match}/events": {
        "get": operation("What happens from now on.", STREAM_OF_EVENTS, 400, 404, 503)
        | {"parameters": [AFTER]}
    },
    "/api/matches/{match}/viewers": {
        "get": operation("The tokens to look at the match.", "Viewers", 403, 404),
        "post": operation(
            "Make a token to look at the match and never play.",
            "Viewer",
            *(400, 404, 413, 415, 503, 507),
            status=201,
            body="NewViewer",
        ),
    },
    "/api/matches/{match}/viewers/{number}": {
        "delete": operation("Revoke a token.", None, *(403, 404, 503, 507), status=204)
    },
    "/api/view": {
        "get": operation("The match that a token shows.", "Shown", 404) | {"parameters": [TOKEN]}
    },
    "/api/view/events": {
        "get": operation("What happens there from now on.", STREAM_OF_EVENTS, 400, 404, 503)
        | {"parameters": [TOKEN, AFTER]}
    },
    "/api/matches/{match}/webhooks": {
        "get": operation("The addresses that are sent each event.", "Webhooks", 403, 404),
        "post": operation(
            "Let an address be sent each event from now on.",
            "Webhook",
            *(400, 404, 413, 415, 503, 507),
            status=201,
            body="NewWebhook",
        ),
    },
    "/api/matches/{match}/webhooks/{number}": {
        "delete": operation("Send no more there.", None, *(403, 404, 503, 507), status=204)
    },
    "/api/matches/{match}/webhooks/{number}/test": {
        "post": operation("Send a test there.", "Tried", *(403, 404, 503, 507))
    },
    "/api/live": {
        "get": operation(
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
}

SENT_TO_WEBHOOKS: Schema = {
    "event": {
        "post": {
            "summary": "An event, signed as Standard Webhooks has it; one that is not taken comes"
            " again, for a day.",
            "parameters": [
                {"name": f"Webhook-{name}", "in": "header", "required": True, "schema": TEXT}
                for name in ("Id", "Timestamp", "Signature")
            ],
            "requestBody": {"required": True, "content": as_json("MatchEvent")},
            "responses": {
                "2XX": {"description": "It is taken."},
                "410": {"description": "No more is to be sent."},
            },
        }
    }
}
