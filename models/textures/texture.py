"""What a texture is: a picture in [0, 1] for sketches, a material in mm for the path tracer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.float32]  # (h, w, 3) RGB, or (h, w) shares
Random = np.random.Generator
SKETCH_SIDE = 896  # px of a texture, sRGB
SIDE = 1536  # px of a material, linear RGB; 12 px/mm on a lid, finer than any photo made here


def as_picture(array: Any) -> Picture:
    """Return any array of numbers as float32."""
    return np.asarray(array, np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class Material:
    """A picture of a surface, its width in mm and how rough the surface is.

    What is too small for that picture has one of its own, whose colours are multiplied with it.
    """

    picture: Picture
    span: float
    roughness: float
    fine: Material | None = None
