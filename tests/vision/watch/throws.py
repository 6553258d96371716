"""Throws drawn for a camera that is not there: two dice slide in, lie, and are taken up again."""

import cv2
import numpy as np
from numpy.typing import NDArray

from models.pieces import LAYOUTS

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
    shown = table.copy()
    for value, (x, y), turn in zip(values, places, turns, strict=True):
        shown = _die(shown, value, x, y, float(turn))
    return shown


def _die(picture, value, x, y, turn):
    """Draw a die, four times as large and then shrunk into its place."""
    fine, half = 4, SIDE * 2
    patch = np.zeros((SIDE * 8, SIDE * 8, 4), np.float32)
    middle = SIDE * 4
    box = cv2.boxPoints(((middle, middle), (1.72 * half, 1.72 * half), turn)).astype(np.int32)
    cv2.fillConvexPoly(patch, box, (225, 232, 236, 1))
    cv2.polylines(patch, [box], True, (225, 232, 236, 1), int(0.28 * half), cv2.LINE_AA)
    cos, sin = np.cos(np.radians(turn)), np.sin(np.radians(turn))
    for across, down in LAYOUTS[value]:
        u, v = 0.5 * half * across, 0.5 * half * down
        at = round(middle + cos * u - sin * v), round(middle + sin * u + cos * v)
        cv2.circle(patch, at, round(0.17 * half), (35, 32, 30, 1), -1, cv2.LINE_AA)
    size = SIDE * 8 // fine
    small = cv2.resize(patch, (size, size), interpolation=cv2.INTER_AREA)
    left, top = round(x - size / 2), round(y - size / 2)
    colour, cover = small[..., :3], small[..., 3:]
    x0, y0 = max(left, 0), max(top, 0)
    colour, cover = colour[y0 - top :, x0 - left :], cover[y0 - top :, x0 - left :]
    ground = picture[y0 : y0 + colour.shape[0], x0 : x0 + colour.shape[1]]
    h, w = ground.shape[:2]
    shadow = cv2.GaussianBlur(cover[:h, :w], (0, 0), 5)[..., None]
    shaded = ground * (1 - 0.35 * shadow)
    mixed = shaded * (1 - cover[:h, :w]) + colour[:h, :w] * (cover[:h, :w] > 0)
    ground[:] = np.clip(mixed, 0, 255).astype(np.uint8)
    return picture
