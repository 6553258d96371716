"""Do two photos show the same dice lying as they lay, or were they moved in between?

In: two readings as JSON. The upper faces of dice on a table lie in one plane, so whatever the
camera did between two photos, one homography takes all of them along; after a roll none does.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, permutations, product
from typing import Any

import numpy as np

from vision.geometry import Floats, Homography, Points

# Root mean square misfit in sides of a face. Corners are found to some hundredths of a side; of
# two dice rolled at random 1 in 50 pairs fits better than MOVED by chance, and values agree too.
SAME, MOVED = 0.07, 0.16
HOPELESS = 2 * MOVED  # of the first two dice alone: then no other dice make it fit
FEWEST = 2  # dice; the plane of one alone can be seen in any way


def same_arrangement(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool | None:
    """Say whether two readings show the same dice as they lay; None where nobody can tell.

    Args:
        one: a reading as JSON, of which only `dice` count: where they lie and, of two, their cells.
        other: another one.
    """
    before, now = (Counter(map(_value, told["dice"])) for told in (one, other))
    return lie_yet(one, other) if before == now else False


def lie_yet(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool | None:
    """Say whether all dice of a later reading lie as they lay on *one*; others may be gone.

    None where nobody can tell: a single die, or values that were not seen on *one*.
    """
    before, now = (sorted(told["dice"], key=_value) for told in (one, other))
    if len(now) < FEWEST or Counter(map(_value, now)) - Counter(map(_value, before)):
        return None
    if len(before) == FEWEST and _moved_on_board(before, now):
        return False
    fewer, more = sorted((before, now), key=len)
    least = min(_misfits(fewer, more), default=float("inf"))
    return None if SAME < least < MOVED else least <= SAME


def _moved_on_board(before: Sequence[Any], now: Sequence[Any]) -> bool:
    """Say whether two readings that both tell cells of a board tell others.

    Two dice moved apart may well lie as another camera would have seen them before.
    """
    one, other = (
        sorted((die["value"], *die["cell"]) for die in dice if die.get("cell") is not None)
        for dice in (before, now)
    )
    return bool(one and other) and one != other


def _misfits(fewer: Sequence[Any], more: Sequence[Any]) -> Iterator[float]:
    """Yield for each pairing of the first two dice how badly all *fewer* fit *more*, in sides."""
    fewer = _spread(fewer)
    sources = [_quad(die) for die in fewer[:2]]
    for pair in permutations(more, 2):
        if [die["value"] for die in pair] != [die["value"] for die in fewer[:2]]:
            continue
        target = np.concatenate([_quad(die) for die in pair])
        for turns in product(range(4), repeat=2):  # which corner is told first differs by view
            turned = [
                np.roll(quad, turn, axis=0) for quad, turn in zip(sources, turns, strict=True)
            ]
            fitted = Homography.fit(np.concatenate(turned), target)
            if fitted is not None and fitted.error < HOPELESS * _side(target[:4]):
                yield _misfit(fitted, np.concatenate(turned), target, fewer, more)


def _spread(dice: Sequence[Any]) -> list[Any]:
    """Return the dice, the two that lie farthest apart first: they tell the plane best."""
    first, second = max(
        combinations(dice, 2),
        key=lambda pair: float(np.hypot(*(_quad(pair[0]).mean(0) - _quad(pair[1]).mean(0)))),
    )
    return [first, second, *(die for die in dice if die is not first and die is not second)]


def _misfit(
    fitted: Homography, source: Points, target: Points, fewer: Sequence[Any], more: Sequence[Any]
) -> float:
    """Return how badly all *fewer* dice fit once the middles of the others are fitted too.

    They are fitted one after another, the nearest first: from two dice alone the place of a far
    one is told badly, and beside it may lie another of its value.
    """
    middles = np.array([_quad(die).mean(axis=0) for die in more])
    free = np.array([die["value"] for die in more])
    for quad in (target[:4], target[4:8]):
        free[int(np.hypot(*(middles - quad.mean(axis=0)).T).argmin())] = 0
    whole: Homography | None = fitted
    reach = source[:8].mean(axis=0)
    others = sorted(fewer[2:], key=lambda die: float(np.hypot(*(_quad(die).mean(axis=0) - reach))))
    for die in others:
        assert whole is not None
        middle = _quad(die).mean(axis=0)
        far = np.hypot(*(middles - whole.apply(middle[None])).T)
        nearest = int(np.where(free == die["value"], far, np.inf).argmin())
        free[nearest] = 0
        source = np.concatenate([source, middle[None]])
        target = np.concatenate([target, middles[nearest][None]])
        whole = Homography.fit(source, target)
        if whole is None:
            return float("inf")
    assert whole is not None
    return float(whole.error) / _side(target[:4])


def _value(die: Mapping[str, Any]) -> int:
    value: int = die["value"]
    return value


def _quad(die: Mapping[str, Any]) -> Floats:
    return np.asarray(die["quad"], np.float64)


def _side(quad: Floats) -> float:
    x, y = quad.T
    return float(np.sqrt(abs(x @ np.roll(y, -1) - y @ np.roll(x, -1)) / 2))
