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
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

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
    command = [sys.executable, "-m", "models.measure.speed.timing", what, *map(str, given)]
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
        began = time.perf_counter()
        subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)  # noqa: S603
        seconds.append(time.perf_counter() - began)
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
