"""Square markers on a photo: OpenCV's detector, set for what lies on tables.

In: a grey picture. Out: the ids and corners of the markers of a dictionary, and what other squares
with a marker's rim show.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.boards.fiducials import DICTIONARY, dictionary, modules
from vision.decode import Grey
from vision.geometry import Floats, Homography
from vision.layout import Fiducial

REDUCED = 1000  # px, about; longer side at which markers are looked for first
MODULE_PX = 4  # px of a marker's module where it is compared
QUIET = 1  # modules of white around a marker that are compared too
SOFT = 0.5  # of a module, the blur of what is compared: between a sharp photo and a soft one
ALIKE = 0.75  # correlation of what is seen with a marker from which some marker is there
ITS_OWN = 0.6  # of the modules inside its rim, from which it is that one: three deviations
DARKER = 16  # grey levels below its surroundings that make a marker's rim; grain is weaker
BLURRED, SHARPER = 2.0, 1.5  # px and share of an unsharp mask: for modules of 2 to 5 px
DARK_RIM = 0.8  # share of a square's rim that is dark where it may be a marker
LEAST_SPREAD = 15.0  # grey levels, between a marker's modules; a plain square has less


@dataclass(frozen=True, slots=True, eq=False)
class Markers:
    """The n markers of the board's dictionary on a photo."""

    ids: NDArray[np.intp]
    corners: Floats  # (n, 4, 2) px
    others: Callable[[], NDArray[np.bool_]]  # looks at squares, of which most photos have many

    @property
    def unknown(self) -> NDArray[np.bool_]:
        """Return (m, modules, modules), white or not, of squares that are like markers."""
        return self.others()


def detected(grey: Grey, name: str, longest: int, *, thorough: bool = False) -> Markers:
    """Detect markers on a picture reduced to *longest* px, refine their corners on all of it."""
    # A whole number of px becomes one, which is quicker by far than any other share.
    shrink = max(1, round(max(grey.shape) / longest))
    size = (grey.shape[1] // shrink, grey.shape[0] // shrink)
    small = grey
    if shrink > 1:
        whole = grey[: size[1] * shrink, : size[0] * shrink]
        small = np.asarray(cv2.resize(whole, size, interpolation=cv2.INTER_AREA), np.uint8)
    small = _stretched(_sharpened(small) if thorough else small)
    corners, ids, squares = _detector(name, thorough).detectMarkers(small)
    others = cache(partial(_unknown, small, np.array(squares, np.float64).reshape(-1, 4, 2), name))
    if ids is None or not len(ids):
        return Markers(np.zeros(0, np.intp), np.zeros((0, 4, 2)), others)
    rough = (np.array(corners, np.float64).reshape(-1, 4, 2) + 0.5) * shrink - 0.5
    return Markers(np.asarray(ids, np.intp).reshape(-1), refined(grey, rough, name), others)


def _unknown(grey: Grey, squares: Floats, name: str) -> NDArray[np.bool_]:
    """Return which modules are white in those of (n, 4, 2) squares that have a marker's rim."""
    count = dictionary(name).markerSize + 2
    rim = np.ones((count, count), np.bool_)
    rim[1:-1, 1:-1] = False
    found = []
    for quad in squares:
        seen = modules_at(grey, quad, count)
        if seen is None or seen.std() < LEAST_SPREAD:
            continue
        white = seen > (seen.min() + seen.max()) / 2
        if (~white[rim]).mean() >= DARK_RIM and white.any():
            found.append(white)
    return np.array(found, np.bool_).reshape(-1, count, count)


@cache
def _detector(name: str, thorough: bool) -> cv2.aruco.ArucoDetector:
    parameters = cv2.aruco.DetectorParameters()
    parameters.minMarkerPerimeterRate = 0.018
    # Each window is a pass over all contours of the picture, which is most of the time.
    # What is hardly darker than its surroundings is grain, which gives the most contours.
    first, last = (9, 45) if thorough else (13, 13)
    if not thorough:
        parameters.adaptiveThreshConstant = DARKER
    parameters.adaptiveThreshWinSizeMin = first
    parameters.adaptiveThreshWinSizeMax = last
    parameters.adaptiveThreshWinSizeStep = 18
    return cv2.aruco.ArucoDetector(dictionary(name), parameters)


def _stretched(grey: Grey) -> Grey:
    """Return the picture with its contrast drawn out: thresholds then hold in the dark too."""
    counts = np.cumsum(np.bincount(grey[::4, ::4].ravel(), minlength=256))
    low, high = np.searchsorted(counts, [0.01 * counts[-1], 0.99 * counts[-1]])
    if high - low >= 160:
        return grey
    table = (np.arange(256) - low) * (255 / max(int(high - low), 16))
    return np.asarray(cv2.LUT(grey, table.clip(0, 255).astype(np.uint8)), np.uint8)


def _sharpened(grey: Grey) -> Grey:
    """Return the picture with its edges made steeper: modules that run together come apart."""
    level = grey.astype(np.float32)
    soft = np.asarray(cv2.GaussianBlur(level, (0, 0), BLURRED))
    return np.asarray(np.clip(level + SHARPER * (level - soft), 0, 255), np.uint8)


def refined(grey: Grey, corners: Floats, name: str) -> Floats:
    """Move (n, 4, 2) corners to where edges cross, searching within less than one module."""
    count = dictionary(name).markerSize + 2
    moved_to = corners.astype(np.float32).copy()
    stop = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 20, 0.02)
    for marker in moved_to:
        shortest = np.linalg.norm(marker - np.roll(marker, 1, axis=0), axis=1).min()
        window = int(np.clip(0.4 * shortest / count, 2, 8))
        moved = cv2.cornerSubPix(
            grey, marker.reshape(-1, 1, 2).copy(), (window, window), (-1, -1), stop
        )
        moved = moved.reshape(4, 2)
        if np.abs(moved - marker).max() <= window:
            marker[:] = moved
    return moved_to.astype(np.float64)


def modules_at(grey: Grey, quad: Floats, count: int) -> Floats | None:
    """Return (count, count) grey levels of the modules in (4, 2) corners; None off the photo."""
    low, high = quad.min(axis=0), quad.max(axis=0)
    height, width = grey.shape
    if low.min() < 0 or high[0] > width - 1 or high[1] > height - 1:
        return None
    across = MODULE_PX * count
    ends = np.array([(0, 0), (across, 0), (across, across), (0, across)], np.float32) - 0.5
    flat = cv2.getPerspectiveTransform(quad.astype(np.float32), ends.astype(np.float32))
    crop = cv2.warpPerspective(grey, flat, (across, across)).astype(np.float64)
    levels: Floats = crop.reshape(count, MODULE_PX, count, MODULE_PX).mean(axis=(1, 3))
    return levels


def looked_up(
    grey: Grey, quad: Floats, name: str, number: int, *, search: float = 0.0
) -> Floats | None:
    """Return (4, 2) px, where a marker is next to the corners where it should be; None: nowhere.

    It is looked for up to *search* of its side to all of them, by its correlation with what is
    seen: blur spares that, where modules are not told from each other any more.
    """
    pattern = _pattern(name, number)
    count = dictionary(name).markerSize + 2
    margin = round(search * count) + QUIET
    low, high = quad.min(axis=0), quad.max(axis=0)
    height, width = grey.shape
    if low.min() < 0 or high[0] > width - 1 or high[1] > height - 1:
        return None
    across = MODULE_PX * (count + 2 * margin)
    near, far = MODULE_PX * margin - 0.5, across - MODULE_PX * margin - 0.5
    ends = np.array([(near, near), (far, near), (far, far), (near, far)], np.float32)
    flat = cv2.getPerspectiveTransform(quad.astype(np.float32), ends)
    crop = cv2.warpPerspective(grey, flat, (across, across), borderMode=cv2.BORDER_REPLICATE)
    alike = np.asarray(cv2.matchTemplate(crop, pattern, cv2.TM_CCOEFF_NORMED))
    row, column = np.unravel_index(int(alike.argmax()), alike.shape)
    if alike[row, column] < ALIKE:
        return None
    middle = (alike.shape[0] - 1) / 2
    moved = ends + (np.array([column, row]) - middle)
    back = Homography(np.asarray(np.linalg.inv(flat), np.float64), 0.0)
    found = back.apply(moved.astype(np.float64))
    return found if _shows(grey, found, name, number) else None


def _shows(grey: Grey, quad: Floats, name: str, number: int) -> bool:
    """Say whether the modules inside a marker's rim are its own: all markers have the rim."""
    dark = modules(Fiducial(name, number, ((0.0, 0.0),) * 4))
    seen = modules_at(grey, quad, len(dark))
    if seen is None:
        return False
    inner = np.s_[1:-1, 1:-1]
    wanted, there = (part - part.mean() for part in (1.0 - dark[inner], seen[inner]))
    length = float(np.linalg.norm(wanted) * np.linalg.norm(there))
    return bool((wanted * there).sum() >= ITS_OWN * max(length, 1e-9))


@cache
def _pattern(name: str, number: int) -> Grey:
    """Return a marker with the white around it, MODULE_PX a module, as it is compared."""
    dark = modules(Fiducial(name, number, ((0.0, 0.0),) * 4))
    white = np.pad(np.where(dark, 0, 255).astype(np.uint8), QUIET, constant_values=255)
    large = np.kron(white, np.ones((MODULE_PX, MODULE_PX), np.uint8))
    return np.asarray(cv2.GaussianBlur(large, (0, 0), SOFT * MODULE_PX), np.uint8)


def any_markers(grey: Grey, *, seen: bool = False) -> Markers:
    """Return all markers of our own boards, whatever lies there; some may have been *seen*."""
    if not seen:
        found = detected(grey, DICTIONARY, REDUCED)
        if not len(found.ids):
            return found
    return detected(grey, DICTIONARY, REDUCED, thorough=True)  # where there is one there are more
