"""Drawings of boards: a grid for dice, a score sheet's row, a track, an open mat."""

from __future__ import annotations

import math
from collections.abc import Sequence

from scorer.board import LARGEST_MM, Board, BoardCell, Drawn, Ink, Line, Point, Shape, Words, box
from scorer.messages import _

GRID_CELL = 36.0  # mm; lines around a die of 16 mm stay visible
HEADER = 11.0  # mm above the board, for its title
WIDTH, HEIGHT = LARGEST_MM
PLACE = 26.0  # mm, side of a track's place
LEAST_PLACE = 20.0  # mm; below that a die of 16 mm covers the label
LOST_BOX = 52.0  # mm, height of the box for lost dice, if there is room


def titled(title: str, width: float) -> Words:
    """Return a board's title, at its upper left if there is room."""
    return Words(title, (width / 2, 5.0), 4.4, "grey", bold=True)


def grid(name: str, title: str, rows: int, columns: int, first_marker: int) -> Board:
    """Return a grid of square cells for dice, named (row, column)."""
    side, top = GRID_CELL, HEADER
    width, height = columns * side, rows * side
    cells = tuple(
        BoardCell((row, column), box(column * side, top + row * side, side, side))
        for row in range(rows)
        for column in range(columns)
    )
    across = [Line((0, top + k * side), (width, top + k * side)) for k in range(1, rows)]
    down = [Line((k * side, top), (k * side, top + height)) for k in range(1, columns)]
    frame = Shape(box(0, top, width, height), width=0.7)
    drawing: tuple[Drawn, ...] = (titled(title, width), *across, *down, frame)
    return Board(name, title, (width, top + height), cells, drawing, first_marker)


def track(name: str, title: str, places: Sequence[str], first_marker: int) -> Board:
    """Return a track in serpentine rows, with a place for each label, "4" or "2*".

    The places are named ("place", n) from 0, the first at the upper left; every other row is
    reversed. Raises ValueError if the page has no room for them.
    """
    columns, rows, side = _track_size(len(places))
    cells, drawing = [], list[Drawn]([titled(title, WIDTH)])
    left = (WIDTH - columns * side) / 2
    for n, label in enumerate(places):
        row, step = divmod(n, columns)
        column = step if row % 2 == 0 else columns - 1 - step
        x, y = left + column * side, HEADER + row * side
        cells.append(BoardCell(("place", n), box(x, y, side, side), label))
        drawing += _place(label, x, y, side)
        if n + 1 < len(places):
            drawing.append(_arrow(x, y, side, down=step == columns - 1, back=row % 2 == 1))
    height, areas = HEADER + rows * side, tuple[BoardCell, ...]()
    if height + 6 + LOST_BOX <= HEIGHT:
        lost = BoardCell(("lost", 0), box(left, height + 6, columns * side, LOST_BOX), "lost dice")
        areas = (lost,)
        drawing.append(Shape(lost.polygon, "grey"))
        drawing.append(Words(_("lost dice"), (WIDTH / 2, height + 12), 2.6, "grey"))
        height += 6 + LOST_BOX
    return Board(name, title, (WIDTH, height), tuple(cells), tuple(drawing), first_marker, areas)


def _track_size(count: int) -> tuple[int, int, float]:
    columns = math.floor(WIDTH / PLACE)
    while True:
        side, rows = WIDTH / columns, -(-count // columns)
        if side < LEAST_PLACE - 0.5:
            raise ValueError(
                _("{count} places of a track do not fit on a page; most are 77", count=count)
            )
        if HEADER + rows * side <= HEIGHT:
            return columns, rows, side
        columns += 1


def _place(label: str, x: float, y: float, side: float) -> list[Drawn]:
    """Return the square of a place, with a star behind the number of a star place."""
    middle = (x + side / 2, y + side / 2)
    if not label.endswith("*"):
        number = Words(label, middle, side * 0.3, "black", bold=True)
        return [Shape(box(x, y, side, side), "grey"), number]
    star = Shape(_star(middle, side * 0.44), "red", "pale red")
    number = Words(label.rstrip("*"), (middle[0], middle[1] + side * 0.02), side * 0.2, "red")
    return [Shape(box(x, y, side, side), "grey"), star, number]


def _star(middle: Point, radius: float) -> tuple[Point, ...]:
    tips = []
    for k in range(10):
        away = radius if k % 2 == 0 else radius * 0.46
        turn = math.pi * (k / 5 - 0.5)
        tips.append((middle[0] + away * math.cos(turn), middle[1] + away * math.sin(turn)))
    return tuple(tips)


def _arrow(x: float, y: float, side: float, *, down: bool, back: bool) -> Shape:
    half = 1.5
    if down:
        x, y = x + side / 2, y + side
        points = ((x - half, y - half), (x + half, y - half), (x, y + half))
    else:
        turn = -1.0 if back else 1.0
        x, y = x + (0 if back else side), y + side / 2
        points = ((x - turn * half, y - half), (x - turn * half, y + half), (x + turn * half, y))
    return Shape(points, None, "grey")


def mat(name: str, title: str, first_marker: int, step: float | None = None) -> Board:
    """Return an open mat with small crosses *step* mm apart, to align pieces."""
    top, height = HEADER, HEIGHT - HEADER
    drawing: list[Drawn] = [titled(title, WIDTH), Shape(box(0, top, WIDTH, height), "grey")]
    if step is not None:
        left, first = (WIDTH % step + step) / 2, (height % step + step) / 2
        for i in range(math.floor(WIDTH / step)):
            for j in range(math.floor(height / step)):
                x, y = left + i * step, top + first + j * step
                drawing.append(Line((x - 1, y), (x + 1, y), "pale grey"))
                drawing.append(Line((x, y - 1), (x, y + 1), "pale grey"))
    return Board(name, title, LARGEST_MM, (), tuple(drawing), first_marker)


def boxed(cell: BoardCell, ink: Ink, pale: Ink, *, double: bool = False) -> list[Drawn]:
    """Return a cell to be marked by hand: its frame, and its number in a pale ink."""
    (x, y), _corner, (right, bottom), _last = cell.polygon
    middle = ((x + right) / 2, (y + bottom) / 2)
    drawn: list[Drawn] = [Shape(cell.polygon, ink), Words(cell.label, middle, 7.0, pale)]
    if double:
        inner = box(x + 1, y + 1, right - x - 2, bottom - y - 2)
        drawn.append(Shape(inner, ink, width=0.2))
    return drawn


DICE_MAT = mat("mat:dice", _("Dice"), 200)
