"""Stage 4: put the dice into the cells of a ruled grid.

In: a photo and the faces on it. Out: a `Grid` and a cell for each face. Where the printed lines
are found, a die belongs to the cell it stands in. Otherwise the dice form a lattice themselves; it
is found whatever is missing or lies beside it, and it lies at the height of the upper faces.
"""

from __future__ import annotations

import itertools
import operator
from dataclasses import dataclass, replace

import numpy as np

from vision.boards.free_lattice import FEWEST, grid_through, support
from vision.boards.ground_points import ground_points, hidden_by
from vision.boards.kept_print import MARK, KeptPlace, squares_around
from vision.boards.open_grid import CELLS, find_open_grid, in_open_cells
from vision.boards.plausible import is_loose, is_plausible
from vision.boards.printed_grid import (
    VIEWS,
    Drawing,
    Drawings,
    drawings_of,
    find_printed_grid,
    is_parted,
)
from vision.boards.ruled_grid import ENOUGH, LIKELY, RuledGrid, find_ruled_grid
from vision.decode import Photo
from vision.geometry import Floats, Grid, Points, Quad

LEAST_WITNESS = 0.5  # confidence; a die that is none would hide the print and lie off the board
FEWEST_WITNESSES = 6  # dice whose lattice may contradict the printed lines
CONTRADICTION = 0.5  # dice more that it then places well; turned boards have many lattices as good
OPEN = (CELLS, CELLS)  # rows and columns of grids that people draw without a frame
SAME_GRID = 0.3  # of a cell's side, by which the corners of two guesses of one grid differ
ON_LINE = 0.42  # cells from a cell's middle, along one axis: the die may belong to two cells


LatticeCells = tuple[tuple[int, int] | None, ...]  # row, column; None lies off the grid


@dataclass(frozen=True, slots=True, eq=False)
class PlacedDice:
    """A grid and where each die lies in it."""

    grid: Grid
    cells: LatticeCells
    between: tuple[bool, ...]  # near a line, so that the cell is a guess
    on_print: bool = False  # by the printed lines; otherwise by the dice alone
    disputed: tuple[bool, ...] = ()  # the dice among themselves say another cell than the print
    believed: bool = True  # a camera can see it so, and the dice on it agree
    is_open: bool = False  # its outer cells have no end
    outline: Quad | None = None  # px, of the outer lines as they are; a grid is a plane

    @property
    def is_print(self) -> bool:
        """Say whether it is a framed grid by its lines that nothing speaks against."""
        firm = self.on_print and self.believed and not self.is_open
        return firm and not any(self.disputed)

    @property
    def held(self) -> int:
        """Return how many dice lie in cells."""
        return sum(cell is not None for cell in self.cells)

    @property
    def spans(self) -> bool:
        """Say whether dice lie in every row and in every column."""
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
    """Find the grid on *photo* and the cells of the *dice* on it; None if there is no grid.

    Dice of (n,) *confidence* below LEAST_WITNESS do not speak for a printed grid. Where few do, the
    board may be empty and they lie beside it: then a grid whose lines are there from end to end is
    believed more than one that most of the dice stand on. One that is *kept* of the frames before,
    and whose crossings look as they did, lies there still.
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
    """Return (n, 4, 2) px of `photo.bgr`, squares around the crossings that no die hides."""
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
    """Return the cells of dice on a grid that was found by its lines alone."""
    return place_in(ruled.grid, ground_points(ruled.grid, dice), is_open=not ruled.framed)


def _say_the_same(placed: PlacedDice, ruled: RuledGrid, dice: list[Quad]) -> bool:
    """Say whether each die has the cell on a ruled grid, in some turn of it, that it has anyhow."""
    return placed.held > 0 and _turned_like(_on_ruled(ruled, dice), placed).cells == placed.cells


def _seconded(
    placed: PlacedDice, ruled: RuledGrid, dice: list[Quad], shape: tuple[int, int]
) -> bool:
    """Say whether lines alone lead to the cells that dice and lines together lead to."""
    grids = (placed.grid, ruled.grid)
    can_be = all(is_plausible(grid, dice, placed.cells, shape) for grid in grids)
    can_be = can_be and _in_sight(placed.grid, shape)
    return placed.on_print and can_be and ruled.confidence >= LIKELY


def _by_dice_and_lines(
    photo: Photo, drawings: Drawings, dice: list[Quad], likely: list[Quad], rows: int, columns: int
) -> PlacedDice | None:
    """Return the cells of dice of which most stand on the grid."""
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
    """Say whether a photo of *shape* (h, w) shows the middles of all cells: a die may lie there."""
    middles = itertools.product(range(grid.columns), range(grid.rows))
    x, y = grid.to_px.apply(np.array(list(middles), np.float64) + 0.5).T
    return bool((np.minimum(x, y) >= 0).all() and (x < shape[1]).all() and (y < shape[0]).all())


def _among_open_cells(
    placed: PlacedDice, lattice: PlacedDice | None, likely: int, *, plausible: bool
) -> PlacedDice:
    """Return the cells of dice among four lines, which are a guess that dice may witness.

    Many do that have a cell each, and fewer that form the same grid by themselves. Where dice in
    every row and every column form another one, they may tell more.
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
    """Return of which dice two grids tell other cells."""
    return tuple(map(operator.ne, placed.cells, other.cells))


def _goes_on(grid: Grid, standing: Points) -> bool:
    """Say whether a die stands where the next cell beside a grid would be: it may be a larger one.

    Of dice beside a grid nothing is asked.
    """
    places = grid.places(standing)
    beyond = np.maximum(-places, places - (grid.columns, grid.rows)).max(axis=1)
    return bool(((beyond > 0) & (beyond < 1)).any())


def _alike(grid: Grid, other: Grid) -> bool:
    """Say whether two grids are one, however they are turned."""
    ring, corners = grid.corners.array, other.corners.array
    side = grid.corners.side / min(grid.rows, grid.columns)
    away = [np.abs(np.roll(ring, turn, axis=0) - corners).max() for turn in range(4)]
    return bool(min(away) < SAME_GRID * side)


@dataclass(frozen=True, slots=True, eq=False)
class _Printed:
    """A grid by its lines, straight or wavering."""

    grid: Grid
    drawing: Drawing  # that it was found on
    firm: bool  # that dice may witness it
    is_open: bool  # without a frame


def _printed(drawings: Drawings, dice: list[Quad], rows: int, columns: int) -> _Printed | None:
    """Return the grid by its lines.

    Four lines without a frame cross on many tables: such a grid is a guess. Faint lines, looked for
    on smaller pictures, need as many dice as would span a lattice.
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
    """Return the cells of all dice on the grid that the likely ones form; None if they form none.

    It is believed where they fit, each to its cell and to the others' size.
    """
    centers = np.array([die.center for die in likely]).reshape(-1, 2)
    lattice = place_on_lattice(centers, rows, columns)
    if lattice is None:
        return None
    placed = place_in(lattice.grid, np.array([die.center for die in dice]))
    fits = is_plausible(lattice.grid, dice, placed.cells, shape)
    return replace(placed, believed=fits and not is_loose(lattice.grid, lattice.cells))


def _turned_like(lattice: PlacedDice, placed: PlacedDice) -> PlacedDice:
    """Return a lattice turned so that its cells are most like those of another grid.

    Dice alone do not tell which of the sides is the upper one.
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
    """Return the same grid with its cells counted from another corner."""
    if not quarters:
        return lattice
    last = lattice.grid.columns - 1
    cells = tuple(None if cell is None else (last - cell[1], cell[0]) for cell in lattice.cells)
    return _turned(replace(lattice, grid=lattice.grid.turned(), cells=cells), quarters - 1)


def _contradicts(lattice: PlacedDice, dice: list[Quad], placed: PlacedDice) -> bool:
    """Say whether dice among themselves form a grid that fits them better than the printed one."""
    if lattice.held < FEWEST_WITNESSES or not lattice.spans:
        return False
    centers, standing = np.array([die.center for die in dice]), ground_points(placed.grid, dice)
    by_print = support(placed.grid, standing)
    return support(lattice.grid, centers) > by_print + CONTRADICTION


def place_on_lattice(centers: Points, rows: int, columns: int) -> PlacedDice | None:
    """Fit a grid of *rows* x *columns* to dice at (N, 2) px; None if they form none.

    The first row is the upper one on the photo. Where a whole outer row or column is empty the
    dice cannot tell which.
    """
    grid = grid_through(centers, rows, columns)
    return None if grid is None else place_in(grid, centers)


def place_in(grid: Grid, centers: Points, *, is_open: bool = False) -> PlacedDice:
    """Assign each of (N, 2) px to a cell of *grid*; the outer cells of an open one have no end."""
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
