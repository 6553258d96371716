"""Recognise dice by the sides visible below their top faces; a domino is flat and shows none.

In: candidate faces. Out: which are dice. Of 306 photos and drawn boards of dice 29 had a face that
might have been half a domino by its surroundings; with this check eleven of them have none. Of 228
pictures of dominoes, real or by two other renderers, 41 have such a face, and none of them lost it.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.faces.candidates import Candidates
from vision.faces.classifier import ASIDE
from vision.faces.detector import softmax
from vision.faces.view_prior import iou_with_sides, view_prior

HANGS = 0.4  # IoU of a place with the side of a die under a face, from which it is that side
PLAINLY = 0.5  # probability of the class "side" from which such a place counts by itself
MANY = 5  # from so many faces on, all are what most of them are


def standing(candidates: Candidates, plain: NDArray[np.intp]) -> set[int]:
    """Return which of the *plain* faces are dice: those with a visible side, or all if most have.

    A place that is itself a plain face is not a side.
    """
    detections = candidates.detections
    is_plain = np.isin(np.arange(len(detections)), plain)
    fall = view_prior(detections, is_plain, candidates.size).fall
    hangs = iou_with_sides(detections.quads, fall)[:, plain] >= HANGS
    hangs[plain] = False
    if len(plain) >= MANY and hangs.any(axis=0).mean() > 0.5:
        return set(plain.tolist())
    aside = softmax(candidates.logits)[:, ASIDE] >= PLAINLY
    return set(plain[(hangs & aside[:, None]).any(axis=0)].tolist())
