"""Words that the sentences of every game share: players, lists and numbers of things."""

from __future__ import annotations

from collections.abc import Iterable


def player(seat: int) -> str:
    """Return a seat, from 0, as sentences name it: "player 1"."""
    return f"player {seat + 1}"


def players(seats: Iterable[int]) -> str:
    """Return "player 1, player 2 and player 4"."""
    return listed(map(player, seats))


def listed(words: Iterable[str], last: str = "and") -> str:
    """Return "one, two and three"; *last* is the word before the last of them."""
    some = list(words)
    return f" {last} ".join([*filter(None, [", ".join(some[:-1])]), *some[-1:]])


def counted(number: int, one: str, many: str = "") -> str:
    """Return a number with what is counted: "1 face", "3 faces", or *many* as it is given."""
    return f"{number} {one if number == 1 else many or one + 's'}"


NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def spelled(number: int) -> str:
    """Return a small number as a word, a larger one in digits."""
    return NUMBERS[number] if number < len(NUMBERS) else str(number)
