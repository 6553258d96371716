"""A printed board that the look knows: find it, and tell the dice on it from its print.

In: a photo and a `Look` with a layout. Out: the pose in px of the photo, and the cells of dice by
where they stand on the paper, whatever shape the board's cells have.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import replace
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.board_profile import even_cells
from vision.boards.by_hand import set_by_hand
from vision.boards.dice_lattice import PlacedDice, place_in
from vision.boards.ground_points import ground_points
from vision.boards.kept_print import MARK, KeptPrint
from vision.boards.marker_detector import any_markers
from vision.boards.marks import marked
from vision.boards.pose import BoardPose, LocatedBoard, enlarged, find_board, locate_printed
from vision.boards.taught import find_taught, marks_of
from vision.decode import Grey, Photo
from vision.faces.multiscale import IsPrint, KnownGround
from vision.geometry import Floats, Grid, Homography, Points, Quad, iou, sides_of
from vision.layout import CellId, Layout, cell_name
from vision.reading import BoardReading, Face, Look

PATCH = 20.0  # mm; the cell by which the slant of the paper is judged under a die
EDGE = 0.08  # of a cell's side: so near to its edge a die may belong to the next one
ON_MARKER = 4.0  # mm beyond a fiducial that is seen: a die there would hide it
FACE_MM = 15.0  # of most dice; half of a tile is a fourth larger
DIE_MM = (7.0, 32.0)  # least and most side of a die's face; cells and frames are larger
LIKE_CELL = 0.6  # IoU from which a place is a cell: of usual dice in it at most 0.4
UNEVEN = 1.05  # side of the largest cell over that of the smallest
NOWHERE: Floats = np.zeros((0, 4, 2))
UNSEEN = "The board was not found. Show all of it, flat, with the black squares around it."


def locate_board(photo: Photo, look: Look, kept: KeptPrint | None = None) -> LocatedBoard:
    """Return where the look's board lies in px of the photo; nothing where it knows none.

    A grid may also be somebody's own without fiducials, and where loose dice are looked for a board
    may lie beside them or not: then nothing is said. What is *kept* of frames before may tell it.

    Raises:
        Unreadable: no camera sees a board at the corners that a person set.
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

    located, seen = kept.board.get((look.layout, look.profile, look.corners), grey, find)
    if located.said or located.pose is None or not located.pose.sure:
        kept.board.forget()  # a hand may have hidden what the next frame shows
        return located
    return replace(located, pose=_showing(located.pose, seen))


def _showing(pose: BoardPose, seen: NDArray[np.bool_]) -> BoardPose:
    """Return a pose with those fiducials only that are *seen*, (n,): nothing lies on these."""
    return replace(pose, fiducials=tuple(itertools.compress(pose.fiducials, seen)))


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
    """Return the board for a reading."""
    if pose is None or layout is None:
        return None
    return BoardReading(layout.board, pose.corners, pose.error_px)


def cells_of(board: BoardReading | None, layout: Layout | None) -> dict[CellId, Quad]:
    """Return the cells of a board on the photo, where its *layout* is known or it is a grid."""
    if board is None:
        return {}
    if layout is None and (grid := Look.parse(board.name).grid if is_grid(board.name) else None):
        layout = even_cells(board.name, (float(grid[1]), float(grid[0])), *grid)
    if layout is None:
        return {}
    found = layout.cells_at(board.corners.array)
    return {one.cell: quad for one, quad in zip(layout.cells, found, strict=False)}


def is_grid(name: str) -> bool:
    """Say whether a board's name is that of a ruled grid."""
    return name.startswith("grid:")


def grid_at(
    pose: BoardPose, layout: Layout, rows: int, columns: int, dice: list[Quad]
) -> PlacedDice:
    """Return the cells of dice on a printed grid, whose cells are named (row, column)."""
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
    # Cells that a person laid may be of any size: no one plane has them at steps of one.
    at_mm = pose.homography.inverse().apply(feet)
    stands = [_cell_at(layout, at) for at in at_mm]
    return replace(
        placed,
        cells=tuple(None if cell is None else (int(cell[0]), int(cell[1])) for cell, _ in stands),
        between=tuple(near_edge for _, near_edge in stands),
    )


def _cell_at(layout: Layout, at: Points) -> tuple[CellId | None, bool]:
    """Return the cell or area at a place of the paper, None beside all, and if its edge is near."""
    places = (*layout.cells, *layout.areas)
    depths = [_depth(cell.polygon, at) for cell in places]
    best = int(np.argmax(depths))
    near_edge = abs(depths[best]) < EDGE * Quad(places[best].polygon).side
    return (places[best].cell if depths[best] >= 0 else None), near_edge


def printed_cells(
    pose: BoardPose | None, layout: Layout | None, quads: Sequence[Quad]
) -> frozenset[int]:
    """Return which places that may be faces are a printed cell each, with what stands in it.

    Only for places that would be asked about, or are hardly believed: a large die may fill its
    cell, but the star printed in one was taken for a five.
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
    """Return which faces are no pieces but the board's print: its fiducials, cells and frames."""
    if pose is None or not pose.sure or not pose.fiducials or not quads:
        return frozenset()  # of a board of no known size nothing is too large
    to_mm = pose.homography.inverse()
    shapes = to_mm.apply(np.array([quad.array for quad in quads]).reshape(-1, 2)).reshape(-1, 4, 2)
    # A face lies above the paper and is nearer to the camera, which makes it a little larger.
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


def beside(pose: BoardPose | None, layout: Layout | None, quads: Sequence[Quad]) -> frozenset[int]:
    """Return which places that may be faces lie beside the board: where nothing on it is missed."""
    if pose is None or layout is None or not pose.sure or not quads:
        return frozenset()
    rim = [layout.outline, *(np.array(one.corners) for one in layout.fiducials)]
    hull: Floats = cv2.convexHull(np.concatenate(rim).astype(np.float32)).astype(np.float64)
    middles = pose.homography.inverse().apply(np.array([quad.center for quad in quads]))
    return frozenset(i for i, at in enumerate(middles) if _depth(hull, at) < 0)


def ground_of(
    photo: Photo, pose: BoardPose | None, look: Look, kept: KeptPrint | None = None
) -> KnownGround:
    """Return what a board that was found tells of the pieces; px of the photo as it was decoded.

    Any other of our pages may lie there too. The board itself is one of them where its place is in
    doubt, or its size is not known.
    """
    layout, kept = look.layout, kept or KeptPrint()
    if pose is None or layout is None or not pose.sure or not pose.fiducials:
        return KnownGround(_any_page(photo, look.pages, kept))
    is_other = _any_page(photo, look.pages, kept, seen=True)
    middle = layout.outline.mean(axis=0) + FACE_MM / 2 * np.array(
        [(-1, -1), (1, -1), (1, 1), (-1, 1)]
    )
    side = Quad.around(pose.homography.apply(middle)).side / photo.scale

    def is_print(quads: Floats) -> NDArray[np.bool_]:
        found = [Quad.around(one).scaled(photo.scale) for one in quads]
        no_pieces = printed(pose, found) | marked(pose, layout, found)
        return np.isin(np.arange(len(found)), list(no_pieces))

    def is_page(quads: Floats) -> NDArray[np.bool_]:
        """Look for other pages only where something lies beside the board's own."""
        found = [Quad.around(one).scaled(photo.scale) for one in quads]
        away = np.array(sorted(beside(pose, layout, found)), np.intp)
        told = np.zeros(len(quads), np.bool_)
        if len(away):
            told[away] = is_other(quads[away])
        return told

    return KnownGround(is_page, side, is_print)


def _any_page(
    photo: Photo, pages: Sequence[Layout], kept: KeptPrint, *, seen: bool = False
) -> IsPrint:
    """Return what tells markers of any page, and what those of known *pages* show, from faces.

    Where markers were *seen* already, it need not be found out whether there are any.
    """

    @cache
    def there() -> tuple[Floats, list[BoardPose]]:
        """Return the corners of the markers that are seen, and where pages lie."""
        grey = photo.grey()

        def find() -> tuple[tuple[Floats, list[BoardPose]], Floats]:
            found = any_markers(grey, seen=seen)
            known = set(found.ids.tolist())
            near = (page for page in pages if known & {one.id for one in page.fiducials})
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
        told = [printed(pose, [Quad.around(one) for one in quads]) for pose in poses]
        for i, quad in enumerate(quads):
            if any(_on_marker(quad, marker) for marker in markers):
                told.append(frozenset([i]))
        return np.isin(np.arange(len(quads)), list(frozenset().union(*told)))

    return is_page


def _on_marker(quad: Floats, marker: Floats) -> bool:
    """Say whether what may be a face is a marker that is seen, or has one in it: it hides none."""
    return all(_depth(quad, at) >= 0 for at in marker) or _depth(marker, quad.mean(axis=0)) >= 0


def _depth(polygon: Sequence[tuple[float, float]] | Floats, at: Points) -> float:
    """Return how far inside a polygon a point lies, in its units; below 0 outside."""
    shape = np.array(polygon, np.float32).reshape(-1, 1, 2)
    return float(cv2.pointPolygonTest(shape, (float(at[0]), float(at[1])), True))


def in_layout(
    dice: list[Face], pose: BoardPose | None, layout: Layout
) -> tuple[list[Face], list[str]]:
    """Give the dice the cells they stand in, in the order of the cells; return warnings too.

    Where the pose is not sure, no die with a cell is.
    """
    if pose is None or not layout.cells or not dice:
        return dice, []
    places = (*layout.cells, *layout.areas)
    order = {cell.cell: number for number, cell in enumerate(places)}
    told, between = [], []
    for die, (cell, near_edge) in zip(dice, _standing(dice, pose, layout), strict=True):
        certain = pose.sure and not near_edge
        told.append(replace(die, cell=cell, sure=die.sure and (certain or cell is None)))
        if near_edge and cell is not None:
            between.append(places[order[cell]].label or cell_name(cell))
    told.sort(key=lambda die: (order.get(die.cell or (), len(order)), die.center))
    return told, [
        f"A die lies on the edge of its place ({label}). Push it into one place."
        for label in dict.fromkeys(between)
    ]


def _standing(
    dice: list[Face], pose: BoardPose, layout: Layout
) -> list[tuple[CellId | None, bool]]:
    """Return each die's cell, None beside all, and whether it stands next to a cell's edge."""
    patch = np.diag([PATCH, PATCH, 1.0])
    plane = Grid(1, 1, Homography(pose.homography.matrix @ patch, pose.error_px))
    feet = plane.places(ground_points(plane, [die.quad for die in dice])) * PATCH
    return [_cell_at(layout, at) for at in feet]
