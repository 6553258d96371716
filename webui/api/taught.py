"""Dice and boards of a match in the JSON interface: learned from a photo, used from then on."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

from webui.api.answers.photos import TaughtBoardView, TaughtView
from webui.api.queue import REFUSALS, JobAnswer, check_room, queue
from webui.api.sent import Confirmed, TeachBoard
from webui.errors import NotRead
from webui.eyes.lessons import ConfirmedPhoto, TaughtBoard
from webui.eyes.look import NO_BOARD
from webui.http.address import address
from webui.http.roles import access
from webui.match import match as matches
from webui.match.seats import check_every_seat
from webui.services import services
from webui.store.rows import Sighting
from webui.store.tables.phones import Role
from webui.store.taught import MOST_LESSONS, TaughtTable

Center = tuple[float, float]


@address(
    "POST",
    "/api/matches/<match_id>/pieces",
    Role.PLAYER,
    answer=TaughtView,
    status=201,
    queued=True,
    errors=REFUSALS,
)
def remember_dice(match_id: str, sent: Confirmed) -> JobAnswer:
    """Learn the dice on a photo, and read the match's next photos with what was learned.

    No step is stored.
    """
    check_every_seat(access())
    check_room(match_id)
    store = services().store
    lesson = _lesson(sent, store.sighting(match_id, sent.sighting))
    used = TaughtTable(store, "dice").used(match_id)
    before = [one for one in used.lessons if one["photo"] != lesson["photo"]] if used else []
    return queue("dice", match_id, {"lessons": [*before, lesson][-MOST_LESSONS:]})


@address(
    "POST",
    "/api/matches/<match_id>/board",
    Role.PLAYER,
    answer=TaughtBoardView,
    status=201,
    queued=True,
    errors=REFUSALS,
)
def remember_board(match_id: str, sent: TeachBoard) -> JobAnswer:
    """Learn the match's own board on a photo of it empty, and look for it on its next photos.

    No step is stored.
    """
    check_every_seat(access())
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
            (die["center"], die["quad"])
            for die in reading["dice"]
            if die["cell"] or not reading["board"]
        )
        if all(math.dist((x, y), at) > math.dist(corner, opposite) / 4 for at in lying)
    ]
