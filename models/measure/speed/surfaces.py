"""Pictures of all kinds of tables for `bench`, with 12 megapixels: from fixtures, or drawn."""

import json
import math
import subprocess
import sys
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from models.measure.boards.boards import PrintedView, photographed
from models.textures.prints import page
from models.textures.surfaces import pattern
from vision import load
from vision.board_profile import Profile, learned
from vision.boards.fiducials import modules
from vision.decode import Pixels
from vision.layout import Layout

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
    """Write a picture as a JPEG with so many px; return its name, path, size and bytes."""
    sized, path = enlarged(bgr, area), folder / f"{name.replace(' ', '-')}.jpg"
    cv2.imwrite(str(path), sized, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
    height, width = sized.shape[:2]
    size = {"width": width, "height": height, "bytes": path.stat().st_size}
    return {"name": name, "path": str(path), **size}


def enlarged(bgr: Pixels, area: int) -> Pixels:
    """Return the picture with so many px; an enlarged one gets the grain that it lost."""
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
