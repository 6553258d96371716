"""Sheets with figures and marks in ruled cells, and playing cards, whose signs lie as pips do."""

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from models.textures.surfaces import (
    SKETCH_SIDE,
    Picture,
    Random,
    any_colour,
    as_picture,
    cloth,
    felt,
    plain,
    wood,
)

WIDE = (70.0, 430.0)  # px, the short side of a card
LONG = 89 / 63.5  # of poker cards, 63.5 x 89 mm
SUITS = ("hearts", "diamonds", "clubs", "spades")
RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
FINE = 64  # px of a sign as it is drawn
_CORNERS = ((-1.0, -1.0), (1.0, -1.0), (-1.0, 1.0), (1.0, 1.0))
_SIDES = ((-1.0, 0.0), (1.0, 0.0))
_LONG_SIDES = ((-1.0, -1 / 3), (1.0, -1 / 3), (-1.0, 1 / 3), (1.0, 1 / 3))
_MIDDLE = ((0.0, 0.0),)
PLACES: dict[str, tuple[tuple[float, float], ...]] = {  # of the signs, across and along the card
    "A": _MIDDLE,
    "2": ((0.0, -1.0), (0.0, 1.0)),
    "3": ((0.0, -1.0), (0.0, 0.0), (0.0, 1.0)),
    "4": _CORNERS,
    "5": (*_CORNERS, *_MIDDLE),
    "6": (*_CORNERS, *_SIDES),
    "7": (*_CORNERS, *_SIDES, (0.0, -0.5)),
    "8": (*_CORNERS, *_SIDES, (0.0, -0.5), (0.0, 0.5)),
    "9": (*_CORNERS, *_LONG_SIDES, *_MIDDLE),
    "10": (*_CORNERS, *_LONG_SIDES, (0.0, -2 / 3), (0.0, 2 / 3)),
}

CardMask = NDArray[np.float32]


def cards(rng: Random) -> Picture:
    """Return a table with playing cards: strewn, in a fan or in a row, some face down."""
    tops = (plain, wood, felt, cloth)
    table = np.ascontiguousarray(tops[int(rng.integers(len(tops)))](rng), np.float32)
    wide = float(np.exp(rng.uniform(*np.log(WIDE))))
    back = any_colour(rng), any_colour(rng)
    index = rng.random() < 0.85  # figures in the corners
    place, turn = rng.uniform(0.1, 0.9, 2) * SKETCH_SIDE, rng.uniform(0, 2 * np.pi)
    way = rng.choice(["strewn", "row", "fan"], p=[0.5, 0.25, 0.25])
    for _ in range(int(rng.integers(1, int(3 + 900 / wide)))):
        face_down = rng.random() < 0.15
        card = _back(*back) if face_down else _face(rng, indexed=index)
        _lay(table, card, wide, place, turn)
        if way == "strewn":
            place, turn = rng.uniform(0, 1, 2) * SKETCH_SIDE, rng.uniform(0, 2 * np.pi)
        else:
            step = wide * (1.1 if way == "row" else 0.3)
            place = place + step * np.array([np.cos(turn), np.sin(turn)])
            turn += 0.0 if way == "row" else 0.12
    return np.clip(table, 0, 1)


def _face(rng: Random, *, indexed: bool) -> Picture:
    """Return a card's face, upright."""
    wide, high = 256, round(256 * LONG)
    paper = rng.uniform(0.85, 1) * np.array([1.0, rng.uniform(0.96, 1), rng.uniform(0.88, 1)])
    card = np.tile(paper.astype(np.float32), (high, wide, 1))
    suit, rank = str(rng.choice(SUITS)), str(rng.choice(RANKS))
    red = suit in SUITS[:2]
    ink = as_picture([0.75, 0.06, 0.1] if red else [0.04, 0.04, 0.06])
    if rank in PLACES:
        size = 130 if rank == "A" and rng.random() < 0.5 else int(rng.uniform(46, 62))
        across, along = rng.uniform(0.2, 0.25) * wide, rng.uniform(0.3, 0.36) * high
        for u, v in PLACES[rank]:
            sign = _sign(suit, size)
            at = (wide / 2 + u * across, high / 2 + v * along)
            _stamp(card, sign[::-1] if v > 0 else sign, at, ink)
    else:  # a court card: a picture in a frame
        court = cv2.resize(rng.random((12, 7, 3), np.float32), (130, 220))
        card[high // 2 - 110 : high // 2 + 110, wide // 2 - 65 : wide // 2 + 65] = court
        _stamp(card, _sign(suit, 44), (wide / 2 - 42, high / 2 - 85), ink)
    if indexed:
        for _ in range(2):
            face = cv2.FontFace("sans")
            paint = tuple(float(255 * c) for c in ink)
            sheet = np.ascontiguousarray((255 * card).astype(np.uint8))
            cv2.putText(sheet, rank, (10, 48), paint, face, 44, 600)
            card = (sheet / np.float32(255)).astype(np.float32)
            _stamp(card, _sign(suit, 30), (26, 74), ink)
            card = np.ascontiguousarray(card[::-1, ::-1])
    return card


def _back(first: Picture, other: Picture) -> Picture:
    """Return a card's back: a lattice in a white frame."""
    wide, high = 256, round(256 * LONG)
    y, x = np.mgrid[0:high, 0:wide].astype(np.float32)
    share = (np.sin((x + y) / 6) * np.sin((x - y) / 6) > 0)[..., None]
    card = np.where(share, first, other).astype(np.float32)
    card[:14], card[-14:], card[:, :14], card[:, -14:] = 0.95, 0.95, 0.95, 0.95
    return card


def _sign(suit: str, size: int) -> CardMask:
    """Return where the ink of a suit's sign lies, (size, size) in [0, 1]."""
    mask = np.zeros((FINE, FINE), np.float32)
    c = FINE // 2

    def filled(*corners: tuple[int, int]) -> None:
        cv2.fillPoly(mask, [np.array(corners, np.int32)], (1.0,), cv2.LINE_AA)

    def disc(x: int, y: int, radius: int) -> None:
        cv2.circle(mask, (x, y), radius, (1.0,), -1, cv2.LINE_AA)

    if suit == "diamonds":
        filled((c, 2), (FINE - 10, c), (c, FINE - 2), (10, c))
    elif suit == "hearts":
        disc(c - 14, 20, 16)
        disc(c + 14, 20, 16)
        filled((4, 27), (c, FINE - 2), (FINE - 4, 27), (c, 16))
    elif suit == "spades":
        disc(c - 13, 38, 14)
        disc(c + 13, 38, 14)
        filled((5, 34), (c, 2), (FINE - 5, 34), (c, 46))
        filled((c, 36), (c + 12, FINE - 2), (c - 12, FINE - 2))
    else:
        disc(c, 16, 14)
        disc(c - 15, 38, 14)
        disc(c + 15, 38, 14)
        disc(c, 32, 9)
        filled((c, 34), (c + 12, FINE - 2), (c - 12, FINE - 2))
    return np.asarray(cv2.resize(mask, (size, size), interpolation=cv2.INTER_AREA), np.float32)


def _stamp(card: Picture, sign: CardMask, at: tuple[float, float], ink: Picture) -> None:
    """Print a sign with its middle at (x, y) px of the card."""
    left, top = (round(middle - len(sign) / 2) for middle in at)
    part = card[top : top + len(sign), left : left + len(sign)]
    part += sign[: len(part), : part.shape[1], None] * (ink - part)


def _lay(
    table: Picture, card: Picture, wide: float, place: NDArray[np.float64], turn: float
) -> None:
    """Lay a card *wide* px wide on the table, its middle at *place*, with round corners."""
    high, across = card.shape[:2]
    scale = wide / across
    c, s = scale * np.cos(turn), scale * np.sin(turn)
    shift = place - np.array([[c, -s], [s, c]]) @ np.array([across / 2, high / 2])
    move = np.array([[c, -s, shift[0]], [s, c, shift[1]]], np.float64)
    round_ = np.zeros((high, across), np.float32)
    cv2.rectangle(round_, (12, 12), (across - 13, high - 13), (1.0,), -1)
    round_ = (cv2.GaussianBlur(cv2.dilate(round_, np.ones((25, 25))), (0, 0), 1) > 0.5) * 1.0
    size = (SKETCH_SIDE, SKETCH_SIDE)
    small = scale < 1
    blurred = cv2.GaussianBlur(card, (0, 0), 0.4 / scale) if small else card
    laid = cv2.warpAffine(blurred, move, size, flags=cv2.INTER_LINEAR)
    cover = cv2.warpAffine(round_.astype(np.float32), move, size, flags=cv2.INTER_LINEAR)[..., None]
    shade = cv2.GaussianBlur(cover, (0, 0), 0.02 * wide)[..., None]
    table *= 1 - 0.25 * shade * (1 - cover)
    table += cover * (laid - table)


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
