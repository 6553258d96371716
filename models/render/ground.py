"""What the pieces lie on: tables, mats, sheets, trays and box lids; the play area is z = 0."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np

from models.render import lid
from models.render.arrays import Floats
from models.render.image import Picture, as_picture
from models.render.materials import STOCKS, TABLES, Material
from models.render.solid import Solid
from models.train.palette import linear
from models.train.prints import printed
from models.train.surfaces import SIDE, any_colour, plain
from models.train.tables import draw_surface

Random = np.random.Generator
TABLE = 1400.0  # mm, half its side
# Most people's tables are grey, brown or pale: the median chroma (CIELAB) of a photo to learn from
# is 3 in one of two and over 7 in one of ten; of the tables rendered before it was 8 and 27.
CALM = 0.8  # of the surfaces
LUMINANCE = np.float32([0.2126, 0.7152, 0.0722])  # of linear RGB (Rec. 709)


@dataclass(frozen=True, slots=True)
class Grid:
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
class Ground:
    """All that lies under the pieces."""

    solids: tuple[Solid, ...]
    grid: Grid | None = None
    reach: tuple[float, float] | None = None  # mm; half the sides pieces keep to


def draw_ground(rng: Random, side: float, seen: float, steep: float) -> Ground:
    """Choose what pieces lie on.

    Args:
        rng: the ground's random numbers.
        side: of a piece's face, mm.
        seen: mm of the table that the picture shows across.
        steep: sine of the camera's elevation; from low down a tray's wall would hide its floor.
    """
    kind = rng.choice(["bare", "lid", "sheet", "mat", "tray"], p=[0.52, 0.14, 0.16, 0.1, 0.08])
    if kind == "lid":
        return _lid(rng, side, seen)
    if kind == "sheet":
        return _sheet(rng, side, seen)
    if kind == "mat":
        half = (seen * rng.uniform(0.25, 0.8), seen * rng.uniform(0.25, 0.8))
        return Ground((_table(rng, 2.0, seen), _mat(rng, half, draw_stuff(rng, seen))))
    if kind == "tray" and steep > 0.6 and seen > 5 * side:
        return _tray(rng, side, seen)
    return Ground((_table(rng, 0.0, seen),))


def draw_stuff(rng: Random, seen: float) -> Material:
    """Choose a surface: made for the boards, or sketched, its grain fit to what is seen."""
    rough = float(rng.uniform(0.1, 0.35) if rng.random() < 0.3 else rng.uniform(0.35, 1.0))
    if rng.random() < 0.2:  # a pale desk or a white sheet
        pale = rng.uniform(0.45, 0.85) * (1 + rng.normal(0, 0.03, 3))
        picture = as_picture(linear(plain(rng)))
        picture = picture / picture.mean(axis=(0, 1)) * np.float32(pale)
        return Material(as_picture(picture), float(rng.uniform(1, 3)) * seen, rough)
    if rng.random() < 0.4:
        pools = list(TABLES.values()) + list(STOCKS.values())
        made = pools[int(rng.integers(len(pools)))](rng)
        span = made.span * float(rng.uniform(0.7, 1.4))
        return replace(made, picture=_calmed(rng, made.picture), span=span)
    picture = as_picture(linear(draw_surface(rng)) * rng.uniform(0.6, 1.0))
    span = float(np.clip(seen * rng.uniform(0.9, 2.5), 60, 2000))
    return Material(np.maximum(_calmed(rng, picture), np.float32(0.006)), span, rough)


def _calmed(rng: Random, picture: Picture) -> Picture:
    """Take most of the colour out of a surface, linear light, as most people's have little."""
    if rng.random() > CALM:
        return picture
    grey = (picture @ LUMINANCE)[..., None]
    return as_picture(grey + np.float32(rng.uniform(0.03, 0.45)) * (picture - grey))


def _slab(
    rng: Random, half: tuple[float, float], thick: float, top: float, stuff: Material
) -> Solid:
    """Return a flat piece of some stuff whose upper side is at a height, mm."""
    fine = float(np.exp(rng.uniform(np.log(0.4), np.log(8.0))))
    folds = stuff.roughness > 0.8 and rng.random() < 0.5
    return Solid(
        centre=(0.0, 0.0, top - thick),
        half=(float(half[0]), float(half[1]), thick),
        edge=min(0.9 * thick, 4.0),
        roughness=stuff.roughness,
        second=(float(rng.uniform(0.75, 0.98)),) * 3,
        grain=(fine, fine, fine),
        bump=(float(rng.uniform(0.05, 0.35)), float(rng.uniform(0.02, 1.5))) if folds else (0, 0),
        top=stuff,
        side=stuff,
    )


def _table(rng: Random, down: float, seen: float) -> Solid:
    turn = rng.uniform(0, 2 * np.pi)
    c, s = np.cos(turn), np.sin(turn)
    table = _slab(rng, (TABLE, TABLE), 15.0, -down, draw_stuff(rng, seen))
    ends = rng.random() < 0.3  # the table's edge is in sight
    off = TABLE * rng.uniform(0.75, 0.95) if ends else 0.0
    aim = rng.uniform(0, 2 * np.pi)
    x, y = off * np.cos(aim), off * np.sin(aim)
    return replace(
        table,
        turn=np.array([[c, -s, 0], [s, c, 0], [0, 0, 1.0]]),
        centre=(float(x), float(y), table.centre[2]),
    )


def _mat(rng: Random, half: tuple[float, float], stuff: Material) -> Solid:
    thick = float(rng.uniform(0.15, 1.0))
    return _slab(rng, half, thick, 0.0, stuff)


def _lid(rng: Random, side: float, seen: float) -> Ground:
    """Put a closed box on the table with 3 x 3 cells printed on its lid."""
    stock = str(rng.choice(list(STOCKS)))
    board = lid.draw_lid(rng, stock, side * float(rng.uniform(1.45, 2.6)))
    box = [
        replace(part, centre=(0.0, 0.0, part.centre[2] - board.height)) for part in lid.box(board)
    ]
    grid = Grid(lid.CELLS, lid.CELLS, board.cell)
    half = board.side / 2
    return Ground((_table(rng, board.height, seen), *box), grid, (half, half))


def _sheet(rng: Random, side: float, seen: float) -> Ground:
    """Lay a sheet with printed or hand-drawn cells, lines of text or a game board on the table."""
    table = _table(rng, 0.6, seen)
    if rng.random() < 0.45:
        half = (seen * rng.uniform(0.2, 0.6), seen * rng.uniform(0.2, 0.6))
        paper = linear(printed(rng, plain(rng), int(rng.integers(2, 30)), 200))
        picture = _calmed(rng, as_picture(paper))
        stuff = Material(picture, 2 * max(half), float(rng.uniform(0.3, 0.9)))
        return Ground((table, _mat(rng, half, stuff)))
    rows, columns = (int(n) for n in rng.integers(2, 7, 2))
    grid = Grid(rows, columns, side * float(rng.uniform(1.3, 2.6)))
    margin = side * rng.uniform(0.2, 1.5)
    half = (columns * grid.cell / 2 + margin, rows * grid.cell / 2 + margin)
    picture = _ruled(rng, grid, max(half))
    stuff = Material(picture, 2 * max(half), float(rng.uniform(0.3, 0.9)))
    return Ground((table, _mat(rng, half, stuff)), grid, half)


def _ruled(rng: Random, grid: Grid, half: float) -> Picture:
    """Return paper, linear light, with the grid's lines drawn on it."""
    paper = np.ascontiguousarray((255 * plain(rng)).astype(np.uint8))
    dark = paper.mean() > 110
    ink = [float(255 * c) for c in any_colour(rng) * (0.4 if dark else 1.0) + (0 if dark else 0.3)]
    scale, thick = SIDE / (2 * half), max(1, int(SIDE * rng.uniform(0.002, 0.012)))
    wobble = SIDE * rng.choice([0.0, 0.004])
    x, y = (grid.columns * grid.cell / 2 * scale, grid.rows * grid.cell / 2 * scale)
    lines = [(-x + k * grid.cell * scale, -y, 0, 2 * y) for k in range(grid.columns + 1)]
    lines += [(-x, -y + k * grid.cell * scale, 2 * x, 0) for k in range(grid.rows + 1)]
    for left, top, right, down in lines:
        ends = np.array([(left, top), (left + right, top + down)]) + SIDE / 2
        ends = np.round(ends + rng.normal(0, wobble, (2, 2))).astype(int)
        cv2.line(paper, ends[0].tolist(), ends[1].tolist(), ink, thick, cv2.LINE_AA)
    return _calmed(rng, as_picture(linear(paper / 255)))


def _tray(rng: Random, side: float, seen: float) -> Ground:
    """Put a tray or an open box on the table: a floor and four walls."""
    half = (float(seen * rng.uniform(0.28, 0.55)), float(seen * rng.uniform(0.28, 0.55)))
    high, wall = side * float(rng.uniform(0.4, 1.8)), side * float(rng.uniform(0.1, 0.7))
    stuff, inner = draw_stuff(rng, seen), draw_stuff(rng, seen)
    floor = _slab(rng, half, 1.0, 0.0, inner)
    walls = []
    for x, y in ((1, 0), (-1, 0), (0, 1), (0, -1)):
        size = (wall / 2, half[1] + wall) if x else (half[0] + wall, wall / 2)
        one = _slab(rng, size, high / 2, high - 2.0, stuff)
        at = (x * (half[0] + wall / 2), y * (half[1] + wall / 2), one.centre[2])
        walls.append(replace(one, centre=at, edge=min(wall / 3, 2.0)))
    reach = (half[0] - 0.6 * side, half[1] - 0.6 * side)
    return Ground((_table(rng, 2.0, seen), floor, *walls), None, reach)
