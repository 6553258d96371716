"""Examples of typed moves: the fewest words that identify a legal move."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from scorer.game import kind_of
from scorer.sentence import Spoken, search

FEW = 3  # examples
SEARCHED = 1_000  # moves: with more of them whole sentences are shown
DICE = re.compile(r"\b(?:rolls|shows) ([1-6](?:[ -][1-6])*)")
GLUE = {"a", "again", "and", "as", "for", "half", "in", "of", "on", "the", "to"}


def examples(spoken: Sequence[Spoken], names: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield typed examples with their sentences, of as many kinds of moves as possible."""
    for phrase in of_each_kind(spoken, FEW):
        yield _short(phrase, spoken, names), phrase.text


def of_each_kind(spoken: Sequence[Spoken], most: int) -> Sequence[Spoken]:
    """Return at most *most* moves, the first of each kind before the second of any."""
    alike, place = Counter[type](), dict[int, int]()
    for number, phrase in enumerate(spoken):
        place[number] = alike[kind_of(phrase.move)]
        alike[kind_of(phrase.move)] += 1
    return [spoken[number] for number in sorted(place, key=place.__getitem__)[:most]]


def _short(phrase: Spoken, spoken: Sequence[Spoken], names: Sequence[str]) -> str:
    """Return only the dice, or the words needed to identify the move."""
    if len(spoken) > SEARCHED:
        return phrase.text
    dice = DICE.search(phrase.text)
    if dice and search(spoken, dice[1]) == [phrase]:
        return dice[1]
    text = next(
        (phrase.text[len(name) + 1 :] for name in names if phrase.text.startswith(f"{name} ")),
        phrase.text,
    )
    words = [re.sub(r"[,;:.]+$", "", word) for word in text.split() if word not in GLUE]
    for length in range(1, len(words) + 1):
        typed = " ".join(words[:length])
        if search(spoken, typed) == [phrase]:
            return typed
    return phrase.text
