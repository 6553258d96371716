"""Summing the pieces on a photo: dice, and the dominoes of a hand."""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from scorer.dominoes import Domino, ascending, name
from scorer.messages import _
from scorer.photo.interpret import (
    Interpretation,
    Seen,
    dice_doubts,
    dice_options,
    in_words,
    interpretations,
    pips_alone,
    unread,
)
from scorer.photo.rolls import Pips
from scorer.proposal import Doubt
from scorer.table import Die, Tile
from scorer.words import COLOURS, either

# Probability of a second colour from which it is asked about: an error costs 30 questions. In
# daylight 0.05 would do (of 297 dice on every other photo of train/, those of a wrong first colour
# have 0.25 or more), but red dice under a lamp have 0.025.
SECOND = 0.02
P = TypeVar("P")
Tiles = tuple[Domino, ...]


@dataclass(frozen=True, slots=True)
class Summed(Generic[P]):
    """The counted pieces in ascending order, with doubts."""

    pieces: P
    doubts: tuple[Doubt, ...]


def summed_dice(
    dice: Sequence[Die], which: str | None, *, pips_matter: bool
) -> Summed[Pips] | None:
    """Return the pips of the dice of a colour, or of all; None if there are none."""
    lying = dice if pips_matter else [_plain(die) for die in dice]

    def counting(read: tuple[Seen, ...]) -> tuple[Pips]:
        return (tuple(sorted(pips for name, pips in read if which in (None, name))),)

    ranked = interpretations(dice_options(lying, which and COLOURS), counting)
    if not ranked or not ranked[0].meaning:
        return None
    readings = [one.reading for one in ranked]
    doubts = [*dice_doubts(enumerate(lying), readings, in_words if which else pips_alone)]
    if which:
        doubts += _of_second_colour(lying, readings[0], which, {doubt.piece for doubt in doubts})
    return Summed(ranked[0].meaning, tuple(doubts))


def _of_second_colour(
    dice: Sequence[Die], read: Sequence[Seen], which: str, asked: Collection[object]
) -> Iterator[Doubt]:
    for at, (die, taken) in enumerate(zip(dice, read, strict=True)):
        second = next(iter(die.colours), ("", 0.0))
        if taken[0] != which == second[0] and second[1] >= SECOND and ("dice", at) not in asked:
            maybe = in_words((which, taken[1]))
            text = _("the {die} may be {others}", die=in_words(taken), others=maybe)
            yield Doubt(text, ("dice", at))


def _plain(die: Die) -> Die:
    return replace(die, values=(), confidence=1 - sum(share for _name, share in die.colours))


def summed_tiles(tiles: Sequence[Tile], fits: Callable[[Tiles], bool]) -> Summed[Tiles] | None:
    """Return the likeliest hand that *fits*; None if none does."""

    def hand(read: Tiles) -> Iterator[Tiles]:
        if fits(read):
            yield tuple(sorted(read))

    options = [
        [
            (ascending(halves), min(share, tile.confidence))  # bounded by the reading's confidence
            for halves, share in ((tile.halves, tile.confidence), *tile.others)
        ]
        for tile in tiles
    ]
    ranked = interpretations(options, hand)
    return Summed(ranked[0].meaning, tuple(_doubts(tiles, ranked))) if ranked else None


def _doubts(
    tiles: Sequence[Tile], ranked: Sequence[Interpretation[Domino, Tiles]]
) -> Iterator[Doubt]:
    for at, tile in enumerate(tiles):
        taken, *others = dict.fromkeys(one.reading[at] for one in ranked)
        if others:
            maybe = either(map(name, others))
            text = _("the {die} may be {others}", die=name(taken), others=maybe)
        elif taken != ascending(tile.halves) or unread(tile):
            text = _("was the {tile} read correctly?", tile=name(taken))
        else:
            continue
        yield Doubt(text, ("tiles", at))
