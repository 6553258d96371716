"""Read a sheet as a difference: its print taken out, what is left are strokes, and what fell on it.

In: a straightened sheet, its cells' kinds, how they were read. Out: what the pen of the clear
checks, or one stroke alone, tells of doubtful cells (`by_pen`), and the cells whose reading the
strokes contradict. The print of a kind of cell is what most of its cells have in common. A stroke
in a blank cell that is of no other cell's mark is unexplained: a mark that was overlooked, or a
drop, a hair, the arc of a ring. Beside one of these a mark must be like the others, as one hand
makes them with one pen; beside several no mark is sure. A circle round a number is a check only of
who makes no others, and what is scribbled out is none: the rules give it no meaning.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import Floats
from vision.photo import Grey, Pixels
from vision.straight_sheet import (
    FINE,
    FRAME,
    LIGHT,
    StraightSheet,
    areas_in,
    darkest,
    printed_alike,
)

Mask = NDArray[np.bool_]
Indices = NDArray[np.intp]
Labels = NDArray[np.int32]

FEWEST = 3  # cells of a kind, from which their print is known
AROUND = 2  # px around a cell whose print is taken out too
SMOOTH = 0.8  # px
STROKE = 13  # px, wider than any stroke: what is as dark so far is shade
SHADE = 31  # px around, of which the mean is the paper's light in a shade
SOFTLY = 9  # px, by which the light beside strokes is smoothed
FULL = 255.0  # depth of black
FAINTEST, ABOVE_NOISE = 0.05, 6.0  # depth of a stroke at least; the same in spreads of the noise
GAP = 7  # px, wider than the gaps that printed lines leave in strokes
UNEXPLAINED = 3.0  # mm² of a stroke in a cell that is read as blank
DARKEST = 85  # percentile of a stroke's px, by depth
VISIBLE = 0.94  # of the paper's light, below which print is seen; beside strong print it is faint
SEVERAL = 2  # strokes that no mark explains, beside which no mark is sure
COMPARED = 3  # checks that are compared, at least
# Spreads of one hand's strokes, see `_looks`; the farthest that one feature counts, and all of them
# on average from which a mark is another's.
SPREADS = np.array([0.15, 0.25, 0.45, 0.3, 0.3])
FARTHEST, UNLIKE = 4.0, 2.4
DARK, INK = 0, 2  # their places there
# As logarithms: how much less ink, and how much paler a trace is; share that is alike.
FAINTER, TRACE, ONE_HAND = 0.7, 1.2, 0.75
STAYS = 0.6  # share of a mark that is in its cell, at least
# How clear a check is whose pen is the sheet's, and within how many spreads a stroke is like it. Of
# 359 doubtful cells on 107 drawn sheets no check is without a stroke, but nine in ten blanks are;
# one in forty blanks has a stroke like that, and nine in ten checks have: odds of TELLING.
CLEAR, LIKE, TELLING = 0.9, 1.2, 30.0
# A stroke alone: times the ink of any other, weighed by how dark it is; and how dark it is at least
# (of marks that were erased at most 0.11). On 382 drawn sheets 57 doubtful ones are, all checks.
ALONE, NO_TRACE = 3.0, 0.125
SELDOM = 20.0  # odds that a mark alone is no filled one, at least: of 853 played at random none is
# Of the paper's light, below which print hides most of a mark; px around it that are as dark; mm²
# of what is seen of a mark there, at least.
HIDING, RIM, REST = 0.45, 3, 0.2
HALF = 0.5  # of a stroke's depth: fainter is shade
# Of a circle: mm² inside it, at least; share of it that is inside; the percentile of the light
# there that is paper's, at least (else the cell is shaded). Who makes HABIT circles checks so, or
# whose checks MOST are (of ten drawn hands that circle all numbers at least 0.64 are seen to be).
NUMBER, HOLLOW, BRIGHTER, PAPER, HABIT, MOST = 30.0, 0.35, 75, 0.85, 5, 0.6
# Times the outline of most checks, and root of the times their ink: of 946 drawn checks two have
# more (of large crosses in crayon 2.07), of 26 scribbled ones that were surely read 18; and of the
# outline of a cell, at least, so that a dot among smaller dots is none.
SCRIBBLED, OUTLINE = 2.15, 0.58


@dataclass(frozen=True, slots=True, eq=False)
class PenStrokes:
    """What is left on a sheet with n cells: m strokes, number 0 being none."""

    light: Pixels  # (h, w, 3) of the sheet
    printed: Mask  # (h, w) where it has print
    deepest: Grey  # (h, w), of 255, how much of the light is taken, of the colour that loses most
    labels: Labels  # (h, w) the stroke of each px
    boxes: Indices  # (n, 4) px, left, top, right and bottom of the cells inside their frames
    areas: Floats  # (m, n) mm² of strokes in cells
    least: float  # depth of a stroke
    main: Indices  # (n,) the largest stroke in each cell, 0: none
    stays: Mask  # (n,) which cells have most of it
    looks: Floats  # (n, 5) see `_looks`

    @property
    def left_of_print(self) -> float:
        """Return how deep print is on average that was not taken out."""
        return float(self.deepest[self.printed].sum() / max(self.printed.sum(), 1))


def strokes_on(sheet: StraightSheet, kinds: Sequence[Hashable], slack: int = 1) -> PenStrokes:
    """Return the strokes on a sheet.

    Args:
        sheet: with n cells.
        kinds: (n,) of the cells; those of one kind are printed alike.
        slack: px that print may lie beside its place.
    """
    soft = cv2.GaussianBlur(_print(sheet, kinds), (0, 0), 0.5)
    wide = 2 * slack + 1
    lines = np.asarray(cv2.erode(soft, np.ones((wide, wide), np.uint8)), np.uint8)
    depth = _depth(sheet, lines)
    deepest = 255 - darkest(255 - depth)
    counts = np.bincount(deepest.ravel(), minlength=256).cumsum() / deepest.size
    middle, high = (int(np.searchsorted(counts, share)) for share in (0.5, 0.75))
    least = max(FAINTEST * FULL, middle + ABOVE_NOISE * (high - middle))
    dark = (deepest > least).astype(np.uint8)
    joined = cv2.morphologyEx(dark, cv2.MORPH_CLOSE, np.ones((GAP, GAP), np.uint8))
    number, parts = cv2.connectedComponents(joined)
    labels, boxes = np.asarray(parts * dark, np.int32), sheet.boxes(FRAME)
    areas = areas_in(labels, number, boxes)
    main, whole = areas.argmax(axis=0), np.bincount(labels.ravel(), minlength=number) / FINE**2
    stays = areas.max(axis=0) > STAYS * np.where(main > 0, whole[main], np.inf)
    looks = _looks(depth, deepest, labels, boxes, main)
    light, printed = sheet.light, darkest(lines) < VISIBLE * LIGHT
    return PenStrokes(light, printed, deepest, labels, boxes, areas, least, main, stays, looks)


def _print(sheet: StraightSheet, kinds: Sequence[Hashable]) -> Pixels:
    """Return (h, w, 3) the light of an empty sheet."""
    printed = np.full_like(sheet.light, LIGHT)
    for some, patches, common in printed_alike(sheet, sheet.light, kinds, AROUND):
        high, wide = common.shape[:2]
        for k, own in zip(some, patches, strict=True):
            middle = sheet.cells[k].mean(axis=0)
            x, y = np.rint(middle - np.array([wide - 1, high - 1]) / 2).astype(int).clip(0).tolist()
            beside = np.array([x + wide - 1, y + high - 1]) - middle
            patch = cv2.getRectSubPix(common if len(some) >= FEWEST else own, (wide, high), beside)
            place = printed[y : y + high, x : x + wide]
            np.minimum(place, patch[: place.shape[0], : place.shape[1]], out=place)
    return printed


def _depth(sheet: StraightSheet, lines: Pixels) -> Pixels:
    """Return (h, w, 3) how much light strokes take beside printed lines and what is around them."""
    soft = cv2.GaussianBlur(sheet.light, (0, 0), SMOOTH)
    left = np.minimum(cv2.divide(soft, lines, None, LIGHT), np.uint8(LIGHT))
    left = cv2.min(left, cv2.blur(left, (SHADE, SHADE)))
    beside = cv2.morphologyEx(left, cv2.MORPH_CLOSE, np.ones((STROKE, STROKE), np.uint8))
    beside = cv2.blur(beside, (SOFTLY, SOFTLY))
    return np.asarray(255 - cv2.divide(left, beside, None, FULL), np.uint8)


def by_pen(
    strokes: PenStrokes, shares: Floats, blank: int, checked: int, filled: int, struck: int
) -> Floats:
    """Return (n, states) probabilities, given the pen of the clear checks.

    A stroke like theirs that stays in its cell is likely a check rather than nothing, and without
    any stroke a cell is likely blank. Where no pen is known but one stroke is alone on the sheet,
    it is neither nothing nor a line through a row; and seldom a filled cell, as these were checked
    before. What else a mark may be is left to the network.

    Args:
        strokes: on the sheet.
        shares: (n, states) probabilities by the network.
        blank: index of this state.
        checked: index of this state.
        filled: index of this state.
        struck: index of this state.
    """
    clear = strokes.looks[(shares[:, checked] > CLEAR) & (strokes.main > 0)]
    given: Floats = shares.copy()
    plainest, marked = _plainest(strokes), shares[:, blank] < 0.5
    only = marked & (marked.sum() == 1)
    given[only, filled] /= SELDOM
    alone = plainest & (only | (shares.argmax(axis=1) == checked))
    if len(clear) >= COMPARED and (alike := _of_one_hand(clear)).sum() >= COMPARED:
        like = strokes.stays & (_away(strokes.looks, np.median(clear[alike], axis=0)) < LIKE)
        given[like, checked] += (1 - 1 / TELLING) * given[like, blank]
        given[like, blank] /= TELLING
        given[strokes.main == 0, blank] *= TELLING
    elif alone.any():
        given[np.ix_(alone, (blank, struck))] /= TELLING
        given[strokes.main == 0, blank] *= TELLING
    return np.asarray(given / given.sum(axis=1, keepdims=True), np.float64)


def _plainest(strokes: PenStrokes) -> Mask:
    """Return (n,) which cell has a stroke far plainer than all others of the sheet, if one has."""
    looks = np.exp(np.nan_to_num(strokes.looks, nan=-np.inf))
    weights = looks[:, DARK] * looks[:, INK]
    first = int(weights.argmax())
    others = weights[strokes.main != strokes.main[first]].max(initial=0.0)
    is_plain = strokes.areas[:, first].max() > UNEXPLAINED and looks[first, DARK] > NO_TRACE
    alone = np.zeros_like(strokes.stays)
    alone[first] = strokes.stays[first] and is_plain and weights[first] > ALONE * others
    return alone


def contradicted(strokes: PenStrokes, stray: Mask, blank: Mask, checked: Mask) -> tuple[Mask, Mask]:
    """Return (n,) whose readings the strokes contradict, by how they were read; and under spots.

    Strokes in several cells that have no mark are spots; then none of the others is sure to be one.
    """
    if stray.sum() >= SEVERAL:
        return ~blank, stray
    unlike = _unlike(strokes, checked, fainter=not stray.any())
    odd = _odd_circles(strokes, ~blank, checked) | _scribbled(strokes, checked)
    return stray | unlike | odd | _traces(strokes, checked), np.zeros_like(stray)


def of_print(strokes: PenStrokes, printed: Pixels, blank: Mask, checked: Mask, clear: Mask) -> Mask:
    """Return (n,) which cells of a taught sheet may be read wrong because of their print.

    What is read where there is no stroke, or one that is of several checks, is print that was left
    over. Beside clear checks others may be hidden by print.

    Args:
        strokes: on the sheet.
        printed: (h, w, 3) the light of the empty sheet.
        blank: (n,) cells that are read so.
        checked: (n,) cells that are read so.
        clear: (n,) which of them are clear.
    """
    of_several = np.bincount(strokes.main[checked], minlength=len(strokes.areas))[strokes.main] > 1
    doubted = (~blank & (strokes.main == 0)) | (checked & of_several)
    if (checked & clear).any():
        doubted |= blank & _over_print(strokes, printed)
    return np.asarray(doubted, np.bool_)


def _over_print(strokes: PenStrokes, printed: Pixels) -> Mask:
    """Return (n,) in which cells the stroke may be the rest of a mark that print hides."""
    dark = (printed.mean(axis=2) < HIDING * LIGHT).astype(np.uint8)
    dark = cv2.dilate(dark, np.ones((2 * RIM + 1, 2 * RIM + 1), np.uint8))
    over = np.zeros_like(strokes.stays)
    for k in np.flatnonzero(strokes.main):
        left, top, right, bottom = strokes.boxes[k]
        box = np.s_[top : bottom + 1, left : right + 1]
        own = strokes.labels[box] == strokes.main[k]
        over[k] = own.sum() > REST * FINE**2 and dark[box][own].mean() > HALF
    return over


def _odd_circles(strokes: PenStrokes, marked: Mask, checked: Mask) -> Mask:
    """Return (n,) which *marked* cells have a circle, if few of the *checked* ones do."""
    circles = np.zeros_like(marked)
    for k in np.flatnonzero(marked).tolist():
        circles[k] = _is_circle(strokes, int(strokes.main[k]), k)
    few = circles[checked].sum() < min(HABIT, MOST * checked.sum())
    return circles if few else np.zeros_like(marked)


def _is_circle(strokes: PenStrokes, stroke: int, cell: int) -> bool:
    """Return True if a stroke goes round the number of a cell, with paper inside."""
    low, far = strokes.boxes[cell].reshape(2, 2)
    aside = (far - low) // 4
    left, top = np.maximum(low - aside, 0)
    part = np.s_[top : far[1] + aside[1], left : far[0] + aside[0]]
    own, (x, y) = strokes.labels[part] == stroke, (low + far) // 2 - (left, top)
    level, upright = own[y - GAP : y + GAP].any(axis=0), own[:, x - GAP : x + GAP].any(axis=1)
    if not stroke or not all(
        side.any() for side in (level[:x], level[x:], upright[:y], upright[y:])
    ):
        return False
    closed = cv2.morphologyEx(
        _ink(strokes.deepest[part], own), cv2.MORPH_CLOSE, np.ones((GAP, GAP), np.uint8)
    )
    lines, family = cv2.findContours(closed, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_SIMPLE)
    for line, (*_, outer) in zip(lines, family[0], strict=True):
        if outer < 0 or cv2.pointPolygonTest(line, (int(x), int(y)), False) <= 0:
            continue
        area = cv2.contourArea(line)
        inside = cv2.drawContours(np.zeros_like(closed), [line], 0, (1,), -1) > 0
        light = np.percentile(strokes.light[part][inside].min(axis=1), BRIGHTER)
        is_wide = area > max(NUMBER * FINE**2, HOLLOW * cv2.contourArea(lines[outer]))
        return bool(is_wide and light > PAPER * LIGHT)
    return False


def _scribbled(strokes: PenStrokes, checked: Mask) -> Mask:
    """Return (n,) which of the *checked* cells have far more and longer lines: scribbled out."""
    scribbled, cells = np.zeros_like(checked), np.flatnonzero(checked)
    if len(cells) >= COMPARED:
        outlines, ink = np.transpose([_outline_and_ink(strokes, k) for k in cells.tolist()])
        left, top, right, bottom = strokes.boxes[cells].T
        longer, more = outlines / np.median(outlines), ink / np.median(ink)
        of_cells = 2 * (right - left + bottom - top)
        scribbled[cells] = (longer * np.sqrt(more) > SCRIBBLED) & (outlines > OUTLINE * of_cells)
    return scribbled


def _outline_and_ink(strokes: PenStrokes, cell: int) -> tuple[float, float]:
    """Return the length of the outline of a cell's ink, px, and its area, px²; at least 1."""
    left, top, right, bottom = strokes.boxes[cell]
    box = np.s_[top : bottom + 1, left : right + 1]
    ink = _ink(strokes.deepest[box], strokes.labels[box] > 0)
    lines, _ = cv2.findContours(ink, cv2.RETR_LIST, cv2.CHAIN_APPROX_NONE)
    outline = float(sum(cv2.arcLength(line, True) for line in lines))
    return max(outline, 1.0), max(float(ink.sum()), 1.0)


def _ink(depth: Pixels, own: Mask) -> Pixels:
    """Return 1 where a stroke's *own* px are no shade."""
    dark = HALF * plain_depth(depth[own]) if own.any() else FULL
    return np.asarray(own & (depth > dark), np.uint8)


def plain_depth(depths: NDArray[Any]) -> float:
    """Return how deep a stroke's px are; numpy's percentile takes eight times as long for few."""
    place = (len(depths) - 1) * DARKEST / 100
    low = int(place)
    below, above = np.partition(depths, (low, far := min(low + 1, len(depths) - 1)))[[low, far]]
    return float(below) + (float(above) - float(below)) * (place - low)


def _unlike(strokes: PenStrokes, checked: Mask, *, fainter: bool) -> Mask:
    """Return (n,) which of the *checked* cells have another stroke than the others.

    Only *fainter* ones that leave their cell or are as pale as what was erased, where most are
    alike: else it may be a second pen.
    """
    unlike = np.zeros_like(checked)
    cells = np.flatnonzero(checked & (strokes.main > 0))
    if len(cells) < COMPARED:
        return unlike
    looks = strokes.looks[cells]
    alike = _of_one_hand(looks)
    usual = np.median(looks[alike], axis=0)
    unlike[cells] = _away(looks, usual) > UNLIKE
    if fainter:
        paler = looks[:, INK] < usual[INK] - FAINTER
        is_trace = looks[:, DARK] < usual[DARK] - TRACE
        unlike[cells] &= paler & (~strokes.stays[cells] | is_trace) & (alike.mean() > ONE_HAND)
    return unlike


def _traces(strokes: PenStrokes, checked: Mask) -> Mask:
    """Return (n,) which *checked* cells are as pale as what was erased, beside far darker ones."""
    plain = checked & (strokes.areas.max(axis=0) > UNEXPLAINED)
    depths = np.where(plain, strokes.looks[:, DARK], np.nan)
    darkest_check = np.fmax.reduce(depths, initial=-np.inf)
    return np.asarray((depths < np.log(NO_TRACE)) & (depths < darkest_check - TRACE), np.bool_)


def _of_one_hand(looks: Floats) -> Mask:
    """Return (m,) which are alike, of most of them."""
    near = _away(looks[:, None], looks) < 1
    return np.asarray(near[near.sum(axis=1).argmax()], np.bool_)


def _away(looks: Floats, usual: Floats) -> Floats:
    """Return how far looks are from each other, in spreads of what one hand makes."""
    by_feature = np.minimum(np.abs(looks - usual) / SPREADS, FARTHEST)
    return np.asarray(np.sqrt((by_feature**2).mean(axis=-1)), np.float64)


def _looks(depth: Pixels, deepest: Grey, labels: Labels, boxes: Indices, main: Indices) -> Floats:
    """Return (n, 5) the look of the *main* stroke of each cell, as logarithms; nan without one.

    How dark it is, how wide, how much ink it has, and how much blue and green it takes beside red.
    """
    wide = cv2.distanceTransform((labels > 0).astype(np.uint8), cv2.DIST_L2, 3)
    looks = np.full((len(main), len(SPREADS)), np.nan)
    for k in np.flatnonzero(main):
        left, top, right, bottom = boxes[k]
        box = np.s_[top : bottom + 1, left : right + 1]
        own = labels[box] == main[k]
        taken, deep = depth[box][own] / FULL, deepest[box][own] / FULL
        dark = plain_depth(deep)
        blue, green, red = np.maximum(taken[deep >= dark].mean(axis=0), 0.01)
        ink = deep.sum() / FINE**2
        looks[k] = np.log((dark, wide[box][own].max(), ink, blue / red, green / red))
    return looks
