"""What a photo leads to: it is read, judged by the rules of its match, and stored.

Servers and workers use it; only the JSON made of it belongs to the interface.

Dice are compared with the last roll that was photographed or watched: do they lie in the same
places? Marks are read with the sheets that were confirmed in the match's log.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from math import dist, sqrt
from typing import Any

import sqlalchemy as sa

from scorer import Equipment, MarkedCell, Proposal, Table, load_move
from scorer.messages import _
from scorer.photo.answered_marks import (
    LATEST,
    ConfirmedSheet,
    ConfirmedSheets,
    as_answered,
    held_marks,
    turns_seat,
)
from scorer.photo.follow import played
from webui.errors import CorruptPhoto, PhotoGone, WholeWanted
from webui.eyes.eyes import Eyes
from webui.eyes.photo import AcceptedPhoto, PhotoReading
from webui.eyes.readings import StoredReading, dice_left, same_dice, same_picture, with_marks
from webui.http.health import Outcomes
from webui.jobs.order import Order
from webui.match import match as matches
from webui.match.match import Match, equipment, standing_from
from webui.match.proposals import Preview, propose
from webui.match.taught import taught
from webui.store.log import Store, now
from webui.store.rows import Event, Sighting
from webui.store.schema import WHOLE_PHOTO


def accepted(
    store: Store, match: Match, spot: int, past: Sequence[ConfirmedSheet]
) -> AcceptedPhoto | None:
    """Return the newest confirmed photo of a surface's sheet that is still kept, or None."""
    for sheet, held in held_marks(equipment(match), spot, past):
        if sheet.sighting is None:
            continue
        shown = store.sighting(match.row.id, sheet.sighting)
        if shown.reading["board"] is None:
            continue
        with suppress(PhotoGone, CorruptPhoto):
            content = store.photo(match.row.id, shown.photo)
            corners, width = shown.reading["board"]["corners"], shown.reading["width"]
            return AcceptedPhoto(photo=content, corners=corners, width=width, cells=frozenset(held))
    return None


def _looks(store: Store, match: Match) -> list[tuple[str | None, Equipment]]:
    """Return the photo of each step that is not undone, and the look it was read with."""
    game = match.rules()
    steps = counted_steps(store, match)
    return [(step.event.sighting, game.equipment(step.before)) for step in steps]


def _confirmed(store: Store, match: Match) -> tuple[ConfirmedSheet, ...]:
    """Return the sheets on the newest confirmed photos, the newest last."""
    found, counted, steps = ConfirmedSheets(), Counter[int | None](), _looks(store, match)
    newest = set[int]()
    for place, (sighting, wanted) in reversed([*enumerate(steps)]):
        seat = turns_seat(wanted)
        if sighting is not None and counted[seat] < LATEST:
            counted[seat] += 1
            newest.add(place)
    for place, (sighting, wanted) in enumerate(steps):
        found.next(wanted)
        if sighting is not None and place in newest:
            looks = _marks(store.sighting(match.row.id, sighting).reading)
            found.confirm(wanted, looks, sighting)
    found.next(equipment(match))
    return found.past


@dataclass(frozen=True, slots=True)
class CountedStep:
    """A step that is not undone, and the state before it."""

    event: Event
    before: Any


def counted_steps(store: Store, match: Match) -> Iterator[CountedStep]:
    """Yield the steps of a match, oldest first."""
    game = match.rules()
    state = game.start(len(match.row.names), match.row.settings)
    for event in standing_from(store, match, 1):
        yield CountedStep(event, state)
        state = played(game, state, [load_move(game, move) for move in event.moves or ()])


def _marks(reading: Mapping[str, Any]) -> tuple[MarkedCell, ...]:
    return tuple(
        MarkedCell(
            tuple(one["cell"]),
            one["mark"],
            one["confidence"],
            tuple((mark, share) for mark, share in one["alternatives"]),
        )
        for one in reading.get("marks", ())
    )


def as_taken(reading: StoredReading, table: Table, proposal: Proposal) -> StoredReading:
    """Return a reading with the marks of the *table*.

    A phone that corrects a cell sends all cells as they are shown.
    """
    if not table.marks:
        return reading
    taken = dict(proposal.taken)
    marks = enumerate(table.marks)
    return with_marks(reading, [replace(one, mark=taken.get(k, one.mark)) for k, one in marks])


NUDGED = 1.2  # sides of a face: a piece may be pushed that far by mistake
AT_REST = 0.4  # sides of a face: the reading of an untouched piece varies that much over minutes


def lies_as_before(store: Store, match: Match, reading: Mapping[str, Any]) -> bool | None:
    """Return True if the dice, or the remaining ones, are where the last roll was photographed.

    None if it is unknown: dice that were typed in, or that stay where they are put.
    """
    if equipment(match).stays:
        return None
    last = last_shown(match)
    if last is None or last.sighting is None:
        return None
    return dice_left(store.sighting(match.row.id, last.sighting).reading, reading)


def counted_already(store: Store, match: Match, reading: Mapping[str, Any]) -> bool:
    """Return True if a step that is not undone came from this photo, in any size or quality.

    Pieces that stay on the board may be photographed again.
    """
    if equipment(match).stays:
        return False
    counted = (one.event.sighting for one in reversed(match.steps) if one.standing)
    return any(
        same_picture(store.sighting(match.row.id, name).reading, reading)
        for name in dict.fromkeys(counted)
        if name is not None
    )


def last_shown(match: Match) -> Event | None:
    """Return the newest step that is not undone and that a camera could show."""
    unseen = {kind.__name__ for kind in match.rules().unseen}
    for step in reversed(match.steps):
        moves = step.event.moves or ()
        if step.standing and not all(move["move"] in unseen for move in moves):
            return step.event
    return None


def lies_yet(before: Mapping[str, Any], look: Mapping[str, Any]) -> bool:
    """Return True if the dice are where they were, even if the camera was moved."""
    return lie_there(before, look) or bool(same_dice(before, look))


def clears(look: Mapping[str, Any], doubted: Mapping[str, Any]) -> bool:
    """Return True if a later frame of the same camera confirms a doubtful reading.

    Each piece must be where one was read or possibly overlooked, with one of its possible values;
    no piece that was certain may be missing.
    """
    before, after = _pieces(doubted), _pieces(look)
    pairs = _pairs(before, after, NUDGED)
    met, found = {i for i, _ in pairs}, {j for _, j in pairs}
    fresh = [one for j, one in enumerate(after) if j not in found]
    gone = [one for i, one in enumerate(before) if i not in met]
    return (
        all(before[i].may_show(after[j].value) for i, j in pairs)
        and all(_is_overlooked(one, doubted) for one in fresh)
        and not any(one.sure for one in gone)
    )


def lie_there(before: Mapping[str, Any], look: Mapping[str, Any]) -> bool:
    """Return True if an unmoved camera shows the same pieces in the same places."""
    size = [(photo["width"], photo["height"]) for photo in (before, look)]
    first, second = _pieces(before), _pieces(look)
    pairs = _pairs(first, second, AT_REST)
    alike = all(first[i].value == second[j].value for i, j in pairs)
    return size[0] == size[1] and alike and len(pairs) == len(first) == len(second) > 0


@dataclass(frozen=True, slots=True)
class _Piece:
    """A die or a tile of a reading; *others* None: any other value is possible."""

    quad: Sequence[tuple[float, float]]
    value: tuple[int, ...]
    sure: bool
    others: frozenset[int] | None

    @property
    def middle(self) -> tuple[float, float]:
        return middle(self.quad)

    @property
    def side(self) -> float:
        (ax, ay), (bx, by), (cx, cy), (dx, dy) = self.quad
        area = abs((cx - ax) * (dy - by) - (dx - bx) * (cy - ay)) / 2
        return sqrt(max(area, 1.0))

    def may_show(self, value: tuple[int, ...]) -> bool:
        if self.sure or value == self.value:
            return value == self.value
        return self.others is None or set(value) <= self.others


def _pieces(reading: Mapping[str, Any]) -> list[_Piece]:
    dice = [
        _Piece(
            die["quad"],
            (die["value"],),
            die["sure"],
            frozenset(value for value, _ in die["alternatives"]),
        )
        for die in reading["dice"]
    ]
    tiles = [
        _Piece(tile["quad"], tuple(sorted(tile["halves"])), tile["sure"], None)
        for tile in reading["tiles"]
    ]
    return dice + tiles


def _is_overlooked(piece: _Piece, doubted: Mapping[str, Any]) -> bool:
    """Return True if a reading has an overlooked candidate at the place of this piece."""
    return any(dist(middle(quad), piece.middle) < piece.side for quad in doubted["perhaps"])


def _pairs(
    before: Sequence[_Piece], after: Sequence[_Piece], reach: float
) -> list[tuple[int, int]]:
    """Pair pieces within *reach* sides of each other, the nearest first."""
    far = sorted(
        (dist(one.middle, other.middle) / other.side, i, j)
        for i, one in enumerate(before)
        for j, other in enumerate(after)
        if len(one.value) == len(other.value)
    )
    pairs = list[tuple[int, int]]()
    for sides, i, j in far:
        if sides < reach and all(i != a and j != b for a, b in pairs):
            pairs.append((i, j))
    return pairs


def middle(quad: Sequence[Sequence[float]]) -> tuple[float, float]:
    """Return the middle of the corners of a piece that was read."""
    return sum(x for x, _ in quad) / len(quad), sum(y for _, y in quad) / len(quad)


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
    past = _confirmed(store, match) if any(spot.table.marks for spot in equipment.spots) else ()
    if before := accepted(store, match, order.data["spot"], past):
        given["before"] = before
    with desk.outcomes.counted():
        sight = desk.eyes.see(content, equipment, order.data["spot"], **given)
    lies = lies_as_before(store, match, sight.reading)
    table = as_answered(sight.table, equipment, past)
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
    """Keep the whole photo of which a part was read, if it is that photo; the first one stays."""
    store, match_id = desk.store, order.match_id
    shown = store.sighting(match_id, order.data["sighting"])
    if shown.is_whole:
        return shown
    reading = shown.reading
    part = (*reading["part"], reading["width"], reading["height"])
    jpeg = desk.eyes.fit(content, store.photo(match_id, shown.photo), part)
    row = {"sighting": shown.id, "match": match_id, "at": now()}
    with (
        suppress(sa.exc.IntegrityError),  # the next sweep deletes the file of another one
        store.photo_files.kept(jpeg) as photo,
        store.database.writing() as connection,
    ):
        connection.execute(WHOLE_PHOTO.insert().values(row | {"photo": photo}))
    store.replays.forget(match_id)  # they have the photo names of its events
    return store.sighting(match_id, shown.id)


def _may_be_a_part(equipment: Equipment) -> bool:
    """Whether a photo has to show only a number of dice: no board, and no light to judge."""
    printed = equipment.board or equipment.beside or equipment.places
    return bool(equipment.dice and not (printed or equipment.tiles or equipment.colours))


def _is_doubtful(sight: PhotoReading, proposal: Proposal) -> bool:
    """Return True if more of a photo may tell more."""
    reading = sight.reading
    asked = sight.doubts or reading["warnings"] or reading.get("perhaps")
    return bool(asked or proposal.differences or proposal.doubts or not proposal.moves)
