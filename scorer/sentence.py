"""Choosing a move by saying it: the legal moves' descriptions as a tree of words.

A page or terminal shows the next words that are possible, and the person taps or types one after
another until a single move is left. It works for every game, because it knows only sentences.
Many dice fall in more ways than can be listed: then the dice themselves are said (`lying`).
"""

from __future__ import annotations

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
from scorer.typed_words import TABLE, TIERS, in_order, numbered, plain, with_faces, words_for
from scorer.words import COLOURS, named

FEW = 8  # moves that are told whole: so many buttons fit on a phone's screen
OF_DICE = ("rolls", "shows")  # after these words a sentence tells pips
DICE = re.compile(r"[1-6](-[1-6])*,?")
ROLL = re.compile(r"[1-6]([\s,-]*[1-6])*")
TOGETHER = re.compile(r"(?<!\S)[1-6](?=[1-6]+(?!\S))|(?<=[1-6])[1-6](?=[1-6]+(?!\S))")
WITH_ROLL = re.compile(r"(.*[^\W\d].*?)\s+([1-6](?:[\s,-]*[1-6])*)\s*")
TILE = re.compile(r"\b([1-6])-([0-5])\b(?<=(?:1-0|2-[01]|3-[0-2]|4-[0-3]|5-[0-4]|6-[0-5]))")
MOST = 5_000  # moves of one state that are put in words; it takes some 50 ms


@dataclass(frozen=True, slots=True)
class Spoken:
    """One legal move and its description in words.

    `english` is that in English, if it is not; `also` are other words that mean this move.
    """

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
    """How far a sentence has come.

    `said` includes the words that could only follow; `following` the possible next words, numbers
    in order; `move` is the move whose sentence is `said`, `left` the moves still possible.
    """

    said: tuple[str, ...]
    following: tuple[str, ...]
    move: Any | None
    left: tuple[Spoken, ...]

    @property
    def few(self) -> tuple[Spoken, ...]:
        """The moves still possible, once they are few enough to be told whole; else none."""
        return self.left if len(self.left) <= FEW else ()


def speak(
    game: Game[Any, Any], state: Any, names: Sequence[str] = (), language: str = ENGLISH
) -> tuple[Spoken, ...]:
    """Return the legal moves of *state* with their descriptions, *names* put in for the players.

    None of those kinds that a game leaves unlisted. At most MOST: with so many there may be more,
    for thirteen dice fall in over a million ways. Those of a match's first table come first.
    """
    spoken = []
    legal = game.legal_moves(state)
    if game.unlisted:
        legal = takewhile(lambda move: not isinstance(move, game.unlisted), legal)
    for move in sorted(islice(legal, MOST), key=_table):
        text = named(game.describe(state, move), names)
        english = "" if language == ENGLISH else text
        also = " ".join(translated(other, language) for other in game.also_said(state, move))
        spoken.append(Spoken(move, tuple(translated(text, language).split()), english, also))
    return tuple(spoken)


def listable(spoken: Sequence[Spoken]) -> Sequence[Spoken]:
    """Return the moves of which all those alike, at their table, are among *spoken*."""
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
    """Return the move of dice that fall in more ways than *spoken* has, typed as they lie.

    "table 2" before them says where, if several tables wait for such a roll. Raises NotAMove.
    """
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
    if not (dice := lying(typed[at.end() if at else 0 :])):
        raise NotAMove(
            _("no dice were typed; give the colour and the pips, like red 1 1 4, blue 2")
        )
    sent = {"move": kind.__name__, **({"table": table} if table else {})}
    for shape in ([[die.colour, die.value] for die in dice], [die.value for die in dice]):
        with suppress(NotAMove):
            return load_move(game, {**sent, "dice": shape})
    raise NotAMove(_("these are not the dice of this roll: {dice}", dice=raw(typed.strip())))


def numbers_typed(
    game: Game[Any, Any],
    state: Any,
    names: Sequence[str],
    typed: str,
    language: str = ENGLISH,
) -> list[Any]:
    """Return the moves that are made by typing a number: "12", "Ada 12", "Ada 12, Ben 7".

    A number alone is that of who is due first. A line of a history will do, in English or in a
    *language*, also one that tells of pieces. Empty if that is no number, or none is due; raises
    Illegal where the rules do not allow it.
    """

    def says(move: Any, line: str) -> bool:
        text = named(game.describe(state, move), names)
        said = (each.replace(MINUS, "-") for each in (str(text), translated(text, language)))
        return any(_says(each, line) for each in said)

    typed = typed.replace(MINUS, "-")
    if (again := _counted(game, state, says, typed)) is not None:
        return [again]
    moves: list[Any] = []
    for part in typed.split(","):
        move = _with_number(game.typed(state), names, says, part)
        if move is None:
            return []
        moves.append(move)
        state = game.apply(state, move)
    return moves


def _with_number(
    asked: Sequence[Typed], names: Sequence[str], says: Callable[[Any, str], bool], typed: str
) -> Any:
    """Return the move that a number makes, whose sentence or player stands beside it; else None."""
    numbers = [int(number) for number in re.findall(r"-?\d{1,18}", typed)]
    for kind, number in product(asked, numbers):
        if says(move := kind.made(number), typed):
            return move
    if not (found := re.fullmatch(r"(.*?)\s*-?\d{1,18}\s*", typed)):
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
    """Return True if a whole sentence was typed, as it stands or as a history has it."""
    wanted, words = plain(_told(typed)), plain(sentence)
    return words == wanted or numbered(words, wanted)


def _told(typed: str) -> str:
    """Return a line without the arrow before it: as a terminal told a move."""
    return re.sub(r"^\s*(→|->)", "", typed)


def lying(typed: str) -> tuple[Die, ...]:
    """Return the dice that were said: "red 1 1 4, blue 25"; raises NotAMove.

    Each number belongs to the colour before it, to white where none was said. Words before the
    first colour say who rolled: "12 player 2 rolls red 1 1 4, blue 2 5".
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
                    "{word} is not a die; give the colour and the pips, like red 1 1 4, blue 2",
                    word=raw(word),
                )
            )
    return tuple(dice)


def step(moves: Sequence[Spoken], said: Sequence[str]) -> Step:
    """Return what may follow after *said*, running on while only one word can."""
    prefix = tuple(said)
    while True:
        left = [one for one in moves if one.words[: len(prefix)] == prefix]
        whole = next((one.move for one in left if len(one.words) == len(prefix)), None)
        following = {one.words[len(prefix)] for one in left if len(one.words) > len(prefix)}
        if len(following) != 1 or whole is not None:
            return Step(prefix, tuple(sorted(following, key=_order)), whole, tuple(left))
        prefix += tuple(following)


def search(moves: Sequence[Spoken], typed: str) -> list[Spoken]:
    """Return the moves that what was typed can mean.

    Dice alone, like 4-3, 3 4 or 43, are the roll of just these dice where one is due. A whole
    sentence stands alone, also as a history has it, after its number; then sentences with the typed
    words in that order and all numbers among them; then with others between; then in any order,
    each as often as typed; then those that are meant by other words. A word may be cut short:
    "roll" finds "rolls", a tile be turned round: "4-3" finds "3-4", dice stand together: "rolls
    125", and "4 x sixes" is "4 sixes". Letters may be typed without their marks: "wuerfelt", "Zoe".
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
    """Return the moves whose sentences fit what was typed, by the strictest way that any does."""
    wanted = plain(_told(typed))
    spoken = [(one, plain(text)) for one, text in sentences]
    for fits in TIERS:
        if found := [one for one, words in spoken if fits(words, wanted)]:
            return found
    return []


def whole(moves: Sequence[Spoken], typed: str) -> bool:
    """Return True if what was typed is the sentence of one of the moves, word by word."""
    wanted = plain(typed)
    return any(plain(one.text) == wanted for one in moves)


def is_roll(spoken: Spoken) -> bool:
    """Return True if a move tells how dice fell, which nobody but the dice can say."""
    return bool(_dice_in(spoken))


def _rolled(moves: Sequence[Spoken], typed: str) -> list[Spoken]:
    """Return the moves that tell of just these dice: in the order typed, else in any order."""
    wanted = re.findall(r"\d", typed)
    dice_of = [(one, _dice_in(one)) for one in moves]
    in_order = [one for one, dice in dice_of if dice == wanted]
    return in_order or [one for one, dice in dice_of if sorted(dice) == sorted(wanted)]


def _dice_in(spoken: Spoken) -> list[str]:
    """Return the pips that follow the words of rolling and showing in a sentence."""
    dice, telling = list[str](), False
    for word in spoken.english.split() if spoken.english else spoken.words:
        pips = DICE.fullmatch(word)
        telling = word in OF_DICE or (telling and pips is not None)
        if telling and pips:
            dice += re.findall(r"\d", word)
    return dice


@cache
def _colours() -> Mapping[str, str]:
    """Return the colours by their names, in each language there is."""
    return {
        translated(said, spoken): name for spoken in languages() for name, said in COLOURS.items()
    }


def _order(word: str) -> tuple[int, str]:
    number = re.match(r"\d+", word)
    return (int(number[0]) if number else -1, word)
