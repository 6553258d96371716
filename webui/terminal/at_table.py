"""Parse typed steps beside the moves: leave, join, rename, swap, end."""

from collections.abc import Callable, Mapping, Sequence

from scorer.evening.steps import Concede, EndMatch, JoinTable, LeaveTable, Rename, TableStep
from scorer.messages import _, languages, translated
from scorer.words import tidy
from webui.match.at_table import seat_called

ALONE: Mapping[str, Callable[[int], TableStep]] = {"leave": LeaveTable, "concede": Concede}
SWAPS = ("swap", "names", "chairs")  # commands that name two players
SURE = _("now")  # typed after commands that end the match, and "play on"


def is_sure(words: str, language: str) -> bool:
    """Return True if the words after a command confirm it."""
    return words.lower() in (translated(SURE, language), SURE)


def unconfirmed(words: str) -> str:
    """Return the words after a command without the one that confirms it."""
    first, _space, last = words.rpartition(" ")
    return first if any(is_sure(last, language) for language in languages()) else words


def means_step(name: str, words: str, names: Sequence[str], betweens: Sequence[str]) -> bool:
    """Return True if the words after a command make it a step; otherwise the line may be a move."""
    if name == "start":
        return seat_called(names, words) is not None
    if name == "play":
        return True
    if name == "end":
        return not unconfirmed(words)
    if name in SWAPS:
        return two_of(words, names, betweens) is not None
    return step_of(name, words, names, betweens) is not None


def two_of(words: str, names: Sequence[str], betweens: Sequence[str]) -> tuple[int, int] | None:
    """Return the seats of two named players, separated by one of *betweens*."""
    between = next((one for one in betweens if one in words), "\n")
    first, _between, second = words.partition(between)
    seat, other = (seat_called(names, name.strip()) for name in (first, second))
    return None if seat is None or other is None else (seat, other)


def step_of(
    name: str, words: str, names: Sequence[str], betweens: Sequence[str]
) -> TableStep | None:
    """Parse a typed line as a step; None if it is none, and may be a move.

    *betweens* are the words allowed between its two names.
    """
    between = next((one for one in betweens if one in words), "\n")
    first, _between, second = (part.strip() for part in words.partition(between))
    if name in ALONE and seat_called(names, first) is None:
        first = unconfirmed(first)
    seat = seat_called(names, first)
    if name == "join" and words:
        return JoinTable(tidy(words))
    if name == "end":
        return EndMatch()
    if seat is None:
        return None
    if name == "rename" and second:
        return Rename(seat, tidy(second))
    alone = ALONE.get(name)
    return alone(seat) if alone else None
