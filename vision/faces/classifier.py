"""Classify faces: rectify each, and read its number of pips and the colour of its body.

In: a colour picture, quads and a network. Out: logits of `CLASSES` and of `COLOURS`, and the
embeddings they are computed from, which an `Adapter` learns on.
"""

import cv2
import numpy as np

from vision.geometry import Floats, sides_of
from vision.models import FaceClassifier, Tensor
from vision.photo import Pixels, halved
from vision.reading import COLOURS

CLASSES = 9  # 0 to 6 pips on a face that points up, and:
NOTHING = 7  # no face of a die or domino
ASIDE = 8  # the side of a die, which does not point up
EMBEDDING = 256
SIDE = 64  # px of a crop
TURNS = 4  # quarter turns of a crop: the number of pips stays the same
COARSEST = 1.5  # px of the picture per px of a crop, at most
MARGIN = 0.18  # of the face's side, around it on the crop: it distinguishes faces from sides


def crop_faces(bgr: Pixels, quads: Floats) -> Pixels:
    """Return (n, SIDE, SIDE, 3) BGR crops, each face upright with MARGIN around it."""
    near, far = (np.array([MARGIN, 1 + MARGIN]) / (1 + 2 * MARGIN) * SIDE).tolist()
    square = np.array([(near, near), (far, near), (far, far), (near, far)]) - 0.5
    return rectify(bgr, quads, square, (SIDE, SIDE))


def rectify(bgr: Pixels, quads: Floats, onto: Floats, size: tuple[int, int]) -> Pixels:
    """Return (n, height, width, 3) BGR crops of *size* (width, height), one per quad.

    Each of the (n, 4, 2) quads is warped onto the (4, 2) px *onto* of its crop. Quads much larger
    than that are taken from an image pyramid, to avoid aliasing.
    """
    crops = np.zeros((len(quads), size[1], size[0], 3), np.uint8)
    pyramid, place = [bgr], onto.astype(np.float32)
    times = sides_of(quads) / sides_of(onto[None])
    halvings = np.ceil(np.log2(np.maximum(times, 1) / COARSEST)).clip(0).astype(int)
    reach = 0.3 * np.ptp(quads, axis=1)
    height, width = bgr.shape[:2]
    on = ((quads.max(axis=1) + reach > 0) & (quads.min(axis=1) - reach < (width, height))).all(1)
    for k in np.flatnonzero(on):
        while halvings[k] >= len(pyramid):
            pyramid.append(halved(pyramid[-1]))
        local = (quads[k] + 0.5) / 2 ** halvings[k] - 0.5
        to = cv2.getPerspectiveTransform(local.astype(np.float32), place)
        cv2.warpPerspective(
            *(pyramid[halvings[k]], to, size, crops[k]),
            flags=cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_REPLICATE,
        )
    return crops


def as_input(crops: Pixels) -> Tensor:
    """Convert (n, height, width, 3) BGR crops to network input: (n, 3, h, w) RGB in [0, 1]."""
    rgb = np.ascontiguousarray(crops[..., ::-1].transpose(0, 3, 1, 2))
    return rgb.astype(np.float32) / np.float32(255)


def classify_crops(
    crops: Pixels, face_classifier: FaceClassifier, turns: int = 1, *, known_turns: int = 0
) -> tuple[Floats, Floats, Floats]:
    """Classify BGR crops in *turns* of the `TURNS` orientations and return the means.

    The first *known_turns* of them are left out, because they were classified before.

    Returns:
        (n, CLASSES) logits, (n, 12) logits of the colours, and (n, EMBEDDING) embeddings.
    """
    if not len(crops):
        return np.zeros((0, CLASSES)), np.zeros((0, len(COLOURS))), np.zeros((0, EMBEDDING))
    both = [face_classifier(as_input(_turned(crops, turn))) for turn in range(known_turns, turns)]
    logits, embeddings = (
        np.asarray(np.mean(many, axis=0, dtype=np.float64)) for many in zip(*both, strict=True)
    )
    return logits[:, :CLASSES], logits[:, CLASSES:], embeddings


def _turned(crops: Pixels, turn: int) -> Pixels:
    """Return the crops rotated by quarter turns, and mirrored for odd numbers."""
    turned = np.rot90(crops, turn, axes=(1, 2))
    return turned[:, :, ::-1] if turn % 2 else turned
