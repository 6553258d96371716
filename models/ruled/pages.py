"""Pages with a ruled grid on them: papers, notebooks, boards; and such as only look like it.

In: a generator of random numbers and what kind. Out: a page's picture and its grid's corners.
Around the grid stands what stands in papers: columns of text, rules, boxes, crosswords, tables,
further puzzles, pictures.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from models.ruled.lattices import (
    Canvas,
    DrawnLattice,
    Floats,
    InkBgr,
    Pixels,
    draw_lattice,
    fill_cells,
)
from models.textures.prints import page as text_page

PX_PER_MM = 6.0
PAPER = 210.0  # mm, both ways
KINDS = ("puzzle", "printed", "drawn", "open")  # "open": without outer lines, as people draw 3 x 3
DECOYS = ("other size", "goes on", "text")
SIZES = ((3, 3), (3, 3), (9, 9), (4, 4), (5, 8), (8, 5), (12, 12), (2, 4), (6, 6), (10, 10))


@dataclass(frozen=True, slots=True, eq=False)
class RuledPage:
    """A page on which a grid of rows x columns is looked for."""

    picture: Pixels  # (h, w, 3) BGR, PX_PER_MM
    rows: int
    columns: int
    kind: str
    cell: float  # mm
    ring: Floats | None  # (4, 2) mm, of the lattice that is drawn, be it the one asked for or not
    corners: tuple[Floats, ...]  # (4, 2) mm each, of the grids that are right: none, one, a few
    faults: tuple[str, ...]  # what makes it hard


def ruled_page(rng: np.random.Generator, kind: str) -> RuledPage:
    """Draw a page of one of KINDS or DECOYS."""
    page, faults = _paper(rng, kind)
    asked = _asked_size(rng, kind)
    if kind == "text":
        for _ in range(int(rng.integers(0, 4))):
            _box_or_rule(rng, page)
        return RuledPage(page.picture, *asked, kind, 20.0, None, (), tuple(faults))
    drawn = _another_size(rng, *asked) if kind == "other size" else asked
    grid, said = _lattice(rng, page, kind, *drawn)
    faults += said
    if kind in ("puzzle", "printed", "other size"):
        _neighbours(rng, page, grid, faults)
    shown = grid
    if kind == "goes on":
        left, top = (grid.corner[k] % grid.cell[k] for k in (0, 1))
        many = [int(PAPER / side) for side in grid.cell]
        shown = replace(grid, corner=(left, top), columns=many[0], rows=many[1])
    _clear(rng, page, shown)
    if grid.framed and kind != "goes on" and rng.random() < 0.35:
        _attached(rng, page, grid)
        faults.append("attached")
    _shade_boxes(rng, page, shown)
    corners = [draw_lattice(rng, page, shown)]
    fill_cells(rng, page, shown)
    if kind in ("puzzle", "printed") and "beside" not in faults and rng.random() < 0.12:
        twin = _twin(rng, page, grid)
        if twin is not None:
            corners.append(twin)
            faults.append("twin")
    right = () if kind in DECOYS else tuple(corners)
    cell = float(np.mean(grid.cell))
    return RuledPage(page.picture, *asked, kind, cell, corners[0], right, tuple(faults))


# ---------------------------------------------------------------- paper and text


def _paper(rng: np.random.Generator, kind: str) -> tuple[Canvas, list[str]]:
    """Return an empty page, or one full of text, pictures, boxes."""
    side = round(PAPER * PX_PER_MM)
    stock = rng.uniform(140, 250) * np.array([1 - rng.uniform(0, 0.2), 1, 1])
    blank = np.empty((side, side, 3), np.float32)
    blank[:] = np.minimum(stock, 255)
    faults = []
    if kind in ("drawn", "open") and rng.random() < 0.2:
        blank *= float(rng.uniform(0.15, 0.4))  # slate, card, a dark table
        faults.append("dark paper")
    if kind == "text" or (kind not in ("drawn", "open") and rng.random() < 0.8):
        blank *= _columns(rng, side)
        faults.append("text")
    if rng.random() < 0.3:  # the print of the other side shines through
        other = cv2.resize(text_page(rng), (side, side))[:, ::-1].astype(np.float32)
        deep = rng.uniform(0.03, 0.15)
        blank *= 1 - deep + deep * cv2.GaussianBlur(other, (0, 0), 2)
    page = Canvas(np.ascontiguousarray(blank.clip(0, 255)).astype(np.uint8), PX_PER_MM)
    if kind in ("drawn", "open") and "dark paper" not in faults and rng.random() < 0.3:
        _notebook(rng, page)
        faults.append("notebook")
    return page, faults


def _columns(rng: np.random.Generator, side: int) -> NDArray[np.float32]:
    """Return (h, w, 3) shares of light: columns of text in several sizes, pictures among them."""
    made = np.ones((side, side, 3), np.float32)
    some, x = text_page(rng, 30), 0
    deep = rng.uniform(0.5, 1.0)
    while x < side:
        wide = int(rng.uniform(0.15, 0.6) * side)
        y = 0
        while y < side:
            high = int(rng.uniform(0.1, 0.7) * side)
            zoom = rng.uniform(0.4, 1.2)
            w, h = min(wide, side - x), min(high, side - y)
            top = int(rng.integers(0, len(some) // 2))
            part = cv2.resize(some[top:], None, fx=zoom * 2, fy=zoom * 2)
            part = np.tile(part, (1 + h // part.shape[0], 1 + w // part.shape[1], 1))[:h, :w]
            if rng.random() < 0.15:  # a picture
                rough = rng.uniform(0.2, 1, (5, 5, 3)).astype(np.float32)
                part = cv2.resize(rough, (w, h), interpolation=cv2.INTER_CUBIC)
            made[y : y + h, x : x + w] = 1 - deep * (1 - part.clip(0, 1))
            y += high + int(rng.uniform(5, 40))
        x += wide
        if rng.random() < 0.5:
            at = min(x + 5, side - 1)
            cv2.line(made, (at, 0), (at, side), (0.3, 0.3, 0.3), int(rng.integers(1, 4)))
        x += int(rng.uniform(10, 40))
    return made


def _notebook(rng: np.random.Generator, page: Canvas) -> None:
    """Rule the paper as school books are, with squares or lines, in a pale ink."""
    tone = page.picture.reshape(-1, 3).mean(axis=0)
    ink = tuple((tone * np.array([0.95, 0.85, 0.78]) * rng.uniform(0.85, 1.08)).clip(0, 255))
    step, squares = float(rng.choice([4.0, 5.0, 7.0, 8.0])), rng.random() < 0.5
    for axis in (0, 1) if squares else (1,):
        for at in np.arange(rng.uniform(0, step), PAPER, step):
            ends = np.array([(0.0, at), (PAPER, at)])
            page.stroke(ends if axis else ends[:, ::-1], ink, 0.2)


# ---------------------------------------------------------------- the grid


def _asked_size(rng: np.random.Generator, kind: str) -> tuple[int, int]:
    if kind == "open":
        return 3, 3
    if kind == "puzzle":
        return (9, 9) if rng.random() < 0.85 else (6, 6)
    rows, columns = SIZES[int(rng.integers(len(SIZES)))]
    return rows, columns


def _another_size(rng: np.random.Generator, rows: int, columns: int) -> tuple[int, int]:
    """Return another number of cells, often one that has every line of the first."""
    if rng.random() < 0.5:
        return rows * 3 if rows < 5 else rows // 3, columns * 3 if columns < 5 else columns // 3
    return rows + int(rng.choice([-1, 1, 2])), columns + int(rng.choice([-1, 0, 1]))


def _lattice(
    rng: np.random.Generator, page: Canvas, kind: str, rows: int, columns: int
) -> tuple[DrawnLattice, list[str]]:
    faults = []
    cell = min(rng.uniform(0.4, 0.75) * PAPER / max(rows, columns), 45.0)
    room = PAPER - cell * np.array([columns, rows])
    corner = rng.uniform(0.15, 0.85, 2) * room
    (x0, y0), (x1, y1) = page.px(corner), page.px(corner + PAPER - room)
    ground = float(np.median(page.picture[y0:y1:5, x0:x1:5]))
    light = ground < 110
    by_hand = kind in ("drawn", "open")
    depth = rng.uniform(70, 200)
    if rng.random() < 0.15:
        depth = rng.uniform(25, 60)
        faults.append("faint")
    ink = _ink(rng, ground + depth if light else ground - depth)
    thin = cell * rng.uniform(0.012, 0.05)
    if by_hand:
        thin = max(cell * rng.uniform(0.015, 0.08), 0.4)
    manner, every, heavy, pale = "plain", 0, 1.0, None
    if kind == "puzzle":
        every, heavy = 3, float(rng.uniform(1.3, 5.0))
        if rng.random() < 0.35:  # thin lines are grey, or a tint of dots
            pale = _ink(rng, ground - depth * rng.uniform(0.25, 0.6))
            faults.append("pale inner lines")
    elif kind == "printed":
        manner = str(rng.choice(["plain", "dashed", "double"], p=[0.7, 0.15, 0.15]))
        every, heavy = (max(rows, columns) if rng.random() < 0.3 else 0), rng.uniform(1.5, 4)
        if rows != columns:
            every = 0
    if manner != "plain":
        faults.append(manner)
    wobble = float(rng.uniform(0.005, 0.06)) if by_hand else 0.0
    stretch = rng.uniform(0.88, 1.13) if by_hand else 1.0
    grid = DrawnLattice(
        *((float(corner[0]), float(corner[1])), (cell * stretch, cell), rows, columns, ink, thin),
        *(float(heavy), every, pale, manner, wobble, kind != "open"),
    )
    return grid, faults


def _ink(rng: np.random.Generator, tone: float) -> InkBgr:
    a, b, c = (float(v) for v in np.clip(tone + rng.uniform(-12, 12, 3), 0, 255))
    return a, b, c


def _clear(rng: np.random.Generator, page: Canvas, grid: DrawnLattice) -> None:
    """Keep the paper around a grid free, as printers do; hands draw over what is there."""
    if grid.wobble:
        return
    margin = rng.uniform(0.15, 1.2) * np.array(grid.cell)
    ring = grid.ring
    low, high = ring[0] - margin, ring[2] + margin
    (x0, y0), (x1, y1) = page.px(low.clip(0)), page.px(high.clip(0))
    tone = np.percentile(page.picture[::7, ::7].reshape(-1, 3), 90, axis=0)
    page.picture[y0:y1, x0:x1] = tone.clip(0, 255)


def _shade_boxes(rng: np.random.Generator, page: Canvas, grid: DrawnLattice) -> None:
    """Lay a tint under every other block of a puzzle, or under some cells."""
    if not grid.every or rng.random() < 0.75:
        return
    share, block = rng.uniform(0.75, 0.93), grid.every if rng.random() < 0.7 else 1
    for row, column in np.ndindex(grid.rows, grid.columns):
        if (row // block + column // block) % 2:
            low = np.array(grid.corner) + np.array([column, row]) * grid.cell
            (x0, y0), (x1, y1) = page.px(low), page.px(low + grid.cell)
            part = page.picture[y0:y1, x0:x1]
            part[:] = (part * share).astype(np.uint8)


def _twin(rng: np.random.Generator, page: Canvas, grid: DrawnLattice) -> Floats | None:
    """Draw a second grid of the same size where there is room; both are right then."""
    wide, high = grid.ring[2] - grid.ring[0]
    gap = rng.uniform(0.3, 1.5) * np.array(grid.cell)
    for step in rng.permutation(np.array([(1, 0), (-1, 0), (0, 1), (0, -1)])):
        corner = np.array(grid.corner) + step * (np.array([wide, high]) + gap)
        if (corner > 3).all() and (corner < PAPER - 3 - np.array([wide, high])).all():
            other = replace(grid, corner=(float(corner[0]), float(corner[1])))
            _clear(rng, page, other)
            ring = draw_lattice(rng, page, other)
            fill_cells(rng, page, other)
            return ring
    return None


# ---------------------------------------------------------------- beside it


def _neighbours(
    rng: np.random.Generator, page: Canvas, grid: DrawnLattice, faults: list[str]
) -> None:
    """Draw crosswords, tables, other puzzles, boxes beside the grid, some of them cut off."""
    if rng.random() < 0.45:
        faults.append("beside")
        for _ in range(int(rng.integers(1, 3))):
            rows, columns = (int(n) for n in rng.integers(2, 14, 2))
            cell = grid.cell[0] * rng.uniform(0.5, 1.3)
            high = cell * (1.0 if rng.random() < 0.6 else rng.uniform(0.3, 0.9))
            step = rng.choice([-1, 1], 2) * (rng.random(2) < 0.7)
            middle = grid.ring.mean(axis=0) + step * (
                (grid.ring[2] - grid.ring[0]) / 2 + np.array([columns * cell, rows * high]) / 2
            )
            corner = middle - np.array([columns * cell, rows * high]) / 2 + rng.uniform(0, 4, 2)
            ink = _ink(rng, rng.uniform(0, 120))
            other = DrawnLattice(
                (float(corner[0]), float(corner[1])), (cell, high), rows, columns, ink,
                cell * float(rng.uniform(0.015, 0.06)),
            )  # fmt: skip
            _clear(rng, page, other)
            if rng.random() < 0.5:
                _black_cells(rng, page, other)
            draw_lattice(rng, page, other)
            if rng.random() < 0.6:
                fill_cells(rng, page, other)
    for _ in range(int(rng.integers(0, 4))):
        _box_or_rule(rng, page)


def _black_cells(rng: np.random.Generator, page: Canvas, grid: DrawnLattice) -> None:
    full = rng.uniform(0.05, 0.35)
    for row, column in np.ndindex(grid.rows, grid.columns):
        if rng.random() < full:
            low = np.array(grid.corner) + np.array([column, row]) * grid.cell
            page.box(low, low + grid.cell, grid.ink)


def _box_or_rule(rng: np.random.Generator, page: Canvas) -> None:
    ink = _ink(rng, rng.uniform(0, 140))
    at = rng.uniform(-0.1, 1.0, 2) * PAPER
    reach = rng.uniform(0.05, 0.5, 2) * PAPER
    kind = rng.random()
    if kind < 0.3:
        page.box(at, at + reach * (1, 0.2), ink)
    elif kind < 0.65:
        page.box(at, at + reach, ink, float(rng.uniform(0.2, 1.5)))
    else:
        step = reach[0] * np.eye(2)[int(rng.integers(2))] * 2
        page.stroke(np.array([at, at + step]), ink, float(rng.uniform(0.2, 2)))


def _attached(rng: np.random.Generator, page: Canvas, grid: DrawnLattice) -> None:
    """Draw what a paper sets against a puzzle: a bar for its title, rules, a frame around it."""
    dark = _ink(rng, rng.uniform(0, 120))
    a, b, c, d = grid.ring
    wide = float(b[0] - a[0])
    what = int(rng.integers(4))
    if what == 0:
        page.box(a - np.array([0, rng.uniform(0.04, 0.15) * wide]), b, dark)
    elif what == 1:
        page.stroke(
            np.array([(a[0] - wide, a[1]), (b[0] + wide, a[1])]), dark, float(rng.uniform(0.2, 1))
        )
        x = a[0] + wide * rng.uniform(-0.2, 1.2)
        page.stroke(np.array([(x, a[1] - wide), (x, a[1])]), dark, 0.5)
    elif what == 2:
        gap = rng.uniform(0.008, 0.05) * wide
        page.box(a - gap, c + gap, dark, float(rng.uniform(0.2, 1.3)))
    else:
        page.box(
            b, c + np.array([rng.uniform(0.1, 0.5) * wide, 0]), dark, float(rng.uniform(0.2, 1))
        )
        page.stroke(np.array([d, (d[0], d[1] + 0.3 * wide)]), dark, 0.4)
