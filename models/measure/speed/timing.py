"""What `bench` runs in processes of their own; each prints one JSON value.

python -m models.measure.speed.timing pictures BOARD FOLDER
python -m models.measure.speed.timing stages PHOTO --cores 1 --repeats 30 --look dice [--moving]
python -m models.measure.speed.timing memory PHOTO --look dice
python -m models.measure.speed.timing tables FOLDER
"""

import json
import os
import sys
from collections import defaultdict
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from time import perf_counter, process_time
from typing import Annotated, Any

import cv2
import numpy as np

from models.harness import called
from models.measure.speed.surfaces import SIZES, tables, written
from vision import Look, Reading, decode, load, read
from vision.board_profile import Profile
from vision.boards.kept_print import KeptPrint
from vision.layout import Layout

LookedFor = Annotated[Look, "what is looked for", Look.parse]
WARM = 2  # readings before the first that counts
FLOORS = {
    "JPEG alone, an eighth": cv2.IMREAD_REDUCED_COLOR_8,
    "JPEG alone, full size": cv2.IMREAD_COLOR,
}


def pictures(board: Path, folder: Path) -> list[dict[str, Any]]:
    """Write a picture in all sizes as JPEG; return each one's name, path, size and bytes."""
    bgr = load(board).bgr
    return [written(name, bgr, folder, area) for name, area in SIZES.items()]


def stages(
    photo: Path,
    *,
    look: LookedFor,
    cores: int,
    repeats: int,
    moving: bool = False,
    geometry: Annotated[Path, "of the board's print"] | None = None,
    profile: Annotated[Path, "of a board that was taught"] | None = None,
) -> dict[str, Any]:
    """Return the ms of each stage in each repeat, and how many pieces were read."""
    if geometry:
        look = replace(look, layout=Layout.from_json(_json(geometry)))
    if profile:
        taught = Profile.from_json(_json(profile))
        look = replace(look, layout=taught.layout, profile=taught)
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


def _json(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


def _hold_to(cores: int) -> str:
    """Hold this process to so many cores, before any network is loaded; say what was done."""
    cv2.setNumThreads(cores)
    if sys.platform != "linux":
        return f"{cores} OpenCV thread(s); cores cannot be chosen here"
    mine = sorted(os.sched_getaffinity(0))[-cores:]
    os.sched_setaffinity(0, mine)
    return "1 core" if len(mine) == 1 else f"{len(mine)} cores"


def memory(photo: Path, *, look: LookedFor) -> dict[str, float]:
    """Return the peak memory in MB before a photo is read, and after."""
    idle = _peak_mb()
    read(load(photo), look)
    return {"idle_mb": idle, "peak_mb": _peak_mb()}


def _peak_mb() -> float:
    import resource  # noqa: PLC0415  # Windows has none

    unit = 1 if sys.platform == "darwin" else 1024  # bytes there, else kilobytes
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 1e6


COMMANDS: dict[str, Callable[..., Any]] = {
    "pictures": pictures,
    "stages": stages,
    "memory": memory,
    "tables": tables,
}

if __name__ == "__main__":
    json.dump(called(COMMANDS[sys.argv[1]], sys.argv[2:]), sys.stdout)
