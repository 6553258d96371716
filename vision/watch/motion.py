"""Detect what changes from frame to frame, and hands in front of the surface.

In: frames. Out: `Evidence` for each. Frames are compared at reduced size, in grey, with equalized
exposure and with the sway of the surface removed. That takes some milliseconds, so it is done for
every frame.
"""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import Bools
from vision.photo import Grey, Pixels, halved
from vision.quad import Point, Quad
from vision.watch.evidence import STILL, Evidence, Sway
from vision.watch.sway import SwayEstimator

LONGEST = 400  # px, longer side of a shrunk frame
HALVED = 800  # px, longer side up to which a frame is shrunk in one step
BLOCK = 8  # px of a shrunk frame
APART_S = 0.03  # least time between compared frames: a rolling die moves by a px at least
PAST_S = 0.2  # time for which frames are kept
# A px has changed by more than LEAST grey levels, NOISES times the measured noise, and what a shift
# of MISFIT px would cause at an edge.
LEAST, NOISES, MISFIT = 9.0, 6.0, 0.4
BORDER = 6  # px of a frame that are unknown after it was warped
# Time up to which an identical frame is a repeat by the camera. A picture that stays identical for
# longer is without noise, as some encoders make it of a still scene.
REPEATED_S = 0.3
FEW = 5  # px of a block that must have changed
GAIN = (0.5, 2.0)  # range of the ratio of exposure between two frames
UNLIKE, EDGE_MISFIT = 16.0, 1.2  # grey levels and px of misfit from which a px is not bare surface
WHITE, CLIPPED = 240.0, 45.0  # grey level of an overexposed surface, and its additional tolerance
LEARNT_S = 1.0  # s without motion, after which a px is learnt as surface
AT_EDGE_S = 1.5  # the same for what reaches in from the edge: arms do not keep still
SMALLEST = 0.004  # smallest arm, as a share of the frame
SHARP, OUTLINED = 5.0, 0.35  # grey levels per px, and the share of an outline that is so sharp
# A hand that was learnt as surface has gone if its outline is GHOST times sharper on the surface
# than on the frame, and if most of its place (MOST) has been still for GHOST_S.
GHOST, GHOST_S, MOST = 2.0, 0.15, 0.8
BARE = 0.2  # share of a bare place that may look different, because of the edge of a shadow
NEW_VIEW = 0.7  # share of the frame that is foreign if the camera was turned elsewhere
SMALLEST_DIE, LARGEST_DIE = 0.01, 0.1  # sides of a die, of the frame's longer side
LONG, FULL = 2.0, 0.45  # largest aspect ratio of a die, and least share of its bounding box
SHARP_OBJECT = 4.0  # grey levels per px; shadows have softer edges than objects out of focus
NEW = 1.5  # factor by which its outline must be sharper than the surface's; else it was removed

GreyLevels = NDArray[np.float32]  # (h, w), smoothed, with fractions


@dataclass(frozen=True, slots=True, eq=False)
class _KeptFrame:
    """A shrunk frame."""

    time_s: float
    grey: Grey
    smooth: GreyLevels
    sway: Sway


class MotionDetector:
    """Turns the frames of one source, in order, into `Evidence` without readings."""

    def __init__(self) -> None:
        self.past: deque[_KeptFrame] = deque()
        self.swaying = SwayEstimator()
        self.surface: GreyLevels | None = None
        self.still_s: GreyLevels | None = None
        self.last_frame: GreyLevels | None = None  # warped to the view of the first frame
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
            time_s: when it was taken, by any monotonic clock.
            pieces: where pieces were last read, px of the frame; these places are not foreign.
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
        frame = _KeptFrame(time_s, grey, smooth, sway)
        changed = self._changed(frame)
        hand = self._hand(frame, changed, [quad.array / scale for quad in pieces])
        self.past.append(frame)
        while len(self.past) > 2 and time_s - self.past[0].time_s > PAST_S:
            self.past.popleft()
        return Evidence(
            number, time_s, sway=_scaled(sway, scale), block=BLOCK * scale,
            moving=_blocks(changed, scale), hand=_blocks(hand, scale), size=whole,
            strange=tuple(Quad.around(quad.array * scale) for quad in self.strange),
        )  # fmt: skip

    def shows(self, surface: GreyLevels | None, corners: Sequence[complex]) -> bool:
        """Return True if a place looks like the bare surface: its piece is gone, not only hidden.

        Args:
            surface: (h, w), an earlier `surface` of this detector.
            corners: of the place, px of the first frame.
        """
        if surface is None or self.last_frame is None or surface.shape != self.last_frame.shape:
            return False
        quad = np.array([(z.real, z.imag) for z in corners]) / self.scale
        inside = _mask([quad], surface.shape, 1.0)
        if not inside.any():
            return False
        return float(np.mean(np.abs(self.last_frame - surface)[inside] > UNLIKE)) < BARE

    def _changed(self, frame: _KeptFrame) -> Bools:
        """Return (h, w), the px that changed within the last few hundredths of a second."""
        before = next(
            (past for past in reversed(self.past) if frame.time_s - past.time_s >= APART_S),
            self.past[0] if self.past else None,
        )
        if before is None or before.grey.shape != frame.grey.shape:
            return np.zeros(frame.grey.shape, np.bool_)
        other, in_view = _moved(before.smooth, before.sway.then(frame.sway.inverse()))
        difference = np.abs(frame.smooth * _gain(other, frame.smooth) - other)
        noise = float(np.median(difference[::3, ::3]))
        changed = difference > max(LEAST, NOISES * noise) + MISFIT * _slope(other)
        return np.asarray(changed & in_view, np.bool_)

    def _hand(self, frame: _KeptFrame, changed: Bools, pieces: list[NDArray[np.float64]]) -> Bools:
        """Return (h, w), what reaches in from the edge in front of the learnt surface.

        The surface is learnt from what does not move and is not a piece.
        """
        self.strange = ()
        if self.surface is None or self.surface.shape != frame.grey.shape or self.still_s is None:
            self.surface, self.still_s = frame.smooth.copy(), np.zeros(frame.grey.shape, np.float32)
            return np.zeros(frame.grey.shape, np.bool_)
        bare, in_view = _moved(self.surface, frame.sway.inverse())
        adapted = frame.smooth * _gain(bare, frame.smooth)
        limit = UNLIKE + EDGE_MISFIT * _slope(bare) + np.where(bare > WHITE, CLIPPED, 0)
        difference = np.abs(adapted - bare)
        unlike = difference > limit
        covered = _mask(pieces, frame.grey.shape, 1.8)
        foreign = np.asarray(unlike & in_view & ~covered, np.uint8)
        foreign = np.asarray(cv2.morphologyEx(foreign, cv2.MORPH_OPEN, np.ones((3, 3))), np.uint8)
        reaching = _from_edge(foreign, _slope(np.asarray(difference, np.float32)) > SHARP)
        slopes = _slope(bare), _slope(frame.smooth)
        ghost = _uncovered(reaching, *slopes, self.still_s > GHOST_S)
        hand = reaching & ~ghost
        self.strange = strange_places(foreign * ~reaching, slopes[1], slopes[0])
        self._learn(frame, adapted, changed, covered, hand, ghost)
        if foreign.mean() > NEW_VIEW:
            self.surface = None
        return hand

    def _learn(
        self,
        frame: _KeptFrame,
        adapted: GreyLevels,
        changed: Bools,
        covered: Bools,
        hand: Bools,
        ghost: Bools,
    ) -> None:
        assert self.surface is not None
        assert self.still_s is not None
        passed = frame.time_s - self.past[-1].time_s if self.past else 0.0
        near = cv2.dilate(changed.astype(np.uint8), np.ones((5, 5))).astype(np.bool_)
        still_s = np.where(near, np.float32(0), self.still_s + np.float32(passed))
        self.still_s = np.asarray(still_s, np.float32)
        if frame.sway != STILL:  # the surface is kept in the view of the first frame
            adapted, in_view = _moved(np.asarray(adapted, np.float32), frame.sway)
        else:
            in_view = np.ones(covered.shape, np.bool_)
        self.last_frame = np.asarray(adapted, np.float32)
        take = in_view & ~covered & (self.still_s > np.where(hand, AT_EDGE_S, LEARNT_S))
        share = np.float32(min(1.0, 4 * passed))
        self.surface[take] += share * (adapted - self.surface)[take]
        self.surface[in_view & ghost] = adapted[in_view & ghost]


def _shrunk(bgr: Pixels) -> Pixels:
    """Halve a large frame as often as possible, which is much faster than other factors."""
    while max(bgr.shape[:2]) > 2 * HALVED and not any(side % 2 for side in bgr.shape[:2]):
        bgr = halved(bgr)
    return bgr


def _scaled(sway: Sway, scale: float) -> Sway:
    return Sway(sway.turn, sway.shift * scale, sway.skew)


def _moved(picture: GreyLevels, sway: Sway) -> tuple[GreyLevels, Bools]:
    """Warp a picture (h, w) by a sway; return it and (h, w), where it is known."""
    there = np.ones(picture.shape, np.bool_)
    if max(abs(sway.turn - 1), abs(sway.skew)) < 1e-4 and abs(sway.shift) < 0.1:
        return picture, there
    size = picture.shape[1], picture.shape[0]
    moved = cv2.warpAffine(picture, sway.matrix, size, borderMode=cv2.BORDER_REPLICATE)
    inside = np.zeros(picture.shape, np.uint8)
    inside[BORDER:-BORDER, BORDER:-BORDER] = 1
    in_view = cv2.warpAffine(inside, sway.matrix, size, flags=cv2.INTER_NEAREST)
    return np.asarray(moved, np.float32), np.asarray(in_view, np.bool_)


def _gain(wanted: GreyLevels, given: GreyLevels) -> np.float32:
    """Return the factor that gives *given* the exposure of *wanted*."""
    a, b = wanted[::4, ::4], given[::4, ::4]
    plain = (a > 20) & (b > 20) & (a < 235) & (b < 235)
    if plain.sum() < 50:
        return np.float32(1)
    return np.float32(np.clip(np.median(a[plain] / b[plain]), *GAIN))


def _slope(picture: GreyLevels) -> GreyLevels:
    """Return (h, w) gradients, grey levels per px."""
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
    """Return (h, w), the parts that touch the edge of the frame and have a sharp outline.

    A hand has one; shadows and changes of light fade out.
    """
    count, labels, stats, _ = cv2.connectedComponentsWithStats(foreign, connectivity=8)
    if count < 2:
        return np.zeros(foreign.shape, np.bool_)
    x, y, w, h, area = np.asarray(stats, np.int64).T
    height, width = foreign.shape
    at_edge = (x <= 1) | (y <= 1) | (x + w >= width - 1) | (y + h >= height - 1)
    rim = (foreign > 0) & (cv2.erode(foreign, np.ones((5, 5))) == 0)
    lengths = np.bincount(labels[rim], minlength=count)
    outlined = np.bincount(labels[rim & sharp], minlength=count) > OUTLINED * lengths
    arm = at_edge & outlined & (area >= SMALLEST * width * height)
    arm[0] = False
    return np.asarray(arm[labels], np.bool_)


def _uncovered(
    reaching: Bools, surface_slope: GreyLevels, frame_slope: GreyLevels, still: Bools
) -> Bools:
    """Return (h, w), the parts whose outline is on the surface and not on the frame.

    There a hand that was part of the learnt surface has gone.

    Args:
        reaching: (h, w) px that differ from the surface, in parts that touch the frame's edge.
        surface_slope: (h, w) gradient of the surface, grey levels per px.
        frame_slope: (h, w) gradient of the frame.
        still: (h, w) px that do not change.
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
        ghost |= inside & bool(surface_slope[rim].mean() > GHOST * frame_slope[rim].mean())
    return ghost


def _blocks(mask: Bools, scale: float) -> tuple[Point, ...]:
    """Return the middles, px of the frame, of blocks with at least FEW px of the mask."""
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


def strange_places(
    foreign: Grey, frame_slope: GreyLevels, surface_slope: GreyLevels
) -> tuple[Quad, ...]:
    """Return the places of objects that may be dice, px of the shrunk frame.

    Args:
        foreign: (h, w) 1 where the frame differs from the surface without a piece or a hand.
        frame_slope: (h, w) gradient of the frame, grey levels per px.
        surface_slope: (h, w) gradient of the learnt surface.
    """
    count, labels, stats, _ = cv2.connectedComponentsWithStats(foreign, connectivity=8)
    longest = max(foreign.shape)
    places = []
    for part in range(1, count):
        x, y, w, h, area = map(int, stats[part])
        long, short = max(w, h), min(w, h)
        at_edge = x <= 1 or y <= 1 or x + w >= foreign.shape[1] - 1 or y + h >= foreign.shape[0] - 1
        if at_edge or not SMALLEST_DIE * longest <= short <= long <= LARGEST_DIE * longest:
            continue
        if long > LONG * short or area < FULL * w * h:
            continue
        rim = _rim(labels[y : y + h, x : x + w] == part)
        there, before = (
            frame_slope[y : y + h, x : x + w][rim],
            surface_slope[y : y + h, x : x + w][rim],
        )
        if there.mean() > max(SHARP_OBJECT, NEW * float(before.mean())):
            corners = ((x, y), (x + w, y), (x + w, y + h), (x, y + h))
            places.append(Quad.around(np.array(corners, np.float64)))
    return tuple(places)


def _rim(inside: NDArray[np.bool_]) -> NDArray[np.bool_]:
    wide = np.pad(inside.astype(np.uint8), 1)
    return np.asarray(inside & (cv2.erode(wide, np.ones((3, 3)))[1:-1, 1:-1] == 0), np.bool_)
