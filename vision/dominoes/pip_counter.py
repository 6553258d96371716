"""Count the pips on halves of dominoes that may have more than six.

In: a photo, and tiles as they were classified. Out: the tiles with the halves that show seven pips
or more. The networks know six; where a set may be larger, pips are counted as blobs that differ
from the face, of one size and round.
"""

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.faces.classifier import rectify
from vision.geometry import Floats
from vision.photo import Photo, Pixels
from vision.quad import Quad
from vision.reading import Face, TileReading

FEWEST, MOST = 7, 18  # pips that are counted; no set that is sold has more
MANY_LIKE = (4, 5, 6)  # what the classifier takes a half with more pips for
SIDE, MARGIN, EDGE = 96, 3, 5  # px of the crop of a half, left out at its edges, without pips
SMALLEST = 24.0  # px of a half's side on the photo, below which pips run together
LEAST = 0.002  # share of the crop, of a blob
CONTRAST = 18.0  # CIELAB, least difference of pips from the face
ALIKE = (0.45, 1.9)  # times the median area, of a pip
ROUND, LONG = 0.6, 1.9  # share of its box that a pip fills at least; longest box, times its width
BELIEVED = 0.9  # share of such counts that are right, at a guess; so each is asked about


def counted(photo: Photo, tiles: Sequence[TileReading]) -> tuple[TileReading, ...]:
    """Return the tiles, with the halves on which seven pips or more are counted."""
    return tuple(_counted(photo, tile) for tile in tiles)


def _counted(photo: Photo, tile: TileReading) -> TileReading:
    halves = tuple(_with_count(photo, half) for half in tile.halves)
    if halves == tile.halves:
        return tile
    confidence = min(half.confidence for half in halves)
    first, second = halves
    return replace(tile, halves=(first, second), confidence=confidence, sure=False)


def _with_count(photo: Photo, half: Face) -> Face:
    """Return the half with the value that is counted on it, if that is a large one."""
    quad = half.quad.scaled(1 / photo.scale)
    if half.value not in MANY_LIKE or quad.side < SMALLEST:
        return half
    pips = count_pips(half_crop(photo.bgr, quad))
    if pips is None or pips < FEWEST:
        return half
    rest = (1 - BELIEVED) / sum(half.probs)
    probs = [*(rest * share for share in half.probs), *[0.0] * (pips - len(half.probs)), BELIEVED]
    return replace(half, probs=tuple(probs), confidence=BELIEVED, sure=False)


def half_crop(bgr: Pixels, quad: Quad) -> Pixels:
    """Return (SIDE, SIDE, 3) BGR px of a half with its *quad* in px of the picture."""
    square = np.array([(0, 0), (SIDE, 0), (SIDE, SIDE), (0, SIDE)]) - 0.5
    crop: Pixels = rectify(bgr, quad.array[None], square, (SIDE, SIDE))[0]
    return crop


def count_pips(crop: Pixels) -> int | None:
    """Return how many equal round blobs a crop shows; None if something else is on it."""
    areas, fills, longs, inside = _blobs(_away_from_face(crop))
    if inside.sum() < FEWEST:
        return None
    size = areas / np.median(areas[inside])
    alike = (ALIKE[0] < size) & (size < ALIKE[1]) & (fills > ROUND) & (longs < LONG)
    strange = (size > ALIKE[0]) & ~alike & inside  # smaller ones are glare or dirt
    count = int((alike & inside).sum())
    return None if strange.any() or (alike & ~inside).any() or count > MOST else count


def _away_from_face(crop: Pixels) -> NDArray[np.uint8]:
    """Return a mask of the px that differ from the face, by Otsu's threshold."""
    lab = cv2.cvtColor(cv2.GaussianBlur(crop, (3, 3), 0), cv2.COLOR_BGR2LAB).astype(np.float32)
    inner = lab[MARGIN:-MARGIN, MARGIN:-MARGIN]
    edges = (inner[:EDGE], inner[-EDGE:], inner[:, :EDGE], inner[:, -EDGE:])
    face = np.median(np.concatenate([edge.reshape(-1, 3) for edge in edges]), axis=0)
    away = np.linalg.norm(inner - face, axis=2).clip(0, 255).astype(np.uint8)
    least, mask = cv2.threshold(away, 0, 255, cv2.THRESH_BINARY | cv2.THRESH_OTSU)
    return np.asarray(mask if least >= CONTRAST else 0 * mask, np.uint8)


def _blobs(mask: NDArray[np.uint8]) -> tuple[Floats, Floats, Floats, NDArray[np.bool_]]:
    """Return areas, with glare in them, shares of boxes, lengths by widths, and which are whole."""
    outlines, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    boxes = np.array([cv2.boundingRect(outline) for outline in outlines], np.float64)
    areas = np.array([cv2.contourArea(cv2.convexHull(one)) for one in outlines], np.float64)
    x, y, wide, high = boxes.reshape(-1, 4).T
    high_px, wide_px = mask.shape
    inside = (x > 0) & (y > 0) & (x + wide < wide_px) & (y + high < high_px)
    own = areas >= LEAST * mask.size
    longest, shortest = np.maximum(wide, high), np.minimum(wide, high)
    return areas[own], (areas / (wide * high))[own], (longest / shortest)[own], inside[own]
