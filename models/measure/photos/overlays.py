"""Pictures to look at: what lies there on the left, what was read on the right."""

from __future__ import annotations

import numpy as np

from models.dataset.annotation import AnnotatedImage, AnnotatedTile, middle_of
from models.measure.photos.compare import Verdict, between
from vision import Face, Photo, Reading, TileReading, draw_overlay
from vision.decode import Pixels
from vision.geometry import Quad

UNNAMED = "clear"  # drawn where the label names no colour


def side_by_side(photo: Photo, label: AnnotatedImage, verdict: Verdict, reading: Reading) -> Pixels:
    """Return truth and reading side by side; in the truth, what was missed or misread is dashed."""
    shown = (as_reading(photo, label, verdict), reading)
    pictures = [draw_overlay(photo, one, whole=True) for one in shown]
    high = max(picture.shape[0] for picture in pictures)
    below = [((0, high - picture.shape[0]), (0, 0), (0, 0)) for picture in pictures]
    return np.hstack([np.pad(*one) for one in zip(pictures, below, strict=True)])


def as_reading(photo: Photo, label: AnnotatedImage, verdict: Verdict) -> Reading:
    """Return the labelled pieces that count as if read, sure where the verdict found no fault."""
    wrong = {fault.at for fault in verdict.faults if fault.truth is not None}
    dice = tuple(
        _face(_corners(*die.box), die.value, middle_of(die.box) not in wrong, die.colour)
        for die in label.dice or ()
        if die.counts and die.value is not None
    )
    tiles = tuple(
        _tile(tile, between(*tile.centers) not in wrong)
        for tile in label.tiles or ()
        if tile.counts
    )
    return Reading(photo.width, photo.height, dice, tiles)


def _tile(tile: AnnotatedTile, sure: bool) -> TileReading:
    """Return the tile with each half a square between the middles, as long as they are apart."""
    middles = np.array(tile.centers)
    along = (middles[1] - middles[0]) / 2
    across = np.array([-along[1], along[0]])
    ends = [
        np.array([m - along + across, m - along - across, m + along - across, m + along + across])
        for m in middles
    ]
    first, second = (_face(end, value, sure) for end, value in zip(ends, tile.values, strict=True))
    whole = Quad.around(np.vstack([ends[0][:2], ends[1][2:]]))
    return TileReading(whole, (first, second), 1.0, sure)


def _face(corners: np.ndarray, value: int, sure: bool, colour: str | None = None) -> Face:
    probs = tuple(float(k == value) for k in range(7))
    return Face(Quad.around(corners), probs, ((colour or UNNAMED, 1.0),), 1.0, sure)


def _corners(x0: float, y0: float, x1: float, y1: float) -> np.ndarray:
    return np.array([(x0, y0), (x1, y0), (x1, y1), (x0, y1)])
