"""Rolls on a photo, for games whose dice tell nothing by colour or place."""

from __future__ import annotations

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
    """Return the roll that lies there, or why it is none.

    Args:
        table: what was seen.
        wanted: the number of dice that were to be rolled.
        rule: the id of the game's rule of rolling.
        roll: makes the move of what fell.
        lay: the dice that lay there before. If it may be these again, or what is left of them once
            some were set aside or taken away, it is asked about.
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
    """Return what to show instead, where more or fewer dice are seen than were rolled."""
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
    """Return the question about dice that lie as the last roll left them."""
    if dice == 1:
        text = _("the last roll was {dice} too: was the die rolled again?", dice=shown)
    else:
        text = _("these are the dice of the last roll, {dice}: were they rolled again?", dice=shown)
    return Doubt(text, about="again")


def lain_before(pips: Pips, lay: Pips) -> Iterator[Doubt]:
    """Ask about dice that may be those that *lay* there before, or what is left of them."""
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
    """Yield the heading of each turn, counted for every player apart: "turn 3"."""
    counts = Counter[int]()
    for seat in seats:
        counts[seat] += 1
        yield _("turn {number}", number=counts[seat])
