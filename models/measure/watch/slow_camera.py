"""How well rests are found by a camera that shows few frames, as on a busy machine.

Frames are dropped by their own times, so that each run drops the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from models.harness import AddedCounts
from vision.watch.frames import Frame
from vision.watch.state import as_json
from vision.watch.watcher import watch

RATES = (15.0, 5.0, 3.0, 2.0, 1.0)  # frames a second
GAPS_S, SEEN_S = (0.3, 1.9), (0.4, 2.0)  # time without a frame, and between two such times
EARLY_S, LATE_S = 0.05, 0.6  # time before and after a rest in which it may be reported
HEADER = " rests  right  asked missed  wrong invented in vain"

RollRecord = dict[str, Any]
IsDropped = Callable[[float], bool]


@dataclass(frozen=True, slots=True)
class SlowCounts(AddedCounts):
    """What became of the rests."""

    rests: int = 0
    right: int = 0  # reported as sure, with its values
    asked: int = 0  # reported as doubtful, or inside a time that is asked about
    missed: int = 0  # without a question
    wrong: int = 0  # reported as sure, with other values
    invented: int = 0  # rolls reported as sure that were none
    in_vain: int = 0  # doubtful rolls that were none

    def __str__(self) -> str:
        """Return a line below HEADER."""
        numbers = (self.rests, self.right, self.asked, self.missed, self.wrong)
        return "".join(f"{n:{w}}" for n, w in zip(numbers, (6, 7, 7, 7, 7), strict=True)) + (
            f"{self.invented:9}{self.in_vain:8}"
        )


def cameras(seed: int = 1) -> Iterator[tuple[str, IsDropped]]:
    """Yield slow cameras by name, each a function that says if the frame at a time is dropped."""
    for rate in RATES:
        yield f"{rate:.0f} frames a second", _at_most(rate)
    yield f"gaps up to {GAPS_S[1]} s", _with_gaps(seed)


def _at_most(rate: float) -> IsDropped:
    due_s = -np.inf

    def drop(time_s: float) -> bool:
        nonlocal due_s
        if time_s < due_s - 1e-3:
            return True
        due_s = max(due_s + 1 / rate, time_s + 0.5 / rate)
        return False

    return drop


def _with_gaps(seed: int) -> IsDropped:
    rng = np.random.default_rng(seed)
    shut_s = open_s = 0.0

    def drop(time_s: float) -> bool:
        nonlocal shut_s, open_s
        while time_s >= open_s:
            shut_s = open_s + rng.uniform(*SEEN_S)
            open_s = shut_s + rng.uniform(*GAPS_S)
        return time_s >= shut_s

    return drop


def outcome(rests: Sequence[RollRecord], rolls: Sequence[RollRecord]) -> SlowCounts:
    """Compare the rests of a film with the rolls that `pipsight watch --json` reports."""
    left, counts = [roll for roll in rolls if _shows(roll)], SlowCounts(rests=len(rests))
    unseen = [gap for roll in rolls for gap in roll.get("unseen", ())]
    for rest in rests:
        first, last = rest["rest_s"] - EARLY_S, rest["until_s"] + LATE_S
        roll = next((one for one in left if first <= one["time_s"] <= last), None)
        if roll is not None:
            left.remove(roll)
        if roll is None:
            asked = _covers({"unseen": unseen}, [rest])
            counts += SlowCounts(asked=asked, missed=not asked)
        elif not roll["sure"]:
            counts += SlowCounts(asked=1)
        else:
            right = roll["values"] == rest["values"]
            counts += SlowCounts(right=right, wrong=not right)
    sure = sum(roll["sure"] for roll in left)
    left += [roll for roll in rolls if not _shows(roll) and not _covers(roll, rests)]
    return counts + SlowCounts(invented=sure, in_vain=len(left) - sure)


def _shows(roll: RollRecord) -> bool:
    return bool(roll["dice"] or roll.get("tiles") or roll.get("unread"))


def _covers(question: RollRecord, rests: Sequence[RollRecord]) -> bool:
    """Return True if a question about unseen time is about the time of a rest."""
    return any(
        begin < rest["until_s"] and rest["rest_s"] < end
        for begin, end in question["unseen"]
        for rest in rests
    )


@dataclass(slots=True)
class SlowCameraTable:
    """Counts by camera, over many films."""

    counts: dict[str, SlowCounts]

    def __init__(self) -> None:
        self.counts = {name: SlowCounts() for name, _ in cameras()}

    def add(self, rests: Sequence[RollRecord], shots: Sequence[Frame], seed: int) -> None:
        """Add a film."""
        for name, drop in cameras(seed):
            shown = (frame for frame in shots if not drop(frame.time_s))
            rolls = [as_json(roll) for roll in watch(shown)]
            self.counts[name] += outcome(rests, rolls)

    def __str__(self) -> str:
        """Return the table."""
        return "\n".join([HEADER, *(f"{one}  {name}" for name, one in self.counts.items())])
