"""Detect dice that lean on something: their faces are foreshortened unlike those of flat dice.

The view of the camera is estimated from the dice on the table and those of earlier rolls.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from vision.faces.detector import Detections
from vision.faces.view_prior import view_prior
from vision.watch.tracking import Observation

# Error of S (vision.faces.detector) from which a die leans. Of 292 flat faces on photos of `train/`
# with five dice or more, 99 in 100 have less than 0.6; with fewer dice it is noisier.
LEANS = 0.7
FEWEST = 4  # dice needed to estimate the camera's view


def leaning(
    pieces: Sequence[Observation], flat: Sequence[Observation], size: tuple[int, int]
) -> list[bool]:
    """Say for each piece whether it leans.

    Args:
        pieces: on the table.
        flat: dice of earlier rolls, which were flat.
        size: width and height of a frame, px.
    """
    squares = [one for one in (*pieces, *flat) if len(one.corners) == 4]
    if len(squares) < FEWEST or any(len(one.piece.faces) > 1 for one in squares):
        return [False] * len(pieces)
    corners = np.array([one.corners for one in squares])
    quads = np.stack([corners.real, corners.imag], axis=2)
    count = len(quads)
    detections = Detections(
        quads, np.ones(count), np.zeros((count, 7)), np.ones(count), np.zeros(count)
    )
    residual = view_prior(detections, np.ones(count, np.bool_).tobytes(), size).tilt_residual
    return [bool(one > LEANS) for one in residual[: len(pieces)]]
