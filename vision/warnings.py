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


def said_of_unread(kinds: Iterable[str]) -> list[str]:
    """Return a sentence about the pieces of each of these kinds; a thing has a warning."""
    counts = Counter(kind for kind in kinds if kind in SAID)
    return [SAID[kind][count > 1].format(number=count) for kind, count in counts.items()]
