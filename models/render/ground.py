"""What the pieces lie on: tables, mats, sheets, trays and box lids; the play area is z = 0."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np

from models.render import lid
from models.render.arrays import Floats
from models.render.lay import spin
from models.render.materials import STOCKS, draw_top
from models.render.solid import Solid
from models.render.view import WIDE
from models.textures.colour import linear
from models.textures.floor import carpet
from models.textures.noise import value_noise
from models.textures.paint import plain
from models.textures.prints import page
from models.textures.texture import SKETCH_SIDE, Material, Picture, as_picture

Random = np.random.Generator
TABLE = 1400.0  # mm, half its side
HIGH = 730.0  # mm, of a table over the floor
EDGE_IN_SIGHT = 0.1  # of the tables
SOFT = 0.95  # roughness from which a surface is cloth
GRAINED = 0.12  # of the other tables
LETTERS = 15.0  # px of a page's 896: 5 mm on A4
SHEETS = ((148.5, 105.0), (105.0, 74.0), (140.0, 108.0))  # mm, half of A4, A5 and Letter
MATS = ((150.0, 100.0), (130.0, 130.0), (210.0, 150.0), (90.0, 90.0), (300.0, 300.0))  # mm, half


@dataclass(frozen=True, slots=True)
class PrintedGrid:
    """Printed cells around the origin, rows along y from the far side, columns along x."""

    rows: int
    columns: int
    cell: float  # mm

    def centre(self, row: int, column: int) -> tuple[float, float]:
        """Return the middle of a cell, mm."""
        return (
            (column - (self.columns - 1) / 2) * self.cell,
            ((self.rows - 1) / 2 - row) * self.cell,
        )

    def corners(self) -> Floats:
        """Return the outer corners, (4, 3) mm, clockwise from far left."""
        x, y = self.columns * self.cell / 2, self.rows * self.cell / 2
        return np.array([(-x, y, 0), (x, y, 0), (x, -y, 0), (-x, -y, 0.0)])


@dataclass(frozen=True, slots=True, eq=False)
class TableGround:
    """All that lies under the pieces."""

    solids: tuple[Solid, ...]
    grid: PrintedGrid | None = None
    reach: tuple[float, float] | None = None  # mm; half the sides pieces keep to


def draw_ground(rng: Random, side: float, seen: float, steep: float) -> TableGround:
    """Choose what pieces lie on.

    Args:
        rng: the ground's random numbers.
        side: of a piece's face, mm.
        seen: mm of the table that WIDE px of the picture show across.
        steep: sine of the camera's elevation; from low down a tray's wall would hide its floor.
    """
    kind = rng.choice(["bare", "lid", "sheet", "mat", "tray"], p=[0.65, 0.09, 0.12, 0.07, 0.07])
    if kind == "lid":
        return _lid(rng, side, seen)
    if kind == "sheet":
        return _sheet(rng, side, seen)
    if kind == "mat":
        half = MATS[int(rng.integers(len(MATS)))]
        thick = float(rng.uniform(0.3, 1.0))
        mat = _laid(rng, half, thick, draw_top(rng, seen / WIDE))
        return TableGround((*_table(rng, 2.0, seen), mat))
    if kind == "tray" and steep > 0.6 and seen > 5 * side:
        return _tray(rng, side, seen)
    return TableGround(_table(rng, 0.0, seen))


def _slab(half: tuple[float, float], thick: float, top: float, stuff: Material) -> Solid:
    """Return a flat piece of some stuff whose upper side is at a height, mm."""
    return Solid(
        centre=(0.0, 0.0, top - thick),
        half=(float(half[0]), float(half[1]), thick),
        edge=min(0.9 * thick, 4.0),
        roughness=stuff.roughness,
        top=stuff,
        side=stuff,
    )


def _creased(rng: Random, slab: Solid) -> Solid:
    """Return cloth, or paper that somebody has folded, as it lies: not quite flat."""
    wide = float(np.exp(rng.uniform(np.log(0.008), np.log(0.05))))  # bumps a mm
    fold = float(rng.uniform(0.3, 1.5)) if rng.random() < 0.6 else 0.0
    return replace(slab, bump=(float(rng.uniform(0.02, 0.14)), wide), crease=fold)


def _grained(rng: Random, slab: Solid) -> Solid:
    """Return leather, rough plaster or plastic that is moulded with a grain."""
    wide = float(np.exp(rng.uniform(np.log(0.3), np.log(1.5))))  # bumps a mm
    return replace(slab, bump=(float(rng.uniform(0.03, 0.15)), wide))


def _table(rng: Random, down: float, seen: float) -> tuple[Solid, ...]:
    """Return the table and, where its edge is in sight, the floor."""
    top = draw_top(rng, seen / WIDE)
    table = _slab((TABLE, TABLE), 15.0, -down, top)
    if top.roughness >= SOFT:
        table = _creased(rng, table) if rng.random() < 0.6 else table
    elif rng.random() < GRAINED:
        table = _grained(rng, table)
    if rng.random() > EDGE_IN_SIGHT:
        return (_turned(rng, table),)
    aim, off = rng.uniform(0, 2 * np.pi), TABLE + seen * rng.uniform(-0.45, -0.2)
    table = replace(table, half=(TABLE, 1.4 * TABLE, 15.0), turn=spin(aim))
    at = (off * np.cos(aim), off * np.sin(aim), table.centre[2])
    floor = _slab((6 * TABLE, 6 * TABLE), 10.0, -down - HIGH, carpet(rng))
    return replace(table, centre=(float(at[0]), float(at[1]), at[2])), _turned(rng, floor)


def _turned(rng: Random, slab: Solid) -> Solid:
    return replace(slab, turn=spin(float(rng.uniform(0, 2 * np.pi))))


def _laid(rng: Random, half: tuple[float, float], thick: float, stuff: Material) -> Solid:
    """Return a mat or a sheet as somebody put it: turned, the origin somewhere on it."""
    slab = _turned(rng, _slab(half, thick, 0.0, stuff))
    x, y, _ = slab.turn @ np.array([*rng.uniform(-0.75, 0.75, 2) * half, 0.0])
    return replace(slab, centre=(float(x), float(y), slab.centre[2]))


def _lid(rng: Random, side: float, seen: float) -> TableGround:
    """Put a closed box on the table with 3 x 3 cells printed on its lid."""
    stock = str(rng.choice(list(STOCKS), p=[0.45, 0.3, 0.25]))
    board = lid.draw_lid(rng, stock, side * float(rng.uniform(1.45, 2.6)))
    if rng.random() < 0.5:  # a board rather than a box
        board = replace(board, height=float(rng.uniform(1.5, 5)))
    box = [
        replace(part, centre=(0.0, 0.0, part.centre[2] - board.height)) for part in lid.box(board)
    ]
    grid = PrintedGrid(lid.CELLS, lid.CELLS, board.cell)
    half = board.side / 2
    return TableGround((*_table(rng, board.height, seen), *box), grid, (half, half))


def _sheet(rng: Random, side: float, seen: float) -> TableGround:
    """Lay a sheet on the table: printed or hand-drawn cells, lines of text, or nothing on it."""
    table = _table(rng, 0.6, seen)
    if rng.random() < 0.45:
        half = SHEETS[int(rng.integers(len(SHEETS)))]
        blank = rng.random() < 0.3
        stuff = _paper(rng, plain(rng) if blank else page(rng, LETTERS), 2 * max(half))
        sheet = _laid(rng, half, 0.3, stuff)
        return TableGround((*table, _creased(rng, sheet) if rng.random() < 0.4 else sheet))
    rows, columns = (int(n) for n in rng.integers(2, 7, 2))
    grid = PrintedGrid(rows, columns, side * float(rng.uniform(1.3, 2.6)))
    margin = side * rng.uniform(0.2, 1.5)
    half = (columns * grid.cell / 2 + margin, rows * grid.cell / 2 + margin)
    picture = _ruled(rng, grid, max(half))
    stuff = Material(picture, 2 * max(half), float(rng.uniform(0.5, 1.0)))
    return TableGround((*table, _slab(half, 0.3, 0.0, stuff)), grid, half)


def _paper(rng: Random, printed: Picture, span: float) -> Material:
    """Return paper, white or nearly so, with what is printed on it."""
    light = _bright(rng) * as_picture(linear(printed / np.percentile(printed, 90, axis=(0, 1))))
    return Material(as_picture(light), span, float(rng.uniform(0.5, 1.0)))


def _bright(rng: Random) -> Picture:
    """Return how much of each colour paper gives back."""
    return as_picture(rng.uniform(0.55, 0.85) * (1 + rng.normal(0, 0.03, 3)))


def _ruled(rng: Random, grid: PrintedGrid, half: float) -> Picture:
    """Return paper, linear light, with the grid's lines drawn on it."""
    dark = rng.random() < 0.8  # the ink; else chalk or print on dark card
    level = rng.uniform(0.8, 0.95) if dark else rng.uniform(0.1, 0.4)
    tone = level * (1 + rng.normal(0, 0.03, 3))
    shade = 1 + rng.uniform(0.002, 0.02) * value_noise(rng, 6, 6, 3)
    paper = np.ascontiguousarray(np.clip(255 * tone * shade[..., None], 0, 255).astype(np.uint8))
    ink = [
        float(255 * c) for c in (rng.uniform(0.05, 0.35) if dark else 0.85) + rng.normal(0, 0.05, 3)
    ]
    scale, thick = SKETCH_SIDE / (2 * half), max(1, int(SKETCH_SIDE * rng.uniform(0.002, 0.012)))
    wobble = SKETCH_SIDE * rng.choice([0.0, 0.004])
    x, y = (grid.columns * grid.cell / 2 * scale, grid.rows * grid.cell / 2 * scale)
    lines: list[tuple[float, float, float, float]] = [
        (-x + k * grid.cell * scale, -y, 0, 2 * y) for k in range(grid.columns + 1)
    ]
    lines += [(-x, -y + k * grid.cell * scale, 2 * x, 0) for k in range(grid.rows + 1)]
    for left, top, right, down in lines:
        ends = np.array([(left, top), (left + right, top + down)]) + SKETCH_SIDE / 2
        ends = np.round(ends + rng.normal(0, wobble, (2, 2))).astype(int)
        cv2.line(paper, ends[0].tolist(), ends[1].tolist(), ink, thick, cv2.LINE_AA)
    return as_picture(linear(paper / 255))


def _tray(rng: Random, side: float, seen: float) -> TableGround:
    """Put a tray or an open box on the table: a floor and four walls."""
    half = (float(seen * rng.uniform(0.28, 0.55)), float(seen * rng.uniform(0.28, 0.55)))
    high, wall = side * float(rng.uniform(0.4, 1.8)), side * float(rng.uniform(0.1, 0.7))
    stuff, inner = draw_top(rng, seen / WIDE), draw_top(rng, seen / WIDE)
    floor = _slab(half, 1.0, 0.0, inner)
    walls = []
    for x, y in ((1, 0), (-1, 0), (0, 1), (0, -1)):
        size = (wall / 2, half[1] + wall) if x else (half[0] + wall, wall / 2)
        one = _slab(size, high / 2, high - 2.0, stuff)
        at = (x * (half[0] + wall / 2), y * (half[1] + wall / 2), one.centre[2])
        walls.append(replace(one, centre=at, edge=min(wall / 3, 2.0)))
    reach = (half[0] - 0.6 * side, half[1] - 0.6 * side)
    return TableGround((*_table(rng, 2.0, seen), floor, *walls), None, reach)
