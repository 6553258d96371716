"""What `bench` runs in processes of their own; each prints one JSON value.

python -m models.measure.speed.timing pictures BOARD FOLDER
python -m models.measure.speed.timing stages PHOTO --cores 1 --repeats 30 --look dice [--moving]
python -m models.measure.speed.timing memory PHOTO --look dice
python -m models.measure.speed.timing tables FOLDER
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections import defaultdict
from dataclasses import replace
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

import cv2
import numpy as np

from models.measure.speed.surfaces import SIZES, tables, written
from vision import Look, Reading, decode, load, read
from vision.board_profile import Profile
from vision.boards.kept_print import KeptPrint
from vision.layout import Layout

WARM = 2  # readings before the first that counts
FLOORS = {
    "JPEG alone, an eighth": cv2.IMREAD_REDUCED_COLOR_8,
    "JPEG alone, full size": cv2.IMREAD_COLOR,
}


def main() -> None:
    """Run one of the commands above."""
    ask = argparse.ArgumentParser("timing", description="What bench runs.")
    commands = ask.add_subparsers(required=True)
    make = commands.add_parser("pictures")
    make.add_argument("board", type=Path)
    make.add_argument("folder", type=Path)
    make.set_defaults(run=lambda args: pictures(args.board, args.folder))
    time = commands.add_parser("stages")
    time.add_argument("--cores", type=int, required=True)
    time.add_argument("--repeats", type=int, required=True)
    time.add_argument("--moving", action="store_true")
    time.add_argument("--geometry", type=_layout, help="of the board's print")
    time.add_argument("--profile", type=_profile, help="of a board that was taught")
    time.set_defaults(
        run=lambda args: stages(
            args.photo,
            _of_board(args.look, args.geometry, args.profile),
            args.cores,
            args.repeats,
            moving=args.moving,
        )
    )
    lay = commands.add_parser("tables")
    lay.add_argument("folder", type=Path)
    lay.set_defaults(run=lambda args: tables(args.folder))
    weigh = commands.add_parser("memory")
    weigh.set_defaults(run=lambda args: memory(args.photo, args.look))
    for command in (time, weigh):
        command.add_argument("photo", type=Path)
        command.add_argument("--look", type=Look.parse, required=True)
    args = ask.parse_args()
    json.dump(args.run(args), sys.stdout)


def _of_board(look: Look, layout: Layout | None, profile: Profile | None) -> Look:
    return replace(look, layout=profile.layout if profile else layout, profile=profile)


def _layout(path: str) -> Layout:
    return Layout.from_json(json.loads(Path(path).read_text(encoding="utf-8")))


def _profile(path: str) -> Profile:
    return Profile.from_json(json.loads(Path(path).read_text(encoding="utf-8")))


def pictures(board: Path, folder: Path) -> list[dict[str, Any]]:
    """Write a picture in all sizes as JPEG; return each one's name, path, size and bytes."""
    bgr = load(board).bgr
    return [written(name, bgr, folder, area) for name, area in SIZES.items()]


def stages(
    photo: Path, look: Look, cores: int, repeats: int, *, moving: bool = False
) -> dict[str, Any]:
    """Return the ms of each stage in each repeat, and how many pieces were read."""
    held_to = _hold_to(cores)
    content = photo.read_bytes()
    code = np.frombuffer(content, np.uint8)
    ms: dict[str, list[float]] = defaultdict(list)
    reading: Reading | None = None
    kept = KeptPrint() if moving else None  # as one camera's frames have it
    for repeat in range(-WARM, repeats):
        floors = {}
        for name, flag in FLOORS.items():
            began = perf_counter()
            cv2.imdecode(code, flag)
            floors[name] = 1000 * (perf_counter() - began)
        began, worked = perf_counter(), process_time()
        reading = read(decode(content), look, moving=moving, before=reading, kept=kept)
        whole = 1000 * (perf_counter() - began)
        busy = 1000 * (process_time() - worked)
        rest = whole - sum(reading.stages.values())
        if repeat >= 0:
            spent = {**floors, **reading.stages, "the rest": rest, "bytes to reading": whole}
            spent["processor time"] = busy
            for name, took in spent.items():
                ms[name].append(took)
    kinds = (reading.dice, reading.tiles, reading.marks) if reading else ()
    pieces = sum(map(len, kinds))
    return {"ms": ms, "pieces": pieces, "held_to": held_to}


def _hold_to(cores: int) -> str:
    """Hold this process to so many cores, before any network is loaded; say what was done."""
    cv2.setNumThreads(cores)
    if sys.platform != "linux":
        return f"{cores} OpenCV thread(s); cores cannot be chosen here"
    mine = sorted(os.sched_getaffinity(0))[-cores:]
    os.sched_setaffinity(0, mine)
    return "1 core" if len(mine) == 1 else f"{len(mine)} cores"


def memory(photo: Path, look: Look) -> dict[str, float]:
    """Return the peak memory in MB before a photo is read, and after."""
    idle = _peak_mb()
    read(load(photo), look)
    return {"idle_mb": idle, "peak_mb": _peak_mb()}


def _peak_mb() -> float:
    import resource  # noqa: PLC0415  # Windows has none

    unit = 1 if sys.platform == "darwin" else 1024  # bytes there, else kilobytes
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 1e6


if __name__ == "__main__":
    main()
