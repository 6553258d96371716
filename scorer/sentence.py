"""Choosing a move by its description: the legal moves as a tree of words.

A page or terminal shows the possible next words, and the person taps or types one after another
until a single move is left. It works for every game, as it uses only the descriptions. If many dice
have more outcomes than can be listed, the dice themselves are typed (`lying`).
"""

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from itertools import islice, product, takewhile
from typing import Any

from scorer.errors import Illegal, NotAMove
from scorer.game import Game, Typed, kind_of, load_move
from scorer.messages import ENGLISH, MINUS, _, languages, raw, translated
from scorer.table import Die
from scorer.typed_words import (
    TABLE,
    TIERS,
    all_occur,
    in_order,
    numbered,
    plain,
    with_faces,
    words_for,
)
from scorer.words import COLOURS, named

FEW = 8  # moves shown as whole sentences: these buttons fit on a phone's screen
OF_DICE = ("rolls", "shows")  # words followed by pips
DICE = re.compile(r"[1-6](-[1-6])*,?")
ROLL = re.compile(r"[1-6]([\s,-]*[1-6])*")
TOGETHER = re.compile(r"(?<!\S)[1-6](?=[1-6]+(?!\S))|(?<=[1-6])[1-6](?=[1-6]+(?!\S))")
WITH_ROLL = re.compile(r"(.*[^\W\d].*?)\s+([1-6](?:[\s,-]*[1-6])*)\s*")
TILE = re.compile(r"\b([1-6])-([0-5])\b(?<=(?:1-0|2-[01]|3-[0-2]|4-[0-3]|5-[0-4]|6-[0-5]))")
MOST = 5_000  # maximum of described moves; takes some 50 ms


@dataclass(frozen=True, slots=True)
class Spoken:
    """A legal move with its description, in English too, and in other forms (`also`)."""

    move: Any
    words: tuple[str, ...]
    english: str = ""
    also: str = ""

    @property
    def text(self) -> str:
        """The whole sentence."""
        return " ".join(self.words)


@dataclass(frozen=True, slots=True)
class Step:
    """The state of a partly chosen sentence.

    `said` includes words without an alternative; `following` are the possible next words, numbers
    in order; `move` is the move whose sentence is complete, `left` the moves still possible.
    """

    said: tuple[str, ...]
    following: tuple[str, ...]
    move: Any | None
    left: tuple[Spoken, ...]

    @property
    def few(self) -> tuple[Spoken, ...]:
        """The possible moves if they are few enough to be shown as sentences, else none."""
        return self.left if len(self.left) <= FEW else ()


def speak(
    game: Game[Any, Any], state: Any, names: Sequence[str] = (), language: str = ENGLISH
) -> tuple[Spoken, ...]:
    """Return the legal moves of *state* with their descriptions, *names* inserted."""
    return tuple(in_words(game, state, move, names, language) for move in listed_moves(game, state))


def listed_moves(game: Game[Any, Any], state: Any) -> list[Any]:
    """Return at most MOST legal moves without unlisted kinds, the first table's first."""
    legal = game.legal_moves(state)
    if game.unlisted:
        legal = takewhile(lambda move: not isinstance(move, game.unlisted), legal)
    return sorted(islice(legal, MOST), key=_table)


def in_words(
    game: Game[Any, Any], state: Any, move: Any, names: Sequence[str], language: str
) -> Spoken:
    """Return a legal move with its description, *names* inserted."""
    text = named(game.describe(state, move), names)
    english = "" if language == ENGLISH else text
    also = " ".join(translated(other, language) for other in game.also_said(state, move))
    return Spoken(move, tuple(translated(text, language).split()), english, also)


def listable(spoken: Sequence[Spoken]) -> Sequence[Spoken]:
    """Return the moves of those kinds, by table, that are completely among *spoken*."""
    if len(spoken) < MOST:
        return spoken
    alike = Counter(map(_alike, spoken))
    many = max(alike.values()) // 2
    return [one for one in spoken if alike[_alike(one)] < many]


def _alike(spoken: Spoken) -> tuple[int, type]:
    return _table(spoken.move), kind_of(spoken.move)


def _table(move: Any) -> int:
    table: int = getattr(move, "table", 0)
    return table


def thrown(game: Game[Any, Any], state: Any, spoken: Sequence[Spoken], typed: str) -> Any:
    """Parse typed dice, after "table 2" perhaps, as a roll not in *spoken*; raises NotAMove."""
    apart = set(map(_alike, spoken)) - set(map(_alike, listable(spoken)))
    if at := re.match(rf"\D*\b{words_for(TABLE)} (\d+)\b:?", typed.lower()):
        apart = {(table, kind) for table, kind in apart if table == int(at[1]) - 1}
    if not apart:
        raise NotAMove(_("this roll is not due now"))
    if len(apart) > 1:
        first = min(table for table, _kind in apart) + 1
        table_first = _("table {number}", number=first)
        raise NotAMove(
            _(
                "say at which table, like: {table} {dice}",
                table=table_first,
                dice=raw(typed.strip()),
            )
        )
    ((table, kind),) = apart
    sent = {"move": kind.__name__, **({"table": table} if table else {})}
    return with_dice(game, sent, typed[at.end() if at else 0 :])


def with_dice(game: Game[Any, Any], roll: Mapping[str, Any], typed: str) -> Any:
    """Return a *roll*, a move as JSON data, with typed dice; raises NotAMove."""
    if not (dice := lying(typed)):
        raise NotAMove(_("no dice were typed; type them like 1 1 4, or like red 1 1 4, blue 2"))
    values = sorted(die.value for die in dice)
    for shape in ([[die.colour, die.value] for die in dice], values):
        with suppress(NotAMove):
            return load_move(game, {**roll, "dice": shape})
    said = raw(typed.strip())
    if {die.colour for die in dice}.isdisjoint(COLOURS.keys() - {"white"}) and _hued(game, roll):
        how = _("these dice have colours: {dice}; type them like red 1 1 4, blue 2", dice=said)
        raise NotAMove(how)
    raise NotAMove(_("these are not the dice of this roll: {dice}", dice=said))


def _hued(game: Game[Any, Any], roll: Mapping[str, Any]) -> bool:
    """Return True if the dice of a *roll* are of several colours."""
    for colour in COLOURS:
        with suppress(NotAMove):
            return bool(load_move(game, {**roll, "dice": [[colour, 1]]}))
    return False


def numbers_typed(
    game: Game[Any, Any], state: Any, names: Sequence[str], typed: str, language: str = ENGLISH
) -> list[Any]:
    """Parse typed numbers as moves: "12", "Ada 12", "Ada 12, Ben 7".

    A number alone belongs to the player due first. A line of a history is accepted too, in English
    or in *language*, also one with pieces. Empty if it is not a number, or none is due; raises
    Illegal if the rules do not allow it.
    """

    def says(move: Any, line: str) -> bool:
        text = named(game.describe(state, move), names)
        said = (each.replace(MINUS, "-") for each in (str(text), translated(text, language)))
        return any(_says(each, line) for each in said)

    typed = typed.replace(MINUS, "-")
    if (again := _counted(game, state, says, typed)) is not None:
        return [again]
    moves: list[Any] = []
    for part in re.split(r",(?!\d)", re.sub(r"[.!]\s*$", "", typed)):  # 12,5 is no whole number
        move = _with_number(game.typed(state), names, says, part)
        if move is None:
            return []
        moves.append(move)
        state = game.apply(state, move)
    return moves


def _with_number(
    asked: Sequence[Typed], names: Sequence[str], says: Callable[[Any, str], bool], typed: str
) -> Any:
    numbers = [int(number) for number in re.findall(r"-?\d{1,18}", typed)]
    for kind, number in product(asked, numbers):
        if says(move := kind.made(number), typed):
            return move
    if not (found := re.fullmatch(r"(.*?)\s*[+-]?\d{1,18}\s*", typed)):
        return None
    who = plain(found[1])
    fits = [one for one in asked if in_order(plain(named(one.asks, names)), who)]
    return fits[0].made(numbers[-1]) if fits and (len(fits) == 1 or not who) else None


def _counted(game: Game[Any, Any], state: Any, says: Callable[[Any, str], bool], typed: str) -> Any:
    """Return the unlisted move of pieces whose whole sentence was typed; None if there is none."""
    pips = [int(number) for number in re.findall(r"\d+", typed)]
    runs = [pips[a:b] for b in range(1, len(pips) + 1) for a in range(b)]
    pieces: list[dict[str, Any]] = [{"dice": run} for run in runs]
    pieces += [{"tiles": list(map(sorted, zip(run[::2], run[1::2], strict=False)))} for run in runs]
    for kind, seat, lying in product(game.unlisted, game.to_move(state), pieces):
        with suppress(NotAMove, Illegal):
            move = load_move(game, {"move": kind.__name__, "seat": seat, **lying})
            if says(move, typed):
                game.apply(state, move)
                return move
    return None


def _says(sentence: str, typed: str) -> bool:
    """Return True if a whole sentence was typed, possibly in the form of a history."""
    wanted, words = plain(_told(typed)), plain(sentence)
    return words == wanted or numbered(words, wanted)


def _told(typed: str) -> str:
    """Strip the arrow before a line, as printed by the terminal."""
    return re.sub(r"^\s*(→|->)", "", typed)


def lying(typed: str) -> tuple[Die, ...]:
    """Parse typed dice: "red 1 1 4, blue 25"; raises NotAMove.

    Each number belongs to the colour before it, by default white. Words before the first colour
    name the player: "12 player 2 rolls red 1 1 4, blue 2 5".
    """
    dice, colour, colours = [], "white", _colours()
    words = re.findall(r"[^\s,;]+", typed.lower())
    first = next((place for place, word in enumerate(words) if word in colours), 0)
    for word in words[first:]:
        if word.isascii() and word.isdigit():
            dice += [Die(int(digit), colour) for digit in word]
        elif word.isalpha():
            colour = colours.get(word, word)
        else:
            raise NotAMove(
                _(
                    "{word} is not a die; type dice like 1 1 4, or like red 1 1 4, blue 2",
                    word=raw(word),
                )
            )
    return tuple(dice)


def step(moves: Sequence[Spoken], said: Sequence[str]) -> Step:
    """Return the step after *said*, extended while only one word can follow."""
    prefix = tuple(said)
    while True:
        left = [one for one in moves if one.words[: len(prefix)] == prefix]
        whole = next((one.move for one in left if len(one.words) == len(prefix)), None)
        following = {one.words[len(prefix)] for one in left if len(one.words) > len(prefix)}
        if len(following) != 1 or whole is not None:
            return Step(prefix, tuple(sorted(following, key=_order)), whole, tuple(left))
        prefix += tuple(following)


def search(moves: Sequence[Spoken], typed: str) -> list[Spoken]:
    """Return the moves that match typed text.

    Dice alone, such as 4-3, 3 4 or 43, are a roll of exactly these dice if one is due. Otherwise
    the first match wins: the whole sentence, also with the number of a history; sentences with the
    typed words in order and all numbers among them; with other words between; in any order, each as
    often as typed; alternative forms. Words may be abbreviated ("roll" finds "rolls"), tiles turned
    ("4-3" finds "3-4"), dice joined ("rolls 125"), and "4 x sixes" is "4 sixes". Diacritics are
    optional: "wuerfelt", "Zoe".
    """
    return next(filter(None, (_found(moves, said) for said in with_faces(typed))), [])


def _found(moves: Sequence[Spoken], typed: str) -> list[Spoken]:
    if ROLL.fullmatch(typed.strip()) and (found := _rolled(moves, typed)):
        return found
    if found := _fitting([(one, one.text) for one in moves], typed):
        return found
    said = WITH_ROLL.fullmatch(typed)
    if said and (found := _rolled(_found(moves, said[1]), said[2])):
        return found
    for other in (TILE.sub(r"\2-\1", typed), TOGETHER.sub(r"\g<0> ", typed)):
        if other != typed and (found := _found(moves, other)):
            return found
    return _fitting([(one, f"{one.text} {one.also}") for one in moves if one.also], typed)


def _fitting(sentences: Sequence[tuple[Spoken, str]], typed: str) -> list[Spoken]:
    """Return the moves that match, by the strictest criterion with a result."""
    wanted = plain(_told(typed))
    spoken = [(one, plain(text)) for one, text in sentences]
    if not all_occur({word for _, words in spoken for word in words}, wanted):
        return []
    for fits in TIERS:
        if found := [one for one, words in spoken if fits(words, wanted)]:
            return found
    return []


def whole(moves: Sequence[Spoken], typed: str) -> bool:
    """Return True if the typed text is the sentence of one of the moves, word by word."""
    wanted = plain(typed)
    return any(plain(one.text) == wanted for one in moves)


def is_roll(spoken: Spoken) -> bool:
    """Return True if a move is a roll of dice."""
    return bool(_dice_in(spoken))


def _rolled(moves: Sequence[Spoken], typed: str) -> list[Spoken]:
    """Return the moves with exactly these dice: in the typed order, else in any order."""
    wanted = re.findall(r"\d", typed)
    dice_of = [(one, _dice_in(one)) for one in moves]
    in_order = [one for one, dice in dice_of if dice == wanted]
    return in_order or [one for one, dice in dice_of if sorted(dice) == sorted(wanted)]


def _dice_in(spoken: Spoken) -> list[str]:
    dice, telling = list[str](), False
    for word in spoken.english.split() if spoken.english else spoken.words:
        pips = DICE.fullmatch(word)
        telling = word in OF_DICE or (telling and pips is not None)
        if telling and pips:
            dice += re.findall(r"\d", word)
    return dice


@cache
def _colours() -> Mapping[str, str]:
    return {
        translated(said, spoken): name for spoken in languages() for name, said in COLOURS.items()
    }


def _order(word: str) -> tuple[int, str]:
    number = re.match(r"\d+", word)
    return (int(number[0]) if number else -1, word)
