"""What lies on a picture: labelled photos and drawn pictures, read from their JSON.

A labelled set is a folder with `labels.json` and `images/`; a drawn one holds pictures, each with
a truth file of the same name beside it. All coordinates are px of the upright picture.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from models.train.pictures import SEEN, is_held_back
from vision import Look

TRAINING = "train"  # the folder whose sets networks learn from, but for the photos held back
MOST_PIPS = 6  # on a half; tiles of larger sets do not count

Spot = tuple[float, float]
Box = tuple[float, float, float, float]  # x0, y0, x1, y1


@dataclass(frozen=True, slots=True)
class LabelledDie:
    """A die; its box is that of the body or of the upper face, as its set has it."""

    box: Box
    value: int | None
    colour: str | None = None
    counts: bool = True  # False: not legible to a person either, so whatever is read there is fine
    cell: tuple[int, int] | None = None  # row, column; None beside the board or without one


@dataclass(frozen=True, slots=True)
class LabelledTile:
    """A domino: its two values and the middles of its halves, in one order."""

    halves: tuple[int, int]
    centers: tuple[Spot, Spot]
    counts: bool = True  # False: of a set with more than six pips, or hardly visible


@dataclass(frozen=True, slots=True)
class Labelled:
    """One picture. `dice` or `tiles` is None where that kind was not labelled."""

    path: Path
    dice: tuple[LabelledDie, ...] | None = None
    tiles: tuple[LabelledTile, ...] | None = None
    ignored: tuple[Box, ...] = ()  # where nothing is too much
    complete: bool = True  # False: more lies there than is labelled, so nothing is too much at all
    board: str | None = None  # such as "grid:3x3", where it is known in which cell each die lies


@dataclass(frozen=True, slots=True)
class LabelledSet:
    """The pictures of one folder, and what to look for on them."""

    name: str
    look: Look
    pictures: tuple[Labelled, ...]
    synthetic: bool = False


def sets_under(folder: Path, *, all_photos: bool = False) -> Iterator[LabelledSet]:
    """Yield the set that a folder is, or the sets in it by name.

    Args:
        folder: a set, or a folder of sets.
        all_photos: also the training photos that networks have learned from.

    Raises:
        ValueError: there is no set.
    """
    folder = folder.resolve()
    inner = sorted(entry for entry in folder.glob("*") if entry.is_dir())
    found = [one for path in (folder, *inner) if (one := _set(path, all_photos))]
    if not found:
        raise ValueError(f"{folder} holds neither labels.json nor pictures with their truth")
    yield from found


def _set(folder: Path, all_photos: bool) -> LabelledSet | None:
    if not (folder / "labels.json").exists():
        return _drawn_set(folder)
    images = json.loads((folder / "labels.json").read_text())["images"]
    look = Look("dominoes" if any(image.get("tiles") for image in images) else "dice")
    if folder.parent.name == TRAINING and not all_photos:
        images = [image for image in images if is_held_back(image["file"])]
    pictures = tuple(photo(folder / "images" / image["file"], image) for image in images)
    return LabelledSet(folder.name, look, pictures)


def photo(path: Path, image: dict[str, Any]) -> Labelled:
    """Return what `labels.json` says of one photo."""
    dice = tuple(
        LabelledDie(
            tuple(die["box"]),
            die.get("value"),
            die.get("color"),
            counts=not die.get("ignore") and die.get("value") is not None,
        )
        for die in image.get("dice", [])
    )
    tiles = tuple(_tile(tile["halves"], tile["half_centers"]) for tile in image.get("tiles", []))
    return Labelled(
        path,
        dice if "dice" in image or not tiles else None,  # on sheets and puzzles there are none
        tiles or None,
        complete=image.get("complete", True),
    )


def _drawn_set(folder: Path) -> LabelledSet | None:
    pictures = []
    for path in sorted(folder.glob("*.json")):
        told = json.loads(path.read_text())
        if isinstance(told, dict) and "dice" in told and (folder / told["file"]).exists():
            pictures.append(drawn(folder / told["file"], told))
    if not pictures:
        return None
    boards = {picture.board for picture in pictures}
    kinds = {
        kind for p in pictures for kind, some in (("dice", p.dice), ("dominoes", p.tiles)) if some
    }
    look = Look.parse("auto" if len(kinds) == 2 else kinds.pop() if kinds else "dice")
    if len(boards) == 1 and (board := boards.pop()):
        look = Look.parse(board)
        rows, columns = look.grid or (0, 0)
        look = replace(look, count=rows * columns)  # as a match wants it, full or not
    return LabelledSet(folder.name, look, tuple(pictures), synthetic=True)


def drawn(path: Path, told: dict[str, Any]) -> Labelled:
    """Return what the truth file of a drawn picture says."""
    dice = tuple(
        LabelledDie(
            _box(die["quad"]),
            die["value"],
            die.get("color"),
            counts=_is_seen(die),
            cell=tuple(die["cell"]) if die.get("cell") else None,
        )
        for die in told["dice"]
    )
    board = told["board"]["name"] if told.get("board") else None
    tiles, ignored = [], [_quad_of(entry) for entry in told.get("ignore", [])]
    for tile in told.get("tiles") or []:
        faces = tile.get("faces", [])
        if len(faces) == 2:
            values, centers = ([face[key] for face in faces] for key in ("value", "center"))
            tiles.append(_tile(values, centers, is_seen=all(map(_is_seen, faces))))
        else:  # face down
            ignored.append(tile["quad"])
    return Labelled(path, dice, tuple(tiles), tuple(map(_box, ignored)), board=board)


def _tile(halves: list[int], centers: list[list[float]], *, is_seen: bool = True) -> LabelledTile:
    (a, b), (p, q) = halves, centers
    return LabelledTile((a, b), ((p[0], p[1]), (q[0], q[1])), is_seen and max(a, b) <= MOST_PIPS)


def _quad_of(entry: Any) -> Any:
    return entry["quad"] if isinstance(entry, dict) else entry


def _is_seen(face: dict[str, Any]) -> bool:
    return bool(face.get("visible", 1.0) >= SEEN)


def _box(quad: Any) -> Box:
    (x0, y0), (x1, y1) = np.min(quad, axis=0), np.max(quad, axis=0)
    return float(x0), float(y0), float(x1), float(y1)
