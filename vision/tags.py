"""Choose the part of a photo to show, and a place for the tag of each piece.

In: quads of faces, sizes of tags, px. Out: boxes. Pages and `--overlay` use the same boxes.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import Floats, Point, Quad, sides_of
from vision.reading import Reading

MARGIN = 0.09  # of the longer side of the part: room for tags and for missed pieces
AROUND = 0.4  # least margin in sides of a face
CLOSEST = 4.0  # least size of the part in sides of a face, to show the surroundings
NARROWEST = 0.7  # least aspect ratio of the part: it gives room for tags
NEARLY_WHOLE = 0.75  # share of the photo from which the whole photo is shown
FINENESS = 6  # raster cells per height of a tag
MOST_CELLS = 480  # on the longer side of the raster
UPWARDS = 0.2  # preference for places above on the right, which a hand does not hide
FAR = 1.5  # sides of a face; instead of farther away, a tag is placed on its own face

TagSizes = Sequence[tuple[float, float] | None]


@dataclass(frozen=True, slots=True)
class Box:
    """An upright rectangle in px."""

    left: float
    top: float
    width: float
    height: float

    @classmethod
    def around(cls, points: Floats) -> Box:
        """Return the smallest box around (n, 2) points."""
        (left, top), (right, bottom) = points.min(axis=0), points.max(axis=0)
        return cls(float(left), float(top), float(right - left), float(bottom - top))

    @property
    def center(self) -> Point:
        """Return its middle."""
        return self.left + self.width / 2, self.top + self.height / 2

    @property
    def corners(self) -> Floats:
        """Return its corners as (4, 2), clockwise from the top left."""
        right, bottom = self.left + self.width, self.top + self.height
        return np.array(
            [(self.left, self.top), (right, self.top), (right, bottom), (self.left, bottom)]
        )

    def grown(self, wide: float, high: float) -> Box:
        """Return the box enlarged by *wide* on the left and right, and *high* above and below."""
        return Box(self.left - wide, self.top - high, self.width + 2 * wide, self.height + 2 * high)

    def within(self, other: Box) -> Box:
        """Return the intersection with another box."""
        left, top = max(self.left, other.left), max(self.top, other.top)
        right = min(self.left + self.width, other.left + other.width)
        bottom = min(self.top + self.height, other.top + other.height)
        return Box(left, top, max(right - left, 0.0), max(bottom - top, 0.0))

    def holds(self, point: Point) -> bool:
        """Return True if a point is in the box."""
        x, y = point[0] - self.left, point[1] - self.top
        return 0 <= x <= self.width and 0 <= y <= self.height


# ---------------------------------------------------------------- the part of a photo to show


def frame_of(reading: Reading) -> Box:
    """Return the part of the photo with the board or all pieces, with a margin."""
    beside = not reading.board or bool(reading.marks)  # dice beside a sheet count
    on_board = [die.quad for die in reading.dice if die.cell is not None or beside]
    tiles, unread = ([piece.quad for piece in of] for of in (reading.tiles, reading.unread))
    quads = [*on_board, *tiles, *unread, *reading.missed_candidates]
    board = [reading.board.corners] if reading.board else []
    return frame_around(reading.width, reading.height, quads, board)


def frame_around(
    width: int, height: int, faces: Sequence[Quad], boards: Sequence[Quad] = ()
) -> Box:
    """Return the part of a photo that shows *faces* and *boards*; all of it if there are none."""
    whole = Box(0.0, 0.0, float(width), float(height))
    if not faces and not boards:
        return whole
    box = Box.around(np.vstack([quad.array for quad in (*faces, *boards)]))
    side = median(sides_of(np.array([quad.corners for quad in faces])).tolist()) if faces else 0.0
    pad = max(MARGIN * max(box.width, box.height), AROUND * side)
    box = box.grown(pad, pad)
    least = max(NARROWEST * max(box.width, box.height), CLOSEST * side)
    box = box.grown(max(least - box.width, 0.0) / 2, max(least - box.height, 0.0) / 2)
    box = _moved_into(box, whole).within(whole)
    nearly = box.width * box.height > NEARLY_WHOLE * whole.width * whole.height
    return whole if nearly else box


def _moved_into(box: Box, whole: Box) -> Box:
    left = min(max(box.left, whole.left), max(whole.width - box.width, 0.0))
    top = min(max(box.top, whole.top), max(whole.height - box.height, 0.0))
    return Box(left, top, box.width, box.height)


# ---------------------------------------------------------------- a place for each tag


def place_tags(frame: Box, faces: Sequence[Quad], sizes_wh: TagSizes) -> list[Box | None]:
    """Return a box for the tag of each face, in the frame and off all faces and other tags.

    Tags with the least room are placed first, each at the nearest free place. If that is too far
    away, the tag is placed on its own face, unless it would cover another.

    Args:
        frame: the part of the photo that is shown.
        faces: that must not be covered.
        sizes_wh: width and height of the tag of each face; None: it has no tag.

    Returns:
        None for a face without a tag, and for one whose middle is not in the frame.
    """
    wanted = {
        i: size
        for i, size in enumerate(sizes_wh)
        if size is not None and frame.holds(faces[i].center)
    }
    placed: list[Box | None] = [None] * len(faces)
    if not wanted:
        return placed
    ground = _Ground(frame, faces, min(high for _, high in wanted.values()))
    for i in sorted(wanted, key=lambda i: -ground.distance(i, wanted[i])):
        placed[i] = ground.take(i, wanted[i])
    return placed


def touching_point(face: Quad, tag: Box) -> Point:
    """Return the point on the outline of a face nearest to its tag, to which a line is drawn."""
    x, y = tag.center
    ring = face.corners
    ends = [_nearest(a, b, (x, y)) for a, b in zip(ring, (*ring[1:], ring[0]), strict=True)]
    return min(ends, key=lambda end: math.hypot(end[0] - x, end[1] - y))


def _nearest(a: Point, b: Point, point: Point) -> Point:
    """Return the point on the segment from *a* to *b* nearest to *point*."""
    x, y = b[0] - a[0], b[1] - a[1]
    share = ((point[0] - a[0]) * x + (point[1] - a[1]) * y) / max(x * x + y * y, 1e-9)
    share = min(max(share, 0.0), 1.0)
    return a[0] + share * x, a[1] + share * y


class _Ground:
    """A raster of possible middles of tags (free of Minkowski sums, by dilation), with costs."""

    def __init__(self, frame: Box, faces: Sequence[Quad], high: float) -> None:
        self.frame, self.faces = frame, faces
        self.sides = sides_of(np.array([face.corners for face in faces]))
        self.cell = max(high / FINENESS, max(frame.width, frame.height) / MOST_CELLS)
        self.shape = (
            max(round(frame.height / self.cell), 1),
            max(round(frame.width / self.cell), 1),
        )
        self.covered = self._covered(faces)
        self.blocked: dict[tuple[float, float], NDArray[np.bool_]] = {}
        self.tags: list[Box] = []
        self.cost = self._costs(faces)

    def _raster(self, points: Floats) -> Floats:
        """Convert px of the photo to raster cells; the middle of the first is at 0."""
        found: Floats = (points - (self.frame.left, self.frame.top)) / self.cell - 0.5
        return found

    def _covered(self, faces: Sequence[Quad]) -> NDArray[np.uint8]:
        covered = np.zeros(self.shape, np.uint8)
        for face in faces:
            ring = self._raster(face.array).round().astype(np.int32)
            cv2.fillConvexPoly(covered, cv2.convexHull(ring), 1)
        # Rounding moves a corner by half a cell; dilation makes up for that.
        grown = cv2.dilate(covered, np.ones((3, 3), np.uint8))
        return np.asarray(grown, np.uint8)

    def _blocked(self, size_wh: tuple[float, float]) -> NDArray[np.bool_]:
        """Return where the middle of a tag of this size must not be; updated by `take`."""
        if size_wh not in self.blocked:
            wide, high = (int(np.ceil(side / 2 / self.cell)) for side in size_wh)
            kernel = np.ones((2 * high + 1, 2 * wide + 1), np.uint8)
            blocked = cv2.dilate(self.covered, kernel) > 0
            inside = np.zeros(self.shape, np.bool_)
            inside[high : self.shape[0] - high, wide : self.shape[1] - wide] = True
            self.blocked[size_wh] = blocked | ~inside
            for tag in self.tags:
                self._block(size_wh, tag)
        return self.blocked[size_wh]

    def _block(self, size_wh: tuple[float, float], tag: Box) -> None:
        more = tag.grown(size_wh[0] / 2, size_wh[1] / 2)
        (left, top), _, (right, bottom), _ = self._raster(more.corners)
        rows = slice(max(int(np.ceil(top)), 0), max(int(bottom) + 1, 0))
        self.blocked[size_wh][rows, max(int(np.ceil(left)), 0) : max(int(right) + 1, 0)] = True

    def _costs(self, faces: Sequence[Quad]) -> NDArray[np.float32]:
        """Return (faces, rows, columns) costs of placing a face's tag there, in cells.

        That is the distance from the face, and more where another face is nearer.
        """
        middles = np.array([self._raster(np.array(face.center)) for face in faces], np.float32)
        right = np.arange(self.shape[1], dtype=np.float32) - middles[:, :1]
        down = np.arange(self.shape[0], dtype=np.float32) - middles[:, 1:]
        right, down = right[:, None, :], down[:, :, None]
        away = np.sqrt(right**2 + down**2)
        others = away > away.min(axis=0)
        sides = (self.sides / self.cell).astype(np.float32)[:, None, None]
        cost = away + UPWARDS * (down - right) + others * sides
        return np.asarray(cost, np.float32)

    def _cost(self, i: int, size_wh: tuple[float, float]) -> NDArray[np.float32]:
        """Return the cost of each cell for the tag of a face; infinite where blocked."""
        return np.where(self._blocked(size_wh), np.float32(np.inf), self.cost[i])

    def distance(self, i: int, size_wh: tuple[float, float]) -> float:
        """Return the cost of the best free place for a tag."""
        return float(self._cost(i, size_wh).min())

    def take(self, i: int, size_wh: tuple[float, float]) -> Box:
        """Return the best place for the tag of the face *i*, and mark it as taken."""
        cost = self._cost(i, size_wh)
        row, column = np.unravel_index(int(cost.argmin()), self.shape)
        middle = (
            self.frame.left + (int(column) + 0.5) * self.cell,
            self.frame.top + (int(row) + 0.5) * self.cell,
        )
        box, best = _around(middle, size_wh), float(cost[row, column])
        reach = FAR * float(self.sides[i]) + max(size_wh) / 2
        if best * self.cell > reach:
            own = self._kept_in(_around(self.faces[i].center, size_wh))
            if best == np.inf or self._free(own, i):
                box = own
        self.tags.append(box)
        for size in self.blocked:
            self._block(size, box)
        return box

    def _kept_in(self, box: Box) -> Box:
        frame = self.frame
        right = frame.left + max(frame.width - box.width, 0.0)
        bottom = frame.top + max(frame.height - box.height, 0.0)
        left, top = max(frame.left, min(box.left, right)), max(frame.top, min(box.top, bottom))
        return Box(left, top, box.width, box.height)

    def _free(self, box: Box, own: int) -> bool:
        """Return True if a box covers no tag and no face but its own."""
        faces = (face.array for i, face in enumerate(self.faces) if i != own)
        tags = (tag.corners for tag in self.tags)
        return not any(_meet(box.corners, other) for other in (*faces, *tags))


def _around(middle: Point, size_wh: tuple[float, float]) -> Box:
    wide, high = size_wh
    return Box(middle[0] - wide / 2, middle[1] - high / 2, wide, high)


def _meet(first: Floats, second: Floats) -> bool:
    if (first.max(axis=0) <= second.min(axis=0)).any() or (
        second.max(axis=0) <= first.min(axis=0)
    ).any():
        return False
    area, _ = cv2.intersectConvexConvex(first.astype(np.float32), second.astype(np.float32))
    return float(area) > 0
