"""Track pieces from look to look, with the recent looks at each of them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.geometry import Complexes, Floats
from vision.quad import Quad
from vision.watch.evidence import Evidence, FrameReading, Piece, Sway, as_complex

Pairs = tuple[tuple[int, int], ...]


def assign(cost: Floats, most: float) -> Pairs:
    """Pair rows with columns so that the sum of costs is least; no pair costs more than *most*.

    By shortest augmenting paths with potentials, O(n² m) (Kuhn 1955; Jonker and Volgenant 1987). A
    row may stay single at the cost *most*, so a cheap pair is never given up for two expensive
    ones.

    Args:
        cost: (n, m) of each pair, 0 or more; infinite for impossible pairs.
        most: cost of a row without a column.
    """
    n, m = cost.shape
    if not n or not m:
        return ()
    alone = np.full((n, n), most)
    wide = np.concatenate([np.minimum(cost, 1e6), alone], axis=1)
    columns = _columns_of(wide)
    return tuple((i, j) for i, j in enumerate(columns) if j < m and cost[i, j] <= most)


def _columns_of(cost: Floats) -> list[int]:
    """Return the column of each row of (n, m) costs, n no more than m."""
    n, m = cost.shape
    row_price, column_price = np.zeros(n + 1), np.zeros(m + 1)
    row_of = np.zeros(m + 1, np.intp)  # 1 to n; column 0 has the row to be assigned
    for row in range(1, n + 1):
        row_of[0], at_column = row, 0
        least, came = np.full(m + 1, np.inf), np.zeros(m + 1, np.intp)
        used = np.zeros(m + 1, np.bool_)
        while row_of[at_column]:
            used[at_column] = True
            i = row_of[at_column]
            slack = cost[i - 1] - row_price[i] - column_price[1:]
            better = ~used[1:] & (slack < least[1:])
            least[1:][better], came[1:][better] = slack[better], at_column
            nearest = int(np.where(used, np.inf, least)[1:].argmin()) + 1
            step = least[nearest]
            row_price[row_of[used]] += step
            column_price[used] -= step
            least[~used] -= step
            at_column = nearest
        while at_column:
            row_of[at_column], at_column = row_of[came[at_column]], int(came[at_column])
    columns = [0] * n
    for column in range(1, m + 1):
        if row_of[column]:
            columns[row_of[column] - 1] = column - 1
    return columns


KEPT_S = 1.5  # time for which looks are kept
MISSED = 3  # looks in a row without a piece, after which its track ends
COVERED_S = 0.25  # time after a hand was over a piece during which its track does not end
REACH = 0.8  # sides by which a piece may move between two looks of one track
TOGETHER = 0.1  # sides; if all pieces move alike up to this, their surface moved
SWAYED = 0.04  # sides; smaller common moves are measurement errors
ON = 0.9  # sides from the middle of a piece to what touches it


@dataclass(frozen=True, slots=True)
class Observation:
    """One look at a piece, with its corners in coordinates of the table."""

    time_s: float
    number: int  # of the frame
    piece: Piece
    corners: tuple[complex, ...]
    thorough: bool = False

    @property
    def middle(self) -> complex:
        """Return its middle on the table."""
        return sum(self.corners) / len(self.corners)

    @property
    def side(self) -> float:
        """Return the square root of its area."""
        z = np.array(self.corners)
        area = 0.5 * float(np.abs((z.conj() * np.roll(z, -1)).imag.sum()))
        return max(float(np.sqrt(area)), 1e-6)

    @property
    def heading(self) -> complex:
        """Return the mean direction φ of its edges as e^(4iφ), which is the same for quarter turns.

        Diagonals would not do: those of a face that looks 2.4 times as long as wide, like a domino
        from the side, are 45 degrees apart and cancel.
        """
        z = np.array(self.corners)
        spread: Complexes = (np.roll(z, -1) - z) ** 4
        total = complex(spread.sum())
        return total / abs(total) if abs(total) > 1e-9 else 1.0 + 0j


@dataclass(frozen=True, slots=True)
class Track:
    """A tracked piece: the recent looks at it, oldest first, and when a hand last touched it."""

    observations: tuple[Observation, ...]
    touched_s: float = -np.inf
    missed: int = 0  # looks in a row on which it was not seen
    alone: bool = False  # it got there without a hand nearby

    @property
    def last(self) -> Observation:
        """Return the latest look at it."""
        return self.observations[-1]

    def since(self, time_s: float) -> tuple[Observation, ...]:
        """Return the looks since a time."""
        return tuple(one for one in self.observations if one.time_s >= time_s)


def turned(first: Observation, second: Observation) -> float:
    """Return the angle between two looks at a piece, 0 to 45 degrees."""
    return abs(float(np.degrees(np.angle(first.heading / second.heading)))) / 4


def near(blocks: Complexes, look: Observation, reach: float, block: float) -> NDArray[np.bool_]:
    """Return (n,), which blocks, *block* px wide, are within *reach* sides of a piece."""
    return np.asarray(np.abs(blocks - look.middle) < reach * look.side + 0.5 * block, np.bool_)


def on_table(evidence: Evidence, drift: complex) -> tuple[Observation, ...]:
    """Return the pieces read on a frame, in coordinates of the table."""
    assert evidence.reading is not None
    return tuple(
        Observation(
            evidence.time_s,
            evidence.number,
            piece,
            _corners(piece, evidence.sway, drift),
            evidence.reading.thorough,
        )
        for piece in evidence.reading.pieces
    )


def places_on_table(
    evidence: Evidence, drift: complex, quads: Sequence[Quad]
) -> tuple[Observation, ...]:
    """Return places of possible pieces that were not read, as observations without faces."""
    pieces = tuple(Piece(quad, ()) for quad in quads)
    return on_table(replace(evidence, reading=FrameReading(pieces)), drift)


def _corners(piece: Piece, sway: Sway, drift: complex) -> tuple[complex, ...]:
    z = sway.apply(as_complex(piece.quad.array)) - drift
    return tuple(complex(corner) for corner in z)


def follow(
    tracks: Sequence[Track],
    looks: Sequence[Observation],
    time_s: float,
    by_hand: Callable[[Observation], bool] = lambda _: False,
    since: float = -np.inf,
) -> tuple[tuple[Track, ...], complex]:
    """Add the looks of one frame to the tracks; return them and the common shift of all pieces.

    If all pieces move alike, it is their surface that moved, and the shift is removed.

    Args:
        tracks: the pieces so far.
        looks: the pieces on this frame.
        time_s: of the frame.
        by_hand: says of a new piece whether a hand may have placed it.
        since: the time since when looks are kept.
    """
    pairs, carried = _pairs(tracks, looks), 0j
    steps = [(looks[j].middle - tracks[i].last.middle) / looks[j].side for i, j in pairs]
    if len(steps) > 1:
        common = complex(np.median(np.real(steps)), np.median(np.imag(steps)))
        side = float(np.median([looks[j].side for _, j in pairs]))
        if abs(common) > SWAYED and max(abs(step - common) for step in steps) < TOGETHER:
            carried = common * side
    looks = [_shifted(look, carried) for look in looks]
    look_of = {i: looks[j] for i, j in pairs}
    grown = [
        replace(track, observations=(*track.since(since), look_of[i]), missed=0)
        if i in look_of
        else replace(track, missed=track.missed + 1)
        for i, track in enumerate(tracks)
    ]
    taken = {j for _, j in pairs}
    # A piece under a hand may still be there.
    kept = [
        track for track in grown if track.missed < MISSED or time_s - track.touched_s < COVERED_S
    ]
    fresh = [
        Track((look,), alone=not by_hand(look)) for j, look in enumerate(looks) if j not in taken
    ]
    return (*kept, *fresh), carried


def _shifted(look: Observation, by: complex) -> Observation:
    return replace(look, corners=tuple(corner - by for corner in look.corners)) if by else look


def _pairs(tracks: Sequence[Track], looks: Sequence[Observation]) -> Pairs:
    return assign(distances([track.last for track in tracks], looks), REACH)


def distances(before: Sequence[Observation], after: Sequence[Observation]) -> Floats:
    """Return (n, m) distances of middles in sides, plus a little if the values differ."""
    far = np.zeros((len(before), len(after)))
    for i, earlier in enumerate(before):
        for j, later in enumerate(after):
            unlike = earlier.piece.values != later.piece.values
            far[i, j] = abs(earlier.middle - later.middle) / later.side + 0.1 * unlike
    return far
