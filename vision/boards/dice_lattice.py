"""Assign dice to the cells of a ruled grid.

In: a photo and the faces on it. Out: a `Grid` and a cell for each face. If the printed lines are
found, a die belongs to the cell that it stands in. Otherwise the dice form a lattice themselves;
some may be missing or beside it, and it is in the plane of the top faces.
"""

import itertools
import operator
from dataclasses import dataclass, replace

import numpy as np

from vision.boards.dice_on_grid import ground_points, hidden_by, is_loose, is_plausible
from vision.boards.free_lattice import FEWEST, grid_through, support
from vision.boards.kept_print import MARK, KeptPlace, squares_around
from vision.boards.open_grid import CELLS, find_open_grid, in_open_cells
from vision.boards.printed_grid import (
    VIEWS,
    Drawing,
    Drawings,
    drawings_of,
    find_printed_grid,
    is_parted,
)
from vision.boards.ruled.grid import ENOUGH, LIKELY, RuledGrid, find_ruled_grid
from vision.geometry import Floats, Grid, Points
from vision.photo import Photo
from vision.quad import Quad

LEAST_WITNESS = 0.5  # confidence from which a die counts: a false one would hide print
FEWEST_WITNESSES = 6  # dice needed for their lattice to contradict the printed lines
CONTRADICTION = 0.5  # dice that it must place better; turned boards have many lattices as good
OPEN = (CELLS, CELLS)  # rows and columns of grids that are drawn without a frame
SAME_GRID = 0.3  # of a cell's side, largest difference of the corners of two guesses of one grid
ON_LINE = 0.42  # cells from a cell's middle, along one axis, from which a die is on a line


LatticeCells = tuple[tuple[int, int] | None, ...]  # row, column; None is off the grid


@dataclass(frozen=True, slots=True, eq=False)
class PlacedDice:
    """A grid and the cell of each die."""

    grid: Grid
    cells: LatticeCells
    between: tuple[bool, ...]  # close to a line, so that the cell is a guess
    on_print: bool = False  # found by the printed lines; otherwise by the dice alone
    disputed: tuple[bool, ...] = ()  # the dice alone give another cell than the print
    believed: bool = True  # a camera can see it like that, and the dice on it agree
    is_open: bool = False  # its outer cells have no ends
    outline: Quad | None = None  # px, of the outer lines, if the paper is not flat

    @property
    def is_print(self) -> bool:
        """Return True if it is a framed grid found by its lines, without contradictions."""
        firm = self.on_print and self.believed and not self.is_open
        return firm and not any(self.disputed)

    @property
    def held(self) -> int:
        """Return the number of dice in cells."""
        return sum(cell is not None for cell in self.cells)

    @property
    def spans(self) -> bool:
        """Return True if there are dice in every row and in every column."""
        rows = {cell[0] for cell in self.cells if cell}
        columns = {cell[1] for cell in self.cells if cell}
        return len(rows) == self.grid.rows and len(columns) == self.grid.columns


def place_dice(
    photo: Photo,
    dice: list[Quad],
    confidence: Floats,
    rows: int,
    columns: int,
    kept: KeptPlace[Grid] | None = None,
) -> PlacedDice | None:
    """Find the grid on a photo and the cells of the dice on it; None if there is no grid.

    If there are few certain dice, the board may be empty with the dice beside it: then a grid with
    complete lines is preferred to one that most of the dice are on.

    Args:
        photo: with the grid.
        dice: n top faces, px.
        confidence: (n,) that each is a die; below LEAST_WITNESS it does not count for a grid.
        rows: number of rows.
        columns: number of columns.
        kept: the grid of earlier frames; used again if its crossings look the same.
    """
    if kept is None:
        return _placed(photo, dice, confidence, rows, columns)
    grey = photo.grey()
    still = kept.still((rows, columns), grey)
    if still is not None:
        grid = still[0]
        return replace(place_in(grid, ground_points(grid, dice)), on_print=True)
    placed = _placed(photo, dice, confidence, rows, columns)
    if placed is not None and placed.is_print:
        kept.keep((rows, columns), grey, placed.grid, _open_crossings(photo, placed.grid, dice))
    return placed


def _open_crossings(photo: Photo, grid: Grid, dice: list[Quad]) -> Floats:
    """Return (n, 4, 2) px of `photo.bgr`, squares around the crossings not hidden by dice."""
    places = itertools.product(range(grid.columns + 1), range(grid.rows + 1))
    middles = grid.to_px.apply(np.array(list(places), np.float64))
    hidden = hidden_by(dice, ground_points(grid, dice), (photo.width, photo.height))
    x, y = middles.round().astype(int).T
    inside = (x >= 0) & (x < photo.width) & (y >= 0) & (y < photo.height)
    middles = middles[inside][hidden[y[inside], x[inside]] == 0] / photo.scale
    return squares_around(middles, MARK)


def _placed(
    photo: Photo, dice: list[Quad], confidence: Floats, rows: int, columns: int
) -> PlacedDice | None:
    drawings = drawings_of(photo)
    likely = [die for die, sure in zip(dice, confidence, strict=True) if sure > LEAST_WITNESS]
    placed = _by_dice_and_lines(photo, drawings, dice, likely, rows, columns) if likely else None
    if placed is not None and placed.believed and placed.held >= FEWEST:
        return placed
    ruled = find_ruled_grid(photo, rows, columns, drawings)
    if placed is not None and ruled is not None and _say_the_same(placed, ruled, dice):
        shape = (photo.height, photo.width)
        return replace(placed, believed=placed.believed or _seconded(placed, ruled, dice, shape))
    if ruled is not None and ruled.confidence >= (ENOUGH if likely else LIKELY):
        by_lines = replace(_on_ruled(ruled, dice), on_print=True, believed=False)
        if placed is None or not _alike(placed.grid, ruled.grid):
            return replace(by_lines, outline=ruled.corners)
    if likely:
        return placed
    return _by_dice_and_lines(photo, drawings, dice, likely, rows, columns)


def _on_ruled(ruled: RuledGrid, dice: list[Quad]) -> PlacedDice:
    """Assign dice to the cells of a grid that was found by its lines alone."""
    return place_in(ruled.grid, ground_points(ruled.grid, dice), is_open=not ruled.framed)


def _say_the_same(placed: PlacedDice, ruled: RuledGrid, dice: list[Quad]) -> bool:
    """Return True if each die has the same cell on the ruled grid, in some orientation of it."""
    return placed.held > 0 and _turned_like(_on_ruled(ruled, dice), placed).cells == placed.cells


def _seconded(
    placed: PlacedDice, ruled: RuledGrid, dice: list[Quad], shape: tuple[int, int]
) -> bool:
    """Return True if lines alone confirm the cells found by dice and lines together."""
    grids = (placed.grid, ruled.grid)
    can_be = all(is_plausible(grid, dice, placed.cells, shape) for grid in grids)
    can_be = can_be and _in_sight(placed.grid, shape)
    return placed.on_print and can_be and ruled.confidence >= LIKELY


def _by_dice_and_lines(
    photo: Photo, drawings: Drawings, dice: list[Quad], likely: list[Quad], rows: int, columns: int
) -> PlacedDice | None:
    """Find the grid by dice and lines, assuming that most of the dice are on it."""
    shape = (photo.height, photo.width)
    lattice = _by_dice_alone(dice, likely, shape, rows, columns)
    printed = _printed(drawings, likely, rows, columns)
    if printed is None:
        return lattice
    standing = ground_points(printed.grid, dice)
    placed = place_in(printed.grid, standing, is_open=printed.is_open)
    plausible = bool(likely) and is_plausible(printed.grid, dice, placed.cells, shape)
    believed = plausible and printed.firm
    if believed and _goes_on(printed.grid, standing):
        believed = is_parted(printed.drawing, printed.grid, dice)
    placed = replace(placed, on_print=True, believed=believed)
    if lattice is not None:
        lattice = _turned_like(lattice, placed)
    if printed.is_open:
        plausible = plausible and _in_sight(printed.grid, shape)
        return _among_open_cells(placed, lattice, len(likely), plausible=plausible)
    if lattice is None or not _contradicts(lattice, dice, placed):
        return placed
    return replace(placed, disputed=_differing(placed, lattice))


def _in_sight(grid: Grid, shape: tuple[int, int]) -> bool:
    """Return True if the middles of all cells are on a photo of *shape* (h, w)."""
    middles = itertools.product(range(grid.columns), range(grid.rows))
    x, y = grid.to_px.apply(np.array(list(middles), np.float64) + 0.5).T
    return bool((np.minimum(x, y) >= 0).all() and (x < shape[1]).all() and (y < shape[0]).all())


def _among_open_cells(
    placed: PlacedDice, lattice: PlacedDice | None, likely: int, *, plausible: bool
) -> PlacedDice:
    """Choose between a grid of four lines without a frame and the lattice of the dice.

    Four lines are a guess. It is believed if many dice have a cell each, or if fewer form the same
    grid by themselves. If dice in every row and column form another grid, that one may be better.
    """
    if lattice is None or not lattice.spans:
        each = placed.held == len(set(placed.cells)) == len(placed.cells)
        witnessed = plausible and each and likely >= FEWEST_WITNESSES
        return replace(placed, believed=witnessed)
    differs = _differing(placed, lattice)
    if any(differs) and lattice.cells.count(None) < placed.cells.count(None):
        return replace(lattice, disputed=differs) if lattice.believed else lattice
    witnesses = likely >= FEWEST_WITNESSES or lattice.believed
    return replace(placed, believed=plausible and witnesses and not any(differs))


def _differing(placed: PlacedDice, other: PlacedDice) -> tuple[bool, ...]:
    """Return for each die whether its cells on two grids differ."""
    return tuple(map(operator.ne, placed.cells, other.cells))


def _goes_on(grid: Grid, standing: Points) -> bool:
    """Return True if a die is where the next cell beside a grid would be: the grid may be larger.

    This is checked because nobody is asked about dice beside a grid.
    """
    places = grid.places(standing)
    beyond = np.maximum(-places, places - (grid.columns, grid.rows)).max(axis=1)
    return bool(((beyond > 0) & (beyond < 1)).any())


def _alike(grid: Grid, other: Grid) -> bool:
    """Return True if two grids are the same in some orientation."""
    ring, corners = grid.corners.array, other.corners.array
    side = grid.corners.side / min(grid.rows, grid.columns)
    away = [np.abs(np.roll(ring, turn, axis=0) - corners).max() for turn in range(4)]
    return bool(min(away) < SAME_GRID * side)


@dataclass(frozen=True, slots=True, eq=False)
class _Printed:
    """A grid found by its lines, straight or wavering."""

    grid: Grid
    drawing: Drawing  # on which it was found
    firm: bool  # certain enough to be believed if the dice agree
    is_open: bool  # without a frame


def _printed(drawings: Drawings, dice: list[Quad], rows: int, columns: int) -> _Printed | None:
    """Find the grid by its lines.

    Four crossing lines without a frame are on many tables, so such a grid is a guess. A grid with
    faint lines, found on smaller pictures, needs as many dice as span a lattice.
    """
    for view in VIEWS:
        drawing = drawings(*view)
        grid = find_printed_grid(drawing, dice, rows, columns)
        if grid is not None:
            firm = view == VIEWS[0] or len(dice) >= FEWEST
            return _Printed(grid, drawing, firm, is_open=False)
    if (rows, columns) != OPEN:
        return None
    grid = find_open_grid((drawings(*view) for view in VIEWS), dice)
    return None if grid is None else _Printed(grid, drawings(*VIEWS[0]), firm=False, is_open=True)


def _by_dice_alone(
    dice: list[Quad], likely: list[Quad], shape: tuple[int, int], rows: int, columns: int
) -> PlacedDice | None:
    """Assign all dice to the grid formed by the likely ones; None if they form none.

    It is believed if the dice fit their cells and are of equal size.
    """
    centers = np.array([die.center for die in likely]).reshape(-1, 2)
    lattice = place_on_lattice(centers, rows, columns)
    if lattice is None:
        return None
    placed = place_in(lattice.grid, np.array([die.center for die in dice]))
    fits = is_plausible(lattice.grid, dice, placed.cells, shape)
    return replace(placed, believed=fits and not is_loose(lattice.grid, lattice.cells))


def _turned_like(lattice: PlacedDice, placed: PlacedDice) -> PlacedDice:
    """Turn a lattice so that most of its cells are those of another grid.

    The dice alone do not determine the orientation.
    """
    rows, columns = lattice.grid.rows, lattice.grid.columns
    best, most = lattice, -1
    for quarters in range(0, 4, 1 if rows == columns else 2):
        turned = _turned(lattice, quarters)
        alike = sum(map(operator.eq, turned.cells, placed.cells))
        if alike > most:
            best, most = turned, alike
    return best


def _turned(lattice: PlacedDice, quarters: int) -> PlacedDice:
    """Return the same grid with cells counted from another corner, quarter turns further."""
    if not quarters:
        return lattice
    last = lattice.grid.columns - 1
    cells = tuple(None if cell is None else (last - cell[1], cell[0]) for cell in lattice.cells)
    return _turned(replace(lattice, grid=lattice.grid.turned(), cells=cells), quarters - 1)


def _contradicts(lattice: PlacedDice, dice: list[Quad], placed: PlacedDice) -> bool:
    """Return True if the dice alone form a grid that fits them better than the printed one."""
    if lattice.held < FEWEST_WITNESSES or not lattice.spans:
        return False
    centers, standing = np.array([die.center for die in dice]), ground_points(placed.grid, dice)
    by_print = support(placed.grid, standing)
    return support(lattice.grid, centers) > by_print + CONTRADICTION


def place_on_lattice(centers: Points, rows: int, columns: int) -> PlacedDice | None:
    """Fit a grid of *rows* x *columns* to dice at (N, 2) px; None if they form none.

    The first row is the upper one on the photo. If a whole outer row or column is empty, the dice
    do not show on which side it is.
    """
    grid = grid_through(centers, rows, columns)
    return None if grid is None else place_in(grid, centers)


def place_in(grid: Grid, centers: Points, *, is_open: bool = False) -> PlacedDice:
    """Assign each of (N, 2) px to a cell of *grid*; outer cells of an open grid have no ends."""
    spots = grid.places(centers)
    if is_open:
        spots = in_open_cells(grid, spots)
    cells = [
        (int(y), int(x)) if inside else None
        for (x, y), inside in zip(spots, grid.holds(spots), strict=True)
    ]
    off = np.abs(spots - np.floor(spots) - 0.5).max(axis=1)
    between = tuple(bool(o > ON_LINE) for o in off)
    return PlacedDice(grid, tuple(cells), between, is_open=is_open)
