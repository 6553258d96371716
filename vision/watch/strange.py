"""Find unknown objects on the surface; dice that could not be read may be among them."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.decode import Grey
from vision.geometry import Quad

LEAST, MOST = 0.01, 0.1  # smallest and largest side of a die, of the frame's longer side
LONG, FULL = 2.0, 0.45  # largest aspect ratio of a die, and least share of its bounding box
SHARP = 4.0  # grey levels per px; shadows have softer edges than objects out of focus
NEW = 1.5  # factor by which its outline must be sharper than the surface's; else it was removed

GreyLevels = NDArray[np.float32]  # (h, w), smoothed, with fractions


def strange_places(
    foreign: Grey, frame_slope: GreyLevels, surface_slope: GreyLevels
) -> tuple[Quad, ...]:
    """Return the places of objects that may be dice, px of the shrunk frame.

    Args:
        foreign: (h, w) 1 where the frame differs from the surface without a piece or a hand.
        frame_slope: (h, w) gradient of the frame, grey levels per px.
        surface_slope: (h, w) gradient of the learnt surface.
    """
    count, labels, stats, _ = cv2.connectedComponentsWithStats(foreign, connectivity=8)
    longest = max(foreign.shape)
    places = []
    for part in range(1, count):
        x, y, w, h, area = map(int, stats[part])
        long, short = max(w, h), min(w, h)
        at_edge = x <= 1 or y <= 1 or x + w >= foreign.shape[1] - 1 or y + h >= foreign.shape[0] - 1
        if at_edge or not LEAST * longest <= short <= long <= MOST * longest:
            continue
        if long > LONG * short or area < FULL * w * h:
            continue
        rim = _rim(labels[y : y + h, x : x + w] == part)
        there, before = (
            frame_slope[y : y + h, x : x + w][rim],
            surface_slope[y : y + h, x : x + w][rim],
        )
        if there.mean() > max(SHARP, NEW * float(before.mean())):
            corners = ((x, y), (x + w, y), (x + w, y + h), (x, y + h))
            places.append(Quad.around(np.array(corners, np.float64)))
    return tuple(places)


def _rim(inside: NDArray[np.bool_]) -> NDArray[np.bool_]:
    wide = np.pad(inside.astype(np.uint8), 1)
    return np.asarray(inside & (cv2.erode(wide, np.ones((3, 3)))[1:-1, 1:-1] == 0), np.bool_)
