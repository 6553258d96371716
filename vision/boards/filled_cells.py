"""How much of a cell is covered by ink, where a filled cell and a checked one count differently.

A cell that is shaded over its check looks more like a check than like one that was filled: what
tells is that it holds much more ink than this hand's other checks.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.decode import Pixels
from vision.geometry import Floats

INNER = 0.8  # of a cell's side; its frame lies outside
INK = 0.15  # of the light that ink takes at least; a shadow takes less, from end to end of a cell
PAPER = 93  # per cent of a cell's px that are darker than its paper
SHADED = 1 / 3  # of a cell that is covered, from which it may be filled
MORE = 2.0  # times what this hand's checks cover
USUAL = 0.15  # of a cell that checks cover, where a sheet has no others
MAY_BE = 0.2  # probability that such a cell is filled, at least


def covered(crops: Pixels, cell: int) -> Floats:
    """Return (n,) how large a share of each cell is ink, print included.

    Args:
        crops: (n, h, w, 3) BGR, each cell in the middle of its own.
        cell: px of its side.
    """
    high, wide = crops.shape[1:3]
    half = round(INNER * cell / 2)
    rows, columns = (slice(side // 2 - half, side // 2 + half) for side in (high, wide))
    inner = crops[:, rows, columns].astype(np.float32)
    paper = np.percentile(inner.reshape(len(crops), -1, 3), PAPER, axis=1)
    taken = 1 - (inner / np.maximum(paper[:, None, None], 1)).min(axis=3)
    return np.asarray((taken > INK).mean(axis=(1, 2)), np.float64)


def with_shaded(
    shares: Floats, cover: Floats, may_fill: NDArray[np.bool_], checked: int, filled: int
) -> Floats:
    """Return the shares (n, states) with those of *checked* cells that may well be *filled*.

    Args:
        shares: of each cell's states.
        cover: (n,), as `covered` tells it.
        may_fill: (n,) whether a cell can be filled; one that cannot is checked, however it looks.
        checked: index of that state.
        filled: index of that one.
    """
    checks = shares.argmax(axis=1) == checked
    others = cover[checks & ~may_fill]
    usual = float(np.median(others)) if len(others) else USUAL
    doubtful = checks & may_fill & (cover > max(SHADED, MORE * usual))
    moved = np.where(doubtful, np.maximum(0, MAY_BE - shares[:, filled]), 0.0)
    given: Floats = shares.copy()
    given[:, filled] += moved
    given[:, checked] -= moved
    return given
