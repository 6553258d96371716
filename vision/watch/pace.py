"""The frame rate of a camera while something happens, and its gaps.

A busy machine drops frames. With few of them a rest takes longer to be found, and a whole roll may
fall between two: its dice come to rest and are taken.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import ceil, inf
from statistics import median

# Time without a frame in which a roll may have been lost: if dice were moving before (they come to
# rest and are taken), if all was at rest (they are thrown, too), and if the picture is the same
# before and after (all is put away, too).
REST_LOST_S, THROW_LOST_S, ALL_LOST_S = 0.7, 1.2, 2.5
MEASURED = 5  # intervals between frames whose median is the pace
FEWEST = 3  # the same, from which it is known
SLOW_S = 0.25  # between two frames, from which a roll is reported late
FRAMES = 4  # that a rest takes: three looks, and a thorough one
AT_LEAST_S = 0.25  # that it takes besides
MOST_GAPS = 8  # that are remembered

Gap = tuple[float, float]  # begin and end, s


@dataclass(frozen=True, slots=True)
class Pace:
    """The times of the frames of one camera."""

    seen_s: float | None = None  # when the last frame was taken
    gap: Gap = (0.0, 0.0)  # before the last frame
    intervals_s: tuple[float, ...] = ()  # between the last frames of an unsettled table
    unseen: tuple[Gap, ...] = ()  # in which a roll may have been lost, since the last roll

    def with_frame(self, time_s: float, unseen_s: float | None, *, settled: bool) -> Pace:
        """Add a frame.

        Args:
            time_s: when it was taken.
            unseen_s: time without a look at the table before it; None: since the last frame.
            settled: nothing happened before it, so that a camera need not hurry.
        """
        if unseen_s is None:
            unseen_s = 0.0 if self.seen_s is None else time_s - self.seen_s
        if self.seen_s is None:
            return replace(self, seen_s=time_s, gap=(time_s - unseen_s, time_s))
        gap = (time_s - unseen_s, time_s)
        intervals = self.intervals_s if settled else (*self.intervals_s, gap[1] - gap[0])
        return replace(self, seen_s=time_s, gap=gap, intervals_s=intervals[-MEASURED:])

    def with_lost(self, least_s: float) -> Pace:
        """Remember the last gap if a roll may have been lost in it."""
        if self.gap_s < least_s:
            return self
        return replace(self, unseen=(*self.unseen, self.gap)[-MOST_GAPS:])

    def after_roll(self, time_s: float) -> Pace:
        """Forget the gaps before a roll."""
        return replace(self, unseen=tuple(gap for gap in self.unseen if gap[0] >= time_s))

    def before_roll(self, time_s: float) -> tuple[Gap, ...]:
        """Return the gaps before a roll."""
        return tuple(gap for gap in self.unseen if gap[0] < time_s)

    @property
    def gap_s(self) -> float:
        """Return the time between the last two frames."""
        return self.gap[1] - self.gap[0]

    @property
    def interval_s(self) -> float:
        """Return the usual time between two frames; 0 if it is not known yet."""
        return median(self.intervals_s) if len(self.intervals_s) >= FEWEST else 0.0

    @property
    def rate(self) -> float:
        """Return the frames per second; 0 if they are not known yet, or enough for any roll."""
        return 1 / self.interval_s if self.interval_s > SLOW_S else 0.0

    @property
    def leave_s(self) -> int:
        """Return for how many seconds dice must rest to be found; 0 if there are enough frames."""
        return ceil(FRAMES * self.interval_s + AT_LEAST_S) if self.rate else 0


def least_lost_s(*, stays: bool, changed: bool, settled: bool) -> float:
    """Return the time without a frame from which a roll may have been lost.

    Args:
        stays: the same pieces lie in the same places before and after.
        changed: the picture is not the same before and after.
        settled: all was at rest before.
    """
    if stays:
        return inf
    if not changed:
        return ALL_LOST_S
    return THROW_LOST_S if settled else REST_LOST_S


def slow_camera(rate: float, leave_s: int) -> str:
    """Return a sentence about a camera with a low frame rate; "" if the rate is sufficient."""
    if not leave_s:
        return ""
    if rate < 1.5:
        return f"I see only one picture a second: leave the dice for {leave_s} seconds."
    return f"I see only {rate:.0f} pictures a second: leave the dice for {leave_s} seconds."


def longest(gaps: Sequence[Gap]) -> float:
    """Return the length of the longest gap, s; 0 if there is none."""
    return max((end - begin for begin, end in gaps), default=0.0)
