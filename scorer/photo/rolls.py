"""Rolls on a photo, for games in which colour and place of dice do not matter."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from scorer.messages import Message, _, ngettext
from scorer.photo.interpret import dice_doubts, dice_options, interpretations, pips_alone
from scorer.proposal import Doubt, Proposal
from scorer.table import Table
from scorer.values import Unordered
from scorer.words import numbers, spelled

Pips = tuple[int, ...]  # ascending


@dataclass(frozen=True, slots=True)
class Thrown(Unordered):
    """Dice as they fell, in any order."""

    dice: Pips


def rolled(
    table: Table, wanted: int, rule: str, roll: Callable[[Pips], Any], lay: Pips = ()
) -> Proposal:
    """Return the roll on the table, or why it is none.

    Args:
        table: the reading.
        wanted: the number of dice to roll.
        rule: the id of the game's rule about rolling.
        roll: makes the move from the pips.
        lay: the dice of the last roll. If these, or a part of them, may still be there, there is a
            doubt.
    """
    if (count := len(table.dice)) != wanted:
        return Proposal.differs(other_number(count, wanted), rule)
    ranked = interpretations(dice_options(table.dice), lambda read: (_sorted(v for _c, v in read),))
    if not ranked:
        read = numbers(die.value for die in table.dice)
        return Proposal.differs(_("a die shows 1 to 6, but {dice} was read", dice=read), rule)
    doubts = [*dice_doubts(enumerate(table.dice), [one.reading for one in ranked], pips_alone)]
    doubts += [asked for one in ranked for asked in lain_before(one.meaning, lay)][:1]
    return Proposal((roll(ranked[0].meaning),), tuple(doubts), weighed=True)


def _sorted(pips: Iterable[int]) -> Pips:
    return tuple(sorted(pips))


def other_number(found: int, wanted: int) -> Message:
    """Return a difference if the number of dice is wrong."""
    if found > wanted:
        return ngettext(
            "{seen} dice were found; show only the one that was rolled.",
            "{seen} dice were found; show only the {number} that were rolled.",
            wanted,
            seen=found,
            number=spelled(wanted),
        )
    if wanted == 2:
        return (
            _("Only one die was found; show both.")
            if found
            else _("No dice were found; show both.")
        )
    if found:
        return ngettext(
            "Only {n} die was found; show all {number}.",
            "Only {n} dice were found; show all {number}.",
            found,
            number=spelled(wanted),
        )
    return ngettext(
        "No die was found; show the one that was rolled.",
        "No dice were found; show the {number} that were rolled.",
        wanted,
        number=spelled(wanted),
    )


def same_again(shown: Message, dice: int = 2) -> Doubt:
    """Return the doubt about dice that may be the last roll."""
    if dice == 1:
        text = _("the last roll was {dice} too: was the die rolled again?", dice=shown)
    else:
        text = _("these are the dice of the last roll, {dice}: were they rolled again?", dice=shown)
    return Doubt(text, about="again")


def lain_before(pips: Pips, lay: Pips) -> Iterator[Doubt]:
    """Yield the doubt about dice that may be those of the last roll, *lay*, or a part of them."""
    if pips and not Counter(pips) - Counter(lay):
        yield _again(pips, lay)


def _again(pips: Pips, lay: Pips) -> Doubt:
    if pips == lay:
        return same_again(numbers(pips), len(pips))
    text = ngettext(
        "a {dice} was there before: was the die rolled again?",
        "{dice} were there before: were the dice rolled again?",
        len(pips),
        dice=numbers(pips),
    )
    return Doubt(text, about="again")


def turns(seats: Iterable[int]) -> Iterator[Message]:
    """Yield the heading of each turn, counted by player: "turn 3"."""
    counts = Counter[int]()
    for seat in seats:
        counts[seat] += 1
        yield _("turn {number}", number=counts[seat])
