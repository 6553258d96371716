"""Pairings and byes of a tournament."""

from collections.abc import Sequence

SeatPair = tuple[int, ...]


def next_pairs(
    pairs: Sequence[SeatPair], movers: Sequence[int], sat_out: tuple[int, ...]
) -> tuple[list[SeatPair], tuple[int, ...]]:
    """Return the pairs of the next round, and all byes including the next.

    The winner of each table moves on to the next one and the loser stays. With an odd number the
    player who sat out takes the place of the loser with the fewest byes, at the last table of
    several such.

    Args:
        pairs: the two at each table of the finished round.
        movers: the one of each pair who moves on.
        sat_out: the byes of round 1, 2, …; () with an even number of players.
    """
    stay = [
        next(seat for seat in pair if seat != on) for pair, on in zip(pairs, movers, strict=True)
    ]
    if sat_out:
        last_first = range(len(stay) - 1, -1, -1)
        place = min(last_first, key=lambda place: sat_out.count(stay[place]))
        sat_out, stay[place] = (*sat_out, stay[place]), sat_out[-1]
    return list(zip([movers[-1], *movers[:-1]], stay, strict=True)), sat_out
