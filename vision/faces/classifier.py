"""Stage 2: straighten each face and say how many pips it shows and which colour its body has.

In: a colour picture, quads and a network. Out: logits of `CLASSES` and of `COLOURS`, and the
features they were made from, which a `Profile` learns on.
"""

from __future__ import annotations

import cv2
import numpy as np

from vision.decode import Pixels
from vision.geometry import Floats
from vision.models import FaceClassifier, Tensor
from vision.reading import COLOURS

CLASSES = 9  # 0 to 6 pips on a face that looks up, and:
NOTHING = 7  # no face of a die or domino
ASIDE = 8  # a die's face that does not look up
EMBEDDING = 256
SIDE = 64  # px of a crop
TURNS = 4  # ways to turn a face: its pips stay what they are
MARGIN = 0.18  # of the face's side around it on the crop: what lies there tells a face from a side


def crop_faces(bgr: Pixels, quads: Floats) -> Pixels:
    """Return (n, SIDE, SIDE, 3) BGR crops, each face upright with MARGIN around it."""
    near, far = (np.array([MARGIN, 1 + MARGIN]) / (1 + 2 * MARGIN) * SIDE).tolist()
    square = np.array([(near, near), (far, near), (far, far), (near, far)]) - 0.5
    return rectify(bgr, quads, square, (SIDE, SIDE))


def rectify(bgr: Pixels, quads: Floats, onto: Floats, size: tuple[int, int]) -> Pixels:
    """Return (n, height, width, 3) BGR crops of *size* (width, height), one a quad.

    Each of (n, 4, 2) px comes to lie on the (4, 2) px *onto* of its crop. A quad much larger than
    that is shrunk first, else its pips would break up.
    """
    width, height = size
    crops = np.empty((len(quads), height, width, 3), np.uint8)
    place = onto.astype(np.float32)
    for crop, quad in zip(crops, quads, strict=True):
        low = np.floor(quad.min(axis=0) - 0.3 * np.ptp(quad, axis=0)).astype(int).clip(0)
        high = np.ceil(quad.max(axis=0) + 0.3 * np.ptp(quad, axis=0)).astype(int) + 1
        patch = bgr[low[1] : high[1], low[0] : high[0]]
        if patch.size == 0:
            crop[:] = 0
            continue
        local = quad - low
        areas = [max(cv2.contourArea(q.astype(np.float32)), 1.0) for q in (quad, onto)]
        times = float(np.sqrt(areas[0] / areas[1]))
        if times > 1.5:
            few = max(1, round(patch.shape[1] / times)), max(1, round(patch.shape[0] / times))
            small = cv2.resize(patch, few, interpolation=cv2.INTER_AREA)
            grown = np.array([patch.shape[1] / small.shape[1], patch.shape[0] / small.shape[0]])
            local, patch = (local + 0.5) / grown - 0.5, np.asarray(small, np.uint8)
        to = cv2.getPerspectiveTransform(local.astype(np.float32), place)
        cv2.warpPerspective(
            *(patch, to, size, crop), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        )
    return crops


def as_input(crops: Pixels) -> Tensor:
    """Return (n, height, width, 3) BGR crops as networks take them: (n, 3, h, w) RGB in [0, 1]."""
    rgb = np.ascontiguousarray(crops[..., ::-1].transpose(0, 3, 1, 2))
    return rgb.astype(np.float32) / np.float32(255)


def classify_crops(
    crops: Pixels, face_classifier: FaceClassifier, turns: int = 1, *, known_turns: int = 0
) -> tuple[Floats, Floats, Floats]:
    """Read BGR crops in so many of `TURNS` ways to turn a face, and take the mean.

    The first ways of them may be known already; they are left out.

    Returns:
        logits (n, KINDS) and (n, 12 colours), and (n, FEATURES).
    """
    if not len(crops):
        return np.zeros((0, CLASSES)), np.zeros((0, len(COLOURS))), np.zeros((0, EMBEDDING))
    both = [face_classifier(as_input(_turned(crops, turn))) for turn in range(known_turns, turns)]
    known, embeddings = (
        np.asarray(np.mean(many, axis=0, dtype=np.float64)) for many in zip(*both, strict=True)
    )
    return known[:, :CLASSES], known[:, CLASSES:], embeddings


def _turned(crops: Pixels, turn: int) -> Pixels:
    """Return the crops turned by so many quarters, every other time in a mirror."""
    turned = np.rot90(crops, turn, axes=(1, 2))
    return turned[:, :, ::-1] if turn % 2 else turned
