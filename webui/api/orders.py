"""What is done for each kind of order: by the server itself, or by a worker elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, cast

from scorer import Equipment, Proposal
from scorer.messages import _
from webui.api.answers import plain
from webui.api.answers.photos import (
    PhotoView,
    PrintedCell,
    SightingView,
    TaughtBoardView,
    TaughtView,
    WholeView,
)
from webui.api.serialize.history import photo_path
from webui.api.serialize.proposals import proposal_view
from webui.errors import WholeWanted
from webui.eyes.photo import PhotoReading
from webui.eyes.phrases import phrase
from webui.eyes.readings import StoredReading, cells_on
from webui.eyes.views import views
from webui.jobs.order import Body, Order, OrderKind, Work
from webui.languages import said
from webui.match import amend
from webui.match import match as matches
from webui.match.answered_sheets import as_taken, with_answers
from webui.match.at_table import can_play_on
from webui.match.proposals import propose
from webui.match.same_dice import counted_already, lies_as_before
from webui.match.tap_answers import answers_beside
from webui.match.taught import board_says, dice_say, taught, used_board
from webui.services import Desk
from webui.store.log import Store
from webui.store.rows import Sighting
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
    return plain(WholeView(photo_path(match_id, shown.photo)))


def _read_again(desk: Desk, order: Order, _sent: bytes) -> Body:
    """Read a photo with its board where a person set it; it is kept as another sighting."""
    shown = desk.store.sighting(order.match_id, order.data["sighting"])
    corners = {"corners": order.data["corners"], "width": shown.reading["width"]}
    return _keep(desk, order, desk.store.photo(order.match_id, shown.photo), corners=corners)


def _keep(desk: Desk, order: Order, content: bytes, **given: Any) -> Body:
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
    proposal, preview = propose(match, table, lies, counted=counted)
    if "part" in given and _is_doubtful(sight, proposal):
        raise WholeWanted(ALL_OF_IT)
    asked = amend.questions(store, match, table) if proposal.differences else ()
    kept = store.keep(match_id, sight.reading, sight.jpeg, order.id)
    answers = answers_beside(match, proposal)
    against = can_play_on(match, table, proposal)
    proposed = proposal_view(
        proposal, preview, match.names, sight.doubts, asked, answers, play_on=against
    )
    shown = as_taken(sight.reading, table, proposal)
    return sighting_view(store, replace(kept, reading=shown)) | {"proposal": proposed}


def _is_doubtful(sight: PhotoReading, proposal: Proposal) -> bool:
    """Return True if more of a photo may tell more."""
    reading = sight.reading
    asked = sight.doubts or reading["warnings"] or reading.get("perhaps")
    return bool(asked or proposal.differences or proposal.doubts or not proposal.moves)


def sighting_view(store: Store, sighting: Sighting) -> Body:
    """Return what was read on a photo, and how to show it."""
    reading = sighting.reading
    return plain(
        SightingView(
            sighting=sighting.id,
            photo=photo_path(sighting.match_id, sighting.photo),
            width=reading["width"],
            height=reading["height"],
            views=[PhotoView(**one) for one in views(reading)],
            cells=[
                PrintedCell(cell, quad)
                for cell, quad in cells_on(reading, used_board(store, sighting.match_id))
            ],
            reading=cast(
                "StoredReading", _said(reading)
            ),  # as `PhotoReading` had it when it was stored
        )
    )


def _said(reading: Mapping[str, Any]) -> dict[str, Any]:
    """Return a reading with what the eyes warn of in the language of the phone."""
    hint = reading.get("hint")
    warnings = [said(phrase(text)) for text in reading["warnings"]]
    return {**reading, "warnings": warnings, "hint": hint and said(phrase(hint))}


# ---------------------------------------------------------------- what is taught


def _learn_dice(desk: Desk, order: Order, _sent: bytes) -> Body:
    store, match_id, lessons = desk.store, order.match_id, order.data["lessons"]
    equipment = matches.equipment(matches.load(store, match_id))
    names = [one["photo"] for one in lessons]
    photos = {photo: store.photo_files.read(photo) for photo in names}  # raises if one is damaged
    learned = desk.learn(lessons, photos, equipment)
    made = TaughtTable(store, "dice").keep(match_id, learned, order.id, lessons=lessons)
    return plain(TaughtView(made.id, made.faces, dice_say(made)))


def _learn_board(desk: Desk, order: Order, _sent: bytes) -> Body:
    store, match_id, board = desk.store, order.match_id, order.data["board"]
    equipment = matches.equipment(matches.load(store, match_id))
    photo = store.photo_files.read(order.data["photo"])  # of a damaged photo nothing is learned
    learned = desk.learn_board(board, photo, equipment)
    made = TaughtTable(store, "board").keep(match_id, learned, order.id, name=equipment.board)
    return plain(TaughtBoardView(made.id, len(board["cells"]), board_says(made)))


WAYS: Mapping[OrderKind, Callable[[Desk, Order, bytes], Body]] = {
    "photo": _read,
    "whole": _follow,
    "corners": _read_again,
    "dice": _learn_dice,
    "board": _learn_board,
}
