"""The value of an unfinished turn of Beat the Odds, for any valuation of its total.

All future rolls are weighed with the best choices for that valuation, except that a later 4-4
doubles the highest roll or none.
"""

from collections.abc import Callable
from itertools import combinations_with_replacement

Dice = tuple[int, int]  # lower die first
PAIRS: tuple[tuple[Dice, float], ...] = tuple(
    ((low, high), (1 if low == high else 2) / 36)
    for low, high in combinations_with_replacement(range(1, 7), 2)
)
FAR = 160  # points of a turn: about one in 500 has as many, the mean is right to 0.003
GROWS = 16  # what the rolls before the last then still bring on average


def _alike() -> dict[Dice, Dice]:
    """Return for each pair the first that, once it stays, does the same to a turn."""
    first: dict[tuple[int, Dice], Dice] = {}
    alike = {}
    for low, high in (pair for pair, _ in PAIRS):
        worth = sum(die for die in (low, high) if die % 2 == 0)
        special = (low, high) if low == high else (low % 2 * high % 2, 0)
        alike[low, high] = first.setdefault((worth, special), (low, high))
    return alike


ALIKE = _alike()
KINDS: tuple[tuple[Dice, float], ...] = tuple(
    (kind, sum(share for pair, share in PAIRS if ALIKE[pair] == kind))
    for kind in dict.fromkeys(ALIKE.values())
)
ENDS = tuple(
    (pair, share) for pair, share in KINDS if pair[0] == 6 or pair[0] % 2 == pair[1] % 2 == 1
)


class Outlook:
    """The values of moments of a turn: the sum of its rolls, the highest, the re-roll rights."""

    def __init__(self, worth: Callable[[int], float], far: int = FAR) -> None:
        """Take what each turn total is worth, and up to which sum to follow every roll."""
        self._worth, self._far_from = worth, far
        self._known: dict[tuple[int, int, int], float] = {}

    def forget(self) -> None:
        """Clear the cache."""
        self._known.clear()

    def rolling(self, together: int, highest: int, rights: int) -> float:
        """Return the worth before both dice are rolled."""
        if together > self._far_from:
            return self._far(together, highest)
        moment = (together, highest, rights)
        if moment not in self._known:
            self._known[moment] = self._rolled(together, highest, rights)
        return self._known[moment]

    def rerolling(self, together: int, highest: int, rights: int, kept: int) -> float:
        """Return the worth before one die is rolled again beside the *kept* one."""
        pairs = [(min(kept, die), max(kept, die)) for die in range(1, 7)]
        return sum(self.read(together, highest, rights, pair) for pair in pairs) / 6

    def read(self, together: int, highest: int, rights: int, pair: Dice) -> float:
        """Return the worth once a pair stays and is read in the table of results (BO-4)."""
        low, high = pair
        if low % 2 == high % 2 == 1 or low == 6:
            return self._ended(together, highest, pair)
        worth = (low if low % 2 == 0 else 0) + (high if high % 2 == 0 else 0)
        if low == high == 2:
            rights = max(rights, 1)
        plain = self.rolling(together + worth, max(highest, worth), rights)
        if low == high == 4:
            best = max(highest, worth)
            return max(plain, self.rolling(together + worth + best, 2 * best, rights))
        return plain

    def _rolled(self, together: int, highest: int, rights: int) -> float:
        if not rights:
            return sum(share * self.read(together, highest, 0, pair) for pair, share in KINDS)
        # What each pair is worth once the right is gone, then each kept die.
        kinds = {kind: self.read(together, highest, rights - 1, kind) for kind, _ in KINDS}
        left = {pair: kinds[kind] for pair, kind in ALIKE.items()}
        again = [0.0] + [
            sum(left[min(kept, die), max(kept, die)] for die in range(1, 7)) / 6
            for kept in range(1, 7)
        ]
        worth = 0.0
        for (low, high), share in PAIRS:
            best = left[low, high]
            if low % 2 == high % 2 == 0:
                best = self.read(together, highest, rights, (low, high))
            if low % 2:
                best = max(best, again[high])
            if high % 2:
                best = max(best, again[low])
            worth += share * best
        return worth

    def _ended(self, together: int, highest: int, pair: Dice) -> float:
        match pair:
            case (1, 1):
                return self._worth(0)
            case (3, 3):
                return self._worth(together - highest)
            case (5, 5):
                return self._worth(together // 2)
            case (6, 6):
                return self._worth(2 * (together + 12))
        return self._worth(together)

    def _far(self, together: int, highest: int) -> float:
        """Return the value of a turn beyond the depth of the search, approximated by its end."""
        ended = (share * self._ended(together + GROWS, highest, pair) for pair, share in ENDS)
        return sum(ended) / sum(share for _, share in ENDS)
