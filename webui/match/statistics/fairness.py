"""How fair dice are: Pearson's chi-squared test on how often each side came up, in words."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, erfc, exp, pi, sqrt

from scorer.dice import PIPS
from webui.languages import translate

FEW = 30  # rolls: the test needs at least five expected results of each side
UNLIKELY, NEARLY_IMPOSSIBLE = 0.05, 0.001  # p-values below which a result is called odd
# The noncentrality at which a test of 5 degrees of freedom finds a fault in four of five cases, at
# a level of 0.05 (Cohen, Statistical power analysis, table 7.3.15 and 7.4).
NONCENTRALITY = 12.83
BADLY = 1 / 4  # players notice a side that comes up more often than this


@dataclass(frozen=True, slots=True)
class Fairness:
    """How often the dice of a colour showed each value, and whether they look fair."""

    colour: str  # "": not known
    counts: Sequence[int]  # of 1, 2 …

    @property
    def rolls(self) -> int:
        """Return how many dice were thrown."""
        return sum(self.counts)

    @property
    def expected(self) -> float:
        """Return how often fair dice would show each value."""
        return self.rolls / len(PIPS)

    @property
    def chi_squared(self) -> float:
        """Return how far the counts are from those of fair dice."""
        return sum((count - self.expected) ** 2 for count in self.counts) / self.expected

    @property
    def p(self) -> float:
        """Return the p-value: how likely fair dice deviate at least this much."""
        return p_value(self.chi_squared)

    @property
    def visible(self) -> float:
        """Return the probability of a side from which on the test most likely detects it.

        If all other sides are equally rare, the squared effect, the sum of (p - 1/6)² / (1/6), is
        7.2 d² for a side with the probability 1/6 + d.
        """
        return min(1.0, 1 / 6 + sqrt(NONCENTRALITY / (7.2 * self.rolls)))

    @property
    def says(self) -> str:
        """Return the result of the test in words."""
        if self.rolls < FEW:
            return translate("So few rolls say nothing about the dice.")
        if self.p >= UNLIKELY:
            return translate(
                "Nothing speaks against these dice: of 100 fair sets {n} would differ as much.",
                n=round(100 * self.p),
            )
        if self.p >= NEARLY_IMPOSSIBLE:
            return translate(
                "Unusual: of 1000 fair sets only {n} would differ as much. More rolls will tell.",
                n=round(1000 * self.p),
            )
        return translate(
            "Fewer than 1 of 1000 fair sets would differ as much: some sides are favoured, or were"
            " read too often."
        )

    @property
    def power(self) -> str:
        """Return which faults this number of rolls would reveal; "" if it is too small."""
        if self.rolls < FEW:
            return ""
        part = {"n": self.rolls, "share": ceil(100 * self.visible)}
        if self.visible > BADLY:
            return translate(
                "After {n} rolls only a badly loaded die would show: one that lands on the same"
                " side {share} times in 100, not 17.",
                **part,
            )
        return translate(
            "After {n} rolls a die would show that lands on the same side {share} times in 100,"
            " not 17; a smaller fault would not.",
            **part,
        )


def p_value(chi_squared: float) -> float:
    """Return the probability of at least this chi-squared value with 5 degrees of freedom.

    >>> round(p_value(11.0705), 4)  # tables have 11.0705 for 0.05
    0.05
    """
    x = chi_squared
    return erfc(sqrt(x / 2)) + sqrt(2 * x / pi) * exp(-x / 2) * (1 + x / 3)
