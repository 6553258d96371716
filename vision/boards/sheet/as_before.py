"""Compare a sheet with an earlier photo of it: which of its cells look as they did then?

In: both sheets, straightened. Out: these cells. Each cell is laid over itself by its print. What is
darker now than light, blur and noise explain is new ink, or a thing; what is lighter is hidden.
"""

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import Floats
from vision.straight_sheet import FINE, LIGHT, StraightSheet, darkest

Floats32 = NDArray[np.float32]

AROUND = 3  # px around a cell that is compared too: marks lean out of their cells
SHIFT = 4  # px, farthest that a cell lies beside its place
SOFT = 1.0  # px, blur under which two photos are alike
GAINS = (0.4, 2.5)  # least and largest contrast now, beside that of then
LEAST, NOISES = 0.05, 4.0  # share of the light that ink takes at least; in spreads of the noise
# mm², as dark as black: on 24 drawn sheets 94 % of the cells have less without a new mark, and the
# palest new mark has 0.07.
CHANGED = 0.05


def as_before(sheet: StraightSheet, then: StraightSheet) -> NDArray[np.bool_]:
    """Return (n,) which cells of a sheet look as they did *then*."""
    sides = np.ceil(np.ptp(then.cells, axis=1)).astype(np.int64) + 2 * AROUND
    middles = sheet.cells.mean(axis=1), then.cells.mean(axis=1)
    taken = _taken(sheet), _taken(then)
    pairs = [_laid_over(*taken, *place) for place in zip(*middles, sides, strict=True)]
    slopes = [float((a * b).sum() / max(float((b * b).sum()), 1e-6)) for a, b in pairs]
    gain = float(np.clip(np.median(slopes), *GAINS))
    fitted = [(a - np.median(a - gain * b), gain * b) for a, b in pairs]
    away = np.concatenate([np.abs(a - b).ravel() for a, b in fitted])
    least = max(LEAST, NOISES * 1.48 * float(np.median(away)))
    changes = [_darker(a, b, least) + _darker(b, a, least) for a, b in fitted]
    return np.array(changes) < CHANGED


def _darker(picture: Floats32, other: Floats32, least: float) -> float:
    """Return how many mm² of black one picture of a cell has more than the other."""
    more = picture - cv2.dilate(other, np.ones((3, 3), np.uint8)) - least
    return float(np.maximum(more, 0).sum()) / FINE**2


def _taken(sheet: StraightSheet) -> Floats32:
    """Return (h, w) shares of the light that each px takes."""
    taken = 1 - darkest(sheet.light) / np.float32(LIGHT)
    return np.asarray(cv2.GaussianBlur(taken, (0, 0), SOFT), np.float32)


def _laid_over(
    taken: Floats32, then: Floats32, there: Floats, was: Floats, size: NDArray[np.int64]
) -> tuple[Floats32, Floats32]:
    """Return the cell of a *size* now and then, where their print fits best."""
    wide, high = size.tolist()
    patch = cv2.getRectSubPix(then, (wide, high), was.tolist())
    around = cv2.getRectSubPix(taken, (wide + 2 * SHIFT, high + 2 * SHIFT), there.tolist())
    fit = cv2.matchTemplate(around, patch, cv2.TM_CCOEFF_NORMED)
    _, _, _, (x, y) = cv2.minMaxLoc(fit)
    return np.asarray(around[y : y + high, x : x + wide], np.float32), np.asarray(patch, np.float32)
