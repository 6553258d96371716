"""How likely a bid of Gords is true, as exact fractions."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import comb

from scorer.games.gords import Bid, count, wanted


def at_least(unknown: int, need: int, ones_only: bool = False) -> Fraction:
    """Return the chance that *need* or more of *unknown* dice match a bid.

    A die matches a number with its face or as a wild one, 1/3; a bid on ones, a star, with 1/6.
    """
    sides = 6 if ones_only else 3  # one side in so many matches
    ways = sum(
        comb(unknown, matching) * (sides - 1) ** (unknown - matching)
        for matching in range(max(need, 0), unknown + 1)
    )
    return Fraction(ways, sides**unknown)


def bid_odds(bid: Bid, own: Sequence[int], in_play: int) -> Fraction:
    """Return the chance that *bid* is true for a player who sees the *own* dice of all in play."""
    return at_least(in_play - len(own), wanted(bid.space) - count(bid, own), bid.face == 1)
