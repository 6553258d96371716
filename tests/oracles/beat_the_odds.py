"""Beat the Odds once more, written as what happens at the table: slow, and sharing no code.

Each event that can be written down at all is tried on a match played again from its
beginning. Written from RULES.md BO-1 to BO-6.
"""

from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any

from tests.oracles.refusal import Event, Table, need, send

NUMBERS = range(-1, 9)  # more than dice, seats and rolls have, on both sides


def pair(event: Event, kind: str) -> list[int]:
    need(event[0] == kind)
    need(1 <= event[1] <= event[2] <= 6)
    return list(event[1:])


def who_begins(seats: int) -> Table:
    left = list(range(seats))
    while len(left) > 1:
        sums = {}
        for seat in left:
            event = yield
            if event[0] == "Agree":
                need(0 <= event[1] < seats)
                return event[1]
            sums[seat] = sum(pair(event, "StartRoll"))
        left = [seat for seat in left if sums[seat] == max(sums.values())]
    return left[0]


def turn(house: Mapping[str, Any], rights: int) -> Table:
    worth: list[int] = []
    doubled: set[int] = set()
    while True:
        event = yield
        dice = pair(event, "Roll")
        if rights and (dice[0] in (1, 3, 5) or dice[1] in (1, 3, 5)):
            rights = yield from use_right(house, rights, dice)
        evens = [die for die in dice if die in (2, 4, 6)]
        alike = dice[0] if dice[0] == dice[1] else None
        if not evens:
            worth.sort()
            if alike == 1:
                worth.clear()
            if alike == 3:
                worth = worth[:-1]
            together = sum(worth)
            return (together // 2 if alike == 5 else together), rights
        worth.append(sum(evens))
        if alike == 6:
            return 2 * sum(worth), rights
        if alike == 2:
            rights = rights + 1 if house["rights_stack"] else 1
        if alike == 4:
            yield from double_one(house, worth, doubled)


def use_right(house: Mapping[str, Any], rights: int, dice: list[int]) -> Table:
    event = yield
    need(event[0] in ("Reroll", "Decline"))
    if event[0] == "Decline":
        return rights - (house["declined_right"] == "lost")
    need(event[1] in (1, 3, 5) and event[1] in dice and event[2] in (1, 2, 3, 4, 5, 6))
    dice.remove(event[1])
    dice.append(event[2])
    return rights - 1


def double_one(house: Mapping[str, Any], worth: list[int], doubled: set[int]) -> Table:
    event = yield
    need(event[0] == "Double")
    if event[1] is not None:
        need(0 <= event[1] < len(worth))
        need(house["redouble"] or event[1] not in doubled)
        doubled.add(event[1])
        worth[event[1]] *= 2


def match(house: Mapping[str, Any], scores: list[int]) -> Table:
    seats = len(scores)
    carried = [0] * seats
    first = yield from who_begins(seats)
    order = [*range(first, seats), *range(first)]
    queue = list(order)
    reached = False
    while queue:
        seat = queue.pop(0)
        brought, rights = yield from turn(house, carried[seat])
        carried[seat] = rights if house["right_carries_over"] else 0
        scores[seat] += brought
        if not reached and scores[seat] >= 100:
            reached = True
            if house["last_turns"] == "each_other_once":
                place = order.index(seat)
                queue = order[place + 1 :] + order[:place]
        if not queue and not reached:
            queue = list(order)
        if not queue and house["tie"] == "playoff":
            best = [seat for seat in order if scores[seat] == max(scores)]
            queue = best if len(best) > 1 else []


def scores_after(house: Mapping[str, Any], seats: int, events: Sequence[Event]) -> tuple[int, ...]:
    """Return the scores after the events; raises No if they break a rule."""
    scores = [0] * seats
    send(match(house, scores), events)
    return tuple(scores)


WRITTEN: list[Event] = [
    *(("Decline",), ("Double", None)),
    *product(("Agree", "Double"), NUMBERS),
    *product(("StartRoll", "Roll", "Reroll"), NUMBERS, NUMBERS),
]
