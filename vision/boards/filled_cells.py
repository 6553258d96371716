"""Measure how much of a cell is covered by ink, to distinguish filled cells from checked ones.

In: crops of cells. Out: covered shares, and corrected probabilities. A cell that was shaded over
its check looks like a check to the network; but it has much more ink than this person's other
checks.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.decode import Pixels
from vision.geometry import Floats

INNER = 0.8  # of a cell's side, without its frame
INK = 0.15  # share of the light that ink absorbs at least; a shadow within a cell absorbs less
PAPER = 93  # percentile of a cell's px that is its paper
SHADED = 1 / 3  # covered share from which a cell may be filled
MORE = 2.0  # the same, as a multiple of what this person's checks cover
USUAL = 0.15  # share covered by a check, if a sheet has no others
MAY_BE = 0.2  # lowest probability that such a cell is filled


def covered(crops: Pixels, cell: int) -> Floats:
    """Return (n,) shares of the cells that are covered by ink, print included.

    Args:
        crops: (n, h, w, 3) BGR, each with its cell in the middle.
        cell: side of a cell on the crop, px.
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
    """Return (n, states) probabilities, raised for checked cells that may well be filled.

    Args:
        shares: (n, states) probabilities of each cell's states.
        cover: (n,) covered shares, from `covered`.
        may_fill: (n,) whether the game lets a cell be filled.
        checked: index of the state "checked".
        filled: index of the state "filled".
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
