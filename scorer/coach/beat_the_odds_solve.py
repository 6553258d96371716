"""Solve Beat the Odds for two: `python -m scorer.coach.beat_the_odds_solve` writes its table.

The win probability of a player who begins a turn, by both scores, with default house rules. Both
use their rights in the plain way (`turn_odds`), which brings as many points as best play; a shared
win is half a win.
"""

from collections.abc import Mapping

from scorer.coach.beat_the_odds import turn_odds
from scorer.coach.tables import SIDE, write

Wins = dict[tuple[int, int], float]


def solve(odds: Mapping[int, float]) -> Wins:
    """Return the chance to win for each pair of scores under 100, the highest first.

    A turn of 0 points leaves the pair mirrored, so the two are solved together.
    """
    beats = reply(odds)
    wins: Wins = {}
    for together in range(2 * SIDE - 2, -1, -1):
        for own in range(max(0, together - SIDE + 1), together // 2 + 1):
            other, none = together - own, odds[0]
            mine = none + _rest(wins, odds, beats, own, other)
            theirs = none + _rest(wins, odds, beats, other, own)
            if own == other:
                wins[own, own] = mine / (1 + none)
            else:
                wins[own, other] = (mine - none * theirs) / (1 - none * none)
                wins[other, own] = theirs - none * wins[own, other]
    return wins


def reply(odds: Mapping[int, float]) -> list[float]:
    """Return the chance of one turn against each lead: to pass it, and half of drawing level."""
    most = 2 * max(odds)
    beats, above = [0.0] * (most + 1), 0.0
    for lead in range(most, -1, -1):
        chance = odds.get(lead, 0.0)
        beats[lead] = above + chance / 2
        above += chance
    return beats


def _rest(wins: Wins, odds: Mapping[int, float], beats: list[float], own: int, other: int) -> float:
    """Return the part of the chance that turns with points bring."""
    rest = 0.0
    for points, chance in odds.items():
        if points:
            after = own + points
            their = beats[after - other] if after >= SIDE else wins[other, after]
            rest += chance * (1 - their)
    return rest


def main() -> None:
    """Write the tables: entry (own, other), and what one last turn does against each lead."""
    odds = turn_odds()
    write("beat_the_odds_reply", reply(odds))
    wins = solve(odds)
    write("beat_the_odds", (wins[own, other] for own in range(SIDE) for other in range(SIDE)))


if __name__ == "__main__":
    main()
