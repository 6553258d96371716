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
    photo, told = photograph(rng, view, table.pieces, table.tables)
    return photo, told | {"seed": seed}


def write(folder: Path, seed: int) -> None:
    """Write the picture of a seed and its truth into a folder for its table."""
    own = folder / name_of(seed)
    own.mkdir(parents=True, exist_ok=True)
    path = own / f"dominoes-{seed:06d}.jpg"
    if not path.with_suffix(".json").exists():
        _write(path, *sketch(seed))


def write_double_nine(folder: Path, seed: int) -> None:
    """Write the picture of tiles of a set to double nine, and its truth, into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"double-nine-{seed:06d}.jpg"
    if not path.with_suffix(".json").exists():
        _write(path, *sketch(seed, "larger_set"))


def _write(path: Path, photo: NDArray[np.uint8], told: dict[str, Any]) -> None:
    cv2.imwrite(str(path), photo, [cv2.IMWRITE_JPEG_QUALITY, 92])
    path.with_suffix(".json").write_text(json.dumps(told | {"file": path.name}))
