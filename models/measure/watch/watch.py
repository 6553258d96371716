"""How well rolls are told on videos with truth: `make bench-watch VIDEOS=folder`.

Each video has its truth beside it, as `make videos` writes it. Counted are rests with no hand in
view; a roll is late a second after its dice rest and the hand has gone. What is told and was none,
or is told again, is invented. `--faults` names what went wrong with its time; `--slow` drops frames
as a busy machine does.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from models.harness import AddedCounts, NothingToMeasure
from models.measure.watch.slow_camera import SlowCameraTable
from vision.watch.frames import frames
from vision.watch.state import as_json
from vision.watch.watcher import watch

HEADER = " rests told right asked silent late invented  cpu/video"
LATE_S = 1.0
ROUNDING_S = 0.05  # a frame of the slowest video
AFTER_S = 0.6  # after a rest, in which what was doubtful may be told

RollRecord = dict[str, Any]  # a rest as a video's truth has it, or a roll as the command tells it


@dataclass(frozen=True, slots=True)
class RestCounts(AddedCounts):
    """Rests of one video or more, and what was told of them."""

    rests: int = 0
    reported: int = 0
    right: int = 0
    asked: int = 0  # reported as doubtful
    silent: int = 0  # wrong, and told as sure
    late: int = 0
    invented: int = 0
    video_s: float = 0.0
    cpu_s: float = 0.0


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
        print(slow_table(paths))
        return
    total = RestCounts()
    print(HEADER)
    for path in paths:
        rests, rolls, counts = measure(path)
        total += counts
        print(f"{row(counts)}  {path.name}", flush=True)
        for fault in faults_of(rests, rolls) if faults else ():
            print(f"  {fault}", flush=True)
    print(f"{row(total)}  all {len(paths)}")


def videos_in(path: Path) -> list[Path]:
    """Return a video, or those of a folder that have their truth beside them."""
    inside = sorted(path.iterdir()) if path.is_dir() else [path]
    return [one for one in inside if one.suffix != ".json" and _truth(one).exists()]


def _truth(video: Path) -> Path:
    return video.with_suffix(".json")


def row(c: RestCounts) -> str:
    """Return counts as a line below HEADER."""
    numbers = f"{c.rests:6}{c.reported:5}{c.right:6}{c.asked:6}{c.silent:7}{c.late:5}{c.invented:9}"
    return f"{numbers}{c.cpu_s / max(c.video_s, 0.1):11.2f}"


def rolls_of(video: Path) -> Iterator[RollRecord]:
    """Yield the rolls that every frame of a video shows."""
    yield from map(as_json, watch(frames(str(video))))


def slow_table(videos: Sequence[Path]) -> SlowCameraTable:
    """Return what becomes of the rests of videos whose frames are dropped."""
    table = SlowCameraTable()
    for seed, video in enumerate(videos):
        truth = json.loads(_truth(video).read_text(encoding="utf-8"))
        table.add(truth["rolls"], list(frames(str(video))), seed)
    return table


def measure(
    video: Path, rolls_of: Callable[[Path], Iterable[RollRecord]] = rolls_of
) -> tuple[list[RollRecord], list[RollRecord], RestCounts]:
    """Watch a video; return its true rests, what is told, and how they compare."""
    truth = json.loads(_truth(video).read_text(encoding="utf-8"))
    began = time.process_time()
    rolls = list(rolls_of(video))
    spent = time.process_time() - began
    seconds = truth["frames"] / truth["conditions"]["fps"]
    counts = compare(truth["rolls"], rolls) + RestCounts(video_s=seconds, cpu_s=spent)
    return truth["rolls"], rolls, counts


def compare(rests: Sequence[RollRecord], reported: Sequence[RollRecord]) -> RestCounts:
    """Count which rests were told, by `pipsight watch --json`; a roll stands for one at most."""
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
    """Return the roll told of each rest, and what is left."""
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
