"""Solve Pig for two players: `python -m scorer.coach.pig_solve` writes a table for each variant.

The chance to win of a player who begins a turn, by the points that each has still to bank, both
playing best (Neller and Presser, "Optimal Play of the Dice Game Pig", 2004).
"""

from collections.abc import Mapping
from typing import NamedTuple

from scorer.coach.pig import VARIANTS, Rolls, table_of
from scorer.coach.tables import SIDE, write

SMALL = 1e-12  # two rounds that agree so far have settled

Wins = dict[tuple[int, int], float]


class Linear(NamedTuple):
    """A chance to win that hangs on another one: base + slope * that."""

    base: float
    slope: float


def solve(rolls: Rolls) -> Wins:
    """Return the chance to win for each pair of points to go.

    A turn ends nearer to the target or with nothing, so a pair hangs on smaller ones, on itself
    and on its mirror; where two 1s lose all, also on those of who has everything to go, which are
    found round by round.
    """
    again = dict.fromkeys(range(1, SIDE + 1), 0.5)
    while True:
        wins = _solved(rolls, again)
        before, again = again, {other: 1 - wins[other, SIDE] for other in again}
        if not rolls.all_lost or max(abs(before[at] - again[at]) for at in again) < SMALL:
            return wins


def _solved(rolls: Rolls, again: Mapping[int, float]) -> Wins:
    """Return the same, given *again*, the win probability after losing all."""
    wins: Wins = {}
    for together in range(2, 2 * SIDE + 1):
        for own in range(max(1, together - SIDE), together // 2 + 1):
            _settle(wins, own, together - own, rolls, again)
    return wins


def _settle(wins: Wins, own: int, other: int, rolls: Rolls, again: Mapping[int, float]) -> None:
    """Find both values of a pair: under the choices of a round each is a line in the other's."""
    mine, theirs = 0.5, 0.5
    while True:
        base, slope = _turn(wins, own, other, theirs, rolls, again)
        other_base, other_slope = _turn(wins, other, own, mine, rolls, again)
        if own == other:
            following = base / (1 - slope)
            after = following
        else:
            following = (base + slope * other_base) / (1 - slope * other_slope)
            after = other_base + other_slope * following
        settled = abs(following - mine) + abs(after - theirs) < SMALL
        mine, theirs = following, after
        if settled:
            wins[own, other], wins[other, own] = mine, theirs
            return


def _turn(
    wins: Wins, own: int, other: int, theirs: float, rolls: Rolls, again: Mapping[int, float]
) -> Linear:
    """Return base and slope: best choices, given *theirs*, win base + slope * theirs.

    *wins* are those of pairs nearer to the end, *again* those after losing all, by the other's.
    """
    lines = [Linear(1.0, 0.0)] * (own + rolls.most)  # by the turn's total; holding *own* has won
    for total in range(own - 1, -1, -1):
        reached = [(lines[total + gain], count) for gain, count in rolls.gains]
        base = rolls.ends + rolls.all_lost * again[other]
        base = (base + sum(line.base * count for line, count in reached)) / rolls.ways
        slope = (sum(line.slope * count for line, count in reached) - rolls.ends) / rolls.ways
        lines[total] = Linear(base, slope)
        if total:  # a turn takes at least one roll
            held = 1 - wins[other, own - total]
            if held > base + slope * theirs:
                lines[total] = Linear(held, 0.0)
    return lines[0]


def main() -> None:
    """Write the tables: entry (own - 1, other - 1)."""
    sides = range(1, SIDE + 1)
    for variant, rolls in VARIANTS.items():
        wins = solve(rolls)
        write(table_of(variant), (wins[own, other] for own in sides for other in sides))


if __name__ == "__main__":
    main()
