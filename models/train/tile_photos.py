"""Photos of dominoes that networks may learn from, smaller, with the outline of each half.

Their labels tell where each tile lies and where its halves have their middles.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from models.dataset.folders import is_held_back
from vision.geometry import Floats

SIDE = 48.0  # px at most of a half in the mean; a pair of them is seen with 24
SETS = "domino-*"


def write_tile_photos(photos: Path, out: Path, *, every: bool = False) -> str:
    """Write pictures with truth files in the renderer's format to *out*/SET; return how many.

    Those that are held back only where *every* one is asked for, to measure on.
    """
    count = 0
    for labels in sorted(photos.glob(f"{SETS}/labels.json")):
        for entry in json.loads(labels.read_text())["images"]:
            if entry.get("tiles") and (every or not is_held_back(entry["file"])):
                _write(labels.parent / "images" / entry["file"], entry, out / labels.parent.name)
                count += 1
    return f"{count} photos of dominoes"


def _write(path: Path, entry: dict[str, Any], folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    sides = [np.linalg.norm(np.subtract(*tile["half_centers"])) for tile in entry["tiles"]]
    scale = min(1.0, SIDE / float(np.mean(sides)))
    bgr = cv2.imread(str(path))
    small = cv2.resize(bgr, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    name = f"{path.stem}.png"
    cv2.imwrite(str(folder / name), small)
    tiles = [{"faces": list(_faces(tile, scale))} for tile in entry["tiles"]]
    told = {"file": name, "dice": [], "tiles": tiles}
    (folder / f"{path.stem}.json").write_text(json.dumps(told))


def _faces(tile: dict[str, Any], scale: float) -> Iterator[dict[str, Any]]:
    """Yield both halves of a labelled tile, px of the smaller picture."""
    outlines = halves_of_outline(np.array(tile["quad"]), np.array(tile["half_centers"]))
    for quad, center, value in zip(outlines, tile["half_centers"], tile["halves"], strict=True):
        moved = [(np.asarray(px) + 0.5) * scale - 0.5 for px in (quad, center)]
        yield {"quad": moved[0].tolist(), "center": moved[1].tolist(), "value": value}


def halves_of_outline(outline: Floats, middles: Floats) -> Floats:
    """Return (2, 4, 2) px: a tile's (4, 2) outline cut across, its halves in the order of their
    (2, 2) *middles*.
    """
    ends = [
        int(np.linalg.norm((outline + np.roll(outline, -1, axis=0)) / 2 - at, axis=1).argmin())
        for at in middles
    ]
    halves = []
    for k in ends:
        a, b, c, d = np.roll(outline, -k, axis=0)  # a and b at the end
        halves.append([a, b, (b + c) / 2, (d + a) / 2])
    return np.array(halves)
