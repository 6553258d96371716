"""Compare a sheet with an earlier photo of it: which of its cells look as they did then?

In: each cell now and then, laid over itself by its print. Out: these cells. What is darker now than
light, blur and noise explain is new ink, or a thing; what is lighter is hidden.
"""

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.boards.sheet.laid_over import GAINS, Floats32
from vision.straight_sheet import FINE

LEAST, NOISES = 0.05, 4.0  # share of the light that ink takes at least; in spreads of the noise
# mm², as dark as black: on 24 drawn sheets 94 % of the cells have less without a new mark, and the
# palest new mark has 0.07.
CHANGED = 0.05


def as_before(pairs: Sequence[tuple[Floats32, Floats32]]) -> NDArray[np.bool_]:
    """Return (n,) which cells look as they did then, by each cell now and then (`laid_over`)."""
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
