"""Did pieces keep their places between each other while they were looked at?"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from vision.watch.tracking import Observation, turned

# Sides, degrees, ratio: how far looks at a still piece differ from most of them, but for one in 4.
PLACE, TURN, SIZE, FREAK = 0.15, 9.0, 1.2, 4
# The same where they are looked at for so long that a die off its place is carried by the camera:
# on a table that rubs a fifth of its weight it stops within 0.1 s of such a way.
CREEP = 0.3
# The same, from which a piece whose every px is as before has not moved: it is read otherwise, as
# one of two tiles that lie on each other, and is doubtful.
HOP = 0.35
# px, a face's side: in looks at smaller ones its turn wavers by 20 degrees and more while it rests.
SMALL = 20.0


def are_still(
    present: Sequence[Sequence[Observation]], place: float = PLACE, *, quiet: bool = False
) -> bool:
    """Say whether pieces kept place, turn and size on these looks, at least between each other.

    A die that spins on the spot shows its value long before it rests; a table that sways carries
    all its dice alike. Where it is *quiet*, since no px has changed, small pieces spin no more, and
    none hops.
    """
    if not all(_keeps_shape(seen, turns=not quiet or seen[-1].side >= SMALL) for seen in present):
        return False
    moved = [_moved(seen) for seen in present]
    hop = HOP if quiet else np.inf
    if all(_mostly([abs(s) for s in own.values() if abs(s) < hop], place) for own in moved):
        return True
    return len(moved) > 1 and _move_together(moved)


def _mostly(values: Sequence[float], most: float) -> bool:
    """Say whether values do not exceed *most*, but for one in FREAK."""
    return sum(value > most for value in values) <= len(values) // FREAK


def _keeps_shape(seen: Sequence[Observation], *, turns: bool) -> bool:
    """Say whether a piece kept its size and, where *turns* are told, its turn."""
    side = float(np.median([one.side for one in seen]))
    sizes = [max(one.side / side, side / one.side) for one in seen]
    keeps_size = _mostly(sizes, SIZE)
    if not (turns and keeps_size):
        return keeps_size
    usual = min(([turned(one, other) for other in seen] for one in seen), key=sum)
    return _mostly(usual, TURN)


def _moved(seen: Sequence[Observation]) -> dict[float, complex]:
    """Return by how many sides a piece lies off its usual place, by the time of each look."""
    middles, side = np.array([one.middle for one in seen]), seen[-1].side
    usual = middles[np.abs(middles[:, None] - middles).sum(axis=1).argmin()]
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
