"""Choosing a move by saying it: the legal moves' descriptions as a tree of words.

A page or terminal shows the next words that are possible, and the person taps or types one after
another until a single move is left. It works for every game, because it knows only sentences.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from scorer.game import Game


@dataclass(frozen=True, slots=True)
class Spoken:
    """One legal move and its description in words."""

    move: Any
    words: tuple[str, ...]

    @property
    def text(self) -> str:
        """The whole sentence."""
        return " ".join(self.words)


@dataclass(frozen=True, slots=True)
class Step:
    """How far a sentence has come.

    `said` includes the words that could only follow; `following` the possible next words, numbers
    in order; `move` is the move whose sentence is `said`, `left` how many moves are still possible.
    """

    said: tuple[str, ...]
    following: tuple[str, ...]
    move: Any | None
    left: int


def speak(game: Game[Any, Any], state: Any) -> tuple[Spoken, ...]:
    """Return every legal move of *state* with its description."""
    return tuple(
        Spoken(move, tuple(game.describe(state, move).split())) for move in game.legal_moves(state)
    )


def step(moves: Sequence[Spoken], said: Sequence[str]) -> Step:
    """Return what may follow after *said*, running on while only one word can."""
    prefix = tuple(said)
    while True:
        left = [one for one in moves if one.words[: len(prefix)] == prefix]
        whole = next((one.move for one in left if len(one.words) == len(prefix)), None)
        following = {one.words[len(prefix)] for one in left if len(one.words) > len(prefix)}
        if len(following) != 1 or whole is not None:
            return Step(prefix, tuple(sorted(following, key=_order)), whole, len(left))
        prefix += tuple(following)


def search(moves: Sequence[Spoken], typed: str) -> list[Spoken]:
    """Return the moves that what was typed can mean.

    The whole sentence stands alone; then sentences with the typed words in that order; then in any
    order, each as often as typed. A word may be cut short: "roll" finds "rolls".
    """
    wanted = _plain(typed)
    spoken = [(one, _plain(one.text)) for one in moves]
    for fits in (list.__eq__, _in_order, _in_any_order):
        if found := [one for one, words in spoken if fits(words, wanted)]:
            return found
    return []


def _in_order(words: list[str], wanted: list[str]) -> bool:
    rest = iter(words)
    return all(any(_begins(word, typed) for word in rest) for typed in wanted)


def _in_any_order(words: list[str], wanted: list[str]) -> bool:
    return all(
        sum(_begins(word, typed) for word in words) >= wanted.count(typed) for typed in wanted
    )


def _begins(word: str, typed: str) -> bool:
    """Say whether *typed* means *word*; numbers are not cut short."""
    return word == typed if typed.isdigit() else word.startswith(typed)


def _plain(text: str) -> list[str]:
    """Return the words in small letters without the punctuation at their ends."""
    return re.sub(r"[,;:.]+(?=\s|$)", "", text.lower()).split()


def _order(word: str) -> tuple[int, str]:
    number = re.match(r"\d+", word)
    return (int(number[0]) if number else -1, word)
