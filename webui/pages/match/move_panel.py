"""Entering a move in any game by tapping the words of its sentence.

If there are few moves each is a button; pips are drawn as faces. Moves that differ only in their
pips, such as rolls, are faces to tap: one tap completes the sentence.
"""

import re
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import cache
from itertools import chain, groupby
from typing import Any

from scorer import Game, dump_move
from scorer.messages import _, translated
from scorer.sentence import FEW, Spoken, listable, search, speak, step
from scorer.words import COLOURS
from webui.languages import language
from webui.pages.match.entry import NumberField

FACES = 6  # of a die; fewer moves are shown as whole sentences
FOUND = 12  # maximum of moves listed for typed words

# Words after which pips follow, up to a word that is not in the list. Each language has its own.
OF_DICE = _("rolls shows")
OF_TILES = _("stacks plays draws holds flips")
ALONG = _("and again the to a")
NONE, TILE, DIE_OR_TILE = r"(?!)", r"[0-6]-[0-6]", r"[1-6]|[0-6]-[0-6]"


@dataclass(frozen=True, slots=True)
class Word:
    """A word, and the faces drawn instead of it if it contains pips."""

    text: str
    faces: tuple[int, ...] = ()
    colour: str = "white"


@dataclass(frozen=True, slots=True)
class Next:
    """A possible next word, and the sentence including it."""

    word: Word
    said: str


@dataclass(frozen=True, slots=True)
class Option:
    """A whole sentence and its move as JSON data."""

    words: tuple[Word, ...]
    move: dict[str, Any]


@dataclass(frozen=True, slots=True)
class RollOption:
    """A whole sentence that differs from its neighbours by the faces of one word."""

    word: Word
    option: Option


@dataclass(frozen=True, slots=True)
class MovePanel:
    """The contents of the panel.

    `left` is the number of possible moves, `back` the sentence before the last choice (None at the
    beginning). `many`: there are more than can be listed, such as rolls of many dice. `why`
    explains why the rules refuse what was `typed`.
    """

    said: tuple[Word, ...] = ()
    back: str | None = None
    following: tuple[Next, ...] = ()
    options: tuple[Option, ...] = ()
    rolls: tuple[tuple[RollOption, ...], ...] = ()
    left: int = 0
    typed: str = ""
    many: bool = False
    why: str = ""
    numbers: tuple[NumberField, ...] = ()


def say(
    game: Game[Any, Any], state: Any, names: Sequence[str], said: str = "", typed: str = ""
) -> MovePanel:
    """Return the panel of *state* after the words *said*, or for *typed* words."""
    return say_of(speak(game, state, names), said, typed)


def say_of(spoken: Sequence[Spoken], said: str = "", typed: str = "") -> MovePanel:
    """Return the panel of the moves *spoken*, with number fields if they are too many."""
    few = listable(spoken)
    return replace(_say(few, said, typed), many=len(few) < len(spoken))


def _say(spoken: Sequence[Spoken], said: str, typed: str) -> MovePanel:
    if typed.strip():
        found = search(spoken, typed)
        return MovePanel(options=_options(found[:FOUND]), left=len(found), typed=typed, back="")
    words = tuple(said.split())
    if words:
        return _going_on(spoken, words)
    kinds = _kinds(spoken)
    tapped = [_rolls(moves) for moves in kinds]
    rolls = tuple(filter(None, tapped))
    others = (moves for moves, faces in zip(kinds, tapped, strict=True) if not faces)
    quick, rest = _sorted([*chain.from_iterable(others)])
    if not rest:
        return MovePanel(options=_options(quick), rolls=rolls, left=len(spoken))
    first = _going_on(rest, ())
    return MovePanel(first.said, None, first.following, _options(quick), rolls, len(spoken))


def _going_on(spoken: Sequence[Spoken], words: tuple[str, ...]) -> MovePanel:
    reached = step(spoken, words)
    following = () if reached.few else reached.following
    whole = [one for one in reached.left if one.move is reached.move]
    return MovePanel(
        tuple(draw(reached.said)),
        _before(spoken, reached.said),
        tuple(_next(reached.said, word) for word in following),
        _options(reached.few or whole),
        left=len(reached.left),
    )


def _before(spoken: Sequence[Spoken], said: tuple[str, ...]) -> str | None:
    """Return the sentence before the last chosen word, or None."""
    for length in range(len(said) - 1, -1, -1):
        before = step(spoken, said[:length]).said
        if before != said:
            return " ".join(before)
    return None


def _kinds(spoken: Sequence[Spoken]) -> list[list[Spoken]]:
    return [list(kind) for _, kind in groupby(spoken, key=lambda one: type(one.move))]


def _sorted(spoken: Sequence[Spoken]) -> tuple[list[Spoken], list[Spoken]]:
    """Return the moves of kinds with few moves, and the others."""
    quick: list[Spoken] = []
    rest: list[Spoken] = []
    for moves in _kinds(spoken):
        (quick if len(moves) <= FEW else rest).extend(moves)
    return quick, rest


def _rolls(moves: Sequence[Spoken]) -> tuple[RollOption, ...]:
    """Return *moves* by the faces of the first differing word; nothing if these are not unique."""
    if len(moves) < FACES:
        return ()
    end = len(step(moves, ()).said) + 1
    rolls = dict[tuple[int, ...], tuple[Word, Spoken]]()
    for spoken in sorted(moves, key=lambda one: one.words):
        word = [*draw(spoken.words[:end])][-1]
        if not word.faces or word.faces in rolls:
            return ()
        rolls[word.faces] = word, spoken
    return tuple(RollOption(word, *_options([spoken])) for word, spoken in rolls.values())


def _next(said: tuple[str, ...], word: str) -> Next:
    drawn = [*draw((*said, word))][-1]
    return Next(drawn, " ".join((*said, word)))


def _options(spoken: Sequence[Spoken]) -> tuple[Option, ...]:
    return tuple(Option(tuple(draw(one.words)), dump_move(one.move)) for one in spoken)


def draw(words: Sequence[str]) -> Iterator[Word]:
    """Yield the words of a sentence, with faces for those with pips."""
    pips, colour = NONE, "white"
    of_dice, of_tiles, along, colours = _telling(language())
    for word in words:
        bare = word.rstrip(",.:;")
        if re.fullmatch(pips, bare):
            yield Word(word, tuple(map(int, bare.split("-"))), colour)
            pips = DIE_OR_TILE  # after "plays 1-2:" the halves follow one by one
            continue
        if bare in colours:
            pips, colour = DIE_OR_TILE, colours[bare]
        elif bare in of_dice or bare in of_tiles:
            pips, colour = (DIE_OR_TILE if bare in of_dice else TILE), "white"
        elif bare not in along:
            pips = NONE
        yield Word(word)


@cache
def _telling(speech: str) -> tuple[Set[str], Set[str], Set[str], Mapping[str, str]]:
    """Return a language's words before dice, before tiles, between pips, and its colours."""
    dice, tiles, along = (
        {*translated(words, speech).split()} for words in (OF_DICE, OF_TILES, ALONG)
    )
    return dice, tiles, along, {translated(name, speech): one for one, name in COLOURS.items()}
