"""Which of these is which of those? The assignment of least cost, by the Hungarian method."""

from __future__ import annotations

import numpy as np

from vision.geometry import Floats

Pairs = tuple[tuple[int, int], ...]


def assign(cost: Floats, most: float) -> Pairs:
    """Pair rows with columns so that the sum of costs is least; no pair costs more than *most*.

    The shortest augmenting path with potentials, O(n² m) (Kuhn 1955; Jonker and Volgenant 1987).
    A row may stay alone at the price *most*, so a cheap pair is never given up for two dear ones.

    Args:
        cost: (n, m) of each pair, no less than 0; infinite where it cannot be.
        most: what leaving a row without a column costs.
    """
    n, m = cost.shape
    if not n or not m:
        return ()
    alone = np.full((n, n), most)
    wide = np.concatenate([np.minimum(cost, 1e6), alone], axis=1)
    columns = _columns_of(wide)
    return tuple((i, j) for i, j in enumerate(columns) if j < m and cost[i, j] <= most)


def _columns_of(cost: Floats) -> list[int]:
    """Return the column of each row of (n, m) costs, n no more than m."""
    n, m = cost.shape
    row_price, column_price = np.zeros(n + 1), np.zeros(m + 1)
    row_of = np.zeros(m + 1, np.intp)  # 1 to n; column 0 holds the row that seeks a place
    for row in range(1, n + 1):
        row_of[0], here = row, 0
        least, came = np.full(m + 1, np.inf), np.zeros(m + 1, np.intp)
        used = np.zeros(m + 1, np.bool_)
        while row_of[here]:
            used[here] = True
            i = row_of[here]
            slack = cost[i - 1] - row_price[i] - column_price[1:]
            better = ~used[1:] & (slack < least[1:])
            least[1:][better], came[1:][better] = slack[better], here
            nearest = int(np.where(used, np.inf, least)[1:].argmin()) + 1
            step = least[nearest]
            row_price[row_of[used]] += step
            column_price[used] -= step
            least[~used] -= step
            here = nearest
        while here:
            row_of[here], here = row_of[came[here]], int(came[here])
    columns = [0] * n
    for column in range(1, m + 1):
        if row_of[column]:
            columns[row_of[column] - 1] = column - 1
    return columns
