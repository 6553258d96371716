"""Which materials tables, boxes and their lids have, each as often as people have it."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from models.textures import cloth, felt, stone, wood
from models.textures.cloth import fabric
from models.textures.detail import Draw, grains, paint, pores, refined, threads, tufts
from models.textures.felt import baize
from models.textures.floor import carpet
from models.textures.paint import desk
from models.textures.paper import cardboard, purple
from models.textures.pattern import checked
from models.textures.stone import worktop
from models.textures.texture import Material, Random
from models.textures.wood import board_wood, timber

TABLES: dict[str, Callable[[Random], Material]] = {
    "wood": wood.material,
    "cloth": cloth.material,
    "felt": felt.material,
    "stone": stone.material,
}
STOCKS: dict[str, Callable[[Random], Material]] = {
    "cardboard": cardboard,
    "wood": board_wood,
    "purple": purple,
}
TOPS: tuple[tuple[Callable[[Random], Material], Draw | None, float], ...] = (
    (desk, paint, 0.36),
    (timber, pores, 0.25),
    (fabric, threads, 0.18),
    (baize, None, 0.06),
    (worktop, grains, 0.06),
    (checked, threads, 0.05),
    (carpet, tufts, 0.04),
)


def draw_top(rng: Random, px: float) -> Material:
    """Choose what a table top is made of; a px of the picture shows so many mm of it."""
    probs = np.array([share for *_, share in TOPS])
    make, grain, _ = TOPS[int(rng.choice(len(TOPS), p=probs / probs.sum()))]
    top = make(rng)
    return refined(rng, top, grain, px) if grain else top
