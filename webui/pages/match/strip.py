"""The strip of scores in the bar of a match: two rows at most, whatever the number of players."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

WHOLE = 4  # players whose names are written out
MOST = 12  # players who all have a place


@dataclass(frozen=True, slots=True)
class ScorePlace:
    """A seat's place: its name, in *short* where there is no room for it."""

    seat: int
    name: str
    short: str
    points: int
    moves: bool
    shown: bool = True  # to every phone, not only to those that hold the seat


def strip(view: Mapping[str, Any], *, lowest: bool = False) -> list[ScorePlace]:
    """Return the places: all seats; of many players who moves and who leads are shown first."""
    names, score = view["names"], view["score"]
    shorts = names if len(names) <= WHOLE else short(names)
    every = [
        ScorePlace(seat, name, shorts[seat], score[seat], seat in view["to_move"])
        for seat, name in enumerate(names)
    ]
    if len(every) <= MOST:
        return every
    best = (min if lowest else max)(every, key=lambda place: place.points)
    moving = next((place for place in every if place.moves), best)
    first = list(dict.fromkeys((moving, best)))
    return first + [replace(place, shown=False) for place in every if place not in first]


def short(names: Sequence[str]) -> list[str]:
    """Return two letters of each name: different ones as long as the names allow it.

    >>> short(["Ana", "Anton", "Ben", "Li"])
    ['An', 'At', 'Be', 'Li']
    """
    taken = list[str]()
    for name in names:
        pairs = itertools.chain((name[0] + letter for letter in name[1:]), (name[:2],))
        taken.append(next((pair for pair in pairs if pair not in taken), name[:2]))
    return taken
