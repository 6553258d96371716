"""What is done for each kind of order: by the server itself, or by a worker elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from scorer import Equipment, Proposal
from scorer.messages import _
from webui.api.answers.history import photo_path
from webui.api.answers.photos import (
    SeenView,
    TaughtBoardView,
    TaughtView,
    WholeView,
    sighting_view,
)
from webui.api.answers.proposals import proposal_view
from webui.errors import WholeWanted
from webui.eyes.photo import PhotoReading
from webui.jobs.order import Body, Order, OrderKind, Work
from webui.match import match as matches
from webui.match.answered_sheets import as_taken, with_answers
from webui.match.proposals import propose
from webui.match.same_dice import counted_already, lies_as_before
from webui.match.taught import board_says, dice_say, taught
from webui.services import Desk
from webui.store.taught import TaughtTable
from webui.store.whole_photos import keep_whole

ALL_OF_IT = _("Part of the photo is not enough. Send the whole photo.")


def work_with(desk: Desk) -> Work:
    """Return what does orders with what is on a *desk*."""
    return partial(_perform, desk)


def _perform(desk: Desk, order: Order, photo: bytes | None) -> Body:
    return WAYS[order.kind](desk, order, photo or b"")


# ---------------------------------------------------------------- photos


def _read(desk: Desk, order: Order, photo: bytes) -> Body:
    part = order.data.get("part")
    if part is None:
        return _keep(desk, order, photo)
    if not _may_be_a_part(matches.equipment(matches.load(desk.store, order.match_id))):
        raise WholeWanted(ALL_OF_IT)
    return _keep(desk, order, photo, part=part)


def _may_be_a_part(equipment: Equipment) -> bool:
    """Whether all that a photo is to show are so many dice: no board, and no light to judge."""
    printed = equipment.board or equipment.beside or equipment.places
    return bool(equipment.dice and not (printed or equipment.tiles or equipment.colours))


def _follow(desk: Desk, order: Order, photo: bytes) -> Body:
    """Keep the whole photo of which a part was read, if it is that photo."""
    store, match_id = desk.store, order.match_id
    shown = store.sighting(match_id, order.data["sighting"])
    if not shown.is_whole:
        reading = shown.reading
        part = (*reading["part"], reading["width"], reading["height"])
        keep_whole(store, shown, desk.fit(photo, store.photo(match_id, shown.photo), part))
        shown = store.sighting(match_id, shown.id)
    return WholeView(photo=photo_path(match_id, shown.photo))


def _read_again(desk: Desk, order: Order, _sent: bytes) -> Body:
    """Read a photo with its board where a person set it; it is kept as another sighting."""
    shown = desk.store.sighting(order.match_id, order.data["sighting"])
    corners = {"corners": order.data["corners"], "width": shown.reading["width"]}
    return _keep(desk, order, desk.store.photo(order.match_id, shown.photo), corners=corners)


def _keep(desk: Desk, order: Order, content: bytes, **given: Any) -> SeenView:
    """Read a photo with what is *given* beside it, keep both, and say what the rules make of it."""
    store, match_id = desk.store, order.match_id
    match = matches.load(store, match_id)
    given = {**taught(store, match_id), **given}
    with desk.outcomes.counted():
        spot = order.data["spot"]
        sight = desk.see(content, matches.equipment(match), spot, **given)
    lies = lies_as_before(store, match, sight.reading)
    table = with_answers(store, match, sight.table)
    counted = counted_already(store, match, sight.reading)
    proposal, _preview = proposed = propose(match, table, lies, counted=counted)
    if "part" in given and _is_doubtful(sight, proposal):
        raise WholeWanted(ALL_OF_IT)
    view = proposal_view(store, match, table, proposed, doubts=sight.doubts)
    kept = store.keep(match_id, sight.reading, sight.jpeg, order.id)
    shown = as_taken(sight.reading, table, proposal)
    return {**sighting_view(store, replace(kept, reading=shown)), "proposal": view}


def _is_doubtful(sight: PhotoReading, proposal: Proposal) -> bool:
    """Return True if more of a photo may tell more."""
    reading = sight.reading
    asked = sight.doubts or reading["warnings"] or reading.get("perhaps")
    return bool(asked or proposal.differences or proposal.doubts or not proposal.moves)


# ---------------------------------------------------------------- what is taught


def _learn_dice(desk: Desk, order: Order, _sent: bytes) -> Body:
    store, match_id, lessons = desk.store, order.match_id, order.data["lessons"]
    equipment = matches.equipment(matches.load(store, match_id))
    names = [one["photo"] for one in lessons]
    photos = {photo: store.photo_files.read(photo) for photo in names}  # raises if one is damaged
    learned = desk.learn(lessons, photos, equipment)
    made = TaughtTable(store, "dice").keep(match_id, learned, order.id, lessons=lessons)
    return TaughtView(pieces=made.id, faces=made.faces, says=dice_say(made))


def _learn_board(desk: Desk, order: Order, _sent: bytes) -> Body:
    store, match_id, board = desk.store, order.match_id, order.data["board"]
    equipment = matches.equipment(matches.load(store, match_id))
    photo = store.photo_files.read(order.data["photo"])  # of a damaged photo nothing is learned
    learned = desk.learn_board(board, photo, equipment)
    made = TaughtTable(store, "board").keep(match_id, learned, order.id, name=equipment.board)
    return TaughtBoardView(board=made.id, cells=len(board["cells"]), says=board_says(made))


WAYS: Mapping[OrderKind, Callable[[Desk, Order, bytes], Body]] = {
    "photo": _read,
    "whole": _follow,
    "corners": _read_again,
    "dice": _learn_dice,
    "board": _learn_board,
}
