"""Which faces are those of dice, by the sides that are seen below them? A domino lies flat.

Of 306 photos and drawn boards of dice 29 had a face that may be half a domino by what lies beside
it; eleven of these have none left. Of 228 pictures of dominoes, by two other renderers and of real
ones, 41 have such a face, and none lost it.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.faces.candidates import Candidates
from vision.faces.classifier import ASIDE
from vision.faces.detector import softmax
from vision.faces.view_prior import iou_with_sides, view_prior

HANGS = 0.4  # IoU of a place with a side of the die that a face would be the top of
PLAINLY = 0.5  # share of the classifier from which such a place is a side, whatever the others say
MANY = 5  # faces, from which on what most of them have is how all of them are


def standing(candidates: Candidates, plain: NDArray[np.intp]) -> set[int]:
    """Return which of the *plain* faces are dice: all where most have a side, or what lies there.

    A place that is itself a plain face is no side.
    """
    seen = candidates.detections
    is_plain = np.isin(np.arange(len(seen)), plain)
    fall = view_prior(seen, is_plain, candidates.size).fall
    hangs = iou_with_sides(seen.quads, fall)[:, plain] >= HANGS
    hangs[plain] = False
    if len(plain) >= MANY and hangs.any(axis=0).mean() > 0.5:
        return set(plain.tolist())
    aside = softmax(candidates.logits)[:, ASIDE] >= PLAINLY
    return set(plain[(hangs & aside[:, None]).any(axis=0)].tolist())
