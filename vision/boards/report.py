"""Assign the dice of a reading to the cells of a ruled grid, and warn about what is odd there."""

from collections import Counter
from dataclasses import replace

from vision.boards.dice_lattice import LatticeCells, PlacedDice, place_in
from vision.boards.dice_on_grid import ground_points
from vision.layout import cell_name
from vision.quad import Quad
from vision.reading import BoardReading, Face, Look
from vision.warnings import GUESSED


def in_cells(
    dice: list[Face], placed: PlacedDice | None, look: Look
) -> tuple[list[Face], list[str]]:
    """Return the dice with their cells, in reading order, and warnings for the person."""
    if not dice:
        said = ["No dice were found. Take the photo closer and in more light."]
        return dice, said + ([GUESSED] if placed and not placed.believed else [])
    if placed is None:
        size = "{}x{}".format(*look.grid or (0, 0))
        return dice, [f"The {size} grid was not found. Show the whole board, from above."]
    disputed = placed.disputed or (False,) * len(dice)
    with_cells = [
        replace(
            die,
            cell=cell,
            sure=die.sure and placed.believed and not is_disputed and not (between and cell),
        )
        for die, cell, between, is_disputed in zip(
            dice, placed.cells, placed.between, disputed, strict=True
        )
    ]
    warnings = _on_lines(_names(placed.cells, placed.between))
    warnings += [] if placed.believed else [GUESSED]
    warnings += _disputed(_names(placed.cells, disputed))
    with_cells.sort(key=lambda die: (die.cell is None, die.cell or (), die.center))
    cells = [cell for cell in placed.cells if cell]
    return with_cells, warnings + _crowded(cells) + _unanchored(placed)


def board_of(placed: PlacedDice | None, look: Look) -> BoardReading | None:
    """Return the placed grid as a reading's board."""
    if placed is None:
        return None
    return BoardReading(str(look), placed.outline or placed.grid.corners, placed.grid.to_px.error)


def free_for(quads: list[Quad], placed: PlacedDice) -> LatticeCells:
    """Return the cells of further faces; None for a cell with a die in it, or beside the grid."""
    full = set(placed.cells)
    cells = place_in(placed.grid, ground_points(placed.grid, quads)).cells
    return tuple(None if cell in full else cell for cell in cells)


def _names(cells: LatticeCells, chosen: tuple[bool, ...]) -> list[str]:
    """Return the names of the chosen dice's cells, in reading order."""
    theirs = [cell for cell, is_chosen in zip(cells, chosen, strict=True) if cell and is_chosen]
    return [cell_name(cell) for cell in sorted(theirs)]


def _on_lines(names: list[str]) -> list[str]:
    if len(names) < 2:
        return [
            f"A die lies on the line of its cell ({name}). Push it into one cell." for name in names
        ]
    places = "; ".join(dict.fromkeys(names))
    return [f"{len(names)} dice lie on the lines of their cells ({places}). Push each into one."]


def _disputed(names: list[str]) -> list[str]:
    places = "; ".join(dict.fromkeys(names))
    said = f"Check the cells of the dice there: {places}. Some lines are hidden or unclear."
    return [said] if names else []


def _crowded(cells: list[tuple[int, int]]) -> list[str]:
    numbers = {2: "Two"}
    return [
        f"{numbers.get(count, count)} dice lie in one cell ({cell_name(cell)})."
        for cell, count in sorted(Counter(cells).items())
        if count > 1
    ]


def _unanchored(placed: PlacedDice) -> list[str]:
    """Warn if the grid is known from the dice only and they do not reach over all of it."""
    if placed.on_print or placed.spans:
        return []
    return ["A whole row or column is empty. Check which cells the dice lie in."]
