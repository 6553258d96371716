"""Recognise dice by the sides visible below their top faces; a domino is flat and shows none.

In: detected faces. Out: which are dice, and which places are their sides. Of 306 photos and drawn
boards of dice 29 had a face that might have been half a domino by its surroundings; with this check
eleven of them have none. Of 228 pictures of dominoes, real or by two other renderers, 41 have such
a face, and none of them lost it.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.faces.classifier import ASIDE
from vision.faces.detector import Detections, softmax
from vision.faces.view_prior import shares_of_sides
from vision.geometry import Floats

HANGS = 0.4  # IoU of a place with the side of a die under a face, from which it is that side
PLAINLY = 0.5  # probability of the class "side" from which such a place counts by itself
MANY = 5  # from so many faces on, all are what most of them are


def hanging(
    detections: Detections, plain: NDArray[np.intp], size: tuple[int, int]
) -> NDArray[np.bool_]:
    """Return (n, k), which of n places lie where a side of each of the k *plain* faces would.

    A place that is itself a plain face is not a side.

    Args:
        detections: n places.
        plain: (k,) which of them are faces.
        size: width and height of the picture, px.
    """
    is_plain = np.isin(np.arange(len(detections)), plain)
    hangs = shares_of_sides(detections, is_plain.tobytes(), size)[:, plain] >= HANGS
    hangs[plain] = False
    return np.asarray(hangs, np.bool_)


def most_stand(hangs: NDArray[np.bool_]) -> bool:
    """Whether there are many faces and most have a visible side, by the result of `hanging`."""
    return hangs.shape[1] >= MANY and bool(hangs.any(axis=0).mean() > 0.5)


def standing(
    detections: Detections, logits: Floats, plain: NDArray[np.intp], size: tuple[int, int]
) -> tuple[set[int], set[int]]:
    """Return which of the *plain* faces are dice, and which other places are their sides.

    Dice are those with a visible side, or all if most have. *logits* (n, CLASSES) are those of the
    classifier; the rest is as for `hanging`.
    """
    hangs = hanging(detections, plain, size)
    aside = softmax(logits)[:, ASIDE] >= PLAINLY
    dice = most_stand(hangs) | (hangs & aside[:, None]).any(axis=0)
    return set(plain[dice].tolist()), set(np.flatnonzero(hangs[:, dice].any(axis=1)).tolist())
