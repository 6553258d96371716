"""Find cells of a sheet that are covered or overexposed: their print is missing on the photo.

In: a photo, the map from the sheet to it, the cells' polygons. Out: which cells are hidden. A hand,
a cup or a reflection hides the frame around a cell, or the number in it; shadows hide neither. A
die hides less of a frame than an untidy hand writes over it, so dice are known by their faces.
"""

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.boards.dice_on_grid import ground_points, hidden_by
from vision.geometry import Floats, Grid, Homography
from vision.photo import Pixels
from vision.quad import Quad

SIDE, RIM = 40, 11  # px of a cell on its crop, and of the rim around it
PARTS = 6  # of each side of a frame, judged separately
REACH = 8  # px from a side's expected place within which its line is looked for
LINE = 0.4  # of the sheet's usual line contrast, below which a line counts as missing
FAINT = 0.03  # lowest usual line contrast; on fainter sheets nothing is judged
FRAME = 0.3  # share of a frame's parts missing from which a cell is hidden
# The same for a cell within NEXT cells of a hidden one: it is probably partly covered too.
EDGE, NEXT = 0.1, 1.6
BRIGHT = 1.05  # times the usual brightness of cells: a reflection rather than a cover
BURNT = 230.0  # of 255, brightness from which ink is invisible
# Of the contrast of a number without a mark, below which even the number is missing; at least so
# many per cent of a sheet's cells are without a mark.
NUMBER, MARKED = 0.4, 20
# Of a cell's side, its middle that marks are in; points of it that are looked at, either way; share
# of them under a die from which a mark there may be hidden.
MIDDLE, POINTS, UNDER = 0.8, 9, 0.1


def hidden_cells(
    bgr: Pixels, to_px: Homography, polygons: Floats
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Return (n,) which cells are covered, and which are overexposed by a reflection.

    In a reflection ink is visible until it is overexposed: there only a blank cell may hide some.

    Args:
        bgr: the photo.
        to_px: from the polygons' units to px of the photo.
        polygons: (n, 4, 2), clockwise from each cell's own upper left.
    """
    light = _straight(bgr, to_px, polygons)
    lines = _lines(light)  # (n, 4 * PARTS)
    usual = float(np.median(lines))
    if usual < FAINT:
        return (nothing := np.zeros(len(polygons), np.bool_)), nothing
    unseen, numbers = (lines < LINE * usual).mean(axis=1), _numbers(light)
    plain = min(float(np.percentile(numbers, MARKED)), LINE * usual)
    unseen -= float(np.median(unseen))  # parts that are missing in most frames
    hidden = (unseen > FRAME) | (numbers < NUMBER * plain)
    touches = _beside(polygons) & (unseen > EDGE)[:, None]
    while (more := hidden | (touches & hidden).any(axis=1)).sum() > hidden.sum():
        hidden = more
    lit = np.median(light.min(axis=3), axis=(1, 2))
    reflected = lit > BRIGHT * float(np.median(lit[~hidden])) if (~hidden).any() else lit < 0
    hidden = np.asarray(hidden, np.bool_)
    return hidden & ~reflected, hidden & reflected & (lit > BURNT)


def under_dice(
    faces: list[Quad], to_px: Homography, polygons: Floats, size: tuple[int, int]
) -> NDArray[np.bool_]:
    """Return (n,) which cells are under dice.

    Args:
        faces: top faces of the dice, px of the photo.
        to_px: from the polygons' units to px of the photo.
        polygons: (n, 4, 2), clockwise from each cell's own upper left.
        size: width and height of the photo, px.
    """
    if not faces:
        return np.zeros(len(polygons), np.bool_)
    covered = hidden_by(faces, ground_points(Grid(1, 1, to_px), faces), size)
    share = (np.arange(POINTS) + 0.5) / POINTS * MIDDLE + (1 - MIDDLE) / 2
    right, down = (axis.ravel()[:, None, None] for axis in np.meshgrid(share, share))
    steps = polygons[:, 1] - polygons[:, 0], polygons[:, 3] - polygons[:, 0]
    points = polygons[:, 0] + right * steps[0] + down * steps[1]  # (POINTS ** 2, n, 2)
    x, y = to_px.apply(points.reshape(-1, 2)).round().astype(int).T
    there = covered[y.clip(0, size[1] - 1), x.clip(0, size[0] - 1)].reshape(points.shape[:2])
    return np.asarray(there.mean(axis=0) > UNDER, np.bool_)


def _beside(polygons: Floats) -> NDArray[np.bool_]:
    """Return (n, n), which cells are beside each other."""
    steps = np.array([polygons[:, 1] - polygons[:, 0], polygons[:, 3] - polygons[:, 0]])
    middles = polygons.mean(axis=1) @ np.linalg.inv(np.median(steps, axis=1))
    return np.asarray((np.abs(middles[None] - middles[:, None]) < NEXT).all(axis=2), np.bool_)


def _straight(bgr: Pixels, to_px: Homography, polygons: Floats) -> Floats:
    """Return (n, side, side, 3) BGR, the cells rectified."""
    size = SIDE + 2 * RIM
    corners = np.array([(0, 0), (SIDE, 0), (SIDE, SIDE), (0, SIDE)], np.float32) + RIM - 0.5
    light = np.zeros((len(polygons), size, size, 3))
    for crop, polygon in zip(light, polygons, strict=True):
        to_sheet = cv2.getPerspectiveTransform(corners, polygon.astype(np.float32))
        crop[:] = cv2.warpPerspective(
            bgr, to_px.matrix @ to_sheet, (size, size),
            flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP, borderMode=cv2.BORDER_REPLICATE,
        )  # fmt: skip
    return light


def _lines(light: Floats) -> Floats:
    """Return (n, 4 * PARTS) contrasts of the parts of a frame: the share of light they absorb."""
    found = []
    for turn in range(4):
        turned = np.rot90(light, turn, axes=(1, 2))
        strip = turned[:, RIM - REACH : RIM + REACH + 1, RIM + 2 : RIM + SIDE - 2]
        parts = np.array_split(strip, PARTS, axis=2)
        profiles = np.array([part.mean(axis=2) for part in parts])  # (PARTS, n, across, 3)
        around = np.maximum(np.median(profiles, axis=2), 1)
        found.append((1 - profiles[:, :, 2:-2].min(axis=2) / around).max(axis=2))
    return np.concatenate(found).T


def _numbers(light: Floats) -> Floats:
    """Return (n,) contrasts of what is in the middle of each cell."""
    middle = light[:, RIM + SIDE // 4 : -RIM - SIDE // 4, RIM + SIDE // 4 : -RIM - SIDE // 4]
    around = np.array([cv2.GaussianBlur(one, (0, 0), 8) for one in middle])
    taken = 1 - middle / np.maximum(around, 1)
    return np.asarray(np.percentile(taken, 95, axis=(1, 2)).max(axis=1), np.float64)
