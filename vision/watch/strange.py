"""What lies free on the surface and is not known: dice that no look reads are among it."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.decode import Grey
from vision.geometry import Quad

LEAST, MOST = 0.01, 0.1  # of the frame's longer side, between which a die is wide and high
LONG, FULL = 2.0, 0.45  # longer side over the other, and share of its box, of what may be a die
SHARP = 4.0  # grey levels a px; shadows end more softly than what lies there out of focus
NEW = 1.5  # times as sharp an outline as the surface has there; else it is what was taken away

Greys = NDArray[np.float32]


def strange_places(foreign: Grey, now: Greys, bare: Greys) -> tuple[Quad, ...]:
    """Return where something lies that may be a die, px of the shrunk frame.

    Args:
        foreign: (h, w) what does not look as the surface and is neither a piece nor a hand.
        now: (h, w) slope of the frame.
        bare: (h, w) slope of the surface as it is known.
    """
    count, labels, told, _ = cv2.connectedComponentsWithStats(foreign, connectivity=8)
    longest = max(foreign.shape)
    places = []
    for part in range(1, count):
        x, y, w, h, area = map(int, told[part])
        long, short = max(w, h), min(w, h)
        at_edge = x <= 1 or y <= 1 or x + w >= foreign.shape[1] - 1 or y + h >= foreign.shape[0] - 1
        if at_edge or not LEAST * longest <= short <= long <= MOST * longest:
            continue
        if long > LONG * short or area < FULL * w * h:
            continue
        rim = _rim(labels[y : y + h, x : x + w] == part)
        there, before = now[y : y + h, x : x + w][rim], bare[y : y + h, x : x + w][rim]
        if there.mean() > max(SHARP, NEW * float(before.mean())):
            corners = ((x, y), (x + w, y), (x + w, y + h), (x, y + h))
            places.append(Quad.around(np.array(corners, np.float64)))
    return tuple(places)


def _rim(inside: NDArray[np.bool_]) -> NDArray[np.bool_]:
    wide = np.pad(inside.astype(np.uint8), 1)
    return np.asarray(inside & (cv2.erode(wide, np.ones((3, 3)))[1:-1, 1:-1] == 0), np.bool_)
