"""What can be typed at a match besides moves: the commands, and when a line is none of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence, Set

from scorer.sentence import Spoken, whole

HELP = "Type a move in words, or part of it to see what fits. Tab completes it."
COMMANDS = {
    "moves": "what is possible now, also: moves WORD",
    "table": "everything that lies on the table",
    "undo": "take back the last step",
    "why": "how the points came about",
    "best": "what would be best now",
    "history": "the steps so far",
    "save FILE": "write the match to a file, also: replace FILE",
    "quit": "stop; the match is kept to go on later",
}
WITH_WORDS = {"moves", "best", "save", "replace"}  # a line that goes on after another is a move
ALSO = {"exit": "quit", "?": "help", "board": "table"}
ALONE = {*(name.split()[0] for name in COMMANDS), "replace", "help"}
MANY = "There are too many ways to list. Type the dice as they lie, like: {example}"


def command(line: str, spoken: Callable[[], Sequence[Spoken]]) -> tuple[str, str]:
    """Return the command that a line is, "" if it is a move, and the words after it.

    A sentence is a move, whatever it begins with: a table, or a player who is called Best. *spoken*
    returns the moves that are legal now.
    """
    word, _, rest = line.strip().partition(" ")
    said = ALSO.get(word.lower(), word.lower())
    if said not in ALONE or (rest and (said not in WITH_WORDS or whole(spoken(), line))):
        return "", line.strip()
    return said, rest.strip()


def help_lines(hidden: Set[str], hand: str) -> Iterator[str]:
    """Yield what can be typed, a line each, but for the commands *hidden*.

    *hand* is such a hand as a player of the game holds unseen, "" where nobody does.
    """
    yield HELP
    for said, does in COMMANDS.items():
        if said not in hidden:
            with_hand = f"; with a hidden hand: best {hand}" if hand and said == "best" else ""
            yield f"  {said:9}  {does}{with_hand}"
