"""Tell filled cells from checked ones by their ink, compared with this person's checks.

In: crops of a sheet's cells, and the network's probabilities. Out: corrected ones. A cell that was
shaded or struck over its check looks like a check to the network; but it has more ink than this
person's other checks, which are alike. So the ink counts for each of them, however sure the network
is: a thin line through a check is little ink, and no more than a doubt. And its lines are close to
each other: a check, a cross or a circle, however dark, leaves most of its cell to the paper.
"""

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.faces.detector import sigmoid
from vision.geometry import Floats
from vision.photo import Pixels

FEATURES = ("bias", "filled", "ink unlike that of checks", "covered", "more than by checks")
INNER = 0.8  # of a cell's side, without its frame
WIDER = 1.15  # cell sides; a dark place that is wider is shade, not ink
SOFT = 1 / 8  # of a cell's side, by which the paper's brightness is smoothed
FAINT = 0.1  # share of the light that ink absorbs, above which it is weighed
LEAST = 0.002  # weight of the ink of any mark
PRINT = 0.01  # weight of print at most; more is a mark that was read as blank
BLANKS = 8  # cells by which print is measured, at most
DARK, HALF = 85, 0.5  # percentile of a cell's ink that is plain, and share of that which is a line
BETWEEN = 5  # px, between lines that cover what is between them
BARE = 0.01  # share of a cell that any mark covers
SPREAD, COUNTED = 0.15, 2  # prior spread of a person's log ink, and its weight in checks
# Spreads: uninformative differences, the default without checks, and the clearest.
# ALIKE and UNLIKELY: of drawn hands (140 sheets) the fewest are then silently wrong.
ALIKE, ALONE, MOST = 1.0, 2.5, 10.0
UNLIKELY = 0.0025  # share from which the network is believed that a marked cell is not filled
CLOSE = 1e-6  # shares are kept so far from 0 and 1

Inside = NDArray[np.float32]  # (n, h, w) of n cells without their frames, or one of them


def by_ink(
    shares: Floats,
    crops: Pixels,
    cell: int,
    may_fill: NDArray[np.bool_],
    states: tuple[int, int, int],
    weights: tuple[float, ...],
) -> Floats:
    """Return (n, states) probabilities; how likely a checked cell is filled follows from its ink.

    The probabilities of other states stay.

    Args:
        shares: (n, states) probabilities by the network.
        crops: (n, h, w, 3) BGR, each with its cell in the middle.
        cell: side of a cell on the crop, px.
        may_fill: (n,) whether the game lets a cell be filled.
        states: indices of the states "blank", "checked" and "filled".
        weights: of FEATURES; none leaves everything as it is.
    """
    _, checked, filled = states
    places, rows = ink_features(shares, crops, cell, may_fill, states)
    if not weights or not len(places):
        return shares
    probs, marked = sigmoid(rows @ np.array(weights)), _marked(shares[places], states)
    given: Floats = shares.copy()
    given[places, checked], given[places, filled] = (1 - probs) * marked, probs * marked
    return given


def ink_features(
    shares: Floats,
    crops: Pixels,
    cell: int,
    may_fill: NDArray[np.bool_],
    states: tuple[int, int, int],
) -> tuple[NDArray[np.intp], Floats]:
    """Return (m,) indices of marked cells that may be filled, and (m, FEATURES) of these."""
    blank, checked, filled = states
    top = shares.argmax(axis=1)
    places = np.flatnonzero(may_fill & (top != blank))
    if not len(places):
        return places, np.zeros((0, len(FEATURES)))
    kinds = ~may_fill, may_fill
    blanks = [_absorbed(crops[(top == blank) & kind][:BLANKS], cell) for kind in kinds]
    of_own, of_fills = (_weight_of_print(*some) for some in (blanks, blanks[::-1]))
    own, taken = (_absorbed(crops[some], cell) for some in (~may_fill & (top == checked), places))
    usual, ink = np.maximum(_ink(own) - of_own, LEAST), np.maximum(_ink(taken) - of_fills, LEAST)
    by_network = shares[places, filled] / _marked(shares[places], states)
    by_network = np.clip(by_network, UNLIKELY, 1 - CLOSE)
    logit = np.log(by_network / (1 - by_network))
    unlike = _unlike(np.log(ink), np.log(usual))
    covered, by_checks = np.log(_covered(taken, blanks[1])), np.log(_covered(own, blanks[0]))
    more = _unlike(covered, by_checks)
    return places, np.column_stack([np.ones(len(places)), logit, unlike, covered, more])


def _marked(shares: Floats, states: tuple[int, int, int]) -> Floats:
    """Return (n,) probabilities that cells are checked or filled."""
    return np.asarray(np.maximum(shares[:, states[1:]].sum(axis=1), CLOSE), np.float64)


def _weight_of_print(blanks: Inside, others: Inside) -> float:
    """Return what `_ink` sees of print in cells of one kind, or else in those of another."""
    some = blanks if len(blanks) else others
    return min(float(np.median(_ink(some))), PRINT) if len(some) else PRINT


def _covered(taken: Inside, blanks: Inside) -> Floats:
    """Return (n,) shares of cells that lines cover, with what is between close ones."""
    printed = np.median(blanks, axis=0) if len(blanks) else np.zeros(taken.shape[1:], np.float32)
    marks = taken - cv2.dilate(printed, np.ones((3, 3), np.uint8))
    between = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (BETWEEN, BETWEEN))
    shares = []
    for mark in marks:
        ink = mark[mark > FAINT]
        line = max(FAINT, HALF * float(np.percentile(ink, DARK))) if ink.size else 1.0
        lines = np.pad((mark > line).astype(np.uint8), BETWEEN)
        closed = cv2.morphologyEx(lines, cv2.MORPH_CLOSE, between)
        shares.append(closed[BETWEEN:-BETWEEN, BETWEEN:-BETWEEN].mean())
    return np.maximum(shares, BARE)


def _unlike(ink: Floats, usual: Floats) -> Floats:
    """Return (n,) differences from the median of the usual numbers, in units of their spread."""
    if not len(usual):
        return np.full(len(ink), ALONE)
    middle = float(np.median(usual))
    spread = 1.48 * float(np.median(np.abs(usual - middle)))
    count = len(usual)
    spread = np.sqrt((count * spread**2 + COUNTED * SPREAD**2) / (count + COUNTED))
    return np.asarray(np.clip((ink - middle) / spread, ALIKE, MOST), np.float64)


def _ink(taken: Inside) -> Floats:
    """Return (n,) weights of each cell's ink, print included."""
    return np.asarray(np.maximum(taken - FAINT, 0).mean(axis=(1, 2)), np.float64)


def _absorbed(crops: Pixels, cell: int) -> Inside:
    """Return (n, h, w) shares of the light that ink absorbs inside the cells."""
    high, wide = crops.shape[1:3]
    half, beside = round(INNER * cell / 2), round(3 * SOFT * cell)  # what its smoothing reaches
    near = _around((high, wide), half + beside)
    of_near = _around(tuple(part.stop - part.start for part in near), half)
    inner = [_taken(crop, cell, near)[of_near] for crop in crops]
    return np.array(inner, np.float32).reshape(-1, 2 * half, 2 * half)


def _taken(crop: Pixels, cell: int, near: tuple[slice, ...]) -> Inside:
    """Return shares of the light that ink absorbs *near* the cell, beside the paper around it."""
    wide = round(WIDER * cell)
    around = cv2.getStructuringElement(cv2.MORPH_RECT, (wide, wide))
    closed = cv2.morphologyEx(
        cv2.blur(crop, (3, 3)), cv2.MORPH_CLOSE, around, borderType=cv2.BORDER_REPLICATE
    )
    paper = cv2.GaussianBlur(closed[near], (0, 0), SOFT * cell)
    blue, green, red = cv2.split(cv2.divide(crop[near], np.maximum(paper, 1), dtype=cv2.CV_32F))
    return np.asarray(1 - cv2.min(cv2.min(blue, green), red), np.float32)


def _around(shape: tuple[int, ...], half: int) -> tuple[slice, ...]:
    """Return the part of a picture so far around its middle."""
    return tuple(slice(max(side // 2 - half, 0), side // 2 + half) for side in shape)
