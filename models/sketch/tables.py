"""Which table tops sketches have: most are bare stuff, some are printed all over."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from models.textures import cloth, felt, stone, wood
from models.textures.cards import cards
from models.textures.cloth import basket
from models.textures.marks import printed
from models.textures.paint import plain
from models.textures.pattern import pattern
from models.textures.prints import headlines, page, print_work, sweets
from models.textures.ruled import ruled
from models.textures.texture import Picture, Random

Kinds = tuple[tuple[Callable[[Random], Picture], float], ...]  # each with its share

USUAL: Kinds = (
    (plain, 0.2),
    (wood.texture, 0.2),
    (felt.texture, 0.14),
    (cloth.texture, 0.14),
    (stone.texture, 0.12),
    (pattern, 0.1),
    (basket, 0.07),
    (sweets, 0.03),
    (print_work, 0.08),
    (page, 0.06),
    (headlines, 0.04),
)
PRINTED: Kinds = (
    (headlines, 0.33),
    (ruled, 0.27),
    (page, 0.15),
    (sweets, 0.15),
    (print_work, 0.1),
)

CARDS: Kinds = ((cards, 1.0),)
DECOYS: Kinds = (*PRINTED, (cards, 0.2))


def draw_surface(rng: Random, kinds: Kinds = USUAL) -> Picture:
    """Choose and make one table top, often with something printed on it."""
    probs = np.array([share for _, share in kinds])
    made = kinds[int(rng.choice(len(kinds), p=probs / probs.sum()))][0](rng)
    made = np.ascontiguousarray(np.rot90(made, int(rng.integers(4))), np.float32)
    if rng.random() < 0.4:
        made = printed(rng, made, int(rng.integers(1, 8)), 120)
    return np.clip(made, 0, 1)
