"""Solve Pig for two players: `python -m scorer.coach.pig_solve` writes the table `pig.f32`.

The chance to win of a player who begins a turn, by the points that each has still to bank, both
playing best (Neller and Presser, "Optimal Play of the Dice Game Pig", 2004).
"""

from __future__ import annotations

from scorer.coach.tables import SIDE, write

SMALL = 1e-12  # two rounds that agree so far have settled

Wins = dict[tuple[int, int], float]


def solve() -> Wins:
    """Return the chance to win for each pair of points to go, the nearest to the end first.

    A turn ends nearer to the target or with nothing, so a pair hangs on smaller ones, on itself
    and on its mirror.
    """
    wins: Wins = {}
    for together in range(2, 2 * SIDE + 1):
        for own in range(max(1, together - SIDE), together // 2 + 1):
            _settle(wins, own, together - own)
    return wins


def _settle(wins: Wins, own: int, other: int) -> None:
    """Find both values of a pair: under the choices of a round each is a line in the other's."""
    mine, theirs = 0.5, 0.5
    while True:
        base, slope = _turn(wins, own, other, theirs)
        other_base, other_slope = _turn(wins, other, own, mine)
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


def _turn(wins: Wins, own: int, other: int, theirs: float) -> tuple[float, float]:
    """Return base and slope: best choices, given *theirs*, win base + slope * theirs.

    Args:
        wins: the values of all pairs nearer to the end.
        own: points to go of the player in turn, before this turn's.
        other: points to go of the opponent.
        theirs: the chance the opponent has with the turn, if this one brings nothing.
    """
    lines = [(1.0, 0.0)] * 6  # of the six next totals; from *own* points on holding has won
    for total in range(own - 1, -1, -1):
        base = (1 + sum(line[0] for line in lines[1:])) / 6  # rolls of 2 to 6; a 1 passes the turn
        slope = (-1 + sum(line[1] for line in lines[1:])) / 6
        if total:  # a turn takes at least one roll
            held = 1 - wins[other, own - total]
            if held > base + slope * theirs:
                base, slope = held, 0.0
        lines = [(base, slope), *lines[:5]]
    return lines[0]


def main() -> None:
    """Write the table: entry (own - 1, other - 1)."""
    wins = solve()
    write("pig", (wins[own, other] for own in range(1, SIDE + 1) for other in range(1, SIDE + 1)))


if __name__ == "__main__":
    main()
