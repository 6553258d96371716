"""What a photo leads to: it is read, judged by the rules of its match, and stored.

Servers and workers use it; only the JSON made of it belongs to the interface.
"""

from dataclasses import dataclass, field, replace
from typing import Any

from scorer import Equipment, Proposal, Table
from scorer.messages import _
from webui.errors import WholeWanted
from webui.eyes.photo import PhotoReading
from webui.eyes.processes import Eyes
from webui.http.health import Outcomes
from webui.jobs.order import Order
from webui.match import match as matches
from webui.match.answered_sheets import as_taken, with_answers
from webui.match.match import Match
from webui.match.proposals import Preview, propose
from webui.match.same_dice import counted_already, lies_as_before
from webui.match.taught import taught
from webui.store.log import Store
from webui.store.rows import Sighting
from webui.store.whole_photos import keep_whole

ALL_OF_IT = _("Part of the photo is not enough. Send the whole photo.")


@dataclass(slots=True)
class Desk:
    """The services needed to process an order, on a server or a worker."""

    store: Store
    eyes: Eyes
    outcomes: Outcomes = field(default_factory=Outcomes)  # of the last photos


@dataclass(frozen=True, slots=True)
class Judged:
    """A photo that was read and stored, and what the rules make of it."""

    match: Match
    sighting: Sighting  # with its marks as the proposal takes them
    sight: PhotoReading
    table: Table
    proposed: tuple[Proposal, Preview | None]


def judge(desk: Desk, order: Order, content: bytes, **given: Any) -> Judged:
    """Read a photo with what is *given* beside it, judge and store it.

    Raises:
        WholeWanted: the part of a photo is not enough.
        Unreadable: the photo cannot be read.
    """
    store, match_id = desk.store, order.match_id
    match = matches.load(store, match_id)
    equipment = matches.equipment(match)
    if "part" in given and not _may_be_a_part(equipment):
        raise WholeWanted(ALL_OF_IT)
    given = {**taught(store, match_id), **given}
    with desk.outcomes.counted():
        sight = desk.eyes.see(content, equipment, order.data["spot"], **given)
    lies = lies_as_before(store, match, sight.reading)
    table = with_answers(store, match, sight.table)
    counted = counted_already(store, match, sight.reading)
    proposed = propose(match, table, lies, counted=counted)
    if "part" in given and _is_doubtful(sight, proposed[0]):
        raise WholeWanted(ALL_OF_IT)
    kept = store.keep(match_id, sight.reading, sight.jpeg, order.id)
    shown = replace(kept, reading=as_taken(sight.reading, table, proposed[0]))
    return Judged(match, shown, sight, table, proposed)


def judge_again(desk: Desk, order: Order) -> Judged:
    """Read a photo with its board where a person set it; it is stored as another sighting."""
    shown = desk.store.sighting(order.match_id, order.data["sighting"])
    corners = {"corners": order.data["corners"], "width": shown.reading["width"]}
    return judge(desk, order, desk.store.photo(order.match_id, shown.photo), corners=corners)


def complete(desk: Desk, order: Order, content: bytes) -> Sighting:
    """Keep the whole photo of which a part was read, if it is that photo."""
    store, match_id = desk.store, order.match_id
    shown = store.sighting(match_id, order.data["sighting"])
    if shown.is_whole:
        return shown
    reading = shown.reading
    part = (*reading["part"], reading["width"], reading["height"])
    keep_whole(store, shown, desk.eyes.fit(content, store.photo(match_id, shown.photo), part))
    return store.sighting(match_id, shown.id)


def _may_be_a_part(equipment: Equipment) -> bool:
    """Whether all that a photo is to show are so many dice: no board, and no light to judge."""
    printed = equipment.board or equipment.beside or equipment.places
    return bool(equipment.dice and not (printed or equipment.tiles or equipment.colours))


def _is_doubtful(sight: PhotoReading, proposal: Proposal) -> bool:
    """Return True if more of a photo may tell more."""
    reading = sight.reading
    asked = sight.doubts or reading["warnings"] or reading.get("perhaps")
    return bool(asked or proposal.differences or proposal.doubts or not proposal.moves)
