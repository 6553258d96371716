"""The commands at a match, with their words in every language.

Help, completion and parsing are derived from COMMANDS.
"""

from collections.abc import Callable, Iterator, Sequence, Set
from dataclasses import dataclass, replace
from functools import cache

from scorer.messages import ENGLISH, Message, _, raw, translated
from scorer.typed_words import meanings, unmarked
from webui.terminal.at_table import means_step

HELP = _("Type a move in words, or part of it to see what fits. Tab completes it.")


@dataclass(frozen=True, slots=True)
class TypedCommand:
    """A command: its syntax, with placeholders in capitals, and its description.

    `words`: it takes arguments. `also` are aliases; `beside`: it is a step beside the moves. A
    command that is not `listed` is mentioned with another one.
    """

    name: str
    usage: Message
    does: Message
    also: tuple[Message, ...] = ()
    words: bool = False
    beside: bool = False
    listed: bool = True


def _beside(name: str, usage: Message, does: Message) -> TypedCommand:
    return TypedCommand(name, usage, does, words=True, beside=True)


COMMANDS = (
    TypedCommand("moves", _("moves"), _("what is possible now, also: moves WORD"), words=True),
    TypedCommand("table", _("table"), _("everything that lies on the table"), (_("board"),)),
    TypedCommand("undo", _("undo"), _("take back the last step")),
    TypedCommand("redo", _("redo"), _("put it back, also: redo 3, so many steps"), words=True),
    TypedCommand("why", _("why"), _("how the points came about")),
    TypedCommand(
        "rule", _("rule ID"), _("what a rule says, by the id of a refusal: rule MT-2"), words=True
    ),
    TypedCommand("best", _("best"), _("what would be best now"), words=True),
    TypedCommand("history", _("history"), _("the steps so far")),
    _beside("leave", _("leave NAME"), _("who leaves the table")),
    _beside("concede", _("concede NAME"), _("who gives up")),
    _beside("join", _("join NAME"), _("who comes late")),
    _beside("rename", _("rename NAME to NAME"), _("what a player is called from now on")),
    replace(_beside("names", _("swap names NAME and NAME"), raw("")), listed=False),
    replace(_beside("chairs", _("swap chairs NAME and NAME"), raw("")), listed=False),
    _beside("swap", _("swap NAME and NAME"), _("names were mixed up, or chairs changed")),
    _beside("start", _("start NAME"), _("who has started, if it was said wrong")),
    _beside("play", _("play on DICE"), _("all play on with what lies there, against a rule")),
    _beside("end", _("end"), _("all agree to stop")),
    TypedCommand(
        "save", _("save FILE"), _("write the match to a file, also: replace FILE"), words=True
    ),
    TypedCommand("replace", _("replace FILE"), raw(""), words=True, listed=False),
    TypedCommand("quit", _("quit"), _("stop; the match is kept to go on later"), (_("exit"),)),
    TypedCommand("help", _("help"), raw(""), (raw("?"),), listed=False),
)
BY_NAME = {one.name: one for one in COMMANDS}
BESIDE = {one.name for one in COMMANDS if one.beside}


def command(
    line: str, is_move: Callable[[str], bool], names: Sequence[str], language: str = ENGLISH
) -> tuple[str, str]:
    """Return the command of a line, "" if it is a move, and the words after it.

    It may be typed in *language* or in English. A legal sentence is a move even if it begins with a
    command or with a player called Best. *is_move* returns True for a legal line, *names* are the
    players' names.
    """
    words = line.split()
    for phrase, entry in _phrases(language):
        if len(words) < len(phrase) or not all(map(_means, words, phrase)):
            continue
        rest = " ".join(words[len(phrase) :])
        if rest and (not entry.words or is_move(line)):
            break
        if entry.beside and not means_step(entry.name, rest, names, betweens(entry.name, language)):
            break
        return entry.name, rest
    return "", line.strip()


def offered(hidden: Set[str], language: str) -> list[str]:
    """Return the commands without their arguments, except those *hidden*."""
    return sorted(_typed(one.usage, language) for one in COMMANDS if one.name not in hidden)


def betweens(name: str, language: str) -> tuple[str, ...]:
    """Return the words between the two names of a command in *language* and in English."""
    usages = [translated(BY_NAME[name].usage, one).split() for one in (language, ENGLISH)]
    return tuple(dict.fromkeys(f" {usage[-2]} " for usage in usages if len(usage) > 3))


def usage(line: str, language: str = ENGLISH) -> Message | None:
    """Return the syntax of a step beside the moves that *line* has a word of, or None."""
    steps = [(phrase[0], one) for phrase, one in _phrases(language) if one.beside and one.listed]
    found = (one for word in line.split() for verb, one in steps if _means(word, verb))
    return next((one.usage for one in found), None)


def typed(name: str, language: str) -> str:
    """Return a command in *language* without its arguments."""
    return _typed(BY_NAME[name].usage, language)


@cache
def _phrases(language: str) -> tuple[tuple[tuple[str, ...], TypedCommand], ...]:
    """Return the first words of each command, in *language* and in English."""
    return tuple(
        (tuple(map(_plain, _typed(said, spoken).split())), one)
        for spoken in dict.fromkeys((language, ENGLISH))
        for one in COMMANDS
        for said in (one.usage, *one.also)
    )


def _typed(said: Message, language: str) -> str:
    """Return the words of a command before its first placeholder."""
    words = translated(said, language).split()
    end = next((at for at, word in enumerate(words) if word.isupper()), len(words))
    return " ".join(words[:end])


def _plain(word: str) -> str:
    return unmarked(word.lower())


def _means(typed: str, word: str) -> bool:
    """Return True if a typed word is that of a command, or another form of it."""
    return _plain(typed) == word or word in meanings(_plain(typed))


def many(example: str) -> Message:
    """Explain how to type moves that cannot be listed."""
    return _(
        "There are too many ways to list. Type the dice as they lie, like: {example}",
        example=raw(example),
    )


def help_lines(hidden: Set[str], hand: str, language: str) -> Iterator[str]:
    """Yield the help, a line for each command except those *hidden*.

    *hand* is an example of a hidden hand in the game, "" if there is none.
    """
    yield translated(HELP, language)
    for command in COMMANDS:
        if command.listed and command.name not in hidden:
            line = command.does
            if hand and command.name == "best":
                line = _("{line}; with a hidden hand: best {hand}", line=line, hand=raw(hand))
            yield f"  {translated(command.usage, language):24} {translated(line, language)}"
