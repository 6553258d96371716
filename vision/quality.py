"""Check the quality of a photo: dark, blurred, from low down, pieces too small or cut off."""

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.faces.view_prior import elevations
from vision.geometry import Floats, sides_of
from vision.photo import Grey, Photo, Pixels

Floats32 = NDArray[np.float32]

# Grey level that the brightest twentieth of a piece must exceed; without pieces, the brightest
# hundredth of the photo: a black cloth is not a dark photo.
DARK = 60.0
DIM = 110.0  # grey level below which paper is too dark for thin strokes
# Least slope of the steepest edges of a face's crop, as a share of its contrast per px. On training
# photos with increasing blur 69 % of the values below 0.1 were right, and 90 % above 0.2.
SOFT = 0.1
# px, side of a face; its pips are 2 px wide and merge. With this limit 32 % of the held-back photos
# read correctly, as they are and degraded, get the warning, 37 % with 16 px, and as many are wrong
# without one; with 9 px faces are missed without a warning.
SMALL = 11.0
# Degrees above the table. On drawn tables 72 % of 349 faces seen from 20 to 25 degrees are found,
# 83 % of 257 from 25 to 30, above that 85 to 97 % (`make accuracy ARGS="--by elevation"`). No photo
# held back from training is from below 25.
LOW = 25.0
BLURRED = "The photo is blurred. Hold the phone still and let it focus."
# Least slope of the steepest edges of a whole photo, scaled to SMALLER px, as a share of its
# contrast per px, in the direction where it is smallest. Sharp sheets have 0.23; with motion blur
# of 41 px they have 0.07 at 2,000 px and 0.12 at 4,000 px. Nine in ten training photos of tables
# have more than 0.125.
SMEARED, SMALLER, STEEPEST = 0.125, 1200, 99.95
WAYS = np.arange(4) / 4  # directions, of half a turn
PLAIN = 24.0  # grey levels of contrast; a photo with less shows nothing at all
# The same slope of a whole photo, scaled to LONGEST px, if nothing sure was read: little blur hides
# pips. Objects without print have few steep edges, so each SQUARE with enough CONTRAST is measured
# by itself, and the steepest tenth counts. Of 295 training photos without dice 10 are softer; of 11
# of dice, moved or out of focus until nothing was read or asked while the limit was SOFT, all are.
SOFT_PHOTO, LONGEST, SQUARE, CONTRAST = 0.16, 800, 32, 20.0
TENTH = 90  # percentile of the squares
FEWEST = 4  # squares
# px, the longer side of a copy for a list of photos; no camera takes smaller ones. Dice that are a
# thirtieth as wide are SMALL there, and the detector finds none.
COPY = 320
TOO_FEW = "The photo is only {width} x {height} pixels. Send the photo itself, not a small copy."
TOO_DARK = "The photo is too dark. Turn on a light or use the flash."


def complaints(bgr: Pixels, crops: Pixels, quads: Floats) -> list[str]:
    """Return sentences that say how to take a better photo.

    Args:
        bgr: the decoded picture.
        crops: (n, side, side, 3) BGR, the faces found on it, rectified.
        quads: (n, 4, 2) px of the photo, their corners in order.
    """
    if len(crops):
        return complaints_of_pieces(crops, quads)
    few = np.ascontiguousarray(bgr[::8, ::8])
    return [TOO_DARK] if np.percentile(cv2.cvtColor(few, cv2.COLOR_BGR2GRAY), 99) < DARK else []


def complaints_of_pieces(crops: Pixels, quads: Floats) -> list[str]:
    """Return the `complaints` for a photo with faces, by the faces alone."""
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
    """Return the median brightness of the pieces, and the median slope of their steepest edges."""
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
    """Return True if a whole photo, (h, w), has motion blur: no edge is steep in some direction."""
    zoom = SMALLER / max(grey.shape)
    if zoom < 1:
        grey = np.asarray(cv2.resize(grey, None, fx=zoom, fy=zoom, interpolation=cv2.INTER_AREA))
    soft = cv2.GaussianBlur(grey.astype(np.float32), (0, 0), 1)  # else noise has edges
    across, along = (cv2.Sobel(soft, cv2.CV_32F, *way, scale=0.125) for way in ((1, 0), (0, 1)))
    turned = (np.abs(np.cos(turn) * across + np.sin(turn) * along) for turn in np.pi * WAYS)
    low, high = np.percentile(soft, [1, 99])
    least = min(float(np.percentile(edges, STEEPEST)) for edges in turned)
    return float(high - low) > PLAIN and least < SMEARED * float(high - low)


def why_unread(photo: Photo) -> list[str]:
    """Return a sentence about a photo on which nothing sure was read; none if it looks good."""
    if max(photo.width, photo.height) <= COPY:
        return [TOO_FEW.format(width=photo.width, height=photo.height)]
    return [BLURRED] if is_blurred(photo.grey()) else []


def why_unclear(photo: Photo) -> list[str]:
    """Return a sentence about a photo of a sheet with many doubtful marks."""
    bright = np.percentile(photo.grey()[::8, ::8], 95)
    return [TOO_DARK] if bright < DIM else why_unread(photo)


def is_blurred(grey: Grey) -> bool:
    """Return True if a whole photo (h, w) is out of focus or moved, judged by its textured squares.

    A photo without any contrast is not called blurred.
    """
    zoom = min(1.0, LONGEST / max(grey.shape))
    small = cv2.resize(grey, None, fx=zoom, fy=zoom, interpolation=cv2.INTER_AREA)
    soft = np.asarray(cv2.GaussianBlur(small.astype(np.float32), (0, 0), 0.8), np.float32)
    low, high = _ends(soft)
    contrast = high - low
    textured = contrast >= CONTRAST
    if textured.sum() < FEWEST:
        return False
    x, y = (cv2.Sobel(soft, cv2.CV_32F, *order, scale=0.125) for order in ((1, 0), (0, 1)))
    ways = (x, y, (x + y) * 0.5**0.5, (x - y) * 0.5**0.5)
    steep = (_ends(np.abs(way))[1][textured] / contrast[textured] for way in ways)
    return any(np.percentile(edge, TENTH) < SOFT_PHOTO for edge in steep)


def _ends(plane: Floats32) -> tuple[Floats32, Floats32]:
    """Return the 2nd and the 98th percentile of each SQUARE of a plane (h, w), but for its rest.

    Sorting takes a fifth of the time of np.percentile.
    """
    high, wide = (side // SQUARE for side in plane.shape)
    cut = plane[: high * SQUARE, : wide * SQUARE].reshape(high, SQUARE, wide, SQUARE)
    levels = np.sort(cut.swapaxes(1, 2).reshape(-1, SQUARE * SQUARE), axis=1)
    return levels[:, 20:22].mean(axis=1), levels[:, -22:-20].mean(axis=1)
