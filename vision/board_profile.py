"""Learn a taught board: its rectified picture when empty, and its cells.

In: a photo of the empty board, its four corners and its number of cells. Out: a `Profile`, by which
`vision.boards.taught` locates the board on other photos.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.camera import camera_can, in_front
from vision.geometry import Floats, Homography, Points
from vision.layout import Four, Layout, LayoutCell, even_cells
from vision.local_features import Features, features, shrunk
from vision.straight_sheet import StraightSheet, straightened

if TYPE_CHECKING:  # a `Look` holds a profile
    from vision.photo import Grey, Pixels

LONGEST = 200.0  # units of the longer side; the size of the board in mm is unknown
PX_PER_UNIT = 3.0  # of the stored picture
RIMS = (50.0, 25.0, 0.0)  # units around the cells that are stored; the first possible one is used
MOST_CELLS = 30  # rows or columns
LEAST_SIDE = 80.0  # px on the photo; a smaller board shows too little print
BLOCKS, WIDER_BLOCKS = 6, 10  # along each side of the board, and with its surroundings
MOST_FEATURES, MOST_PATCHES = 1500, 400
LEAST_FEATURES = 12  # a board with fewer cannot be distinguished from others
SQUARE = 1.15  # largest aspect ratio of a cell that counts as square
FARTHEST = 100_000.0  # px, largest coordinate of a corner
QUALITY = 92  # of the JPEG in which the picture is stored

NO_CORNERS = (
    "These corners are not the four of a board: {}. Name them clockwise from its upper left."
)
OUTWARD = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1.0)])  # from each corner
LEAST_CELL = 0.01  # of a board's side, the least side of a cell
SAME = 1e-6  # of it: cells that end at one line
NO_CELLS = "The cells lie over each other, or one has no room. Move the lines apart."
BARE = "Too little is printed on this board to recognise it. Teach one with lines or pictures."
DAMAGED = "This file does not hold a taught board, or it is damaged. Teach the board again."


class NotABoard(ValueError):
    """Something that cannot be learned as a board; `str()` is a sentence that says what to do."""


@dataclass(frozen=True, eq=False)
class BoardBlocks:
    """A board's picture, (h, w), in *count* blocks along each side; px outside *of* are 0."""

    picture: Grey
    count: int
    of: NDArray[np.bool_] | None = None

    @cached_property
    def counted(self) -> NDArray[np.uint8]:
        """Return (h, w), 1 where px count."""
        if self.of is None:
            return np.ones(self.picture.shape, np.uint8)
        return self.of.astype(np.uint8)

    @cached_property
    def soft(self) -> NDArray[np.uint8]:
        """Return the picture without its finest print, (h, w)."""
        return np.asarray(cv2.GaussianBlur(self.picture, (0, 0), 1.5) * self.counted, np.uint8)

    @cached_property
    def moments(self) -> tuple[Floats, Floats]:
        """Return the mean and the variance of each block, (count, count)."""
        return self.moments_of(self.soft)

    def moments_of(self, picture: Grey) -> tuple[Floats, Floats]:
        """Return the mean and the variance of each block of another picture, as large as this."""
        first, second = map(self.mean_of, cv2.integral2(picture))
        return first, np.maximum(second - first**2, 0)

    def mean_of(self, integral: NDArray[np.number[Any]]) -> Floats:
        """Return (count, count) means of the blocks of an array by its (h + 1, w + 1) integral."""
        return self._sums(integral) / self._size

    @cached_property
    def _size(self) -> Floats:
        return np.maximum(self._sums(cv2.integral(self.counted)), 1)

    def _sums(self, integral: NDArray[np.number[Any]]) -> Floats:
        rows, columns = (
            np.arange(self.count + 1) * (side - 1) // self.count for side in integral.shape
        )
        corners = integral[np.ix_(rows, columns)].astype(np.float64)
        return np.asarray(np.diff(np.diff(corners, axis=0), axis=1), np.float64)


@dataclass(frozen=True, eq=False)
class Profile:
    """A board's picture, (h, w) grey with PX_PER_UNIT, and its layout without fiducials."""

    layout: Layout
    rows: int
    columns: int
    around: Grey  # the picture with *rim* px of the surroundings on each side
    rim: int = 0
    coloured: Pixels | None = None  # (h, w, 3) BGR, the same of a board with cells for marks

    @cached_property
    def empty(self) -> StraightSheet | None:
        """Return the empty sheet straightened, if its cells are for marks."""
        polygons = np.array([cell.polygon for cell in self.layout.cells if cell.marks])
        if self.coloured is None or not len(polygons):
            return None
        at = self.rim - 0.5
        to_px = np.array([[PX_PER_UNIT, 0, at], [0, PX_PER_UNIT, at], [0, 0, 1.0]])
        return straightened(self.coloured, Homography(to_px, 0.0), polygons)

    @cached_property
    def picture(self) -> Grey:
        """Return the part of the picture with the cells."""
        height, width = self.around.shape
        return self.around[self.rim : height - self.rim, self.rim : width - self.rim]

    @cached_property
    def steps(self) -> tuple[float, float]:
        """Return the units from a cell to the next one: to the right, and down.

        Cells with lines of their own need not fill the board: it is the usual step.
        """
        boxes = np.array([cell.polygon for cell in self.layout.cells])
        middles, sides = boxes.mean(axis=1), np.ptp(boxes, axis=1)
        away = middles - middles[:, None]
        steps = []
        even = self.layout.outline[2] - self.layout.outline[0]
        for axis, number in ((0, self.columns), (1, self.rows)):
            in_line = np.abs(away[..., 1 - axis]) < sides[:, 1 - axis].min() / 2
            far = np.where(in_line & (away[..., axis] > SAME), away[..., axis], np.inf).min(axis=1)
            next_to = far[np.isfinite(far)]
            steps.append(float(np.median(next_to)) if len(next_to) else float(even[axis] / number))
        return steps[0], steps[1]

    @cached_property
    def features(self) -> Features:
        """Return the local features, in units.

        Those of the picture at half its size are more often found on photos: its finest ones come
        of enlarging it.
        """
        found = [
            features(shrunk(self.picture, zoom), MOST_FEATURES, 1 / (zoom * PX_PER_UNIT))
            for zoom in (1.0, 0.5)
        ]
        return Features(*(np.concatenate(part) for part in zip(*found, strict=True)))

    @cached_property
    def patches(self) -> NDArray[np.float32]:
        """Return (n, 1, 2) px of the picture whose surroundings can be tracked to a photo."""
        found = cv2.goodFeaturesToTrack(
            self.picture, MOST_PATCHES, 0.01, 8, mask=inner(self.picture), blockSize=7
        )
        return np.reshape([] if found is None else found, (-1, 1, 2)).astype(np.float32)

    @cached_property
    def evened(self) -> Grey:
        """Return the picture with its light normalized, as photos are to compare them."""
        return evened(self.picture)

    @cached_property
    def blocks(self) -> BoardBlocks:
        """Return the picture in blocks, by which a photo is compared with it."""
        return BoardBlocks(self.picture, BLOCKS)

    @cached_property
    def wider_blocks(self) -> BoardBlocks:
        """Return the picture with its surroundings in blocks."""
        return BoardBlocks(self.around, WIDER_BLOCKS)

    def to_json(self) -> dict[str, Any]:
        """Return a JSON object."""
        shown = self.around if self.coloured is None else self.coloured
        _, kept = cv2.imencode(".jpg", shown, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
        return {
            "pipsight": "board",
            "rows": self.rows,
            "columns": self.columns,
            "rim": self.rim,
            "geometry": self.layout.to_json(),
            "jpeg": base64.b64encode(kept.tobytes()).decode("ascii"),
        }

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> Profile:
        """Read what `to_json` wrote; raises NotABoard."""
        try:
            layout = Layout.from_json(stored["geometry"])
            for_marks = any(cell.marks for cell in layout.cells)
            kept = np.frombuffer(base64.b64decode(stored["jpeg"], validate=True), np.uint8)
            picture = cv2.imdecode(kept, cv2.IMREAD_COLOR if for_marks else cv2.IMREAD_GRAYSCALE)
            rows, columns, rim = (
                int(stored["rows"]),
                int(stored["columns"]),
                int(stored.get("rim", 0)),
            )
            width, height = _px(layout, rim)
            if picture is not None and picture.shape[:2] == (height, width) and layout.cells:
                return _with_picture(layout, rows, columns, np.asarray(picture, np.uint8), rim)
        except (KeyError, TypeError, ValueError, OverflowError, cv2.error):
            pass
        raise NotABoard(DAMAGED)


def learned(grey: Grey, corners: Points, rows: int, columns: int, name: str) -> Profile:
    """Return the profile of an empty board.

    Args:
        grey: (h, w), the photo.
        corners: (4, 2) px, of the outer cells, clockwise from the board's own upper left.
        rows: number of rows of equal cells, 1 to MOST_CELLS.
        columns: number of columns, the same.
        name: of the board, as in "board:NAME".

    Raises:
        NotABoard: no camera can see a board like that, or too little is printed on it.
    """
    if not (1 <= rows <= MOST_CELLS and 1 <= columns <= MOST_CELLS):
        raise NotABoard(f"A board has 1 to {MOST_CELLS} rows and columns.")
    layout = even_cells(name, size_seen(grey.shape, corners, rows, columns), rows, columns)
    return _of_layout(grey, corners, layout, rows, columns)


def learned_cells(
    picture: Grey | Pixels, corners: Points, cells: Sequence[LayoutCell], name: str
) -> Profile:
    """Return the profile of an empty board whose cells differ in size.

    Args:
        picture: the photo; for cells with marks in colour, (h, w, 3) BGR, else (h, w).
        corners: (4, 2) px, of the outer cells, clockwise from the board's own upper left.
        cells: with upright rectangles on the unit square, whose corners are those of the board.
        name: of the board.

    Raises:
        NotABoard: no camera can see a board like that, too little is printed on it, or cells
            overlap.
    """
    boxes = np.array([(*one.polygon[0], *one.polygon[2]) for one in cells])
    check_boxes(boxes)
    columns, rows = (1 + int((np.diff(np.sort(side)) > SAME).sum()) for side in boxes[:, :2].T)
    size = size_seen(picture.shape, corners, rows, columns)
    placed = (replace(one, polygon=_box(box, size)) for one, box in zip(cells, boxes, strict=True))
    layout = Layout(name, size, (), tuple(placed))
    return _of_layout(picture, corners, layout, rows, columns)


def check_boxes(boxes: Floats) -> None:
    """Raise NotABoard if cells overlap, have no area, or do not reach the unit square's edges.

    Args:
        boxes: (n, 4) left, top, right and bottom of each cell.
    """
    low, high = boxes[:, :2], boxes[:, 2:]
    ends = np.concatenate([low.min(axis=0), high.max(axis=0) - 1])
    if (high - low).min() < LEAST_CELL or np.abs(ends).max() > SAME:
        raise NotABoard(NO_CELLS)
    shared = np.minimum(high[:, None], high) - np.maximum(low[:, None], low)
    shared[np.arange(len(boxes)), np.arange(len(boxes))] = 0
    if (shared.min(axis=2) > SAME).any():
        raise NotABoard(NO_CELLS)


def _box(box: Floats, size: tuple[float, float]) -> Four:
    left, top, right, bottom = (float(v) for v in box * np.tile(size, 2))
    return ((left, top), (right, top), (right, bottom), (left, bottom))


def _of_layout(
    picture: Grey | Pixels, corners: Points, layout: Layout, rows: int, columns: int
) -> Profile:
    plane = plane_of(layout, corners, picture.shape)
    units = next(rim for rim in RIMS if in_front(plane, layout.outline + rim * OUTWARD))
    rim = round(units * PX_PER_UNIT)
    around = rectify(picture, moved(plane, -units, -units), _px(layout, rim))
    profile = _with_picture(layout, rows, columns, around, rim)
    if len(features(profile.picture, MOST_FEATURES, 1.0).at) < LEAST_FEATURES:
        raise NotABoard(BARE)
    return profile


def _with_picture(
    layout: Layout, rows: int, columns: int, around: Grey | Pixels, rim: int
) -> Profile:
    """Return the profile with a picture in grey, or in colour for cells with marks."""
    if around.ndim == 2:
        return Profile(layout, rows, columns, around, rim)
    grey = np.asarray(cv2.cvtColor(around, cv2.COLOR_BGR2GRAY), np.uint8)
    return Profile(layout, rows, columns, grey, rim, around)


def _px(layout: Layout, rim: int) -> tuple[int, int]:
    width, height = (round(side * PX_PER_UNIT) + 2 * rim for side in layout.paper_mm)
    return width, height


def moved(plane: Homography, x: float, y: float) -> Homography:
    """Return the plane translated along the board by *x* units to its right and *y* down."""
    step = np.array([[1, 0, x], [0, 1, y], [0, 0, 1.0]])
    return Homography(plane.matrix @ step, plane.error)


def rectify(grey: Grey | Pixels, plane: Homography, size: tuple[int, int]) -> Grey:
    """Return the rectified board, *size* (w, h) px, with PX_PER_UNIT."""
    to_photo = plane.matrix @ np.diag([1 / PX_PER_UNIT, 1 / PX_PER_UNIT, 1.0]) @ _half(0.5)
    flat = cv2.warpPerspective(
        grey, to_photo, size, flags=cv2.INTER_AREA | cv2.WARP_INVERSE_MAP,
        borderMode=cv2.BORDER_REPLICATE,
    )  # fmt: skip
    return np.asarray(flat, np.uint8)


def _half(by: float) -> Floats:
    return np.array([[1, 0, by], [0, 1, by], [0, 0, 1.0]])


def inner(picture: Grey) -> NDArray[np.uint8]:
    """Return a mask (h, w) of a board's picture without its edge."""
    mask = np.zeros(picture.shape, np.uint8)
    mask[4:-4, 4:-4] = 255
    return mask


def evened(grey: Grey) -> Grey:
    """Normalize the light: each px by the mean and the standard deviation around it."""
    level = grey.astype(np.float32)
    mean = cv2.blur(level, (41, 41))
    spread = np.sqrt(np.maximum(cv2.blur(level * level, (41, 41)) - mean * mean, 36.0))
    return np.asarray(np.clip(128 + 48 * (level - mean) / spread, 0, 255), np.uint8)


def plane_of(layout: Layout, corners: Points, shape: tuple[int, ...]) -> Homography:
    """Return the map from a layout to px of a photo that has its outline at *corners* (4, 2).

    Raises:
        NotABoard: no camera can see a board like that.
    """
    if not (np.abs(corners) < FARTHEST).all():
        raise NotABoard(NO_CORNERS.format("they lie far off the photo"))
    plane = Homography.fit(layout.outline, corners)
    if plane is None or not in_front(plane, layout.outline):
        raise NotABoard(NO_CORNERS.format("they do not go round it"))
    sides = np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1)
    if sides.min() < LEAST_SIDE / 2 or sides.max() < LEAST_SIDE:
        raise NotABoard(NO_CORNERS.format("they lie too close together"))
    if not camera_can(plane, shape):
        raise NotABoard(NO_CORNERS.format("no camera would see a board like this"))
    return plane


def size_seen(
    shape: tuple[int, ...], corners: Points, rows: int, columns: int
) -> tuple[float, float]:
    """Return width and height, in units, of the board whose corners are seen at (4, 2) px.

    Their ratio follows from perspective, for square pixels and a principal point in the middle
    (Zhang and He, Whiteboard scanning, 2007); with too little perspective, from the sides. Cells
    that are nearly square are taken as square.
    """
    height, width = shape[:2]
    unit = Homography.fit(np.array([(0, 0), (1, 0), (1, 1), (0, 1.0)]), corners)
    sides = np.linalg.norm(corners - np.roll(corners, -1, axis=0), axis=1)
    ratio = float((sides[0] + sides[2]) / (sides[1] + sides[3]))
    if unit is not None:
        to_middle = np.array([[1, 0, -width / 2], [0, 1, -height / 2], [0, 0, 1.0]])
        right, down, _ = (to_middle @ unit.matrix).T
        tilt = right[2] * down[2]
        squared = -(right[:2] @ down[:2]) / tilt if abs(tilt) > 1e-9 else 0.0
        if (0.5 * max(shape[:2])) ** 2 < squared < (3 * max(shape[:2])) ** 2:
            lens = np.array([1 / squared, 1 / squared, 1.0])
            ratio = float(np.sqrt((right**2 * lens).sum() / (down**2 * lens).sum()))
    ratio = columns / rows if abs(np.log(ratio * rows / columns)) < np.log(SQUARE) else ratio
    longer = max(ratio, 1.0)
    return LONGEST * ratio / longer, LONGEST / longer
