"""Stage 5: give the dice of a reading their cells on a ruled grid, and say what is odd there."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from vision.board import Placed, place_dice
from vision.photo import Photo
from vision.reading import Board, Face, Look


def on_grid(
    photo: Photo, dice: list[Face], look: Look
) -> tuple[list[Face], Board | None, list[str]]:
    """Give each die its cell; return the dice in reading order, the board and warnings."""
    rows, columns = look.grid or (0, 0)
    placed = place_dice(photo, dice, rows, columns)
    grid = placed.grid if placed else None
    board = Board(str(look), grid.corners, grid.to_px.error) if grid else None
    if not dice:
        return dice, board, ["No dice were found. Take the photo closer and in more light."]
    if placed is None:
        hint = f"The {rows}x{columns} grid was not found. Show the whole board, from above."
        return dice, None, [hint]
    with_cells = [
        replace(die, cell=cell, sure=die.sure and not (between and cell))
        for die, cell, between in zip(dice, placed.cells, placed.between, strict=True)
    ]
    warnings = [
        f"A die lies on the line of its cell ({_name(cell)}). Push it into one cell."
        for cell, between in zip(placed.cells, placed.between, strict=True)
        if cell and between
    ]
    with_cells.sort(key=lambda die: (die.cell is None, die.cell or (), die.center))
    cells = [cell for cell in placed.cells if cell]
    return with_cells, board, warnings + _crowded(cells) + _unanchored(placed)


def _crowded(cells: list[tuple[int, int]]) -> list[str]:
    numbers = {2: "Two"}
    return [
        f"{numbers.get(count, count)} dice lie in one cell ({_name(cell)})."
        for cell, count in sorted(Counter(cells).items())
        if count > 1
    ]


def _unanchored(placed: Placed) -> list[str]:
    """Warn where only dice tell and do not reach over the whole grid: the cells are a guess."""
    if placed.on_print or placed.spans:
        return []
    return ["A whole row or column is empty. Check which cells the dice lie in."]


def _name(cell: tuple[int, int]) -> str:
    return f"row {cell[0] + 1}, column {cell[1] + 1}"
