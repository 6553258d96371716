"""Throws drawn for a camera that is not there: two dice slide in, lie, and are taken up again."""

import cv2
import numpy as np
from numpy.typing import NDArray

from tests.vision.pictures import UNIT, Drawn, draw_die

SIZE = 640, 480  # px of a frame
SIDE = 62  # px of a die
FPS = 15
BARE, IN, LIE, AWAY = 30, 4, 22, 4  # frames: nothing at first, dice slide in, lie, are gone

Pixels = NDArray[np.uint8]


def frames(throws, seed=3):
    """Yield (h, w, 3) BGR frames: the bare table, then each throw, the dice taken up between."""
    rng = np.random.default_rng(seed)
    table = _table(rng)
    for _ in range(BARE):
        yield _noisy(table, rng)
    for number, throw in enumerate(throws):
        places = _places(rng, number)
        turns = rng.uniform(0, 90, 2)
        for step in range(IN):
            left = (IN - step) * 0.8 * SIDE
            moved = [(x - left, y - left / 2) for x, y in places]
            yield _noisy(_with(table, throw, moved, turns + 25 * (IN - step)), rng)
        still = _with(table, throw, places, turns)
        for _ in range(LIE):
            yield _noisy(still, rng)
        for _ in range(AWAY):
            yield _noisy(table, rng)


def _table(rng):
    grain = cv2.GaussianBlur(rng.normal(0, 60, SIZE[::-1]).astype(np.float32), (0, 0), 9, sigmaY=2)
    return np.asarray(np.clip([60, 95, 70] + grain[..., None] * 1.5, 0, 255), np.uint8)


def _noisy(picture, rng):
    noise = rng.normal(0, 1.2, picture.shape)
    return np.asarray(np.clip(picture + noise, 0, 255), np.uint8)


def _places(rng, number):
    """Return where the dice of a throw lie: never where those of the throw before lay."""
    y = 150 if number % 2 else 330
    return [(float(rng.uniform(x, x + 60)), float(rng.uniform(y - 30, y + 30))) for x in (170, 400)]


def _with(table, values, places, turns):
    dice = np.zeros_like(table)
    for value, (x, y), turn in zip(values, places, turns, strict=True):
        draw_die(dice, Drawn(value, "white", x / UNIT, y / UNIT, float(turn)), 0)
    cover = dice.any(axis=2, keepdims=True)
    shadow = cv2.GaussianBlur(cover.astype(np.float32), (0, 0), 5)[..., None]
    return np.where(cover, dice, (table * (1 - 0.35 * shadow)).astype(np.uint8))
