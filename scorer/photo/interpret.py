"""The interpreter of uncertain readings by a game's rules.

Each piece has several possible readings. Joint readings are tried in order of probability, and the
game returns the meaning of each legal one. The likeliest meaning is proposed; nearly as likely ones
become doubts, as do pieces that differ from their reading or are too uncertain. The threshold for
all games is `LIKELY_RATIO`.
"""

import heapq
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from math import log, prod
from typing import Generic, TypeVar, overload

from scorer.messages import Message, _
from scorer.proposal import Doubt
from scorer.table import Die, MarkedCell, Tile
from scorer.words import colour, either, numbers

T = TypeVar("T")
K = TypeVar("K")
C = TypeVar("C", bound=str)  # the colours of a game's dice

# A silent error costs as much as thirty questions (docs/accuracy.md, "What confidence means"): an
# interpretation this likely, relative to the best one, becomes a doubt.
LIKELY_RATIO = 1 / 30
# An interpretation that needs a reading this much less likely than the looks is dropped.
UNLIKELY_RATIO = LIKELY_RATIO**3
BROKEN = 1 / 100  # share of illegal tables: people err too; chosen, not measured
# Assume that a person overlooks a mark on a piece one time in ten. From this confidence on,
# overlooked errors cost, at thirty questions each, no more than the questions saved.
STANDS = 2 / 3
TRIES = 20_000  # maximum of joint readings: nine dice with four readings in 0.1 s

Seen = tuple[str, int]  # a die's colour and value


@dataclass(frozen=True, slots=True)
class Interpretation(Generic[T, K]):
    """A legal joint reading with its meaning; `share` is proportional to its probability."""

    meaning: K
    reading: tuple[T, ...]
    share: float


def joint_readings(
    options: Sequence[Sequence[tuple[T, float]]],
) -> Iterator[tuple[tuple[T, ...], float]]:
    """Yield every joint reading with its probability, likeliest first.

    Args:
        options: for each piece its readings as (reading, probability), in any order; readings of
            probability 0 are dropped.
    """
    ranked = [sorted((o for o in piece if o[1] > 0), key=lambda o: -o[1]) for piece in options]
    if not all(ranked):
        return
    costs = [[-log(p) for _, p in piece] for piece in ranked]
    first = (0,) * len(ranked)
    queue = [(sum(cost[0] for cost in costs), first)]
    met = {first}
    while queue:
        total, chosen = heapq.heappop(queue)
        picked = [piece[i] for piece, i in zip(ranked, chosen, strict=True)]
        yield tuple(reading for reading, _ in picked), prod(p for _, p in picked)
        for place, i in enumerate(chosen):
            following = (*chosen[:place], i + 1, *chosen[place + 1 :])
            if i + 1 < len(ranked[place]) and following not in met:
                met.add(following)
                heapq.heappush(queue, (total - costs[place][i] + costs[place][i + 1], following))


def interpretations(
    options: Sequence[Sequence[tuple[T, float]]],
    meanings: Callable[[tuple[T, ...]], Iterable[K]],
    tries: int = TRIES,
) -> list[Interpretation[T, K]]:
    """Return the likeliest legal interpretation and all nearly as likely, in order.

    Args:
        options: as for `joint_readings`.
        meanings: returns the meanings of a joint reading, the more natural first; nothing if it
            is illegal. Of several readings with one meaning the likeliest is used.
        tries: maximum of joint readings.
    """
    found: list[Interpretation[T, K]] = []
    least = 0.0
    for reading, share in islice(joint_readings(options), tries):
        least = least or UNLIKELY_RATIO * share
        if share < (LIKELY_RATIO * found[0].share if found else least):
            break
        met = [one.meaning for one in found]
        new = (meaning for meaning in meanings(reading) if meaning not in met)
        found += [Interpretation(meaning, reading, share) for meaning in new]
    return found


def likely(others: Iterable[tuple[T, float]], most: float) -> list[T]:
    """Return the alternative readings nearly as likely as the likeliest, of share *most*."""
    return [reading for reading, share in others if share >= LIKELY_RATIO * most]


@overload
def dice_options(dice: Iterable[Die], colours: None = None) -> list[list[tuple[Seen, float]]]: ...
@overload
def dice_options(
    dice: Iterable[Die], colours: Iterable[C]
) -> list[list[tuple[tuple[C, int], float]]]: ...
def dice_options(
    dice: Iterable[Die], colours: Iterable[str] | None = None
) -> Sequence[Sequence[tuple[Seen, float]]]:
    """Return the possible readings of each die, with value or colour or both mistaken.

    Args:
        dice: as read.
        colours: those of the game; None: colours do not matter and are not changed.
    """
    game = None if colours is None else set(colours)
    return [
        [
            ((colour, value), p * q)
            for value, p in ((die.value, die.confidence), *die.values)
            for colour, q in ((die.colour, 1.0), *(die.colours if game is not None else ()))
            if 1 <= value <= 6 and (game is None or colour in game)
        ]
        for die in dice
    ]


def unread(piece: Die | Tile | MarkedCell, as_good: float = 0.0) -> bool:
    """Return True if a piece is uncertain, with or without named alternatives.

    Illegal alternatives do not make the first value right. Colours differ: the number of dice of
    each is known, so a colour without a legal interpretation is excluded.

    Args:
        piece: as read.
        as_good: probability of equivalent readings.
    """
    sure = piece.confidence
    if isinstance(piece, Die):
        sure /= max(1 - sum(share for _, share in piece.colours), sure, 1e-9)
    return 1 - sure - as_good > LIKELY_RATIO * sure + 1e-9


def drawn(confidence: float) -> bool:
    """Whether a doubtful piece only needs a mark on the photo: its value is likely right."""
    return STANDS <= confidence < 1 / (1 + LIKELY_RATIO)


def colours_settled(taken: Iterable[tuple[Die, Seen]]) -> bool:
    """Return True if the dice are likely of the colours that they are *taken* for."""
    odds = 1.0
    for die, (name, value) in taken:
        if name != die.colour or value != die.value:
            looks = max(1 - sum(share for _, share in die.colours), die.confidence)
            odds *= dict(die.colours).get(name, 0.0) / looks if value == die.value else 0.0
    return LIKELY_RATIO * odds >= BROKEN


def in_words(die: Seen) -> Message:
    """Return a die in words: "red 5"."""
    return _("{colour} {value}", colour=colour(die[0]), value=die[1])


def pips_alone(die: Seen) -> Message:
    """Return a die's value in words, if colours do not matter."""
    return numbers(die[1:])


def dice_doubts(
    dice: Iterable[tuple[int, Die]],
    readings: Sequence[Sequence[Seen]],
    said: Callable[[Seen], Message] = in_words,
    where: Callable[[Die], Message] | None = None,
    *,
    counted: bool = False,
) -> Iterator[Doubt]:
    """Yield doubts about dice that are interpreted differently from their reading, or may be.

    Args:
        dice: with their index in the table.
        readings: of these dice in each interpretation, the proposed one first; other pieces may
            follow. None or empty if the dice did not matter.
        said: returns a die in words.
        where: returns the place of a die in words, if players refer to it.
        counted: the number of dice of each colour is known; then a colour determined by the
            numbers is reported and not asked about.
    """
    if not readings or not readings[0]:
        return
    dice = list(dice)
    open_colours = counted and colours_settled(
        zip((die for _, die in dice), readings[0], strict=False)
    )
    for at, (i, die) in enumerate(dice):
        looks, taken = (die.colour, die.value), readings[0][at]
        others = dict.fromkeys(read[at] for read in readings if read[at] != taken)
        if looks != taken:
            text = _(
                "{what} looks like {looks}, which the rules do not allow here; treated as {taken}",
                what=where(die) if where else _("a die"),
                looks=said(looks),
                taken=said(taken),
            )
            plain = not others and not unread(die) and open_colours
            yield Doubt(text, ("dice", i), taken, "progress" if plain else "meaning")
            continue
        if others:
            text = _("the {die} may be {others}", die=said(taken), others=either(map(said, others)))
        elif unread(die):
            text = _("was the {die} read correctly?", die=said(taken))
        else:
            continue
        text = _("{place}: {text}", place=where(die), text=text) if where else text
        yield Doubt(text, ("dice", i), drawn=drawn(die.confidence))
