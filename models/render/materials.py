"""What tables and boxes are made of: seamless pictures of wood, cloth, felt, stone and card.

Every picture is (SIDE, SIDE, 3) float32, linear RGB reflectance, and repeats without
a seam: all of it is built from noise that is periodic because it is made in the
frequency domain.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from models.render.image import Picture, as_picture

SIDE = 1536  # px; on a 130 mm lid 12 px/mm, finer than any photo made here

Grain = Picture  # (SIDE, SIDE), mean 0, deviation 1


@dataclass(frozen=True, slots=True, eq=False)
class Material:
    """A picture of a surface, its width in mm and how rough the surface is.

    What is too small for that picture has one of its own, whose colours are multiplied with it.
    """

    picture: Picture
    span: float
    roughness: float
    fine: Material | None = None


def noise(rng: np.random.Generator, down: float, across: float | None = None) -> Grain:
    """Return periodic noise whose grains are about so many px high and wide."""
    across = down if across is None else across
    row = np.fft.fftfreq(SIDE)[:, None] * down
    column = np.fft.rfftfreq(SIDE)[None, :] * across
    spectrum = np.fft.rfft2(rng.standard_normal((SIDE, SIDE), np.float32))
    grain = np.fft.irfft2(spectrum * np.exp(-8.0 * (row**2 + column**2)), (SIDE, SIDE))
    grain -= grain.mean()
    return as_picture(grain / (grain.std() + 1e-9))


def mix(dark: tuple[float, ...], light: tuple[float, ...], share: Grain) -> Picture:
    """Return colours between two, by a share that is cut to [0, 1]."""
    share = np.clip(share, 0, 1)[..., None]
    return as_picture(np.array(dark) * (1 - share) + np.array(light) * share)


WOODS = (  # dark, light, roughness
    ((0.16, 0.075, 0.032), (0.36, 0.20, 0.10), 0.42),  # walnut
    ((0.36, 0.23, 0.12), (0.58, 0.41, 0.24), 0.45),  # oak
    ((0.50, 0.36, 0.21), (0.68, 0.53, 0.35), 0.5),  # birch
    ((0.20, 0.06, 0.026), (0.37, 0.13, 0.06), 0.35),  # mahogany
)


def wood(rng: np.random.Generator) -> Material:
    """Return a table top of wooden planks, their grain from left to right."""
    return _wood(rng, int(rng.integers(3, 7)), float(rng.uniform(380, 560)))


def board_wood(rng: np.random.Generator) -> Material:
    """Return the wood of a small box, in one piece."""
    return _wood(rng, 1, 170.0)


def _wood(rng: np.random.Generator, planks: int, span: float) -> Material:
    dark, light, roughness = WOODS[rng.integers(len(WOODS))]
    down = np.arange(SIDE, dtype=np.float32)[:, None] / SIDE
    plank = np.minimum((down * planks).astype(int), planks - 1)
    bend = noise(rng, 500, 1400) + 0.2 * noise(rng, 80, 1200) + 2.0 * plank
    rings = (10 * down + 2.2 * bend) % 1  # pale early wood darkens slowly, then ends at once
    late = rings**3 * np.clip(10 * (1 - rings), 0, 1)
    fibres = noise(rng, 3, 220) + 0.7 * noise(rng, 9, 500)
    pores = np.clip(noise(rng, 3.2, 70) - 1.5, 0, 1)
    share = 0.72 - 0.55 * late + 0.12 * fibres + 0.08 * noise(rng, 300)
    tone = rng.normal(1.0, 0.07, planks).astype(np.float32)[plank][..., None]
    picture = mix(dark, light, share) * tone * (1 - 0.35 * pores[..., None])
    if planks > 1:
        gap = np.abs((down * planks) % 1 - 0.5) > 0.5 - 1.2 * planks / SIDE
        picture = np.where(gap[..., None], 0.3 * picture, picture)
    return Material(as_picture(picture), span, roughness)


CLOTHS = (
    (0.62, 0.60, 0.55),  # linen
    (0.14, 0.20, 0.30),
    (0.33, 0.09, 0.08),
    (0.30, 0.33, 0.22),
    (0.42, 0.42, 0.43),
)


def cloth(rng: np.random.Generator) -> Material:
    """Return a woven table cloth, plain or with stripes."""
    colour = np.array(CLOTHS[rng.integers(len(CLOTHS))])
    picture = colour * weave(rng)[..., None]
    if rng.random() < 0.4:
        across = np.arange(SIDE, dtype=np.float32) / SIDE
        stripes = np.clip(8 * (np.sin(2 * np.pi * 4 * across) - 0.8), 0, 1)[None, :, None]
        picture = picture * (1 - 0.4 * stripes)
    return Material(as_picture(picture), float(rng.uniform(190, 240)), 0.95)


def weave(rng: np.random.Generator) -> Grain:
    """Return the light that threads give back, mean 1, on a span of some 215 mm."""
    down, across = np.mgrid[0:SIDE, 0:SIDE].astype(np.float32) / SIDE
    threads = int(rng.integers(230, 300))  # on the picture's span: a pitch of about 0.8 mm
    warp = np.sin(2 * np.pi * threads * across + 0.6 * noise(rng, 150, 15))
    weft = np.sin(2 * np.pi * threads * down + 0.6 * noise(rng, 15, 150))
    light = 1 + 0.10 * warp * weft + 0.05 * noise(rng, 4, 60) + 0.05 * noise(rng, 60, 4)
    return as_picture(light + 0.03 * noise(rng, 400))


FELTS = ((0.03, 0.16, 0.07), (0.22, 0.03, 0.035), (0.04, 0.07, 0.20), (0.10, 0.10, 0.11))


def felt(rng: np.random.Generator) -> Material:
    """Return a felt mat: short hairs every way."""
    colour = np.array(FELTS[rng.integers(len(FELTS))])
    hairs = 0.6 * noise(rng, 4, 24) + 0.6 * noise(rng, 24, 4) + 1.5 * noise(rng, 5)
    shade = 1 + 0.08 * hairs + 0.06 * noise(rng, 300)
    picture = np.clip(colour * shade[..., None], 0.004, 1)
    return Material(as_picture(picture), float(rng.uniform(140, 180)), 1.0)


STONES = (  # dark, light
    ((0.05, 0.05, 0.053), (0.26, 0.25, 0.245)),
    ((0.20, 0.17, 0.145), (0.52, 0.46, 0.40)),
    ((0.44, 0.43, 0.41), (0.76, 0.75, 0.73)),
)


def stone(rng: np.random.Generator) -> Material:
    """Return a worktop of granite: grains of several sizes, each dark or light."""
    dark, light = STONES[rng.integers(len(STONES))]
    share = 0.5 + 0.05 * noise(rng, 300)
    for size, strength in ((26, 0.10), (13, 0.14), (7, 0.12)):
        share = share + strength * np.tanh(4 * noise(rng, size))
    mica = np.clip(noise(rng, 5) - 2.6, 0, 1)
    picture = mix(dark, light, share) * (1 + 0.8 * mica[..., None])
    return Material(as_picture(picture), float(rng.uniform(150, 220)), 0.3)


CARDS = (
    ((0.43, 0.30, 0.18), (0.53, 0.39, 0.25)),  # kraft
    ((0.55, 0.53, 0.48), (0.66, 0.64, 0.59)),  # grey board
    ((0.70, 0.68, 0.62), (0.78, 0.76, 0.71)),  # cream paper
)


def cardboard(rng: np.random.Generator) -> Material:
    """Return plain card with faint fibres and flecks."""
    dark, light = CARDS[rng.integers(len(CARDS))]
    flecks = np.clip(noise(rng, 4, 14) - 2.4, 0, 1)
    share = 0.5 + 0.14 * noise(rng, 3, 30) + 0.12 * noise(rng, 8) + 0.10 * noise(rng, 500)
    picture = mix(dark, light, share) * (1 - 0.5 * flecks[..., None])
    return Material(as_picture(picture), 150.0, 0.9)


PURPLES = ((0.060, 0.022, 0.105), (0.085, 0.030, 0.120), (0.045, 0.024, 0.075))


def purple(rng: np.random.Generator) -> Material:
    """Return dark purple printed paper, matte or a little glossy."""
    colour = np.array(PURPLES[rng.integers(len(PURPLES))])
    shade = 1 + 0.04 * noise(rng, 3) + 0.05 * noise(rng, 700)
    picture = as_picture(colour * shade[..., None])
    return Material(picture, 150.0, float(rng.uniform(0.38, 0.8)))


TABLES: dict[str, Callable[[np.random.Generator], Material]] = {
    "wood": wood,
    "cloth": cloth,
    "felt": felt,
    "stone": stone,
}
STOCKS: dict[str, Callable[[np.random.Generator], Material]] = {
    "cardboard": cardboard,
    "wood": board_wood,
    "purple": purple,
}
