"""What `bench` runs in processes of their own; each prints one JSON value.

python -m models.measure.speed.timing pictures BOARD FOLDER
python -m models.measure.speed.timing stages PHOTO --cores 1 --repeats 30 --look dice [--moving]
python -m models.measure.speed.timing memory PHOTO --look dice
python -m models.measure.speed.timing surfaces FOLDER
"""

from __future__ import annotations

import argparse
import json
import math
import os
import subprocess
import sys
from collections import defaultdict
from dataclasses import replace
from pathlib import Path
from time import perf_counter
from typing import Any

import cv2
import numpy as np

from models.measure.boards.printed import PrintedView, photographed
from vision import Look, Reading, decode, load, read
from vision.boards.fiducials import modules
from vision.boards.kept_print import KeptPrint
from vision.decode import Pixels
from vision.layout import Layout

SIZES = {  # px, at the picture's own proportions
    "12 megapixels": 4032 * 3024,
    "2 megapixels": 1632 * 1224,
    "a camera frame": 1280 * 960,
}
PX_PER_MM = 6.0  # of a page that is drawn
FIXTURES = Path(__file__).parents[3] / "fixtures"
# Photo, drawn where there is none; look; board whose print is known.
SURFACES: dict[str, tuple[str | None, str, str | None]] = {
    "a sheet": ("sheets/sheet-009003.jpg", "sheet:dice-wide-shut", "sheet:dice-wide-shut"),
    "a track": (None, "board:gords", "track:gords"),
    "a stack": ("stacks/stack-950000.jpg", "dominoes", None),
    "28 tiles": ("full-set/full-set.jpg", "dominoes", None),
    "28 tiles, or dice": ("full-set/full-set.jpg", "auto", None),
}
GRAIN = 4.0  # grey levels of noise on an enlarged picture; its JPEG is then as large as a phone's
QUALITY = 90
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
    time.set_defaults(
        run=lambda args: stages(
            args.photo,
            replace(args.look, layout=args.geometry),
            args.cores,
            args.repeats,
            moving=args.moving,
        )
    )
    lay = commands.add_parser("surfaces")
    lay.add_argument("folder", type=Path)
    lay.set_defaults(run=lambda args: surfaces(args.folder))
    weigh = commands.add_parser("memory")
    weigh.set_defaults(run=lambda args: memory(args.photo, args.look))
    for command in (time, weigh):
        command.add_argument("photo", type=Path)
        command.add_argument("--look", type=Look.parse, required=True)
    args = ask.parse_args()
    json.dump(args.run(args), sys.stdout)


def geometry_of(board: str, folder: Path) -> Path:
    """Write the geometry of a board as `pipsight print` tells it; return the file."""
    file = folder / f"{board.replace(':', '-')}.json"
    command = [sys.executable, "-m", "webui.cli", "print", board, "--out", str(folder / "page.pdf")]
    subprocess.run([*command, "--geometry", str(file)], check=True, capture_output=True)  # noqa: S603
    return file


def _layout(path: str) -> Layout:
    return Layout.from_json(json.loads(Path(path).read_text(encoding="utf-8")))


def surfaces(folder: Path) -> list[dict[str, Any]]:
    """Write a picture of each kind of board with 12 megapixels; return what `pictures` does."""
    rng = np.random.default_rng(1)
    made = []
    for name, (path, look, board) in SURFACES.items():
        geometry = geometry_of(board, folder) if board else None
        if path is not None:
            bgr = load(FIXTURES / path).bgr
        else:
            assert geometry is not None
            page = drawn_page(_layout(str(geometry)))
            bgr, _ = photographed(
                rng, page, PX_PER_MM, PrintedView(elevation=60, azimuth=20, turn=5)
            )
        sized = enlarged(bgr, SIZES["12 megapixels"])
        to = folder / f"{name.replace(' ', '-')}.jpg"
        cv2.imwrite(str(to), sized, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
        height, width = sized.shape[:2]
        size = {"width": width, "height": height, "bytes": to.stat().st_size}
        made.append({"name": name, "path": str(to), "look": look, **size})
        made[-1]["geometry"] = str(geometry) if geometry else None
    return made


def drawn_page(layout: Layout) -> Pixels:
    """Return a board's fiducials and cells as a page, px of PX_PER_MM; no words."""
    wide, high = (round(side * PX_PER_MM) for side in layout.paper_mm)
    page = np.full((high, wide, 3), 245, np.uint8)
    for marker in layout.fiducials:
        black = modules(marker)
        low, far = (np.array(marker.corners[k]) * PX_PER_MM for k in (0, 2))
        size = np.round(far - low).astype(int)
        square = cv2.resize(
            np.where(black, 20, 245).astype(np.uint8),
            size.tolist(),
            interpolation=cv2.INTER_NEAREST,
        )
        x, y = np.round(low).astype(int)
        page[y : y + size[1], x : x + size[0]] = square[..., None]
    for cell in layout.cells:
        ring = (np.array(cell.polygon) * PX_PER_MM).round().astype(np.int32)
        cv2.polylines(page, [ring.reshape(-1, 1, 2)], True, (60, 60, 60), 3, cv2.LINE_AA)
    return page


def pictures(board: Path, folder: Path) -> list[dict[str, Any]]:
    """Write a picture in all sizes as JPEG; return each one's name, path, size and bytes."""
    bgr = load(board).bgr
    made = []
    for name, area in SIZES.items():
        sized = enlarged(bgr, area)
        path = folder / f"{name.replace(' ', '-')}.jpg"
        cv2.imwrite(str(path), sized, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
        height, width = sized.shape[:2]
        size = {"width": width, "height": height, "bytes": path.stat().st_size}
        made.append({"name": name, "path": str(path), **size})
    return made


def enlarged(bgr: Pixels, area: int) -> Pixels:
    """Return the picture with so many px; an enlarged one gets the grain that it lost."""
    zoom = math.sqrt(area / (bgr.shape[0] * bgr.shape[1]))
    if zoom <= 1:
        small = cv2.resize(bgr, None, fx=zoom, fy=zoom, interpolation=cv2.INTER_AREA)
        return np.asarray(small, np.uint8)
    large = cv2.resize(bgr, None, fx=zoom, fy=zoom, interpolation=cv2.INTER_CUBIC)
    grain = np.random.default_rng(1).normal(0, GRAIN, large.shape[:2])[..., None]
    return np.asarray(np.clip(large + grain, 0, 255), np.uint8)


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
        began = perf_counter()
        reading = read(decode(content), look, moving=moving, before=reading, kept=kept)
        whole = 1000 * (perf_counter() - began)
        rest = whole - sum(reading.stages.values())
        if repeat >= 0:
            spent = {**floors, **reading.stages, "the rest": rest, "bytes to reading": whole}
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
