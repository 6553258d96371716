"""Moves that people make without the camera, in the plainest form every game can have.

A kind of move that only differs in rolled faces becomes rows of faces to tap; a few moves become
buttons in the game's own words; more become a list; a great many are left to the board's editor.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, islice
from typing import Any

from scorer.game import Game, Spot, dump_move, named

FEW = 8  # buttons fit on a phone's screen
MANY = 80  # a list can still be searched by eye
LOOKED_AT = 5000  # legal moves; beyond this a game needs its own page

Move = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Option:
    """One move, in words and as JSON data."""

    words: str
    move: Move


@dataclass(frozen=True, slots=True)
class Roll:
    """A move whose `field` is a tuple of rolled faces, one labelled row of faces each."""

    move: Move
    field: str
    labels: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Choices:
    """All moves offered by hand. False when there is none."""

    rolls: tuple[Roll, ...] = ()
    buttons: tuple[Option, ...] = ()
    lists: tuple[tuple[Option, ...], ...] = ()

    def __bool__(self) -> bool:
        """Say whether anything is offered."""
        return bool(self.rolls or self.buttons or self.lists)


def camera_helps(game: Game[Any, Any], state: Any) -> bool:
    """Say whether a step can be photographed now, on one of the surfaces at least."""
    return any(_ready(game, state))


def _ready(game: Game[Any, Any], state: Any) -> list[bool]:
    """Say of each surface whether the rules have no quarrel with it as it lies."""
    equipment = game.equipment(state)
    if equipment.board is None:
        return []
    spots = equipment.spots or (Spot(""),)
    return [not game.observe(state, spot.known).differences for spot in spots]


def choices(game: Game[Any, Any], state: Any, names: Sequence[str]) -> Choices:
    """Return the moves to offer by hand in *state*: none where the board can be photographed.

    Of several surfaces some may be ready: then the others' few moves are offered, and no lists,
    which would hold the moves of the ready ones too.
    """
    ready = _ready(game, state)
    if game.is_over(state) or (ready and all(ready)):
        return Choices()
    moves = list(islice(game.legal_moves(state), LOOKED_AT))
    found = Choices()
    for _, kind in groupby(moves, key=type):
        options = [Option(game.describe(state, move), dump_move(move)) for move in kind]
        found = _add(found, options, names)
    return replace(found, lists=()) if any(ready) else found


def _add(found: Choices, options: list[Option], names: Sequence[str]) -> Choices:
    rolls = tuple(_rolls(options, names))
    if rolls:
        return replace(found, rolls=found.rolls + rolls)
    options = [Option(named(option.words, names), option.move) for option in options]
    if len(options) <= FEW:
        return replace(found, buttons=found.buttons + tuple(options))
    if len(options) <= MANY:
        return replace(found, lists=(*found.lists, tuple(options)))
    return found


def _rolls(options: list[Option], names: Sequence[str]) -> Iterable[Roll]:
    """Yield the options as rolls if they are every outcome of some dice, otherwise nothing."""
    fields = [name for name, value in options[0].move.items() if _faces(value)]
    if len(fields) != 1:
        return
    field = fields[0]

    def rest(option: Option) -> str:
        return repr({name: value for name, value in option.move.items() if name != field})

    for _, group in groupby(options, key=rest):
        outcomes = list(group)
        dice = len(outcomes[0].move[field])
        if len(outcomes) != 6**dice:
            return
        yield Roll(outcomes[0].move, field, _labels(outcomes[0].words, dice, names))


def _faces(value: object) -> bool:
    return isinstance(value, list | tuple) and all(type(v) is int and 1 <= v <= 6 for v in value)


def _labels(words: str, dice: int, names: Sequence[str]) -> tuple[str, ...]:
    """Return whose die is which: "player 1 rolls 1 and player 2 rolls 1" names both, in order."""
    people = [named(found, names) for found in re.findall(r"[Pp]layer \d+", words)]
    return tuple(people) if len(people) == dice else tuple(f"die {i + 1}" for i in range(dice))
