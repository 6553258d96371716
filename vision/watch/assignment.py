"""Solve the assignment problem: pair rows with columns at least cost (Hungarian method)."""

from __future__ import annotations

import numpy as np

from vision.geometry import Floats

Pairs = tuple[tuple[int, int], ...]


def assign(cost: Floats, most: float) -> Pairs:
    """Pair rows with columns so that the sum of costs is least; no pair costs more than *most*.

    By shortest augmenting paths with potentials, O(n² m) (Kuhn 1955; Jonker and Volgenant 1987). A
    row may stay single at the cost *most*, so a cheap pair is never given up for two expensive
    ones.

    Args:
        cost: (n, m) of each pair, 0 or more; infinite for impossible pairs.
        most: cost of a row without a column.
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
    row_of = np.zeros(m + 1, np.intp)  # 1 to n; column 0 has the row to be assigned
    for row in range(1, n + 1):
        row_of[0], at_column = row, 0
        least, came = np.full(m + 1, np.inf), np.zeros(m + 1, np.intp)
        used = np.zeros(m + 1, np.bool_)
        while row_of[at_column]:
            used[at_column] = True
            i = row_of[at_column]
            slack = cost[i - 1] - row_price[i] - column_price[1:]
            better = ~used[1:] & (slack < least[1:])
            least[1:][better], came[1:][better] = slack[better], at_column
            nearest = int(np.where(used, np.inf, least)[1:].argmin()) + 1
            step = least[nearest]
            row_price[row_of[used]] += step
            column_price[used] -= step
            least[~used] -= step
            at_column = nearest
        while at_column:
            row_of[at_column], at_column = row_of[came[at_column]], int(came[at_column])
    columns = [0] * n
    for column in range(1, m + 1):
        if row_of[column]:
            columns[row_of[column] - 1] = column - 1
    return columns
