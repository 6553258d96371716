"""Guess where a taught board of few features may lie, by its straight lines.

In: a photo, the strokes of the board's picture. Out: planes, the likeliest first. Two lines of the
board that run alike and two that cross them are laid on any four such lines of the photo, in each
of four turns. What a camera cannot see falls away; of the others those count most on whose lines
most of the board's strokes come to lie.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.boards.hypotheses import could_be_seen, crossings
from vision.boards.line_detector import Strokes, find_strokes
from vision.boards.printed_grid import usual_lens
from vision.boards.profile import PX_PER_UNIT, Profile
from vision.boards.stroke_map import Masks, nearest_turn, stroke_masks
from vision.decode import Grey
from vision.geometry import Floats, Homography, Points

# Longer side, px, of the photo that lines are looked for on, and zoom of the board's picture: wide
# lines are narrow enough there, and on the smaller ones those that waver are straight.
VIEWS = ((800, 0.5), (400, 0.25))
BESIDE = 12  # px of the board's picture, within which print belongs to a line
OURS, THEIRS = 10, 20  # lines of the board and of the photo that are paired
LAID = 8  # fours of the board's lines that are laid on the photo's, the widest first
LEAST_APART = 1 / 3  # of what outer lines of a grid are apart, of the two lines of a pair
POINTS = 160  # of the board's strokes, that are looked for on the photo
RIM = 16  # px
STEP = 4.0  # px along a stroke, by which its direction is told
LEAST_THERE = 0.4  # of these points
TRIED = 6  # planes
SAME = 0.02  # of the photo's longer side; planes whose corners differ by less are one


def planes_by_lines(grey: Grey, profile: Profile) -> Iterator[Homography]:
    """Yield planes from units of a board to px of a photo (h, w)."""
    for side, zoom in VIEWS:
        yield from _planes(grey, profile, side, zoom)


def _planes(grey: Grey, profile: Profile, side: int, small: float) -> Iterator[Homography]:
    zoom = min(1.0, side / max(grey.shape))
    work = _smaller(grey, zoom)
    # A mirror makes whole lines of the outer ones, of which the picture has a half.
    wider = cv2.copyMakeBorder(
        _smaller(profile.picture, small), RIM, RIM, RIM, RIM, cv2.BORDER_REFLECT
    )
    board, seen = Lines.of(np.asarray(wider, np.uint8)), Lines.of(work)
    if not len(board.strokes.lines) or not len(seen.strokes.lines):
        return
    maps = _laid(board.fours(OURS)[:LAID], seen.fours(THEIRS))
    per_unit = PX_PER_UNIT * small
    to_px = np.array([[per_unit, 0, RIM - 0.5], [0, per_unit, RIM - 0.5], [0, 0, 1]])
    outline = Homography(to_px, 0.0).apply(profile.layout.outline)
    width, height = outline[2] - outline[0]
    maps = maps[could_be_seen(np.linalg.inv(seen.lens) @ maps, height, width)]
    some = board.some()
    value = seen.share(maps, some)
    given: list[Points] = []
    shifts = _shifts(width / profile.columns, height / profile.rows)
    alike = board.share(shifts, some)
    for i in np.argsort(-value, kind="stable"):
        if value[i] < LEAST_THERE or len(given) == TRIED:
            return
        ring = Homography(maps[i], 0.0).apply(outline)
        if all(np.abs(ring - other).max() > SAME * max(work.shape) for other in given):
            given.append(ring)
            further = seen.share(maps[i] @ shifts, some)
            if (further < value[i] * (1 + alike) / 2).all():
                yield Homography(_enlarged(1 / zoom) @ maps[i] @ to_px, 1 / zoom)


def between_lines(picture: Grey) -> NDArray[np.bool_]:
    """Return (h, w), which px of a board's picture are away from its straight lines."""
    (high, wide), small = picture.shape, VIEWS[0][1]
    lines = find_strokes(_smaller(picture, small)).lines[:OURS] * (1, 1, 1 / small)
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


def _enlarged(by: float) -> Floats:
    """Return (3, 3), px of a picture to px of one *by* times as large, from the middle of px."""
    return np.array([[by, 0, by / 2 - 0.5], [0, by, by / 2 - 0.5], [0, 0, 1]])


def _shifts(right: float, down: float) -> Floats:
    """Return (4, 3, 3), maps of a board to where it would lie a cell further."""
    moves = ((right, 0), (-right, 0), (0, down), (0, -down))
    return np.array([[[1, 0, x], [0, 1, y], [0, 0, 1]] for x, y in moves])


@dataclass(frozen=True, slots=True, eq=False)
class Lines:
    """The straight strokes of a picture (h, w)."""

    strokes: Strokes
    masks: Masks
    lens: Floats  # (3, 3), the usual one

    @classmethod
    def of(cls, picture: Grey) -> Lines:
        """Return the strokes of a picture."""
        size = (picture.shape[1], picture.shape[0])
        strokes = find_strokes(picture)
        return cls(strokes, stroke_masks(strokes, size), usual_lens(size))

    def fours(self, most: int) -> Floats:
        """Return (n, 4, 2) px where any four of the firmest lines cross, the widest first."""
        rings = crossings(self.strokes.lines[:most], self.lens, LEAST_APART)
        areas = [cv2.contourArea(ring.astype(np.float32)) for ring in rings]
        return rings[np.argsort(areas, kind="stable")[::-1]]

    def some(self) -> Floats:
        """Return (n, 2, 2) px: points of the strokes, each with one further along it."""
        points, normals = self.strokes.points, self.strokes.normals
        which = np.linspace(0, len(points) - 1, POINTS).astype(int)
        along = normals[which][:, ::-1] * (1, -1)
        return np.stack([points[which], points[which] + STEP * along], axis=1)

    def share(self, maps: Floats, some: Floats) -> Floats:
        """Return (N,) shares of another's points that lie on strokes where (N, 3, 3) send them."""
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
    """Return (N, 3, 3), the maps of each four points (n, 4, 2) to each (m, 4, 2), in four turns."""
    back = np.linalg.inv(_bases(ours))
    to = np.concatenate([_bases(np.roll(theirs, turn, axis=1)) for turn in range(4)])
    maps: Floats = (to[:, None] @ back[None]).reshape(-1, 3, 3)
    return maps / maps[:, 2:, 2:]


def _bases(rings: Floats) -> Floats:
    """Return (n, 3, 3), what sends the axes and (1, 1, 1) to four points (n, 4, 2)."""
    points = np.concatenate([rings, np.ones((*rings.shape[:2], 1))], axis=2).transpose(0, 2, 1)
    share = np.linalg.solve(points[:, :, :3], points[:, :, 3:])
    based: Floats = points[:, :, :3] * share.transpose(0, 2, 1)
    return based
