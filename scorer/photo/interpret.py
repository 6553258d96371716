"""The one interpreter of readings: what pieces that may be misread mean by a game's rules.

Each piece comes with its possible readings. Joint readings are tried from the likeliest downwards,
and a game says what each would mean, if the rules allow it at all. The likeliest meaning is
proposed; another that is nearly as likely is told, and so is a piece that is not as it looks or of
which too much is left unread. How near is near is said once, for all games: `LIKELY_RATIO`.
"""

from __future__ import annotations

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
# interpretation this likely, measured by the best one, is told.
LIKELY_RATIO = 1 / 30
# What needs a reading so much less likely than the looks is no explanation of them.
UNLIKELY_RATIO = LIKELY_RATIO**3
BROKEN = 1 / 100  # tables that lie as the rules forbid: people err too; chosen, not counted
# Who confirms a photo overlooks a mark on a piece one time in ten, say. So from this confidence
# what is overlooked costs, at thirty questions each, no more than the questions that are spared.
STANDS = 2 / 3
TRIES = 20_000  # joint readings looked at before giving up: nine dice with four readings in 0.1 s

Seen = tuple[str, int]  # a die's colour and value


@dataclass(frozen=True, slots=True)
class Interpretation(Generic[T, K]):
    """One way to read all pieces that the rules allow, and what it means.

    `share` is its probability, or any number in proportion to it.
    """

    meaning: K
    reading: tuple[T, ...]
    share: float


def joint_readings(
    options: Sequence[Sequence[tuple[T, float]]],
) -> Iterator[tuple[tuple[T, ...], float]]:
    """Yield every joint reading with its probability, likeliest first.

    Args:
        options: for each piece its readings as (reading, probability), in any order; readings of
            probability 0 are left out.
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
    """Return the likeliest interpretation that the rules allow and all nearly as likely, in order.

    Args:
        options: as for `joint_readings`.
        meanings: what a joint reading means by the rules, the more natural meaning first; nothing
            if they forbid it. Of several readings with one meaning the likeliest stands for it.
        tries: joint readings looked at.
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
    """Return the other readings of a piece nearly as likely as its likeliest, of share *most*."""
    return [reading for reading, share in others if share >= LIKELY_RATIO * most]


# ---------------------------------------------------------------- pieces


@overload
def dice_options(dice: Iterable[Die], colours: None = None) -> list[list[tuple[Seen, float]]]: ...
@overload
def dice_options(
    dice: Iterable[Die], colours: Iterable[C]
) -> list[list[tuple[tuple[C, int], float]]]: ...
def dice_options(
    dice: Iterable[Die], colours: Iterable[str] | None = None
) -> Sequence[Sequence[tuple[Seen, float]]]:
    """Return what each die may be, its value or its colour or both mistaken; pips are 1 to 6.

    Args:
        dice: as they were seen.
        colours: those the game has; None: the colour of a die tells nothing, and is as seen.
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
    """Return True if a piece may well be something else, be it named as an alternative or not.

    That the rules forbid what is named does not make the first value right. Colours are another
    matter: how many dice of each there are is certain, so one that no interpretation has is none.

    Args:
        piece: as it was seen.
        as_good: probability of readings that come to the same.
    """
    sure = piece.confidence
    if isinstance(piece, Die):
        sure /= max(1 - sum(share for _, share in piece.colours), sure, 1e-9)
    return 1 - sure - as_good > LIKELY_RATIO * sure + 1e-9


def drawn(confidence: float) -> bool:
    """Whether a doubtful piece needs only to be marked on the photo: its value likely stands.

    One of which more than its confidence is in doubt is not marked only, but asked about.
    """
    return STANDS <= confidence < 1 / (1 + LIKELY_RATIO)


def colours_settled(taken: Iterable[tuple[Die, Seen]]) -> bool:
    """Return True if dice may well be of the colours that they are *taken* for, all of them.

    So well that a table which breaks the rules, with the dice as they look, is no rival of that.
    """
    odds = 1.0
    for die, (name, value) in taken:
        if name != die.colour or value != die.value:
            looks = max(1 - sum(share for _, share in die.colours), die.confidence)
            odds *= dict(die.colours).get(name, 0.0) / looks if value == die.value else 0.0
    return LIKELY_RATIO * odds >= BROKEN


def in_words(die: Seen) -> Message:
    """Return a die as a player names it: "red 5"."""
    return _("{colour} {value}", colour=colour(die[0]), value=die[1])


def pips_alone(die: Seen) -> Message:
    """Return a die's value, where colours tell nothing."""
    return numbers(die[1:])


def dice_doubts(
    dice: Iterable[tuple[int, Die]],
    readings: Sequence[Sequence[Seen]],
    said: Callable[[Seen], Message] = in_words,
    where: Callable[[Die], Message] | None = None,
    *,
    counted: bool = False,
) -> Iterator[Doubt]:
    """Yield what is to be asked about each die: it is read otherwise than it looks, or may be.

    Args:
        dice: with their index in the table.
        readings: of these dice in each interpretation, the proposed one first; each may go on with
            other pieces. None, or an empty one, if the dice did not matter.
        said: puts a die in words.
        where: says where a die lies, where that is how players name it.
        counted: it is certain how many dice of each colour lie there; then a colour that the looks
            leave open, and the numbers settle, is told and not asked about.
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
