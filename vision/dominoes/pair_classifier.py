"""Classify pairs of neighbouring faces: are they the halves of one domino?

In: a colour picture, pairs of quads and a network. Out: probabilities. Each pair is rectified as
the rectangle that it would be as a tile, so the network sees the bar, the seam and the corners
between the faces.
"""

import numpy as np

from vision.faces.classifier import as_input, rectify
from vision.faces.detector import sigmoid
from vision.geometry import Floats, sides_of
from vision.models import PairClassifier
from vision.photo import Pixels

WIDTH, HEIGHT = 56, 32  # px of a crop: two faces of 24 px side by side, and around them
AROUND = 4  # px
# Two faces may be one tile if their middles are so many sides apart, and at most so many off the
# straight line. This holds for all but one of 411 drawn tiles, and rejects a third more of the
# other pairs than distance alone.
REACH, ASIDE = (0.55, 1.7), 0.5
FARTHER, SIDEWAYS = (0.0, -0.3, 0.3), (0.0, -0.35, 0.35)  # shifts of a tile's far edge, in sides
ALIKE = 2.0  # largest ratio of the sides of neighbours; perspective causes no more


def neighbours(quads: Floats) -> list[tuple[int, int]]:
    """Return the pairs (i, j), i < j, of n faces, (n, 4, 2) px, that may be halves of one tile.

    Distances are measured along the sides of either face, because a low camera shortens the width
    and the length of a tile differently.
    """
    sizes, away = sides_of(quads), _away(quads)
    far, aside = away.max(axis=2), away.min(axis=2)
    low, high = REACH
    fits = (far > low) & (far < high) & (aside < ASIDE)
    near = (fits | fits.T) & (
        np.maximum(sizes[:, None], sizes) < ALIKE * np.minimum(sizes[:, None], sizes)
    )
    return [(int(i), int(j)) for i, j in np.argwhere(np.triu(near, 1))]


def _away(quads: Floats) -> Floats:
    """Return (n, n, 2) distances from face i to face j, along both sides of i, in its sides."""
    sides = np.roll(quads, -1, axis=1) - quads
    along, across = (sides[:, 0] - sides[:, 2]) / 2, (sides[:, 1] - sides[:, 3]) / 2
    area = along[:, 0] * across[:, 1] - along[:, 1] * across[:, 0]
    area = np.where(np.abs(area) < 1, 1, area)[:, None]  # px²; no neighbours of a face seen edge-on
    x, y = np.moveaxis(quads.mean(axis=1) - quads.mean(axis=1)[:, None], 2, 0)
    u = (x * across[:, 1:] - y * across[:, :1]) / area
    v = (y * along[:, :1] - x * along[:, 1:]) / area
    return np.asarray(np.abs(np.stack([u, v], axis=2)), np.float64)


def outline(first: Floats, second: Floats) -> Floats:
    """Return (4, 2) px, the rectangle's corners clockwise, *first* (4, 2) on its left."""
    return np.asarray(_outlines(np.array([[first, second]]))[0], np.float64)


def _outlines(pairs: Floats) -> Floats:
    """Return (n, 4, 2) px, the same of (n, 2, 4, 2) pairs."""
    x, y = (pairs[:, 1].mean(axis=1) - pairs[:, 0].mean(axis=1)).T
    step = np.stack([x, y], axis=1)
    across = np.stack([-y, x], axis=1)  # to the right hand of the step, y running down
    left, right = (_sorted(pairs[:, k], way)[:, :2] for k, way in ((0, step), (1, -step)))
    left, right = _sorted(left, across), _sorted(right, across)
    return np.stack([left[:, 0], right[:, 0], right[:, 1], left[:, 1]], axis=1)


def _sorted(corners: Floats, way: Floats) -> Floats:
    """Return (n, k, 2) corners in the order in which each of n lies along its (n, 2) way."""
    along = (corners * way[:, None]).sum(axis=2)
    return np.take_along_axis(corners, np.argsort(along, axis=1, kind="stable")[..., None], axis=1)


def crop_pairs(bgr: Pixels, pairs: list[tuple[Floats, Floats]]) -> Pixels:
    """Return (n, HEIGHT, WIDTH, 3) BGR crops of pairs of (4, 2) px."""
    left, top, right, bottom = AROUND, AROUND, WIDTH - AROUND, HEIGHT - AROUND
    onto = np.array([(left, top), (right, top), (right, bottom), (left, bottom)]) - 0.5
    quads = _outlines(np.array(pairs).reshape(-1, 2, 4, 2))
    return rectify(bgr, quads, onto, (WIDTH, HEIGHT))


def pair_probs(crops: Pixels, pair_classifier: PairClassifier) -> Floats:
    """Return (n,) probabilities that each of the BGR crops shows one domino."""
    if not len(crops):
        return np.zeros(0)
    return sigmoid(pair_classifier(as_input(crops))[:, 0])


def beside(quad: Floats) -> Floats:
    """Return (4, 4, 2) px: where the other half of a domino would be, beside each side."""
    ahead = np.roll(quad, -1, axis=0)
    away = quad - np.roll(quad, 1, axis=0), ahead - np.roll(quad, -2, axis=0)
    return np.stack([quad, ahead, ahead + away[1], quad + away[0]], axis=1)


def around_beside(quad: Floats) -> Floats:
    """Return (4, 9, 4, 2) px: the quads of `beside` first, then with the far edge moved.

    An outline that is off by a tenth of a side puts the far end of the tile off by two tenths, and
    strong perspective moves it as well.
    """
    guesses = beside(quad)
    away, along = guesses[:, 2:] - guesses[:, 1::-1], guesses[:, 1] - guesses[:, 0]
    out, aside = (moved.ravel() for moved in np.meshgrid(FARTHER, SIDEWAYS))
    edges = (
        guesses[:, None, 2:]
        + out[:, None, None] * away[:, None]
        + aside[:, None, None] * along[:, None, None]
    )
    near = np.broadcast_to(guesses[:, None, :2], edges.shape)
    return np.concatenate([near, edges], axis=2)
