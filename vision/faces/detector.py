"""Detect the faces of dice and dominoes that point up, each with its corners and possible values.

In: a colour picture and a network. Out: `Detections`. The network's output map has a cell for each
4 x 4 px, and these channels: 0 logit of a middle · 1-2 step to the exact middle · 3 log of the
reach in cells · 4-5 S · 6-7 P · 8-14 logits of the values 0 to 6 · 15 logit of "half of a domino"
· 16-17 step to its other half, learned but not used: the pair classifier is better at that. Steps
are in reaches.

S and P encode the shape of a face. With u and v its half diagonals as complex numbers and
reach² = (|u|² + |v|²) / 2 they are S = (u² + v²) / reach² and P = u² v² / reach⁴. Both stay the
same for ±u, ±v and for u and v exchanged, so every face has exactly one encoding whichever corner
comes first; u² and v² are the roots of z² - S z + P in units of reach². By the definition of reach,
|u²| + |v²| = 2 reach², so the size of P follows from S and the direction of P. Without perspective
S is the same for all squares in one plane, however they are turned in it: its size is
2 (1 - c²) / (1 + c²), c the cosine of the angle between the plane's normal and the line of sight.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import reduce

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import Complexes, Floats, ios_of, outlined, sides_of
from vision.models import Detector, Tensor
from vision.photo import Pixels, halved

STRIDE = 4  # px of the picture per cell of the map
CHANNELS = 18
MULTIPLE = 32  # px; the sides of the network's input are multiples of it
SAME = 0.35  # shared area over the smaller one above which two quads are one face
SAME_PLACE = 0.35  # largest distance of the middles of one face in two views, in sides
ALIKE = 0.35  # difference of log sizes; of two places farther apart one is only part of a face
KNOWN = (9.0, 130.0)  # px, sides of faces that the network was trained on
MOSTLY = 0.5  # share of a face that must be on the picture; with less its pips cannot be counted
FLATTEST = 1.98  # |S| of a face 14 times as long as wide; seen edge-on it is 2
BESIDE = 0.4  # reaches; a cell next to a peak with its middle farther off belongs to another face
RIVAL = 0.3  # probability from which a place is kept although it overlaps a likelier one
REACHES = (-3, 6)  # log of a face's reach in cells
MOST_PEAKS = 300  # of one view
FEWEST = 0.15  # probability of a middle below which a peak is ignored


@dataclass(frozen=True, slots=True, eq=False)
class Detections:
    """The n faces on a picture, most probable first; px of that picture."""

    quads: Floats  # (n, 4, 2) corners, clockwise
    probs: Floats  # (n,) probability of a face
    values: Floats  # (n, 7) probabilities of the values, besides those of the classifier
    agreed: Floats  # (n,) mean probability of a face over all views of the picture
    half: Floats  # (n,) probability of half a domino

    def __len__(self) -> int:
        return len(self.probs)

    def also(self, other: Detections) -> Detections:
        """Return these faces followed by the other ones."""
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
        """Return (n,) px, the sides of squares with the areas of the faces."""
        return sides_of(self.quads)

    def take(self, index: NDArray[np.intp]) -> Detections:
        """Return the faces with these indices, in their order; itself if these are all."""
        if np.array_equal(index, np.arange(len(self))):
            return self
        return Detections(*(getattr(self, name)[index] for name in Detections.__slots__))


def softmax(outputs: NDArray[np.floating]) -> Floats:
    """Return probabilities from logits along the last axis."""
    grown = np.exp(outputs - outputs.max(axis=-1, keepdims=True))
    return np.asarray(grown / grown.sum(axis=-1, keepdims=True), np.float64)


def sigmoid(outputs: NDArray[np.floating]) -> Floats:
    """Return 1 / (1 + exp(-logits)) without overflow."""
    return np.asarray(0.5 * (1 + np.tanh(0.5 * outputs.astype(np.float64))), np.float64)


def describe_quads(quads: Floats) -> tuple[Floats, Complexes, Complexes]:
    """Return the encoding of (..., 4, 2) corners: reach in px, S and P, each of shape (...)."""
    z = np.asarray(quads[..., 0] + 1j * quads[..., 1], np.complex128)
    u2, v2 = ((z[..., 2] - z[..., 0]) / 2) ** 2, ((z[..., 3] - z[..., 1]) / 2) ** 2
    reach2 = (np.abs(u2) + np.abs(v2)) / 2
    return np.sqrt(reach2), (u2 + v2) / reach2, u2 * v2 / reach2**2


def corners_of(reach: Floats, s: Complexes, p: Complexes) -> Floats:
    """Return (n, 4, 2) corners around 0, clockwise; the inverse of `describe_quads`.

    Only the direction of P is used. It turns four times as fast as the face, so a network that is
    undecided between two directions outputs their mean, which is too small.
    """
    s, p = _possible(s, p)
    root = np.sqrt(s * s / 4 - p)
    u = np.sqrt(s / 2 + root) * reach
    v = np.sqrt(s / 2 - root) * reach
    # With y down, u followed by v is clockwise if their cross product is positive.
    v = np.where((u.conj() * v).imag < 0, -v, v)
    z = np.stack([u, v, -u, -v], axis=1)
    return np.stack([z.real, z.imag], axis=2)


def _possible(s: Complexes, p: Complexes) -> tuple[Complexes, Complexes]:
    """Return the nearest S that a face can have, and P scaled so that the roots' sizes sum to 2.

    With a = |S|² and the roots' squared sizes summing to (a + |S² - 4P|) / 2, the square of the sum
    of sizes is (a + |S² - 4P|) / 2 + 2|P| = 4. Solved for |P|: (8 - 2a) / (8 - a - Re(S̄² P/|P|)).
    """
    s = s * np.minimum(1, FLATTEST / np.maximum(np.abs(s), FLATTEST))
    a, turn = np.abs(s) ** 2, np.exp(1j * np.angle(p))
    return s, turn * (8 - 2 * a) / (8 - a - (np.conj(s * s) * turn).real)


def find_peaks(heat: NDArray[np.floating], fewest: float) -> tuple[NDArray[np.intp], ...]:
    """Return rows and columns of local maxima above *fewest*, highest first."""
    heat = heat.astype(np.float32)  # like the dilation's result, else rounding hides half the peaks
    around = cv2.dilate(heat, np.ones((3, 3), np.uint8))
    rows, columns = np.nonzero((heat >= around) & (heat > fewest))
    order = np.argsort(-heat[rows, columns], kind="stable")
    return rows[order], columns[order]


def decode(outputs: Tensor, fewest: float = FEWEST) -> Detections:
    """Return the faces in an output map (CHANNELS, h/4, w/4); px of the network's input."""
    heat = sigmoid(outputs[0])
    rows, columns = (index[:MOST_PEAKS] for index in find_peaks(heat, fewest))
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
    return np.asarray(np.exp(np.clip(at[3], *REACHES)) * STRIDE, np.float64)


def _middles(
    outputs: Tensor, heat: Floats, rows: NDArray[np.intp], columns: NDArray[np.intp]
) -> Floats:
    """Return (n, 2) px, the middles by the peaks and the cells next to them.

    Which of two cells is the peak may be noise, so each is weighted by its probability squared. On
    160 drawn pictures of three kinds the error is 5 to 12 % smaller than by the peak alone, and a
    face no longer jumps when its picture is stored as another JPEG. Averaging the shapes as well
    makes them more exact, but faces were then distinguished from sides of dice less well.
    """
    last = np.array(heat.shape)[:, None] - 1
    beside = np.array([(0, 0), (0, 1), (1, 0), (0, -1), (-1, 0)])
    cells = np.clip(np.stack([rows, columns]) + beside[..., None], 0, last)  # (5, 2, n)
    y, x = cells[:, 0], cells[:, 1]
    at = outputs[:, y, x].astype(np.float64)  # (channels, 5, n)
    reach = _reach(at)
    middles = (np.stack([x, y]) + 0.5) * STRIDE - 0.5 + at[1:3] * reach  # (2, 5, n)
    away = np.hypot(*(middles - middles[:, :1]))
    weights = np.where(away < BESIDE * reach[0], heat[y, x] ** 2, 0.0)
    return np.asarray((middles * weights).sum(axis=1) / weights.sum(axis=0), np.float64).T


def nms(detections: Detections) -> Detections:
    """Suppress non-maxima: keep the most probable of overlapping faces, best first."""
    return detections.take(nms_indices(detections, detections.probs))


def nms_indices(detections: Detections, probs: Floats, same: float = SAME) -> NDArray[np.intp]:
    """Return the indices that non-maximum suppression keeps, by (n,) *probs*, best first.

    Faces overlap if they share more than *same* of the smaller area.
    """
    order = np.argsort(-probs, kind="stable")
    middles = detections.middles
    reach = np.linalg.norm(detections.quads - middles[:, None], axis=2).max(axis=1, initial=0)
    shapes = outlined(detections.quads)
    kept, is_open = [], np.ones(len(order), np.bool_)
    for i in order:
        if not is_open[i]:
            continue
        kept.append(int(i))
        is_open[i] = False
        away = np.hypot(*(middles - middles[i]).T) - reach
        for j in np.flatnonzero(is_open & (away < reach[i])):
            is_open[j] = ios_of(shapes[j], shapes[i]) <= same
    return np.array(kept, np.intp)


@dataclass(frozen=True, slots=True)
class View:
    """How a picture is given to the detector: px of its longer side, and whether mirrored.

    Pips look the same in a mirror, but what misleads the network rarely does so mirrored. So a
    mirrored view adds more than another scale alone.
    """

    longest: int
    mirrored: bool = False

    def scale_of(self, bgr: Pixels) -> float:
        """Return px of the view per px of the picture."""
        return self.longest / float(max(bgr.shape[:2]))


def fit_picture(bgr: Pixels, view: View) -> tuple[Tensor, float]:
    """Return the network's input, (1, 3, h, w) RGB in [0, 1], and its scale.

    The picture is scaled to the view and padded on the right and below to multiples of MULTIPLE.
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
    """Return the faces on one view of a picture, px of *bgr*; peaks below *fewest* are ignored."""
    blob, scale = fit_picture(bgr, view)
    detections = decode(detector(blob)[0], fewest)
    quads = detections.quads
    if view.mirrored:  # back, and clockwise again
        quads = quads[:, ::-1] * (-1, 1) + (round(bgr.shape[1] * scale) - 1, 0)
    moved = replace(detections, quads=(quads + 0.5) / scale - 0.5)
    return nms(moved.take(mostly_on(moved.quads, bgr.shape[1], bgr.shape[0])))


def mostly_on(quads: Floats, width: int, height: int) -> NDArray[np.intp]:
    """Return the indices of quads whose middle and most of whose area are on the picture."""
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
    """Merge the faces of several views of one picture: each face once, with a mean outline.

    They are followed by their rivals: places that overlap one of them but have another middle or
    size.

    Args:
        views: the faces found on each, px of the picture.
        scales: of the views. A view that shows a face larger or smaller than the network was
            trained on does not count against it.
    """
    both = reduce(Detections.also, views)
    kept = nms(both)
    kept = kept.also(nms(both.take(_elsewhere(both, kept))))
    away, unlike = _between(kept, both)
    near = away < SAME_PLACE
    by_view = np.split(near * both.probs, np.cumsum([len(v) for v in views])[:-1], axis=1)
    best = np.stack([probs.max(axis=1, initial=0) for probs in by_view], axis=1)
    sizes = kept.sizes[:, None] * scales
    counted = (best > 0) | ((sizes >= KNOWN[0]) & (sizes <= KNOWN[1]))
    agreed = best.sum(axis=1, where=counted) / counted.sum(axis=1)
    weights = np.where(near & (unlike < ALIKE), both.probs**2, 0)
    return replace(kept, quads=_mean_quads(both.quads, weights), agreed=agreed)


def _between(some: Detections, others: Detections) -> tuple[Floats, Floats]:
    """Return (n, m) distances in sides of the n places *some*, and differences of log size."""
    x, y = np.moveaxis(others.middles - some.middles[:, None], 2, 0)
    sizes = some.sizes[:, None]
    return np.sqrt(x * x + y * y) / sizes, np.abs(np.log(others.sizes) - np.log(sizes))


def _elsewhere(detections: Detections, kept: Detections) -> NDArray[np.intp]:
    """Return the likely places whose middle or size differs from all that were kept."""
    away, unlike = _between(kept, detections)
    other = ((away >= SAME_PLACE) | (unlike >= ALIKE)).all(axis=0)
    return np.flatnonzero(other & (detections.probs >= RIVAL))


def _mean_quads(quads: Floats, weights: Floats) -> Floats:
    """Return (k, 4, 2) means of (n, 4, 2) outlines in their encoding, by (k, n) weights."""
    mean, own = np.nonzero(weights)
    share = weights[mean, own] / weights.sum(axis=1)[mean]
    reach, s, p = describe_quads(quads)
    log_reach, s_x, s_y, p_x, p_y, *middles = (
        np.bincount(mean, share * numbers[own], len(weights))
        for numbers in (np.log(reach), s.real, s.imag, p.real, p.imag, *quads.mean(axis=1).T)
    )
    corners = corners_of(np.exp(log_reach), s_x + 1j * s_y, p_x + 1j * p_y)
    return np.asarray(np.stack(middles, axis=1)[:, None] + corners, np.float64)
