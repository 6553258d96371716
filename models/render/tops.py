"""People's table tops: desks, wood, cloth, felt, stone, patterns and, far below, floors.

All have the size in mm that such things have, and most are nearly of one colour: what is on them is
the light, a little dust and wear. Colours are linear RGB.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import cv2
import numpy as np

from models.render.grain import Draw, grains, paint, pores, refined, threads, tufts
from models.render.image import Picture, as_picture
from models.render.materials import SIDE, Grain, Material, felt, noise, stone, weave, wood
from models.train.palette import from_hsv, linear
from models.train.surfaces import basket, pattern

Random = np.random.Generator
LUMINANCE = np.float32([0.2126, 0.7152, 0.0722])  # of linear RGB (Rec. 709)
DARKEST = np.float32(0.006)  # black cloth gives back about so much


def clouds(rng: Random, steep: float = 1.6) -> Grain:
    """Return periodic noise, mean 0, deviation 1, whose amplitude falls as frequency^-steep.

    Stains, wear and uneven paint have no scale of their own.
    """
    row, column = np.fft.fftfreq(SIDE)[:, None], np.fft.rfftfreq(SIDE)[None, :]
    spectrum = np.fft.rfft2(rng.standard_normal((SIDE, SIDE), np.float32))
    spectrum *= np.maximum(np.hypot(row, column), 1 / SIDE) ** -steep
    spectrum[0, 0] = 0
    cloud = np.fft.irfft2(spectrum, (SIDE, SIDE))
    return as_picture(cloud / cloud.std())


def draw_top(rng: Random, px: float) -> Material:
    """Choose what a table top is made of; a px of the picture shows so many mm of it."""
    odds = np.array([share for *_, share in TOPS])
    make, grain, _ = TOPS[int(rng.choice(len(TOPS), p=odds / odds.sum()))]
    top = make(rng)
    return refined(rng, top, grain, px) if grain else top


def desk(rng: Random) -> Material:
    """Return paint, laminate, plastic, paper or leather: one colour, dust, a scratch or two."""
    marks = _dust(rng, float(np.exp(rng.uniform(np.log(1), np.log(60)))))
    shade = 1 + rng.uniform(0.004, 0.03) * clouds(rng, 2.2) + rng.uniform(0, 0.006) * noise(rng, 3)
    picture = _desk_colour(rng) * shade[..., None] * marks[..., None]
    return Material(_seen(picture), float(rng.uniform(350, 900)), _roughness(rng))


def _desk_colour(rng: Random) -> Picture:
    kind = rng.random()
    if kind < 0.5:  # white to grey, a little warm or cold
        level = rng.uniform(0.3, 0.85) if rng.random() < 0.75 else rng.uniform(0.1, 0.3)
        return np.float32(level * (1 + rng.normal(0, 0.025, 3)))
    if kind < 0.7:  # cream, beige
        return np.float32(
            from_hsv(rng.uniform(9, 22), rng.uniform(0.06, 0.3), rng.uniform(0.6, 0.95))
        )
    if kind < 0.92:  # black to dark grey
        return np.float32(rng.uniform(0.008, 0.06) * (1 + rng.normal(0, 0.04, 3)))
    return np.float32(from_hsv(rng.uniform(0, 180), rng.uniform(0.1, 0.5), rng.uniform(0.2, 0.8)))


def _dust(rng: Random, count: float) -> Grain:
    """Return what specks and scratches leave of the light, (SIDE, SIDE) about 1."""
    marks = np.ones((SIDE, SIDE), np.float32)
    for _ in range(rng.poisson(count)):
        x, y = (int(v) for v in rng.integers(0, SIDE, 2))
        bright = float(rng.uniform(0.6, 1.25))
        size = int(rng.integers(1, 3))
        cv2.ellipse(
            marks, (x, y), (size + int(rng.integers(0, 4)), size), float(rng.uniform(0, 180)),
            0, 360, bright, -1,
        )  # fmt: skip
    for _ in range(rng.poisson(1.5)):
        start = rng.uniform(0, SIDE, 2)
        step = rng.normal(0, SIDE / 8, 2)
        ends = [tuple(int(v) for v in point) for point in (start, start + step)]
        cv2.line(marks, ends[0], ends[1], float(rng.uniform(0.88, 1.1)), 1)
    return as_picture(cv2.GaussianBlur(marks, (0, 0), 0.8))


def _roughness(rng: Random) -> float:
    """Most tops are dull; one in six mirrors the lamp."""
    return float(rng.uniform(0.15, 0.4) if rng.random() < 0.17 else rng.uniform(0.45, 1.0))


def timber(rng: Random) -> Material:
    """Return wood, from whitewashed to dark, oiled or varnished."""
    made = wood(rng)
    picture = _grown(rng, _faded(made.picture, float(rng.uniform(0.35, 1.0))))
    # What differs from its mean is its grain; on many tables it is faint.
    mean = picture.mean(axis=(0, 1))
    picture = mean + float(rng.uniform(0.25, 0.8)) * (picture - mean)
    picture = picture * float(rng.uniform(0.7, 1.35)) * (1 + 0.03 * clouds(rng))[..., None]
    rough = _roughness(rng) if rng.random() < 0.5 else made.roughness
    return Material(_seen(picture), float(rng.uniform(450, 1100)), rough)


def _grown(rng: Random, planks: Picture) -> Picture:
    """Bend the grain, which runs across the picture, around knots and out of true."""
    row, column = np.mgrid[0:SIDE, 0:SIDE].astype(np.float32)
    down = 12 * noise(rng, 120, 700) + 4 * noise(rng, 40, 200)
    shade = 1 + 0.05 * noise(rng, 50, 900)
    for _ in range(rng.poisson(3)):
        x, y = rng.uniform(0, SIDE, 2)
        size = rng.uniform(8, 30)
        away = np.hypot((column - x) / 2.2, row - y) / size
        down += 1.6 * size * np.sign(row - y) * np.exp(-(away**2) / 2)
        shade *= 1 - 0.6 * np.exp(-((2.2 * away) ** 4))
    bent = cv2.remap(planks, column, row + down, cv2.INTER_LINEAR, None, cv2.BORDER_REFLECT)
    return as_picture(bent * shade[..., None])


def fabric(rng: Random) -> Material:
    """Return a table cloth, linen, canvas or the cloth of a bag: plain, uneven, any colour."""
    even = rng.random() < 0.5
    woven = 0.05 * noise(rng, 4) if even else float(rng.uniform(0.2, 0.8)) * (weave(rng) - 1)
    shade = (1 + woven) * (1 + rng.uniform(0.01, 0.05) * clouds(rng, 2.0))
    picture = _cloth_colour(rng) * shade[..., None]
    return Material(_seen(picture), float(rng.uniform(130, 350)), 1.0)


def _cloth_colour(rng: Random) -> Picture:
    kind = rng.random()
    if kind < 0.4:
        return np.float32(rng.uniform(0.3, 0.75) * (1 + rng.normal(0, 0.04, 3)))
    if kind < 0.75:
        return np.float32(rng.uniform(0.01, 0.12) * (1 + rng.normal(0, 0.06, 3)))
    return np.float32(from_hsv(rng.uniform(0, 180), rng.uniform(0.15, 0.6), rng.uniform(0.15, 0.7)))


def baize(rng: Random) -> Material:
    """Return felt: green, red, blue or grey."""
    made = felt(rng)
    picture = _faded(made.picture, float(rng.uniform(0.3, 1.0)))
    return replace(made, picture=_seen(picture * float(rng.uniform(0.7, 2.0))), roughness=1.0)


def worktop(rng: Random) -> Material:
    """Return granite or marble, its grains mostly faint."""
    made = stone(rng)
    mean = made.picture.mean(axis=(0, 1))
    picture = mean + float(rng.uniform(0.2, 0.9)) * (made.picture - mean)
    return replace(made, picture=_seen(picture * (1 + 0.05 * clouds(rng))[..., None]))


def checked(rng: Random) -> Material:
    """Return a cloth with stripes, checks or dots, or a coarse weave, in tame colours."""
    sketched = basket(rng) if rng.random() < 0.3 else pattern(rng)
    picture = _faded(as_picture(linear(sketched)), float(rng.uniform(0.1, 0.7)))
    return Material(_seen(picture), float(rng.uniform(200, 500)), 0.9)


def carpet(rng: Random) -> Material:
    """Return a floor: planks, a carpet's pile or tiles' plain grey."""
    if rng.random() < 0.5:
        return replace(timber(rng), span=1600.0)
    tufts = 1 + 0.25 * noise(rng, 5) + 0.1 * noise(rng, 14) + 0.1 * clouds(rng)
    picture = _faded(_cloth_colour(rng) * np.clip(tufts, 0.1, 3)[..., None], 0.4)
    return Material(_seen(picture), 700.0, 1.0)


def _faded(picture: Picture, keep: float) -> Picture:
    """Return the picture with so much of its colour."""
    grey = (picture @ LUMINANCE)[..., None]
    return as_picture(grey + np.float32(keep) * (picture - grey))


def _seen(picture: Picture) -> Picture:
    return as_picture(np.clip(picture, DARKEST, 0.92))


TOPS: tuple[tuple[Callable[[Random], Material], Draw | None, float], ...] = (
    (desk, paint, 0.36),
    (timber, pores, 0.25),
    (fabric, threads, 0.18),
    (baize, None, 0.06),
    (worktop, grains, 0.06),
    (checked, threads, 0.05),
    (carpet, tufts, 0.04),
)
