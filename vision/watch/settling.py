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
table (`pending`) is reported before it is lost, and so is one that too few frames show (`glimpse`).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from vision.watch.evidence import Evidence, as_complex
from vision.watch.pace import REST_LOST_S, SLOW_S, least_lost_s
from vision.watch.places import cells_of, is_stain, is_stirred, is_unlikely, with_stains
from vision.watch.resting import (
    PATIENT_S,
    UNCOVERED,
    RestingTable,
    TimedPlaces,
    resting_table,
    shown_since_hand,
    unread_places,
)
from vision.watch.rolls import compared, pieces_of, unmoved
from vision.watch.state import RestState, SettledRoll, WatchState
from vision.watch.stillness import CREEP, PLACE, are_still, leaning
from vision.watch.tracking import (
    KEPT_S,
    ON,
    Observation,
    Track,
    follow,
    near,
    on_table,
    places_on_table,
)

QUIET_S = 0.25  # time for which pieces must be still if nothing else is moving
LOOKS = 3  # at least, in that time
# Time to wait for a thorough look before a roll is reported, or before a table on which something
# moved counts as bare: dice may be too small for quick looks.
CLOSER_S = 0.25
HANDED_S = 0.3  # time after a hand was near during which a new piece may have been placed by it
AROUND = 2.0  # sides from the middle of a piece to what belongs to it, such as its shadow
SWAYS = 0.5  # px from one frame to the next, from which the camera or the surface moves
ROUNDING_S = 1e-6


def step(watch: WatchState, evidence: Evidence) -> tuple[WatchState, SettledRoll | None]:
    """Add one frame; return the new state, and a roll if this frame settles one."""
    if evidence.repeat:
        return watch, None  # a repeated frame does not show that time has passed
    before = watch
    settled = watch.waiting == RestState.SETTLED
    pace = watch.pace.with_frame(evidence.time_s, evidence.unseen_s, settled=settled)
    watch = _with_motion(replace(watch, pace=pace), evidence)
    if evidence.reading is None:
        return _with_gap(watch, before, evidence), None
    watch = _with_gap(_with_reading(watch, evidence), before, evidence)
    watch, roll = _settle(watch, evidence)
    return _with_unseen(watch, roll)


def finish(watch: WatchState) -> SettledRoll | None:
    """Return what was not reported yet when the frames end.

    That is a doubtful roll, or times without a frame in which a roll may have been lost.
    """
    watch, roll = _disturbed(watch, RestState.MOVING, np.inf)
    if roll is None and watch.pace.unseen:
        return SettledRoll(0, watch.pace.unseen[-1][1], (), sure=False, unseen=watch.pace.unseen)
    return _with_unseen(watch, roll)[1]


def _with_gap(watch: WatchState, before: WatchState, evidence: Evidence) -> WatchState:
    """Remember the time before this frame if a roll may have been lost in it."""
    if watch.pace.gap_s < REST_LOST_S:
        return watch
    was = [track.last for track in before.tracks if not track.missed]
    visible = [track.last for track in watch.tracks if track.last.time_s == evidence.time_s]
    moves = bool(evidence.moving or evidence.hand)
    least_s = least_lost_s(
        stays=bool(was) and (not moves or len(unmoved(visible, was)) == len(was) == len(visible)),
        changed=moves,
        settled=before.waiting == RestState.SETTLED,
    )
    return replace(watch, pace=watch.pace.with_lost(least_s))


def _with_unseen(
    watch: WatchState, roll: SettledRoll | None
) -> tuple[WatchState, SettledRoll | None]:
    """Add to a roll the times before it in which another may have been lost."""
    if roll is None or roll.unread:
        return watch, roll
    unseen = watch.pace.before_roll(roll.time_s)
    watch = replace(watch, pace=watch.pace.after_roll(roll.time_s))
    return watch, replace(roll, unseen=unseen, sure=False) if unseen else roll


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
    by_hand, since = _placed_by_hand(watch, evidence), _remembered_since(watch, evidence.time_s)
    tracks, carried = follow(watch.tracks, looks, evidence.time_s, by_hand, since)
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
    """Return a predicate that is True for a new piece that a hand may have placed."""
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
    time_s, since = evidence.time_s, _remembered_since(watch, evidence.time_s)
    read = (*watch.read, (time_s, looks)) if evidence.reading.thorough else watch.read
    return replace(
        watch,
        looks_s=tuple(time for time in (*watch.looks_s, time_s) if time >= since),
        read=_recent(read, since),
        missed=_recent((*watch.missed, (time_s, missed)), since),
        strange=_recent((*watch.strange, (time_s, (*missed, *strange))), since),
    )


def _remembered_since(watch: WatchState, time_s: float) -> float:
    """Return since when looks are remembered: with few frames long enough for a rest."""
    return min([time_s - KEPT_S, *watch.looks_s[-LOOKS:]])


def _recent(timed: TimedPlaces, since: float) -> TimedPlaces:
    return tuple(one for one in timed if one[0] >= since)


# ---------------------------------------------------------------- has it settled?


@dataclass(frozen=True, slots=True)
class _Rest:
    """All pieces are still."""

    since_s: float
    table: RestingTable


def _settle(watch: WatchState, evidence: Evidence) -> tuple[WatchState, SettledRoll | None]:
    rest = _rest(watch, evidence)
    if isinstance(rest, RestState):
        return _disturbed(watch, rest, evidence.time_s, evidence.number)
    return _at_rest(watch, evidence, rest)


def _rest(watch: WatchState, evidence: Evidence) -> _Rest | RestState:
    """Return the table at rest, or the state that it is in instead."""
    time_s = evidence.time_s
    quiet = time_s - watch.busy_s >= QUIET_S
    wait = QUIET_S if quiet else PATIENT_S
    since = _since(watch.looks_s, time_s - wait + ROUNDING_S)
    if since is None or _is_piece_missing(watch, evidence):
        return RestState.MOVING
    if any(_is_under_a_hand(track, time_s) for track in watch.tracks):
        return RestState.HAND
    visible = [track for track in watch.tracks if track.last.time_s == time_s]
    if not _keep_still(visible, since, quiet=quiet):
        return RestState.MOVING
    since = since if watch.rested_s is None else min(since, watch.rested_s)
    table = resting_table(watch, since, time_s, evidence.number)
    is_all_here = table.pieces and table.seen_s == time_s and len(table.pieces) >= len(visible)
    if not quiet and not is_all_here:
        return RestState.MOVING  # a hand in between removes or uncovers some
    if any(leaning(table.pieces, watch.flat, evidence.size)):
        return RestState.LEANING
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
    watch = replace(watch, rested_s=rested_s, pending=None, glimpse=None)
    if not table.sure and time_s - rested_s < PATIENT_S - ROUNDING_S:
        return replace(watch, waiting=RestState.DOUBT, pending=table), None
    if not table.pieces:
        watch = replace(watch, stains=with_stains(watch.stains, watch.missed[-1][1]))
    after, roll = compared(replace(watch, waiting=RestState.SETTLED), table)
    if roll is None and (unread := _unread(watch, evidence, table)):
        return replace(after, stirred=frozenset()), unread
    if table.closer or (roll is None and (table.pieces or not watch.stirred)):
        return after, roll
    closer_s = time_s if watch.closer_s is None else watch.closer_s
    if time_s - closer_s >= CLOSER_S - ROUNDING_S:
        return after, roll
    return replace(watch, waiting=RestState.DOUBT, pending=table, closer_s=closer_s), None


def _unread(watch: WatchState, evidence: Evidence, table: RestingTable) -> SettledRoll | None:
    """Return a roll with new objects that cannot be read, if there are any."""
    time_s = evidence.time_s
    if time_s - watch.busy_s < PATIENT_S - ROUNDING_S:
        return None
    found = unread_places(watch.strange, time_s - PATIENT_S, table.pieces or watch.flat)
    quads = tuple(one.piece.quad for one in found if is_stirred(one, watch.stirred))
    if not quads:
        return None
    return SettledRoll(evidence.number, time_s, pieces_of(table.pieces), sure=False, unread=quads)


def _since(looks_s: Sequence[float], latest: float) -> float | None:
    """Return the time since when looks count, at most *latest*; None if there are too few looks.

    A slow camera gives fewer looks in that time, so earlier ones are included.
    """
    earlier = [time for time in looks_s if time <= latest]
    return min(earlier[-1], looks_s[-LOOKS]) if earlier and len(looks_s) >= LOOKS else None


def _is_piece_missing(watch: WatchState, evidence: Evidence) -> bool:
    """Return True if a piece is no longer seen and something is moving there."""
    moving = evidence.sway.apply(as_complex(evidence.moving)) - watch.drift
    return any(
        bool(near(moving, track.last, ON, evidence.block).any())
        for track in watch.tracks
        if track.last.time_s < evidence.time_s
    )


def _is_under_a_hand(track: Track, time_s: float) -> bool:
    """Return True if a hand is over a piece, or left it so recently that it was not seen enough."""
    if time_s - track.touched_s < QUIET_S:
        return True
    uncovered = track.last.time_s == time_s and time_s - track.touched_s < PATIENT_S
    return uncovered and shown_since_hand(track, track.observations) < UNCOVERED


def _disturbed(
    watch: WatchState, why: RestState, time_s: float, number: int = 0
) -> tuple[WatchState, SettledRoll | None]:
    """Wait for the pieces again; what was at rest is reported before it is lost."""
    lost = watch.glimpse if watch.pending is None and _is_lost(watch, time_s) else None
    table = watch.pending or lost
    watch = replace(
        watch, waiting=why, rested_s=None, pending=None, closer_s=None, changed=False, gone=()
    )
    if table is None:
        return replace(watch, glimpse=_glimpse(watch, time_s, number)), None
    watch, roll = compared(replace(watch, glimpse=None), table)
    return watch, replace(roll, brief=True) if roll and lost else roll


def _is_lost(watch: WatchState, time_s: float) -> bool:
    """Return True if the pieces that few frames showed at rest are no longer all there."""
    if watch.glimpse is None:
        return False
    visible = [track.last for track in watch.tracks if track.last.time_s == time_s]
    return len(unmoved(visible, watch.glimpse.pieces)) < len(watch.glimpse.pieces)


def _glimpse(watch: WatchState, time_s: float, number: int) -> RestingTable | None:
    """Return the pieces that the last two looks show in their places, if frames are rare.

    They were at rest then. With many frames more than two looks show that.
    """
    if len(watch.looks_s) < 2 or watch.pace.gap_s < SLOW_S:
        return watch.glimpse
    since = watch.looks_s[-2]
    visible = [one.since(since) for one in watch.tracks if one.last.time_s == time_s]
    table = resting_table(watch, since, time_s, number)
    is_still = len(visible) == len(table.pieces) > 0 and are_still(visible, CREEP)
    return replace(table, sure=False) if is_still else watch.glimpse
