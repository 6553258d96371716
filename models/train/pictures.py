"""Pictures to learn from: rendered or sketched ones with full truth, and photos with boxes."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.reading import COLOURS

Floats = NDArray[np.float64]
Pixels = NDArray[np.uint8]

PHOTO_SETS = ("dice-byler", "dice-catan", "dice-epanemu", "dice-skovy")
LACKING = frozenset({  # photos whose labels leave out dice that are plainly there
    "57iAfEeq46YERKcU29LF_jpg.rf.6b9179132ff0845ee0ec9082fbf757b8.jpg",  # a heap at its upper edge
})  # fmt: skip
HELD_BACK = 5  # one photo in so many is kept for calibration and never trained on
UNKNOWN = -1  # colour without a word
SEEN, HIDDEN = 0.55, 0.25  # visible share from which a face is wanted; below which it is not


@dataclass(frozen=True, slots=True, eq=False)
class Truth:
    """One face: on a drawn picture a quad, on a photo only a box."""

    quad: Floats  # (4, 2) px; of a photo the corners of its box
    value: int
    colour: int  # index in COLOURS, or UNKNOWN
    partner: tuple[float, float] | None = None  # middle of the other half of a domino
    visible: float = 1.0

    @property
    def middle(self) -> Floats:
        """Return the mean corner."""
        return np.asarray(self.quad.mean(axis=0), np.float64)

    @property
    def size(self) -> float:
        """Return the side of the square of the same area, px."""
        return float(np.sqrt(max(cv2.contourArea(self.quad.astype(np.float32)), 1e-6)))


@dataclass(frozen=True, slots=True, eq=False)
class Shot:
    """One picture with its truth; `ignored` are quads that count for nothing.

    On drawn pictures all `sides` are known, dice's faces that do not look up; on photos none are.
    `decoys` are printed cells, finder's mistakes and, on photos, other places in a die's box.
    """

    path: Path
    is_photo: bool
    faces: tuple[Truth, ...]
    ignored: tuple[Floats, ...] = ()
    sides: tuple[Floats, ...] | None = None
    decoys: tuple[Floats, ...] = ()
    name: str = ""

    @property
    def others(self) -> tuple[Floats, ...]:
        """Return all quads on which no face looks up."""
        return (self.sides or ()) + self.decoys

    def pixels(self) -> Pixels:
        """Return the picture, BGR."""
        return _decoded(str(self.path))


@cache
def _code(path: str) -> Pixels:
    return np.frombuffer(Path(path).read_bytes(), np.uint8)


def _decoded(path: str) -> Pixels:
    return np.asarray(cv2.imdecode(_code(path), cv2.IMREAD_COLOR), np.uint8)


def drawn_shots(folder: Path) -> list[Shot]:
    """Return the pictures of a folder that are told of there.

    Raises:
        FileNotFoundError: not one of them is there; the folder was moved, or its photos were.
    """
    shots, missing = [], 0
    for path in sorted(folder.glob("*.json")):
        told = json.loads(path.read_text())
        if not isinstance(told, dict) or "dice" not in told:
            continue
        if (folder / told["file"]).exists():
            shots.append(_drawn(folder / told["file"], told))
        else:
            missing += 1
    if missing and not shots:
        raise FileNotFoundError(f"{folder} tells of {missing} pictures, and none of them is there")
    return shots


def _drawn(path: Path, told: dict[str, Any]) -> Shot:
    faces = [_truth(die, None) for die in told["dice"]]
    ignored = _quads(told.get("ignore", []))
    for tile in told.get("tiles") or []:
        halves = tile.get("faces", [])
        if len(halves) == 2 and all("quad" in half for half in halves):
            for half, other in (halves, halves[::-1]):
                faces.append(_truth(half, tuple(other["center"])))
        elif "quad" in tile:
            ignored.append(np.array(tile["quad"], np.float64))
    wanted = [f for f in faces if f.visible >= SEEN and 0 <= f.value <= 6]
    ignored += [f.quad for f in faces if HIDDEN <= f.visible < SEEN or f.value > 6]
    decoys = [*_quads(told.get("decoys", [])), *_cells(told)]
    if (mistakes := mistakes_of(path)).exists():
        decoys += _quads(json.loads(mistakes.read_text()))
    sides = tuple(_quads(told["sides"])) if "sides" in told else None
    return Shot(path, False, tuple(wanted), tuple(ignored), sides, tuple(decoys), path.parent.name)


def _quads(told: list[Any]) -> list[Floats]:
    """Return quads that are told as four corners, or as an object with them."""
    return [np.array(one["quad"] if isinstance(one, dict) else one, np.float64) for one in told]


def mistakes_of(path: Path) -> Path:
    """Return the file beside a drawn picture with quads that the finder takes for faces."""
    return path.with_suffix(".mistakes")


def _cells(told: dict[str, Any]) -> list[Floats]:
    """Return the printed cells of a board on the picture; what lies there is told elsewhere."""
    board = told.get("board")
    if board is None:
        return []
    rows, columns = map(int, board["name"].partition(":")[2].split("x"))
    unit = np.array([(0, 0), (columns, 0), (columns, rows), (0, rows)], np.float32)
    to_px = cv2.getPerspectiveTransform(unit, np.array(board["corners"], np.float32))
    square = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))
    places = [(x + u, y + v) for y in range(rows) for x in range(columns) for u, v in square]
    cells = cv2.perspectiveTransform(np.array(places)[:, None], to_px).reshape(-1, 4, 2)
    inside = ((cells > 0) & (cells < (told["width"], told["height"]))).all(axis=(1, 2))
    return list(cells[inside].astype(np.float64))


def _truth(face: dict[str, Any], partner: tuple[float, float] | None) -> Truth:
    colour = face.get("color")
    index = COLOURS.index(colour) if colour in COLOURS else UNKNOWN
    quad = np.array(face["quad"], np.float64)
    return Truth(quad, int(face["value"]), index, partner, float(face.get("visible", 1.0)))


def photo_shots(folder: Path, *, held_back: bool) -> list[Shot]:
    """Return the photos of a labelled set that are held back, or those that are not."""
    return [
        _photo(folder, image)
        for image in json.loads((folder / "labels.json").read_text())["images"]
        if is_held_back(image["file"]) == held_back and image["file"] not in LACKING
    ]


def is_held_back(name: str) -> bool:
    """Say whether a photo is kept out of training; by its name, so for ever."""
    return int(hashlib.sha256(name.encode()).hexdigest(), 16) % HELD_BACK == 0


def _photo(folder: Path, image: dict[str, Any]) -> Shot:
    faces, ignored = [], []
    for die in image.get("dice", []):
        x0, y0, x1, y1 = die["box"]
        quad = np.array([(x0, y0), (x1, y0), (x1, y1), (x0, y1)], np.float64)
        if die.get("ignore") or die.get("value") is None:
            ignored.append(quad)
        else:
            colour = die.get("color")
            index = COLOURS.index(colour) if colour in COLOURS else UNKNOWN
            faces.append(Truth(quad, int(die["value"]), index))
    path = folder / "images" / image["file"]
    return Shot(path, True, tuple(faces), tuple(ignored), name=folder.name)


def all_photos(photos: Path, *, held_back: bool) -> Iterator[Shot]:
    """Yield the photos of every set for training."""
    for name in PHOTO_SETS:
        if (photos / name / "labels.json").exists():
            yield from photo_shots(photos / name, held_back=held_back)
