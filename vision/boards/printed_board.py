"""Locate a printed or taught board, and distinguish the dice on it from its print.

In: a photo and a `Look` with a layout. Out: the pose in px of the photo, and the cells of dice by
where they stand on the paper, whatever the shape of the cells.
"""

import itertools
from collections.abc import Sequence
from dataclasses import replace
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.board_profile import Profile
from vision.boards.agreement import EmptyBoard
from vision.boards.by_hand import set_by_hand
from vision.boards.dice_lattice import PlacedDice, place_in
from vision.boards.dice_on_grid import ground_points
from vision.boards.kept_print import MARK, KeptPrint
from vision.boards.marker_detector import any_markers
from vision.boards.pose import BoardPose, LocatedBoard, enlarged, find_board, locate_printed
from vision.boards.taught import find_taught, marks_of
from vision.faces.multiscale import IsPrint, KnownGround, PictureBox
from vision.geometry import Floats, Grid, Homography, Points, iou, sides_of
from vision.layout import CellId, Layout, cell_name, even_cells
from vision.photo import Grey, Photo
from vision.quad import Quad
from vision.reading import BoardReading, Face, Look
from vision.warnings import UNSEEN

PATCH = 20.0  # mm, side of the square by which the slant of the paper under a die is computed
EDGE = 0.08  # of a cell's side; a die closer to the edge may belong to the next cell
ON_MARKER = 4.0  # mm around a visible fiducial; a die there would hide it
FACE_MM = 15.0  # side of most dice; half a tile is a fourth larger
DIE_MM = (7.0, 32.0)  # smallest and largest side of a die's face; cells and frames are larger
LIKE_CELL = 0.6  # IoU with a cell from which a place is that cell; usual dice have 0.4 at most
AROUND = 0.05  # of a taught board's size, how far around it small dice are looked for
UNEVEN = 1.05  # ratio of the largest and the smallest cell from which cells are of unequal size
NOWHERE: Floats = np.zeros((0, 4, 2))


def locate_board(photo: Photo, look: Look, kept: KeptPrint | None = None) -> LocatedBoard:
    """Locate the look's board, in px of the photo.

    There is no warning about a missing board for a grid, which may be a person's own without
    fiducials, nor for loose dice, which need no board.

    Args:
        photo: with the board.
        look: what is looked for; without a layout nothing is located.
        kept: print found on earlier frames of the same camera.

    Raises:
        Unreadable: no camera can see a board at the corners that a person set.
    """
    if look.layout is None:
        return LocatedBoard(None)
    grey = photo.grey()
    if kept is None:
        return _located(photo, grey, look)

    def find() -> tuple[LocatedBoard, Floats]:
        located = _located(photo, grey, look)
        if located.pose is not None and located.pose.fiducials:
            return located, located.pose.fiducials_px / photo.scale
        if located.pose is not None and look.profile is not None:
            return located, marks_of(look.profile, located.pose, MARK * photo.scale) / photo.scale
        return located, NOWHERE

    located, visible = kept.board.get((look.layout, look.profile, look.corners), grey, find)
    if located.said or located.pose is None or not located.pose.sure:
        kept.board.forget()  # the next frame may show what a hand hides on this one
        return located
    return replace(located, pose=_showing(located.pose, visible))


def _showing(pose: BoardPose, visible: NDArray[np.bool_]) -> BoardPose:
    """Return the pose with the *visible* (n,) fiducials only: nothing covers these."""
    return replace(pose, fiducials=tuple(itertools.compress(pose.fiducials, visible)))


def _located(photo: Photo, grey: Grey, look: Look) -> LocatedBoard:
    assert look.layout is not None
    is_beside = look.kind == "dice"
    if look.corners is not None:
        return set_by_hand(photo, grey, look.layout, look.corners, look.profile)
    if look.profile is not None:
        located = find_taught(grey, look.profile)
    else:
        thorough = look.grid is None and not is_beside
        located = locate_printed(grey, look.layout, thorough=thorough, beside=look.mats)
    if located.pose is None:
        on_mat = any(locate_printed(grey, mat, thorough=False).pose for mat in look.mats)
        unsaid = look.grid is not None or is_beside or located.said or on_mat
        return LocatedBoard(None, located.said if unsaid else (UNSEEN,))
    return replace(located, pose=enlarged(located.pose, photo.scale))


def board_at(pose: BoardPose | None, layout: Layout | None) -> BoardReading | None:
    """Return the pose as a reading's board."""
    if pose is None or layout is None:
        return None
    return BoardReading(layout.board, pose.corners, pose.error_px)


def cells_of(board: BoardReading | None, layout: Layout | None) -> dict[CellId, Quad]:
    """Return the cells of a board on the photo, px, if its layout is known or it is a grid."""
    if board is None:
        return {}
    if layout is None and (grid := Look.parse(board.name).grid if is_grid(board.name) else None):
        layout = even_cells(board.name, (float(grid[1]), float(grid[0])), *grid)
    if layout is None:
        return {}
    found = layout.cells_at(board.corners.array)
    return {one.cell: quad for one, quad in zip(layout.cells, found, strict=False)}


def is_grid(name: str) -> bool:
    """Return True if a board's name is that of a ruled grid."""
    return name.startswith("grid:")


def grid_at(
    pose: BoardPose, layout: Layout, rows: int, columns: int, dice: list[Quad]
) -> PlacedDice:
    """Assign dice to the cells of a printed grid, which are named (row, column)."""
    names = np.array([cell.cell for cell in layout.cells], np.float64)
    around = np.array([(0, 0), (1, 0), (1, 1), (0, 1)])
    places = (names[:, None, ::-1] + around).reshape(-1, 2)
    corners = np.array([cell.polygon for cell in layout.cells]).reshape(-1, 2)
    to_mm = Homography.fit(places, corners)
    assert to_mm is not None  # the print's own cells
    to_px = Homography(pose.homography.matrix @ to_mm.matrix, pose.error_px)
    grid = Grid(rows, columns, to_px)
    feet = ground_points(grid, dice)
    placed = replace(place_in(grid, feet), on_print=True)
    sides = [Quad(cell.polygon).side for cell in layout.cells]
    if max(sides) < UNEVEN * min(sides):
        return placed
    # Cells of a person's own board may be of different sizes, so they are not a regular lattice.
    at_mm = pose.homography.inverse().apply(feet)
    stands = [_cell_at(layout, at) for at in at_mm]
    return replace(
        placed,
        cells=tuple(None if cell is None else (int(cell[0]), int(cell[1])) for cell, _ in stands),
        between=tuple(near_edge for _, near_edge in stands),
    )


def _cell_at(layout: Layout, at: Points) -> tuple[CellId | None, bool]:
    """Return the cell or area at a place of the paper (None: neither), and if its edge is near."""
    places = (*layout.cells, *layout.areas)
    depths = [_depth(cell.polygon, at) for cell in places]
    best = int(np.argmax(depths))
    near_edge = abs(depths[best]) < EDGE * Quad(places[best].polygon).side
    return (places[best].cell if depths[best] >= 0 else None), near_edge


def printed_cells(
    pose: BoardPose | None, layout: Layout | None, quads: Sequence[Quad]
) -> frozenset[int]:
    """Return the indices of places that are printed cells with their contents, not faces.

    Only for doubtful places: a large die may fill its cell as well. For example a star printed in a
    cell was read as a five.
    """
    if pose is None or layout is None or not pose.sure or not quads:
        return frozenset()
    to_mm = pose.homography.inverse()
    cells = [np.array(cell.polygon) for cell in layout.cells]
    shapes = [to_mm.apply(quad.array) for quad in quads]
    return frozenset(
        i
        for i, shape in enumerate(shapes)
        if any(iou(Quad.around(shape).array, cell) >= LIKE_CELL for cell in cells)
    )


def printed(pose: BoardPose | None, quads: Sequence[Quad]) -> frozenset[int]:
    """Return the indices of faces that are the board's print: fiducials, cells and frames."""
    if pose is None or not pose.sure or not pose.fiducials or not quads:
        return frozenset()  # without fiducials the size of the board is unknown
    to_mm = pose.homography.inverse()
    shapes = to_mm.apply(np.array([quad.array for quad in quads]).reshape(-1, 2)).reshape(-1, 4, 2)
    # A face is above the paper and so nearer to the camera, which makes it a little larger.
    sides = sides_of(shapes)
    middles = to_mm.apply(np.array([quad.center for quad in quads]))
    markers = np.array([one.corners for one in pose.fiducials])
    reach = np.linalg.norm(markers - markers.mean(axis=1, keepdims=True), axis=2).max(axis=1)
    away = np.linalg.norm(middles[:, None] - markers.mean(axis=1), axis=2)
    return frozenset(
        i
        for i, (side, at) in enumerate(zip(sides, middles, strict=True))
        if not DIE_MM[0] <= side <= DIE_MM[1]
        or any(
            _depth(markers[k], at) >= -ON_MARKER
            for k in np.flatnonzero(away[i] <= reach + ON_MARKER)
        )
    )


def marked(pose: BoardPose | None, layout: Layout | None, quads: Sequence[Quad]) -> frozenset[int]:
    """Return the indices of faces that are in cells for marks: filled cells, for example."""
    if pose is None or layout is None or not quads:
        return frozenset()
    middles = pose.homography.inverse().apply(np.array([quad.center for quad in quads]))
    shapes = [np.array(cell.polygon, np.float32) for cell in layout.cells if cell.marks]
    return frozenset(
        i
        for i, (x, y) in enumerate(middles)
        if any(cv2.pointPolygonTest(shape, (float(x), float(y)), False) >= 0 for shape in shapes)
    )


def beside(pose: BoardPose | None, layout: Layout | None, quads: Sequence[Quad]) -> frozenset[int]:
    """Return the indices of places beside the board; no piece on the board is missed there."""
    if pose is None or layout is None or not pose.sure or not quads:
        return frozenset()
    rim = [layout.outline, *(np.array(one.corners) for one in layout.fiducials)]
    hull: Floats = cv2.convexHull(np.concatenate(rim).astype(np.float32)).astype(np.float64)
    middles = pose.homography.inverse().apply(np.array([quad.center for quad in quads]))
    return frozenset(i for i, at in enumerate(middles) if _depth(hull, at) < 0)


def ground_of(
    photo: Photo, pose: BoardPose | None, look: Look, kept: KeptPrint | None = None
) -> KnownGround:
    """Return what is known of the surface under the pieces, in px of the decoded photo.

    Other printed pages may be on the table too. The board itself counts as one of them if its pose
    is doubtful or its size unknown.
    """
    layout, kept = look.layout, kept or KeptPrint()
    any_page = _any_page(photo, look.pages, kept)
    if pose is not None and pose.sure and look.profile is not None:
        return _taught_ground(photo, pose, look.profile, any_page)
    if pose is None or layout is None or not pose.sure or not pose.fiducials:
        return KnownGround(any_page)
    is_other = _any_page(photo, look.pages, kept, certain=True)
    middle = layout.outline.mean(axis=0) + FACE_MM / 2 * np.array(
        [(-1, -1), (1, -1), (1, 1), (-1, 1)]
    )
    side = Quad.around(pose.homography.apply(middle)).side / photo.scale

    def is_print(quads: Floats) -> NDArray[np.bool_]:
        found = [Quad.around(one).scaled(photo.scale) for one in quads]
        return np.isin(np.arange(len(found)), list(printed(pose, found)))

    def is_ink(quads: Floats) -> NDArray[np.bool_]:
        found = [Quad.around(one).scaled(photo.scale) for one in quads]
        return np.isin(np.arange(len(found)), list(marked(pose, layout, found)))

    def is_page(quads: Floats) -> NDArray[np.bool_]:
        """Search for other pages only if there is a candidate beside the board."""
        found = [Quad.around(one).scaled(photo.scale) for one in quads]
        away = np.array(sorted(beside(pose, layout, found)), np.intp)
        is_print_there = np.zeros(len(quads), np.bool_)
        if len(away):
            is_print_there[away] = is_other(quads[away])
        return is_print_there

    return KnownGround(is_page, side, is_print, is_ink)


def _taught_ground(
    photo: Photo, pose: BoardPose, profile: Profile, is_page: IsPrint
) -> KnownGround:
    """Return the ground on a taught board: what looks as on the empty one is its print."""
    plane = pose.homography.enlarged(1 / photo.scale)
    outline = plane.apply(profile.layout.outline)
    low, far = outline.min(axis=0), outline.max(axis=0)
    beside = AROUND * (far - low)
    size = photo.bgr.shape[1::-1]
    left, top = np.clip(low - beside, 0, size).astype(int).tolist()
    right, bottom = np.clip(far + beside, 0, size).astype(int).tolist()
    empty = EmptyBoard(photo.grey(), profile, plane)

    def small() -> PictureBox | None:
        return None if empty.is_bare else (left, top, right, bottom)

    return KnownGround(is_page, is_print=empty.shows, small=small)


def _any_page(
    photo: Photo, pages: Sequence[Layout], kept: KeptPrint, *, certain: bool = False
) -> IsPrint:
    """Return a test for quads that are markers of any page, or print of the known *pages*.

    With *certain* there surely are markers, which saves a first pass.
    """

    @cache
    def there() -> tuple[Floats, list[BoardPose]]:
        """Return the corners of the visible markers, and the poses of the pages."""
        grey = photo.grey()

        def find() -> tuple[tuple[Floats, list[BoardPose]], Floats]:
            found = any_markers(grey, certain=certain)
            found_ids = set(found.ids.tolist())
            near = (page for page in pages if found_ids & {one.id for one in page.fiducials})
            poses = [pose for page in near if (pose := find_board(grey, page)) is not None]
            corners = np.concatenate([found.corners, *(pose.fiducials_px for pose in poses)])
            return (corners, poses), corners

        (corners, poses), shown = kept.pages.get(pages, grey, find)
        if not all(pose.sure for pose in poses):
            kept.pages.forget()
        own = [len(pose.fiducials) for pose in poses]
        _, *parts = np.split(shown, np.cumsum([len(corners) - sum(own), *own])[:-1])
        return corners[shown], [_showing(*both) for both in zip(poses, parts, strict=True)]

    def is_page(quads: Floats) -> NDArray[np.bool_]:
        markers, poses = there()
        no_pieces = [printed(pose, [Quad.around(one) for one in quads]) for pose in poses]
        for i, quad in enumerate(quads):
            if any(_on_marker(quad, marker) for marker in markers):
                no_pieces.append(frozenset([i]))
        return np.isin(np.arange(len(quads)), list(frozenset().union(*no_pieces)))

    return is_page


def _on_marker(quad: Floats, marker: Floats) -> bool:
    """Return True if a quad contains a visible marker or is inside one: a piece would hide it."""
    return all(_depth(quad, at) >= 0 for at in marker) or _depth(marker, quad.mean(axis=0)) >= 0


def _depth(polygon: Sequence[tuple[float, float]] | Floats, at: Points) -> float:
    """Return the distance of a point from the edge of a polygon, in its units; < 0 is outside."""
    shape = np.array(polygon, np.float32).reshape(-1, 1, 2)
    return float(cv2.pointPolygonTest(shape, (float(at[0]), float(at[1])), True))


def in_layout(
    dice: list[Face], pose: BoardPose | None, layout: Layout
) -> tuple[list[Face], list[str]]:
    """Return the dice with their cells, in the order of the cells, and warnings.

    If the pose is not sure, no die with a cell is sure.
    """
    if pose is None or not layout.cells or not dice:
        return dice, []
    places = (*layout.cells, *layout.areas)
    order = {cell.cell: number for number, cell in enumerate(places)}
    placed, between = [], []
    for die, (cell, near_edge) in zip(dice, _standing(dice, pose, layout), strict=True):
        certain = pose.sure and not near_edge
        placed.append(replace(die, cell=cell, sure=die.sure and (certain or cell is None)))
        if near_edge and cell is not None:
            between.append(places[order[cell]].label or cell_name(cell))
    placed.sort(key=lambda die: (order.get(die.cell or (), len(order)), die.center))
    return placed, [
        f"A die lies on the edge of its place ({label}). Push it into one place."
        for label in dict.fromkeys(between)
    ]


def _standing(
    dice: list[Face], pose: BoardPose, layout: Layout
) -> list[tuple[CellId | None, bool]]:
    """Return each die's cell (None: beside all), and whether it is close to the edge of a cell."""
    patch = np.diag([PATCH, PATCH, 1.0])
    plane = Grid(1, 1, Homography(pose.homography.matrix @ patch, pose.error_px))
    feet = plane.places(ground_points(plane, [die.quad for die in dice])) * PATCH
    return [_cell_at(layout, at) for at in feet]
