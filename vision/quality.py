"""Say what is wrong with a photo as a photo: dark, blurred, from low down, too small, cut off."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.decode import Grey, Pixels
from vision.faces.view_prior import elevations
from vision.geometry import Floats, Point, Quad, sides_of

Floats32 = NDArray[np.float32]

# Grey level that the brightest twentieth of a piece exceeds on a usable photo, and where there are
# none, the brightest hundredth of the table: a black cloth is not darkness.
DARK = 60.0
# Share of its contrast that a face's crop gains per px on its steepest edges. On training photos
# blurred more and more, 69 % of the values below 0.1 were right, 90 % of those above 0.2.
SOFT = 0.1
# px, side of a face; pips are 2 px wide there and run together. Of photos held back, as they are
# and changed, 32 % of the right ones ask so, 37 % with 16 px, and as many are wrong unasked; with
# 9 px faces are missed without a warning.
SMALL = 11.0
# Degrees above the table. On drawn tables 72 % of 349 faces seen from 20 to 25 degrees are found,
# 83 % of 257 from 25 to 30, above that 85 to 97 % (`make accuracy ARGS="--by elevation"`). No photo
# held back from training is from below 25.
LOW = 25.0
BLURRED = "The photo is blurred. Hold the phone still and let it focus."
# Share of its contrast that a whole photo, SMALLER px long, gains per px on its steepest edges, in
# the direction in which it gains least. Sheets seen sharp have 0.23, moved by 41 of 2,000 px 0.07,
# of 4,000 px 0.12; nine in ten photos of tables that we learn from have more than 0.125.
SMEARED, SMALLER, STEEPEST = 0.125, 1200, 99.95
WAYS = np.arange(4) / 4  # of half a turn
PLAIN = 24.0  # grey levels that a photo has at least, unless it shows nothing at all
# SOFT is looked for where nothing is read too, on a photo of LONGEST px: what has no print may have
# few steep edges, so each SQUARE with some CONTRAST is measured by itself, and the steepest tenth
# counts. Of 253 training photos without dice none is softer; of 194 of dice, blurred till nothing
# is read or asked, 180 are.
LONGEST, SQUARE, CONTRAST = 800, 32, 20.0
TENTH = 90  # percentile of the squares
FEWEST = 4  # squares
TOO_DARK = "The photo is too dark. Turn on a light or use the flash."
# Of the way from the middle of a face to its edge: the middles of its pips lie within that. Of
# sure faces that are less cut off than that none is wrong (`make accuracy ARGS="--by cutoff"`).
PIPS = 0.5


def complaints(bgr: Pixels, crops: Pixels, quads: Floats) -> list[str]:
    """Return sentences that say how to take the photo better.

    Args:
        bgr: the picture.
        crops: (n, side, side, 3) BGR, the faces found on it, straightened.
        quads: (n, 4, 2) px, their corners in turn on the photo itself.
    """
    if len(crops):
        return complaints_of_pieces(crops, quads)
    few = np.ascontiguousarray(bgr[::8, ::8])
    return [TOO_DARK] if np.percentile(cv2.cvtColor(few, cv2.COLOR_BGR2GRAY), 99) < DARK else []


def complaints_of_pieces(crops: Pixels, quads: Floats) -> list[str]:
    """Return the `complaints` where there are faces: then nothing else on the photo counts."""
    found = []
    brightness, steepness = _light_and_edges(crops)
    if brightness < DARK:
        found.append(TOO_DARK)
    if steepness < SOFT:
        found.append(BLURRED)
    if np.median(sides_of(quads)) < SMALL:
        found.append("The pieces are very small on the photo. Go closer.")
    if np.median(elevations(quads)) < LOW:
        found.append("The photo is taken from low down. Hold the phone higher above the table.")
    return found


def _light_and_edges(crops: Pixels) -> tuple[float, float]:
    """Return how bright the pieces are, and how steep their edges."""
    greys = [cv2.cvtColor(crop, cv2.COLOR_BGR2GRAY) for crop in crops]
    edges = [
        cv2.magnitude(
            cv2.Sobel(grey, cv2.CV_32F, 1, 0, scale=0.125),
            cv2.Sobel(grey, cv2.CV_32F, 0, 1, scale=0.125),
        )
        for grey in greys
    ]
    low, bright, high = np.percentile(np.array(greys).reshape(len(greys), -1), [2, 95, 98], axis=1)
    steepest = np.percentile(np.array(edges).reshape(len(edges), -1), 98, axis=1)
    return float(np.median(bright)), float(np.median(steepest / np.maximum(high - low, 8.0)))


def is_smeared(grey: Grey) -> bool:
    """Say whether a whole photo, (h, w), is blurred or was moved: no edge is steep in some way."""
    zoom = SMALLER / max(grey.shape)
    if zoom < 1:
        grey = np.asarray(cv2.resize(grey, None, fx=zoom, fy=zoom, interpolation=cv2.INTER_AREA))
    soft = cv2.GaussianBlur(grey.astype(np.float32), (0, 0), 1)  # else noise has edges
    across, along = (cv2.Sobel(soft, cv2.CV_32F, *way, scale=0.125) for way in ((1, 0), (0, 1)))
    turned = (np.abs(np.cos(turn) * across + np.sin(turn) * along) for turn in np.pi * WAYS)
    low, high = np.percentile(soft, [1, 99])
    least = min(float(np.percentile(edges, STEEPEST)) for edges in turned)
    return float(high - low) > PLAIN and least < SMEARED * float(high - low)


def is_blurred(grey: Grey) -> bool:
    """Say whether a whole photo (h, w) has no steep edge in some direction.

    Of a photo that shows nothing, not even a blurred thing, it is not said.
    """
    zoom = min(1.0, LONGEST / max(grey.shape))
    small = cv2.resize(grey, None, fx=zoom, fy=zoom, interpolation=cv2.INTER_AREA)
    soft = np.asarray(cv2.GaussianBlur(small.astype(np.float32), (0, 0), 0.8), np.float32)
    low, high = np.percentile(_squares(soft), [2, 98], axis=1)
    told = high - low >= CONTRAST
    if told.sum() < FEWEST:
        return False
    x, y = (cv2.Sobel(soft, cv2.CV_32F, *order, scale=0.125) for order in ((1, 0), (0, 1)))
    ways = (x, y, (x + y) / np.sqrt(2), (x - y) / np.sqrt(2))
    steep = (np.percentile(_squares(np.abs(way))[told], 98, axis=1) for way in ways)
    return any(np.percentile(edge / (high - low)[told], TENTH) < SOFT for edge in steep)


def _squares(plane: Floats32) -> Floats32:
    """Return (n, SQUARE²) of a plane (h, w), cut at its right and lower edge."""
    high, wide = (side // SQUARE for side in plane.shape)
    cut = plane[: high * SQUARE, : wide * SQUARE].reshape(high, SQUARE, wide, SQUARE)
    return cut.swapaxes(1, 2).reshape(-1, SQUARE * SQUARE)


def is_cut_off(face: Quad, width: int, height: int) -> bool:
    """Say whether the middles of pips may lie over the edge of a photo of that size in px."""
    return share_inside(face, width, height) < PIPS


def share_inside(face: Quad, width: int, height: int) -> float:
    """Return how large a part of a face, as wide and around its middle, is wholly on the photo.

    It is 1 or more for a face that is not cut off, and 0 or less where its middle is not there.
    """
    middle = np.array(face.center)
    reach = face.array - middle
    edges = np.where(reach < 0, -0.5, np.array([width, height]) - 0.5)
    there = np.abs(reach) > 1e-9
    return float(((edges - middle)[there] / reach[there]).min())


def where(at: Point, width: int, height: int) -> str:
    """Say in words in which ninth of a photo a point lies."""
    rows, columns = ("top", "", "bottom"), ("left", "", "right")
    row = rows[min(2, max(0, int(3 * at[1] / height)))]
    column = columns[min(2, max(0, int(3 * at[0] / width)))]
    return f"{row} {column}".strip() or "middle"
