"""The lines of ruled grids, as printers and hands draw them, and what stands in the cells."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Pixels = NDArray[np.uint8]
InkBgr = tuple[float, float, float]  # BGR

DASH = 2.5  # mm
FONTS = (cv2.FONT_HERSHEY_DUPLEX, cv2.FONT_HERSHEY_COMPLEX, cv2.FONT_HERSHEY_TRIPLEX)
PENS = (cv2.FONT_HERSHEY_SIMPLEX, cv2.FONT_HERSHEY_SCRIPT_SIMPLEX, cv2.FONT_HERSHEY_PLAIN)
JOINTS = 40  # of a line drawn by hand
RING = ((0, 0), (1, 0), (1, 1), (0, 1))


@dataclass(slots=True, eq=False)
class Canvas:
    """A page in the making."""

    picture: Pixels  # (h, w, 3) BGR
    px_per_mm: float

    def stroke(self, line: Floats, ink: InkBgr, wide_mm: float) -> None:
        """Draw a polyline of (n, 2) mm."""
        points = (line * self.px_per_mm * 16).round().astype(np.int32).reshape(-1, 1, 2)
        wide = max(1, round(wide_mm * self.px_per_mm))
        cv2.polylines(self.picture, [points], False, ink, wide, cv2.LINE_AA, 4)

    def box(self, low: Floats, high: Floats, ink: InkBgr, wide_mm: float | None = None) -> None:
        """Draw a rectangle, mm, full where no width is told."""
        a, b = (self.px(point) for point in (low, high))
        wide = -1 if wide_mm is None else max(1, round(wide_mm * self.px_per_mm))
        cv2.rectangle(self.picture, a, b, ink, wide, cv2.LINE_AA)

    def write(
        self, text: str, middle: Floats, size_mm: float, ink: InkBgr, font: int, bold: float
    ) -> None:
        """Write a short text around a place, mm; *bold* is how wide a pen is, of its size."""
        size = size_mm * self.px_per_mm
        scale, thick = size / 22, max(1, round(bold * size))
        (wide, high), _ = cv2.getTextSize(text, font, scale, thick)
        x, y = self.px(middle)
        at = (x - wide // 2, y + high // 2)
        cv2.putText(self.picture, text, at, font, scale, ink, thick, cv2.LINE_AA)

    def px(self, point: Floats) -> tuple[int, int]:
        """Return where a place, mm, lies on the picture."""
        return round(float(point[0]) * self.px_per_mm), round(float(point[1]) * self.px_per_mm)


@dataclass(frozen=True, slots=True)
class DrawnLattice:
    """A grid to draw: where, how many cells, and in which manner."""

    corner: tuple[float, float]  # mm, upper left
    cell: tuple[float, float]  # mm, wide and high
    rows: int
    columns: int
    ink: InkBgr
    thin: float  # mm, of its lines
    heavy: float = 1.0  # times as wide, every so many lines
    every: int = 0  # lines; 0: all alike
    pale: InkBgr | None = None  # of the thin lines, where they have an ink of their own
    manner: str = "plain"  # "dashed", "double"
    wobble: float = 0.0  # of a cell, by which hands waver; 0 is print
    framed: bool = True

    @property
    def ring(self) -> Floats:
        """Return (4, 2) mm, where its outer lines cross, clockwise."""
        wide, high = self.columns * self.cell[0], self.rows * self.cell[1]
        return np.array([(0, 0), (wide, 0), (wide, high), (0, high)]) + self.corner

    def width(self, k: int) -> float:
        """Return how wide the k-th line is, mm."""
        return self.thin * (self.heavy if self.every and k % self.every == 0 else 1.0)


def draw_lattice(rng: np.random.Generator, page: Canvas, grid: DrawnLattice) -> Floats:
    """Draw its lines; return (4, 2) mm, its outer corners with what its frame adds."""
    first = 0 if grid.framed else 1
    counts = (grid.columns, grid.rows)
    order = [(axis, k) for axis in (0, 1) for k in range(first, counts[axis] + 1 - first)]
    order.sort(key=lambda one: grid.width(one[1]))  # heavy lines lie over the thin ones
    lines: dict[tuple[int, int], Floats] = {}
    for axis, k in order:
        line = lines[axis, k] = _line(rng, grid, axis, k)
        wide = grid.width(k)
        heavy = wide > grid.thin * 1.01
        ink = grid.ink if heavy or grid.pale is None else grid.pale
        for shift in (-wide, wide) if grid.manner == "double" else (0.0,):
            moved = line + np.eye(2)[axis] * shift
            if grid.manner == "dashed":
                _dashes(page, moved, ink, wide)
            else:
                page.stroke(moved, ink, wide)
    rim = 0.0
    if grid.framed:
        rim = grid.width(0) * (1.5 if grid.manner == "double" else 0.5)
    across = range(first, grid.columns + 1 - first)
    nodes = np.array(
        [_crossing(lines, x, y) for y in range(first, grid.rows + 1 - first) for x in across]
    )
    if not grid.framed:  # what would be its frame follows from the lines that there are
        counted = np.array([(x, y, 1) for y in range(1, grid.rows) for x in range(1, grid.columns)])
        ring = np.array([(x * grid.columns, y * grid.rows, 1) for x, y in RING])
        ring = ring @ np.linalg.lstsq(counted, nodes, rcond=None)[0]
    else:
        wide = len(across)
        ring = nodes[[0, wide - 1, len(nodes) - 1, len(nodes) - wide]]
    grown: Floats = ring + rim * (2 * np.array(RING) - 1)
    return grown


def _line(rng: np.random.Generator, grid: DrawnLattice, axis: int, k: int) -> Floats:
    """Return (JOINTS, 2) mm, a line as print has it or as a hand does."""
    pitch, corner = np.array(grid.cell), np.array(grid.corner)
    across = (grid.columns, grid.rows)[1 - axis] * pitch[1 - axis]
    ends = np.array([0.0, across])
    off = np.zeros(JOINTS)
    if grid.wobble:
        ends = ends + rng.uniform(-0.2, 0.2, 2) * pitch[1 - axis]
        side = grid.wobble * pitch[axis]
        lean = np.linspace(-1, 1, JOINTS) * side * rng.normal()
        off = lean + side * (rng.normal() + np.cumsum(rng.normal(0, 0.2, JOINTS)) / 2)
    line = np.empty((JOINTS, 2))
    line[:, axis] = corner[axis] + k * pitch[axis] + off
    line[:, 1 - axis] = corner[1 - axis] + np.linspace(ends[0], ends[1], JOINTS)
    return line


def _crossing(lines: dict[tuple[int, int], Floats], column: int, row: int) -> Floats:
    """Return where an upright and a level line cross, or would if they were longer."""
    upright, level = lines[0, column], lines[1, row]
    x, y = float(upright[:, 0].mean()), float(level[:, 1].mean())
    for _ in range(3):
        x = float(np.interp(y, upright[:, 1], upright[:, 0]))
        y = float(np.interp(x, level[:, 0], level[:, 1]))
    return np.array([x, y])


def _dashes(page: Canvas, line: Floats, ink: InkBgr, wide: float) -> None:
    length = float(np.linalg.norm(line[-1] - line[0]))
    parts = np.linspace(0, 1, 2 * max(2, int(length / DASH)))[:, None]
    ends = line[0] + parts * (line[-1] - line[0])
    for a, b in zip(ends[::2], ends[1::2], strict=True):
        page.stroke(np.array([a, b]), ink, wide)


def fill_cells(rng: np.random.Generator, page: Canvas, grid: DrawnLattice) -> None:
    """Write figures, noughts or crosses into some cells, in print, in pencil or both."""
    if rng.random() < 0.12:
        return
    square = min(grid.cell)
    full, by_hand = rng.uniform(0.1, 0.95), rng.choice([0.0, 0.0, 0.3, 0.6])
    small = rng.random() < 0.1  # notes of candidates
    game = grid.rows <= 4 and rng.random() < 0.8
    dark = (float(rng.uniform(0, 90)),) * 3
    pen = _pen_ink(rng)
    size, bold = square * rng.uniform(0.4, 0.75), rng.uniform(0.05, 0.14)
    font, hand = int(rng.choice(FONTS)), int(rng.choice(PENS))
    for row, column in np.ndindex(grid.rows, grid.columns):
        middle = grid.corner + (np.array([column, row]) + 0.5) * grid.cell
        if rng.random() > full:
            if small:
                text = "".join(rng.choice(list("123456789"), 3))
                page.write(text, middle - 0.2 * square, square * 0.2, pen, PENS[0], 0.08)
            continue
        if game:
            _nought_or_cross(rng, page, middle, 0.8 * size, pen if by_hand else dark)
            continue
        text = str(rng.choice(list("123456789")))
        if rng.random() < by_hand:
            off = rng.normal(0, 0.08, 2) * square
            page.write(text, middle + off, size * rng.uniform(0.8, 1.2), pen, hand, 0.07)
        else:
            page.write(text, middle, size, dark, font, bold)


def _nought_or_cross(
    rng: np.random.Generator, page: Canvas, middle: Floats, size: float, ink: InkBgr
) -> None:
    wide, at = size * rng.uniform(0.06, 0.16), middle + rng.normal(0, 0.06, 2) * size
    if rng.random() < 0.5:
        turns = np.linspace(0, 2 * np.pi * rng.uniform(0.92, 1.05), 30) + rng.uniform(0, 6)
        reach = 0.5 * size * rng.uniform(0.8, 1.2, 2)
        ring = at + np.column_stack([np.cos(turns), np.sin(turns)]) * reach
        page.stroke(ring + rng.normal(0, 0.01, (30, 2)) * size, ink, wide)
        return
    for sign in (1, -1):
        ends = 0.5 * size * np.array([(-1, -sign), (1, sign)]) + rng.normal(0, 0.08, (2, 2)) * size
        page.stroke(at + ends, ink, wide)


def _pen_ink(rng: np.random.Generator) -> InkBgr:
    """Return a pencil's grey, or the blue, black or red of a pen."""
    grey = float(rng.uniform(60, 130))
    some: tuple[InkBgr, ...] = ((grey, grey, grey), (150, 60, 30), (25, 25, 25), (40, 40, 170))
    return some[int(rng.integers(len(some)))]
