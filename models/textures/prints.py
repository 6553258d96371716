"""What is printed or strewn on tables and is no die."""

from collections.abc import Callable

import cv2
import numpy as np
from numpy.typing import NDArray

from models.textures.surfaces import SKETCH_SIDE, Picture, Random, any_colour, plain, value_noise

OFTEN = "eeeeaaaooiinnsrrttdlucmpghbkwzy     "  # letters of words, about as often as in them
FIGURES = "0123456789ABCDEFGHKMNOPQRSTUXYZ .:"
Paint = tuple[float, ...]  # RGB in [0, 255], as OpenCV draws with it
Pixels = NDArray[np.uint8]  # (h, w, 3) RGB
MarkAt = tuple[int, int]  # px, its middle


def printed(rng: Random, made: Picture, count: int, largest: float) -> Picture:
    """Return the surface with *count* prints on it."""
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
    """Return words of that number of *letters* in all, or capitals and figures."""
    return spelt(rng, OFTEN if rng.random() < 0.7 else FIGURES, letters)


def spelt(rng: Random, some: str, letters: int) -> str:
    """Return a number of *letters*, each one of *some*."""
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


CAPITALS = "AABCDEEEEFGHHIKLMNOPRSTTUVWXYZ"
SIGNS = "ВДЖИФШЩЮЯабдежщюΔΘΞΠΣΦΨΩ田日目四国中品回圆田井王三二五六八口の日ま※■□●○◎◇◆★☆♠♣♥♦▦▣"
SHEET = np.mgrid[-1:1:96j, -1:1:96j].astype(np.float32)  # rows, columns of one sweet


def print_work(rng: Random) -> Picture:
    """Return a magazine's page or a game board: patches, letters, discs, lines."""
    return printed(rng, plain(rng), int(rng.integers(3, 40)), 180)


def page(rng: Random, largest: float = 40) -> Picture:
    """Return a page of a book or a paper: lines of text, most up to *largest* px high."""
    bright, dark = (0.75, 0.45) if rng.random() < 0.65 else (0.0, 1.0)
    paper = (255 * (bright + (1 - bright) * np.clip(plain(rng), 0, 1))).astype(np.uint8)
    inks = [tuple((255 * dark * any_colour(rng)).tolist()) for _ in range(int(rng.integers(1, 3)))]
    usual = np.exp(rng.uniform(*np.log([9, largest])))
    y = 0.0
    while y < SKETCH_SIDE:
        size = usual * (rng.uniform(1.5, 4) if rng.random() < 0.15 else 1)
        y += size * rng.uniform(1.1, 1.5)
        if rng.random() < 0.1:  # a paragraph ends
            continue
        text = words(rng, int(1.8 * SKETCH_SIDE / size))
        ink = inks[int(rng.integers(len(inks)))]
        write(rng, paper, text, (int(rng.integers(-40, 40)), int(y)), size, ink)
    return (paper / np.float32(255)).astype(np.float32)


def headlines(rng: Random) -> Picture:
    """Return a poster, a box or a magazine's page: words as large as dice, and logos."""
    made = plain(rng)
    if rng.random() < 0.4:  # a picture behind them
        made += 0.8 * (value_noise(rng, 6, 6, 4) - 0.5)[..., None] * (any_colour(rng) + 0.3)
    paper = np.ascontiguousarray(255 * np.clip(made, 0, 1)).astype(np.uint8)
    ink, usual = paint(rng), np.exp(rng.uniform(*np.log([22, 170])))
    for _ in range(int(rng.integers(8, 60))):
        if rng.random() < 0.25:
            ink = paint(rng)
        size = usual * np.exp(rng.normal(0, 0.4))
        place = int(rng.integers(-SKETCH_SIDE // 6, SKETCH_SIDE)), int(rng.integers(0, SKETCH_SIDE))
        if rng.random() < 0.3:
            logo(rng, paper, place, size * rng.uniform(0.7, 2.5))
        else:
            write(rng, paper, _title(rng), place, size, ink)
    return (paper / np.float32(255)).astype(np.float32)


def _title(rng: Random) -> str:
    """Return a short word, mostly in capitals."""
    letters = int(rng.integers(1, 10))
    some = rng.choice([CAPITALS, OFTEN, FIGURES, SIGNS], p=[0.5, 0.22, 0.13, 0.15])
    return spelt(rng, some, letters)


def logo(rng: Random, made: NDArray[np.uint8], place: tuple[int, int], size: float) -> None:
    """Print a patch with lines of capitals in it, one under the other, flush on one side."""
    (x, y), wide = place, max(6, int(size))
    high = max(6, int(wide * rng.choice([1.0, rng.uniform(0.5, 1.5)])))
    if rng.random() < 0.25:
        middle = (x + wide // 2, y + high // 2)
        cv2.circle(made, middle, wide // 2, paint(rng), -1, cv2.LINE_AA)
    else:
        cv2.rectangle(made, (x, y), (x + wide, y + high), paint(rng), -1, cv2.LINE_AA)
    lines, ink = int(rng.integers(1, 6)), paint(rng)
    letter = 0.85 * high / lines
    most = max(1, int(1.5 * wide / letter))
    right = rng.random() < 0.5
    for line in range(lines):
        text = spelt(rng, CAPITALS, int(rng.integers(1, most + 1)))
        start = x + int(0.08 * wide)
        if right:
            start += max(0, int(0.85 * wide - 0.62 * letter * len(text)))
        write(rng, made, text, (start, y + int((line + 0.95) * high / lines)), letter, ink)


def sweets(rng: Random) -> Picture:
    """Return a page or a bowl of sweets or beans, each with its shine."""
    made = np.ascontiguousarray(plain(rng))
    colours = [any_colour(rng) for _ in range(int(rng.integers(1, 7)))]
    size, long = np.exp(rng.uniform(*np.log([14, 150]))), rng.choice([1.0, rng.uniform(1.2, 2.2)])
    shines = rng.uniform(-0.6, 0.6, (int(rng.integers(1, 4)), 2))  # the lamps are the same to all
    sharp = rng.uniform(0.004, 0.06)
    count = int(rng.uniform(0.3, 3) * (SKETCH_SIDE / size) ** 2 / long)
    for _ in range(min(count, 900)):
        wide = max(4, round(size * rng.uniform(0.8, 1.25)))
        row, column = (int(rng.integers(0, SKETCH_SIDE - wide)) for _ in range(2))
        colour = colours[int(rng.integers(len(colours)))] * rng.uniform(0.8, 1.1)
        place = made[row : row + wide, column : column + wide]
        sweet, mask = _sweet(rng, colour, float(long), shines, sharp)
        small, share = (
            cv2.resize(a, (wide, wide), interpolation=cv2.INTER_AREA) for a in (sweet, mask)
        )
        place += share[..., None] * (small - place)
    return np.clip(made, 0, 1)


def _sweet(
    rng: Random, colour: Picture, long: float, shines: NDArray[np.float64], sharp: float
) -> tuple[Picture, Picture]:
    """Return a sweet *long* times as long as wide, (96, 96, 3), and where it covers its square."""
    y, x = SHEET
    c, s = np.cos(angle := rng.uniform(0, np.pi)), np.sin(angle)
    along, across = c * x + s * y, long * (c * y - s * x)
    away = np.hypot(along, across)
    shine = sum(
        rng.uniform(0.3, 1) * np.exp(-((x - u) ** 2 + (y - v / long) ** 2) / sharp)
        for u, v in shines + rng.normal(0, 0.05, shines.shape)
    )
    sweet = colour * (1.05 - 0.6 * away[..., None] ** 2) + np.asarray(shine)[..., None]
    if rng.random() < 0.15:  # the maker's letter
        ink = np.zeros(away.shape, np.uint8)
        letter = str(rng.choice(list("mse")))
        cv2.putText(ink, letter, (34, 62), cv2.FONT_HERSHEY_DUPLEX, 1.2, 230, 2, cv2.LINE_AA)
        sweet = np.maximum(sweet, ink[..., None] / 255)
    return np.asarray(sweet, np.float32), (away < 0.97).astype(np.float32)
