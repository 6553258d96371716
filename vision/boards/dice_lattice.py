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
from numpy.typing import NDArray

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
from vision.boards.ruled_grid import ENOUGH, LIKELY, find_ruled_grid
from vision.decode import Photo
from vision.geometry import Floats, Grid, Homography, Points, Quad

NEAR_NODE = 0.36  # cells; a die touching its cell's line lies 0.3 to 0.4 from the middle
ROUGH_NODE = 0.45  # the same before perspective is known
FEWEST = 4  # dice that span a lattice
LEAST_WITNESS = 0.5  # confidence; a die that is none would hide the print and lie off the board
FEWEST_WITNESSES = 6  # dice whose lattice may contradict the printed lines
CONTRADICTION = 0.5  # dice more that it then places well; turned boards have many lattices as good
MOST_SKEW = 2.2  # longer over shorter step of the lattice on the photo
OPEN = (CELLS, CELLS)  # rows and columns of grids that people draw without a frame
SAME_GRID = 0.3  # of a cell's side, by which the corners of two guesses of one grid differ
ON_LINE = 0.42  # cells from a cell's middle, along one axis: the die may belong to two cells


Cells = tuple[tuple[int, int] | None, ...]  # row, column; None lies off the grid


@dataclass(frozen=True, slots=True, eq=False)
class PlacedDice:
    """A grid and where each die lies in it."""

    grid: Grid
    cells: Cells
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
    ruled = _by_lines_alone(photo, drawings, dice, rows, columns, ENOUGH if likely else LIKELY)
    if ruled is not None and (placed is None or not _alike(placed.grid, ruled.grid)):
        return ruled
    if likely:
        return placed
    return _by_dice_and_lines(photo, drawings, dice, likely, rows, columns)


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
    if lattice is None:
        return placed
    lattice = _turned_like(lattice, placed)
    differs = tuple(map(operator.ne, placed.cells, lattice.cells))
    if not printed.is_open or not lattice.spans:
        return replace(placed, disputed=differs) if _contradicts(lattice, dice, placed) else placed
    # Four lines are a guess: dice in every row and every column may tell more.
    if any(differs) and lattice.cells.count(None) < placed.cells.count(None):
        return replace(lattice, disputed=differs) if lattice.believed else lattice
    witnessed = plausible and len(likely) >= FEWEST_WITNESSES and not any(differs)
    return replace(placed, believed=witnessed)


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


def _by_lines_alone(
    photo: Photo, drawings: Drawings, dice: list[Quad], rows: int, columns: int, least: float
) -> PlacedDice | None:
    """Return the cells of dice that do not tell where the grid lies; None where no lines do.

    It is a guess, of the *least* confidence or more.
    """
    ruled = find_ruled_grid(photo, rows, columns, drawings)
    if ruled is None or ruled.confidence < least:
        return None
    placed = place_in(ruled.grid, ground_points(ruled.grid, dice))
    return replace(placed, on_print=True, believed=False, outline=ruled.corners)


def _contradicts(lattice: PlacedDice, dice: list[Quad], placed: PlacedDice) -> bool:
    """Say whether dice among themselves form a grid that fits them better than the printed one."""
    if lattice.held < FEWEST_WITNESSES or not lattice.spans:
        return False
    centers, standing = np.array([die.center for die in dice]), ground_points(placed.grid, dice)
    by_print = _support(placed.grid, standing)
    return _support(lattice.grid, centers) > by_print + CONTRADICTION


def place_on_lattice(centers: Points, rows: int, columns: int) -> PlacedDice | None:
    """Fit a grid of *rows* x *columns* to dice at (N, 2) px; None if they form none.

    The first row is the upper one on the photo. Where a whole outer row or column is empty the
    dice cannot tell which.
    """
    best: tuple[float, Grid] | None = None
    if len(centers) < FEWEST:
        return None
    for origin, right, down in _bases(centers):
        grid = _refined(centers, origin, right, down, rows, columns)
        if grid is not None:
            value = _support(grid, centers)
            if best is None or value > best[0] + 1e-9:
                best = (value, grid)
    return None if best is None else place_in(best[1], centers)


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


def _bases(centers: Points) -> list[tuple[Floats, Floats, Floats]]:
    """Return (origin, step right, step down) for which three dice are neighbours."""
    found = []
    for o in range(len(centers)):
        steps = np.delete(centers, o, axis=0) - centers[o]
        steps = steps[np.argsort(np.linalg.norm(steps, axis=1), kind="stable")[:7]]
        rights = [s for s in steps if abs(s[1]) <= 1.05 * abs(s[0])]
        downs = [s for s in steps if abs(s[0]) <= 1.05 * abs(s[1])]
        for right, down in itertools.product(rights, downs):
            lengths = np.linalg.norm([right, down], axis=1)
            across = abs(right[0] * down[1] - right[1] * down[0]) / lengths.prod()
            if lengths.max() < MOST_SKEW * lengths.min() and across > 0.5:
                found.append((centers[o], right * np.sign(right[0]), down * np.sign(down[1])))
    return found


def _refined(
    centers: Points, origin: Floats, right: Floats, down: Floats, rows: int, columns: int
) -> Grid | None:
    """Grow a lattice from one corner of it, letting perspective in step by step."""
    steps = (centers - origin) @ np.linalg.inv(np.column_stack([right, down])).T
    node = np.round(steps)
    on = np.abs(steps - node).max(axis=1) < ROUGH_NODE
    node, on = _windowed(node, on, rows, columns)
    for _ in range(3):
        if _distinct(node[on]) < FEWEST:
            return None
        to_px = _fit(node[on] + 0.5, centers[on])
        if to_px is None:
            return None
        grid = Grid(rows, columns, to_px)
        places = grid.places(centers)
        node = np.floor(places)
        on = (np.abs(places - node - 0.5).max(axis=1) < NEAR_NODE) & grid.holds(places)
    return grid if _distinct(node[on]) >= FEWEST and _is_seen_from_above(grid) else None


def _windowed(
    node: Floats, on: NDArray[np.bool_], rows: int, columns: int
) -> tuple[Floats, NDArray[np.bool_]]:
    """Shift lattice numbers so that the window of rows x columns holds the most dice."""
    best, kept, shift = -1, on, np.zeros(2)
    for x, y in itertools.product(np.unique(node[on, 0]), np.unique(node[on, 1])):
        inside = on & (node >= (x, y)).all(axis=1) & (node < (x + columns, y + rows)).all(axis=1)
        if inside.sum() > best:
            best, kept, shift = int(inside.sum()), inside, np.array([x, y])
    return node - shift, kept


def _fit(places: Points, centers: Points) -> Homography | None:
    """Fit an affine map to few dice, a homography to many: few cannot tell perspective."""
    spans = min(len(np.unique(places[:, 0])), len(np.unique(places[:, 1])))
    if len(places) >= 6 and spans >= 3:
        return Homography.fit(places, centers)
    flat = np.column_stack([places, np.ones(len(places))])
    solution, _, rank, _ = np.linalg.lstsq(flat, centers, rcond=None)
    if rank < 3 or abs(np.linalg.det(solution[:2])) < 1e-6:
        return None
    error = float(np.sqrt(((flat @ solution - centers) ** 2).sum(axis=1).mean()))
    return Homography(np.vstack([solution.T, (0.0, 0.0, 1.0)]), error)


def _distinct(node: Floats) -> int:
    return len({(int(x), int(y)) for x, y in node})


def _support(grid: Grid, centers: Points) -> float:
    """Return the number of cells that hold a die, less how far the dice lie from the middles."""
    spots = grid.places(centers)
    node = np.floor(spots)
    off = np.abs(spots - node - 0.5).max(axis=1)
    on = (off < NEAR_NODE) & grid.holds(spots)
    loose = float((off[on] ** 2).mean()) if on.any() else 1.0
    # Four turns fit alike; the row that runs most across the photo is the row.
    left, right = grid.corners.array[:2]
    along = right - left
    turn = abs(float(np.arctan2(along[1], along[0])))
    return _distinct(node[on]) - 4 * loose - 0.3 * turn


def _is_seen_from_above(grid: Grid) -> bool:
    """Say whether the grid is neither mirrored nor folded through the horizon."""
    ring = grid.corners.array
    edges = np.roll(ring, -1, axis=0) - ring
    following = np.roll(edges, -1, axis=0)
    turns = edges[:, 0] * following[:, 1] - edges[:, 1] * following[:, 0]
    return bool((turns > 0).all())
