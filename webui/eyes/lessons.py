"""Learning from photos: a person's own dice or dominoes, and a game's board."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypedDict

import vision
from scorer import Equipment, Malformed
from scorer.messages import _, raw
from webui.errors import NotRead
from webui.eyes.look import cells_named, look_for
from webui.eyes.phrases import phrase

Learn = Callable[[Sequence[Mapping[str, Any]], Mapping[str, bytes], Equipment], dict[str, Any]]


class TaughtJson(TypedDict, total=False):
    """The taught pieces and board of a match, the JSON arguments of `photo.see`."""

    learned: Mapping[str, Any]  # taught pieces
    board: Mapping[str, Any]


class ConfirmedPhoto(TypedDict):
    """A photo of confirmed dice, stored as JSON."""

    photo: str  # SHA-256 that names the file
    width: int  # of the photo that the px refer to
    dice: Sequence[tuple[float, float, int, str]]  # x, y, value, colour
    none: Sequence[tuple[float, float]]  # x, y of false readings


def learn(
    lessons: Sequence[Mapping[str, Any]], photos: Mapping[str, bytes], equipment: Equipment
) -> dict[str, Any]:
    """Learn from *photos* by name; return JSON; raises NotRead."""
    try:
        confirmed = [_confirmed(lesson, photos) for lesson in lessons]
        return vision.fit_adapter(confirmed, look_for(equipment)).to_json()
    except (vision.Unreadable, vision.NotTaught) as fault:
        raise NotRead(phrase(str(fault))) from fault
    except ValueError as fault:  # an unknown value or colour
        raise Malformed(_("These dice cannot be: {fault}.", fault=raw(fault))) from fault


def _confirmed(
    lesson: Mapping[str, Any], photos: Mapping[str, bytes]
) -> tuple[vision.Photo, list[vision.ConfirmedFace]]:
    photo = vision.decode(photos[lesson["photo"]])
    scale = photo.width / lesson["width"]  # a large photo is stored smaller
    faces = [
        vision.ConfirmedFace((x * scale, y * scale), value, colour)
        for x, y, value, colour in lesson["dice"]
    ]
    return photo, faces + [
        vision.ConfirmedFace((x * scale, y * scale), None) for x, y in lesson["none"]
    ]


class TaughtBoard(TypedDict):
    """An empty board on a photo, with the cells that a person placed on it."""

    width: int  # of the photo that the px refer to
    corners: Sequence[tuple[float, float]]  # px, clockwise from the board's upper left
    cells: Sequence[tuple[float, float, float, float]]  # left, top, right, bottom of the unit


LearnBoard = Callable[[TaughtBoard, bytes, Equipment], dict[str, Any]]


def learn_board(board: TaughtBoard, photo: bytes, equipment: Equipment) -> dict[str, Any]:
    """Learn a game's board from a photo; return JSON; raises NotRead."""
    from vision.adapt.boards import board_with_cells

    places = cells_named(look_for(equipment))
    if len(board["cells"]) != len(places):
        raise NotRead(
            _(
                "This game's board has {cells} cells, not {found}. "
                "Open the photo and place its lines again.",
                cells=len(places),
                found=len(board["cells"]),
            )
        )
    cells = [
        replace(place, polygon=((x0, y0), (x1, y0), (x1, y1), (x0, y1)))
        for place, (x0, y0, x1, y1) in zip(places, board["cells"], strict=True)
    ]
    try:
        picture = vision.decode(photo)
        scale = picture.width / board["width"]  # a large photo is stored smaller
        corners = [(x * scale, y * scale) for x, y in board["corners"]]
        return board_with_cells(picture, corners, cells, equipment.board or "").to_json()
    except (vision.Unreadable, vision.NotTaught) as fault:
        raise NotRead(phrase(str(fault))) from fault
