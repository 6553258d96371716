"""How a table top's surface is finished."""

from __future__ import annotations

from models.textures.texture import Random


def draw_roughness(rng: Random) -> float:
    """Most tops are dull; one in six mirrors the lamp."""
    return float(rng.uniform(0.15, 0.4) if rng.random() < 0.17 else rng.uniform(0.45, 1.0))
