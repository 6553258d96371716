"""One figure of FACTS beside the one that we find."""

from collections.abc import Sequence
from math import sqrt
from typing import NamedTuple

import numpy as np


class Figure(NamedTuple):
    """One figure of FACTS, as it stands there with its last digit, and as we find it."""

    name: str
    said: float
    found: float
    error: float = 0.0  # standard error of `found`
    digits: int = 1  # after the point, as FACTS has it
    games: int = 0  # that FACTS simulated; 0: it computed

    def off(self, played: int) -> float:
        """Return how many standard errors both are apart, rounding of FACTS allowed for.

        *played* are our games; the error of FACTS follows from its number of games.
        """
        apart = max(0.0, abs(self.found - self.said) - 0.5 * 10**-self.digits)
        error = self.error * sqrt(1 + played / self.games) if self.games else self.error
        return apart / error if error else apart * 10**self.digits


def mean(name: str, said: float, values: Sequence[float], digits: int, games: int) -> Figure:
    """Return the figure that is the mean of *values*.

    What happens or not, in per cent, spreads as FACTS' share does: in few games it may be missing.
    """
    found = np.asarray(values, float)
    spread = float(found.std(ddof=1))
    if set(values) <= {0.0, 100.0}:
        spread = sqrt(said * (100 - said))
    return Figure(name, said, float(found.mean()), spread / sqrt(len(found)), digits, games)
