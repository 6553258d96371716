"""Decide when a roll has settled: `step(watch, evidence)` returns each roll once.

This is a fold over `Evidence` without a clock, a camera or a game: times are those of the frames. A
table has settled if for a while its pieces kept their places, turns and values relative to each
other, nothing moved on them and no hand was over them. Its states, decided anew on each look:

    MOVING ──▶ HAND      a hand is over a piece, or left it less than QUIET_S ago
       │  ───▶ LEANING   all are still, but a die is foreshortened unlike the others
       │
       │ all pieces are still for QUIET_S, or PATIENT_S if something moves elsewhere
       ▼
     DOUBT    a piece is not clear, for PATIENT_S; or a thorough look is missing, for CLOSER_S
       │
       │ clear, or the time is over: compared with the table before
       ▼
    SETTLED ──▶ a roll, if pieces were thrown, or if something lies there that cannot be read

From every state a look at which pieces are not still leads back to the first three. A doubtful
table (`pending`) is reported before it is lost.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from vision.watch.assignment import assign
from vision.watch.bare import BareLooks
from vision.watch.evidence import Evidence, Piece, as_complex
from vision.watch.leaning import leaning
from vision.watch.resting import (
    UNCOVERED,
    RestingTable,
    TimedPlaces,
    resting_table,
    shown_since_hand,
)
from vision.watch.rolls import NUDGED, is_roll, unmoved
from vision.watch.stains import is_stain, is_unlikely, with_stains
from vision.watch.state import SettledRoll, TableState, WatchState
from vision.watch.stillness import CREEP, PLACE, are_still
from vision.watch.stirred import StirredCells, cells_of, is_stirred
from vision.watch.tracking import (
    ON,
    Observation,
    Track,
    distances,
    follow,
    near,
    on_table,
    places_on_table,
)
from vision.watch.unread import unread_places

QUIET_S = 0.25  # time for which pieces must be still if nothing else is moving
# The same if something moves elsewhere or a piece is doubtful. A roll is reported within a second
# of coming to rest.
PATIENT_S = 0.75
LOOKS = 3  # at least, in that time
# Time to wait for a thorough look before a roll is reported, or before a table on which something
# moved counts as bare: dice may be too small for quick looks.
CLOSER_S = 0.25
HANDED_S = 0.3  # time after a hand was near during which a new piece may have been placed by it
AROUND = 2.0  # sides from the middle of a piece to what belongs to it, such as its shadow
SWAYS = 0.5  # px from one frame to the next, from which the camera or the surface moves
ROUNDING_S = 1e-6
MOST_LOST = 12  # covered or removed pieces that are remembered
MOST_FLAT = 12  # pieces of earlier rolls that are used to estimate the camera's view
SAME_TURNED = 0.6  # sides by which a piece moves at most when a hand turns it over in place


def step(watch: WatchState, evidence: Evidence) -> tuple[WatchState, SettledRoll | None]:
    """Add one frame; return the new state, and a roll if this frame settles one."""
    if evidence.repeat:
        return watch, None  # a repeated frame does not show that time has passed
    watch = _with_motion(watch, evidence)
    if evidence.reading is None:
        return watch, None
    watch = _with_reading(watch, evidence)
    return _settle(watch, evidence)


def finish(watch: WatchState) -> SettledRoll | None:
    """Return a doubtful roll that was not reported yet when the frames end."""
    return _disturbed(watch, TableState.MOVING)[1]


def _with_motion(watch: WatchState, evidence: Evidence) -> WatchState:
    """Add what moved, and which pieces a hand was over."""
    sways = abs(evidence.sway.shift - watch.sway.shift) > SWAYS
    began_s = evidence.time_s if watch.began_s is None else watch.began_s
    watch = replace(watch, began_s=began_s, sway=evidence.sway)
    if not evidence.moving and not evidence.hand:
        return watch
    hand = evidence.sway.apply(as_complex(evidence.hand)) - watch.drift
    hands = (*watch.hands, (evidence.time_s, hand)) if len(hand) else watch.hands
    stirred = evidence.sway.apply(as_complex(evidence.moving)) - watch.drift
    tracks = tuple(
        replace(track, touched_s=evidence.time_s)
        if near(hand, track.last, ON, evidence.block).any()
        else track
        for track in watch.tracks
    )
    cells = cells_of(stirred)
    if sways:
        # Pieces are above the surface and shift against it, so only looks show if they moved.
        on_pieces = [near(stirred, track.last, AROUND, evidence.block) for track in tracks]
        stirred = stirred[~np.any(on_pieces, axis=0)] if on_pieces else stirred
    is_busy = len(hand) or len(stirred)
    return replace(
        watch,
        tracks=tracks,
        hands=tuple(one for one in hands if evidence.time_s - one[0] <= HANDED_S),
        busy_s=evidence.time_s if is_busy else watch.busy_s,
        stirred=watch.stirred | cells,
    )


def _with_reading(watch: WatchState, evidence: Evidence) -> WatchState:
    """Add what was read."""
    assert evidence.reading is not None
    looks = on_table(evidence, watch.drift)
    missed = places_on_table(evidence, watch.drift, evidence.reading.missed)
    watch = _with_print(watch, looks, missed)
    looks = tuple(one for one in looks if not (is_unlikely(one) and is_stain(one, watch.stains)))
    missed = _unstained(watch, missed)
    strange = _unstained(watch, places_on_table(evidence, watch.drift, evidence.strange))
    tracks, carried = follow(watch.tracks, looks, evidence.time_s, _placed_by_hand(watch, evidence))
    watch = replace(
        watch,
        tracks=tracks,
        drift=watch.drift + carried,
        bare=watch.bare.with_looks((*(watch.lying or ()), *watch.lost), evidence.bare, looks),
        lying=looks if watch.lying is None else watch.lying,
    )
    return _with_times(watch, evidence, looks, missed, strange)


def _with_print(
    watch: WatchState, looks: Sequence[Observation], missed: Sequence[Observation]
) -> WatchState:
    """Add doubtful places to the stains, as long as nothing was thrown."""
    if watch.lying is not None and (watch.stirred or watch.flat):
        return watch
    return replace(watch, stains=with_stains(watch.stains, (*missed, *filter(is_unlikely, looks))))


def _unstained(watch: WatchState, places: Sequence[Observation]) -> tuple[Observation, ...]:
    return tuple(one for one in places if not is_stain(one, watch.stains))


def _placed_by_hand(watch: WatchState, evidence: Evidence) -> Callable[[Observation], bool]:
    """Return a function: may a hand have placed this new piece?"""
    recent = [hand for hand_s, hand in watch.hands if evidence.time_s - hand_s <= HANDED_S]
    return lambda look: any(near(hand, look, AROUND, evidence.block).any() for hand in recent)


def _with_times(
    watch: WatchState,
    evidence: Evidence,
    looks: tuple[Observation, ...],
    missed: tuple[Observation, ...],
    strange: tuple[Observation, ...],
) -> WatchState:
    """Add a look to those that are remembered for a while."""
    assert evidence.reading is not None
    time_s, since = evidence.time_s, evidence.time_s - 2 * PATIENT_S
    read = (*watch.read, (time_s, looks)) if evidence.reading.thorough else watch.read
    return replace(
        watch,
        looks_s=tuple(time for time in (*watch.looks_s, time_s) if time > since),
        read=_recent(read, since),
        missed=_recent((*watch.missed, (time_s, missed)), since),
        strange=_recent((*watch.strange, (time_s, (*missed, *strange))), since),
    )


def _recent(timed: TimedPlaces, since: float) -> TimedPlaces:
    return tuple(one for one in timed if one[0] > since)


# ---------------------------------------------------------------- has it settled?


@dataclass(frozen=True, slots=True)
class _Rest:
    """All pieces are still."""

    since_s: float
    table: RestingTable


def _settle(watch: WatchState, evidence: Evidence) -> tuple[WatchState, SettledRoll | None]:
    rest = _rest(watch, evidence)
    if isinstance(rest, TableState):
        return _disturbed(watch, rest)
    return _at_rest(watch, evidence, rest)


def _rest(watch: WatchState, evidence: Evidence) -> _Rest | TableState:
    """Return the table at rest, or the state that it is in instead."""
    time_s = evidence.time_s
    quiet = time_s - watch.busy_s >= QUIET_S
    wait = QUIET_S if quiet else PATIENT_S
    since = _since(watch.looks_s, time_s - wait + ROUNDING_S)
    if since is None or _is_piece_missing(watch, evidence):
        return TableState.MOVING
    if any(_is_under_a_hand(track, time_s) for track in watch.tracks):
        return TableState.HAND
    visible = [track for track in watch.tracks if track.last.time_s == time_s]
    if not _keep_still(visible, since, quiet=quiet):
        return TableState.MOVING
    since = since if watch.rested_s is None else min(since, watch.rested_s)
    table = resting_table(watch, since, time_s, evidence.number)
    is_all_here = table.pieces and table.seen_s == time_s and len(table.pieces) >= len(visible)
    if not quiet and not is_all_here:
        return TableState.MOVING  # a hand in between removes or uncovers some
    if any(leaning(table.pieces, watch.flat, evidence.size)):
        return TableState.LEANING
    return _Rest(since, table)


def _keep_still(visible: Sequence[Track], since: float, *, quiet: bool) -> bool:
    """Return True if the visible pieces have been still since a time."""
    if not quiet and any(track.observations[0].time_s > since for track in visible):
        return False  # one has arrived
    looks = [one.since(since) for one in visible]
    return are_still(looks, PLACE if quiet else CREEP, quiet=quiet)


def _at_rest(
    watch: WatchState, evidence: Evidence, rest: _Rest
) -> tuple[WatchState, SettledRoll | None]:
    """Report a table at rest once it is clear, or has been doubtful for long enough."""
    time_s, table = evidence.time_s, rest.table
    rested_s = rest.since_s if watch.rested_s is None else watch.rested_s
    watch = replace(watch, rested_s=rested_s, pending=None)
    if not table.sure and time_s - rested_s < PATIENT_S - ROUNDING_S:
        return replace(watch, waiting=TableState.DOUBT, pending=table), None
    if not table.pieces:
        watch = replace(watch, stains=with_stains(watch.stains, watch.missed[-1][1]))
    compared, roll = _compared(replace(watch, waiting=TableState.SETTLED), table)
    if roll is None and (unread := _unread(watch, evidence, table)):
        return replace(compared, stirred=frozenset()), unread
    if table.closer or (roll is None and (table.pieces or not watch.stirred)):
        return compared, roll
    closer_s = time_s if watch.closer_s is None else watch.closer_s
    if time_s - closer_s >= CLOSER_S - ROUNDING_S:
        return compared, roll
    return replace(watch, waiting=TableState.DOUBT, pending=table, closer_s=closer_s), None


def _unread(watch: WatchState, evidence: Evidence, table: RestingTable) -> SettledRoll | None:
    """Return a roll with new objects that cannot be read, if there are any."""
    time_s = evidence.time_s
    if time_s - watch.busy_s < PATIENT_S - ROUNDING_S:
        return None
    found = unread_places(watch.strange, time_s - PATIENT_S, table.pieces or watch.flat)
    quads = tuple(one.piece.quad for one in found if is_stirred(one, watch.stirred))
    if not quads:
        return None
    return SettledRoll(evidence.number, time_s, _pieces(table.pieces), sure=False, unread=quads)


def _since(looks_s: Sequence[float], latest: float) -> float | None:
    """Return the time since when looks count, at most *latest*; None if there are too few looks.

    A slow camera gives fewer looks in that time, so earlier ones are included.
    """
    earlier = [time for time in looks_s if time <= latest]
    return min(earlier[-1], looks_s[-LOOKS]) if earlier and len(looks_s) >= LOOKS else None


def _is_piece_missing(watch: WatchState, evidence: Evidence) -> bool:
    """Say whether a piece is no longer seen and something is moving there."""
    moving = evidence.sway.apply(as_complex(evidence.moving)) - watch.drift
    return any(
        bool(near(moving, track.last, ON, evidence.block).any())
        for track in watch.tracks
        if track.last.time_s < evidence.time_s
    )


def _is_under_a_hand(track: Track, time_s: float) -> bool:
    """Say whether a hand is over a piece, or left it so recently that it was not seen enough."""
    if time_s - track.touched_s < QUIET_S:
        return True
    uncovered = track.last.time_s == time_s and time_s - track.touched_s < PATIENT_S
    return uncovered and shown_since_hand(track, track.observations) < UNCOVERED


def _disturbed(watch: WatchState, why: TableState) -> tuple[WatchState, SettledRoll | None]:
    """Wait for the pieces again; a doubtful roll that was at rest is reported before it is lost."""
    table = watch.pending
    watch = replace(
        watch, waiting=why, rested_s=None, pending=None, closer_s=None, changed=False, gone=()
    )
    return (watch, None) if table is None else _compared(watch, table)


def _compared(watch: WatchState, table: RestingTable) -> tuple[WatchState, SettledRoll | None]:
    """Compare the table at rest with the one before; return a roll if pieces were thrown."""
    assert watch.lying is not None
    before, stirred = watch.lying, watch.stirred
    fresh = _fresh(watch, table, (*before, *watch.lost))
    rolled = is_roll(before, watch.lost, table.pieces, fresh, table.alone)
    back = frozenset[int]() if rolled else _came_back(watch, table)
    again = not rolled and len(back) == len(table.pieces) > 0 and not back <= table.alone
    rolled = rolled or again or (len(back) > 0 and back <= table.alone)
    still_there = unmoved(table.pieces, before)
    gone = tuple(one for i, one in enumerate(before) if i not in still_there)
    watch = replace(
        watch,
        lying=table.pieces,
        gone=(*watch.gone, *gone),
        changed=watch.changed or bool(fresh) or _is_changed(before, gone, table.pieces, stirred),
        lost=() if rolled else (*watch.lost, *gone)[-MOST_LOST:],
        bare=BareLooks() if rolled else watch.bare,
        # A piece that is found late may still be a thrown die that was missed at first.
        stirred=frozenset() if rolled or table.time_s - watch.busy_s > PATIENT_S else stirred,
    )
    if not rolled:
        return watch, None
    flat = (*watch.flat, *table.pieces)[-MOST_FLAT:]
    sure = table.sure and not again
    roll = SettledRoll(table.number, table.time_s, _pieces(table.pieces), sure, again=again)
    return replace(watch, flat=flat), roll


def _fresh(watch: WatchState, table: RestingTable, before: Sequence[Observation]) -> frozenset[int]:
    """Return the indices of pieces with a new place where something moved."""
    old = unmoved((*before, *watch.stains), table.pieces)
    return frozenset(
        j for j, one in enumerate(table.pieces) if j not in old and is_stirred(one, watch.stirred)
    )


def _came_back(watch: WatchState, table: RestingTable) -> frozenset[int]:
    """Return the indices of pieces at or beside an earlier place that was bare in between."""
    there = (*(watch.lying or ()), *watch.lost)
    left = [one for one in there if not watch.bare.shows(one)]
    fresh = _fresh(watch, table, left)
    gone = [one for one in there if watch.bare.shows(one)]
    near = {j for _, j in assign(distances(gone, table.pieces), NUDGED)}
    return fresh & near


def _pieces(looks: Sequence[Observation]) -> tuple[Piece, ...]:
    return tuple(one.piece for one in looks)


def _is_changed(
    before: Sequence[Observation],
    gone: Sequence[Observation],
    after: Sequence[Observation],
    stirred: StirredCells,
) -> bool:
    """Say whether a hand removed pieces, turned one over in place, or placed one.

    In the next round on a board a piece may have exactly the place of one removed before.
    """
    unmoved_pieces = unmoved(before, after)
    turned_over = (
        after[j]
        for i, j in assign(distances(before, after), SAME_TURNED)
        if before[i].piece.values != after[j].piece.values
    )
    put = (one for j, one in enumerate(after) if j not in unmoved_pieces)
    return any(is_stirred(one, stirred) for one in (*gone, *turned_over, *put))
