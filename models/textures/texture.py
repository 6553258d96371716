"""What a texture is: a picture in [0, 1]."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.float32]  # (h, w, 3) RGB, or (h, w) shares
Random = np.random.Generator
SKETCH_SIDE = 896  # px of a texture, sRGB


def as_picture(array: Any) -> Picture:
    """Return any array of numbers as float32."""
    return np.asarray(array, np.float32)
