"""The fiducials (square markers) around a printed board: their places, and what each looks like."""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING

from vision.layout import Fiducial
from vision.quad import Point

if TYPE_CHECKING:
    import cv2
    import numpy as np
    from numpy.typing import NDArray

# Modules of 2 mm are 3 px wide if a page spans 900 px; a thousand ids are enough for 25 boards.
DICTIONARY = "DICT_5X5_1000"
SIDE = 14.0  # mm
QUIET = 4.0  # mm, white between a marker and the board: two of its modules
APART = (
    36.0  # mm, largest distance of two markers' middles, so that a hand never hides a whole side
)
BAND = SIDE + QUIET  # mm added to a board on each side


def ring(origin: Point, size: tuple[float, float], first: int) -> tuple[Fiducial, ...]:
    """Return markers all around a board, clockwise from the upper left.

    Args:
        origin: x and y of the board's upper left corner, mm.
        size: width and height of the board, mm.
        first: id of the first marker; the others follow.
    """
    left, top = origin[0] - BAND, origin[1] - BAND
    across, along = (length + QUIET + BAND for length in size)
    xs, ys = _evenly(across), _evenly(along)
    spots = [(x, 0.0) for x in xs[:-1]] + [(across, y) for y in ys[:-1]]
    spots += [(x, along) for x in xs[:0:-1]] + [(0.0, y) for y in ys[:0:-1]]
    return tuple(
        _marker(round(left + x, 3), round(top + y, 3), number)
        for number, (x, y) in enumerate(spots, start=first)
    )


def _evenly(length: float) -> list[float]:
    """Return places from 0 to *length*, APART at most, to tenths of a mm as geometry files are."""
    steps = ceil(length / APART)
    places = [*(i * (length / steps) for i in range(steps)), length]
    return [round(10 * place) / 10 for place in places]


def _marker(x: float, y: float, number: int) -> Fiducial:
    right, bottom = round(x + SIDE, 3), round(y + SIDE, 3)
    return Fiducial(DICTIONARY, number, ((x, y), (right, y), (right, bottom), (x, bottom)))


def dictionary(name: str) -> cv2.aruco.Dictionary:
    """Return one of OpenCV's ArUco dictionaries; raises ValueError if there is none."""
    import cv2  # noqa: PLC0415

    number = getattr(cv2.aruco, name, None)
    if not name.startswith("DICT_") or not isinstance(number, int):
        raise ValueError(f"OpenCV has no dictionary of markers called {name}")
    return cv2.aruco.getPredefinedDictionary(number)


def modules(marker: Fiducial) -> NDArray[np.bool_]:
    """Return (n, n), which modules of a marker are black, its border included."""
    import cv2  # noqa: PLC0415
    import numpy as np  # noqa: PLC0415

    markers = dictionary(marker.dictionary)
    count = markers.markerSize + 2
    picture = cv2.aruco.generateImageMarker(markers, marker.id, count)
    return np.asarray(picture < 128, np.bool_)
