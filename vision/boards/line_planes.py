"""Guess the plane of a taught board with few features by its straight lines.

In: a photo, the strokes of the board's picture. Out: planes, the likeliest first. Two parallel
lines of the board and two that cross them are mapped to any four such lines of the photo, in each
of four orientations. Planes that no camera can see are dropped; the others are ranked by how many
of the board's strokes are mapped onto strokes of the photo.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.board_profile import PX_PER_UNIT, Profile
from vision.boards.hypotheses import could_be_seen, crossings
from vision.boards.line_detector import Strokes, find_strokes
from vision.boards.printed_grid import usual_lens
from vision.boards.stroke_map import Masks, nearest_turn, stroke_masks
from vision.geometry import Floats, Homography, Points, enlargement
from vision.photo import Grey

# Longer side of the photo, px, on which lines are detected, and zoom of the board's picture. Wide
# lines are narrow enough there, and on the smaller ones wavering lines are straight enough.
VIEWS = ((800, 0.5), (400, 0.25))
LONG = 0.15  # of the side of a board, votes of a line across it; letters in a row have 0.05
BESIDE = 12  # px of the board's picture within which print belongs to a line
OURS, THEIRS = 10, 20  # lines of the board and of the photo that are paired
LAID = 8  # fours of the board's lines that are mapped to the photo's, the widest first
AT_ONCE = 64  # maps that are tried together: their points stay in a processor's cache
LEAST_APART = 1 / 3  # least distance of the two lines of a pair, as a share of a grid's outer lines
POINTS = 160  # of the board's strokes that are compared with the photo
RIM = 16  # px
STEP = 4.0  # px along a stroke, to compute its direction
LEAST_THERE = 0.4  # share of these points that must be on strokes of the photo
TRIED = 6  # planes
SAME = 0.02  # of the photo's longer side; planes whose corners differ by less are one


def planes_by_lines(grey: Grey, profile: Profile) -> Iterator[Iterator[Homography]]:
    """Yield for each of VIEWS planes from units of a board to px of a photo (h, w)."""
    for side, small in VIEWS:
        yield BoardLines.of(grey, profile, side, small).planes()


@dataclass(frozen=True, slots=True, eq=False)
class BoardLines:
    """The strokes of a board's picture, and those of a photo scaled by *zoom*."""

    board: StrokePicture
    photo: StrokePicture
    zoom: float
    to_px: Floats  # (3, 3), units of the board to px of its picture
    outline: Points  # (4, 2) px of it
    shifts: Floats  # (4, 3, 3), maps of the picture to a place one cell further
    some: Floats  # (n, 2, 2) px of it, points of its strokes, each with a second one along it

    @classmethod
    def of(
        cls, grey: Grey, profile: Profile, side: int = VIEWS[0][0], small: float = VIEWS[0][1]
    ) -> BoardLines:
        """Detect strokes on a photo scaled to *side* px, and on a board's picture times *small*."""
        zoom = min(1.0, side / max(grey.shape))
        # The picture ends in the middle of the outer lines; reflection makes whole lines of them.
        picture = _smaller(profile.picture, small)
        wider = cv2.copyMakeBorder(picture, RIM, RIM, RIM, RIM, cv2.BORDER_REFLECT)
        board, photo = (
            StrokePicture.of(np.asarray(wider, np.uint8)),
            StrokePicture.of(_smaller(grey, zoom)),
        )
        per_unit = PX_PER_UNIT * small
        to_px = np.array([[per_unit, 0, RIM - 0.5], [0, per_unit, RIM - 0.5], [0, 0, 1]])
        outline = Homography(to_px, 0.0).apply(profile.layout.outline)
        right, down = profile.steps
        shifts = _shifts(right * per_unit, down * per_unit)
        return cls(board, photo, zoom, to_px, outline, shifts, board.some())

    def planes(self) -> Iterator[Homography]:
        """Yield planes from units of the board to px of the photo, the likeliest first."""
        if not len(self.some) or not len(self.photo.strokes.lines):
            return
        maps = _laid(self.board.fours(OURS)[:LAID], self.photo.fours(THEIRS))
        width, height = self.outline[2] - self.outline[0]
        maps = maps[could_be_seen(np.linalg.inv(self.photo.lens) @ maps, height, width)]
        value = self.photo.share(maps, self.some)
        same = SAME * max(self.photo.masks.shape)
        given: list[Points] = []
        for i in np.argsort(-value, kind="stable"):
            if value[i] < LEAST_THERE or len(given) == TRIED:
                return
            ring = Homography(maps[i], 0.0).apply(self.outline)
            if all(np.abs(ring - other).max() > same for other in given):
                given.append(ring)
                matrix = enlargement(1 / self.zoom) @ maps[i] @ self.to_px
                plane = Homography(matrix, 1 / self.zoom)
                if self.lies_alone(plane):
                    yield plane

    def lies_alone(self, plane: Homography) -> bool:
        """Return True if the lines fit worse one cell further; else the board is larger."""
        to_seen = enlargement(self.zoom) @ plane.matrix @ np.linalg.inv(self.to_px)
        if not len(self.some):
            return True
        further = self.photo.share(to_seen @ self.shifts, self.some)
        there = self.photo.share(to_seen[None], self.some)[0]
        alike = self.board.share(self.shifts, self.some)
        return bool((further < there * (1 + alike) / 2).all())


def between_lines(picture: Grey) -> NDArray[np.bool_]:
    """Return (h, w), which px of a board's picture are not near its straight lines."""
    (high, wide), small = picture.shape, VIEWS[0][1]
    strokes = find_strokes(_smaller(picture, small))
    across = strokes.votes > LONG * small * min(high, wide)
    lines = strokes.lines[across] * (1, 1, 1 / small)
    y, x = np.mgrid[:high, :wide].astype(np.float32)
    free = (np.minimum(x, wide - x) > BESIDE) & (np.minimum(y, high - y) > BESIDE)
    for a, b, c in lines.astype(np.float32):
        free &= np.abs(a * x + b * y + c) > BESIDE
    return np.asarray(free, np.bool_)


def _smaller(grey: Grey, zoom: float) -> Grey:
    if zoom == 1:
        return grey
    small = cv2.resize(grey, None, fx=zoom, fy=zoom, interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.uint8)


def _shifts(right: float, down: float) -> Floats:
    """Return (4, 3, 3) maps of a board to a place one cell further."""
    moves = ((right, 0), (-right, 0), (0, down), (0, -down))
    return np.array([[[1, 0, x], [0, 1, y], [0, 0, 1]] for x, y in moves])


@dataclass(frozen=True, slots=True, eq=False)
class StrokePicture:
    """The straight strokes of a picture (h, w)."""

    strokes: Strokes
    masks: Masks
    lens: Floats  # (3, 3), the usual one

    @classmethod
    def of(cls, picture: Grey) -> StrokePicture:
        """Return the strokes of a picture."""
        size = (picture.shape[1], picture.shape[0])
        strokes = find_strokes(picture)
        return cls(strokes, stroke_masks(strokes, size), usual_lens(size))

    def fours(self, most: int) -> Floats:
        """Return (n, 4, 2) px, the crossings of any four of the longest lines, the widest first."""
        rings = crossings(self.strokes.lines[:most], self.lens, LEAST_APART)
        areas = [cv2.contourArea(ring.astype(np.float32)) for ring in rings]
        return rings[np.argsort(areas, kind="stable")[::-1]]

    def some(self) -> Floats:
        """Return (n, 2, 2) px: points of the strokes, each with a second one along the stroke."""
        points, normals = self.strokes.points, self.strokes.normals
        if not len(points):
            return np.zeros((0, 2, 2))
        which = np.linspace(0, len(points) - 1, POINTS).astype(int)
        along = normals[which][:, ::-1] * (1, -1)
        return np.stack([points[which], points[which] + STEP * along], axis=1)

    def share(self, maps: Floats, some: Floats) -> Floats:
        """Return (N,) shares of points that (N, 3, 3) maps send onto strokes of this picture."""
        parts = range(0, len(maps), AT_ONCE)
        return np.concatenate(
            [np.zeros(0), *(self._share_of(maps[at:][:AT_ONCE], some) for at in parts)]
        )

    def _share_of(self, maps: Floats, some: Floats) -> Floats:
        _, high, wide = self.masks.shape
        flat = np.concatenate([some, np.ones((*some.shape[:2], 1))], axis=2).reshape(-1, 3)
        sent = flat.astype(np.float32) @ maps.astype(np.float32).transpose(0, 2, 1)
        px = (sent[..., :2] / sent[..., 2:]).reshape(len(maps), len(some), 2, 2)
        step = px[:, :, 1] - px[:, :, 0]
        which = nearest_turn(np.degrees(np.arctan2(step[..., 1], step[..., 0])) + 90)
        x, y = (np.rint(px[:, :, 0, axis]).astype(np.intp) for axis in (0, 1))
        on = (x >= 0) & (x < wide) & (y >= 0) & (y < high)
        there = on & (self.masks[which, y.clip(0, high - 1), x.clip(0, wide - 1)] > 0)
        shares: Floats = there.mean(axis=1)
        return shares


def _laid(ours: Floats, theirs: Floats) -> Floats:
    """Return (N, 3, 3) maps of each of (n, 4, 2) to each of (m, 4, 2), in four orientations."""
    back = np.linalg.inv(_bases(ours))
    to = np.concatenate([_bases(np.roll(theirs, turn, axis=1)) for turn in range(4)])
    maps: Floats = (to[:, None] @ back[None]).reshape(-1, 3, 3)
    return maps / maps[:, 2:, 2:]


def _bases(rings: Floats) -> Floats:
    """Return (n, 3, 3) maps of the axes and (1, 1, 1) to four points (n, 4, 2)."""
    points = np.concatenate([rings, np.ones((*rings.shape[:2], 1))], axis=2).transpose(0, 2, 1)
    share = np.linalg.solve(points[:, :, :3], points[:, :, 3:])
    based: Floats = points[:, :, :3] * share.transpose(0, 2, 1)
    return based
