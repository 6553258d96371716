"""How well rolls are read on videos with truth: `make bench-watch VIDEOS=folder`.

Each video has its truth beside it, as `make videos` writes it. Counted are rests with no hand in
view; a roll is late a second after its dice rest and the hand has gone. A roll that was none, or is
reported again, is invented. `--faults` names what went wrong with its time; `--slow` drops frames
as a busy machine does.
"""

import json
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import astuple, dataclass, fields
from pathlib import Path
from typing import Annotated, Any

import numpy as np

from models.harness import AddedCounts, NothingToMeasure, PrintedRows
from vision.watch.frames import Frame, frames
from vision.watch.state import as_json
from vision.watch.watcher import watch

HEADS = ("", "rests", "told", "right", "asked", "silent", "late", "invented", "cpu/video")
LATE_S = 1.0
ROUNDING_S = 0.05  # a frame of the slowest video
AFTER_S = 0.6  # after a rest, in which what was doubtful may be reported

RollRecord = dict[str, Any]  # a rest as a video's truth has it, or a roll as the command tells it


@dataclass(frozen=True, slots=True)
class RestCounts(AddedCounts):
    """Rests of one video or more, and what was reported of them."""

    rests: int = 0
    reported: int = 0
    right: int = 0
    asked: int = 0  # reported as doubtful
    silent: int = 0  # wrong, and reported as sure
    late: int = 0
    invented: int = 0
    video_s: float = 0.0
    cpu_s: float = 0.0

    def cells(self) -> tuple[object, ...]:
        """Return the cells below HEADS but the first."""
        *counts, video_s, cpu_s = astuple(self)
        return *counts, f"{cpu_s / max(video_s, 0.1):.2f}"


def main(
    videos: Annotated[list[Path], "videos, or folders of them"],
    *,
    faults: Annotated[bool, "name each with its time"] = False,
    slow: Annotated[bool, "drop frames, at several rates"] = False,
) -> None:
    """Print the counts of each video and of all."""
    paths = [one for path in videos for one in videos_in(path)]
    if not paths:
        raise NothingToMeasure("There is no video with its truth beside it.")
    if slow:
        print_slow((_truth(path)["rolls"], list(frames(str(path)))) for path in paths)
        return
    total, table = RestCounts(), PrintedRows(*HEADS)
    for path in paths:
        rests, rolls, counts = measure(path)
        total += counts
        table.row(path.name, *counts.cells())
        for fault in faults_of(rests, rolls) if faults else ():
            print(f"  {fault}", flush=True)
    table.row(f"all {len(paths)}", *total.cells())


def videos_in(path: Path) -> list[Path]:
    """Return a video, or those of a folder that have their truth beside them."""
    inside = sorted(path.iterdir()) if path.is_dir() else [path]
    return [one for one in inside if one.suffix != ".json" and one.with_suffix(".json").exists()]


def _truth(video: Path) -> dict[str, Any]:
    truth: dict[str, Any] = json.loads(video.with_suffix(".json").read_text(encoding="utf-8"))
    return truth


def measure(video: Path) -> tuple[list[RollRecord], list[RollRecord], RestCounts]:
    """Watch a video; return its true rests, what is reported, and how they compare."""
    truth = _truth(video)
    began = time.process_time()
    rolls = [as_json(roll) for roll in watch(frames(str(video)))]
    spent = time.process_time() - began
    seconds = truth["frames"] / truth["conditions"]["fps"]
    counts = compare(truth["rolls"], rolls) + RestCounts(video_s=seconds, cpu_s=spent)
    return truth["rolls"], rolls, counts


def compare(rests: Sequence[RollRecord], reported: Sequence[RollRecord]) -> RestCounts:
    """Count the rests that `pipsight watch --json` reported; a roll stands for one at most."""
    rolls, left = _matched(rests, reported)
    counts = RestCounts(rests=len(rests), invented=len(left))
    for rest, roll in zip(rests, rolls, strict=True):
        if roll is not None:
            right = roll["values"] == rest["values"]
            counts += RestCounts(
                reported=1,
                right=right,
                asked=not roll["sure"],
                silent=roll["sure"] and not right,
                late=_is_late(rest, roll),
            )
    return counts


def faults_of(rests: Sequence[RollRecord], reported: Sequence[RollRecord]) -> Iterator[str]:
    """Say of each rest and roll what went wrong."""
    rolls, left = _matched(rests, reported)
    for rest, roll in zip(rests, rolls, strict=True):
        at = f"{rest['rest_s']:.2f} to {rest['until_s']:.2f} s, {rest['values']}"
        if roll is None:
            yield f"{at}: missed"
        elif roll["values"] != rest["values"] or not roll["sure"] or _is_late(rest, roll):
            words = "sure" * roll["sure"] or "asked"
            words += ", late" * _is_late(rest, roll)
            yield f"{at}: told at {roll['time_s']:.2f} s as {roll['values']}, {words}"
    for roll in left:
        words = "sure" if roll["sure"] else "asked"
        yield f"{roll['time_s']:.2f} s: invented {roll['values']}, {words}"


def _matched(
    rests: Sequence[RollRecord], reported: Sequence[RollRecord]
) -> tuple[list[RollRecord | None], list[RollRecord]]:
    """Return the roll reported of each rest, and what is left."""
    left, rolls = list(reported), list[RollRecord | None]()
    for rest in rests:
        first, last = rest["rest_s"] - ROUNDING_S, rest["until_s"] + AFTER_S
        roll = next((one for one in left if first <= one["time_s"] <= last), None)
        rolls.append(roll)
        if roll is not None:
            left.remove(roll)
    return rolls, left


def _is_late(rest: RollRecord, roll: RollRecord) -> bool:
    return bool(roll["time_s"] > rest["settled_s"] + LATE_S + ROUNDING_S)


RATES = (15.0, 5.0, 3.0, 2.0, 1.0)  # frames a second
GAPS_S, SEEN_S = (0.3, 1.9), (0.4, 2.0)  # time without a frame, and between two such times
IsDropped = Callable[[float], bool]


@dataclass(frozen=True, slots=True)
class SlowCounts(AddedCounts):
    """The outcomes of rests on films with dropped frames."""

    rests: int = 0
    right: int = 0  # reported as sure, with its values
    asked: int = 0  # reported as doubtful, or inside a time that is asked about
    missed: int = 0  # without a question
    wrong: int = 0  # reported as sure, with other values
    invented: int = 0  # rolls reported as sure that were none
    in_vain: int = 0  # doubtful rolls that were none


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
    found, left = _matched(rests, [roll for roll in rolls if _shows(roll)])
    unseen = [gap for roll in rolls for gap in roll.get("unseen", ())]
    counts = SlowCounts(rests=len(rests))
    for rest, roll in zip(rests, found, strict=True):
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


def print_slow(films: Iterable[tuple[Sequence[RollRecord], Sequence[Frame]]]) -> None:
    """Print the outcomes of the rests of films for each slow camera."""
    counts = {name: SlowCounts() for name, _ in cameras()}
    for seed, (rests, shots) in enumerate(films):
        for name, drop in cameras(seed):
            rolls = [
                as_json(roll) for roll in watch(shot for shot in shots if not drop(shot.time_s))
            ]
            counts[name] += outcome(rests, rolls)
    table = PrintedRows("", *(field.name.replace("_", " ") for field in fields(SlowCounts)))
    for name, counted in counts.items():
        table.row(name, *astuple(counted))
