"""Draw a reading on its photo, so that a person sees what the eyes saw.

The part with the pieces is drawn large, with a tag for each piece that covers no other one
(`vision.tags`); below stand the warnings and, small, the whole photo: what was overlooked may lie
beyond the part.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import cv2
import numpy as np

from vision.decode import Photo, Pixels
from vision.geometry import Floats, Point, Quad
from vision.reading import Face, Reading, Tile
from vision.tags import Box, frame_around, frame_of, place_tags, touching_point

Bgr = tuple[int, int, int]

SURE: Bgr = (80, 200, 60)
DOUBTFUL: Bgr = (0, 140, 255)
BOARD: Bgr = (220, 160, 60)
DASH = 6.0  # line widths; long enough to be seen as a dash on a phone
DARK: Bgr = (24, 24, 24)
LIGHT: Bgr = (255, 255, 255)
FONT, SIZE = cv2.FONT_HERSHEY_SIMPLEX, 0.4  # of its letters, times the width of a line
BY_BAR = 0.28  # of the way from the middle of a tile to that of a half
LEADING = 17  # line widths from one line of text to the next
PAD = 2  # line widths between a word and the edge of its ground
LEGIBLE = 1000  # px on the longer side; a smaller part of a photo is enlarged to it
BELOW = 0.4  # of the height of the part: the whole photo below it at most

Tag = tuple[str, Bgr]


def draw_overlay(photo: Photo, reading: Reading, *, whole: bool = False) -> Pixels:
    """Return a picture of the photo with every outline and reading drawn on it.

    A doubtful piece is dashed and its text ends in "?": the difference does not hang on colour. So
    is a place where another piece may lie. The halves of a tile that lies on cells are outlined
    too, and "^2" says that two tiles lie under it. *whole*: all of the photo is drawn, none of it
    enlarged.
    """
    shown = _Shown.of(
        photo, Box(0.0, 0.0, photo.width, photo.height) if whole else frame_of(reading)
    )
    _draw(shown, reading)
    strips = [shown.canvas, *_warnings(reading, shown)]
    if shown.part.size < photo.bgr.size:
        strips.append(_overview(photo, reading, shown))
    return np.vstack(strips)


def draw_marks(photo: Photo, marks: Sequence[tuple[Quad, str, Bgr]]) -> Pixels:
    """Return the part of the photo with outlines, px of the photo, and their words."""
    quads = [quad for quad, _, _ in marks]
    shown = _Shown.of(photo, frame_around(photo.width, photo.height, quads))
    for quad, _, colour in marks:
        _outline(shown.canvas, shown.quad(quad), colour)
    _write_tags(shown, quads, [(text, colour) for _, text, colour in marks])
    return shown.canvas


@dataclass(frozen=True, slots=True)
class _Shown:
    """The part of a photo that is drawn on: `canvas` is `part` enlarged."""

    canvas: Pixels
    part: Pixels  # a view of the photo's px as they were decoded
    frame: Box  # px of the photo
    zoom: float  # px of the canvas to a px of the photo

    @classmethod
    def of(cls, photo: Photo, frame: Box) -> _Shown:
        """Cut the frame out, at whole px, and enlarge it where words would be illegible."""
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
        """Return px of the photo as px of the canvas; px centres lie at half px."""
        moved: Floats = (points + 0.5 - (self.frame.left, self.frame.top)) * self.zoom - 0.5
        return moved

    def quad(self, quad: Quad) -> Quad:
        """Return a quad of the photo on the canvas."""
        a, b, c, d = ((float(x), float(y)) for x, y in self.points(quad.array))
        return Quad((a, b, c, d))


def _draw(shown: _Shown, reading: Reading) -> None:
    canvas = shown.canvas
    if reading.board:
        _outline(canvas, shown.quad(reading.board.corners), BOARD)
    faces: list[Quad] = []
    tags: list[Tag | None] = []
    for die in reading.dice:
        text, colour = f"{die.value} {die.colour_words}", SURE if die.sure else DOUBTFUL
        _outline(canvas, shown.quad(die.quad), colour)
        faces.append(die.quad)
        tags.append((text if die.sure else f"{text} ?", colour))
    for tile in reading.tiles:
        colour = SURE if tile.sure else DOUBTFUL
        if tile.halves[0].cell is not None:
            for half in tile.halves:
                _outline(canvas, shown.quad(half.quad), BOARD)
        _outline(canvas, shown.quad(tile.quad), colour)
        by_bar = _fits_by_bar(shown, tile)
        if by_bar and tile.level:
            _write_about(
                canvas, shown.points(tile.quad.array.mean(axis=0)), f"^{tile.level}", BOARD
            )
        for half in tile.halves:
            faces.append(half.quad)
            tags.append(None if by_bar else (str(half.value), colour))
            if by_bar:
                at = tile.quad.center + BY_BAR * (np.array(half.center) - tile.quad.center)
                _write_about(canvas, shown.points(at), str(half.value), colour)
    for place in reading.missed_candidates:
        _outline(canvas, shown.quad(place), DOUBTFUL)
        faces.append(place)
        tags.append(("?", DOUBTFUL))
    _write_tags(shown, faces, tags)


def _fits_by_bar(shown: _Shown, tile: Tile) -> bool:
    """Say whether the values can be written by the bar: plainly of this tile, hiding little."""
    wide, high, below = _size("6", _width(shown.canvas))
    side = min(half.quad.side for half in tile.halves) * shown.zoom
    return 2 * max(wide, high + below) < side


def _write_tags(shown: _Shown, faces: Sequence[Quad], tags: Sequence[Tag | None]) -> None:
    """Write each tag beside its face, with a line to it."""
    canvas = shown.canvas
    drawn = [shown.quad(face) for face in faces]
    sizes = [None if tag is None else _ground(tag[0], _width(canvas)) for tag in tags]
    all_of_it = Box(0.0, 0.0, canvas.shape[1], canvas.shape[0])
    placed = place_tags(all_of_it, drawn, sizes)
    for face, tag, box in zip(drawn, tags, placed, strict=True):
        if tag is not None and box is not None:
            _line(canvas, np.array(touching_point(face, box)), np.array(box.center), tag[1])
    for tag, box in zip(tags, placed, strict=True):
        if tag is not None and box is not None:
            _write_about(canvas, np.array(box.center), *tag)


def _warnings(reading: Reading, shown: _Shown) -> list[Pixels]:
    """Return the warnings as a strip as wide as the canvas; none where there are none."""
    width, room = _width(shown.canvas), 0.97 * shown.canvas.shape[1]
    lines = [line for told in reading.warnings for line in _wrapped(told, room, width)]
    if not lines:
        return []
    high = round(LEADING * width * (len(lines) + 0.5))
    strip: Pixels = np.full((high, shown.canvas.shape[1], 3), DARK, np.uint8)
    for number, line in enumerate(lines, 1):
        at = (0.01 * strip.shape[1], LEADING * width * number)
        cv2.putText(strip, line, _px(np.array(at)), FONT, SIZE * width, LIGHT, width, cv2.LINE_AA)
    return [strip]


def _overview(photo: Photo, reading: Reading, shown: _Shown) -> Pixels:
    """Return the whole photo small on a strip as wide as the canvas, with all outlines."""
    high, wide = shown.canvas.shape[:2]
    scale = min(BELOW * high / photo.bgr.shape[0], wide / photo.bgr.shape[1])
    size = (max(round(photo.bgr.shape[1] * scale), 1), max(round(photo.bgr.shape[0] * scale), 1))
    small = np.asarray(cv2.resize(photo.bgr, size, interpolation=cv2.INTER_AREA), np.uint8)
    to_small = scale / photo.scale
    _outline(small, Quad.around(shown.frame.corners).scaled(to_small), LIGHT)
    pieces: tuple[Face | Tile, ...] = (*reading.dice, *reading.tiles)
    for piece in pieces:
        _outline(small, piece.quad.scaled(to_small), SURE if piece.sure else DOUBTFUL)
    for place in reading.missed_candidates:
        _outline(small, place.scaled(to_small), DOUBTFUL)
    strip: Pixels = np.full((small.shape[0], wide, 3), DARK, np.uint8)
    strip[:, : small.shape[1]] = small
    return strip


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
            _line(canvas, a, b, colour)


def _line(canvas: Pixels, start: Floats, end: Floats, colour: Bgr) -> None:
    width = _width(canvas)
    for line, thick in (((0, 0, 0), width + 2), (colour, width)):
        cv2.line(canvas, _px(start), _px(end), line, thick, cv2.LINE_AA)


def _write_about(canvas: Pixels, middle: Floats, text: str, colour: Bgr) -> None:
    """Write on a dark ground around a point."""
    width = _width(canvas)
    wide, high, below = _size(text, width)
    ground_wide, ground_high = _ground(text, width)
    half = np.array((ground_wide, ground_high)) / 2
    cv2.rectangle(canvas, _px(middle - half), _px(middle + half), DARK, -1)
    at: Point = (middle[0] - wide / 2, middle[1] + (high + below) / 2 - below)
    cv2.putText(canvas, text, _px(np.array(at)), FONT, SIZE * width, colour, width, cv2.LINE_AA)


def _ground(text: str, width: int) -> tuple[float, float]:
    """Return the size of the ground on which a text is written, px."""
    wide, high, below = _size(text, width)
    return wide + 2.0 * PAD * width, high + below + 2.0 * PAD * width


def _size(text: str, width: int) -> tuple[int, int, int]:
    """Return px: how long a line of text is, how high above its base line, how deep below it."""
    (wide, high), below = cv2.getTextSize(text, FONT, SIZE * width, width)
    return wide, high, below


def _px(point: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> tuple[int, int]:
    return round(float(point[0])), round(float(point[1]))
