"""A second look at tiles that others speak against: both halves straightened as one tile.

In: a picture, places and pairs of them. Out: the places, those of the pairs read once more. The
finder sees each half by itself, and where it is mistaken in how one lies, the bar or a neighbour's
pips come onto its crop. The outline of the whole tile, halved, is another look. What the finder
took for the values is no longer counted: it saw the halves smaller than the reader does.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from vision.eyes import Eyes, Raw
from vision.geometry import Floats, Homography, Points
from vision.joiner import outline
from vision.pairs import Pair
from vision.photo import Pixels
from vision.reader import TURNS, crop_faces, read_crops

TILE = np.array([(0.0, 0.0), (2.0, 0.0), (2.0, 1.0), (0.0, 1.0)])  # in widths, clockwise
LEFT = np.array([(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)])
RIGHT = np.array([(1.0, 0.0), (2.0, 0.0), (2.0, 1.0), (1.0, 1.0)])


def read_rectified(
    bgr: Pixels, raw: Raw, pairs: list[Pair], eyes: Eyes, adjust: Callable[[Raw], Raw]
) -> Raw:
    """Return the places; on the halves of *pairs* the mean of two looks of the reader decides.

    Args:
        bgr: the picture.
        raw: the places as they were found and read.
        pairs: the tiles to look at, whole.
        eyes: the networks.
        adjust: does to a reading what was done to the first, as pieces that were taught do.
    """
    if not pairs:
        return raw
    halves = np.array([i for pair in pairs for i in (pair.first, pair.second)], np.intp)
    own = raw.take(halves)
    quads = np.concatenate([exact_halves(*ends) for ends in own.found.quads.reshape(-1, 2, 4, 2)])
    crops = crop_faces(bgr, quads)
    kinds, colours, features = read_crops(crops, eyes.reader, TURNS)
    again = adjust(replace(own, kinds=kinds, colours=colours, features=features, crops=crops))
    both, values = raw.kinds.copy(), raw.found.values.copy()
    both[halves] = (own.kinds + again.kinds) / 2
    values[halves] = 1 / values.shape[1]
    return replace(raw, found=replace(raw.found, values=values), kinds=both)


def exact_halves(first: Points, second: Points) -> Floats:
    """Return (2, 4, 2) px, the outline of two (4, 2) halves cut across its middle.

    Seen aslant the nearer half is the larger one. Where they span no outline, they stay.
    """
    to_px = Homography.fit(TILE, outline(first, second))
    if to_px is None:
        return np.array([first, second])
    return np.array([to_px.apply(LEFT), to_px.apply(RIGHT)])
