"""Guess the plane of a taught board whose print repeats itself, by votes of its features.

In: features of the board's picture and of a photo. Out: planes, the likeliest first. A number that
stands in ten cells matches ten places, so the best match of a feature is rarely the right one. But
each match of two features says where the board would lie, by their sizes and directions: right ones
agree on one place, others are scattered or cells further (Lowe, Distinctive image features from
scale-invariant keypoints, IJCV 2004, section 7.3).
"""

from collections.abc import Iterator

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import Floats, Homography, Points
from vision.local_features import Features

MATCHES = 6  # places of a photo that a feature is matched with, at most
LIKE = 0.8  # product of the unit vectors of two features that match, at least
# Width of a bin of votes: octaves, radians, and the board's size as it would lie.
ZOOM, TURN, AWAY = 0.5, 0.5, 0.15
TRIED = 4  # places, of those with the most votes
LEAST = 12  # matches that agree on a plane
NEAR = 0.015  # of the board's size, largest distance of such a match from its plane


def planes_by_votes(ours: Features, theirs: Features, outline: Points) -> Iterator[Homography]:
    """Yield planes from units of a board to px of a photo.

    Args:
        ours: of the board.
        theirs: of the photo.
        outline: (4, 2) units, the corners of the board.
    """
    mine, other = _matches(ours.described, theirs.described)
    size = float(np.linalg.norm(np.ptp(outline, axis=0)))
    zooms = theirs.sizes[other] / ours.sizes[mine]
    arms = (outline.mean(axis=0) - ours.at[mine]) @ np.array([1, 1j])
    turns = theirs.turns[other] - ours.turns[mine]
    middles = theirs.at[other] @ np.array([1, 1j]) + arms * zooms * np.exp(1j * turns)
    votes = np.stack(
        [
            np.log2(zooms) / ZOOM,
            *(np.cos(turns) / TURN, np.sin(turns) / TURN),
            *(part / (AWAY * size * zooms) for part in (middles.real, middles.imag)),
        ],
        axis=1,
    )
    for place in _most_voted(votes):
        near = (np.abs(votes - place) < 1).all(axis=1)
        if near.sum() < LEAST:
            continue
        reach = NEAR * size * float(np.median(zooms[near]))
        found, on = cv2.findHomography(
            ours.at[mine[near]], theirs.at[other[near]], cv2.USAC_MAGSAC, reach, maxIters=5000
        )
        if found is not None and on is not None and int(on.sum()) >= LEAST:
            yield Homography(np.asarray(found, np.float64), reach)


def _matches(
    ours: NDArray[np.float32], theirs: NDArray[np.float32]
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return which of (n, 128) unit vectors match, and with which of (m, 128)."""
    if len(theirs) <= MATCHES:
        return np.zeros(0, np.intp), np.zeros(0, np.intp)
    alike = ours @ theirs.T
    best = np.argpartition(-alike, MATCHES, axis=1)[:, :MATCHES]
    mine, which = np.nonzero(np.take_along_axis(alike, best, axis=1) > LIKE)
    return mine, best[mine, which]


def _most_voted(votes: Floats) -> Iterator[Floats]:
    """Yield the middles of bins with the most of (n, 5) votes, each far from those before."""
    bins, number = np.unique(np.floor(votes), axis=0, return_counts=True)
    tried: list[Floats] = []
    for middle in bins[np.argsort(-number, kind="stable")][: 8 * TRIED] + 0.5:
        if len(tried) < TRIED and all((np.abs(middle - other) > 1).any() for other in tried):
            tried.append(middle)
            yield middle
