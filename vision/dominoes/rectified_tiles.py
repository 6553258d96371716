"""A second look at tiles in doubt: both halves straightened as one tile.

In: a picture, places and pairs of them. Out: the places, those of the pairs read once more. The
detector sees each half by itself, and where it is mistaken in how one lies, the bar or a
neighbour's pips come onto its crop. The outline of the whole tile, halved, is another look. What
the detector took for the values is no longer counted: it saw the halves smaller than the classifier
does.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from vision.decode import Pixels
from vision.dominoes.matching import Pair
from vision.dominoes.pair_classifier import outline
from vision.faces.candidates import Candidates
from vision.faces.classifier import TURNS, classify_crops, crop_faces
from vision.faces.multiscale import Models
from vision.geometry import Floats, Homography, Points

TILE = np.array([(0.0, 0.0), (2.0, 0.0), (2.0, 1.0), (0.0, 1.0)])  # in widths, clockwise
LEFT = np.array([(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)])
RIGHT = np.array([(1.0, 0.0), (2.0, 0.0), (2.0, 1.0), (1.0, 1.0)])


def read_rectified(
    bgr: Pixels,
    candidates: Candidates,
    pairs: list[Pair],
    models: Models,
    adjust: Callable[[Candidates], Candidates],
) -> Candidates:
    """Return the places; on the halves of *pairs* the mean of two looks of the classifier decides.

    Args:
        bgr: the picture.
        candidates: the places as they were found and read.
        pairs: the tiles to look at, whole.
        models: the models.
        adjust: does to a reading what was done to the first, as pieces that were taught do.
    """
    if not pairs:
        return candidates
    halves = np.array([i for pair in pairs for i in (pair.first, pair.second)], np.intp)
    own = candidates.take(halves)
    quads = np.concatenate(
        [exact_halves(*ends) for ends in own.detections.quads.reshape(-1, 2, 4, 2)]
    )
    crops = crop_faces(bgr, quads)
    logits, colours, embeddings = classify_crops(crops, models.face_classifier, TURNS)
    again = adjust(
        replace(own, logits=logits, colour_logits=colours, embeddings=embeddings, crops=crops)
    )
    both, values = candidates.logits.copy(), candidates.detections.values.copy()
    both[halves] = (own.logits + again.logits) / 2
    values[halves] = 1 / values.shape[1]
    return replace(
        candidates, detections=replace(candidates.detections, values=values), logits=both
    )


def exact_halves(first: Points, second: Points) -> Floats:
    """Return (2, 4, 2) px, the outline of two (4, 2) halves cut across its middle.

    Seen aslant the nearer half is the larger one. Where they span no outline, they stay.
    """
    to_px = Homography.fit(TILE, outline(first, second))
    if to_px is None:
        return np.array([first, second])
    return np.array([to_px.apply(LEFT), to_px.apply(RIGHT)])
