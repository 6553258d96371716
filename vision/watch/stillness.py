"""Decide whether pieces kept their places over several looks, and whether a die leans.

The view of the camera is estimated from the dice on the table and those of earlier rolls.
"""

from collections.abc import Sequence

import numpy as np

from vision.faces.detector import Detections
from vision.faces.view_prior import view_prior
from vision.watch.tracking import Observation, turned

# Largest deviation of looks at a still piece: sides, degrees, ratio of sizes. One look in FREAK may
# deviate more.
PLACE, TURN, SIZE, FREAK = 0.15, 9.0, 1.2, 4
# The same for the place over a longer time, where a deviation comes from a moving camera: with a
# friction coefficient of 0.2 a die stops within 0.1 s over such a distance.
CREEP = 0.3
# Sides from which a jump without any changed px is not a movement: the piece is read differently,
# such as one of two stacked tiles, and is doubtful.
HOP = 0.35
# px, a face's side; of smaller resting ones the measured turn varies by 20 degrees and more.
SMALL = 20.0


def are_still(
    present: Sequence[Sequence[Observation]], place: float = PLACE, *, quiet: bool = False
) -> bool:
    """Return True if pieces kept place, turn and size on these looks, or all moved alike.

    Turns matter because a die spinning on the spot shows its value long before it rests; a moving
    camera shifts all dice alike. If it is *quiet*, no px has changed, so the turns of small pieces
    and jumps are ignored.

    Args:
        present: the looks at each piece.
        place: largest deviation of a place, in sides.
        quiet: whether no px has changed.
    """
    if not all(_keeps_shape(seen, turns=not quiet or seen[-1].side >= SMALL) for seen in present):
        return False
    moved = [_moved(seen) for seen in present]
    hop = HOP if quiet else np.inf
    if all(_mostly([abs(s) for s in own.values() if abs(s) < hop], place) for own in moved):
        return True
    return len(moved) > 1 and _move_together(moved)


def _mostly(values: Sequence[float], most: float) -> bool:
    """Return True if all values but one in FREAK are at most *most*."""
    return sum(value > most for value in values) <= len(values) // FREAK


def _keeps_shape(looks: Sequence[Observation], *, turns: bool) -> bool:
    """Return True if a piece kept its size and, with *turns*, its turn."""
    side = float(np.median([one.side for one in looks]))
    sizes = [max(one.side / side, side / one.side) for one in looks]
    keeps_size = _mostly(sizes, SIZE)
    if not (turns and keeps_size):
        return keeps_size
    usual = min(([turned(one, other) for other in looks] for one in looks), key=sum)
    return _mostly(usual, TURN)


def _moved(looks: Sequence[Observation]) -> dict[float, complex]:
    """Return the shift of a piece from its usual place, in sides, by the time of each look."""
    middles, side = np.array([one.middle for one in looks]), looks[-1].side
    usual = middles[np.abs(middles[:, None] - middles).sum(axis=1).argmin()]
    return {one.time_s: (one.middle - usual) / side for one in looks}


def _move_together(moved: Sequence[dict[float, complex]]) -> bool:
    """Return True if at each look all pieces have the same shift, up to PLACE."""
    apart = []
    for time in {time for own in moved for time in own}:
        steps = [own[time] for own in moved if time in own]
        common = complex(np.median(np.real(steps)), np.median(np.imag(steps)))
        share = 1.0 if len(steps) > 2 else 2.0  # of two, each is half as far from the middle
        apart.append(share * max(abs(step - common) for step in steps))
    return _mostly(apart, PLACE)


# Error of S (vision.faces.detector) from which a die leans. Of 292 flat faces on photos of `train/`
# with five dice or more, 99 in 100 have less than 0.6; with fewer dice it is noisier.
LEANS = 0.7
FEWEST = 4  # dice needed to estimate the camera's view


def leaning(
    pieces: Sequence[Observation], flat: Sequence[Observation], size: tuple[int, int]
) -> list[bool]:
    """Return for each piece True if it leans.

    Args:
        pieces: on the table.
        flat: dice of earlier rolls, which were flat.
        size: width and height of a frame, px.
    """
    squares = [one for one in (*pieces, *flat) if len(one.corners) == 4]
    if len(squares) < FEWEST or any(len(one.piece.faces) > 1 for one in squares):
        return [False] * len(pieces)
    corners = np.array([one.corners for one in squares])
    quads = np.stack([corners.real, corners.imag], axis=2)
    count = len(quads)
    detections = Detections(
        quads, np.ones(count), np.zeros((count, 7)), np.ones(count), np.zeros(count)
    )
    residual = view_prior(detections, np.ones(count, np.bool_).tobytes(), size).tilt_residual
    return [bool(one > LEANS) for one in residual[: len(pieces)]]
