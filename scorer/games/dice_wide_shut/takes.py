"""Dice Wide Shut: which dice may be taken (DW-4)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations

from scorer.game import Illegal
from scorer.games.dice_wide_shut.moves import COLOURS, Dice, Hue, Take, dice_said
from scorer.games.dice_wide_shut.state import State
from scorer.messages import _
from scorer.repair import in_words
from scorer.words import colour as colour_said


def takes(
    pool: Dice, same_number_pair: bool = True, purple_counts_for_single: bool = True
) -> Iterator[Take]:
    """Yield every different take from *pool* (DW-4)."""
    for colour in COLOURS:
        mine = [die for die in pool if die[0] in (colour, "purple")]
        small = [die for die in mine if die[1] < 6]
        counted = _counted(small, purple_counts_for_single)
        choices: list[Dice] = [
            pair for pair in combinations(small, 2) if same_number_pair or pair[0][1] != pair[1][1]
        ]
        choices += [tuple(counted)] if len(counted) == 1 else []
        choices += [(die,) for die in mine if die[1] == 6]
        yield from (Take(colour, dice) for dice in dict.fromkeys(choices))


def check_take(
    pool: Dice,
    take: Take,
    same_number_pair: bool = True,
    purple_counts_for_single: bool = True,
) -> None:
    """Raise Illegal unless *take* may be taken from *pool* (DW-4)."""
    dice, colour = take.dice, take.colour
    if not dice:
        raise Illegal(take, _("nobody may pass: take dice of one colour"), "DW-4")
    for die in dice:
        if die[0] not in (colour, "purple"):
            text = _(
                "a {hue} die cannot be taken as {colour}",
                hue=colour_said(die[0]),
                colour=colour_said(colour),
            )
            raise Illegal(take, text, "DW-4")
        if pool.count(die) < dice.count(die):
            text = _("there is only one {die} to take", die=in_words(die))
            if die not in pool:
                text = _("there is no {die} to take", die=in_words(die))
            raise Illegal(take, text, "DW-4")
    if 6 in [value for _hue, value in dice]:
        if len(dice) > 1:
            raise Illegal(take, _("a 6 is taken alone"), "DW-4")
        return
    if len(dice) > 2:
        raise Illegal(take, _("{number} dice are too many: take two", number=len(dice)), "DW-4")
    if len(dice) == 2:
        if dice[0][1] == dice[1][1] and not same_number_pair:
            text = _("both dice show {number}: they must differ", number=dice[0][1])
            raise Illegal(take, text, "DW-A2")
        return
    small = [die for die in pool if die[1] < 6 and die[0] in (colour, "purple")]
    if _counted(small, purple_counts_for_single) != list(dice):
        small.remove(dice[0])
        if not small:
            text = _("the purple die alone is no {colour} take", colour=colour_said(colour))
            raise Illegal(take, text, "DW-A9")
        text = _(
            "besides the {die} there is a {other} to take: take two dice",
            die=dice_said(dice),
            other=in_words(small[0]),
        )
        raise Illegal(take, text, "DW-4")


def _counted(small: Iterable[tuple[Hue, int]], purple_counts: bool) -> list[tuple[Hue, int]]:
    """Return the dice 1 to 5 among which a single one may be taken (DW-A9)."""
    return [die for die in small if purple_counts or die[0] != "purple"]


def take_rules(state: State) -> tuple[bool, bool]:
    """Return whether two alike may be taken now, and whether the purple die counts."""
    same, purple = bool(state.house["same_number_pair"]), state.house["purple_counts_for_single"]
    if not same:
        same = next(takes(state.pool, False, bool(purple)), None) is None
    return same, bool(purple)
