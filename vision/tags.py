"""Choose the part of a photo to show, and a place for the tag of each piece.

In: quads of faces, sizes of tags, px. Out: boxes. Pages and `--overlay` use the same boxes. Plain
Python: a browser that keeps score by itself has no numpy.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import chain
from math import ceil, dist, floor, hypot, inf, sqrt
from operator import or_
from statistics import median

from vision.quad import Point, Quad
from vision.reading import Reading

MARGIN = 0.09  # of the longer side of the part: room for tags and for missed pieces
AROUND = 0.4  # least margin in sides of a face
CLOSEST = 4.0  # least size of the part in sides of a face, to show the surroundings
NARROWEST = 0.7  # least aspect ratio of the part: it gives room for tags
NEARLY_WHOLE = 0.75  # share of the photo from which the whole photo is shown
FINENESS = 6  # places tried per height of a tag
MOST_CELLS = 480  # places tried on the longer side of the part
UPWARDS = 0.2  # preference for places above on the right, which a hand does not hide
FAR = 1.5  # sides of a face; instead of farther away, a tag is placed on its own face

TagSizes = Sequence[tuple[float, float] | None]
Four = tuple[Point, Point, Point, Point]


@dataclass(frozen=True, slots=True)
class Box:
    """An upright rectangle in px."""

    left: float
    top: float
    width: float
    height: float

    @classmethod
    def around(cls, points: Iterable[Point]) -> Box:
        """Return the smallest box around points."""
        xs, ys = zip(*points, strict=True)
        left, top = min(xs), min(ys)
        return cls(left, top, max(xs) - left, max(ys) - top)

    @property
    def center(self) -> Point:
        """Return its middle."""
        return self.left + self.width / 2, self.top + self.height / 2

    @property
    def corners(self) -> Four:
        """Return its corners, clockwise from the top left."""
        right, bottom = self.left + self.width, self.top + self.height
        return (self.left, self.top), (right, self.top), (right, bottom), (self.left, bottom)

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
    box = Box.around(chain.from_iterable(quad.corners for quad in (*faces, *boards)))
    side = median(quad.side for quad in faces) if faces else 0.0
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
    return min(ends, key=lambda end: hypot(end[0] - x, end[1] - y))


def _nearest(a: Point, b: Point, point: Point) -> Point:
    """Return the point on the segment from *a* to *b* nearest to *point*."""
    x, y = b[0] - a[0], b[1] - a[1]
    share = ((point[0] - a[0]) * x + (point[1] - a[1]) * y) / max(x * x + y * y, 1e-9)
    share = min(max(share, 0.0), 1.0)
    return a[0] + share * x, a[1] + share * y


class _Ground:
    """A raster of possible middles of tags; a row is an int with a bit for each blocked place."""

    def __init__(self, frame: Box, faces: Sequence[Quad], high: float) -> None:
        self.frame, self.faces = frame, faces
        self.cell = max(high / FINENESS, max(frame.width, frame.height) / MOST_CELLS)
        self.rows = max(round(frame.height / self.cell), 1)
        self.columns = max(round(frame.width / self.cell), 1)
        self.middles = [face.center for face in faces]
        self.covered = [0] * self.rows
        for face in faces:
            self._cover([self._raster(point) for point in face.corners])
        self.blocked: dict[tuple[float, float], list[int]] = {}
        self.tags: list[Box] = []

    def _raster(self, point: Point) -> Point:
        """Convert px of the photo to raster cells; the middle of the first is at 0."""
        x, y = point[0] - self.frame.left, point[1] - self.frame.top
        return x / self.cell - 0.5, y / self.cell - 0.5

    def _cover(self, ring: Sequence[Point]) -> None:
        """Cover a convex shape and a cell around it."""
        edges = list(zip(ring, (*ring[1:], ring[0]), strict=True))
        ys = [y for _, y in ring]
        for row in range(max(ceil(min(ys) - 1), 0), min(int(max(ys) + 1), self.rows - 1) + 1):
            xs = [x for edge in edges for x in _crossed(*edge, row - 1, row + 1)]
            if xs:
                self.covered[row] |= self._bits(min(xs) - 1, max(xs) + 1)

    def _bits(self, first: float, last: float) -> int:
        """Return the bits of the columns from *first* to *last*."""
        low, high = max(ceil(first), 0), min(floor(last), self.columns - 1)
        return (1 << max(high + 1, low)) - (1 << low)

    def _blocked(self, size_wh: tuple[float, float]) -> list[int]:
        """Return where the middle of a tag of this size must not be; updated by `take`."""
        if size_wh not in self.blocked:
            wide, high = (ceil(side / 2 / self.cell) for side in size_wh)
            outside = ~self._bits(wide, self.columns - wide - 1)
            spread = [_spread(row, wide) | outside for row in self.covered]
            self.blocked[size_wh] = [-1] * self.rows
            for row in range(high, self.rows - high):
                self.blocked[size_wh][row] = reduce(or_, spread[row - high : row + high + 1])
            for tag in self.tags:
                self._block(size_wh, tag)
        return self.blocked[size_wh]

    def _block(self, size_wh: tuple[float, float], tag: Box) -> None:
        corners = tag.grown(size_wh[0] / 2, size_wh[1] / 2).corners
        (left, top), (right, bottom) = self._raster(corners[0]), self._raster(corners[2])
        for row in range(max(ceil(top), 0), min(floor(bottom), self.rows - 1) + 1):
            self.blocked[size_wh][row] |= self._bits(left, right)

    def _best(self, i: int, size_wh: tuple[float, float]) -> tuple[float, Point]:
        """Return the least cost of placing a face's tag on a free cell, in px, and that place."""
        blocked = self._blocked(size_wh)
        best, place = inf, self.middles[i]
        for least, row, column in self._outwards(self.middles[i]):
            if least >= best:
                break
            if blocked[row] >> column & 1:
                continue
            middle = self._px(row, column)
            if (cost := self._cost(i, middle)) < best:
                best, place = cost, middle
        return best, place

    def _outwards(self, middle: Point) -> Iterator[tuple[float, int, int]]:
        """Yield the cells in rings around a place, with the least cost that a ring can have."""
        x, y = (round(at) for at in self._raster(middle))
        for ring in range(max(x, self.columns - x, y, self.rows - y) + 1):
            least = (1 - sqrt(2) * UPWARDS) * (ring - 1) * self.cell
            for row in range(max(y - ring, 0), min(y + ring, self.rows - 1) + 1):
                step = 1 if row in (y - ring, y + ring) else max(2 * ring, 1)
                for column in range(x - ring, x + ring + 1, step):
                    if 0 <= column < self.columns:
                        yield least, row, column

    def _px(self, row: int, column: int) -> Point:
        return (
            self.frame.left + (column + 0.5) * self.cell,
            self.frame.top + (row + 0.5) * self.cell,
        )

    def _cost(self, i: int, middle: Point) -> float:
        """Return the distance from a face, and a side more where another face is nearer."""
        right, down = middle[0] - self.middles[i][0], middle[1] - self.middles[i][1]
        away = hypot(right, down)
        cost = away + UPWARDS * (down - right)
        nearer = any(dist(middle, other) < away for other in self.middles)
        return cost + nearer * self.faces[i].side

    def distance(self, i: int, size_wh: tuple[float, float]) -> float:
        """Return the cost of the best free place for a tag."""
        return self._best(i, size_wh)[0]

    def take(self, i: int, size_wh: tuple[float, float]) -> Box:
        """Return the best place for the tag of the face *i*, and mark it as taken."""
        best, middle = self._best(i, size_wh)
        box = _around(middle, size_wh)
        if best > FAR * self.faces[i].side + max(size_wh) / 2:
            own = self._kept_in(_around(self.middles[i], size_wh))
            if best == inf or self._free(own, i):
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
        faces = (face.corners for i, face in enumerate(self.faces) if i != own)
        tags = (tag.corners for tag in self.tags)
        return not any(_meet(box.corners, other) for other in (*faces, *tags))


def _around(middle: Point, size_wh: tuple[float, float]) -> Box:
    wide, high = size_wh
    return Box(middle[0] - wide / 2, middle[1] - high / 2, wide, high)


def _spread(row: int, cells: int) -> int:
    """Return a row of bits, each spread over *cells* more on both sides."""
    return reduce(or_, (row << step | row >> step for step in range(cells + 1)))


def _crossed(a: Point, b: Point, low: float, high: float) -> Iterator[float]:
    """Yield the ends, x, of the part of a segment between two heights, if there is one."""
    (ax, ay), (bx, by) = sorted((a, b), key=lambda point: point[1])
    if by < low or ay > high:
        return
    slope = (bx - ax) / (by - ay) if by > ay else 0.0
    yield ax + slope * (max(ay, low) - ay)
    yield bx - slope * (by - min(by, high))


def _meet(first: Sequence[Point], second: Sequence[Point]) -> bool:
    """Return True if two convex shapes share more than their edges: no axis separates them."""
    for ring in (first, second):
        for (ax, ay), (bx, by) in zip(ring, (*ring[1:], ring[0]), strict=True):
            first_along, second_along = (
                [(by - ay) * x - (bx - ax) * y for x, y in shape] for shape in (first, second)
            )
            if max(first_along) <= min(second_along) or max(second_along) <= min(first_along):
                return False
    return True
