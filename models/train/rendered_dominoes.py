"""Tables of dominoes by another renderer, whose labels tell tiles, as drawn pictures with quads."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np

UNIT = np.array([(0, 0), (2, 0), (2, 1), (0, 1)], np.float32)  # a tile, its first half on the left
HALVES = np.array(
    [[(0, 0), (1, 0), (1, 1), (0, 1)], [(1, 0), (2, 0), (2, 1), (1, 1)]], np.float32
)  # (2, 4, 2)


def write_rendered_dominoes(labelled: Path, out: Path) -> str:
    """Write a truth file for each picture of a set with `labels.json` to *out*; return how many."""
    out.mkdir(parents=True, exist_ok=True)
    images = json.loads((labelled / "labels.json").read_text())["images"]
    for entry in images:
        truth = {
            "file": str((labelled / "images" / entry["file"]).resolve()),
            "width": entry["width"],
            "height": entry["height"],
            "dice": [],
            "tiles": [_tile(tile) for tile in entry["tiles"]],
            "ignore": [{"quad": quad} for quad in entry["ignore"]],
        }
        (out / f"{Path(entry['file']).stem}.json").write_text(json.dumps(truth))
    return f"{labelled.name}: {len(images)} pictures"


def _tile(tile: dict[str, Any]) -> dict[str, Any]:
    """Return the two halves of a tile, each with its own quad, px."""
    quad = np.array(tile["quad"], np.float32)
    first = np.array(tile["half_centers"][0], np.float32)
    # The short edge whose middle is nearest to the first half comes first: 3 to 0 of UNIT.
    middles = (quad + np.roll(quad, -1, axis=0)) / 2
    lengths = np.linalg.norm(quad - np.roll(quad, -1, axis=0), axis=1)
    short = (1, 3) if lengths[1] + lengths[3] < lengths[0] + lengths[2] else (0, 2)
    near = min(short, key=lambda edge: float(np.linalg.norm(middles[edge] - first)))
    quad = np.roll(quad, -(near + 1), axis=0)
    to_px = cv2.getPerspectiveTransform(UNIT, quad)
    halves = cv2.perspectiveTransform(HALVES.reshape(-1, 1, 2), to_px).reshape(2, 4, 2)
    return {
        "faces": [
            {"value": value, "center": half.mean(axis=0).tolist(), "quad": half.tolist()}
            for value, half in zip(tile["halves"], halves, strict=True)
        ]
    }
