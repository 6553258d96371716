"""Read doubtful tiles again: both halves rectified as one tile.

In: a picture, candidate faces and pairs of them. Out: the candidates, those of the pairs read
again. The detector outlines each half by itself; if that outline is off, the bar or a neighbour's
pips get into the crop. The outline of the whole tile, cut in half, gives a second crop. The
detector's own guess of the values is dropped for these: it saw the halves at a lower resolution
than the classifier does.
"""

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from vision.decode import Pixels
from vision.dominoes.matching import Pair
from vision.dominoes.pair_classifier import outline
from vision.faces.candidates import Candidates
from vision.faces.classifier import TURNS, classify_crops, crop_faces
from vision.faces.networks import Models
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
    """Return the candidates; the halves of *pairs* get the mean logits of both classifier runs.

    Args:
        bgr: the picture.
        candidates: as they were found and read.
        pairs: the tiles to read again.
        models: the networks.
        adjust: applied to the new reading as to the first, such as an adapter to a family's dice.
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
    """Return (2, 4, 2) px, the common outline of two (4, 2) halves, cut across its middle.

    The cut allows for perspective. Halves without a proper outline are returned unchanged.
    """
    to_px = Homography.fit(TILE, outline(first, second))
    if to_px is None:
        return np.array([first, second])
    return np.array([to_px.apply(LEFT), to_px.apply(RIGHT)])
