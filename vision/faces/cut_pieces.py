"""Find pieces of which a part is on the photo: a network looks along the photo's edges."""

from __future__ import annotations

import cv2
import numpy as np

from vision.faces.classifier import as_input
from vision.geometry import Floats, sides_of
from vision.models import EdgeClassifier
from vision.photo import Pixels, halved

FACE, DEEP, CELL = 20.0, 32, 4  # px of a strip: a face's side, what it shows of the photo, a place
FAR = 128.0  # levels from the colour of the nearest face from which a pixel is unlike all of them
FOUND = 0.8  # probability of a piece from which something is said
READ = 0.8  # sides from it within which a face was read: it is on the photo
PLAIN = 20.0  # levels; an edge with less contrast has nothing on it


def cut_at_edge(bgr: Pixels, quads: Floats, classifier: EdgeClassifier) -> bool:
    """Return True if a piece is cut off beside the faces with these (n, 4, 2) *quads*, px."""
    if not len(quads):
        return False
    side, middles = float(np.median(sides_of(quads))), quads.mean(axis=1)
    while side >= 2 * FACE:
        bgr, side, middles = halved(bgr), side / 2, middles / 2
    colours = colours_at(bgr, middles, side)
    for _ in range(4):
        strip = strip_at_right(bgr, side, colours)
        if strip is not None and _is_on(strip, middles, bgr.shape[1], side, classifier):
            return True
        middles = np.stack([middles[:, 1], bgr.shape[1] - 1 - middles[:, 0]], axis=1)
        bgr = np.rot90(bgr)
    return False


def _is_on(
    strip: Pixels, middles: Floats, width: int, side: float, classifier: EdgeClassifier
) -> bool:
    logits = classifier(as_input(strip[None])).ravel()
    rows = (np.flatnonzero(logits > np.log(FOUND / (1 - FOUND))) + 0.5) * CELL / FACE * side
    places = np.stack([np.full(len(rows), float(width)), rows], axis=1)
    away = np.linalg.norm(places[:, None] - middles, axis=2).min(axis=1)
    return bool((away > READ * side).any())


def strip_at_right(bgr: Pixels, side: float, colours: Floats) -> Pixels | None:
    """Return (h, DEEP, 4) px along the right edge of a photo, or None if nothing is on it.

    Args:
        bgr: the photo.
        side: of a face, px; it is FACE px on the strip.
        colours: (n, 3), BGR of the faces; the fourth channel has how unlike the nearest one is.
    """
    deep = min(bgr.shape[1], round(DEEP * side / FACE))
    edge = bgr[:, bgr.shape[1] - deep :]
    if deep < 2 or not edge.size or _is_plain(edge[:, -1], side):
        return None
    high = max(CELL, round(len(edge) * FACE / side))
    wide = min(DEEP, max(1, round(deep * FACE / side)))
    strip = cv2.resize(np.ascontiguousarray(edge), (wide, high), interpolation=cv2.INTER_AREA)
    strip = cv2.copyMakeBorder(strip, 0, -high % CELL, DEEP - wide, 0, cv2.BORDER_REPLICATE)
    levels, bodies = strip.astype(np.float32), colours.astype(np.float32)
    apart = (bodies**2).sum(axis=1) - 2 * levels @ bodies.T  # squared, less that of the pixel
    far = np.sqrt(np.maximum(0, apart.min(axis=2) + (levels**2).sum(axis=2)))
    unlike = np.minimum(255, far * (255 / FAR)).astype(np.uint8)
    return np.asarray(np.dstack([strip, unlike]), np.uint8)


def colours_at(bgr: Pixels, middles: Floats, side: float) -> Floats:
    """Return (n, 3), the median colours of faces around their middles."""
    reach = max(1.0, 0.3 * side)
    found = []
    for at in middles:
        (x0, y0), (x1, y1) = np.maximum(0, at - reach).astype(int), (at + reach).astype(int) + 1
        around = bgr[min(y0, len(bgr) - 1) : y1, min(x0, bgr.shape[1] - 1) : x1]
        found.append(np.median(around.reshape(-1, 3), axis=0))
    return np.array(found, np.float64)


def _is_plain(edge: Pixels, side: float) -> bool:
    """Return True if (n, 3) px along an edge differ by no more than grain does."""
    smooth = cv2.blur(edge[:, None].astype(np.float32), (1, max(1, round(side / 4))))
    return bool(np.ptp(smooth, axis=0).max() < PLAIN)
