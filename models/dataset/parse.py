"""JSON to annotations: an entry of a photo set's `labels.json`, or the truth of a drawn picture.

Both have `dice` and `tiles`. A photo tells boxes and the middles of halves; a drawn picture tells
quads, how much of each face is seen, the faces that do not look up, and the board.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from models.dataset.annotation import SEEN, AnnotatedFace, AnnotatedImage, AnnotatedTile, PointPx
from vision.geometry import Floats

# Photos whose labels leave out dice that are plainly there.
INCOMPLETE = frozenset({
    "57iAfEeq46YERKcU29LF_jpg.rf.6b9179132ff0845ee0ec9082fbf757b8.jpg",  # a heap at its upper edge
})  # fmt: skip


def parse_photo(path: Path, entry: dict[str, Any]) -> AnnotatedImage:
    """Return what an entry of `labels.json` says of one photo."""
    tiles = tuple(map(_tile, entry.get("tiles", [])))
    return AnnotatedImage(
        path,
        tuple(map(_face, entry.get("dice", []))),  # on sheets and puzzles none lie, and that counts
        tiles if tiles or "dice" in entry else None,
        complete=entry.get("complete", True) and path.name not in INCOMPLETE,
        is_photo=True,
        dataset=path.parent.parent.name,
    )


def parse_drawn(path: Path, truth: dict[str, Any]) -> AnnotatedImage:
    """Return what the truth file of a drawn picture says."""
    tiles = truth.get("tiles") or []
    face_down = [tile["quad"] for tile in tiles if not _shows(tile)]
    return AnnotatedImage(
        path,
        tuple(map(_face, truth["dice"])),
        tuple(_tile(tile) for tile in tiles if _shows(tile)),
        ignored=(*_quads(truth.get("ignore", [])), *_quads(face_down)),
        board=truth["board"]["name"] if truth.get("board") else None,
        sides=_quads(truth["sides"]) if "sides" in truth else None,
        decoys=(*_quads(truth.get("decoys", [])), *_cells(truth), *_mistakes(path)),
        objects=_quads(truth.get("objects", [])),
        dataset=path.parent.name,
    )


def mistakes_of(path: Path) -> Path:
    """Return the file beside a drawn picture with quads that the detector takes for faces."""
    return path.with_suffix(".mistakes")


def _face(entry: dict[str, Any], partner: PointPx | None = None) -> AnnotatedFace:
    value, cell = entry.get("value"), entry.get("cell")
    return AnnotatedFace(
        _quad(entry),
        None if value is None else int(value),
        entry.get("color"),
        float(entry.get("visible", 1.0)),
        is_legible=not entry.get("ignore") and value is not None,
        cell=(cell[0], cell[1]) if cell else None,
        partner=partner,
    )


def _shows(tile: dict[str, Any]) -> bool:
    """Return True if a tile lies with its pips up."""
    return len(tile.get("faces", tile.get("half_centers", []))) == 2


def _tile(entry: dict[str, Any]) -> AnnotatedTile:
    if "half_centers" in entry:
        p, q = entry["half_centers"]
        a, b = entry["halves"]
        return AnnotatedTile((a, b), (_spot(p), _spot(q)))
    first, second = entry["faces"]
    p, q = _spot(first["center"]), _spot(second["center"])
    has_quads = "quad" in first and "quad" in second
    return AnnotatedTile(
        (first["value"], second["value"]),
        (p, q),
        is_seen=all(
            face.get("visible", 1.0) >= SEEN and not face.get("ignore") for face in (first, second)
        ),
        faces=(_face(first, q), _face(second, p)) if has_quads else (),
    )


def _spot(point: list[float]) -> PointPx:
    return point[0], point[1]


def _quad(entry: dict[str, Any]) -> Floats:
    """Return the corners that are told, or those of a box."""
    if "quad" in entry:
        return np.array(entry["quad"], np.float64)
    x0, y0, x1, y1 = entry["box"]
    return np.array([(x0, y0), (x1, y0), (x1, y1), (x0, y1)], np.float64)


def _quads(entries: list[Any]) -> tuple[Floats, ...]:
    """Return quads that are told as four corners, or as an object with them."""
    return tuple(
        np.array(one["quad"] if isinstance(one, dict) else one, np.float64) for one in entries
    )


def _mistakes(path: Path) -> tuple[Floats, ...]:
    """Return what the detector takes for faces on a picture, where that was written down."""
    file = mistakes_of(path)
    return _quads(json.loads(file.read_text())) if file.exists() else ()


def _cells(truth: dict[str, Any]) -> list[Floats]:
    """Return the printed cells of a board on the picture; what lies there is told elsewhere."""
    board = truth.get("board")
    if not board or not board["corners"]:
        return []
    rows, columns = map(int, board["name"].partition(":")[2].split("x"))
    unit = np.array([(0, 0), (columns, 0), (columns, rows), (0, rows)], np.float32)
    to_px = cv2.getPerspectiveTransform(unit, np.array(board["corners"], np.float32))
    square = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))
    places = [(x + u, y + v) for y in range(rows) for x in range(columns) for u, v in square]
    cells = cv2.perspectiveTransform(np.array(places)[:, None], to_px).reshape(-1, 4, 2)
    inside = ((cells > 0) & (cells < (truth["width"], truth["height"]))).all(axis=(1, 2))
    return list(cells[inside].astype(np.float64))
