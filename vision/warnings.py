"""Warnings about a photo that others recognise by their words; without numpy."""

from collections import Counter
from collections.abc import Iterable

UNSEEN = "The board was not found. Show all of it, flat, with the black squares around it."
GUESSED = "Where the grid lies is a guess. Check the cells, or take the photo from above."
COLOURED = "The light colours the dice: white ones may look orange or green. Check their colours."
FOREIGN = "A {} die does not belong to this game. Take it away or correct its colour."
SAID = {
    "numbered": ("A die with numerals is not read.", "{number} dice with numerals are not read."),
    "back": (
        "A domino is face down and is not read.",
        "{number} dominoes are face down and are not read.",
    ),
    "printed": (
        "A printed domino is not counted.",
        "{number} printed dominoes are not counted. If some are real, cover the print.",
    ),
}


LARGER, DOUBLE_SIX = "The set has dominoes with more than six pips on a half.", 6


def notices(kinds: Iterable[str], halves: Iterable[int]) -> list[str]:
    """Return sentences about what was read that ask nothing.

    Args:
        kinds: of the pieces that are not read; a thing has a warning.
        halves: of the dominoes.
    """
    counts = Counter(kind for kind in kinds if kind in SAID)
    unread = [SAID[kind][count > 1].format(number=count) for kind, count in counts.items()]
    return [*unread, LARGER] if max(halves, default=0) > DOUBLE_SIX else unread
