"""What to type, shown with moves that are legal now: a few words that mean just that move."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from scorer.sentence import Spoken, search

FEW = 3  # examples
SEARCHED = 1_000  # moves among which shorter words are looked for; of more the sentence is shown
DICE = re.compile(r"\b(?:rolls|shows) ([1-6](?:[ -][1-6])*)")
GLUE = {"a", "again", "and", "as", "for", "half", "in", "of", "on", "the", "to"}


def examples(spoken: Sequence[Spoken], names: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield what may be typed and the sentence it means, of as many kinds of moves as there are."""
    kinds: dict[type, list[Spoken]] = {}
    for phrase in spoken:
        kinds.setdefault(type(phrase.move), []).append(phrase)
    for number in range(FEW if kinds else 0):
        alike = list(kinds.values())[number % len(kinds)]
        place = number // len(kinds)
        if place < len(alike):
            phrase = alike[place]
            yield _short(phrase, spoken, names), phrase.text


def _short(phrase: Spoken, spoken: Sequence[Spoken], names: Sequence[str]) -> str:
    """Return the dice alone, or the words that matter as far as they are needed."""
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
