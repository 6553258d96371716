"""Dice and boards of a match in the JSON interface: learned from a photo, used from then on."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from flask import Blueprint

from webui.api.queue import JobAnswer, check_room, queue
from webui.api.requests import Confirmed, TeachBoard, body
from webui.errors import NotRead
from webui.eyes.lessons import ConfirmedPhoto, TaughtBoard
from webui.eyes.look import NO_BOARD
from webui.http.roles import least
from webui.match import match as matches
from webui.services import services
from webui.store.rows import Sighting
from webui.store.tables.phones import Role
from webui.store.taught import MOST_LESSONS, TaughtTable

Center = tuple[float, float]

bp = Blueprint("taught_api", __name__)


@bp.post("/api/matches/<match_id>/pieces")
@least(Role.PLAYER)
def remember_dice(match_id: str) -> JobAnswer:
    """Learn the dice on a photo as a person confirmed them, and use them from now on."""
    sent = body(Confirmed)
    check_room(match_id)
    store = services().store
    lesson = _lesson(sent, store.sighting(match_id, sent.sighting))
    used = TaughtTable(store, "dice").used(match_id)
    before = [one for one in used.lessons if one["photo"] != lesson["photo"]] if used else []
    return queue("dice", match_id, {"lessons": [*before, lesson][-MOST_LESSONS:]})


@bp.post("/api/matches/<match_id>/board")
@least(Role.PLAYER)
def remember_board(match_id: str) -> JobAnswer:
    """Learn the board on a photo of it empty, and look for it from now on."""
    sent = body(TeachBoard)
    check_room(match_id)
    store = services().store
    if matches.equipment(matches.load(store, match_id)).board is None:
        raise NotRead(NO_BOARD)
    sighting = store.sighting(match_id, sent.sighting)
    board: TaughtBoard = {
        "width": sighting.reading["width"],
        "corners": sent.corners,
        "cells": sent.cells,
    }
    return queue("board", match_id, {"board": board, "photo": sighting.photo})


def _lesson(sent: Confirmed, sighting: Sighting) -> ConfirmedPhoto:
    return {
        "photo": sighting.photo,
        "width": sighting.reading["width"],
        "dice": [(*die.center, die.value, die.colour) for die in sent.dice],
        "none": _denied(sighting.reading, [die.center for die in sent.dice]),
    }


def _denied(reading: Mapping[str, Any], lying: Sequence[Center]) -> list[Center]:
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
