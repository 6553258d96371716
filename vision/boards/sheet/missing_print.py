"""Find cells of a sheet that are covered or overexposed: their print is missing on the photo.

In: a straightened sheet. Out: which of its cells are covered. A hand, a cup or a reflection hides
the frame around a cell, or all of its print; shadows hide neither. A die hides less of a frame than
an untidy hand writes over it, so dice are known by their faces (`occluders`).
"""

from collections.abc import Sequence
from functools import reduce

import cv2
import numpy as np

from vision.geometry import Bools, Floats
from vision.photo import Pixels
from vision.straight_sheet import StraightSheet, darkest, printed_alike

SIDE, RIM = 40, 11  # px of a cell on its crop, and of the rim around it
PARTS = 6  # of each side of a frame, judged separately
REACH = 8  # px from a side's expected place within which its line is looked for
LINE = 0.4  # of the sheet's usual line contrast, below which a line counts as missing
FAINT = 0.03  # lowest usual line contrast; on fainter sheets nothing is judged
FRAME = 0.3  # share of a frame's parts missing from which a cell is hidden
# The same for a cell within NEXT cells of a hidden one: it is probably partly covered too.
EDGE, NEXT = 0.1, 1.6
GONE = 0.5  # share from which cells beside it that show no print are covered too
BRIGHT = 1.05  # times the usual brightness of cells: a reflection rather than a cover
# Of a sheet's usual likeness to its print, below which a cell shows none (chosen on drawn sheets);
# `SOFT` is px, `ASTRAY` px from its place.
BARE, SOFT, ASTRAY = 0.35, 0.8, 2
USUAL = 75  # percentile of the cells, by likeness: the usual one


def covered_cells(sheet: StraightSheet, labels: Sequence[str]) -> tuple[Bools, Bools]:
    """Return (n,) which cells are covered, and which show no print.

    Without its print a cell is covered if one beside it is, or if it is surely blank: else ink
    may hide the print. In a reflection ink is visible until it is overexposed.

    Args:
        sheet: with the cells.
        labels: of the cells; those with the same one are printed alike.
    """
    light, beside = _crops(sheet), _beside(sheet.cells)
    lines = _lines(light)  # (n, 4 * PARTS)
    usual = float(np.median(lines))
    if usual < FAINT:
        return (nothing := np.zeros(len(lines), np.bool_)), nothing
    unseen = (lines < LINE * usual).mean(axis=1)
    unseen -= float(np.median(unseen))  # parts that are missing in most frames
    hidden = _spread(unseen > FRAME, unseen > EDGE, beside)
    flat = darkest(light.reshape(-1, SIDE + 2 * RIM, 3)).reshape(len(light), -1)
    lit = np.median(flat, axis=1)
    dull = lit <= BRIGHT * float(np.median(lit[~hidden])) if (~hidden).any() else lit >= 0
    likeness = _likeness(sheet, labels)
    bare = likeness < BARE * float(np.percentile(likeness, USUAL))
    bare &= sheet.finer >= 1  # else the photo shows too little of the print
    return hidden & dull | _spread((unseen > GONE) & dull, bare, beside), bare


def _spread(hidden: Bools, perhaps: Bools, beside: Bools) -> Bools:
    """Return (n,) the hidden cells, and those *perhaps* hidden that are connected with them."""
    while (more := hidden | perhaps & (beside & hidden).any(axis=1)).sum() > hidden.sum():
        hidden = more
    return hidden


def _likeness(sheet: StraightSheet, labels: Sequence[str]) -> Floats:
    """Return (n,) correlations of the cells with what those of their label have in common."""
    grey = np.asarray(cv2.GaussianBlur(darkest(sheet.light), (0, 0), SOFT), np.float32)
    found = np.ones(len(labels))
    for some, _, common in printed_alike(sheet, grey, labels, ASTRAY):
        high, wide = np.array(common.shape) + 2 * ASTRAY
        for k in some:
            around = cv2.getRectSubPix(grey, (int(wide), int(high)), sheet.cells[k].mean(axis=0))
            found[k] = cv2.matchTemplate(around, common, cv2.TM_CCOEFF_NORMED).max()
    return found


def _beside(polygons: Floats) -> Bools:
    """Return (n, n), which cells are beside each other."""
    steps = np.array([polygons[:, 1] - polygons[:, 0], polygons[:, 3] - polygons[:, 0]])
    middles = polygons.mean(axis=1) @ np.linalg.inv(np.median(steps, axis=1))
    return np.asarray((np.abs(middles[None] - middles[:, None]) < NEXT).all(axis=2), np.bool_)


def _crops(sheet: StraightSheet) -> Pixels:
    """Return (n, side, side, 3) BGR, the cells with a rim."""
    size = SIDE + 2 * RIM
    light = np.zeros((len(sheet.cells), size, size, 3), np.uint8)
    for crop, cell in zip(light, sheet.cells, strict=True):
        corner, scale = cell.min(axis=0), SIDE / np.ptp(cell, axis=0)
        shift = RIM - 0.5 - scale * corner
        onto = np.array([[scale[0], 0, shift[0]], [0, scale[1], shift[1]]])
        cv2.warpAffine(sheet.flat, onto, (size, size), crop, borderMode=cv2.BORDER_REPLICATE)
    return light


def _lines(light: Pixels) -> Floats:
    """Return (n, 4 * PARTS) contrasts of the parts of a frame: the share of light they absorb."""
    planes, found = np.ascontiguousarray(np.moveaxis(light, 3, 0)), []
    for turn in range(4):
        turned = np.rot90(planes, turn, axes=(2, 3))
        strip = turned[:, :, RIM - REACH : RIM + REACH + 1, RIM + 2 : RIM + SIDE - 2]
        parts = strip.reshape(*strip.shape[:3], PARTS, -1).astype(np.uint16)
        wide = parts.shape[-1]
        profiles = reduce(np.add, np.moveaxis(parts, -1, 0))  # (3, n, across, PARTS), times wide
        around = np.maximum(np.median(profiles, axis=2) / wide, 1)
        found.append((1 - profiles[:, :, 2:-2].min(axis=2) / wide / around).max(axis=0))
    return np.concatenate(found, axis=1)
