"""Find the cells of a page that is not flat, by the markers all around them.

In: a grey photo and the pose of the best plane. Out: how far each point of the paper is from where
the plane has it, a cubic fitted to the markers on the rim. A folded or crumpled page is no cubic;
for such a page nothing is returned.
"""

import numpy as np

from vision.boards.bend import Curved
from vision.boards.marker_detector import REDUCED, detected, refined
from vision.boards.pose import BoardPose
from vision.camera import camera_can
from vision.geometry import Floats
from vision.layout import Layout
from vision.photo import Grey

ENOUGH = 10  # markers: a cubic has ten coefficients, and each marker is left out once
FAR = 1.5  # sides of a marker; one farther from the plane belongs to something else
LEFT_OUT = 0.05  # of a cell's side, largest misfit of a marker that was left out


def bent_page(grey: Grey, pose: BoardPose, layout: Layout) -> Curved | None:
    """Return how a page is bent; None if a cubic does not fit it.

    Args:
        grey: the photo, (h, w).
        pose: of the best plane, in px of that photo.
        layout: of the page.
    """
    if not layout.cells or not camera_can(pose.homography, grey.shape):
        return None
    on_paper, on_photo = _markers(grey, pose, layout)
    if len(on_paper) < ENOUGH:
        return None
    on_plane = pose.homography.inverse().apply(on_photo.reshape(-1, 2))
    away = on_plane.reshape(-1, 4, 2) - on_paper
    side = float(np.linalg.norm(on_paper[:, 1] - on_paper[:, 0], axis=1).mean())
    near = np.abs(away).max(axis=(1, 2)) < FAR * side
    if near.sum() < ENOUGH:
        return None
    on_paper, away = on_paper[near], away[near]
    curved = Curved.fit(on_paper.reshape(-1, 2), away.reshape(-1, 2))
    limit = LEFT_OUT * _cell_side(layout)
    for k in range(len(away)):
        others = np.arange(len(away)) != k
        without = Curved.fit(on_paper[others].reshape(-1, 2), away[others].reshape(-1, 2))
        misfit = away[k] - (without.apply(on_paper[k]) - on_paper[k])
        if np.sqrt((misfit**2).sum(axis=1).mean()) > limit:
            return None
    return curved


def off_plane(grey: Grey, pose: BoardPose, layout: Layout) -> float:
    """Return the root mean square distance of a page's markers from the best plane, in cell sides.

    It is infinite if too few markers are seen.

    Args:
        grey: the photo, (h, w).
        pose: of the best plane, in px of that photo.
        layout: of the page, which must have cells.
    """
    on_paper, on_photo = _markers(grey, pose, layout)
    if len(on_paper) < ENOUGH:
        return float("inf")
    away = pose.homography.inverse().apply(on_photo.reshape(-1, 2)) - on_paper.reshape(-1, 2)
    return float(np.sqrt((away**2).sum(axis=1).mean())) / _cell_side(layout)


def _cell_side(layout: Layout) -> float:
    """Return the smallest side of a cell, mm."""
    cell = np.array([one.polygon for one in layout.cells])
    return float(np.linalg.norm(cell[:, 1:3] - cell[:, :2], axis=2).min())


def _markers(grey: Grey, pose: BoardPose, layout: Layout) -> tuple[Floats, Floats]:
    """Return (n, 4, 2) mm and (n, 4, 2) px, the corners of the page's visible markers.

    If a marker is seen twice, there are two pages, and none is returned.
    """
    name = layout.fiducials[0].dictionary
    # The layout may already contain the bend of the pose; only the rest is fitted here.
    there = {one.id: one.corners for one in layout.fiducials}
    if pose.fiducials_seen == len(layout.fiducials):  # all of them agree with the pose
        corners = np.array([there[one.id] for one in pose.fiducials])
        return corners, refined(grey, pose.fiducials_px, name)
    found = detected(grey, name, REDUCED)
    own = [k for k, i in enumerate(found.ids) if int(i) in there]
    if len(set(found.ids[own].tolist())) < len(own):
        own = []
    on_paper = np.array([there[int(found.ids[k])] for k in own]).reshape(-1, 4, 2)
    return on_paper, found.corners[own]
