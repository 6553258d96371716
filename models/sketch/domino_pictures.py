"""Sketches of `domino_tables` with truth."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from models.sketch import layouts
from models.sketch.domino_tables import is_seen_from, lay, name_of
from models.sketch.sketch import FACE, FILLS, photograph
from models.sketch.view import CANVAS, draw_view

SMALLEST = 22.0  # px of the drawing, side of a face; a long chain leaves the picture instead


def sketch(seed: int, name: str = "") -> tuple[NDArray[np.uint8], dict[str, Any]]:
    """Return a picture, (h, w, 3) BGR, of the table whose turn it is, and what it shows.

    With a *name* of TABLES it is one of these.
    """
    rng = np.random.default_rng(np.random.SeedSequence([32 if name else 31, seed]))
    table = lay(rng, name or name_of(seed))
    face = 0.5625 * CANVAS * rng.uniform(*FILLS) / layouts.span(table.pieces)
    face = float(np.clip(face, SMALLEST, FACE[1]))
    view = draw_view(rng, face)
    while not is_seen_from(table, view.eye):
        view = draw_view(rng, face)
    photo, labels = photograph(rng, view, table.pieces, table.tables)
    return photo, labels | {"seed": seed}


def write(folder: Path, seed: int) -> None:
    """Write the picture of a seed and its truth into a folder for its table."""
    _write(folder / name_of(seed) / f"dominoes-{seed:06d}.jpg", seed)


def write_double_nine(folder: Path, seed: int) -> None:
    """Write the picture of tiles of a set to double nine, and its truth, into a folder."""
    _write(folder / f"double-nine-{seed:06d}.jpg", seed, "larger_set")


def _write(path: Path, seed: int, name: str = "") -> None:
    if path.with_suffix(".json").exists():
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    photo, labels = sketch(seed, name)
    cv2.imwrite(str(path), photo, [cv2.IMWRITE_JPEG_QUALITY, 92])
    path.with_suffix(".json").write_text(json.dumps(labels | {"file": path.name}))
