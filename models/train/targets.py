"""One training sample of the detector.

A piece of a picture, changed, and what the net should say.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from models import augment
from models.dataset.annotation import AnnotatedFace, AnnotatedImage
from vision.faces.detector import STRIDE, describe_quads
from vision.geometry import sides_of

Floats = NDArray[np.float64]
Random = np.random.Generator

SIZES = (8.5, 130.0)  # px, side of a face the detector learns
FOCUS = (32.0, 0.4)  # px and spread of its logarithm: the size at which pictures are mostly shown
FOCUSED = 0.6  # of the samples
SCALES = {False: (0.35, 1.5), True: (0.55, 2.2)}  # of a drawn picture, of a photo
SMALLEST = 6.5  # px; a smaller face counts for nothing
BOXES = 40  # photo boxes a sample
SHOWN = 0.6  # share of a face that must be on the sample
FARTHEST = 0.5  # samples, the longer side of a picture that is seen from far away
MISTAKEN = 0.75  # of the samples without a face show what was or may be taken for one
GREY = 0.08  # of the samples are those of a camera without colours


@dataclass(slots=True)
class Sample:
    """Arrays of one sample; n = side / STRIDE."""

    picture: NDArray[np.uint8]  # (side, side, 3) RGB
    heat: NDArray[np.float32]  # (n, n) 1 at a middle, falling off around it
    care: NDArray[np.float32]  # (n, n) 0 where the heat counts for nothing
    shape: NDArray[np.float32]  # (7, n, n)
    weight: NDArray[np.float32]  # (n, n) of shape and value
    value: NDArray[np.int64]  # (n, n)
    half: NDArray[np.float32]  # (3, n, n) is a half, step to the other one
    boxes: NDArray[np.float32]  # (BOXES, 5) x0 y0 x1 y1 in cells, value; -1 where there is none


def _map(rng: Random, shot: AnnotatedImage, size: tuple[int, int], side: int) -> Floats:
    """Choose a (2, 3) map from the picture to the sample."""
    width, height = size
    low, high = SCALES[shot.is_photo]
    wanted = np.exp(rng.uniform(*np.log(SIZES)))
    if rng.random() < FOCUSED:
        wanted = FOCUS[0] * np.exp(rng.normal(0, FOCUS[1]))
    if shot.faces and rng.random() < 0.88:
        face = shot.faces[int(rng.integers(len(shot.faces)))]
        focus = face.middle
        # A photo's box holds the die's sides too.
        scale = wanted / (face.size * (0.75 if shot.is_photo else 1.0))
    else:  # of what is none as much may be seen as a far view shows
        low = min(low, FARTHEST * side / max(width, height))
        if shot.others and rng.random() < MISTAKEN:
            quad = shot.others[int(rng.integers(len(shot.others)))]
            focus = np.clip(quad.mean(axis=0), 0, size)
            scale = wanted / max(float(sides_of(quad[None])[0]), 1.0)
        else:
            focus = rng.uniform(0, 1, 2) * (width, height)
            scale = np.exp(rng.uniform(np.log(low), np.log(high)))
    scale = float(np.clip(scale, low, high))
    # People hold a phone upright: that the upper face is above its sides is worth learning.
    # But a camera over the table may be turned any way.
    turned = rng.random() < 0.35
    angle = rng.uniform(0, 2 * np.pi) if turned else np.deg2rad(rng.normal(0, 9))
    c, s = np.cos(angle), np.sin(angle)
    stretch = np.diag(np.exp(rng.normal(0, 0.08, 2)))
    if rng.random() < 0.5:
        stretch[0] *= -1
    linear = scale * stretch @ np.array([[c, -s], [s, c]])
    place = rng.uniform(0.12, 0.88, 2) * side
    return np.column_stack([linear, place - linear @ focus])


def _warp(picture: NDArray[np.uint8], to: Floats, side: int, rng: Random) -> NDArray[np.uint8]:
    scale = np.sqrt(abs(np.linalg.det(to[:, :2])))
    if scale < 0.75:
        picture, to = _around(picture, to, side)
        smaller = [max(1, round(n * scale)) for n in picture.shape[1::-1]]
        small = cv2.resize(picture, smaller, interpolation=cv2.INTER_AREA)
        grown = np.diag([picture.shape[1] / small.shape[1], picture.shape[0] / small.shape[0]])
        to = np.column_stack([to[:, :2] @ grown, to[:, 2] + to[:, :2] @ (grown.diagonal() - 1) / 2])
        picture = np.asarray(small, np.uint8)
    way = cv2.INTER_LINEAR if rng.random() < 0.7 else cv2.INTER_CUBIC
    edge = int(rng.choice([cv2.BORDER_CONSTANT, cv2.BORDER_REPLICATE]))
    fill = rng.integers(0, 256, 3).tolist()
    return np.asarray(
        cv2.warpAffine(picture, to, (side, side), flags=way, borderMode=edge, borderValue=fill),
        np.uint8,
    )


def _around(picture: NDArray[np.uint8], to: Floats, side: int) -> tuple[NDArray[np.uint8], Floats]:
    """Return the part of a picture that a sample shows, and the map from there."""
    corners = np.array([[0, 0], [side, 0], [0, side], [side, side]]) - to[:, 2]
    shown = corners @ np.linalg.inv(to[:, :2]).T
    size = np.array(picture.shape[1::-1])
    x0, y0 = np.floor(shown.min(axis=0) - 8).astype(int).clip(0, size - 1)
    x1, y1 = np.ceil(shown.max(axis=0) + 8).astype(int).clip((x0 + 1, y0 + 1), size)
    return picture[y0:y1, x0:x1], np.column_stack([to[:, :2], to[:, 2] + to[:, :2] @ (x0, y0)])


def draw_sample(rng: Random, shot: AnnotatedImage, side: int) -> Sample:
    """Cut, turn, scale and disturb a picture, and write down what is on it."""
    picture = shot.pixels()
    to = _map(rng, shot, (picture.shape[1], picture.shape[0]), side)
    cut = augment.recolour(rng, _warp(picture, to, side, rng), 0.9)
    if rng.random() < GREY:
        cut = augment.grey(cut)
    if rng.random() < 0.12:
        cut = augment.glare(rng, cut)
    if rng.random() < 0.1:
        cut = augment.smear(rng, cut)
    cut = augment.roughen(rng, augment.soften(rng, cut, 1.3), 11.0)
    if rng.random() < 0.1:
        cut = cut[..., list(rng.permutation(3))]
    if rng.random() < 0.05:
        cut = 255 - cut
    sample = _empty(np.ascontiguousarray(cut[..., ::-1]), side // STRIDE)
    for quad in shot.unlearned:
        _ignore(sample, _moved(quad, to), 1.1)
    for face in shot.faces:
        if shot.is_photo:
            _put_box(sample, _moved(face.quad, to), face.pips)
        else:
            _put_face(sample, face, to, side)
    return sample


def _empty(picture: NDArray[np.uint8], n: int) -> Sample:
    def zeros(*shape: int) -> NDArray[np.float32]:
        return np.zeros((*shape, n, n), np.float32)

    boxes = np.full((BOXES, 5), -1, np.float32)
    value = np.zeros((n, n), np.int64)
    return Sample(picture, zeros(), zeros() + 1, zeros(7), zeros(), value, zeros(3), boxes)


def _moved(points: Floats, to: Floats) -> Floats:
    return np.asarray(points @ to[:, :2].T + to[:, 2], np.float64)


def _to_cells(px: Floats) -> Floats:
    return (px + 0.5) / STRIDE - 0.5


def _ignore(sample: Sample, quad: Floats, grow: float) -> None:
    middle = quad.mean(axis=0)
    cells = _to_cells(middle + (quad - middle) * grow)
    cv2.fillPoly(sample.care, [np.round(cells).astype(np.int32)], 0.0)


def _crossing(quad: Floats) -> Floats:
    """Return where the diagonals cross: the middle of the square under perspective."""
    a, b, c, d = quad
    across = np.array([c - a, b - d]).T
    if abs(np.linalg.det(across)) < 1e-6:
        return np.asarray(quad.mean(axis=0), np.float64)
    return np.asarray(a + np.linalg.solve(across, b - a)[0] * (c - a), np.float64)


def _put_face(sample: Sample, face: AnnotatedFace, to: Floats, side: int) -> None:
    quad = _moved(face.quad, to)
    middle = _crossing(quad)
    if (middle < -side * 0.3).any() or (middle > side * 1.3).any():
        return
    width = float(np.sqrt(max(cv2.contourArea(quad.astype(np.float32)), 1e-6)))
    if width < SMALLEST or _is_cut_off(quad, middle, width, side):
        _ignore(sample, quad, 1.0)
        return
    at = _to_cells(middle)
    window, near, bump = _put_heat(sample, at, width)
    ys, xs = np.mgrid[window]
    reach, s, p = describe_quads(quad)
    cells = reach / STRIDE
    truth = [
        (at[0] - xs) / cells, (at[1] - ys) / cells, np.full(xs.shape, np.log(cells)),
        *(np.full(xs.shape, number) for number in (s.real, s.imag, p.real, p.imag)),
    ]  # fmt: skip
    for channel, plane in zip(sample.shape, truth, strict=True):
        channel[window][near] = plane[near]
    sample.weight[window][near] = bump[near]
    sample.value[window][near] = face.pips
    step = np.zeros(2)
    if face.partner is not None:
        step = (_to_cells(_moved(np.array(face.partner)[None], to)[0]) - at) / cells
    for channel, number in zip(sample.half, (face.partner is not None, *step), strict=True):
        channel[window][near] = number


def _is_cut_off(quad: Floats, middle: Floats, width: float, side: int) -> bool:
    """Return True if the sample's edge leaves too little of a face with this width, px."""
    outside = (middle < 1).any() or (middle > side - 2).any()
    cut = np.clip(quad, 0, side - 1)
    shown = cv2.contourArea(cut.astype(np.float32)) / max(width**2, 1e-6)
    return bool(outside or shown < SHOWN)


def _put_heat(
    sample: Sample, at: Floats, width: float
) -> tuple[tuple[slice, slice], NDArray[np.bool_], Floats]:
    """Raise the heat around a middle.

    Returns:
        the rows and columns around it, which cells in them are this face's, and their heat.
    """
    n = sample.heat.shape[0]
    deviation = max(0.65, 0.16 * width / STRIDE)
    span = int(3 * deviation) + 1
    x0, y0 = (max(0, int(np.round(c)) - span) for c in at)
    x1, y1 = (min(n, int(np.round(c)) + span + 1) for c in at)
    window = (slice(y0, y1), slice(x0, x1))
    ys, xs = np.mgrid[window]
    bump = np.exp(-((xs - at[0]) ** 2 + (ys - at[1]) ** 2) / (2 * deviation**2))
    cell = np.round(at).astype(int).clip(0, n - 1)
    bump[cell[1] - y0, cell[0] - x0] = 1.0
    wins = bump > sample.heat[window]
    sample.heat[window] = np.maximum(sample.heat[window], bump)
    return window, wins & (bump > 0.55), bump


def _put_box(sample: Sample, corners: Floats, value: int) -> None:
    """Write down a photo's box: somewhere in it, nobody said where, is the middle of a face."""
    low, high = _to_cells(corners.min(axis=0)), _to_cells(corners.max(axis=0))
    n = sample.heat.shape[0]
    size = high - low
    grown_low, grown_high = low - 0.2 * size, high + 0.35 * size
    x0, y0 = np.floor(grown_low).astype(int).clip(0)
    x1, y1 = (np.ceil(grown_high).astype(int) + 1).clip(0)
    sample.care[y0:y1, x0:x1] = 0
    free = np.flatnonzero(sample.boxes[:, 4] < 0)
    inside = (low > -0.12 * size).all() and (high < n - 1 + 0.12 * size).all()
    if inside and len(free) and min(size) * STRIDE >= SMALLEST:
        sample.boxes[free[0]] = (*low, *high, value)
