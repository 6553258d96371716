"""How well ruled grids are found that no piece lies on.

Folders have labels.json with `corners`, `cells` or both, and images. A grid counts as found where
all its corners lie within half a cell: each cell is then told from the next. Of grids without
labelled corners it is told in how many cells something stands that was seen to, by the ink in them.
`--fit N` prints how much each sign speaks for a grid (`vision.boards.ruled.grid.WEIGHTS`), fitted
to all guesses on N grids set into photos of the folders (`boards.grids`, synthetic) and, as wrong
ones, on every 20th photo there, which show no grid of three by three:
`… ruled ../shared/photos/train/* --fit N`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Annotated, Any

import cv2
import numpy as np
from numpy.typing import NDArray

from models.harness import markdown_table
from models.measure.boards.composites import grounds
from models.measure.boards.grids import CELLS, STYLES, grid_scene
from vision import Look, Photo, Reading, load, read
from vision.board_profile import even_cells
from vision.boards.report import GUESSED
from vision.boards.ruled.grid import SIGNS, all_ruled_grids
from vision.geometry import Floats
from vision.layout import Layout

HALF = 0.5  # of a cell's side
FIRST = 41  # seed of the photos that weights are fitted to; others are measured on
EVERY = 20  # photo of a folder is fitted to
RIDGE = 1e-2
INNER = 0.62  # of a cell, its middle part, in which something stands
WRITTEN = 0.035  # share of it that is ink where something does


@dataclass(frozen=True, slots=True)
class PhotoOutcome:
    """What came of one photo."""

    kind: str
    off: float | None  # mean distance of its corners, of its side; None: not found
    within: bool | None  # half a cell at every corner; None: no corners are labelled
    found: bool  # that a board was told
    sure: bool  # that nobody was asked
    cells: tuple[int, int]  # told rightly that something stands there or not, of how many
    ms: float


def main(
    photos: Annotated[list[Path], "folders with labels.json and images"],
    *,
    fit: Annotated[int, "fit the weights instead, to so many grids"] = 0,
) -> None:
    """Measure and print a table, or fit."""
    cv2.setNumThreads(1)
    if fit:
        fit_weights(fit, photos)
        return
    outcomes = [one for folder in photos for one in _of_folder(folder)]
    kinds = list(dict.fromkeys(one.kind for one in outcomes))
    heads = ("photos of", "photos", "found", "median off", "95 % off", "sure", "sure, wrong",
             "cells right", "ms")  # fmt: skip
    print(markdown_table(heads, [_row([o for o in outcomes if o.kind == kind]) for kind in kinds]))


def _of_folder(folder: Path) -> Iterator[PhotoOutcome]:
    for entry in json.loads((folder / "labels.json").read_text())["images"]:
        photo = load(folder / "images" / entry["file"])
        cells = entry["cells"]
        corners = (np.array(entry["corners"], np.float64),) if "corners" in entry else ()
        yield _outcome(folder.name, photo, (len(cells), len(cells[0])), corners, cells)


def _outcome(
    kind: str,
    photo: Photo,
    size: tuple[int, int],
    corners: tuple[Floats, ...],
    cells: list[list[Any]] | None,
) -> PhotoOutcome:
    reading = read(photo, Look.parse("grid:{}x{}".format(*size)))
    ms = reading.stages["grid"]
    sure = reading.board is not None and GUESSED not in reading.warnings
    if not corners and cells is None:  # nothing of that size is there
        return PhotoOutcome(kind, None, False, reading.board is not None, sure, (0, 0), ms)
    if reading.board is None:
        return PhotoOutcome(kind, None, False if corners else None, False, False, (0, 0), ms)
    if not corners:
        filled = _told(photo, reading, size)
        truth = np.array([[0 if one in (0, ".") else 1 for one in row] for row in cells or ()])
        right = max(int((np.rot90(filled, k) == truth).sum()) for k in range(4))
        return PhotoOutcome(kind, None, None, True, sure, (right, truth.size), ms)
    off, within = _off(reading.board.corners.array, corners, size)
    return PhotoOutcome(kind, off, within, True, sure, (0, 0), ms)


def _off(found: Floats, truths: tuple[Floats, ...], size: tuple[int, int]) -> tuple[float, bool]:
    """Return the mean distance of the corners, of the side, and if all are within half a cell.

    Of several grids of the size that are on a photo, the one that was found counts.
    """
    away = min(
        (
            np.linalg.norm(np.roll(found, k, axis=0) - truth, axis=1)
            / np.linalg.norm(truth - np.roll(truth, 1, axis=0), axis=1).mean()
            for truth in truths
            for k in range(4)
        ),
        key=lambda one: float(one.max()),
    )
    return float(away.mean()), bool(away.max() < HALF / max(size))


def _told(photo: Photo, reading: Reading, size: tuple[int, int]) -> NDArray[np.int64]:
    """Return (rows, columns) whether something stands in each cell."""
    assert reading.board is not None
    block = 2 * round(reading.board.corners.side / photo.scale / max(size) / 3) + 3
    ink = cv2.adaptiveThreshold(
        photo.grey(), 255, cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY_INV, block, 10
    )
    layout: Layout = even_cells("grid", (size[1], size[0]), *size)
    filled = []
    for quad in layout.cells_at(reading.board.corners.scaled(1 / photo.scale).array):
        middle = quad.array.mean(axis=0)
        ring = (middle + INNER * (quad.array - middle)).round().astype(np.int32)
        mask = np.zeros(ink.shape, np.uint8)
        cv2.fillConvexPoly(mask, ring, 1)
        filled.append(float((ink[mask > 0] > 0).mean()) > WRITTEN if mask.any() else False)
    return np.array(filled, np.int64).reshape(size)


def fit_weights(views: int, folders: list[Path]) -> None:
    """Print the weights of a logistic regression on the signs of every guess."""
    signs, right = [], []
    photos = chain(_drawn(views, folders), _without(folders))
    for photo, size, corners in photos:
        for guess in all_ruled_grids(photo, *size, thorough=True):
            if guess.framed:
                signs.append(guess.signs)
                right.append(bool(corners) and _off(guess.corners.array, corners, size)[1])
    bias, weights = _logistic(np.array(signs), np.array(right, np.float64))
    print(f"{len(right)} guesses, {np.mean(right):.1%} of them right")
    numbers = ", ".join(f"{weight:.2f}" for weight in weights)
    print(f"BIAS, WEIGHTS = {bias:.2f}, np.array([{numbers}])  # {', '.join(SIGNS)}")


Example = tuple[Photo, tuple[int, int], tuple[Floats, ...]]  # rows and columns, corners of each


def _drawn(views: int, folders: list[Path]) -> Iterator[Example]:
    tables = grounds(folders)
    for number in range(views):
        rng = np.random.default_rng([FIRST, number])
        scene = grid_scene(rng, tables, STYLES[number % len(STYLES)], 0)
        high, wide = scene.made.picture.shape[:2]
        yield Photo(scene.made.picture, wide, high), (CELLS, CELLS), (scene.corners,)


def _without(folders: list[Path]) -> Iterator[Example]:
    for folder in folders:
        for path in sorted((folder / "images").iterdir())[::EVERY]:
            yield load(path), (3, 3), ()


def _logistic(signs: Floats, right: Floats) -> tuple[float, Floats]:
    """Fit by Newton's method (iteratively reweighted least squares) with a slight ridge."""
    flat = np.column_stack([np.ones(len(signs)), signs])
    found = np.zeros(flat.shape[1])
    ridge = RIDGE * np.diag([0.0, *signs.var(axis=0)]) * len(signs)
    for _ in range(50):
        share = 1 / (1 + np.exp(-np.clip(flat @ found, -30, 30)))
        slope = flat.T @ (right - share) - ridge @ found
        bend = (flat * (share * (1 - share))[:, None]).T @ flat + ridge
        found = found + np.linalg.solve(bend + 1e-9 * np.eye(len(bend)), slope)
    return float(found[0]), np.asarray(found[1:], np.float64)


def _row(some: list[PhotoOutcome]) -> tuple[str, ...]:
    there = [one for one in some if one.within is not None]
    off = [one.off for one in some if one.off is not None]
    right, cells = (sum(one.cells[k] for one in some) for k in (0, 1))
    middle, most = np.percentile(off, [50, 95]) if off else (0, 0)
    found = [one.within if one.within is not None else one.found for one in some]
    return (
        some[0].kind,
        str(len(some)),
        f"{np.mean(found):.0%}",
        f"{middle:.2%}" if off else "–",
        f"{most:.2%}" if off else "–",
        f"{np.mean([one.sure for one in some]):.0%}",
        str(sum(one.sure and not one.within for one in there)),
        f"{right} of {cells}" if cells else "–",
        f"{np.median([one.ms for one in some]):.0f}",
    )
