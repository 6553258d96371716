"""Does a photo show a screen instead of a table?

In: the picture as it was decoded. Out: whether colours follow each other in most of what is lit.

A screen's pixels are stripes of red, green and blue beside each other. Whether a camera shows them
or only the moiré that they make with its own pixels, each colour comes a third of a period after
the other. Cloth, print and wood change all colours at once: a hue goes back the way it came.
With x = log R/G and y = log B/G that is a spectrum of x + iy which is as strong at -f as at f, and
of colours that turn it is not.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.decode import Pixels
from vision.geometry import Floats

SIDE = 128  # px of the patches that are looked at
PATCHES = 4  # a row and a column of the picture
BANDS = (0.03, 0.05, 0.08, 0.13, 0.21, 0.34)  # periods a px: what is stronger than its like
LIT = 70.0  # grey level; a dark patch of a screen shows nothing
# Power of a frequency over the median of its band, and over its opposite. Of 300 photos of train/
# none has more than 19 % of such patches; of drawn photos of screens 70 % have enough
# (`tests/vision/test_screen_detector.py` draws one).
PEAK, TURNING, MOSTLY = 1000.0, 2.0, 0.5
LEAST = 0.02  # power that rounding to whole grey levels leaves at any frequency
FEW = 5  # patches that are looked at first; with fewer than two like a screen's it is none
ON_SCREEN = "This looks like a photo of a screen. Photograph the table itself."


def shows_screen(bgr: Pixels) -> bool:
    """Say whether a picture, (h, w, 3) BGR, shows a screen; one under 256 px cannot tell."""
    if min(bgr.shape[:2]) < 2 * SIDE:
        return False
    told = []
    for patch in _lit_patches(bgr):
        told.append(_turns_colours(patch))
        if len(told) == FEW and sum(told) < 2:
            return False
    return len(told) >= FEW and sum(told) >= MOSTLY * len(told)


def _lit_patches(bgr: Pixels) -> Iterator[Pixels]:
    """Yield bright squares from all over a picture, those far from each other first."""
    height, width = bgr.shape[:2]
    tops, lefts = (
        np.linspace(0.1 * n, 0.9 * n - SIDE, PATCHES).astype(int) for n in (height, width)
    )
    for step in range(PATCHES):
        for row in range(PATCHES):
            y, x = tops[row], lefts[(row + step) % PATCHES]
            patch = bgr[y : y + SIDE, x : x + SIDE]
            if patch[..., 1].mean() >= LIT:
                yield patch


def _turns_colours(patch: Pixels) -> bool:
    """Say whether a patch has a pattern in which the hue turns."""
    logs = cv2.log(np.maximum(patch, 16).astype(np.float32))  # below 16 is mostly noise
    hues = np.stack([logs[..., 2] - logs[..., 1], logs[..., 0] - logs[..., 1]], axis=-1)
    faded = ((hues - hues.mean(axis=(0, 1))) * _window()).astype(np.float32)
    spectrum = cv2.dft(faded, flags=cv2.DFT_COMPLEX_OUTPUT)
    power = (spectrum**2).sum(axis=-1)
    flat = power.ravel()
    peaks = [
        (flat[band].max() / max(np.median(flat[band]), LEAST), band[flat[band].argmax()])
        for band in _bands()
    ]
    peak, at = max(peaks)
    row, column = divmod(int(at), SIDE)
    opposite = power[-row % SIDE, -column % SIDE]
    return bool(peak > PEAK and power[row, column] > TURNING * opposite)


@cache
def _window() -> Floats:
    """Return (SIDE, SIDE, 1), from 0 at the edge to 1 in the middle."""
    return np.outer(np.hanning(SIDE), np.hanning(SIDE))[..., None]


@cache
def _bands() -> tuple[NDArray[np.intp], ...]:
    """Return the places of a flat spectrum in each of BANDS."""
    steps = np.fft.fftfreq(SIDE)
    radius = np.hypot(steps[:, None], steps[None, :]).ravel()
    return tuple(np.flatnonzero((radius >= low) & (radius < high)) for low, high in pairwise(BANDS))
