"""Explain why typed text is not a legal move, by trying the moves it may mean.

A player who types "black 3 row 1 column 2" for an occupied cell should get the rule's reason. So
candidate moves are built from the typed words and numbers, and from values in similar legal moves;
those whose description contains the typed words are tried, and the rules' refusal is the reason.
"""

import re
import types
import typing
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import fields
from functools import cache
from itertools import combinations, islice, product
from typing import Any

from scorer.errors import Illegal
from scorer.game import At, Game, kind_of
from scorer.messages import ENGLISH, _, translated
from scorer.phases import fault
from scorer.sentence import Spoken, lying, search
from scorer.typed_words import faces_named
from scorer.words import COLOURS, just, named, player, players

MOST = 3_000  # candidates of a kind; takes some 50 ms
TABLE = re.compile(r"\btable (\d+)\b:?", re.IGNORECASE)
NAMES = re.compile(rf"\d{{1,2}}\*?|{'|'.join(COLOURS)}")  # types of words in moves: places, colours
MOST_DICE = 13  # of a typed move: no game rolls more
TOGETHER = 2  # items of a typed list, separated by a comma or "and"
ALIKE = 60  # values of a field in legal moves
Values = tuple[Any, ...]


def refusal(
    game: Game[Any, Any],
    state: Any,
    spoken: Sequence[Spoken],
    typed: str,
    names: Sequence[str] = (),
    language: str = ENGLISH,
) -> Illegal | None:
    """Return the most frequent reason why *typed* is illegal; None if it is no move."""
    if stranger := _elsewhere(game, state, typed, names):
        return stranger
    meant, refused = [], {}
    for move in _made_up(game, spoken, typed, names):
        if why := fault(game.apply, state, move):
            with suppress(Illegal):  # a move at an unknown table has no description
                sentence = translated(named(game.describe(state, move), names), language)
                meant.append(Spoken(move, tuple(sentence.split())))
                refused[move] = why.reason, why.rule
    found = _meant(meant, typed, names)
    alike = {kind_of(one.move) for one in spoken}
    found = [one for one in found if kind_of(one.move) in alike] or found
    shortest = min((len(one.words) for one in found), default=0)
    reasons = Counter(refused[one.move] for one in found if len(one.words) == shortest)
    for (reason, rule), _number in reasons.most_common(1):
        return Illegal(typed, reason, rule)
    return None


def _elsewhere(
    game: Game[Any, Any], state: Any, typed: str, names: Sequence[str]
) -> Illegal | None:
    """Return why a person named at a table cannot move there, or None."""
    at = TABLE.search(typed)
    tables = game.played_tables(state)
    if at is None or not 0 < int(at[1]) <= len(tables):
        return None
    table, after = tables[int(at[1]) - 1], typed[at.end() :].lstrip()
    for seat, name in sorted(enumerate(names), key=lambda one: -len(one[1])):
        if re.match(rf"{re.escape(name)}(?!\w)", after, re.IGNORECASE):
            sitting = {"who": players(table.seats), "number": just(int(at[1]))}
            why = _("{person} is not at table {number}: {who} are", person=player(seat), **sitting)
            return None if seat in table.seats else Illegal(typed, why, table.rule)
    return None


def _meant(made_up: Sequence[Spoken], typed: str, names: Sequence[str]) -> Sequence[Spoken]:
    """Return the moves with all typed words, else those whose words were all typed."""
    nameless = _without(names, typed)
    if found := search(made_up, typed) or search(made_up, nameless):
        run = f"{' '.join(nameless.lower().split())} "  # of words that stand together
        return [one for one in found if run in f"{one.text.lower()} "] or found
    bare = [(one, _without(names, one.text)) for one in made_up]
    return [one for one, text in bare if text and search([_typed(nameless)], text)]


def _typed(text: str) -> Spoken:
    return Spoken(None, tuple(text.split()))


def _without(names: Sequence[str], text: str) -> str:
    for name in sorted(names, key=len, reverse=True):
        text = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", " ", text, flags=re.IGNORECASE)
    return text.strip()


def _made_up(
    game: Game[Any, Any], spoken: Sequence[Spoken], typed: str, names: Sequence[str]
) -> Iterator[Any]:
    """Yield candidate moves of every kind for the typed text, legal or not."""
    rest, tables = _without_table(typed, spoken)
    rest = _without(names, rest)
    for kind in game.moves:
        alike = [one.move for one in spoken if kind_of(one.move) is kind]
        alike = [move.move if isinstance(move, At) else move for move in alike]
        hints = typing.get_type_hints(kind)
        places = [name for name in hints if _lists_places(hints[name])]
        domains = []
        for field in fields(kind):
            legal = dict.fromkeys(getattr(move, field.name) for move in alike[: 10 * ALIKE])
            values = tables if field.name == "table" else _values(hints[field.name], rest, names)
            if _lists_places(hints[field.name]):
                listed = [getattr(move, name) for move in alike for name in places]
                values, legal = tuple(_places(hints[field.name], rest, listed)), {}
            domains.append(dict.fromkeys((*values, *islice(legal, ALIKE))))
        own_table = "table" in hints
        for values in islice(_fewest_filled(domains), MOST):
            move = kind(*values)
            yield move
            if not own_table:
                yield from (At(table, move) for table in tables if table)


def _without_table(typed: str, spoken: Sequence[Spoken]) -> tuple[str, Values]:
    """Return the typed text without its table, and the possible tables."""
    if at := TABLE.search(typed):
        return typed[: at.start()] + typed[at.end() :], (int(at[1]) - 1,)
    return typed, tuple(dict.fromkeys((0, *(getattr(one.move, "table", 0) for one in spoken))))


def _values(hint: Any, typed: str, names: Sequence[str]) -> Values:
    origin, parts = typing.get_origin(hint), typing.get_args(hint)
    if hint is int:
        numbers = _numbers(typed)
        return (*numbers, *(number - 1 for number in numbers), *range(len(names)))
    if hint is bool:
        return (False, True)
    if hint is type(None):
        return (None,)
    if hint is str:
        return _words(typed)
    if origin is typing.Literal:
        return parts
    if origin in (typing.Union, types.UnionType):
        return tuple(value for part in parts for value in _values(part, typed, names))
    return _several(hint, typed) if origin is tuple else ()


def _numbers(typed: str) -> list[int]:
    numbers = [int(number) for number in re.findall(r"\d+", typed)[:8] if len(number) < 4]
    return [*numbers, *faces_named(typed)]


def _words(typed: str) -> Values:
    """Return the typed words that may be names in a game, and the numbers, also with a star."""
    words = [word for word in re.findall(r"[^\s,;:]+", typed.lower()) if NAMES.fullmatch(word)]
    numbers = _numbers(typed)
    return (*words, *map(str, numbers), *(f"{number}*" for number in numbers))


def _several(hint: Any, typed: str) -> Values:
    """Return values of a tuple type: a pair, pips, or dice with colours."""
    parts = typing.get_args(hint)
    if hint == tuple[int, int]:
        return _pairs(typed)
    if {*parts} <= {int, ...}:
        rows = re.findall(r"\b[1-6]+\b", typed)  # 1000 is no dice
        return (tuple(map(int, "".join(rows)[:MOST_DICE])),)
    return _coloured(typed) if _is_die(parts[0]) else ()


@cache
def _is_die(hint: Any) -> bool:
    parts = typing.get_args(hint)
    return len(parts) == 2 and parts[1] is int and typing.get_origin(parts[0]) is typing.Literal


def _fewest_filled(domains: Sequence[Mapping[Any, None]]) -> Iterator[Values]:
    """Yield combinations of the values, those with most empty ones first."""
    may_be_empty = [place for place, domain in enumerate(domains) if () in domain]
    for number in range(len(may_be_empty) + 1):
        for filled in combinations(may_be_empty, number):
            empty = {*may_be_empty} - {*filled}
            yield from product(
                *(
                    [()] if place in empty else [value for value in domain if value != ()]
                    for place, domain in enumerate(domains)
                )
            )


@cache
def _lists_places(hint: Any) -> bool:
    if typing.get_origin(hint) is not tuple or typing.get_args(hint)[1:] != (...,):
        return False
    of_place = typing.get_args(typing.get_args(hint)[0])
    return len(of_place) > 2 and typing.get_origin(of_place[0]) is typing.Literal


def _places(hint: Any, typed: str, legal: Iterable[Values]) -> Iterator[Values]:
    """Yield lists of the typed places: none, each alone, those joined by "and"."""
    of_place = typing.get_args(typing.get_args(hint)[0])
    words = [word for word in typing.get_args(of_place[0]) if word in typed.lower().split()]
    words = words or [*dict.fromkeys(place[0] for places in legal for place in places)]
    words = words or [*typing.get_args(of_place[0])]
    single = [
        [*product(words, *(_values(part, phrase, ()) for part in of_place[1:]))]
        for phrase in re.split(r",|\band\b|\bund\b", typed)[:TOGETHER]
    ]
    yield ()
    yield from ((place,) for places in single for place in places)
    if len(single) == TOGETHER:
        yield from product(*single)


def _pairs(typed: str) -> Values:
    found = re.findall(r"(?<!\d)(\d)\s*[- ,]\s*(\d)(?!\d)|(?<!\d)(\d)(\d)(?!\d)", typed)
    pairs = [tuple(int(digit) for digit in pair if digit) for pair in found]
    return tuple(dict.fromkeys((*pairs, *((b, a) for a, b in pairs))))


def _coloured(typed: str) -> Values:
    try:
        dice = lying(typed)
    except ValueError:
        return ()
    pairs = tuple((die.colour, die.value) for die in dice)
    return (pairs,) if {die.colour for die in dice} <= {*COLOURS} else ()
