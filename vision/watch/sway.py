"""Estimate how the surface has moved on the picture since the first frame, as the camera sways.

Corners of the first frame's texture are tracked by pyramidal Lucas-Kanade (Bouguet 2001); the
affine map that most of them agree on (RANSAC) is the motion of the surface. Rolling dice do not
agree on any.
"""

import cv2
import numpy as np

from vision.geometry import Bools, Points
from vision.photo import Grey
from vision.watch.evidence import STILL, Sway

CORNERS = 140  # that are tracked, at most
FAINTEST = 0.001  # least quality of a corner, of the best one; a bare table has only faint ones
WIDE = 17  # px; slower changes of brightness are light, not texture
PLENTY = 30  # corners needed for a full affine map; fewer give a similarity
FEWEST = 10  # corners that must agree
SPREAD = 0.3  # of the frame's longer side, least extent of the corners that agree
BACK = 0.5  # px, largest error of a corner that is tracked forwards and back
AGREE = 1.0  # px of the shrunk frame, largest distance of a corner from where the map sends it
STANDS = 0.35  # share of unmoved corners from which the surface stands still
STIRRED = 0.5  # px; smaller moves are tracking noise
BELIEVED = 0.3  # share of the corners that must agree
KEPT = 0.5  # share of agreeing corners below which tracking restarts from the current frame


class SwayEstimator:
    """Estimates the motion of the surface for each frame, in px of the shrunk frames."""

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
        """Track the corners; return their places, and which are consistent when tracked back.

        This forward-backward check (Kalal, Mikolajczyk, Matas 2010) rejects corners that are only
        noise, on tables without texture.
        """
        assert self.key is not None
        there, went = _flow(self.key, grey, self.corners, self.followed)
        by = np.median(there - self.corners, axis=0)  # a start that does not assume the answer
        back, came = _flow(grey, self.key, there, there - by)
        found = went & came & (np.hypot(*(back - self.corners).T) < BACK)
        return there, found


def _flow(before: Grey, after: Grey, points: Points, guess: Points) -> tuple[Points, Bools]:
    there, status, _ = cv2.calcOpticalFlowPyrLK(
        before, after, points.astype(np.float32), guess.astype(np.float32).copy(),
        winSize=(15, 15), maxLevel=2, flags=cv2.OPTFLOW_USE_INITIAL_FLOW,
    )  # fmt: skip
    moved = np.asarray(there, np.float64).reshape(-1, 2)
    moved = np.where(np.isfinite(moved), moved, points)
    return moved, np.asarray(status).ravel().astype(np.bool_)


def _detail(grey: Grey) -> Grey:
    """Return the texture alone, without slow changes such as exposure and shadows."""
    wide = cv2.blur(grey, (WIDE, WIDE))
    return np.asarray(cv2.addWeighted(grey, 2, wide, -2, 128), np.uint8)


def _agreed(after: Points, before: Points, longest: int) -> tuple[Sway | None, int]:
    """Return the map from most points *after* to those *before*, and how many agree.

    If enough points are unmoved, the surface stands still, even if a moving hand covers half of the
    frame.
    """
    if len(after) < FEWEST:
        return None, 0
    stood = np.hypot(*(after - before).T) < STIRRED
    if stood.mean() >= STANDS and _is_spread(after[stood], longest):
        return STILL, int(max(stood.sum(), round(KEPT * len(after)) + 1))
    fit = cv2.estimateAffine2D if len(after) >= PLENTY else cv2.estimateAffinePartial2D
    matrix, inliers = fit(
        after, before, method=cv2.RANSAC, ransacReprojThreshold=AGREE, maxIters=500
    )
    if matrix is None:
        return None, 0
    agree = np.asarray(inliers).ravel().astype(np.bool_)
    if agree.sum() < FEWEST or not _is_spread(after[agree], longest):
        return None, 0
    return Sway.from_matrix(np.asarray(matrix, np.float64)), int(agree.sum())


def _is_spread(points: Points, longest: int) -> bool:
    return len(points) >= FEWEST and float(np.ptp(points, axis=0).max()) >= SPREAD * longest
