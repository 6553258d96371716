"""What changed from frame to frame, and what lies before the surface: a frame to `Evidence`.

Frames are compared shrunk, as grey, in the exposure of the one before and after the sway of the
surface is taken out. It costs some milliseconds, so every frame can be looked at.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.decode import Grey, Pixels, halved
from vision.geometry import Point, Quad
from vision.watch.evidence import STILL, Evidence, Sway
from vision.watch.strange import strange_places
from vision.watch.sway import SwayEstimator

LONGEST = 400  # px of a shrunk frame
HALVED = 800  # px of a frame that is large enough to be shrunk in one step
BLOCK = 8  # px of it
APART_S = 0.03  # between two frames that are compared: a rolling die then moves by a px at least
PAST_S = 0.2  # frames are kept so long
# Grey levels from which a px has changed: noise of good light, times the noise measured, and a
# misfit of so many px where the picture has edges.
LEAST, NOISES, MISFIT = 9.0, 6.0, 0.4
BORDER = 6  # px of a frame, not known once it is moved
# A camera that repeats a frame soon sends another; what stays exactly the same for longer is a
# picture without noise, as encoders make of a table that lies still.
REPEATED_S = 0.3
FEW = 5  # px of a block that must have changed
GAIN = (0.5, 2.0)  # between two frames; what differs more is another picture
UNLIKE, EDGE_MISFIT = 16.0, 1.2  # the same, for a px that is no bare surface
WHITE, CLIPPED = 240.0, 45.0  # a surface that is overexposed may be so much brighter
LEARNT_S = 1.0  # what has not moved for so long is part of the surface,
AT_EDGE_S = 1.5  # and what reaches in from the edge after so long: arms do not keep still
SMALLEST = 0.004  # of the frame, an arm
SHARP, OUTLINED = 5.0, 0.35  # grey levels a px, and the share of an outline that is so sharp
# Where a hand that was there at first has gone, its outline is so many times sharper on the surface
# as it was known than on the frame, and nothing has moved for so long on most of it.
GHOST, GHOST_S, MOST = 2.0, 0.15, 0.8
BARE = 0.2  # share of a place that may look otherwise though nothing lies there: a shadow's edge
NEW_VIEW = 0.7  # share of the frame that is foreign once the camera was turned elsewhere

Greys = NDArray[np.float32]
Bools = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class _Past:
    time_s: float
    grey: Grey
    smooth: Greys
    sway: Sway


class MotionDetector:
    """Turns the frames of one source, in order, into `Evidence` without a reading."""

    def __init__(self) -> None:
        self.past: deque[_Past] = deque()
        self.swaying = SwayEstimator()
        self.surface: Greys | None = None
        self.still_s: Greys | None = None
        self.now: Greys | None = None  # the last frame, where the first one had the surface
        self.scale = 1.0
        self.last_raw: Grey | None = None
        self.strange: tuple[Quad, ...] = ()

    def update(
        self, bgr: Pixels, number: int, time_s: float, pieces: tuple[Quad, ...] = ()
    ) -> Evidence:
        """Compare a frame with those before.

        Args:
            bgr: (h, w, 3) the frame.
            number: of the frame.
            time_s: when it was taken, on any clock that does not go back.
            pieces: where pieces were last read, px of the frame: they are not foreign.
        """
        whole = bgr.shape[1], bgr.shape[0]
        scale = max(1.0, max(bgr.shape[:2]) / LONGEST)
        size = round(bgr.shape[1] / scale), round(bgr.shape[0] / scale)
        small = cv2.resize(_shrunk(bgr), size, interpolation=cv2.INTER_AREA) if scale > 1 else bgr
        grey = np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), np.uint8)
        since_s = time_s - self.past[-1].time_s if self.past else 0.0
        same = self.last_raw is not None and np.array_equal(grey, self.last_raw)
        if same and since_s < REPEATED_S:
            sway = _scaled(self.swaying.sway, scale)
            return Evidence(number, time_s, repeat=True, sway=sway, block=BLOCK * scale, size=whole)
        self.last_raw, self.scale = grey, scale
        sway = self.swaying.update(grey)
        smooth = np.asarray(cv2.GaussianBlur(grey, (0, 0), 1.2), np.float32)
        now = _Past(time_s, grey, smooth, sway)
        changed = self._changed(now)
        hand = self._hand(now, changed, [quad.array / scale for quad in pieces])
        self.past.append(now)
        while len(self.past) > 2 and time_s - self.past[0].time_s > PAST_S:
            self.past.popleft()
        return Evidence(
            number, time_s, sway=_scaled(sway, scale), block=BLOCK * scale,
            moving=_blocks(changed, scale), hand=_blocks(hand, scale), size=whole,
            strange=tuple(Quad.around(quad.array * scale) for quad in self.strange),
        )  # fmt: skip

    def shows(self, surface: Greys | None, corners: Sequence[complex]) -> bool:
        """Say whether a place looks as it does on a *surface* that this detector had before.

        What lay there is then gone, and not only hidden.

        Args:
            surface: (h, w) as `surface` was.
            corners: of the place, px of the first frame.
        """
        if surface is None or self.now is None or surface.shape != self.now.shape:
            return False
        quad = np.array([(z.real, z.imag) for z in corners]) / self.scale
        inside = _mask([quad], surface.shape, 1.0)
        if not inside.any():
            return False
        return float(np.mean(np.abs(self.now - surface)[inside] > UNLIKE)) < BARE

    def _changed(self, now: _Past) -> Bools:
        """Return (h, w): what is not as it was a few hundredths of a second ago."""
        before = next(
            (past for past in reversed(self.past) if now.time_s - past.time_s >= APART_S),
            self.past[0] if self.past else None,
        )
        if before is None or before.grey.shape != now.grey.shape:
            return np.zeros(now.grey.shape, np.bool_)
        other, seen = _moved(before.smooth, before.sway.then(now.sway.inverse()))
        difference = np.abs(now.smooth * _gain(other, now.smooth) - other)
        noise = float(np.median(difference[::3, ::3]))
        changed = difference > max(LEAST, NOISES * noise) + MISFIT * _slope(other)
        return np.asarray(changed & seen, np.bool_)

    def _hand(self, now: _Past, changed: Bools, pieces: list[NDArray[np.float64]]) -> Bools:
        """Return (h, w): what reaches in from the edge, before the surface as it is known.

        The surface is learnt from what does not move and is no piece.
        """
        self.strange = ()
        if self.surface is None or self.surface.shape != now.grey.shape or self.still_s is None:
            self.surface, self.still_s = now.smooth.copy(), np.zeros(now.grey.shape, np.float32)
            return np.zeros(now.grey.shape, np.bool_)
        bare, seen = _moved(self.surface, now.sway.inverse())
        adapted = now.smooth * _gain(bare, now.smooth)
        limit = UNLIKE + EDGE_MISFIT * _slope(bare) + np.where(bare > WHITE, CLIPPED, 0)
        difference = np.abs(adapted - bare)
        unlike = difference > limit
        covered = _mask(pieces, now.grey.shape, 1.8)
        foreign = np.asarray(unlike & seen & ~covered, np.uint8)
        foreign = np.asarray(cv2.morphologyEx(foreign, cv2.MORPH_OPEN, np.ones((3, 3))), np.uint8)
        reaching = _from_edge(foreign, _slope(np.asarray(difference, np.float32)) > SHARP)
        slopes = _slope(bare), _slope(now.smooth)
        ghost = _uncovered(reaching, *slopes, self.still_s > GHOST_S)
        hand = reaching & ~ghost
        self.strange = strange_places(foreign * ~reaching, slopes[1], slopes[0])
        self._learn(now, adapted, changed, covered, hand, ghost)
        if foreign.mean() > NEW_VIEW:
            self.surface = None
        return hand

    def _learn(
        self,
        now: _Past,
        adapted: Greys,
        changed: Bools,
        covered: Bools,
        hand: Bools,
        ghost: Bools,
    ) -> None:
        assert self.surface is not None
        assert self.still_s is not None
        passed = now.time_s - self.past[-1].time_s if self.past else 0.0
        near = cv2.dilate(changed.astype(np.uint8), np.ones((5, 5))).astype(np.bool_)
        still_s = np.where(near, np.float32(0), self.still_s + np.float32(passed))
        self.still_s = np.asarray(still_s, np.float32)
        if now.sway != STILL:  # kept where the first frame had it
            adapted, seen = _moved(np.asarray(adapted, np.float32), now.sway)
        else:
            seen = np.ones(covered.shape, np.bool_)
        self.now = np.asarray(adapted, np.float32)
        take = seen & ~covered & (self.still_s > np.where(hand, AT_EDGE_S, LEARNT_S))
        share = np.float32(min(1.0, 4 * passed))
        self.surface[take] += share * (adapted - self.surface)[take]
        self.surface[seen & ghost] = adapted[seen & ghost]


def _shrunk(bgr: Pixels) -> Pixels:
    """Return a large frame half as large as often as that is much quicker than any other share."""
    while max(bgr.shape[:2]) > 2 * HALVED and not any(side % 2 for side in bgr.shape[:2]):
        bgr = halved(bgr)
    return bgr


def _scaled(sway: Sway, scale: float) -> Sway:
    return Sway(sway.turn, sway.shift * scale, sway.skew)


def _moved(picture: Greys, sway: Sway) -> tuple[Greys, Bools]:
    """Return a picture (h, w) as it is after a sway, and where it is known."""
    there = np.ones(picture.shape, np.bool_)
    if max(abs(sway.turn - 1), abs(sway.skew)) < 1e-4 and abs(sway.shift) < 0.1:
        return picture, there
    size = picture.shape[1], picture.shape[0]
    moved = cv2.warpAffine(picture, sway.matrix, size, borderMode=cv2.BORDER_REPLICATE)
    inside = np.zeros(picture.shape, np.uint8)
    inside[BORDER:-BORDER, BORDER:-BORDER] = 1
    seen = cv2.warpAffine(inside, sway.matrix, size, flags=cv2.INTER_NEAREST)
    return np.asarray(moved, np.float32), np.asarray(seen, np.bool_)


def _gain(wanted: Greys, given: Greys) -> np.float32:
    """Return what to multiply *given* by to have the exposure of *wanted*."""
    a, b = wanted[::4, ::4], given[::4, ::4]
    plain = (a > 20) & (b > 20) & (a < 235) & (b < 235)
    if plain.sum() < 50:
        return np.float32(1)
    return np.float32(np.clip(np.median(a[plain] / b[plain]), *GAIN))


def _slope(picture: Greys) -> Greys:
    """Return grey levels a px, (h, w)."""
    x = cv2.Sobel(picture, cv2.CV_32F, 1, 0, scale=0.125)
    y = cv2.Sobel(picture, cv2.CV_32F, 0, 1, scale=0.125)
    return np.asarray(cv2.magnitude(x, y), np.float32)


def _mask(quads: list[NDArray[np.float64]], shape: tuple[int, ...], grow: float) -> Bools:
    mask = np.zeros(shape, np.uint8)
    for quad in quads:
        middle = quad.mean(axis=0)
        grown = middle + grow * (quad - middle)
        cv2.fillConvexPoly(mask, np.round(grown).astype(np.int32), 1)
    return mask.astype(np.bool_)


def _from_edge(foreign: Grey, sharp: Bools) -> Bools:
    """Return the parts that touch the edge of the frame and have an outline, (h, w).

    A hand ends where it ends; shadows, and light that falls otherwise, fade away.
    """
    count, labels, told, _ = cv2.connectedComponentsWithStats(foreign, connectivity=8)
    if count < 2:
        return np.zeros(foreign.shape, np.bool_)
    x, y, w, h, area = np.asarray(told, np.int64).T
    height, width = foreign.shape
    at_edge = (x <= 1) | (y <= 1) | (x + w >= width - 1) | (y + h >= height - 1)
    rim = (foreign > 0) & (cv2.erode(foreign, np.ones((5, 5))) == 0)
    lengths = np.bincount(labels[rim], minlength=count)
    outlined = np.bincount(labels[rim & sharp], minlength=count) > OUTLINED * lengths
    arm = at_edge & outlined & (area >= SMALLEST * width * height)
    arm[0] = False
    return np.asarray(arm[labels], np.bool_)


def _uncovered(reaching: Bools, bare: Greys, now: Greys, still: Bools) -> Bools:
    """Return the parts of which the surface has the outline and the frame has not, (h, w).

    Args:
        reaching: (h, w) what differs from the surface and touches the frame's edge.
        bare: (h, w) slope of the surface.
        now: (h, w) slope of the frame.
        still: (h, w) where nothing moves.
    """
    ghost = np.zeros(reaching.shape, np.bool_)
    if not reaching.any():
        return ghost
    count, labels = cv2.connectedComponents(reaching.astype(np.uint8), connectivity=8)
    inner = cv2.erode(reaching.astype(np.uint8), np.ones((5, 5)), borderValue=1) > 0
    for part in range(1, count):
        inside = labels == part
        rim = inside & ~inner
        if inside[still].sum() < MOST * inside.sum() or not rim.any():
            continue
        ghost |= inside & bool(bare[rim].mean() > GHOST * now[rim].mean())
    return ghost


def _blocks(mask: Bools, scale: float) -> tuple[Point, ...]:
    """Return the middles of the blocks with at least FEW px of the mask, px of the frame."""
    if not mask.any():
        return ()
    h, w = (-(-side // BLOCK) for side in mask.shape)
    padded = np.zeros((h * BLOCK, w * BLOCK), np.uint8)
    padded[: mask.shape[0], : mask.shape[1]] = mask
    counts = padded.reshape(h, BLOCK, w, BLOCK).sum(axis=(1, 3), dtype=np.int64)
    rows, columns = np.nonzero(counts >= FEW)
    return tuple(
        ((column + 0.5) * BLOCK * scale, (row + 0.5) * BLOCK * scale)
        for row, column in zip(rows.tolist(), columns.tolist(), strict=True)
    )
