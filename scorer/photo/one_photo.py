"""What a photo alone scores and means, without moves before it, and what stays unknown."""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

from scorer.errors import NotScored
from scorer.game import Equipment, Game
from scorer.messages import _, joined, raw
from scorer.photo.interpret import LIKELY_RATIO, TRIES, Seen, drawn, in_words, joint_readings
from scorer.proposal import Difference, Doubt, Proposal, once
from scorer.table import Die
from scorer.words import either


def equipment_alone(game: Game[Any, Any], state: Any) -> tuple[Equipment, ...]:
    """Return the equipment for a photo without a match, from the game's moments."""
    alone = game.one_photo
    if alone is None:
        return (game.equipment(state),)
    wanted = map(game.equipment, alone.moments(state))
    return tuple(replace(one, dice=None) if alone.any_number else one for one in wanted)


def moves_of(proposal: Proposal) -> tuple[Any, ...]:
    """Return the moves of a proposal; raises NotScored with its differences."""
    if proposal.differences:
        raise not_scored(proposal.differences)
    return proposal.moves


def not_scored(differences: Sequence[Difference]) -> NotScored:
    """Convert differences to NotScored."""
    pieces = [one.piece for one in differences if one.piece is not None]
    why = joined("; ", once(differences))
    return NotScored(why if why.endswith(".") else joined("", (why, raw("."))), pieces=pieces)


def likeliest(
    dice: Sequence[Die], colours: Collection[str], fits: Callable[[tuple[Seen, ...]], bool]
) -> tuple[tuple[Seen, ...], tuple[Doubt, ...]] | None:
    """Return the likeliest reading of all *dice* that *fits*, with doubts, or None."""
    options = [
        [
            ((colour, value), share * of_colour)
            for value, share in ((die.value, die.confidence), *die.values)
            for colour, of_colour in ((die.colour, 1.0), *die.colours)
            if colour in colours and of_colour >= LIKELY_RATIO and 1 <= value <= 6
        ]
        for die in dice
    ]
    near: list[tuple[Seen, ...]] = []
    best = 0.0
    for reading, share in islice(joint_readings(options), TRIES):
        if share < LIKELY_RATIO * best:
            break
        if fits(reading):
            near.append(reading)
            best = best or share
    return (near[0], tuple(_open(dice, near))) if near else None


def _open(dice: Sequence[Die], near: Sequence[tuple[Seen, ...]]) -> Iterator[Doubt]:
    """Yield a doubt for each die that differs from its reading, or between readings."""
    for i, die in enumerate(dice):
        looks, taken = (die.colour, die.value), near[0][i]
        others = dict.fromkeys(reading[i] for reading in near if reading[i] != taken)
        if looks != taken:
            text = _(
                "a die looks like {looks}, which cannot be here; treated as {taken}",
                looks=in_words(looks),
                taken=in_words(taken),
            )
            yield Doubt(text, ("dice", i), taken)
        elif others:
            maybe = either(map(in_words, others))
            text = _("the {die} may be {others}", die=in_words(taken), others=maybe)
            yield Doubt(text, ("dice", i), drawn=drawn(die.confidence))
