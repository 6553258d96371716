"""Confirmed doubts: a confirmed value of a die is not asked about again while the die stays there.

The rules do not track individual dice, so a die that was doubtful in the roll would be doubtful
again when it is taken.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import dist
from typing import Any

from scorer import Doubt
from scorer.messages import Message

NEAR = 0.25  # sides of a face: the corners of a resting die vary that much


@dataclass(frozen=True, slots=True)
class AnsweredDoubt:
    """A question about a die whose proposed answer was confirmed, with the die's reading."""

    sentence: Message
    die: Mapping[str, Any]  # in the form of the reading

    def lies_in(self, reading: Mapping[str, Any]) -> bool:
        """Return True if a later reading of this camera has the same die in the same place."""
        return any(_is_same(self.die, die) for die in reading["dice"])

    def is_about(self, doubt: Doubt, reading: Mapping[str, Any]) -> bool:
        """Return True if a doubt about a later reading is the same question about this die."""
        die = _die_of(doubt, reading)
        return die is not None and doubt.sentence == self.sentence and _is_same(self.die, die)


def answered(doubts: tuple[Doubt, ...], reading: Mapping[str, Any]) -> Iterator[AnsweredDoubt]:
    """Yield the answered doubts about dice of a reading."""
    for doubt in doubts:
        die = _die_of(doubt, reading)
        if die is not None:
            yield AnsweredDoubt(doubt.sentence, die)


def _die_of(doubt: Doubt, reading: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """Return the die of a doubt: tables keep the order of the reading."""
    if doubt.piece is None or doubt.piece[0] != "dice":
        return None
    die: Mapping[str, Any] = reading["dice"][doubt.piece[1]]
    return die


def _is_same(die: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    if (die["value"], die["color"]) != (other["value"], other["color"]):
        return False
    side = dist(*die["quad"][:2])
    return dist(die["center"], other["center"]) < NEAR * side
