"""How has the picture of the surface moved since the first frame? The camera or the table sways.

Corners of the first frame's texture are followed by pyramidal Lucas-Kanade (Bouguet 2001); the
affine map most of them agree on is the surface's. Dice that roll agree on none.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.decode import Grey
from vision.geometry import Points
from vision.watch.evidence import STILL, Sway

CORNERS = 140  # followed, at most
FAINTEST = 0.001  # of the plainest corner; a bare table has only faint ones
WIDE = 17  # px; what changes over more is light, not texture
PLENTY = 30  # corners; fewer tell a similarity only
FEWEST = 10  # that must agree
SPREAD = 0.3  # of the frame's longer side: what agrees lies farther apart than one piece is wide
BACK = 0.5  # px by which a corner that is followed there and back may miss
AGREE = 1.0  # px of the shrunk frame, between a corner and where the map takes it
STANDS = 0.35  # share of the corners that need not have moved for the surface to stand still
STIRRED = 0.5  # px; less is the noise of following
BELIEVED = 0.3  # share of the corners that must agree
KEPT = 0.5  # share of the corners still agreeing below which a new frame is followed from

Bools = NDArray[np.bool_]


class SwayEstimator:
    """Tells for each frame where the surface went; px of the shrunk frames it is given."""

    def __init__(self) -> None:
        self.key: Grey | None = None
        self.corners: Points = np.zeros((0, 2))
        self.followed: Points = self.corners
        self.key_sway = self.sway = STILL

    def update(self, grey: Grey) -> Sway:
        """Return the map from this frame (h, w) to the first one."""
        grey = _detail(grey)
        if self.key is None or self.key.shape != grey.shape:
            self._begin(grey)
            return self.sway
        if len(self.corners) < FEWEST:
            return self.sway
        there, found = self._follow(grey)
        fitted, agreed = _agreed(there[found], self.corners[found], max(grey.shape))
        if agreed < BELIEVED * len(self.corners):
            fitted = None  # a hand or dice on a table without texture
        if fitted is not None:
            self.sway = fitted.then(self.key_sway)
        if fitted is None or agreed < KEPT * len(self.corners):
            self._begin(grey)
        else:
            self.followed = there
        return self.sway

    def _begin(self, grey: Grey) -> None:
        found = cv2.goodFeaturesToTrack(grey, CORNERS, FAINTEST, max(grey.shape) / 40)
        self.corners = np.zeros((0, 2)) if found is None else found.reshape(-1, 2).astype(float)
        self.key, self.followed, self.key_sway = grey, self.corners, self.sway

    def _follow(self, grey: Grey) -> tuple[Points, Bools]:
        """Return where the corners went, and which also find back (Kalal, Mikolajczyk, Matas 2010).

        On a table without texture corners are noise, which leads nowhere.
        """
        assert self.key is not None
        there, went = _flow(self.key, grey, self.corners, self.followed)
        by = np.median(there - self.corners, axis=0)  # not where they came from: that is asked
        back, came = _flow(grey, self.key, there, there - by)
        found = went & came & (np.hypot(*(back - self.corners).T) < BACK)
        return there, found


def _flow(one: Grey, other: Grey, points: Points, guess: Points) -> tuple[Points, Bools]:
    there, status, _ = cv2.calcOpticalFlowPyrLK(
        one, other, points.astype(np.float32), guess.astype(np.float32).copy(),
        winSize=(15, 15), maxLevel=2, flags=cv2.OPTFLOW_USE_INITIAL_FLOW,
    )  # fmt: skip
    moved = np.asarray(there, np.float64).reshape(-1, 2)
    moved = np.where(np.isfinite(moved), moved, points)
    return moved, np.asarray(status).ravel().astype(np.bool_)


def _detail(grey: Grey) -> Grey:
    """Return the texture alone: exposure drifts, and shadows are wide."""
    wide = cv2.blur(grey, (WIDE, WIDE))
    return np.asarray(cv2.addWeighted(grey, 2, wide, -2, 128), np.uint8)


def _agreed(now: Points, then: Points, longest: int) -> tuple[Sway | None, int]:
    """Return the map that takes most points *now* to where they were *then*, and how many.

    If enough of them are where they were, the surface stands still: a hand that covers half of the
    frame and moves must not be taken for it.
    """
    if len(now) < FEWEST:
        return None, 0
    stood = np.hypot(*(now - then).T) < STIRRED
    if stood.mean() >= STANDS and _is_spread(now[stood], longest):
        return STILL, int(max(stood.sum(), round(KEPT * len(now)) + 1))
    fit = cv2.estimateAffine2D if len(now) >= PLENTY else cv2.estimateAffinePartial2D
    matrix, inliers = fit(now, then, method=cv2.RANSAC, ransacReprojThreshold=AGREE, maxIters=500)
    if matrix is None:
        return None, 0
    agree = np.asarray(inliers).ravel().astype(np.bool_)
    if agree.sum() < FEWEST or not _is_spread(now[agree], longest):
        return None, 0
    return Sway.from_matrix(np.asarray(matrix, np.float64)), int(agree.sum())


def _is_spread(points: Points, longest: int) -> bool:
    return len(points) >= FEWEST and float(np.ptp(points, axis=0).max()) >= SPREAD * longest
