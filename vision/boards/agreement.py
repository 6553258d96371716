"""Compare a photo with a taught board's picture, block by block, at a place where it may be.

In: a photo, the board's picture and a homography. Out: a correlation for each block. A board with
many equal cells fits almost as well when shifted by one cell. What is printed around the cells, or
in some of them, decides: the blocks that match in one place and not in the other.
"""

from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import product

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.board_profile import PX_PER_UNIT, BoardBlocks, Profile, moved, rectify
from vision.camera import in_front
from vision.geometry import Floats, Homography
from vision.photo import Grey

Mask = NDArray[np.bool_]

SEEN_AS = 0.5  # correlation from which a block matches
LEAST_SPREAD = 6.0  # grey levels, standard deviation; plainer blocks are not compared
AS_WELL = 0.1  # a block matches as well elsewhere if its correlation is lower by no more than this
RIVAL = 0.7  # share of the blocks that match as well one cell further, from which it is a rival
# Blocks that must favour one place over another, and the factor by which they must outnumber those
# that favour the other: the table around a board that was moved on it favours the wrong place.
LEAST_TELLING, CLEARLY = 8, 4
FARTHEST = 8  # cells by which a plane is shifted at most
FEW = 4  # cells along a side, of which one may be cut off and its lines lie near the others' places
SQUARE = 0.02  # of its width, by which the height of a square board may differ
# Correlation of a board's blocks with its own a cell further or turned, and the share that have it,
# from which it repeats itself. What is less alike cannot match AS_WELL where most blocks have 0.9.
REPEATED, OFTEN = 0.8, 0.25
# Correlation of the same print; px of the board's picture by which a sure plane may be off at most.
SAME_PRINT, ASTRAY = 0.9, 3
LARGE = 128  # px of it; of larger places not every px is compared
# px of it around a place by which the light there is known, and by how much what lies on the board
# is lighter or darker than its print at least: a share of that light, and grey levels. On
# printed pages each of 76 lone dice of 12 to 30 px of a photo is; on 30 of 33 bare ones nothing is.
NEAR, OTHERWISE, LEAST_OTHERWISE = (41, 41), 0.06, 6.0


def agreement(grey: Grey, board: BoardBlocks, plane: Homography) -> Floats:
    """Return (count, count) correlations of a board's blocks and a photo; NaN if not comparable.

    Args:
        grey: the photo, (h, w).
        board: the picture, in blocks.
        plane: from units of the picture to px of the photo.
    """
    height, width = board.picture.shape
    flat_photo = rectify(grey, plane, (width, height))
    there = _on_photo(grey, plane, (width, height), board.count)
    flat = np.asarray(cv2.GaussianBlur(flat_photo, (0, 0), 1.0) * board.counted, np.uint8)
    (ours_mean, ours_var), (flat_mean, flat_var) = board.moments, board.moments_of(flat)
    product = board.mean_of(cv2.integral(cv2.multiply(board.soft, flat, dtype=cv2.CV_32F)))
    both = np.sqrt(ours_var * flat_var)
    alike = (product - ours_mean * flat_mean) / np.maximum(both, 1.0)
    return np.where(there & (ours_var >= LEAST_SPREAD**2), alike, np.nan)


@dataclass(frozen=True, eq=False)
class EmptyBoard:
    """A taught board's own print on a photo.

    Args:
        grey: the photo, (h, w).
        profile: of the board.
        plane: from units of the board to px of the photo.
    """

    grey: Grey
    profile: Profile
    plane: Homography

    @cached_property
    def _flat(self) -> Grey:
        """Return the photo as the board's picture lies, as large and as soft."""
        rim, size = self.profile.rim / PX_PER_UNIT, self.profile.around.shape[::-1]
        flat = rectify(self.grey, moved(self.plane, -rim, -rim), size)
        return np.asarray(cv2.GaussianBlur(flat, (0, 0), 1.0), np.uint8)

    def shows(self, quads: Floats) -> Mask:
        """Return (n,) which (n, 4, 2) places, px of the photo, look as on the empty board."""
        at = self.plane.inverse().apply(quads.reshape(-1, 2)).reshape(-1, 4, 2) * PX_PER_UNIT
        low, far = (np.floor(at.min(axis=1)), np.ceil(at.max(axis=1)) + 1)
        low, far = low + self.profile.rim, far + self.profile.rim
        end = np.array(self.profile.around.shape[::-1]) - ASTRAY
        alike = ((low >= ASTRAY) & (far <= end)).all(axis=1)
        for k in np.flatnonzero(alike).tolist():
            alike[k] = self._is_print(low[k].astype(int), far[k].astype(int))
        return np.asarray(alike, np.bool_)

    def _is_print(self, low: NDArray[np.intp], far: NDArray[np.intp]) -> bool:
        """Return True if there is print in a box of the picture, px, and the photo shows it.

        Most print lies where it should, so nothing is shifted at first. Of a large box few px are
        compared.
        """
        step = 1 + int((far - low).max()) // LARGE
        astray = ASTRAY // step * step
        (left, top), (right, bottom) = low.tolist(), far.tolist()
        empty = self.profile.wider_blocks.soft[top:bottom:step, left:right:step]
        own = empty - empty.mean(dtype=np.float32)
        if np.vdot(own, own) < LEAST_SPREAD**2 * own.size:
            return False
        there = self._flat[top:bottom:step, left:right:step]
        shown = there - there.mean(dtype=np.float32)
        if np.vdot(own, shown) > SAME_PRINT * np.sqrt(np.vdot(own, own) * np.vdot(shown, shown)):
            return True
        rows, columns = (
            slice(a - astray, b + astray, step) for a, b in ((top, bottom), (left, right))
        )
        part, empty = self._flat[rows, columns], np.ascontiguousarray(empty)
        return bool(cv2.matchTemplate(part, empty, cv2.TM_CCOEFF_NORMED).max() > SAME_PRINT)

    @cached_property
    def is_bare(self) -> bool:
        """Return True if nothing lies on the board, not even small dice."""
        rim = self.profile.rim
        own = slice(rim, -rim or None), slice(rim, -rim or None)
        empty, shown = (
            part[own].astype(np.float32) for part in (self.profile.wider_blocks.soft, self._flat)
        )
        level, light = cv2.blur(empty, NEAR), cv2.blur(shown, NEAR)
        spread = cv2.blur(empty * empty, NEAR) - level * level
        gain = np.clip(
            (cv2.blur(empty * shown, NEAR) - level * light) / np.maximum(spread, 9), 0, 3
        )
        beside = np.ones((3, 3), np.uint8)  # the print may be a px aside
        over = shown - light - gain * (cv2.dilate(empty, beside) - level)
        under = gain * (cv2.erode(empty, beside) - level) - shown + light
        otherwise = cv2.blur(np.maximum(np.maximum(over, under), 0), (3, 3))
        return not (otherwise > np.maximum(LEAST_OTHERWISE, OTHERWISE * light)).any()


def _on_photo(
    grey: Grey, plane: Homography, size: tuple[int, int], blocks: int
) -> NDArray[np.bool_]:
    """Return (blocks, blocks), which blocks of the board's picture are wholly on the photo."""
    x, y = np.meshgrid(*(np.linspace(0, side / PX_PER_UNIT, blocks + 1) for side in size))
    at = plane.apply(np.column_stack([x.ravel(), y.ravel()]))
    inside = (at >= -0.5).all(axis=1) & (at < (grey.shape[1] - 0.5, grey.shape[0] - 0.5)).all(1)
    ends = inside.reshape(blocks + 1, blocks + 1)
    whole: NDArray[np.bool_] = ends[:-1, :-1] & ends[1:, :-1] & ends[:-1, 1:] & ends[1:, 1:]
    return whole


def turns_of(profile: Profile) -> list[Floats]:
    """Return the (3, 3) maps that turn a board onto its own place: by 180 or also by 90 degrees."""
    width, height = profile.layout.paper_mm
    turns: list[Floats] = [np.array([[-1, 0, width], [0, -1, height], [0, 0, 1.0]])]
    if profile.rows == profile.columns and abs(width - height) < SQUARE * width:
        turns += [np.array([[0, -1, width], [1, 0, 0], [0, 0, 1.0]]),
                  np.array([[0, 1, 0], [-1, 0, height], [0, 0, 1.0]])]  # fmt: skip
    return turns


@lru_cache(maxsize=4)
def repeats(profile: Profile) -> bool:
    """Return True if a board looks like itself a cell further or turned."""
    rim = profile.rim - 0.5
    own = np.array([[PX_PER_UNIT, 0, rim], [0, PX_PER_UNIT, rim], [0, 0, 1]])
    others = [plane for plane, _, _ in a_cell_further(Homography(own, 0.0), profile)]
    others += [Homography(own @ turn, 0.0) for turn in turns_of(profile)]
    alike = [agreement(profile.around, profile.blocks, other) for other in others]
    return any((one >= REPEATED).sum() > OFTEN * (~np.isnan(one)).sum() for one in alike)


def as_well(first: Floats, other: Floats) -> bool:
    """Return True if most blocks that match in the first place match as well in the other."""
    holds = first >= SEEN_AS
    as_well = holds & (other >= np.maximum(first - AS_WELL, SEEN_AS))
    return bool(as_well.sum() >= RIVAL * holds.sum())


def a_cell_further(plane: Homography, profile: Profile) -> list[tuple[Homography, float, float]]:
    """Return the planes shifted by one cell, as far as visible, each with its shift in units."""
    right, down = profile.steps
    steps = ((-right, 0.0), (right, 0.0), (0.0, -down), (0.0, down))
    further = [(moved(plane, x, y), x, y) for x, y in steps]
    return [one for one in further if in_front(one[0], profile.layout.outline)]


def best_shift(grey: Grey, profile: Profile, plane: Homography) -> tuple[float, float]:
    """Return the shift, units right and down, at which the board's surroundings match clearly."""
    x = y = 0.0
    for _ in range(FARTHEST):
        own = around(grey, profile, moved(plane, x, y))
        for other, dx, dy in a_cell_further(moved(plane, x, y), profile):
            if favours(around(grey, profile, other), own):
                x, y = x + dx, y + dy
                break
        else:
            break
    return x, y


def shifted_alike(grey: Grey, profile: Profile, plane: Homography, alike: Floats) -> bool:
    """Return True if the board shifted by a cell matches the photo about as well."""
    further = [other for other, _, _ in a_cell_further(plane, profile)]
    rivals = [one for one in further if as_well(alike, agreement(grey, profile.blocks, one))]
    wider = around(grey, profile, plane) if rivals else alike
    return any(not favours(wider, around(grey, profile, one)) for one in rivals)


@lru_cache(maxsize=1)
def _with_other_cells(profile: Profile) -> list[BoardBlocks]:
    """Return pictures of a board, as large as it is, that have fewer cells along a side, or twice.

    Of fewer cells they show a part, twice as large or without one of few.
    """
    height, width = profile.picture.shape
    across, down = _parts(width, profile.columns), _parts(height, profile.rows)
    maps = [np.array([(x, 0, -x * left), (0, y, -y * top)])
            for (x, left), (y, top) in product(across, down)]  # fmt: skip
    parts = [cv2.warpAffine(profile.picture, one, (width, height)) for one in maps[1:]]
    half = (-(-width // 2), -(-height // 2))
    small = cv2.resize(profile.picture, half, interpolation=cv2.INTER_AREA)
    parts.append(np.tile(small, (2, 2))[:height, :width])
    return [BoardBlocks(np.asarray(one, np.uint8), profile.blocks.count) for one in parts]


def _parts(side: int, cells: int) -> list[tuple[float, float]]:
    """Return by how much parts of a side are enlarged, and where they begin, px: all of it first.

    Of cells twice as large, a line lies where every other one was, or on those between.
    """
    cell = side / cells
    parts = [(1.0, 0.0), *((2.0, first * cell / 2) for first in (cells // 2, cells // 2 + 1))]
    return parts + ([(cells / (cells - 1), 0.0)] if 2 < cells <= FEW else [])


def shows_other_cells(grey: Grey, profile: Profile, plane: Homography, alike: Floats) -> bool:
    """Return True if the photo rather shows fewer cells than the board has there, or twice as many.

    Where a board is the same everywhere, some of its lines fit those of a part of it, if the rest
    is cut off, and all of them those of a finer board.
    """
    others = (agreement(grey, blocks, plane) for blocks in _with_other_cells(profile))
    return any(favours(one, alike) for one in others)


def around(grey: Grey, profile: Profile, plane: Homography) -> Floats:
    """Return the `agreement` of a board together with its surroundings."""
    rim = profile.rim / PX_PER_UNIT
    return agreement(grey, profile.wider_blocks, moved(plane, -rim, -rim))


def favours(first: Floats, second: Floats) -> bool:
    """Return True if the blocks clearly favour the first place over the second."""
    first, second = np.nan_to_num(first), np.nan_to_num(second)
    in_favour = int(((first >= SEEN_AS) & (second < first - AS_WELL)).sum())
    against = int(((second >= SEEN_AS) & (first < second - AS_WELL)).sum())
    return in_favour >= max(LEAST_TELLING, CLEARLY * against)
