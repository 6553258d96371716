"""Draw a reading on its photo, so that a person sees what the eyes saw."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import cv2
import numpy as np

from vision.geometry import Floats, Point, Quad
from vision.photo import Photo, Pixels
from vision.reading import Reading

Bgr = tuple[int, int, int]

SURE: Bgr = (80, 200, 60)
DOUBTFUL: Bgr = (0, 140, 255)
BOARD: Bgr = (220, 160, 60)
DASH = 6.0  # line widths; long enough to be seen as a dash on a phone
DARK: Bgr = (24, 24, 24)
FONT, SIZE = cv2.FONT_HERSHEY_SIMPLEX, 0.4  # of its letters, times the width of a line
BY_BAR = 0.28  # of the way from the middle of a tile to that of a half
LEADING = 17  # line widths from one line of text to the next


def draw_overlay(photo: Photo, reading: Reading) -> Pixels:
    """Return a copy of the photo's pixels with every outline and reading drawn on it.

    A doubtful piece is dashed and its text ends in "?": the difference does not hang on colour. So
    is a place where another piece may lie.
    """
    canvas = photo.bgr.copy()
    shrink = 1 / photo.scale
    if reading.board:
        _outline(canvas, reading.board.corners.scaled(shrink), BOARD)
    for die in reading.dice:
        text, colour = f"{die.value} {die.colour_words}", SURE if die.sure else DOUBTFUL
        _mark(canvas, die.quad.scaled(shrink), text if die.sure else f"{text} ?", colour)
    for tile in reading.tiles:
        colour = SURE if tile.sure else DOUBTFUL
        _outline(canvas, tile.quad.scaled(shrink), colour)
        for half in tile.halves:  # by the bar: plainly of this tile, and hiding little
            at = tile.quad.center + BY_BAR * (np.array(half.center) - tile.quad.center)
            _write_about(canvas, at * shrink, str(half.value), colour)
    for place in reading.perhaps:
        _mark(canvas, place.scaled(shrink), "?", DOUBTFUL)
    room = 0.97 * canvas.shape[1]
    lines = [line for told in reading.warnings for line in _wrapped(told, room, _width(canvas))]
    for number, line in enumerate(lines, 1):
        _write_line(canvas, (0.01 * canvas.shape[1], LEADING * _width(canvas) * number), line)
    return canvas


def _wrapped(text: str, room: float, width: int) -> list[str]:
    """Break a sentence at its blanks into lines that are at most *room* px long if they can be."""
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".lstrip()
        if lines[-1] and _size(longer, width)[0] > room:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines


def draw_marks(photo: Photo, marks: Sequence[tuple[Quad, str, Bgr]]) -> Pixels:
    """Return a copy of the photo's pixels with outlines, px of the photo, and their words."""
    canvas = photo.bgr.copy()
    for quad, text, colour in marks:
        _mark(canvas, quad.scaled(1 / photo.scale), text, colour)
    return canvas


def _mark(canvas: Pixels, quad: Quad, text: str, colour: Bgr) -> None:
    _outline(canvas, quad, colour)
    _write(canvas, quad, text, colour)


def _width(canvas: Pixels) -> int:
    longest: int = max(canvas.shape[:2])
    return max(1, round(longest / 500))


def _outline(canvas: Pixels, quad: Quad, colour: Bgr) -> None:
    """Draw the sides, DOUBTFUL ones dashed, on a dark rim, so that they show on any body."""
    width = _width(canvas)
    ring = quad.array
    for start, end in zip(ring, np.roll(ring, -1, axis=0), strict=True):
        pieces = max(1, int(np.hypot(*(end - start)) / (DASH * width))) | 1
        if colour != DOUBTFUL:
            pieces = 1
        marks = start + (end - start) * np.linspace(0, 1, pieces + 1)[:, None]
        for a, b in list(pairwise(marks))[::2]:
            for line, thick in (((0, 0, 0), width + 2), (colour, width)):
                cv2.line(canvas, _px(a), _px(b), line, thick, cv2.LINE_AA)


def _write(canvas: Pixels, quad: Quad, text: str, colour: Bgr) -> None:
    left, top = quad.array.min(axis=0)
    _write_line(canvas, (left, max(top - 2.0 * _width(canvas), 12.0)), text, colour)


def _write_about(canvas: Pixels, middle: Floats, text: str, colour: Bgr) -> None:
    wide, high, _ = _size(text, _width(canvas))
    _write_line(canvas, (middle[0] - wide / 2, middle[1] + high / 2), text, colour)


def _write_line(canvas: Pixels, at: Point, text: str, colour: Bgr = (255, 255, 255)) -> None:
    """Write on a dark ground, from the lower left corner on."""
    width = _width(canvas)
    wide, high, below = _size(text, width)
    x, y = _px(np.array(at))
    corners = (x - 2 * width, y - high - 2 * width), (x + wide + 2 * width, y + below)
    cv2.rectangle(canvas, *corners, DARK, -1)
    cv2.putText(canvas, text, (x, y), FONT, SIZE * width, colour, width, cv2.LINE_AA)


def _size(text: str, width: int) -> tuple[int, int, int]:
    """Return px: how long a line of text is, how high above its base line, how deep below it."""
    (wide, high), below = cv2.getTextSize(text, FONT, SIZE * width, width)
    return wide, high, below


def _px(point: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> tuple[int, int]:
    return round(float(point[0])), round(float(point[1]))
