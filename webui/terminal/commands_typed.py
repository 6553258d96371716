"""What can be typed at a match besides moves: the commands, and when a line is none of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence, Set

from scorer.messages import Message, _, joined, raw
from webui.terminal.at_table import BESIDE, WORDS_BESIDE, means_step

HELP = _("Type a move in words, or part of it to see what fits. Tab completes it.")
COMMANDS = {
    "moves": _("what is possible now, also: moves WORD"),
    "table": _("everything that lies on the table"),
    "undo": _("take back the last step"),
    "redo": _("put it back, also: redo 3, so many steps"),
    "why": _("how the points came about"),
    "best": _("what would be best now"),
    "history": _("the steps so far"),
    **WORDS_BESIDE,
    "save FILE": _("write the match to a file, also: replace FILE"),
    "quit": _("stop; the match is kept to go on later"),
}
# A line that goes on after another command is a move.
WITH_WORDS = {"moves", "redo", "best", "save", "replace", *BESIDE}
ALSO = {"exit": "quit", "?": "help", "board": "table"}
ALONE = {*(name.split()[0] for name in COMMANDS), "replace", "help"}


def command(line: str, is_move: Callable[[str], bool], names: Sequence[str]) -> tuple[str, str]:
    """Return the command that a line is, "" if it is a move, and the words after it.

    A sentence is a move, whatever it begins with: a table, or a player called Best. *is_move*
    says so of a line that is legal now, *names* are the players'.
    """
    word, rest = (*line.strip().split(" ", 1), "")[:2]
    said = ALSO.get(word.lower(), word.lower())
    if said not in ALONE or (rest and (said not in WITH_WORDS or is_move(line))):
        return "", line.strip()
    if said in BESIDE and not means_step(said, rest.strip(), names):
        return "", line.strip()
    return said, rest.strip()


def many(example: str) -> Message:
    """Return how to type what cannot be listed."""
    return _(
        "There are too many ways to list. Type the dice as they lie, like: {example}",
        example=raw(example),
    )


def help_lines(hidden: Set[str], hand: str) -> Iterator[Message]:
    """Yield what can be typed, a line each, but for the commands *hidden*.

    *hand* is such a hand as a player of the game holds unseen, "" where nobody does.
    """
    yield HELP
    for said, does in COMMANDS.items():
        if said not in hidden:
            line = joined("", (raw(f"  {said:19}  "), does))
            if hand and said == "best":
                line = _("{line}; with a hidden hand: best {hand}", line=line, hand=raw(hand))
            yield line
