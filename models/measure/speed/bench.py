"""How fast the eyes are: `make bench`.

Prints by stage the median and the 95th percentile of reading one picture over and over: a
12-megapixel JPEG, a 2-megapixel one and a camera frame, on one core and on two, the frame also as
one of a camera's many, which are read by the first pass; then how long `pipsight read` takes as a
command of its own, and its peak memory. "JPEG alone" is OpenCV's decoder and nothing else: a floor,
at an eighth of the size and at full size. "Processor time" is what reading took of all cores, which
other work on the machine changes less. Unless `--photo` names another, the picture is a rendered
board with ten dice, enlarged. Before it come boards, dominoes and translucent dice (`surfaces`)
with 12 megapixels on one core, or `--cores 2`; `--boards` measures these alone.
"""

import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from time import perf_counter, process_time
from typing import Annotated, Any, Literal

import cv2
import numpy as np

from models.harness import called
from models.measure.speed.surfaces import SIZES, tables, written
from vision import Look, Reading, decode, load, read
from vision.board_profile import Profile
from vision.boards.kept_print import KeptPrint
from vision.layout import Layout

ROOT = Path(__file__).parents[3]
BOARD = ROOT / "fixtures" / "boards" / "ten.jpg"
REPEATS = 30
STARTS = 7  # of the command


def main(
    *,
    photo: Annotated[Path, "the picture to take instead"] = BOARD,
    repeats: int = REPEATS,
    look: str = "dice",
    boards: Annotated[bool, "a sheet, a track and tiles alone"] = False,
    cores: Annotated[Literal[1, 2], "for these"] = 1,
) -> None:
    """Measure and print."""
    with tempfile.TemporaryDirectory() as folder:
        for picture in _told("tables", folder):
            board = (
                f"--{kind}={picture[kind]}" for kind in ("geometry", "profile") if kind in picture
            )
            shown = (picture["path"], "--look", picture["look"], *board)
            times = _told("stages", *shown, "--cores", cores, "--repeats", repeats)
            print_stages(picture, cores, times)
        if boards:
            return
        sizes = _told("pictures", photo.resolve(), folder)
        frame = sizes[-1] | {"name": f"{sizes[-1]['name']}, one of many"}
        for picture, how in (*((size, ()) for size in sizes), (frame, ("--moving",))):
            for count in (1, 2):
                given = (picture["path"], "--cores", count, "--repeats", repeats, *how)
                print_stages(picture, count, _told("stages", *given, "--look", look))
        for picture in (sizes[0], sizes[-1]):
            print_command(picture, look)


def _told(what: str, *given: object) -> Any:
    """Return what the measuring process prints."""
    command = [sys.executable, "-m", "models.measure.speed.bench", what, *map(str, given)]
    run = subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE)  # noqa: S603  # ours
    return json.loads(run.stdout)


def print_stages(picture: dict[str, Any], cores: int, times: dict[str, Any]) -> None:
    """Print one table: the stages of a picture on so many cores."""
    size = f"{picture['width']}x{picture['height']} JPEG, {picture['bytes'] / 1e6:.1f} MB"
    print(f"\n{picture['name']}, {size}, {times['pieces']} pieces read, on {times['held_to']}")
    print(f"  {'ms':26} {'median':>8} {'p95':>8}")
    for stage, ms in times["ms"].items():
        print(f"  {stage:26} {statistics.median(ms):8.1f} {percentile(ms, 95):8.1f}")
    whole = statistics.median(times["ms"]["bytes to reading"])
    print(f"  {'pictures a second':26} {1000 / whole:8.1f}", flush=True)


def print_command(picture: dict[str, Any], look: str) -> None:
    """Print how long the command takes and its peak memory; only the first start may be cold."""
    command = [sys.executable, "-m", "webui.cli", "read", "--json", "--look", look, picture["path"]]
    seconds = []
    for _ in range(STARTS):
        began = perf_counter()
        subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)  # noqa: S603
        seconds.append(perf_counter() - began)
    memory = _told("memory", picture["path"], "--look", look)
    print(f"\n`pipsight read` of one photo, {picture['name']}, from start to end of the process")
    print(f"  {'first of all, s':26} {seconds[0]:8.2f}")
    print(f"  {'median of the next, s':26} {statistics.median(seconds[1:]):8.2f}")
    print(f"  {'peak memory, MB':26} {memory['peak_mb']:8.0f}")
    print(f"  {'of it before the photo, MB':26} {memory['idle_mb']:8.0f}", flush=True)


def percentile(values: Sequence[float], share: float) -> float:
    """Return the value that *share* per cent of the values do not exceed."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share / 100 * len(ordered)))]


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
        look = replace(look, layout=Layout.from_json(json.loads(geometry.read_bytes())))
    if profile:
        taught = Profile.from_json(json.loads(profile.read_bytes()))
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
    return {"ms": ms, "pieces": sum(map(len, kinds)), "held_to": held_to}


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


# What runs in a process of its own, `python -m models.measure.speed.bench NAME …`, and prints JSON.
COMMANDS: tuple[Callable[..., Any], ...] = (pictures, stages, memory, tables)

if __name__ == "__main__":
    own = {one.__name__: one for one in COMMANDS}
    json.dump(called(own[sys.argv[1]], sys.argv[2:]), sys.stdout)
