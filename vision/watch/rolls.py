"""Compare a table at rest with the one before: a roll, or pieces only moved or uncovered?"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from vision.arrangement import same_arrangement
from vision.watch.evidence import Piece
from vision.watch.places import BareLooks, StirredCells, is_stirred
from vision.watch.resting import PATIENT_S, RestingTable
from vision.watch.state import SettledRoll, WatchState
from vision.watch.tracking import Observation, assign, distances, turned

SAME_PLACE = 0.4  # sides by which an untouched piece may seem to move within minutes
SAME_TURN = 15.0  # degrees by which it may seem to turn
NUDGED = 1.2  # sides by which a piece is pushed accidentally; a thrown one moves farther
MOST_LOST = 12  # covered or removed pieces that are remembered
MOST_FLAT = 12  # pieces of earlier rolls that are used to estimate the camera's view
SAME_TURNED = 0.6  # sides by which a piece moves at most when a hand turns it over in place
TIDIED = 3  # pieces; as many show the same values again in less than one roll in 50


def unmoved(before: Sequence[Observation], after: Sequence[Observation]) -> frozenset[int]:
    """Return the indices of pieces *after* with the place and turn of one *before*.

    Such a piece was not thrown, whatever value is read on it.
    """
    pairs = assign(distances(before, after), SAME_PLACE + 0.1)
    return frozenset(j for i, j in pairs if turned(before[i], after[j]) <= SAME_TURN)


def is_roll(
    before: Sequence[Observation],
    lost: Sequence[Observation],
    after: Sequence[Observation],
    fresh: frozenset[int],
    alone: frozenset[int] = frozenset(),
) -> bool:
    """Return True if pieces were thrown.

    Args:
        before: the pieces when the table was last at rest.
        lost: pieces that were there since the last roll, and were covered or removed by then.
        after: the pieces at rest.
        fresh: the indices of those with a new place.
        alone: the indices of those that got there without a hand nearby: nobody placed them.
    """
    if not fresh or _only_nudged((*before, *lost), after) or _is_carried(before, after):
        return False
    if not before:
        return True  # the table was bare
    was, shows = _values_shown((*before, *lost)), _values_shown(after)
    if shows - was or fresh <= alone:
        return True
    if shows != was:
        return False  # some were removed, and others perhaps moved aside
    return len(after) < TIDIED


def _only_nudged(before: Sequence[Observation], after: Sequence[Observation]) -> bool:
    pairs = assign(distances(before, after), NUDGED)
    alike = all(before[i].piece.values == after[j].piece.values for i, j in pairs)
    return alike and len(pairs) == len(after)


def _is_carried(before: Sequence[Observation], after: Sequence[Observation]) -> bool:
    """Return True if the arrangement is the same from another view: camera or tray was pushed."""
    if any(len(one.corners) != 4 or len(one.piece.faces) > 1 for one in (*before, *after)):
        return False
    return bool(same_arrangement({"dice": _as_dice(before)}, {"dice": _as_dice(after)}))


def _as_dice(dice: Sequence[Observation]) -> list[dict[str, Any]]:
    return [
        {"value": one.piece.faces[0].value, "quad": [(z.real, z.imag) for z in one.corners]}
        for one in dice
    ]


def _values_shown(pieces: Sequence[Observation]) -> Counter[tuple[int, ...]]:
    return Counter(one.piece.values for one in pieces)


def compared(watch: WatchState, table: RestingTable) -> tuple[WatchState, SettledRoll | None]:
    """Compare the table at rest with the one before; return a roll if pieces were thrown."""
    assert watch.lying is not None
    before, stirred = watch.lying, watch.stirred
    fresh = _fresh(watch, table, (*before, *watch.lost))
    rolled = is_roll(before, watch.lost, table.pieces, fresh, table.alone)
    back = frozenset[int]() if rolled else _came_back(watch, table)
    picked_up = len(back) == len(table.pieces) > 0 and not back <= table.alone
    again = not rolled and (picked_up or _is_another(watch, table, fresh))
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
        stirred=frozenset() if rolled or _is_found_late(watch, table) else stirred,
    )
    if not rolled:
        return watch, None
    flat = (*watch.flat, *table.pieces)[-MOST_FLAT:]
    sure = table.sure and not again
    roll = SettledRoll(table.number, table.time_s, pieces_of(table.pieces), sure, again=again)
    return replace(watch, flat=flat), roll


def _is_another(watch: WatchState, table: RestingTable, fresh: frozenset[int]) -> bool:
    """Return True if too few frames show whether all pieces were thrown or only moved."""
    return watch.pace.leave_s > 0 and len(fresh) == len(table.pieces) > 0


def _is_found_late(watch: WatchState, table: RestingTable) -> bool:
    """Return True if a piece that is found from now on was only missed, not thrown."""
    return table.time_s - watch.busy_s > max(PATIENT_S, watch.pace.leave_s)


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


def pieces_of(looks: Sequence[Observation]) -> tuple[Piece, ...]:
    """Return the pieces of these looks."""
    return tuple(one.piece for one in looks)


def _is_changed(
    before: Sequence[Observation],
    gone: Sequence[Observation],
    after: Sequence[Observation],
    stirred: StirredCells,
) -> bool:
    """Return True if a hand removed pieces, turned one over in place, or placed one.

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
