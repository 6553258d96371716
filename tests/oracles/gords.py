"""Gords once more, written as what happens at the table: slow, and sharing no code.

Each event that can be written down at all is tried on a match played again from its
beginning. Written from RULES.md GD-1 to GD-8 and the house rules.
"""

from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any

from tests.oracles.refusal import Event, Table, need, send

TRACKS = {
    "half_before": "1 1* 2 3 2* 4 5 3* 6 7 4* 8 9 5* 10 "
    "11 6* 12 13 7* 14 15 8* 16 17 9* 18 19 10* 20",
    "half_after": "1 2 1* 3 4 2* 5 6 3* 7 8 4* 9 10 5* "
    "11 12 6* 13 14 7* 15 16 8* 17 18 9* 19 20 10*",
}


def track(house: Mapping[str, Any]) -> list[str]:
    named = house["track"]
    return TRACKS[named].split() if isinstance(named, str) else list(named)


def ladder(house: Mapping[str, Any]) -> list[tuple[str, int]]:
    """Return every bid there is, the lowest first."""
    low = 1 if house["ones_on_number_space"] else 2
    bids = []
    for place in track(house):
        bids += [(place, 1)] if place[-1] == "*" else [(place, face) for face in range(low, 7)]
    return bids


def round_of_bids(house: Mapping[str, Any], dice: list[int], speaker: int) -> Table:
    """Return the bid that was called, its bidder and the caller."""
    bids, stands, bidder = ladder(house), -1, None
    while True:
        event = yield
        if event[0] == "Call":
            need(bidder is not None)
            need(event[1] in range(len(dice)) and dice[event[1]] > 0 and event[1] != bidder)
            need(event[1] == speaker or house["call_by"] == "anyone")
            return bids[stands], bidder, event[1]
        need(event[0] == "Bid" and event[1:] in bids)
        need(bids.index(event[1:]) > stands)
        need(int(event[1].strip("*")) <= sum(dice) or not house["cap_at_dice_in_play"])
        stands, bidder = bids.index(event[1:]), speaker
        speaker = after(dice, speaker)


def after(dice: list[int], seat: int) -> int:
    seat = (seat + 1) % len(dice)
    return seat if dice[seat] else after(dice, seat)


def reveal(dice: list[int], face: int) -> Table:
    """Return how many dice match, each hand shown or all that is left counted at once."""
    waiting = {seat for seat, number in enumerate(dice) if number}
    pips: list[int] = []
    while waiting:
        event = yield
        if event[0] == "Count":
            shown = sum(die in (1, face) for die in pips)
            need(shown <= event[1] <= shown + sum(dice[seat] for seat in waiting))
            return event[1]
        need(event[0] == "Reveal" and event[1] in waiting)
        need(len(event[2]) == dice[event[1]])
        need(all(1 <= die <= 6 for die in event[2]) and list(event[2]) == sorted(event[2]))
        waiting.remove(event[1])
        pips += event[2]
    return sum(die in (1, face) for die in pips)


def match(house: Mapping[str, Any], dice: list[int]) -> Table:
    event = yield
    need(event[0] == "Agree" and event[1] in range(len(dice)))
    starter = event[1]
    while sum(number > 0 for number in dice) > 1:
        (place, face), bidder, caller = yield from round_of_bids(house, dice, starter)
        good = yield from reveal(dice, face)
        claimed = int(place.strip("*"))
        if good == claimed and house["exact"] == "all_others_lose":
            losers = [seat for seat, number in enumerate(dice) if number and seat != bidder]
        else:
            losers = [caller if good >= claimed else bidder]
        apart = max(good, claimed) - min(good, claimed)  # GD-A15
        for seat in losers:
            gone = apart if house["loss"] == "difference" and apart > 1 else 1
            dice[seat] = max(dice[seat] - gone, 0)
        starter = caller if dice[caller] else after(dice, caller)


def dice_after(
    house: Mapping[str, Any], dice: Sequence[int], events: Sequence[Event]
) -> tuple[int, ...]:
    """Return the dice left after the events; raises No if they break a rule."""
    left = list(dice)
    send(match(house, left), events)
    return tuple(left)


def written(dice: Sequence[int]) -> list[Event]:
    """Return every event that can be written down; hands of up to three dice are tried."""
    seats = range(-1, len(dice) + 1)
    spaces = [f"{number}{star}" for number in range(23) for star in ("", "*")]
    return [
        *product(("Agree", "Call"), seats),
        *(("Count", number) for number in range(-1, 5 * len(dice) + 2)),
        *product(("Bid",), spaces, range(8)),
        *(
            ("Reveal", seat, shown)
            for seat in seats
            for number in range(min(max(dice), 3) + 1)
            for shown in product(range(8), repeat=number)
        ),
    ]
