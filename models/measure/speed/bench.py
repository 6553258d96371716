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
import math
import os
import statistics
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from time import perf_counter, process_time
from typing import Annotated, Any, Literal

import cv2
import numpy as np

from models.harness import NothingToMeasure, called
from models.measure.boards.boards import PrintedView, photographed
from models.textures.prints import page
from models.textures.surfaces import pattern
from vision import Look, Reading, decode, load, read
from vision.board_profile import Profile, learned
from vision.boards.fiducials import modules
from vision.boards.kept_print import KeptPrint
from vision.errors import Unreadable
from vision.layout import Layout
from vision.photo import Pixels

SIZES = {  # px, at the picture's own proportions
    "12 megapixels": 4032 * 3024,
    "2 megapixels": 1632 * 1224,
    "a camera frame": 1280 * 960,
}
PX_PER_MM = 6.0  # of a page that is drawn
FIXTURES = Path(__file__).parents[3] / "fixtures"
SHEET, TRACK = "sheet:dice-wide-shut", "track:gords"
FULL_SET = "full-set/full-set.jpg"
TILES = slice(330, 1060), slice(50, 930)  # rows and columns of that photo with its tiles
SEEN = PrintedView(elevation=60, azimuth=20, turn=5)
GRAIN = 4.0  # grey levels of noise on an enlarged picture; its JPEG is then as large as a phone's
QUALITY = 90


def tables(folder: Path) -> list[dict[str, Any]]:
    """Write a picture of each kind of table; return its name, path, size, look and board."""
    made = []
    for name, (look, board, draw) in TABLES.items():
        read_as = {"look": look, **board_of(board, folder)}
        made.append(written(name, draw(), folder) | read_as)
    return made


def written(
    name: str, bgr: Pixels, folder: Path, area: int = SIZES["12 megapixels"]
) -> dict[str, Any]:
    """Write a picture as a JPEG of *area* px; return its name, path, size and bytes."""
    sized, path = enlarged(bgr, area), folder / f"{name.replace(' ', '-')}.jpg"
    cv2.imwrite(str(path), sized, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
    height, width = sized.shape[:2]
    size = {"width": width, "height": height, "bytes": path.stat().st_size}
    return {"name": name, "path": str(path), **size}


def enlarged(bgr: Pixels, area: int) -> Pixels:
    """Return the picture resized to *area* px; an enlarged one gets the grain that it lost."""
    zoom = math.sqrt(area / (bgr.shape[0] * bgr.shape[1]))
    if zoom <= 1:
        small = cv2.resize(bgr, None, fx=zoom, fy=zoom, interpolation=cv2.INTER_AREA)
        return np.asarray(small, np.uint8)
    large = cv2.resize(bgr, None, fx=zoom, fy=zoom, interpolation=cv2.INTER_CUBIC)
    grain = np.random.default_rng(1).normal(0, GRAIN, large.shape[:2])[..., None]
    return np.asarray(np.clip(large + grain, 0, 255), np.uint8)


def board_of(board: str | None, folder: Path) -> dict[str, str]:
    """Write what is known of a board, its geometry or its profile; return the option and file."""
    if board is None:
        return {}
    file = folder / f"{board.replace(':', '-')}.json"
    taught = board == "taught"
    content = _taught()[1].to_json() if taught else geometry_of(board)
    file.write_text(json.dumps(content), encoding="utf-8")
    return {"profile" if taught else "geometry": str(file)}


@cache
def geometry_of(board: str) -> dict[str, Any]:
    """Return the geometry of a board as `pipsight print` tells it."""
    with tempfile.TemporaryDirectory() as folder:
        pdf, file = Path(folder) / "page.pdf", Path(folder) / "page.json"
        command = [sys.executable, "-m", "webui.cli", "print", board, "--out", str(pdf)]
        subprocess.run([*command, "--geometry", str(file)], check=True, capture_output=True)  # noqa: S603
        geometry: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return geometry


def drawn_page(layout: Layout) -> Pixels:
    """Return a board's fiducials and cells as a page, px of PX_PER_MM; no words."""
    wide, high = (round(side * PX_PER_MM) for side in layout.paper_mm)
    drawn = np.full((high, wide, 3), 245, np.uint8)
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
        drawn[y : y + size[1], x : x + size[0]] = square[..., None]
    for cell in layout.cells:
        ring = (np.array(cell.polygon) * PX_PER_MM).round().astype(np.int32)
        cv2.polylines(drawn, [ring.reshape(-1, 1, 2)], True, (60, 60, 60), 3, cv2.LINE_AA)
    return drawn


def _photo(path: str) -> Callable[[], Pixels]:
    return lambda: load(FIXTURES / path).bgr


def _page(board: str, *, on_carpet: bool = False) -> Pixels:
    rng = np.random.default_rng(1)
    drawn = drawn_page(Layout.from_json(geometry_of(board)))
    return photographed(rng, drawn, PX_PER_MM, SEEN, ground=_carpet() if on_carpet else None)[0]


def _carpet() -> Pixels:
    """Return a carpet with checks: crossing edges everywhere."""
    return _levels(pattern(np.random.default_rng(4)))


def _levels(light: Any) -> Pixels:
    """Return the grey levels of linear light."""
    return np.asarray(255 * np.clip(light, 0, 1) ** (1 / 2.2), np.uint8)


def _many_tiles() -> Pixels:
    """Return a table with three sets of dominoes: what lies on each is the same."""
    single = load(FIXTURES / FULL_SET).bgr[TILES]
    return np.asarray(np.vstack([single] * 3), np.uint8)


@cache
def _taught() -> tuple[Pixels, Profile]:
    """Return a printed page and its profile, as if a family had taught it."""
    printed = _levels(page(np.random.default_rng(1)))
    low, far = 0.1 * len(printed), 0.9 * len(printed)
    corners = np.array([(low, low), (far, low), (far, far), (low, far)])
    grey = np.asarray(cv2.cvtColor(printed, cv2.COLOR_BGR2GRAY), np.uint8)
    return printed, learned(grey, corners, 3, 3, "board:page")


def _taught_board() -> Pixels:
    return photographed(np.random.default_rng(1), _taught()[0], 3.0, SEEN)[0]


# Look; board that is known; picture.
TABLES: dict[str, tuple[str, str | None, Callable[[], Pixels]]] = {
    "a sheet": (SHEET, SHEET, _photo("sheets/sheet-009003.jpg")),
    "a sheet on a carpet": (SHEET, SHEET, lambda: _page(SHEET, on_carpet=True)),
    "a track": ("board:gords", TRACK, lambda: _page(TRACK)),
    "a taught board": ("board:page", "taught", _taught_board),
    "a stack": ("dominoes", None, _photo("stacks/stack-950000.jpg")),
    "28 tiles": ("dominoes", None, _photo(FULL_SET)),
    "28 tiles, or dice": ("auto", None, _photo(FULL_SET)),
    "84 tiles": ("dominoes", None, _many_tiles),
    "20 translucent dice": ("dice", None, _photo("translucent/translucent-2.jpg")),
}


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
    try:
        load(photo)
    except Unreadable as fault:
        raise NothingToMeasure(str(fault)) from fault
    with tempfile.TemporaryDirectory() as folder:
        for picture in _told("tables", folder):
            board = (
                f"--{kind}={picture[kind]}" for kind in ("geometry", "profile") if kind in picture
            )
            shown = (picture["path"], "--look", picture["look"], *board)
            times = _told("stages", *shown, "--cores", cores, "--repeats", repeats)
            print_stages(picture, times)
        if boards:
            return
        sizes = _told("pictures", photo.resolve(), folder)
        frame = sizes[-1] | {"name": f"{sizes[-1]['name']}, one of many"}
        for picture, how in (*((size, ()) for size in sizes), (frame, ("--moving",))):
            for count in (1, 2):
                given = (picture["path"], "--cores", count, "--repeats", repeats, *how)
                print_stages(picture, _told("stages", *given, "--look", look))
        for picture in (sizes[0], sizes[-1]):
            print_command(picture, look)


def _told(what: str, *given: object) -> Any:
    """Return what the measuring process prints."""
    command = [sys.executable, "-m", "models.measure.speed.bench", what, *map(str, given)]
    run = subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE)  # noqa: S603  # ours
    return json.loads(run.stdout)


def print_stages(picture: dict[str, Any], times: dict[str, Any]) -> None:
    """Print one table: the stages of a picture."""
    size = f"{picture['width']}x{picture['height']} JPEG, {picture['bytes'] / 1e6:.1f} MB"
    print(f"\n{picture['name']}, {size}, {times['pieces']} pieces read, on {times['held_to']}")
    print(f"  {'ms':26} {'median':>8} {'p95':>8}")
    for stage, ms in times["ms"].items():
        late = np.percentile(ms, 95, method="higher")
        print(f"  {stage:26} {statistics.median(ms):8.1f} {late:8.1f}")
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
    """Pin this process to *cores* cores, before any network is loaded; return their description."""
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
