"""Find strokes that no mark explains: of a mark that was overlooked, a drop, a hair, a ring.

In: the strokes on a sheet, which cells are read as blank. Out: cells with such a stroke. Print that
lies beside its place is left over like a stroke, so a sheet with several of them is looked at again
with its cells where their frames are.
"""

from collections.abc import Hashable, Sequence

import numpy as np

from vision.boards.sheet.pen_strokes import (
    UNEXPLAINED,
    Indices,
    Mask,
    PenStrokes,
    plain_depth,
    strokes_on,
)
from vision.geometry import Floats
from vision.straight_sheet import FINE, StraightSheet, settled

# Share of its px that lie farther than so many px inside the cell: the frame of a curled page is
# left over along its rim (of drawn ones at most 0.16).
INSIDE, INNER = 0.2, 2
PLAIN = 1.8  # times the least depth of a stroke, which a plain one has
# Of the cells nearby, the percentile of the depth that is noise, which ink does not reach; times
# that (of drops at least 10, of blotches and dim corners at most 6.3).
AMONG, NOISE, BLOTCHY = 9, 75, 8.0
# Share of a stroke, else it is print, left over where that is darkest: unless nowhere on the sheet
# as much of it is left in blank cells nearby, by its percentile, as this share of a stroke's depth.
BESIDE_PRINT, LEFT, CLEAN = 0.5, 98, 0.7
# Times the print left over, below which the cells are where a sheet that is bent a little has them:
# of 21 drawn ones the most is 0.82, of 50 flat ones with drops, hairs or creases 46 have 0.85 more.
LESS = 0.85
# Cells with spots, from which a sheet may be curled inside its cells too; px that print may then
# lie beside its place.
SPOTS, SLACK = 3, 2
PLAINER = 2.5  # times the print left over around, by which a stroke on a bent sheet is deeper


def strays(
    strokes: PenStrokes, blank: Mask, *, print_left: bool | None = None, bent: bool = False
) -> Mask:
    """Return (n,) in which *blank* cells there is a stroke that is of no other cell's mark.

    It is plainer than the noise around, and reaches beyond the print if *print_left*: print of the
    sheet is left over like strokes; None: look whether it is. On a *bent* sheet it is plainer than
    what is left of the print around, too.
    """
    of_marks = strokes.areas[:, ~blank].max(axis=1, initial=UNEXPLAINED)
    least, stray = _plainer(strokes), np.zeros_like(blank)
    if print_left is None:
        print_left = _is_print_left(strokes, blank)
    if bent:
        least[blank] = np.maximum(least[blank], PLAINER * _print_left(strokes, blank))
    for stroke, k in np.argwhere(blank & (strokes.areas > of_marks[:, None])):
        left, top, right, bottom = strokes.boxes[k]
        box = np.s_[top : bottom + 1, left : right + 1]
        own = strokes.labels[box] == stroke
        is_plain = plain_depth(strokes.deepest[box][own]) > least[k]
        beside = own & ~strokes.printed[box]
        is_print = beside.sum() <= min(BESIDE_PRINT * own.sum(), UNEXPLAINED * FINE**2)
        inside = own[INNER:-INNER, INNER:-INNER].sum() > INSIDE * own.sum()
        stray[k] |= is_plain and inside and not (print_left and is_print)
    return stray


def _plainer(strokes: PenStrokes) -> Floats:
    """Return (n,) how deep a stroke of a cell is at least that is no blotch of the paper there."""
    noise = []
    for left, top, right, bottom in strokes.boxes:
        box = np.s_[top : bottom + 1, left : right + 1]
        noise.append(np.percentile(np.where(strokes.printed[box], 0, strokes.deepest[box]), NOISE))
    return np.maximum(PLAIN * strokes.least, BLOTCHY * _nearby(strokes.boxes, noise))


def _is_print_left(strokes: PenStrokes, blank: Mask) -> bool:
    """Return True if print was not taken out of *blank* cells nearby somewhere on the sheet."""
    return bool(_print_left(strokes, blank).max(initial=0.0) >= CLEAN * strokes.least)


def _print_left(strokes: PenStrokes, blank: Mask) -> Floats:
    """Return (m,) how deep print is that was not taken out around each of m *blank* cells."""
    depths = []
    for left, top, right, bottom in strokes.boxes[blank]:
        box = np.s_[top : bottom + 1, left : right + 1]
        printed = strokes.deepest[box][strokes.printed[box]]
        depths.append(np.percentile(printed, LEFT) if printed.size else 0.0)
    return _nearby(strokes.boxes[blank], depths) if depths else np.zeros(0)


def _nearby(boxes: Indices, depths: Sequence[float]) -> Floats:
    """Return (n,) the median of the depths of a cell and those nearby."""
    middles = boxes.reshape(-1, 2, 2).mean(axis=1)
    far = np.linalg.norm(middles[:, None] - middles, axis=2)
    nearby = np.array(depths)[far.argsort(axis=1)[:, :AMONG]]
    return np.asarray(np.median(nearby, axis=1), np.float64)


def settled_strays(
    sheet: StraightSheet,
    kinds: Sequence[Hashable],
    strokes: PenStrokes,
    blank: Mask,
    *,
    taught: bool,
) -> tuple[PenStrokes, Mask]:
    """Return a sheet's strokes, and (n,) which *blank* cells have one that no mark explains.

    Args:
        sheet: with n cells.
        kinds: (n,) of the cells; those of one kind are printed alike.
        strokes: on it, with its cells in their places.
        blank: (n,) cells that are read so.
        taught: its print is known from a photo of it empty, and is where it was then.
    """
    print_left = _is_print_left(strokes, blank)
    stray = strays(strokes, blank, print_left=print_left)
    if taught or not stray.any():
        return strokes, stray
    at_frames = settled(sheet)
    bent = strokes_on(at_frames, kinds)
    stays = stray & strays(bent, blank, print_left=print_left)
    fewer = bool(SPOTS < stray.sum() > 2 * stays.sum())
    if not fewer and bent.left_of_print >= LESS * strokes.left_of_print:
        return strokes, stray
    if fewer or stays.sum() > SPOTS:
        loosely = strokes_on(at_frames, kinds, slack=SLACK)
        stays &= strays(loosely, blank, print_left=print_left, bent=fewer)
    return bent, stays
