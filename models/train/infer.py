"""From a network's plain scores to faces: numpy and OpenCV only, so that it can move to `vision`.

A `predict` is passed in, so nothing here knows what runs the networks. Channels of the finder:
0 score of a middle · 1-2 step to the exact middle · 3 log of the reach in cells ·
4-5 S · 6-7 P · 8-14 scores of the values 0 to 6 · 15 score of "half of a domino" ·
16-17 step to the other half. Steps are in reaches.

With u and v the half diagonals of a face as complex numbers and reach² = (|u|² + |v|²) / 2,
S = (u² + v²) / reach² and P = u² v² / reach⁴. Both are the same for ±u, ±v and for u and v
exchanged, so a face has one truth, and corners come back as roots of z² - S z + P.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Scores = NDArray[np.float32]
Pixels = NDArray[np.uint8]
Predict = Callable[[Scores], Scores]

COLOURS = (
    "white",
    "black",
    "grey",
    "red",
    "orange",
    "yellow",
    "green",
    "blue",
    "purple",
    "pink",
    "brown",
    "clear",
)
STRIDE = 4  # px of the picture a cell of the map
FINDER_CHANNELS = 18
READER_KINDS = 8  # 0 to 6 pips, no face that looks up
NOTHING = 7  # the reader's index of "no face that looks up"
SIDE = 64  # px of a crop
MARGIN = 0.18  # of the face's side around it on the crop: what lies there tells a face from a side
MULTIPLE = 32  # the finder's picture has sides of so many px
SAME = 0.35  # shared area over the smaller one above which two quads are one face
FEWEST = 0.15  # odds of a middle below which a peak is not looked at


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """Faces on one picture, best first; px of that picture."""

    quads: Floats  # (n, 4, 2), clockwise
    odds: Floats  # (n,) that there is a face
    values: Floats  # (n, 7) odds of the values, the finder's second opinion
    half: Floats  # (n,) odds that it is half of a domino
    partner: Floats  # (n, 2) where the other half would be

    def __len__(self) -> int:
        return len(self.odds)

    def take(self, index: NDArray[np.intp]) -> Found:
        """Return the faces of these indices, in their order."""
        return Found(*(getattr(self, name)[index] for name in Found.__slots__))


def softmax(scores: NDArray[np.floating]) -> Floats:
    """Return the shares along the last axis."""
    grown = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return np.asarray(grown / grown.sum(axis=-1, keepdims=True), np.float64)


def sigmoid(scores: NDArray[np.floating]) -> Floats:
    """Return 1 / (1 + exp(-scores)) without overflow."""
    return np.asarray(0.5 * (1 + np.tanh(0.5 * scores.astype(np.float64))), np.float64)


def describe_quad(quad: Floats) -> tuple[float, complex, complex]:
    """Return reach in px, S and P of four corners in turn."""
    z = quad[:, 0] + 1j * quad[:, 1]
    u2, v2 = ((z[2] - z[0]) / 2) ** 2, ((z[3] - z[1]) / 2) ** 2
    reach2 = (abs(u2) + abs(v2)) / 2
    return float(np.sqrt(reach2)), complex((u2 + v2) / reach2), complex(u2 * v2 / reach2**2)


def corners_of(reach: Floats, s: NDArray[np.complex128], p: NDArray[np.complex128]) -> Floats:
    """Return (n, 4, 2) corners around 0, clockwise; the inverse of `describe_quad`."""
    root = np.sqrt(s * s / 4 - p)
    u = np.sqrt(s / 2 + root) * reach
    v = np.sqrt(s / 2 - root) * reach
    # With y down, u then v is clockwise where their cross product is positive.
    v = np.where((u.conj() * v).imag < 0, -v, v)
    z = np.stack([u, v, -u, -v], axis=1)
    return np.stack([z.real, z.imag], axis=2)


def find_peaks(heat: NDArray[np.floating], fewest: float) -> tuple[NDArray[np.intp], ...]:
    """Return rows and columns of cells that are as high as all around, best first."""
    heat = heat.astype(np.float32)  # as the dilation gives it, else rounding hides half the peaks
    around = cv2.dilate(heat, np.ones((3, 3), np.uint8))
    rows, columns = np.nonzero((heat >= around) & (heat > fewest))
    order = np.argsort(-heat[rows, columns], kind="stable")
    return rows[order], columns[order]


def decode(scores: Scores, fewest: float = FEWEST, most: int = 300) -> Found:
    """Return the faces that a map (FINDER_CHANNELS, h/4, w/4) tells of; px of its picture."""
    heat = sigmoid(scores[0])
    rows, columns = (index[:most] for index in find_peaks(heat, fewest))
    at = scores[:, rows, columns].astype(np.float64)  # (channels, n)
    reach = np.exp(np.clip(at[3], -3, 6)) * STRIDE
    cells = np.stack([columns, rows], axis=1).astype(np.float64)
    middle = (cells + 0.5) * STRIDE - 0.5 + at[1:3].T * reach[:, None]
    corners = corners_of(reach, at[4] + 1j * at[5], at[6] + 1j * at[7])
    return Found(
        quads=middle[:, None] + corners,
        odds=heat[rows, columns],
        values=softmax(at[8:15].T) if len(rows) else np.zeros((0, 7)),
        half=sigmoid(at[15]),
        partner=middle + at[16:18].T * reach[:, None],
    )


def shared_area(a: Floats, b: Floats) -> float:
    """Return the area two quads share as a share of the smaller one."""
    one, two = a.astype(np.float32), b.astype(np.float32)
    area, _ = cv2.intersectConvexConvex(one, two)
    return float(area) / max(min(cv2.contourArea(one), cv2.contourArea(two)), 1e-6)


def without_doubles(found: Found, same: float = SAME) -> Found:
    """Keep the best of the faces that lie on each other."""
    order = np.argsort(-found.odds, kind="stable")
    middles = found.quads.mean(axis=1)
    reach = np.linalg.norm(found.quads - middles[:, None], axis=2).max(axis=1, initial=0)
    kept: list[int] = []
    for i in order:
        near = (j for j in kept if np.hypot(*(middles[i] - middles[j])) < reach[i] + reach[j])
        if not any(shared_area(found.quads[i], found.quads[j]) > same for j in near):
            kept.append(int(i))
    return found.take(np.array(kept, np.intp))


def fit_picture(bgr: Pixels, longest: int) -> tuple[Scores, float]:
    """Return (1, 3, h, w) RGB in [0, 1] with sides of whole MULTIPLEs, and its scale.

    The picture is shrunk or grown to *longest* and filled up on the right and below.
    """
    height, width = bgr.shape[:2]
    scale = longest / max(height, width)
    size = max(1, round(width * scale)), max(1, round(height * scale))
    way = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    small = cv2.resize(bgr, size, interpolation=way)
    right, below = (-size[0] % MULTIPLE), (-size[1] % MULTIPLE)
    full = cv2.copyMakeBorder(small, 0, below, 0, right, cv2.BORDER_REPLICATE)
    blob = cv2.dnn.blobFromImage(full, 1 / 255, swapRB=True)
    return np.asarray(blob, np.float32), scale


def find_faces(bgr: Pixels, predict: Predict, longest: int, fewest: float = FEWEST) -> Found:
    """Return the faces on a picture seen at one size; px of *bgr*."""
    blob, scale = fit_picture(bgr, longest)
    found = decode(predict(blob)[0], fewest)

    def back(px: Floats) -> Floats:
        return (px + 0.5) / scale - 0.5

    moved = Found(back(found.quads), found.odds, found.values, found.half, back(found.partner))
    inside = _middle_inside(moved, bgr.shape[1], bgr.shape[0])
    return without_doubles(moved.take(inside))


def _middle_inside(found: Found, width: int, height: int) -> NDArray[np.intp]:
    x, y = found.quads.mean(axis=1).T if len(found) else np.zeros((2, 0))
    return np.flatnonzero((x >= 0) & (y >= 0) & (x < width) & (y < height))


def join(views: list[Found]) -> Found:
    """Return the faces of several views of one picture, each face once."""
    names = Found.__slots__
    return without_doubles(Found(*(np.concatenate([getattr(v, n) for v in views]) for n in names)))


def crop_map(quad: Floats, side: int = SIDE, margin: float = MARGIN) -> Floats:
    """Return the (3, 3) map from px of the picture to px of a crop that holds the quad upright."""
    near, far = margin / (1 + 2 * margin) * side, (1 + margin) / (1 + 2 * margin) * side
    square = np.array([(near, near), (far, near), (far, far), (near, far)], np.float32) - 0.5
    return np.asarray(cv2.getPerspectiveTransform(quad.astype(np.float32), square), np.float64)


def crop_faces(bgr: Pixels, quads: Floats) -> Pixels:
    """Return (n, SIDE, SIDE, 3) BGR crops, each face upright with MARGIN around it.

    A face much larger than its crop is shrunk first, else its pips would break up.
    """
    crops = np.empty((len(quads), SIDE, SIDE, 3), np.uint8)
    for crop, quad in zip(crops, quads, strict=True):
        low = np.floor(quad.min(axis=0) - 0.3 * np.ptp(quad, axis=0)).astype(int).clip(0)
        high = np.ceil(quad.max(axis=0) + 0.3 * np.ptp(quad, axis=0)).astype(int) + 1
        patch = bgr[low[1] : high[1], low[0] : high[0]]
        if patch.size == 0:
            crop[:] = 0
            continue
        local = quad - low
        times = (
            np.sqrt(max(cv2.contourArea(quad.astype(np.float32)), 1.0)) * (1 + 2 * MARGIN) / SIDE
        )
        if times > 1.5:
            size = max(1, round(patch.shape[1] / times)), max(1, round(patch.shape[0] / times))
            small = cv2.resize(patch, size, interpolation=cv2.INTER_AREA)
            grown = np.array([patch.shape[1] / small.shape[1], patch.shape[0] / small.shape[0]])
            local, patch = (local + 0.5) / grown - 0.5, small
        cv2.warpPerspective(
            patch,
            crop_map(local),
            (SIDE, SIDE),
            dst=crop,
            flags=cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_REPLICATE,
        )
    return crops


def read_crops(crops: Pixels, predict: Predict) -> tuple[Floats, Floats]:
    """Return plain scores (n, READER_KINDS) and (n, 12 colours) of BGR crops."""
    if not len(crops):
        return np.zeros((0, READER_KINDS)), np.zeros((0, len(COLOURS)))
    rgb = np.ascontiguousarray(crops[..., ::-1].transpose(0, 3, 1, 2))
    scores = predict(rgb.astype(np.float32) / np.float32(255)).astype(np.float64)
    return scores[:, :READER_KINDS], scores[:, READER_KINDS:]
