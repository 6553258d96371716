"""Lay an earlier photo of a sheet over a new one, and tell what the new one has beside it.

In: both sheets, straightened. Out: where each cell lies beside its place then; and of a taught
sheet, whose earlier photo is the empty one, the ink without the print. The light, the contrast and
the blur of the new photo are fitted in logarithms, in which light and ink are sums.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import Bools, Floats
from vision.photo import Pixels
from vision.straight_sheet import (
    LIGHT,
    StraightSheet,
    agreeing,
    best_of,
    darkest,
    paper_of,
)

Floats32 = NDArray[np.float32]

AROUND = 3  # px around a cell that is compared too: marks lean out of their cells
SHIFT = 4  # px, farthest that a cell lies beside its place
SOFT = 1.0  # px, blur under which two photos are alike
GAINS = (0.4, 2.5)  # least and largest contrast now, beside that of then
BLURS = (0.0, 0.6, 1.0, 1.5, 2.2)  # px, of the photo that is sharper
WIDE = 25  # px, wider than the strokes of print
PRINT, FEWEST = 0.1, 100  # what print takes at least, as a logarithm; px of it that are enough
ALIKE = 0.3  # difference of two logarithms that counts no more: ink
DARKEST = 4  # grey level below which differences are noise
SLACK = 0.25  # of the print's depth, by which it may be deeper now
GONE, LEAST = 0.5, 15.0  # share of a px's print that is missing; print that a cell has, summed
CORE, ENOUGH = 0.35, 20  # what the middle of dark print takes, as a logarithm; px of a cell's
# By how much the darkest twentieth of it is darker than the rest where a mark is hidden; and times
# what is usual on the sheet, where print lies a little beside its place.
DEEPER, UNUSUAL = 0.06, 5.0
MISSING = 0.25  # share of a cell's print that is not seen where something covers it
FRAME = (150, 150, 150)  # of 255, the light that a frame leaves
COARSE = 8  # px for one of the map by which a picture is moved


@dataclass(frozen=True, slots=True, eq=False)
class SheetDifference:
    """What a sheet with n cells has beside its empty photo."""

    ink: Pixels  # (h, w, 3) the light that marks and things leave, LIGHT where there are none
    printed: Pixels  # (h, w, 3) the light of the empty sheet, in its place on this one
    covered: Bools  # (n,) which cells lack much of their print
    deeper: Bools  # (n,) in which part of the dark print is darker: a mark may be hidden in it


def _taken(sheet: StraightSheet) -> Floats32:
    """Return (h, w) shares of the light that each px takes."""
    taken = 1 - darkest(sheet.light) / np.float32(LIGHT)
    return np.asarray(cv2.GaussianBlur(taken, (0, 0), SOFT), np.float32)


def laid_over(
    sheet: StraightSheet, then: StraightSheet
) -> tuple[Floats, list[tuple[Floats32, Floats32]]]:
    """Return (n, 2) px by which cells lie beside their places *then*, and each cell now and then.

    Of each cell there are shares of the light that its px take.
    """
    taken, taken_then = _taken(sheet), _taken(then)
    sides = np.ceil(np.ptp(then.cells, axis=1)).astype(np.int64) + 2 * AROUND
    middles = sheet.cells.mean(axis=1), then.cells.mean(axis=1)
    moved, pairs = [], []
    for there, was, (wide, high) in zip(*middles, sides.tolist(), strict=True):
        patch = cv2.getRectSubPix(taken_then, (wide, high), was.tolist())
        around = cv2.getRectSubPix(taken, (wide + 2 * SHIFT, high + 2 * SHIFT), there.tolist())
        moved.append(best_of(cv2.matchTemplate(around, patch, cv2.TM_CCOEFF_NORMED)))
        current = cv2.getRectSubPix(taken, (wide, high), (there + moved[-1]).tolist())
        pairs.append((np.asarray(current, np.float32), np.asarray(patch, np.float32)))
    return np.array(moved), pairs


def beside_empty(sheet: StraightSheet, empty: StraightSheet, moved: Floats) -> SheetDifference:
    """Return what a sheet has beside the *empty* one, with its cells *moved* as by `laid_over`."""
    place = _places(sheet, empty, agreeing(moved, empty.cells))
    flat, printed = (
        np.asarray(cv2.remap(one, *place, cv2.INTER_LINEAR, None, cv2.BORDER_REPLICATE), np.uint8)
        for one in (empty.flat, empty.light)
    )
    blurs = _blurs(_grey(sheet.flat), _grey(flat))
    later, was = (_logs(one, blur) for one, blur in zip((sheet.flat, flat), blurs, strict=True))
    was *= _contrast(_fine(later), _fine(was))
    later -= paper_of(later - was)
    lines = np.minimum(_fine(was), 0)
    least = cv2.erode(was + SLACK * lines, np.ones((3, 3), np.uint8))
    left = np.minimum(later - least, 0)
    ink = np.asarray((LIGHT * np.exp(left)).round(), np.uint8)
    dark, lighter = -lines.min(axis=2), (later - was).max(axis=2)
    missing = [_missing(dark[box], lighter[box]) for box in _parts(sheet)]
    changed = np.array(list(_deeper(sheet, lines.mean(axis=2), (later - was).mean(axis=2))))
    deeper = changed > max(DEEPER, UNUSUAL * float(np.nanmedian([*changed, 0])))
    return SheetDifference(ink, printed, np.array(missing) > MISSING, deeper)


def _places(sheet: StraightSheet, then: StraightSheet, moved: Floats) -> tuple[Floats32, Floats32]:
    """Return the px of *then* that each px of the sheet shows: (h, w) across, and down."""
    high, wide = sheet.light.shape[:2]
    middles = sheet.cells.mean(axis=1)
    near = float(np.median(np.ptp(sheet.cells, axis=1)))
    few = tuple(np.arange(0, side + COARSE, COARSE) for side in (wide, high))
    x, y = np.meshgrid(*few)
    away = (x[..., None] - middles[:, 0]) ** 2 + (y[..., None] - middles[:, 1]) ** 2
    weights = np.exp((away.min(axis=2, keepdims=True) - away) / (2 * near**2))
    back = then.cells.mean(axis=1) - middles - moved
    field = (weights @ back / weights.sum(axis=2, keepdims=True)).astype(np.float32)
    finer = np.array([[COARSE, 0, 0], [0, COARSE, 0]], np.float32)
    fine = cv2.warpAffine(field, finer, (wide, high), borderMode=cv2.BORDER_REPLICATE)
    x, y = np.meshgrid(np.arange(wide), np.arange(high))
    return x.astype(np.float32) + fine[..., 0], y.astype(np.float32) + fine[..., 1]


def _blurs(later: Pixels, was: Pixels) -> tuple[float, float]:
    """Return px by which each of two pictures (h, w) is blurred to be as sharp as the other."""

    def unlike(blurs: tuple[float, float]) -> float:
        a, b = (_fine(_logs(one, blur)) for one, blur in zip((later, was), blurs, strict=True))
        return float(np.minimum(np.abs(a - _contrast(a, b) * b), ALIKE).mean())

    return min((pair for blur in BLURS for pair in ((blur, 0.0), (0.0, blur))), key=unlike)


def _grey(flat: Pixels) -> Pixels:
    return np.asarray(cv2.cvtColor(flat, cv2.COLOR_BGR2GRAY), np.uint8)


def _logs(picture: Pixels, blur: float) -> Floats32:
    soft = cv2.GaussianBlur(picture, (0, 0), blur) if blur else picture
    return np.log(np.maximum(soft, DARKEST), dtype=np.float32)


def _fine(logs: Floats32) -> Floats32:
    """Return a picture's print and ink: without its light and its tints."""
    return np.asarray(logs - cv2.blur(logs, (WIDE, WIDE)), np.float32)


def _contrast(later: Floats32, was: Floats32) -> NDArray[np.float32]:
    """Return (channels,) how many times its contrast then the print has now."""
    gains = []
    for a, b in zip(cv2.split(later), cv2.split(was), strict=True):
        dark = b < -PRINT
        gains.append(np.median(a[dark] / b[dark]) if dark.sum() >= FEWEST else 1.0)
    return np.clip(gains, *GAINS).astype(np.float32)


def _parts(sheet: StraightSheet) -> Iterator[tuple[slice, slice]]:
    """Yield the px of each cell with what is around it."""
    for left, top, right, bottom in sheet.boxes(-AROUND):
        yield np.s_[top : bottom + 1, left : right + 1]


def _missing(dark: Floats32, lighter: Floats32) -> float:
    """Return the share of a cell's print that is not seen, by how *dark* it was."""
    printed = np.where(dark > PRINT, dark, 0)
    whole = float(printed.sum())
    return float(printed[lighter > GONE * dark].sum()) / whole if whole > LEAST else 0.0


def _deeper(sheet: StraightSheet, lines: Floats32, change: Floats32) -> Iterator[float]:
    """Yield by how much some of each cell's dark print is darker now than the rest; NaN: none."""
    core = cv2.erode((lines < -CORE).astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
    soft = np.asarray(cv2.GaussianBlur(change, (0, 0), SOFT), np.float32)
    for box in _parts(sheet):
        changes = soft[box][core[box]]
        few = len(changes) < ENOUGH
        yield np.nan if few else float(np.median(changes) - np.percentile(changes, 5))


def framed(sheet: StraightSheet) -> Pixels:
    """Return a sheet's light, (h, w, 3), with a frame around each cell, as the network knows it."""
    lines = np.full_like(sheet.light, 255)
    frames = [(16 * cell).round().astype(np.int32) for cell in sheet.cells]
    cv2.polylines(lines, frames, True, FRAME, 1, cv2.LINE_AA, 4)
    return np.asarray(cv2.multiply(sheet.light, lines, None, 1 / 255), np.uint8)
