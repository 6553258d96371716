"""Decide whether two photos show the same dice unmoved.

In: two readings as JSON. Out: yes, no or unknown. The top faces of dice on a table are in one
plane, so whatever the camera did between two photos, one homography maps all of them; after a roll
none does.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, permutations, product
from typing import Any

import numpy as np

from vision.geometry import Floats, Homography, Points

# Root mean square misfit, in sides of a face, up to which dice are unmoved and from which they are
# moved. Corners are exact to some hundredths of a side. Of two dice rolled at random 1 in 50 pairs
# fits better than MOVED by chance, and then the values must agree too.
SAME, MOVED = 0.07, 0.16
HOPELESS = 2 * MOVED  # misfit of the first two dice from which the other dice need not be tried
# Sides of a face, by which a corner is read elsewhere on the same photo in another size.
PRINTED = 0.2
UNEVEN = 0.02  # of a photo's proportions, by rounding its size
FEWEST = 2  # dice; a single one fits any homography


def same_arrangement(earlier: Mapping[str, Any], later: Mapping[str, Any]) -> bool | None:
    """Return True if two readings show the same dice unmoved; None if that is unknown.

    Args:
        earlier: a reading as JSON, of which `dice` are used: values, places and, of two, cells.
        later: another one.
    """
    before, after = (Counter(map(_value, reading["dice"])) for reading in (earlier, later))
    return lie_yet(earlier, later) if before == after else False


def lie_yet(earlier: Mapping[str, Any], later: Mapping[str, Any]) -> bool | None:
    """Return True if all dice of the later reading are unmoved; others may be gone.

    None if that is unknown: for a single die, or for values that the earlier reading does not have.
    """
    before, after = (sorted(reading["dice"], key=_value) for reading in (earlier, later))
    if len(after) < FEWEST or Counter(map(_value, after)) - Counter(map(_value, before)):
        return None
    if len(before) == FEWEST and _moved_on_board(before, after):
        return False
    fewer, more = sorted((before, after), key=len)
    least = min(_misfits(fewer, more), default=float("inf"))
    return None if SAME < least < MOVED else least <= SAME


def same_picture(earlier: Mapping[str, Any], later: Mapping[str, Any]) -> bool:
    """Return True if two readings show the same dice and marks in the same places of the picture.

    Then it is one photo, sent in another size or quality: from another place of the camera, or
    after a roll, dice are elsewhere in the picture.
    """
    if not later["dice"]:
        return False
    scale = later["width"] / earlier["width"]
    if abs(later["height"] / earlier["height"] - scale) > UNEVEN * scale:
        return False
    dice = [(_value(die), _quad(die) * scale) for die in earlier["dice"]]
    if len(dice) != len(later["dice"]) or _marks(earlier) != _marks(later):
        return False
    for die in later["dice"]:
        place = next((i for i, one in enumerate(dice) if _is_there(*one, die)), None)
        if place is None:
            return False
        del dice[place]
    return True


def _is_there(value: int, quad: Floats, die: Mapping[str, Any]) -> bool:
    """Return True if a die lies where one of a *value* has its corners; any may be the first."""
    near = PRINTED * _side(quad)
    turned = (np.roll(quad, turn, axis=0) for turn in range(4))
    return value == _value(die) and any(
        float(np.hypot(*(one - _quad(die)).T).max()) < near for one in turned
    )


def _marks(reading: Mapping[str, Any]) -> list[tuple[Any, str]]:
    return [(mark["cell"], mark["mark"]) for mark in reading.get("marks", ())]


def _moved_on_board(before: Sequence[Any], after: Sequence[Any]) -> bool:
    """Return True if both readings have cells of a board and these differ.

    Two moved dice can look like two unmoved ones from another view.
    """
    cells_before, cells_after = (
        sorted((die["value"], *die["cell"]) for die in dice if die.get("cell") is not None)
        for dice in (before, after)
    )
    return bool(cells_before and cells_after) and cells_before != cells_after


def _misfits(fewer: Sequence[Any], more: Sequence[Any]) -> Iterator[float]:
    """Yield the misfit of all *fewer* dice to *more*, in sides, by pairing of the first two."""
    fewer = _spread(fewer)
    sources = [_quad(die) for die in fewer[:2]]
    for pair in permutations(more, 2):
        if [die["value"] for die in pair] != [die["value"] for die in fewer[:2]]:
            continue
        target = np.concatenate([_quad(die) for die in pair])
        for turns in product(range(4), repeat=2):  # the first corner depends on the view
            turned = [
                np.roll(quad, turn, axis=0) for quad, turn in zip(sources, turns, strict=True)
            ]
            fitted = Homography.fit(np.concatenate(turned), target)
            if fitted is not None and fitted.error < HOPELESS * _side(target[:4]):
                yield _misfit(fitted, np.concatenate(turned), target, fewer, more)


def _spread(dice: Sequence[Any]) -> list[Any]:
    """Return the dice, the two farthest apart first: they determine the plane best."""
    first, second = max(
        combinations(dice, 2),
        key=lambda pair: float(np.hypot(*(_quad(pair[0]).mean(0) - _quad(pair[1]).mean(0)))),
    )
    return [first, second, *(die for die in dice if die is not first and die is not second)]


def _misfit(
    fitted: Homography, source: Points, target: Points, fewer: Sequence[Any], more: Sequence[Any]
) -> float:
    """Return the misfit of all *fewer* dice after fitting the middles of the others too.

    They are fitted one by one, the nearest first: two dice predict the place of a far one badly,
    and another die of its value may be near it.
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
