"""What pieces lie on: tops made of noise and lines, (n, n, 3) light RGB, 0 to 1."""

from __future__ import annotations

import cv2
import numpy as np

from models.foreign.mesh import Floats

PX = 1024


def draw_top(rng: np.random.Generator) -> Floats:
    """Return any top, as large as the table."""
    return TOPS[int(rng.integers(len(TOPS)))](rng)


def noise(rng: np.random.Generator, coarse: tuple[int, int], octaves: int = 5) -> Floats:
    """Return noise from 0 to 1, (PX, PX), of as many cells across and down, and ever finer ones."""
    total, weight = np.zeros((PX, PX)), 0.0
    for octave in range(octaves):
        cells = [min(PX, side * 2**octave) for side in coarse]
        small = rng.random((cells[1], cells[0]))
        total += cv2.resize(small, (PX, PX), interpolation=cv2.INTER_CUBIC) * 0.55**octave
        weight += 0.55**octave
    return np.clip(total / weight, 0, 1)


def _mixed(first: Floats, second: Floats, share: Floats) -> Floats:
    return first + np.clip(share, 0, 1)[..., None] * (second - first)


def _wood(rng: np.random.Generator) -> Floats:
    grain = noise(rng, (3, 60))
    rings = 0.5 + 0.5 * np.sin(2 * np.pi * (4 * noise(rng, (2, 9), 3) + 14 * grain))
    dark = np.array([0.16, 0.08, 0.04]) * rng.uniform(0.5, 2.5)
    light = np.minimum(dark * rng.uniform(1.4, 2.6), 0.8)
    return _mixed(dark, light, 0.6 * rings + 0.4 * grain)


def _felt(rng: np.random.Generator) -> Floats:
    hue = rng.choice([[0.02, 0.16, 0.06], [0.02, 0.05, 0.2], [0.25, 0.03, 0.03], [0.1, 0.1, 0.1]])
    return _mixed(np.array(hue) * 0.7, np.array(hue) * 1.4, noise(rng, (400, 400), 2))


def _stone(rng: np.random.Generator) -> Floats:
    pale = rng.uniform(0.2, 0.75) * np.array([1, rng.uniform(0.93, 1), rng.uniform(0.85, 1)])
    return _mixed(pale * 0.55, pale, noise(rng, (6, 6), 7))


def _cloth(rng: np.random.Generator) -> Floats:
    base, other = rng.uniform(0.03, 0.7, (2, 3))
    y, x = np.mgrid[:PX, :PX]
    every = int(rng.integers(24, 90))
    checks = ((x // every) % 2 + (y // every) % 2) / 2
    threads = 0.5 + 0.25 * (np.sin(x * 1.7) + np.sin(y * 1.7))
    return _mixed(base, other, 0.85 * checks + 0.15 * threads)


def _plain(rng: np.random.Generator) -> Floats:
    paint = rng.uniform(0.05, 0.8, 3)
    return _mixed(0.9 * paint, paint, noise(rng, (8, 8)))


def _print(rng: np.random.Generator) -> Floats:
    """Return a printed mat: bands, discs and words."""
    page = np.full((PX, PX, 3), rng.uniform(0.3, 0.9, 3))
    for _ in range(60):
        colour = tuple(rng.uniform(0.02, 0.9, 3))
        at = int(rng.integers(PX)), int(rng.integers(PX))
        kind = rng.integers(3)
        if kind == 0:
            cv2.circle(page, at, int(rng.integers(3, 50)), colour, -1, cv2.LINE_AA)
        elif kind == 1:
            to = int(rng.integers(PX)), int(rng.integers(PX))
            cv2.line(page, at, to, colour, int(rng.integers(1, 8)), cv2.LINE_AA)
        else:
            word = "".join(rng.choice(list("AEIOMNRST 0123456789"), 7))
            share = written(word, at, rng.uniform(0.5, 2), page.shape)
            page += share[..., None] * (np.array(colour) - page)
    return page


def written(word: str, at: tuple[int, int], size: float, shape: tuple[int, ...]) -> Floats:
    """Return where ink is once a word is written from *at*, px, (h, w) from 0 to 1."""
    ink = np.zeros(shape[:2], np.uint8)
    cv2.putText(ink, word, at, 0, size, 255, 2, cv2.LINE_AA)
    return ink / 255.0


TOPS = (_wood, _wood, _felt, _stone, _cloth, _plain, _plain, _print)
