"""Draw on a part of a photo: outlines and words that are legible in sunlight, on any background.

Meanings differ by more than colour: a doubtful outline is dashed, a forbidden one is three times as
thick with a white rim, and words have a dark background.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import cv2
import numpy as np

from vision.geometry import Floats
from vision.photo import Photo, Pixels
from vision.quad import Point, Quad
from vision.tags import Box, place_tags, touching_point

Bgr = tuple[int, int, int]

SURE: Bgr = (80, 200, 60)
DOUBTFUL: Bgr = (0, 140, 255)
FORBIDDEN: Bgr = (40, 30, 225)
BOARD: Bgr = (220, 160, 60)
UNREAD: Bgr = (160, 160, 160)
DARK: Bgr = (24, 24, 24)
LIGHT: Bgr = (255, 255, 255)
DASH = 6.0  # line widths, length of a dash that is visible on a phone
HEAVY = 3  # line widths, of a forbidden outline
FONT, SIZE = cv2.FONT_HERSHEY_SIMPLEX, 0.4  # scale of its letters per line width
LEADING = 17  # line widths from one line of text to the next
PAD = 2  # line widths between a word and the edge of its background
LEGIBLE = 1000  # px on the longer side; a smaller part of a photo is enlarged to it

Tag = tuple[str, Bgr]  # text and colour


@dataclass(frozen=True, slots=True)
class DrawnPart:
    """The part of a photo to draw on."""

    canvas: Pixels  # `part`, enlarged, with the drawing
    part: Pixels  # a view of the decoded photo
    frame: Box  # px of the photo
    zoom: float  # px of the canvas per px of the photo

    @classmethod
    def of(cls, photo: Photo, frame: Box) -> DrawnPart:
        """Cut the frame out, at whole px, and enlarge it if words would be illegible."""
        corners = Quad.around(frame.corners).scaled(1 / photo.scale).array
        left, top = np.maximum(corners.min(axis=0).round().astype(int), 0)
        right, bottom = corners.max(axis=0).round().astype(int)
        part = photo.bgr[top : bottom + 1, left : right + 1]
        zoom = 1.0
        if part.size < photo.bgr.size:
            zoom = max(1.0, LEGIBLE / max(part.shape[:2]))
        high, wide = (round(zoom * side) for side in part.shape[:2])
        canvas = part.copy() if zoom == 1 else cv2.resize(part, (wide, high))
        edge = Box(
            left * photo.scale,
            top * photo.scale,
            wide / zoom * photo.scale,
            high / zoom * photo.scale,
        )
        return cls(np.asarray(canvas, np.uint8), part, edge, zoom / photo.scale)

    def points(self, points: Floats) -> Floats:
        """Convert px of the photo to px of the canvas; pixel centres are at half pixels."""
        moved: Floats = (points + 0.5 - (self.frame.left, self.frame.top)) * self.zoom - 0.5
        return moved

    def quad(self, quad: Quad) -> Quad:
        """Convert a quad from the photo to the canvas."""
        a, b, c, d = ((float(x), float(y)) for x, y in self.points(quad.array))
        return Quad((a, b, c, d))


def write_tags(shown: DrawnPart, faces: Sequence[Quad], tags: Sequence[Tag | None]) -> None:
    """Write each tag beside its face, with a line to it."""
    canvas = shown.canvas
    drawn = [shown.quad(face) for face in faces]
    sizes = [None if tag is None else ground_size(tag[0], canvas) for tag in tags]
    all_of_it = Box(0.0, 0.0, canvas.shape[1], canvas.shape[0])
    placed = place_tags(all_of_it, drawn, sizes)
    for face, tag, box in zip(drawn, tags, placed, strict=True):
        if tag is not None and box is not None:
            _line(canvas, np.array(touching_point(face, box)), np.array(box.center), tag[1])
    for tag, box in zip(tags, placed, strict=True):
        if tag is not None and box is not None:
            write_about(canvas, np.array(box.center), *tag)


def words_below(sentences: Sequence[str], canvas: Pixels) -> list[Pixels]:
    """Return sentences on a strip as wide as the canvas, in a list; empty without sentences."""
    width, room = line_width(canvas), 0.97 * canvas.shape[1]
    lines = [line for sentence in sentences for line in _wrapped(sentence, room, width)]
    if not lines:
        return []
    high = round(LEADING * width * (len(lines) + 0.5))
    strip: Pixels = np.full((high, canvas.shape[1], 3), DARK, np.uint8)
    for number, line in enumerate(lines, 1):
        at = (0.01 * strip.shape[1], LEADING * width * number)
        cv2.putText(strip, line, _px(np.array(at)), FONT, SIZE * width, LIGHT, width, cv2.LINE_AA)
    return [strip]


def _wrapped(text: str, room: float, width: int) -> list[str]:
    """Break a sentence at its spaces into lines of at most *room* px, if words permit."""
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".lstrip()
        if lines[-1] and _size(longer, width)[0] > room:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines


def line_width(canvas: Pixels) -> int:
    """Return the width of lines on a canvas, px."""
    longest: int = max(canvas.shape[:2])
    return max(1, round(longest / 500))


def outline(canvas: Pixels, quad: Quad, colour: Bgr) -> None:
    """Draw the sides, DOUBTFUL ones dashed, with a dark rim, so that they show on any colour."""
    width = line_width(canvas)
    ring = quad.array
    for start, end in zip(ring, np.roll(ring, -1, axis=0), strict=True):
        pieces = max(1, int(np.hypot(*(end - start)) / (DASH * width))) | 1
        if colour != DOUBTFUL:
            pieces = 1
        marks = start + (end - start) * np.linspace(0, 1, pieces + 1)[:, None]
        for a, b in list(pairwise(marks))[::2]:
            _line(canvas, a, b, colour)


def hairline(canvas: Pixels, quad: Quad) -> None:
    """Draw the outline of a cell of the board with thin lines, as there are many of them."""
    ring = quad.array
    for start, end in zip(ring, np.roll(ring, -1, axis=0), strict=True):
        for line, thick in ((DARK, 3), (BOARD, 1)):
            cv2.line(canvas, _px(start), _px(end), line, thick, cv2.LINE_AA)


def _line(canvas: Pixels, start: Floats, end: Floats, colour: Bgr) -> None:
    width, rim = line_width(canvas), DARK
    if colour == FORBIDDEN:
        width, rim = HEAVY * width, LIGHT
    for line, thick in ((rim, width + 2), (colour, width)):
        cv2.line(canvas, _px(start), _px(end), line, thick, cv2.LINE_AA)


def write_about(canvas: Pixels, middle: Floats, text: str, colour: Bgr) -> None:
    """Write a text around a point on a dark background; a forbidden one in white on its colour."""
    width = line_width(canvas)
    wide, high, below = _size(text, width)
    ground_wide, ground_high = ground_size(text, canvas)
    half = np.array((ground_wide, ground_high)) / 2
    ground = DARK
    if colour == FORBIDDEN:
        ground, colour = FORBIDDEN, LIGHT
    cv2.rectangle(canvas, _px(middle - half), _px(middle + half), ground, -1)
    at: Point = (middle[0] - wide / 2, middle[1] + (high + below) / 2 - below)
    cv2.putText(canvas, text, _px(np.array(at)), FONT, SIZE * width, colour, width, cv2.LINE_AA)


def ground_size(text: str, canvas: Pixels) -> tuple[float, float]:
    """Return the width and height of a text's background, px."""
    width = line_width(canvas)
    wide, high, below = _size(text, width)
    return wide + 2.0 * PAD * width, high + below + 2.0 * PAD * width


def _size(text: str, width: int) -> tuple[int, int, int]:
    """Return the length of a line of text, its height above the baseline and depth below, px."""
    (wide, high), below = cv2.getTextSize(text, FONT, SIZE * width, width)
    return wide, high, below


def _px(point: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> tuple[int, int]:
    return round(float(point[0])), round(float(point[1]))
