"""Table tops for sketches: (SIDE, SIDE, 3) float32 pictures in [0, 1], sRGB, made from noise."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
from numpy.typing import NDArray

SIDE = 896  # px of a table top

OFTEN = "eeeeaaaooiinnsrrttdlucmpghbkwzy     "  # letters of words, about as often as in them

Picture = NDArray[np.float32]
Random = np.random.Generator


def noise(rng: Random, down: float, across: float, octaves: int = 1) -> Picture:
    """Return (SIDE, SIDE) noise in [0, 1], so many grains down and across."""
    total = np.zeros((SIDE, SIDE), np.float32)
    for octave in range(octaves):
        rows, columns = (min(SIDE, int(n * 2**octave) + 2) for n in (down, across))
        grid = rng.random((rows, columns), np.float32)
        total += cv2.resize(grid, (SIDE, SIDE), interpolation=cv2.INTER_CUBIC) / 2**octave
    low, high = float(total.min()), float(total.max())
    return (total - low) / (high - low + 1e-6)


def tinted(picture: Picture, colour: NDArray[np.floating]) -> Picture:
    """Return the picture with (3,) RGB as its mean, what is on it kept."""
    moved = picture + (colour - picture.mean(axis=(0, 1)))
    return np.asarray(np.clip(moved, 0, 1), np.float32)


def any_colour(rng: Random) -> NDArray[np.float32]:
    """Return a table's colour, (3,) RGB: often pale, grey or brown, sometimes strong."""
    kind = rng.random()
    if kind < 0.35:  # white, grey, black
        return np.clip(rng.uniform(0.02, 1) + rng.normal(0, 0.02, 3), 0, 1).astype(np.float32)
    if kind < 0.65:  # brown to cream
        return _hsv(rng.uniform(8, 28), rng.uniform(0.1, 0.75), rng.uniform(0.15, 0.95))
    return _hsv(rng.uniform(0, 180), rng.uniform(0.2, 1), rng.uniform(0.1, 0.9))


def _hsv(h: float, s: float, v: float) -> NDArray[np.float32]:
    one = np.array([[[2 * h, s, v]]], np.float32)
    return np.asarray(cv2.cvtColor(one, cv2.COLOR_HSV2RGB)[0, 0], np.float32)


def _blend(dark: Picture, light: Picture, share: Picture) -> Picture:
    return (dark + share[..., None] * (light - dark)).astype(np.float32)


def _neighbour(rng: Random, colour: Picture, by: float) -> Picture:
    return np.clip(colour * rng.uniform(1 - by, 1 + by) + rng.normal(0, by / 6, 3), 0, 1)


def plain(rng: Random) -> Picture:
    """Return paint, plastic or paper with hardly a mark."""
    colour = any_colour(rng)
    share = noise(rng, 3, 3) * 0.7 + noise(rng, 300, 300) * 0.3
    return _blend(colour, _neighbour(rng, colour, rng.uniform(0.02, 0.12)), share)


def wood(rng: Random) -> Picture:
    """Return planks with grain."""
    dark = _hsv(rng.uniform(5, 20), rng.uniform(0.2, 0.8), rng.uniform(0.08, 0.7))
    light = np.clip(dark * rng.uniform(1.15, 2.0) + 0.04, 0, 1).astype(np.float32)
    bend = noise(rng, 3, 10) + 0.5 * noise(rng, 6, 40) + 0.25 * noise(rng, 8, 160)
    y = np.linspace(0, 1, SIDE, dtype=np.float32)[:, None]
    rings = 0.5 + 0.5 * np.sin(2 * np.pi * (y * rng.uniform(4, 22) + bend * rng.uniform(0.8, 3)))
    share = 0.5 * rings + 0.5 * noise(rng, 600, 10)
    made = _blend(dark, light, share.astype(np.float32))
    if rng.random() < 0.6:
        planks = int(rng.integers(2, 9))
        for row in np.linspace(0, SIDE, planks, endpoint=False).astype(int):
            tone = rng.uniform(0.85, 1.1)
            made[row : row + SIDE // planks] *= tone
            made[row : row + int(rng.integers(1, 5))] *= 0.5
    return np.clip(made, 0, 1)


def felt(rng: Random) -> Picture:
    """Return felt or carpet: fine noise over a slow one."""
    colour = any_colour(rng)
    fine = int(rng.choice([120, 220, 400, 600]))
    share = 0.7 * noise(rng, fine, fine) + 0.3 * noise(rng, 20, 20, 2)
    return _blend(colour * rng.uniform(0.3, 0.8), _neighbour(rng, colour, 0.3), share)


def cloth(rng: Random) -> Picture:
    """Return a weave with folds."""
    colour = any_colour(rng)
    period = rng.uniform(3, 14)
    y, x = np.mgrid[0:SIDE, 0:SIDE].astype(np.float32)
    weave = np.maximum(np.sin(2 * np.pi * x / period), np.sin(2 * np.pi * y / period))
    share = (0.5 + 0.25 * weave + 0.4 * (noise(rng, 200, 200) - 0.5)).astype(np.float32)
    made = _blend(colour * 0.7, _neighbour(rng, colour, 0.15), share)
    folds = 1 + rng.uniform(0, 0.5) * (noise(rng, 4, 5, 2) - 0.5)
    return np.clip(made * folds[..., None], 0, 1)


def basket(rng: Random) -> Picture:
    """Return a coarse weave: round threads over and under each other, dark holes between."""
    colour, other = any_colour(rng), any_colour(rng)
    period = rng.uniform(8, 56)
    y, x = np.mgrid[0:SIDE, 0:SIDE].astype(np.float32) / np.float32(period)
    x, y = (a + 0.12 * (noise(rng, 12, 12) - 0.5) for a in (x, y))
    over = (np.floor(x) + np.floor(y)) % 2 < 1  # here the thread that runs across lies on top
    across, along = (1 - (2 * (a % 1) - 1) ** 2 for a in (y, x))
    swell = 0.5 + 0.5 * np.cos(2 * np.pi * (np.where(over, x, y) % 1 - 0.5))
    thread = np.where(over, across, along) ** rng.uniform(0.3, 1)
    light = thread * (0.55 + 0.45 * swell) + 0.3 * (noise(rng, 400, 400) - 0.5)
    second = other if rng.random() < 0.3 else colour
    made = np.where(over[..., None], colour, second) * np.clip(light, 0, 1)[..., None]
    return np.asarray(made * rng.uniform(0.7, 1.1) + 0.02, np.float32)


def sweets(rng: Random) -> Picture:
    """Return a page or a bowl of round sweets, each with its shine."""
    made = np.ascontiguousarray(plain(rng))
    colours = [any_colour(rng) for _ in range(int(rng.integers(1, 6)))]
    size = rng.uniform(6, 45)
    y, x = np.mgrid[-1:1:64j, -1:1:64j].astype(np.float32)
    away = np.hypot(x, y)
    shine = np.exp(-((x + 0.35) ** 2 + (y + 0.4) ** 2) / rng.uniform(0.01, 0.1))
    for _ in range(int(rng.integers(20, 500))):
        wide = max(4, round(size * rng.uniform(0.8, 1.25)))
        row, column = (int(rng.integers(0, SIDE - wide)) for _ in range(2))
        colour = colours[int(rng.integers(len(colours)))]
        one = colour * (1.05 - 0.55 * away[..., None] ** 2) + shine[..., None]
        disc = cv2.resize(one, (wide, wide), interpolation=cv2.INTER_AREA)
        mask = cv2.resize((away < 0.96).astype(np.float32), (wide, wide))[..., None]
        place = made[row : row + wide, column : column + wide]
        place += mask * (disc - place)
    return np.clip(made, 0, 1)


def stone(rng: Random) -> Picture:
    """Return granite or marble."""
    colour = any_colour(rng)
    coarse = rng.uniform(30, 250)
    share = noise(rng, coarse, coarse, 3)
    if rng.random() < 0.5:  # veins
        share = 1 - np.abs(2 * share - 1) ** rng.uniform(0.4, 1)
    else:
        share = np.clip((share - 0.5) * rng.uniform(2, 5) + 0.5, 0, 1)
    return _blend(colour, any_colour(rng) * 0.5 + colour * 0.5, share.astype(np.float32))


def pattern(rng: Random) -> Picture:
    """Return stripes, checks, dots or tiles."""
    made = plain(rng)
    other = any_colour(rng)
    period = rng.uniform(14, 160)
    y, x = np.mgrid[0:SIDE, 0:SIDE].astype(np.float32)
    u, v = (x / period) % 1, (y / period) % 1
    share = rng.uniform(0.05, 0.6)
    kind = int(rng.integers(4))
    masks: list[Callable[[], NDArray[np.bool_]]] = [
        lambda: u < share,
        lambda: (u < 0.5) ^ (v < 0.5),
        lambda: np.hypot(u - 0.5, v - 0.5) < 0.1 + share / 2,
        lambda: (u < share / 6) | (v < share / 6),
    ]
    mask = cv2.GaussianBlur(masks[kind]().astype(np.float32), (3, 3), 0) * rng.uniform(0.2, 1)
    return _blend(made, np.broadcast_to(other, made.shape), mask.astype(np.float32))


def print_work(rng: Random) -> Picture:
    """Return a magazine's page or a game board: patches, letters, discs, lines."""
    return printed(rng, plain(rng), int(rng.integers(3, 40)), 180)


def page(rng: Random) -> Picture:
    """Return a page of a book or a paper: lines of text, some of them large."""
    bright, dark = (0.75, 0.45) if rng.random() < 0.65 else (0.0, 1.0)
    paper = (255 * (bright + (1 - bright) * np.clip(plain(rng), 0, 1))).astype(np.uint8)
    inks = [tuple((255 * dark * any_colour(rng)).tolist()) for _ in range(int(rng.integers(1, 3)))]
    usual = np.exp(rng.uniform(*np.log([9, 40])))
    y = 0.0
    while y < SIDE:
        size = usual * (rng.uniform(1.5, 4) if rng.random() < 0.15 else 1)
        y += size * rng.uniform(1.1, 1.5)
        if rng.random() < 0.1:  # a paragraph ends
            continue
        text = _words(rng, int(1.8 * SIDE / size))
        ink = inks[int(rng.integers(len(inks)))]
        _write(rng, paper, text, (int(rng.integers(-40, 40)), int(y)), size, ink)
    return (paper / np.float32(255)).astype(np.float32)


def _words(rng: Random, letters: int) -> str:
    """Return words of so many letters in all, or of capitals and figures."""
    some = OFTEN if rng.random() < 0.7 else "0123456789ABCDEFGHKMNOPQRSTUXYZ .:"
    return "".join(rng.choice(list(some), letters))


def _write(
    rng: Random,
    made: NDArray[np.uint8],
    text: str,
    place: tuple[int, int],
    size: float,
    colour: tuple[float, ...],
) -> None:
    """Write letters some *size* px high, from their lower left corner on, on *made*."""
    face = cv2.FontFace(str(rng.choice(["sans", "italic", "uni"])))
    cv2.putText(made, text, place, colour, face, max(4, int(size)), int(rng.integers(200, 900)))


def printed(rng: Random, made: Picture, count: int, largest: float) -> Picture:
    """Return the surface with so many prints on it."""
    paper = np.ascontiguousarray((255 * np.clip(made, 0, 1)).astype(np.uint8))
    for _ in range(count):
        print_one(rng, paper, rng.uniform(0.1, 1) * largest)
    return (paper / np.float32(255)).astype(np.float32)


def _paint(rng: Random) -> tuple[float, ...]:
    """Return a colour as OpenCV draws with it."""
    return tuple(float(255 * c) for c in any_colour(rng))


def print_one(rng: Random, made: NDArray[np.uint8], size: float) -> None:
    """Print one thing that is no die on *made*."""
    x, y = (int(rng.integers(0, SIDE)) for _ in range(2))
    colour = _paint(rng)
    line = int(rng.choice([-1, 1, 2, 4]))
    kind = int(rng.integers(8))
    half = max(3, int(size / 2))
    if kind == 0:
        cv2.rectangle(made, (x, y), (x + int(size), y + half), colour, line, cv2.LINE_AA)
    elif kind == 1:
        cv2.circle(made, (x, y), half, colour, line, cv2.LINE_AA)
    elif kind == 2:
        corners = np.int32(
            rng.uniform(-size, size, (int(rng.integers(3, 8)), 2)) + np.array([x, y])
        )
        cv2.fillPoly(made, [cv2.convexHull(corners)], colour, cv2.LINE_AA)
    elif kind in (3, 4):
        text = _words(rng, 12)
        if kind == 3:  # a label
            ground = _paint(rng)
            low, high = (x - half // 6, y - half // 2), (x + int(size), y + int(0.8 * size))
            cv2.rectangle(made, low, high, ground, -1, cv2.LINE_AA)
            text = text[: int(rng.integers(5, 12))]
        for row in range(int(rng.integers(1, 6))):
            _write(rng, made, text, (x, y + int(row * size / 4)), size / 5, colour)
    elif kind == 5:  # a number on a disc
        ground = _paint(rng)
        cv2.circle(made, (x, y), half, ground, -1, cv2.LINE_AA)
        place = (x - half // 2, y + half // 3)
        _write(rng, made, str(int(rng.integers(1, 13))), place, 0.4 * size, colour)
    elif kind == 6:  # rows of dots, as on printed sheets
        step = max(4, int(size / rng.uniform(2, 5)))
        for i in range(int(rng.integers(1, 6))):
            for j in range(int(rng.integers(3, 9))):
                place = (x + j * step, y + i * step)
                cv2.circle(made, place, max(1, step // 4), colour, line, cv2.LINE_AA)
    else:  # a ruled grid
        n, step = int(rng.integers(2, 6)), int(size / 2)
        for i in range(n + 1):
            thick = max(1, line)
            cv2.line(
                made, (x, y + i * step), (x + n * step, y + i * step), colour, thick, cv2.LINE_AA
            )
            cv2.line(
                made, (x + i * step, y), (x + i * step, y + n * step), colour, thick, cv2.LINE_AA
            )


KINDS: tuple[tuple[Callable[[Random], Picture], float], ...] = (
    (plain, 0.2),
    (wood, 0.2),
    (felt, 0.14),
    (cloth, 0.14),
    (stone, 0.12),
    (pattern, 0.1),
    (basket, 0.07),
    (sweets, 0.03),
    (print_work, 0.1),
    (page, 0.06),
)


def draw_surface(rng: Random) -> Picture:
    """Choose and make one table top, often with something printed on it."""
    odds = np.array([share for _, share in KINDS])
    made = KINDS[int(rng.choice(len(KINDS), p=odds / odds.sum()))][0](rng)
    made = np.ascontiguousarray(np.rot90(made, int(rng.integers(4))), np.float32)
    if rng.random() < 0.4:
        made = printed(rng, made, int(rng.integers(1, 8)), 120)
    return np.clip(made, 0, 1)
