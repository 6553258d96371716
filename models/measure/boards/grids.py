"""How well 3 x 3 grids with dice on them are read.

Grids drawn in many ways, three to nine dice on them, set into photos of real tables
(`boards.composites`, synthetic, seeded). A grid counts as found where every corner lies
within half a cell; dice count as right in their own cells, however the grid is turned. SILENT are
photos of which nothing is asked though a die is in the wrong cell, has a wrong value, is missed or
too much.

`--fit N` prints how much each sign speaks for a grid (`vision.boards.ruled.grid.WEIGHTS`), fitted
to all guesses on N empty grids and, as wrong ones, on every 20th photo of the folders, which show
no grid of three by three.
"""

import itertools
import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Annotated

import cv2
import numpy as np

from models.harness import markdown_table, share
from models.measure.boards.composites import Composite, Cube, any_shot, composed, grounds
from vision import Face, Look, Photo, Reading, load, read
from vision.boards.ruled.grid import SIGNS, all_ruled_grids
from vision.geometry import Floats
from vision.photo import Pixels

STYLES = ("plain", "double", "dashed", "drawn", "hash", "faint", "framed")
PX_PER_MM = 5.0
CELLS = 3
MARGIN = 22.0  # mm, of the page around the grid
HALF = 0.5  # of a cell
HEADS = (
    *("lines", "photos", "found", "dice right", "whole", "asked"),
    *("SILENT", "sure, wrong", "ms"),
)
FEWEST = 3  # dice on a grid that is not empty


@dataclass(frozen=True, slots=True, eq=False)
class GridScene:
    """A photo of a grid with dice on it."""

    style: str
    made: Composite
    corners: Floats  # (4, 2) px
    dice: tuple[tuple[tuple[int, int], int], ...]  # cell and value of each


@dataclass(frozen=True, slots=True)
class GridOutcome:
    """The outcome of one photo."""

    style: str
    found: bool
    right: int  # dice in their cells with their values
    dice: int
    whole: bool
    asked: bool
    wrong_sure: int  # dice that nobody is asked about, in another's cell
    ms: float


def main(
    *,
    photos: Annotated[list[Path], "of real tables"],
    views: int = 70,
    seed: int = 1,
    empty: Annotated[bool, "no dice on them, only beside them"] = False,
    fit: Annotated[int, "fit the weights to this number of grids instead"] = 0,
) -> None:
    """Measure and print a table, or fit."""
    cv2.setNumThreads(1)
    if fit:
        fit_weights(fit, photos)
        return
    tables, fewest = grounds(photos), 0 if empty else FEWEST
    outcomes = [_outcome(tables, seed, number, fewest) for number in range(views)]
    kinds = [*STYLES, "all"]
    rows = [_row(kind, [o for o in outcomes if kind in (o.style, "all")]) for kind in kinds]
    print(markdown_table(HEADS, rows))


def _outcome(tables: list[Path], seed: int, number: int, fewest: int) -> GridOutcome:
    rng = np.random.default_rng([seed, number])
    return outcome_of(grid_scene(rng, tables, STYLES[number % len(STYLES)], fewest))


def grid_scene(
    rng: np.random.Generator, tables: list[Path], style: str, fewest: int = FEWEST
) -> GridScene:
    """Return a photo of a grid of a *style* on paper, or on another table's surface.

    With *fewest* 0 no die lies on it; what lies on the other table may be seen beside it.
    """
    cell = float(rng.uniform(26, 45))
    side = CELLS * cell + 2 * MARGIN
    ground, other = (cv2.imread(str(tables[int(rng.integers(len(tables)))])) for _ in range(2))
    page = _paper(rng, np.asarray(other, np.uint8), round(side * PX_PER_MM))
    _rule(rng, page, style, cell)
    shot = any_shot(rng)
    dice = []
    cubes = []
    count = int(rng.integers(fewest, CELLS * CELLS + 1)) if fewest else 0
    size = float(rng.uniform(12, min(18, 0.6 * cell)))
    for at in rng.permutation(CELLS * CELLS)[:count].tolist():
        row, column = divmod(at, CELLS)
        loose = (cell - 1.2 * size) / 2 * 0.8
        x, y = MARGIN + cell * (np.array([column, row]) + 0.5) + rng.uniform(-loose, loose, 2)
        value, colour = int(rng.integers(1, 7)), str(rng.choice(["black", "white"]))
        cubes.append(Cube((float(x), float(y)), float(rng.uniform(0, 90)), value, colour, size))
        dice.append(((row, column), value))
    shown = np.array([(MARGIN, MARGIN), (side - MARGIN, side - MARGIN)])
    made = composed(rng, np.asarray(ground, np.uint8), page, PX_PER_MM, shot, cubes, shown=shown)
    return GridScene(style, made, made.sees(_ring(CELLS * cell)), tuple(dice))


def ruled_page(
    rng: np.random.Generator, tables: list[Path], style: str, cells: int = CELLS
) -> tuple[Pixels, Floats]:
    """Return a page with a grid of a *style* and nothing on it, and the corners (4, 2) px."""
    side = CELLS * float(rng.uniform(26, 45))
    other = cv2.imread(str(tables[int(rng.integers(len(tables)))]))
    page = _paper(rng, np.asarray(other, np.uint8), round((side + 2 * MARGIN) * PX_PER_MM))
    _rule(rng, page, style, side / cells, cells)
    return page, PX_PER_MM * _ring(side)


def _ring(side: float) -> Floats:
    """Return (4, 2) mm of the page, the corners of a grid."""
    low, high = MARGIN, MARGIN + side
    return np.array([(low, low), (high, low), (high, high), (low, high)])


def _paper(rng: np.random.Generator, other: Pixels, side: int) -> Pixels:
    """Return paper of some colour, or a piece of a photo: wood, cloth, a tray."""
    if rng.random() < 0.65:
        tone = rng.uniform(150, 250) * np.array([1 - rng.uniform(0, 0.2), 1, 1])
        return np.full((side, side, 3), np.minimum(tone, 255), np.uint8)
    height, width = other.shape[:2]
    part = min(height, width) // 3
    top, left = int(rng.integers(height - part)), int(rng.integers(width - part))
    cut = cv2.resize(other[top : top + part, left : left + part], (side, side))
    return np.asarray(cv2.GaussianBlur(cut, (0, 0), 1.5), np.uint8)


def _rule(
    rng: np.random.Generator, page: Pixels, style: str, cell: float, cells: int = CELLS
) -> None:
    """Draw the lines of a grid."""
    tone = float(page.mean())
    depth = rng.uniform(18, 40) if style == "faint" else rng.uniform(80, 160)
    shade = tone - depth if tone > 110 else tone + depth
    ink = tuple(float(v) for v in np.clip(shade + rng.uniform(-15, 15, 3), 0, 255))
    thin = rng.uniform(0.5, 1.6) if style != "drawn" else rng.uniform(0.8, 2.5)
    first = 1 if style == "hash" else 0
    for axis in (0, 1):
        for k in range(first, cells + 1 - first):
            line = MARGIN + k * cell
            ends = np.array([MARGIN, MARGIN + cells * cell])
            if style in ("drawn", "hash"):
                ends = ends + rng.uniform(-0.12, 0.12, 2) * cell
            along = np.linspace(float(ends[0]), float(ends[1]), 60)
            off = np.zeros(60)
            if style == "drawn" or (style == "hash" and rng.random() < 0.7):
                off = np.cumsum(rng.normal(0, 0.012 * cell, 60)) + rng.normal(0, 0.03 * cell)
            width = thin * (2.5 if style == "framed" and k in (0, cells) else 1.0)
            for shift in (-thin, thin) if style == "double" else (0.0,):
                points = np.empty((60, 2))
                points[:, axis] = line + off + shift
                points[:, 1 - axis] = along
                _stroke(page, points * PX_PER_MM, ink, max(1, round(width * PX_PER_MM)),
                        dashed=style == "dashed")  # fmt: skip


def _stroke(
    page: Pixels, points: Floats, ink: tuple[float, ...], width: int, *, dashed: bool
) -> None:
    px = points.round().astype(np.int32)
    for k, (a, b) in enumerate(itertools.pairwise(px)):
        if not dashed or k % 3 < 2:
            cv2.line(page, a.tolist(), b.tolist(), ink, width, cv2.LINE_AA)


def outcome_of(scene: GridScene) -> GridOutcome:
    """Read a photo as Purple House does, and compare."""
    picture = scene.made.picture
    photo = Photo(picture, picture.shape[1], picture.shape[0])
    started = time.process_time()
    reading = read(photo, Look.parse("grid:3x3", colours=("black", "white")))
    ms = 1000 * (time.process_time() - started)
    right, wrong_sure, whole = _compared(scene, reading)
    # Of dice beside a board nothing is asked.
    there = [die for die in reading.dice if die.cell is not None or reading.board is None]
    asked = bool(reading.warnings) or not all(die.sure for die in there)
    found = reading.board is not None and _is_there(reading.board.corners.array, scene.corners)
    return GridOutcome(scene.style, found, right, len(scene.dice), whole, asked, wrong_sure, ms)


def _is_there(found: Floats, truth: Floats) -> bool:
    side = np.linalg.norm(truth - np.roll(truth, 1, axis=0), axis=1).mean()
    away = [np.linalg.norm(np.roll(found, k, axis=0) - truth, axis=1).max() for k in range(4)]
    return bool(min(away) < HALF / CELLS * side)


def _compared(scene: GridScene, reading: Reading) -> tuple[int, int, bool]:
    """Return dice that are right, sure ones in another cell, and if all is right; any turn."""
    tops = scene.made.faces
    middles = tops.mean(axis=1)
    sides = np.linalg.norm(tops[:, 0] - tops[:, 2], axis=1) / 2
    found: list[tuple[int | None, Face]] = []
    for die in reading.dice:
        away = np.linalg.norm(middles - die.center, axis=1)
        there = np.flatnonzero(away < sides)
        found.append((int(there[away[there].argmin()]) if len(there) else None, die))
    best = (-1, 0, False)
    for turn in range(4):
        right, wrong = 0, 0
        for near, die in found:
            wanted = None if near is None else _turned(scene.dice[near][0], turn)
            fits = near is not None and die.cell == wanted
            right += bool(fits and near is not None and die.value == scene.dice[near][1])
            wrong += bool(die.sure and die.cell is not None and not fits)
        on = sum(die.cell is not None for _, die in found)
        whole = right == len(scene.dice) == on
        best = max(best, (right, -wrong, whole))
    return best[0], -best[1], best[2]


def _turned(cell: tuple[int, int], turn: int) -> tuple[int, int]:
    row, column = cell
    for _ in range(turn):
        row, column = column, CELLS - 1 - row
    return row, column


def _row(kind: str, some: list[GridOutcome]) -> tuple[str, ...]:
    return (
        kind,
        str(len(some)),
        f"{np.mean([o.found for o in some]):.0%}",
        share(sum(o.right for o in some), sum(o.dice for o in some)),
        f"{np.mean([o.whole for o in some]):.0%}",
        f"{np.mean([o.asked for o in some]):.0%}",
        str(sum(not o.whole and not o.asked for o in some)),
        str(sum(o.wrong_sure for o in some)),
        f"{np.median([o.ms for o in some]):.0f}",
    )


FIRST = 41  # seed of the photos that weights are fitted to; others are measured on
EVERY = 20  # photo of a folder is fitted to
RIDGE = 1e-2
Example = tuple[Photo, Floats | None]  # a photo, and the corners (4, 2) px of the grid on it


def fit_weights(views: int, folders: list[Path]) -> None:
    """Print the weights of a logistic regression on the signs of every guess."""
    signs, right = [], []
    for photo, corners in chain(_drawn(views, folders), _without(folders)):
        for guess in all_ruled_grids(photo, CELLS, CELLS, thorough=True):
            if guess.framed:
                signs.append(guess.signs)
                right.append(corners is not None and _is_there(guess.corners.array, corners))
    bias, weights = _logistic(np.array(signs), np.array(right, np.float64))
    print(f"{len(right)} guesses, {np.mean(right):.1%} of them right")
    numbers = ", ".join(f"{weight:.2f}" for weight in weights)
    print(f"BIAS, WEIGHTS = {bias:.2f}, np.array([{numbers}])  # {', '.join(SIGNS)}")


def _drawn(views: int, folders: list[Path]) -> Iterator[Example]:
    tables = grounds(folders)
    for number in range(views):
        rng = np.random.default_rng([FIRST, number])
        scene = grid_scene(rng, tables, STYLES[number % len(STYLES)], 0)
        high, wide = scene.made.picture.shape[:2]
        yield Photo(scene.made.picture, wide, high), scene.corners


def _without(folders: list[Path]) -> Iterator[Example]:
    for folder in folders:
        for path in sorted((folder / "images").iterdir())[::EVERY]:
            yield load(path), None


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
