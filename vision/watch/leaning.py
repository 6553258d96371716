"""Does a die lean on something? Its face is then foreshortened otherwise than those that lie flat.

The camera is told by the dice that lie there and by those of earlier rolls.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from vision.faces.detector import Detections
from vision.faces.view_prior import view_prior
from vision.watch.tracking import Observation

# Error of S (vision.faces.detector) of a die that leans. Of 292 faces that lie flat on photos of
# `train/` with five dice or more, 99 in 100 differ by less than 0.6; with fewer dice it is noisier.
LEANS = 0.7
FEWEST = 4  # dice that tell the camera, itself included


def leaning(
    pieces: Sequence[Observation], flat: Sequence[Observation], size: tuple[int, int]
) -> list[bool]:
    """Say which pieces lean, by them all and by others that lay flat.

    Args:
        pieces: what lies there.
        flat: dice of earlier rolls.
        size: width and height of a frame, px.
    """
    squares = [one for one in (*pieces, *flat) if len(one.corners) == 4]
    if len(squares) < FEWEST or any(len(one.piece.faces) > 1 for one in squares):
        return [False] * len(pieces)
    corners = np.array([one.corners for one in squares])
    quads = np.stack([corners.real, corners.imag], axis=2)
    count = len(quads)
    told = Detections(quads, np.ones(count), np.zeros((count, 7)), np.ones(count), np.zeros(count))
    residual = view_prior(told, np.ones(count, np.bool_), size).tilt_residual
    return [bool(one > LEANS) for one in residual[: len(pieces)]]
