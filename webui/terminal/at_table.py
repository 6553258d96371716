"""What is typed at a match beside moves: who leaves, comes late, is renamed, or all stop."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from scorer.evening import Concede, EndMatch, JoinTable, LeaveTable, Rename, TableStep
from scorer.messages import Message, _, raw
from webui.match.at_table import seat_called, swapped
from webui.match.player_names import tidy

WORDS_BESIDE = {
    "leave NAME": _("who leaves the table"),
    "concede NAME": _("who gives up"),
    "join NAME": _("who comes late"),
    "rename NAME to NAME": _("what a player is called from now on"),
    "swap NAME and NAME": _("two players change seats"),
    "start NAME": _("who has started, if it was said wrong"),
    "play on DICE": _("all play on with what lies there, against a rule"),
    "end": _("all agree to stop"),
}
BESIDE = {words.split()[0] for words in WORDS_BESIDE}
BETWEEN = {"rename": " to ", "swap": " and "}
ALONE: Mapping[str, Callable[[int], TableStep]] = {"leave": LeaveTable, "concede": Concede}
SURE = "now"  # typed after "end" and "play on"


def usage(line: str) -> Message | None:
    """Return how a command beside the moves is typed that names a player, None for other lines."""
    word = line.partition(" ")[0].lower()
    for words in WORDS_BESIDE:
        if words.startswith(f"{word} ") and words.endswith("NAME"):
            return raw(words)
    return None


def means_step(word: str, words: str, names: Sequence[str]) -> bool:
    """Say whether a typed line is something beside the moves; else it may say a move."""
    if word == "start":
        return seat_called(names, words) is not None
    if word == "play":
        return words.split(" ", 1)[0] == "on"
    return step_of(word, words, names) is not None


def step_of(word: str, words: str, names: Sequence[str]) -> TableStep | None:
    """Return the step that a typed line is; None where it is none, and may say a move."""
    first, _between, second = (part.strip() for part in words.partition(BETWEEN.get(word, "\n")))
    seat, other = seat_called(names, first), seat_called(names, second)
    if word == "join" and words:
        return JoinTable(tidy(words))
    if word == "end" and words in ("", SURE):
        return EndMatch()
    if seat is None:
        return None
    if word == "rename" and second:
        return Rename(seat, tidy(second))
    if word == "swap" and other is not None:
        return swapped(len(names), seat, other)
    alone = ALONE.get(word)
    return alone(seat) if alone else None
