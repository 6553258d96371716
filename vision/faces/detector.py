"""Stage 1: find the faces that look up, each with its corners and what it may be.

In: a colour picture and a network. Out: `Detections`. Channels of the network's map, a cell for
each 4 x 4 px: 0 score of a middle · 1-2 step to the exact middle · 3 log of the reach in cells ·
4-5 S · 6-7 P · 8-14 logits of the values 0 to 6 · 15-17 learned beside them (half of a domino, and
the step to its other half) and not read: the pair classifier says it better. Steps are in reaches.

With u and v the half diagonals of a face as complex numbers and reach² = (|u|² + |v|²) / 2,
S = (u² + v²) / reach² and P = u² v² / reach⁴. Both are the same for ±u, ±v and for u and v
exchanged, so a face has one truth, and corners come back as roots of z² - S z + P. And seen from
afar S is the same for all squares in one plane, however they are turned in it: its size is
2 (1 - c²) / (1 + c²), c the cosine of the angle between the plane's normal and the line of sight.
By what reach is, |u²| + |v²| is 2 reach². So the size of P follows from S and the direction of P.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import reduce

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.decode import Pixels, halved
from vision.geometry import Floats, ios, sides_of
from vision.models import Detector, Tensor

Complexes = NDArray[np.complex128]

STRIDE = 4  # px of the picture a cell of the map
CHANNELS = 18
MULTIPLE = 32  # the network's picture has sides of so many px
SAME = 0.35  # shared area over the smaller one above which two quads are one face
SAME_PLACE = 0.35  # faces between the middles of a face in two views
ALIKE = 0.35  # of logarithms of sizes; of two places farther apart one is but a part of the face
KNOWN = (9.0, 130.0)  # px, side of a face the network has learned
MOSTLY = 0.5  # share of a face that has to be on the picture: of less the pips cannot be counted
FLATTEST = 1.98  # size of S: of a face 14 times as long as wide; seen edge on it is 2
BESIDE = 0.4  # reaches; a cell beside a peak that puts the middle farther off tells of another
RIVAL = 0.3  # probability of a place that another one lying on it does not put out of the question
FEWEST = 0.15  # probability of a middle below which a peak is not looked at


@dataclass(frozen=True, slots=True, eq=False)
class Detections:
    """Faces on one picture, best first; px of that picture."""

    quads: Floats  # (n, 4, 2), clockwise
    probs: Floats  # (n,) that there is a face
    values: Floats  # (n, 7) probabilities of the values, the detector's second opinion
    agreed: Floats  # (n,) the mean of its probability over the views of the picture
    half: Floats  # (n,) probability that it is half of a domino

    def __len__(self) -> int:
        return len(self.probs)

    def also(self, other: Detections) -> Detections:
        """Return these faces and, after them, the other ones."""
        names = self.__slots__
        return Detections(
            *(np.concatenate([getattr(f, name) for f in (self, other)]) for name in names)
        )

    @property
    def middles(self) -> Floats:
        """Return (n, 2) px, the mean corners."""
        return np.asarray(self.quads.mean(axis=1), np.float64)

    @property
    def sizes(self) -> Floats:
        """Return (n,) px, the sides of squares of the same areas."""
        return sides_of(self.quads)

    def take(self, index: NDArray[np.intp]) -> Detections:
        """Return the faces of these indices, in their order."""
        return Detections(*(getattr(self, name)[index] for name in Detections.__slots__))


def softmax(outputs: NDArray[np.floating]) -> Floats:
    """Return the shares along the last axis."""
    grown = np.exp(outputs - outputs.max(axis=-1, keepdims=True))
    return np.asarray(grown / grown.sum(axis=-1, keepdims=True), np.float64)


def sigmoid(outputs: NDArray[np.floating]) -> Floats:
    """Return 1 / (1 + exp(-logits)) without overflow."""
    return np.asarray(0.5 * (1 + np.tanh(0.5 * outputs.astype(np.float64))), np.float64)


def describe_quads(quads: Floats) -> tuple[Floats, Complexes, Complexes]:
    """Return reach in px, S and P of (..., 4, 2) corners in turn, each of shape (...)."""
    z = np.asarray(quads[..., 0] + 1j * quads[..., 1], np.complex128)
    u2, v2 = ((z[..., 2] - z[..., 0]) / 2) ** 2, ((z[..., 3] - z[..., 1]) / 2) ** 2
    reach2 = (np.abs(u2) + np.abs(v2)) / 2
    return np.sqrt(reach2), (u2 + v2) / reach2, u2 * v2 / reach2**2


def corners_of(reach: Floats, s: Complexes, p: Complexes) -> Floats:
    """Return (n, 4, 2) corners around 0, clockwise; the inverse of `describe_quads`.

    Of P only the direction is believed. It turns four times as fast as the face, and a network that
    wavers between two turns says their mean, which is smaller: so would be the face.
    """
    s, p = _possible(s, p)
    root = np.sqrt(s * s / 4 - p)
    u = np.sqrt(s / 2 + root) * reach
    v = np.sqrt(s / 2 - root) * reach
    # With y down, u then v is clockwise where their cross product is positive.
    v = np.where((u.conj() * v).imag < 0, -v, v)
    z = np.stack([u, v, -u, -v], axis=1)
    return np.stack([z.real, z.imag], axis=2)


def _possible(s: Complexes, p: Complexes) -> tuple[Complexes, Complexes]:
    """Return an S that a face can have, and P of the size for which the sizes of roots sum to 2.

    With a = |S|² and the roots' squared sizes summing to (a + |S² - 4P|) / 2, the square of the sum
    of sizes is (a + |S² - 4P|) / 2 + 2|P| = 4. Solved for |P|: (8 - 2a) / (8 - a - Re(S̄² P/|P|)).
    """
    s = s * np.minimum(1, FLATTEST / np.maximum(np.abs(s), FLATTEST))
    a, turn = np.abs(s) ** 2, np.exp(1j * np.angle(p))
    return s, turn * (8 - 2 * a) / (8 - a - (np.conj(s * s) * turn).real)


def find_peaks(heat: NDArray[np.floating], fewest: float) -> tuple[NDArray[np.intp], ...]:
    """Return rows and columns of cells that are as high as all around, best first."""
    heat = heat.astype(np.float32)  # as the dilation gives it, else rounding hides half the peaks
    around = cv2.dilate(heat, np.ones((3, 3), np.uint8))
    rows, columns = np.nonzero((heat >= around) & (heat > fewest))
    order = np.argsort(-heat[rows, columns], kind="stable")
    return rows[order], columns[order]


def decode(outputs: Tensor, fewest: float = FEWEST, most: int = 300) -> Detections:
    """Return the faces that a map (CHANNELS, h/4, w/4) tells of; px of its picture."""
    heat = sigmoid(outputs[0])
    rows, columns = (index[:most] for index in find_peaks(heat, fewest))
    at = outputs[:, rows, columns].astype(np.float64)  # (channels, n)
    corners = corners_of(_reach(at), at[4] + 1j * at[5], at[6] + 1j * at[7])
    return Detections(
        quads=_middles(outputs, heat, rows, columns)[:, None] + corners,
        probs=heat[rows, columns],
        values=softmax(at[8:15].T) if len(rows) else np.zeros((0, 7)),
        agreed=heat[rows, columns],
        half=sigmoid(at[15]),
    )


def _reach(at: Floats) -> Floats:
    """Return px, from (channels, ...) logits."""
    return np.asarray(np.exp(np.clip(at[3], -3, 6)) * STRIDE, np.float64)


def _middles(
    outputs: Tensor, heat: Floats, rows: NDArray[np.intp], columns: NDArray[np.intp]
) -> Floats:
    """Return (n, 2) px, where peaks and the cells beside them say that the middle is.

    Which of two cells is the peak may be noise, so each counts by its probability squared. On 160
    drawn pictures of three kinds middles lie 5 to 12 % nearer to the truth than by the peak alone,
    and a face no longer jumps when its picture is stored as another JPEG. The mean of their shapes
    is nearer to the truth too, but what is a face and what its side was then told less surely.
    """
    last = np.array(heat.shape)[:, None] - 1
    beside = np.array([(0, 0), (0, 1), (1, 0), (0, -1), (-1, 0)])
    cells = np.clip(np.stack([rows, columns]) + beside[..., None], 0, last)  # (5, 2, n)
    y, x = cells[:, 0], cells[:, 1]
    at = outputs[:, y, x].astype(np.float64)  # (channels, 5, n)
    reach = _reach(at)
    told = (np.stack([x, y]) + 0.5) * STRIDE - 0.5 + at[1:3] * reach  # (2, 5, n)
    away = np.hypot(*(told - told[:, :1]))
    weights = np.where(away < BESIDE * reach[0], heat[y, x] ** 2, 0.0)
    return np.asarray((told * weights).sum(axis=1) / weights.sum(axis=0), np.float64).T


def nms(detections: Detections, same: float = SAME) -> Detections:
    """Keep the likeliest of the faces that lie on each other, best first."""
    return detections.take(nms_indices(detections, detections.probs, same))


def nms_indices(detections: Detections, probs: Floats, same: float = SAME) -> NDArray[np.intp]:
    """Return which faces are likelier, by (n,) *probability*, than all that lie on them, best
    first.
    """
    order = np.argsort(-probs, kind="stable")
    middles = detections.middles
    reach = np.linalg.norm(detections.quads - middles[:, None], axis=2).max(axis=1, initial=0)
    kept: list[int] = []
    for i in order:
        away = np.hypot(*(middles[kept] - middles[i]).T) - reach[kept]
        near = (kept[k] for k in np.flatnonzero(away < reach[i]))
        if not any(ios(detections.quads[i], detections.quads[j]) > same for j in near):
            kept.append(int(i))
    return np.array(kept, np.intp)


@dataclass(frozen=True, slots=True)
class View:
    """How a picture is looked at: how many px its longer side has, and whether in a mirror.

    Pips do not change in a mirror, but what misleads a network on one side of it hardly does on
    the other, so a mirrored view says more than a second look at the same px.
    """

    longest: int
    mirrored: bool = False

    def scale_of(self, bgr: Pixels) -> float:
        """Return how many px of the view one px of the picture becomes."""
        return self.longest / float(max(bgr.shape[:2]))


def fit_picture(bgr: Pixels, view: View) -> tuple[Tensor, float]:
    """Return (1, 3, h, w) RGB in [0, 1] with sides of whole MULTIPLEs, and its scale.

    The picture is shrunk or grown to the view and filled up on the right and below.
    """
    height, width = bgr.shape[:2]
    scale = view.scale_of(bgr)
    size = max(1, round(width * scale)), max(1, round(height * scale))
    for _ in range(int(-np.log2(scale))):  # then pixels are only blended
        bgr = halved(bgr)
    small = cv2.resize(bgr, size, interpolation=cv2.INTER_LINEAR)
    if view.mirrored:
        small = cv2.flip(small, 1)
    right, below = (-size[0] % MULTIPLE), (-size[1] % MULTIPLE)
    full = cv2.copyMakeBorder(small, 0, below, 0, right, cv2.BORDER_REPLICATE)
    blob = cv2.dnn.blobFromImage(full, 1 / 255, swapRB=True)
    return np.asarray(blob, np.float32), scale


def detect_faces(bgr: Pixels, detector: Detector, view: View, fewest: float = FEWEST) -> Detections:
    """Return the faces on a picture looked at once; px of *bgr*."""
    blob, scale = fit_picture(bgr, view)
    detections = decode(detector(blob)[0], fewest)
    quads = detections.quads
    if view.mirrored:  # back, and clockwise again
        quads = quads[:, ::-1] * (-1, 1) + (round(bgr.shape[1] * scale) - 1, 0)
    moved = replace(detections, quads=(quads + 0.5) / scale - 0.5)
    return nms(moved.take(mostly_on(moved.quads, bgr.shape[1], bgr.shape[0])))


def mostly_on(quads: Floats, width: int, height: int) -> NDArray[np.intp]:
    """Return which quads have their middle and most of their area on the picture."""
    size = np.array([width, height])
    edge = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32)
    middles = quads.mean(axis=1)
    whole = ((quads >= 0) & (quads <= size)).all(axis=(1, 2))
    inside = ((middles >= 0) & (middles < size)).all(axis=1)
    for i in np.flatnonzero(inside & ~whole):
        quad = quads[i].astype(np.float32)
        on, _ = cv2.intersectConvexConvex(quad, edge)
        inside[i] = on > MOSTLY * cv2.contourArea(quad)
    return np.flatnonzero(inside)


def fuse_views(views: list[Detections], scales: list[float]) -> Detections:
    """Return the faces of several views of one picture, each face once, as they mostly say it lies.

    After them come their rivals: places that lie on one of them, and elsewhere than it.

    Args:
        views: what was found on each, px of the picture.
        scales: of the views. One that shows a face larger or smaller than the network has learned
            does not speak against it.
    """
    both = reduce(Detections.also, views)
    view = np.repeat(np.arange(len(views)), [len(v) for v in views])
    kept = nms(both)
    kept = kept.also(nms(both.take(_elsewhere(both, kept))))
    agreed, quads, sizes = np.zeros(len(kept)), kept.quads.copy(), both.sizes
    for k, (middle, size) in enumerate(zip(kept.middles, kept.sizes, strict=True)):
        near = np.hypot(*(both.middles - middle).T) < SAME_PLACE * size
        best = np.zeros(len(views))
        np.maximum.at(best, view[near], both.probs[near])
        known = [KNOWN[0] <= size * scale <= KNOWN[1] for scale in scales]
        agreed[k] = best[(best > 0) | known].mean()
        alike = near & (np.abs(np.log(sizes / size)) < ALIKE)
        quads[k] = _mean_quad(both.quads[alike], both.probs[alike] ** 2)
    return replace(kept, quads=quads, agreed=agreed)


def _elsewhere(detections: Detections, kept: Detections) -> NDArray[np.intp]:
    """Return which likely places have their middle or size elsewhere than all that were kept."""
    away = np.linalg.norm(detections.middles[:, None] - kept.middles, axis=2) / kept.sizes
    unlike = np.abs(np.log(detections.sizes[:, None] / kept.sizes))
    other = ((away >= SAME_PLACE) | (unlike >= ALIKE)).all(axis=1)
    return np.flatnonzero(other & (detections.probs >= RIVAL))


def _mean_quad(quads: Floats, weights: Floats) -> Floats:
    """Return (4, 2) corners of the face that (n, 4, 2) show, the mean of how they describe it."""
    share = weights / weights.sum()
    reach, s, p = describe_quads(quads)
    mean = (np.exp(share @ np.log(reach)), share @ s, share @ p)
    corners = corners_of(*(np.array([number]) for number in mean))[0]
    return np.asarray(share @ quads.mean(axis=1) + corners, np.float64)
