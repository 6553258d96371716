"""Detect photos of a screen instead of a table.

In: the decoded picture. Out: whether most of its bright parts have a screen's colour pattern.

A screen's pixels are stripes of red, green and blue. Whether a camera resolves them or shows only
their moiré with its own pixels, each colour is shifted by a third of a period. Cloth, print and
wood change all colours at once, so the hue moves back and forth. With x = log R/G and y = log B/G,
the spectrum of x + iy then has the same power at -f as at f. For a screen the hue rotates and the
two differ.
"""

from collections.abc import Iterator
from functools import cache
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import Floats
from vision.photo import Pixels

SIDE = 128  # px of a patch
PATCHES = 4  # per row and per column of the picture
BANDS = (0.03, 0.05, 0.08, 0.13, 0.21, 0.34)  # edges of frequency bands, periods per px
LIT = 70.0  # grey level; dark patches of a screen show no pattern
# Least power of a frequency relative to the median of its band, and to the opposite frequency, and
# least share of such patches. None of 300 photos of train/ has more than 19 % of them; of drawn
# photos of screens 70 % have enough (`tests/vision/test_read_properties.py` draws one).
PEAK, TURNING, MOSTLY = 1000.0, 2.0, 0.5
LEAST = 0.02  # power of the rounding to whole grey levels, at any frequency
FEW = 5  # patches that are checked first; with fewer than two like a screen's it is none
ON_SCREEN = "This looks like a photo of a screen. Photograph the table itself."


def shows_screen(bgr: Pixels) -> bool:
    """Return True if a picture, (h, w, 3) BGR, shows a screen; False if it is under 256 px."""
    if min(bgr.shape[:2]) < 2 * SIDE:
        return False
    found = []
    for patch in _lit_patches(bgr):
        found.append(_turns_colours(patch))
        if len(found) <= FEW and sum(found) + FEW - len(found) < 2:  # of these no two can be
            return False
    return len(found) >= FEW and sum(found) >= MOSTLY * len(found)


def _lit_patches(bgr: Pixels) -> Iterator[Pixels]:
    """Yield bright squares all over a picture, those far from each other first."""
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
    """Return True if a patch has a pattern in which the hue rotates."""
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
    """Return (SIDE, SIDE, 1), a Hann window."""
    return np.outer(np.hanning(SIDE), np.hanning(SIDE))[..., None]


@cache
def _bands() -> tuple[NDArray[np.intp], ...]:
    """Return the indices into a flattened spectrum of each of BANDS."""
    steps = np.fft.fftfreq(SIDE)
    radius = np.hypot(steps[:, None], steps[None, :]).ravel()
    return tuple(np.flatnonzero((radius >= low) & (radius < high)) for low, high in pairwise(BANDS))
