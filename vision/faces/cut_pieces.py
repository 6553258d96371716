"""Find pieces of which a part is on the photo: mirrored at the photo's edge it looks whole."""

from __future__ import annotations

import cv2
import numpy as np

from vision.faces.detector import View, decode, fit_picture
from vision.geometry import Floats, sides_of
from vision.models import Detector
from vision.photo import Pixels, halved

FACE = 30.0  # px of a face's side in the mirrored strips
DEPTH = 1.2  # sides of a face from the photo's edge that are mirrored
FOUND = 0.3  # probability of a face on the edge from which something is said
AWAY = 0.15  # sides that the middle of such a face may be from the edge
SIZES = (0.45, 1.6)  # of it, in sides
READ = 0.6  # sides from it within which a face was read: it is on the photo
ALIKE = 60.0  # levels that its colour is from that of the nearest face
NEARLY, AROUND = 1.25, 1.5  # times ALIKE, where the mirror is looked at; sides around such places
PLAIN = 20.0  # levels; an edge with less contrast has nothing on it


def cut_at_edge(bgr: Pixels, quads: Floats, detector: Detector) -> bool:
    """Return True if a piece like the faces with these (n, 4, 2) *quads* is cut off."""
    if not len(quads):
        return False
    side, middles = float(np.median(sides_of(quads))), quads.mean(axis=1)
    while side >= 2 * FACE:
        bgr, side, middles = halved(bgr), side / 2, middles / 2
    colours = np.array([_colour(bgr, middle, side) for middle in middles])
    for _ in range(4):
        part = _like_pieces(bgr, side, colours)
        for at in _on_right_edge(bgr[part], side, detector) + np.array((0, part.start)):
            away = np.linalg.norm(middles - at, axis=1).min()
            unlike = np.linalg.norm(colours - _colour(bgr, at, side), axis=1).min()
            if away > READ * side and unlike < ALIKE:
                return True
        middles = np.stack([middles[:, 1], bgr.shape[1] - 1 - middles[:, 0]], axis=1)
        bgr = np.rot90(bgr)
    return False


def _like_pieces(bgr: Pixels, side: float, colours: Floats) -> slice:
    """Return the rows around all places on the right edge of nearly one of these (n, 3) colours."""
    step = max(1, round(side / 16))
    edge = np.median(bgr[::step, -max(1, round(0.3 * side)) :], axis=1)
    smooth = cv2.blur(edge[:, None], (1, max(1, round(side / 2 / step))))
    unlike = np.linalg.norm(smooth - colours, axis=2).min(axis=1)
    rows = step * np.flatnonzero(unlike < NEARLY * ALIKE)
    if not len(rows):
        return slice(0, 0)
    return slice(max(0, round(rows[0] - AROUND * side)), round(rows[-1] + AROUND * side))


def _on_right_edge(bgr: Pixels, side: float, detector: Detector) -> Floats:
    """Return (n, 2) px, the middles of faces that the right edge, as a mirror, makes whole."""
    depth = min(bgr.shape[1], round(DEPTH * side))
    strip = np.ascontiguousarray(bgr[:, bgr.shape[1] - depth :])
    if depth < 2 or not strip.size or _is_plain(strip[:, -1], side):
        return np.zeros((0, 2))
    mirrored = np.asarray(cv2.hconcat([strip, cv2.flip(strip, 1)]), np.uint8)
    blob, scale = fit_picture(mirrored, View(max(1, round(max(mirrored.shape) * FACE / side))))
    found = decode(detector(blob)[0], FOUND)
    at, sizes = (found.middles + 0.5) / scale - 0.5, found.sizes / scale / side
    close = np.abs(at[:, 0] - (depth - 0.5)) < AWAY * side
    alike = (sizes > SIZES[0]) & (sizes < SIZES[1])
    return np.asarray(at[close & alike] + (bgr.shape[1] - depth, 0), np.float64)


def _colour(bgr: Pixels, at: Floats, side: float) -> Floats:
    """Return the median colour of a face around a middle, as far as it is on the photo."""
    reach = max(1.0, 0.3 * side)
    (x0, y0), (x1, y1) = np.maximum(0, at - reach).astype(int), (at + reach).astype(int) + 1
    around = bgr[min(y0, len(bgr) - 1) : y1, min(x0, bgr.shape[1] - 1) : x1]
    return np.asarray(np.median(around.reshape(-1, 3), axis=0), np.float64)


def _is_plain(edge: Pixels, side: float) -> bool:
    """Return True if (n, 3) px along an edge differ by no more than grain does."""
    smooth = cv2.blur(edge[:, None].astype(np.float32), (1, max(1, round(side / 4))))
    return bool(np.ptp(smooth, axis=0).max() < PLAIN)
