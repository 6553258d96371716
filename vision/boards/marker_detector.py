"""Detect square markers on a photo with OpenCV's ArUco detector, tuned for boards on tables.

In: a grey picture. Out: ids and corners of the markers of a dictionary, and the contents of other
squares with a marker's rim.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.boards.fiducials import DICTIONARY, dictionary, modules
from vision.geometry import Floats, Homography
from vision.layout import Fiducial
from vision.photo import Grey

REDUCED = 1000  # px, about; longer side at which markers are searched for first
MODULE_PX = 4  # px of a module on the crops that are compared
QUIET = 1  # modules of white around a marker that are compared too
SOFT = 0.5  # modules, blur of the pattern: between a sharp photo and a soft one
ALIKE = 0.75  # correlation with a marker's pattern from which there is some marker
ITS_OWN = 0.6  # correlation of the modules inside the rim from which it is this marker
DARKER = 16  # grey levels by which a rim is darker than its surroundings; grain is weaker
BLURRED, SHARPER = 2.0, 1.5  # px and strength of an unsharp mask, for modules of 2 to 5 px
DARK_RIM = 0.8  # share of a square's rim that must be dark
LEAST_SPREAD = (
    15.0  # grey levels, standard deviation of a marker's modules; a plain square has less
)


@dataclass(frozen=True, slots=True, eq=False)
class Markers:
    """The n markers of the board's dictionary on a photo."""

    ids: NDArray[np.intp]
    corners: Floats  # (n, 4, 2) px
    others: Callable[[], NDArray[np.bool_]]  # reads the other squares, only if needed

    @property
    def unknown(self) -> NDArray[np.bool_]:
        """Return (m, modules, modules), whether white, of squares that look like markers."""
        return self.others()


def detected(grey: Grey, name: str, longest: int, *, thorough: bool = False) -> Markers:
    """Detect markers on a picture reduced to *longest* px; refine corners at full resolution.

    Args:
        grey: (h, w).
        name: of OpenCV's dictionary.
        longest: px, about, of the longer side.
        thorough: with sharpening and more thresholds, for faint or blurred markers.
    """
    # Shrinking by a whole number is much faster than by any other factor.
    shrink = max(1, round(max(grey.shape) / longest))
    size = (grey.shape[1] // shrink, grey.shape[0] // shrink)
    small = grey
    if shrink > 1:
        whole = grey[: size[1] * shrink, : size[0] * shrink]
        small = np.asarray(cv2.resize(whole, size, interpolation=cv2.INTER_AREA), np.uint8)
    small = _stretched(_sharpened(small) if thorough else small)
    corners, ids, squares = _detector(name, thorough).detectMarkers(small)
    others = cache(
        partial(_unidentified, small, np.array(squares, np.float64).reshape(-1, 4, 2), name)
    )
    if ids is None or not len(ids):
        return Markers(np.zeros(0, np.intp), np.zeros((0, 4, 2)), others)
    rough = (np.array(corners, np.float64).reshape(-1, 4, 2) + 0.5) * shrink - 0.5
    return Markers(np.asarray(ids, np.intp).reshape(-1), refined(grey, rough, name), others)


def _unidentified(grey: Grey, squares: Floats, name: str) -> NDArray[np.bool_]:
    """Return which modules are white, for those of (n, 4, 2) squares with a marker's rim."""
    count = dictionary(name).markerSize + 2
    rim = np.ones((count, count), np.bool_)
    rim[1:-1, 1:-1] = False
    found = []
    for quad in squares:
        levels = modules_at(grey, quad, count)
        if levels is None or levels.std() < LEAST_SPREAD:
            continue
        white = levels > (levels.min() + levels.max()) / 2
        if (~white[rim]).mean() >= DARK_RIM and white.any():
            found.append(white)
    return np.array(found, np.bool_).reshape(-1, count, count)


@cache
def _detector(name: str, thorough: bool) -> cv2.aruco.ArucoDetector:
    parameters = cv2.aruco.DetectorParameters()
    parameters.minMarkerPerimeterRate = 0.018
    # Each window is a pass over all contours of the picture, which takes most of the time.
    # The most contours come from grain, which is only slightly darker than its surroundings.
    first, last = (9, 45) if thorough else (13, 13)
    if not thorough:
        parameters.adaptiveThreshConstant = DARKER
    parameters.adaptiveThreshWinSizeMin = first
    parameters.adaptiveThreshWinSizeMax = last
    parameters.adaptiveThreshWinSizeStep = 18
    return cv2.aruco.ArucoDetector(dictionary(name), parameters)


def _stretched(grey: Grey) -> Grey:
    """Stretch the contrast, so that the thresholds are valid for dark photos too."""
    counts = np.cumsum(np.bincount(grey[::4, ::4].ravel(), minlength=256))
    low, high = np.searchsorted(counts, [0.01 * counts[-1], 0.99 * counts[-1]])
    if high - low >= 160:
        return grey
    table = (np.arange(256) - low) * (255 / max(int(high - low), 16))
    return np.asarray(cv2.LUT(grey, table.clip(0, 255).astype(np.uint8)), np.uint8)


def _sharpened(grey: Grey) -> Grey:
    """Sharpen with an unsharp mask: modules that were blurred together are separated."""
    level = grey.astype(np.float32)
    soft = np.asarray(cv2.GaussianBlur(level, (0, 0), BLURRED))
    return np.asarray(np.clip(level + SHARPER * (level - soft), 0, 255), np.uint8)


def refined(grey: Grey, corners: Floats, name: str) -> Floats:
    """Move (n, 4, 2) corners, px, to the crossings of edges, by less than one module."""
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
    """Return (count, count) grey levels of the modules in (4, 2) corners; None if off the photo."""
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
    """Search a marker near its expected corners; return its (4, 2) px, or None if it is not there.

    It is searched within *search* of its side by correlation with its pattern, which works on
    blurred photos where single modules can no longer be read.
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
    return found if _is_marker(grey, found, name, number) else None


def _is_marker(grey: Grey, quad: Floats, name: str, number: int) -> bool:
    """Return True if the modules inside the rim are those of this marker; all have the same rim."""
    dark = modules(Fiducial(name, number, ((0.0, 0.0),) * 4))
    levels = modules_at(grey, quad, len(dark))
    if levels is None:
        return False
    inner = np.s_[1:-1, 1:-1]
    wanted, there = (part - part.mean() for part in (1.0 - dark[inner], levels[inner]))
    length = float(np.linalg.norm(wanted) * np.linalg.norm(there))
    return bool((wanted * there).sum() >= ITS_OWN * max(length, 1e-9))


@cache
def _pattern(name: str, number: int) -> Grey:
    """Return a marker's pattern for correlation: with white around it, MODULE_PX per module."""
    dark = modules(Fiducial(name, number, ((0.0, 0.0),) * 4))
    white = np.pad(np.where(dark, 0, 255).astype(np.uint8), QUIET, constant_values=255)
    large = np.kron(white, np.ones((MODULE_PX, MODULE_PX), np.uint8))
    return np.asarray(cv2.GaussianBlur(large, (0, 0), SOFT * MODULE_PX), np.uint8)


def any_markers(grey: Grey, *, certain: bool = False) -> Markers:
    """Return all markers of our own boards; with *certain*, there surely are some."""
    if not certain:
        found = detected(grey, DICTIONARY, REDUCED)
        if not len(found.ids):
            return found
    return detected(grey, DICTIONARY, REDUCED, thorough=True)  # it is not the only one
