"""What is printed on things and is no die: patches, discs, text, labels, dots, ruled grids."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
from numpy.typing import NDArray

from models.textures.colour import any_colour
from models.textures.texture import SKETCH_SIDE, Picture, Random

OFTEN = "eeeeaaaooiinnsrrttdlucmpghbkwzy     "  # letters of words, about as often as in them
FIGURES = "0123456789ABCDEFGHKMNOPQRSTUXYZ .:"
Paint = tuple[float, ...]  # RGB in [0, 255], as OpenCV draws with it
Pixels = NDArray[np.uint8]  # (h, w, 3) RGB
MarkAt = tuple[int, int]  # px, its middle


def printed(rng: Random, made: Picture, count: int, largest: float) -> Picture:
    """Return the surface with so many prints on it."""
    paper = np.ascontiguousarray((255 * np.clip(made, 0, 1)).astype(np.uint8))
    for _ in range(count):
        print_one(rng, paper, rng.uniform(0.1, 1) * largest)
    return (paper / np.float32(255)).astype(np.float32)


def print_one(rng: Random, made: Pixels, size: float) -> None:
    """Print one thing that is no die on *made*."""
    x, y = (int(rng.integers(0, SKETCH_SIDE)) for _ in range(2))
    colour = paint(rng)
    line = int(rng.choice([-1, 1, 2, 4]))
    MARKS[int(rng.integers(len(MARKS)))](rng, made, (x, y), size, colour, line)


def _half(size: float) -> int:
    return max(3, int(size / 2))


def _patch(_: Random, made: Pixels, at: MarkAt, size: float, colour: Paint, line: int) -> None:
    end = at[0] + int(size), at[1] + _half(size)
    cv2.rectangle(made, at, end, colour, line, cv2.LINE_AA)


def _disc(_: Random, made: Pixels, at: MarkAt, size: float, colour: Paint, line: int) -> None:
    cv2.circle(made, at, _half(size), colour, line, cv2.LINE_AA)


def _polygon(rng: Random, made: Pixels, at: MarkAt, size: float, colour: Paint, _: int) -> None:
    spread = rng.uniform(-size, size, (int(rng.integers(3, 8)), 2))
    corners = (spread + np.array(at)).astype(np.int32)
    cv2.fillPoly(made, [cv2.convexHull(corners)], colour, cv2.LINE_AA)


def _label(rng: Random, made: Pixels, at: MarkAt, size: float, colour: Paint, _: int) -> None:
    text = words(rng, 12)
    (x, y), half, ground = at, _half(size), paint(rng)
    low, high = (x - half // 6, y - half // 2), (x + int(size), y + int(0.8 * size))
    cv2.rectangle(made, low, high, ground, -1, cv2.LINE_AA)
    _lines(rng, made, text[: int(rng.integers(5, 12))], at, size, colour)


def _text(rng: Random, made: Pixels, at: MarkAt, size: float, colour: Paint, _: int) -> None:
    _lines(rng, made, words(rng, 12), at, size, colour)


def _lines(rng: Random, made: Pixels, text: str, at: MarkAt, size: float, colour: Paint) -> None:
    for row in range(int(rng.integers(1, 6))):
        write(rng, made, text, (at[0], at[1] + int(row * size / 4)), size / 5, colour)


def _numbered_disc(
    rng: Random, made: Pixels, at: MarkAt, size: float, colour: Paint, _: int
) -> None:
    half, ground = _half(size), paint(rng)
    cv2.circle(made, at, half, ground, -1, cv2.LINE_AA)
    place = (at[0] - half // 2, at[1] + half // 3)
    write(rng, made, str(int(rng.integers(1, 13))), place, 0.4 * size, colour)


def _dots(rng: Random, made: Pixels, at: MarkAt, size: float, colour: Paint, line: int) -> None:
    """Print rows of dots, as on printed sheets."""
    step = max(4, int(size / rng.uniform(2, 5)))
    for i in range(int(rng.integers(1, 6))):
        for j in range(int(rng.integers(3, 9))):
            place = (at[0] + j * step, at[1] + i * step)
            cv2.circle(made, place, max(1, step // 4), colour, line, cv2.LINE_AA)


def _grid(rng: Random, made: Pixels, at: MarkAt, size: float, colour: Paint, line: int) -> None:
    (x, y), n, step, thick = at, int(rng.integers(2, 6)), int(size / 2), max(1, line)
    for k in range(0, (n + 1) * step, step):
        cv2.line(made, (x, y + k), (x + n * step, y + k), colour, thick, cv2.LINE_AA)
        cv2.line(made, (x + k, y), (x + k, y + n * step), colour, thick, cv2.LINE_AA)


MARKS: tuple[Callable[[Random, Pixels, MarkAt, float, Paint, int], None], ...] = (
    _patch,
    _disc,
    _polygon,
    _label,
    _text,
    _numbered_disc,
    _dots,
    _grid,
)


def paint(rng: Random) -> Paint:
    """Return a colour as OpenCV draws with it."""
    return tuple(float(255 * c) for c in any_colour(rng))


def words(rng: Random, letters: int) -> str:
    """Return words of so many letters in all, or capitals and figures."""
    return spelt(rng, OFTEN if rng.random() < 0.7 else FIGURES, letters)


def spelt(rng: Random, some: str, letters: int) -> str:
    """Return so many of *some* letters."""
    return "".join(rng.choice(list(some), letters))


def write(
    rng: Random,
    made: NDArray[np.uint8],
    text: str,
    place: tuple[int, int],
    size: float,
    colour: Paint,
) -> None:
    """Write letters some *size* px high, from their lower left corner on, on *made*."""
    face = cv2.FontFace(str(rng.choice(["sans", "italic", "uni"])))
    cv2.putText(made, text, place, colour, face, max(4, int(size)), int(rng.integers(200, 900)))
