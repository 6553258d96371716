"""When has a roll settled? A fold over `Evidence`: `step(watch, evidence)` tells each roll once.

Nothing here knows a clock, a camera or a game: time is what the frames say. A table has settled
when for a while its pieces kept place, turn and value between each other, nothing moved on them
and no hand was over them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from vision.geometry import Quad
from vision.watch.assignment import assign
from vision.watch.evidence import Complexes, Evidence, Piece, Sway, as_complex
from vision.watch.fusion import fuse
from vision.watch.leaning import leaning
from vision.watch.rolls import is_roll, unmoved
from vision.watch.tracking import (
    Observation,
    Track,
    distances,
    follow,
    missed_on_table,
    on_table,
    turned,
)

QUIET_S = 0.25  # pieces lie still for so long where nothing else is in view; hands leave 0.4 s
# The same where something moves far from them or a piece is doubtful. A roll is told within a
# second of coming to rest.
PATIENT_S = 0.75
LOOKS = 3  # at least, in that time
THOROUGH = 2  # looks as at a photo, before what is doubtful is told
# One such look is waited for so long before a roll is told, or a table is taken for bare on which
# something moved: dice may be too small for the quick ones.
CLOSER_S = 0.25
HANDED_S = 0.3  # after a hand was near, what is found there may be what it laid down
# Sides, degrees, ratio: how far looks at a still piece differ from most of them, but for one in 4.
PLACE, TURN, SIZE, FREAK = 0.15, 9.0, 1.2, 4
ON = 0.9  # sides from the middle of a piece to what touches it
AROUND = 2.0  # the same to what belongs to it: its shadow
SWAYS = 0.5  # px from one frame to the next
PRESENT = 0.5  # share of the looks on which a piece is seen
ALIKE = 0.7  # share of the looks on which a piece shows the same
ROUNDING_S = 1e-6
MOST_LOST = 12  # pieces that are remembered though they are covered or were taken away
MOST_FLAT = 12  # pieces of earlier rolls that tell how the camera sees the table
SAME_TURNED = 0.6  # sides from where a piece lay that a hand has turned over in its place
# What was doubtful before anything was thrown is print or a stain: so many sides and times as large
# it may be off later, pieces only below this confidence, and so many places are remembered.
SAME_STAIN, LIKE_STAIN, UNLIKELY, MOST_STAINS = 0.4, 1.6, 0.7, 30
CELL = 24.0  # px of the table, by which it is remembered where something moved

Cells = frozenset[tuple[int, int]]
Waiting = Literal["", "moving", "hand", "doubt", "leaning"]


@dataclass(frozen=True, slots=True)
class SettledRoll:
    """What was thrown, told once: all pieces that lie there now."""

    number: int  # of the frame on which it had settled
    time_s: float
    pieces: tuple[Piece, ...]
    sure: bool


@dataclass(frozen=True, slots=True)
class _Table:
    """What lies there by several looks, and if all of it is clear."""

    pieces: tuple[Observation, ...]  # each fused from all looks at it
    sure: bool
    number: int  # of the last frame that shows it
    time_s: float
    alone: frozenset[int] = frozenset()  # which of them came there with no hand near
    closer: bool = False  # looks as at a photo say so too


@dataclass(frozen=True, slots=True)
class WatchState:
    """All that is remembered between two frames."""

    began_s: float | None = None
    sway: Sway = field(default_factory=Sway)
    drift: complex = 0j  # of the surface by its pieces, beyond what the picture told
    tracks: tuple[Track, ...] = ()
    looks_s: tuple[float, ...] = ()  # times of the last looks
    thorough_s: tuple[float, ...] = ()
    # Time of a look, and where a piece may lie that it did not read.
    missed: tuple[tuple[float, tuple[Observation, ...]], ...] = ()
    stains: tuple[Observation, ...] = ()  # what was doubtful when nothing had been thrown
    busy_s: float = -np.inf  # when something last moved or a hand was in view, anywhere
    lying: tuple[Observation, ...] | None = None  # as it was settled last, or first seen
    changed: bool = False  # what rests is not what rested before something moved last
    gone: tuple[Observation, ...] = ()  # of what rested then
    hands: tuple[tuple[float, Complexes], ...] = ()  # where one was lately, on the table, and when
    lost: tuple[Observation, ...] = ()  # lay there since the last roll, and may be covered
    stirred: Cells = frozenset()  # where something moved since
    flat: tuple[Observation, ...] = ()  # pieces of earlier rolls
    rested_s: float | None = None  # since when all that lies there is known to be still
    pending: _Table | None = None  # what rests and is not told yet, as one more look is wanted
    closer_s: float | None = None  # since when a closer look is waited for
    waiting: Waiting = "moving"  # for what, before what lies there counts

    @property
    def quads(self) -> tuple[Quad, ...]:
        """Return where pieces were seen last, px of their frame."""
        return tuple(track.last.piece.quad for track in self.tracks)


def step(watch: WatchState, evidence: Evidence) -> tuple[WatchState, SettledRoll | None]:
    """Add one frame; return what is known then, and a roll if this frame settles one."""
    if evidence.repeat:
        return watch, None  # the same frame once more says nothing about time that passed
    watch = _with_motion(watch, evidence)
    if evidence.reading is None:
        return watch, None
    watch = _with_reading(watch, evidence)
    return _settle(watch, evidence)


def finish(watch: WatchState) -> SettledRoll | None:
    """Return what rests when the frames end, if it was only doubtful and is not told yet."""
    return _disturbed(watch, "moving")[1]


def _with_motion(watch: WatchState, evidence: Evidence) -> WatchState:
    """Remember what moved, and which pieces a hand was over."""
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
        if _near(hand, track.last, ON, evidence.block).any()
        else track
        for track in watch.tracks
    )
    cells = {(int(z.real // CELL), int(z.imag // CELL)) for z in stirred}
    if sways:
        # Pieces stand out of the surface and shift against it: only looks tell if these moved.
        on_pieces = [_near(stirred, track.last, AROUND, evidence.block) for track in tracks]
        stirred = stirred[~np.any(on_pieces, axis=0)] if on_pieces else stirred
    is_busy = len(hand) or len(stirred)
    return replace(
        watch,
        tracks=tracks,
        hands=tuple(one for one in hands if evidence.time_s - one[0] <= HANDED_S),
        busy_s=evidence.time_s if is_busy else watch.busy_s,
        stirred=watch.stirred | frozenset(cells),
    )


def _near(blocks: Complexes, seen: Observation, reach: float, block: float) -> NDArray[np.bool_]:
    return np.asarray(np.abs(blocks - seen.middle) < reach * seen.side + 0.5 * block, np.bool_)


def _with_reading(watch: WatchState, evidence: Evidence) -> WatchState:
    """Remember what was read."""
    assert evidence.reading is not None
    now = evidence.time_s
    looks = on_table(evidence, watch.drift)
    missed = missed_on_table(evidence, watch.drift)
    if watch.lying is None or not (watch.stirred or watch.flat):
        watch = _with_stains(watch, (*missed, *filter(_is_unlikely, looks)))
    looks = tuple(one for one in looks if not (_is_unlikely(one) and _is_stain(one, watch)))
    recent = [hand for time_s, hand in watch.hands if now - time_s <= HANDED_S]
    tracks, carried = follow(
        watch.tracks,
        looks,
        now,
        lambda look: any(_near(hand, look, AROUND, evidence.block).any() for hand in recent),
    )
    since = now - 2 * PATIENT_S
    maybe = (*watch.missed, (now, tuple(one for one in missed if not _is_stain(one, watch))))
    return replace(
        watch,
        tracks=tracks,
        drift=watch.drift + carried,
        lying=looks if watch.lying is None else watch.lying,
        looks_s=tuple(time for time in (*watch.looks_s, now) if time > since),
        thorough_s=tuple(
            time
            for time in (*watch.thorough_s, *([now] if evidence.reading.thorough else []))
            if time > since
        ),
        missed=tuple(told for told in maybe if told[0] > since),
    )


def _with_stains(watch: WatchState, found: Sequence[Observation]) -> WatchState:
    new = tuple(one for one in found if not _is_stain(one, watch))
    return replace(watch, stains=(*watch.stains, *new)[-MOST_STAINS:])


def _is_unlikely(one: Observation) -> bool:
    return any(not face.sure and face.confidence < UNLIKELY for face in one.piece.faces)


def _is_stain(one: Observation, watch: WatchState) -> bool:
    """Say whether the same was doubtful when nothing had been thrown."""
    return any(
        abs(one.middle - stain.middle) < SAME_STAIN * stain.side
        and 1 / LIKE_STAIN < one.side / stain.side < LIKE_STAIN
        for stain in watch.stains
    )


# ---------------------------------------------------------------- has it settled?


def _settle(watch: WatchState, evidence: Evidence) -> tuple[WatchState, SettledRoll | None]:
    now = evidence.time_s
    quiet = now - watch.busy_s >= QUIET_S
    wait = QUIET_S if quiet else PATIENT_S
    since = _since(watch.looks_s, now - wait + ROUNDING_S)
    if since is None or _taken(watch, evidence):
        return _disturbed(watch, "moving")
    if any(now - track.touched_s < QUIET_S for track in watch.tracks):
        return _disturbed(watch, "hand")
    here = [track for track in watch.tracks if track.last.time_s == now]
    arrived = any(track.seen[0].time_s > since for track in here)
    if (arrived and not quiet) or not are_still([track.since(since) for track in here]):
        return _disturbed(watch, "moving")
    since = since if watch.rested_s is None else min(since, watch.rested_s)
    table = _table(watch, since, now, evidence.number)
    if not table.pieces and not quiet:
        return _disturbed(watch, "moving")
    if any(leaning(table.pieces, watch.flat, evidence.size)):
        return _disturbed(watch, "leaning")
    rested_s = since if watch.rested_s is None else watch.rested_s
    watch = replace(watch, rested_s=rested_s, pending=None)
    if not table.sure and now - rested_s < PATIENT_S - ROUNDING_S:
        return replace(watch, waiting="doubt", pending=table), None
    if not table.pieces:
        watch = _with_stains(watch, watch.missed[-1][1])
    told, roll = _told(replace(watch, waiting=""), table)
    if table.closer or (roll is None and (table.pieces or not watch.stirred)):
        return told, roll
    closer_s = now if watch.closer_s is None else watch.closer_s
    if now - closer_s >= CLOSER_S - ROUNDING_S:
        return told, roll
    return replace(watch, waiting="doubt", pending=table, closer_s=closer_s), None


def _since(looks_s: Sequence[float], latest: float) -> float | None:
    """Return since when looks count: so long at least, and so many; None if there are too few.

    A camera that is slow shows fewer looks in that time, and is waited for.
    """
    earlier = [time for time in looks_s if time <= latest]
    return min(earlier[-1], looks_s[-LOOKS]) if earlier and len(looks_s) >= LOOKS else None


def _taken(watch: WatchState, evidence: Evidence) -> bool:
    """Say whether a piece is not seen any more where something moves now."""
    moving = evidence.sway.apply(as_complex(evidence.moving)) - watch.drift
    return any(
        bool(_near(moving, track.last, ON, evidence.block).any())
        for track in watch.tracks
        if track.last.time_s < evidence.time_s
    )


def _disturbed(watch: WatchState, why: Waiting) -> tuple[WatchState, SettledRoll | None]:
    """Wait for the pieces again; what rested and was only doubtful is told before it is lost."""
    table = watch.pending
    watch = replace(
        watch, waiting=why, rested_s=None, pending=None, closer_s=None, changed=False, gone=()
    )
    return (watch, None) if table is None else _told(watch, table)


def _table(watch: WatchState, since: float, now: float, number: int) -> _Table:
    """Fuse the looks; where several were thorough they alone say what lies there.

    Where one was, it and the others must agree, or there is a doubt.
    """
    times = [time for time in watch.looks_s if time >= since]
    thorough = [time for time in watch.thorough_s if time >= since]
    tracks = [track for track in watch.tracks if track.since(since)]
    window = [track.since(since) for track in tracks]
    kept = tuple[Observation, ...]()
    if len(thorough) >= THOROUGH:
        closer = [tuple(one for one in seen if one.thorough) for seen in window]
        quick = len(times) - len(thorough)
        kept = tuple(
            _doubted(seen)
            for seen, near in zip(window, closer, strict=True)
            if len(near) <= PRESENT * len(thorough) and len(seen) - len(near) > PRESENT * quick
        )
        times, window = thorough, closer
    is_present = [len(seen) > PRESENT * len(times) for seen in window]
    present = tuple(seen for seen, there in zip(window, is_present, strict=True) if there)
    alone = [track.alone for track, there in zip(tracks, is_present, strict=True) if there]
    # What came and went, or is there by the last look alone: a hand may just have uncovered it.
    flickers = any(
        not there and seen and (len(seen) > 1 or seen[-1].time_s == times[-1])
        for seen, there in zip(window, is_present, strict=True)
    )
    pieces = tuple(map(_fused, present))
    missing = [bool(places) for time, places in watch.missed if time in times]
    agrees = _agrees(window, present, pieces, thorough[-1]) if thorough else None
    clear = (
        not flickers
        and agrees is not False
        and sum(missing) <= PRESENT * len(missing)
        and all(one.piece.sure for one in pieces)
        and all(_is_alike(seen, one) for seen, one in zip(present, pieces, strict=True))
    )
    kept = tuple(one for one in kept if not _is_unlikely(one))
    came_alone = frozenset(j for j, one in enumerate(alone) if one)
    sure = clear and not kept
    return _Table((*pieces, *kept), sure, number, now, came_alone, closer=bool(agrees))


def _fused(seen: Sequence[Observation]) -> Observation:
    return replace(seen[-1], piece=fuse([one.piece for one in seen]))


def _doubted(seen: Sequence[Observation]) -> Observation:
    """Return a piece that quick looks saw and closer ones did not: light and sway blur both."""
    fused = _fused(seen)
    faces = tuple(replace(face, sure=False) for face in fused.piece.faces)
    return replace(fused, piece=Piece(fused.piece.quad, faces))


def _agrees(
    window: Sequence[Sequence[Observation]],
    present: Sequence[Sequence[Observation]],
    pieces: Sequence[Observation],
    time_s: float,
) -> bool:
    """Say whether the look at this time shows the pieces that all looks have, and no others."""
    shown = sum(any(one.time_s == time_s for one in seen) for seen in window)
    own = (next((one for one in seen if one.time_s == time_s), None) for seen in present)
    return shown == len(present) and all(
        one is not None and one.piece.values == fused.piece.values
        for one, fused in zip(own, pieces, strict=True)
    )


def _is_alike(seen: Sequence[Observation], fused: Observation) -> bool:
    agreeing = sum(one.piece.values == fused.piece.values for one in seen)
    return agreeing >= ALIKE * len(seen)


def are_still(present: Sequence[Sequence[Observation]]) -> bool:
    """Say whether pieces kept place, turn and size on these looks, at least between each other.

    A die that spins on the spot shows its value long before it rests; a table that sways carries
    all its dice alike.
    """
    if not all(_keeps_shape(seen) for seen in present):
        return False
    moved = [_moved(seen) for seen in present]
    if all(_mostly([abs(step) for step in own.values()], PLACE) for own in moved):
        return True
    return len(moved) > 1 and _move_together(moved)


def _mostly(values: Sequence[float], most: float) -> bool:
    """Say whether values do not exceed *most*, but for one in FREAK."""
    return sum(value > most for value in values) <= len(values) // FREAK


def _keeps_shape(seen: Sequence[Observation]) -> bool:
    """Say whether a piece kept its turn and its size."""
    turns = [[turned(one, other) for other in seen] for one in seen]
    usual = min(turns, key=sum)
    side = float(np.median([one.side for one in seen]))
    sizes = [max(one.side / side, side / one.side) for one in seen]
    return _mostly(usual, TURN) and _mostly(sizes, SIZE)


def _moved(seen: Sequence[Observation]) -> dict[float, complex]:
    """Return by how many sides a piece lies off its usual place, by the time of each look."""
    middles, side = np.array([one.middle for one in seen]), seen[-1].side
    usual = complex(np.median(middles.real), np.median(middles.imag))
    return {one.time_s: (one.middle - usual) / side for one in seen}


def _move_together(moved: Sequence[dict[float, complex]]) -> bool:
    """Say whether what the pieces moved at each look is the same for all, but for PLACE."""
    apart = []
    for time in {time for own in moved for time in own}:
        steps = [own[time] for own in moved if time in own]
        common = complex(np.median(np.real(steps)), np.median(np.imag(steps)))
        share = 1.0 if len(steps) > 2 else 2.0  # of two, each is half as far from the middle
        apart.append(share * max(abs(step - common) for step in steps))
    return _mostly(apart, PLACE)


def _told(watch: WatchState, table: _Table) -> tuple[WatchState, SettledRoll | None]:
    """Compare what lies there with what lay there; tell it if it was thrown."""
    assert watch.lying is not None
    before, stirred = watch.lying, watch.stirred
    old = unmoved((*before, *watch.lost, *watch.stains), table.pieces)
    fresh = frozenset(
        j for j, one in enumerate(table.pieces) if j not in old and _is_stirred(one, stirred)
    )
    rolled = is_roll(before, watch.lost, table.pieces, fresh, table.alone)
    still_there = unmoved(table.pieces, before)
    gone = tuple(one for i, one in enumerate(before) if i not in still_there)
    watch = replace(
        watch,
        lying=table.pieces,
        gone=(*watch.gone, *gone),
        changed=watch.changed or bool(fresh) or _is_changed(before, gone, table.pieces, stirred),
        lost=() if rolled else (*watch.lost, *gone)[-MOST_LOST:],
        # What was not thrown and is found late may still be a die that was overlooked at first.
        stirred=frozenset() if rolled or table.time_s - watch.busy_s > PATIENT_S else stirred,
    )
    if not rolled:
        return watch, None
    pieces = tuple(one.piece for one in table.pieces)
    flat = (*watch.flat, *table.pieces)[-MOST_FLAT:]
    return replace(watch, flat=flat), SettledRoll(table.number, table.time_s, pieces, table.sure)


def _is_changed(
    before: Sequence[Observation],
    gone: Sequence[Observation],
    now: Sequence[Observation],
    stirred: Cells,
) -> bool:
    """Say whether a hand took pieces away, or turned one over in its place."""
    turned_over = (
        now[j]
        for i, j in assign(distances(before, now), SAME_TURNED)
        if before[i].piece.values != now[j].piece.values
    )
    return any(_is_stirred(one, stirred) for one in (*gone, *turned_over))


def _is_stirred(one: Observation, stirred: Cells) -> bool:
    """Say whether something moved where a piece lies; if not, it was only overlooked before."""
    reach = ON * one.side
    low, high = one.middle - complex(reach, reach), one.middle + complex(reach, reach)
    return any(
        (x, y) in stirred
        for x in range(int(low.real // CELL), int(high.real // CELL) + 1)
        for y in range(int(low.imag // CELL), int(high.imag // CELL) + 1)
    )
