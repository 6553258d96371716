"""A page that does not lie flat: where its cells are, by the markers all around them.

In: a grey photo and the pose of the plane that fits best. Out: how far each point of the paper lies
from where the plane has it. What its rim does tells what lies within. Folds and crumples are no
cubic, and then nothing is told.
"""

from __future__ import annotations

import numpy as np

from vision.boards.curved import Curved
from vision.boards.marker_detector import REDUCED, detected, refined
from vision.boards.pose import BoardPose
from vision.camera import camera_can
from vision.decode import Grey
from vision.geometry import Floats
from vision.layout import Layout

ENOUGH = 10  # markers: a cubic has ten coefficients, and each marker is left out once
FAR = 1.5  # of a marker's side: one farther from the plane belongs to something else
LEFT_OUT = 0.05  # of a cell's side: the misfit of markers that were left out stays below


def bent_page(grey: Grey, pose: BoardPose, layout: Layout) -> Curved | None:
    """Return how a page is bent; None where that cannot be told.

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
    """Return how far a page's markers lie off the best plane, root mean square, in sides of a cell.

    Args:
        grey: the photo, (h, w).
        pose: of the best plane, in px of that photo.
        layout: of the page, which has cells. Infinite where too few of its markers are seen.
    """
    on_paper, on_photo = _markers(grey, pose, layout)
    if len(on_paper) < ENOUGH:
        return float("inf")
    away = pose.homography.inverse().apply(on_photo.reshape(-1, 2)) - on_paper.reshape(-1, 2)
    return float(np.sqrt((away**2).sum(axis=1).mean())) / _cell_side(layout)


def _cell_side(layout: Layout) -> float:
    """Return mm, the least side of a cell."""
    cell = np.array([one.polygon for one in layout.cells])
    return float(np.linalg.norm(cell[:, 1:3] - cell[:, :2], axis=2).min())


def _markers(grey: Grey, pose: BoardPose, layout: Layout) -> tuple[Floats, Floats]:
    """Return (n, 4, 2) mm and (n, 4, 2) px, the corners of the page's markers that are seen.

    There are none where one is seen twice: two pages have no one shape.
    """
    name = layout.fiducials[0].dictionary
    # The layout may be that of a page whose bend the pose tells in part: what is left is told here.
    there = {one.id: one.corners for one in layout.fiducials}
    if pose.seen == len(layout.fiducials):  # all of them agree with the pose
        corners = np.array([there[one.id] for one in pose.fiducials])
        return corners, refined(grey, pose.fiducials_px, name)
    found = detected(grey, name, REDUCED)
    seen = [k for k, i in enumerate(found.ids) if int(i) in there]
    if len(set(found.ids[seen].tolist())) < len(seen):
        seen = []
    on_paper = np.array([there[int(found.ids[k])] for k in seen]).reshape(-1, 4, 2)
    return on_paper, found.corners[seen]
