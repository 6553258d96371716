"""Sheets with figures, crosses and ticks in ruled cells."""

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from models.textures.surfaces import SKETCH_SIDE, Picture, Random, any_colour, plain

CELL = (13.0, 190.0)  # px, side of a cell
PRINT = ("sans", "italic", "uni")
PENS = (cv2.FONT_HERSHEY_SCRIPT_SIMPLEX, cv2.FONT_HERSHEY_SIMPLEX, cv2.FONT_HERSHEY_COMPLEX)
LETTERS = "ABCDEFGHIKLMNOPRSTUVWXYZ"

AnyPixels = NDArray[np.integer[Any] | np.floating[Any]]  # what OpenCV says that it returns
Paint = tuple[float, ...]  # RGB in [0, 255]


def ruled(rng: Random) -> Picture:
    """Return a sheet of ruled cells: puzzles, calendars, score sheets, forms, crosswords.

    Some are out of focus, and in some the colours have run further than the light, as on the
    small sensors and coarse chroma of old phones.
    """
    bright = rng.uniform(0.5, 0.85)
    sheet = 255 * (bright + (1 - bright) * np.clip(plain(rng), 0, 1))
    if rng.random() < 0.15:  # a dark or a coloured one
        sheet = 255 * np.clip(plain(rng), 0, 1)
    paper = np.ascontiguousarray(sheet.astype(np.uint8))
    step = np.exp(rng.uniform(*np.log(CELL)))
    most = int(np.ceil(1.2 * SKETCH_SIDE / step))
    if rng.random() < 0.5:  # one that covers everything
        _sheet(rng, paper, rng.uniform(-0.5, 0.1, 2) * step, (most, most), step)
    else:
        for _ in range(int(rng.integers(1, 6))):
            columns, rows = rng.integers(2, max(3, min(13, most)), 2).tolist()
            _sheet(rng, paper, rng.uniform(0, 0.7, 2) * SKETCH_SIDE, (rows, columns), step)
    return (_soft(rng, paper, step) / np.float32(255)).astype(np.float32)


def _sheet(
    rng: Random,
    paper: NDArray[np.uint8],
    corner: NDArray[np.float64],
    shape: tuple[int, int],
    step: float,
) -> None:
    """Rule a block of (rows, columns) and fill its cells."""
    high = step * rng.choice([1.0, rng.uniform(0.5, 1.1)])
    pitch = np.array([step, high])
    _shade(rng, paper, corner, shape, pitch)
    _rule(rng, paper, corner, shape, pitch)
    inks = [_ink(rng) for _ in range(int(rng.choice([1, 1, 2, 4])))]
    by_hand, full = rng.random() < 0.3, rng.uniform(0.15, 0.95)
    size, slip = high * rng.uniform(0.45, 0.9), 0.12 if by_hand else 0.02
    face, weight = str(rng.choice(PRINT)), int(rng.integers(200, 900))
    pen, thick = int(rng.choice(PENS)), max(1, round(size * rng.uniform(0.05, 0.16)))
    long = rng.random() < 0.15  # numbers of two figures, words of two letters
    some = "0123456789" if rng.random() < 0.8 else LETTERS
    for row, column in np.ndindex(*shape):
        if rng.random() > full:
            continue
        ink = inks[int(rng.integers(len(inks)))]
        middle = corner + (np.array([column, row]) + 0.5 + rng.normal(0, slip, 2)) * pitch
        if by_hand and rng.random() < 0.2:
            _mark(rng, paper, middle, 0.4 * size, ink, thick)
            continue
        text = "".join(rng.choice(list(some), 1 + int(long and rng.random() < 0.7)))
        x, y = middle - (0.3 * size * len(text), -0.36 * size)
        if by_hand:
            scale = size / 30  # a Hershey figure is some 22 px high at 1
            cv2.putText(paper, text, (int(x), int(y)), pen, scale, ink, thick, cv2.LINE_AA)
        else:
            font = cv2.FontFace(face)
            cv2.putText(paper, text, (int(x), int(y)), ink, font, max(4, int(size)), weight)


def _shade(
    rng: Random,
    paper: NDArray[np.uint8],
    corner: NDArray[np.float64],
    shape: tuple[int, int],
    pitch: NDArray[np.float64],
) -> None:
    """Lay another colour under every other block of cells, or under some at random."""
    if rng.random() < 0.6:
        return
    block, colour = int(rng.choice([1, 1, 3])), 255 * any_colour(rng)
    share = rng.uniform(0.1, 1)
    strewn = rng.random() < 0.3
    for row, column in np.ndindex(*shape):
        if rng.random() < 0.8 if strewn else (row // block + column // block) % 2:
            continue
        (x0, y0), (x1, y1) = (
            np.clip(corner + np.array([column + k, row + k]) * pitch, 0, SKETCH_SIDE).astype(int)
            for k in (0, 1)
        )
        cell = paper[y0:y1, x0:x1]
        cell[:] = cell + share * (colour - cell)


def _rule(
    rng: Random,
    paper: NDArray[np.uint8],
    corner: NDArray[np.float64],
    shape: tuple[int, int],
    pitch: NDArray[np.float64],
) -> None:
    """Draw the lines, every third one perhaps thicker."""
    ink = _ink(rng) if rng.random() < 0.3 else (float(rng.uniform(0, 150)),) * 3
    thin = max(1, round(pitch.min() * rng.choice([0.01, rng.uniform(0.01, 0.08)])))
    every, thick = int(rng.choice([1, 3, 3, 7])), round(thin * rng.uniform(1.5, 4))
    far = corner + np.array(shape[::-1]) * pitch
    for axis, count in ((0, shape[1]), (1, shape[0])):
        for k in range(count + 1):
            start, end = corner.copy(), far.copy()
            start[axis] = end[axis] = corner[axis] + k * pitch[axis]
            wide = thick if k % every == 0 and every > 1 else thin
            a, b = (tuple(point.astype(int).tolist()) for point in (start, end))
            cv2.line(paper, a, b, ink, wide, cv2.LINE_AA)


def _mark(
    rng: Random,
    paper: NDArray[np.uint8],
    middle: NDArray[np.float64],
    reach: float,
    ink: Paint,
    thick: int,
) -> None:
    """Draw a cross, a tick, a ring or a dot by hand."""
    spots = {
        "cross": ((-1, -1), (1, 1), (1, -1), (-1, 1)),
        "tick": ((-0.8, 0), (-0.2, 0.8), (-0.2, 0.8), (1, -1)),
    }
    kind = str(rng.choice([*spots, "ring", "dot"]))
    if kind in spots:
        ends = middle + reach * (np.array(spots[kind]) + rng.normal(0, 0.12, (4, 2)))
        for a, b in ends.astype(int).reshape(2, 2, 2).tolist():
            cv2.line(paper, a, b, ink, thick, cv2.LINE_AA)
        return
    at, wide = tuple(middle.astype(int).tolist()), max(2, int(reach * rng.uniform(0.4, 1.1)))
    cv2.circle(paper, at, wide, ink, -1 if kind == "dot" else thick, cv2.LINE_AA)


def _ink(rng: Random) -> Paint:
    """Return black, grey, the red or blue of a second colour in print, or any colour."""
    kind = rng.random()
    if kind < 0.4:
        return (float(rng.uniform(0, 110)),) * 3
    if kind < 0.75:
        strong, weak = rng.uniform(130, 255), rng.uniform(0, 110, 2)
        rgb = np.array([strong, *weak])
        return tuple(np.roll(rgb, int(rng.choice([0, 0, 2]))).tolist())
    return tuple(float(255 * c) for c in any_colour(rng))


def _soft(rng: Random, paper: NDArray[np.uint8], step: float) -> NDArray[np.uint8]:
    """Put the sheet out of focus by up to a tenth of a cell, its colours by more."""
    out: AnyPixels = paper
    if rng.random() < 0.55:
        out = cv2.GaussianBlur(out, (0, 0), max(0.3, step * rng.uniform(0.005, 0.09)))
    if rng.random() < 0.35:
        light = cv2.cvtColor(out, cv2.COLOR_RGB2YCrCb)
        run = cv2.GaussianBlur(light, (0, 0), max(0.3, step * rng.uniform(0.03, 0.16)))
        light[..., 1:] = run[..., 1:]
        out = cv2.cvtColor(light, cv2.COLOR_YCrCb2RGB)
    return np.asarray(out, np.uint8)
