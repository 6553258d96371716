"""A family's own dice in the JSON interface: learned from a confirmed photo, used from then on."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from flask import Blueprint

from webui.api.answers import plain
from webui.api.answers.photos import TaughtView
from webui.api.queue import Answer, check_room, queue
from webui.api.requests import Confirmed, body
from webui.eyes.lessons import ConfirmedPhoto
from webui.http.jobs import Body
from webui.match import match as matches
from webui.match.summary import clock
from webui.services import services
from webui.store.taught import MOST_LESSONS, AdapterStore, StoredAdapter

Spot = tuple[float, float]

bp = Blueprint("adapters_api", __name__)


def says(used: StoredAdapter | None) -> str:
    """Return a sentence on how photos of a match are read."""
    if used is None:
        return "Photos are read without taught dice."
    return f"Photos are read with {named(used)}."


def named(one: StoredAdapter) -> str:
    """Return the words for taught pieces; no names, as other matches of the server see them too."""
    return f"our dice, taught on {clock(one.at)}"


@bp.post("/api/matches/<match_id>/pieces")
def remember(match_id: str) -> Answer:
    """Learn the dice on a photo as a person confirmed them, and use them from now on."""
    sent = body(Confirmed)
    check_room(match_id)
    match = matches.load(services().store, match_id)
    seen = services().store.sighting(match_id, sent.sighting)
    adapters = AdapterStore(services().store)
    used = adapters.used(match_id)
    lesson: ConfirmedPhoto = {
        "photo": seen.photo,
        "width": seen.reading["width"],
        "dice": [(*die.center, die.value, die.colour) for die in sent.dice],
        "none": _denied(seen.reading, [die.center for die in sent.dice]),
    }
    before = [one for one in used.lessons if one["photo"] != seen.photo] if used else []
    lessons = [*before, lesson][-MOST_LESSONS:]
    for one in lessons:
        services().store.photo_files.path(one["photo"])  # of a damaged photo nothing is learned
    learn, photos, equipment = services().learn, services().store.photos, matches.equipment(match)

    def learned() -> Body:
        made = adapters.keep(match_id, lessons, learn(lessons, photos, equipment))
        told: Body = plain(TaughtView(made.id, made.faces, says(made)))
        return told

    return queue(match_id, 0, learned)


def _denied(reading: Mapping[str, Any], lying: Sequence[Spot]) -> list[Spot]:
    """Return the middles of what was read where no die lies; beside a board anything may lie."""
    return [
        (x, y)
        for (x, y), (corner, _, opposite, _) in (
            (die["center"], die["quad"]) for die in reading["dice"] if _counts(die, reading)
        )
        if all(math.dist((x, y), at) > math.dist(corner, opposite) / 4 for at in lying)
    ]


def _counts(die: Mapping[str, Any], reading: Mapping[str, Any]) -> bool:
    return bool(die["cell"] or not reading["board"])
