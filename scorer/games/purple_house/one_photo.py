"""What one photo of a full grid tells, whoever filled it."""

from __future__ import annotations

from collections.abc import Sequence

from scorer import table as seen
from scorer.errors import NotScored
from scorer.game import Facts, OnePhoto, PhotoScore
from scorer.games.purple_house.board import (
    CELLS,
    COLOURS,
    HAND,
    OTHER,
    Agree,
    ChooseColour,
    DieColour,
    Move,
    Round,
)
from scorer.games.purple_house.photo import equipment, observe
from scorer.games.purple_house.rules import PHASES, ready, result, score
from scorer.games.purple_house.words import describe, explain
from scorer.messages import _
from scorer.photo.interpret import Seen, dice_options, interpretations
from scorer.photo.one_photo import moves_of
from scorer.words import player


def tell(state: Round, table: seen.Table, _facts: Facts) -> PhotoScore:
    """Return the points of a full grid, whoever filled it.

    Its five dice of one colour tell who started (PH-4); who sits behind which colour is assumed.
    Solo the colour that was named decides, so it is asked.
    """
    lying = sum(die.cell is not None for die in table.dice)
    if lying < CELLS:
        text = _("{seen} of {all} dice were seen on the board.", seen=lying, all=CELLS)
        raise NotScored(text)
    opening = opening_of(state, table)
    begun = PHASES.apply(state, *opening) if opening else state
    proposal = observe(begun, table)
    done = begun
    for move in moves_of(proposal):
        done = PHASES.apply(done, move)
    ended = result(done)
    return PhotoScore(
        tuple(map(player, range(state.players))),
        score(done),
        explain(done),
        outcome=None if ended is None else ended.why,
        assumed=describe(state, *opening) if opening else None,
        unknown=_("who sat behind which colour, and earlier rounds") if opening else None,
        doubts=proposal.doubts,
    )


def opening_of(state: Round, table: seen.Table) -> tuple[Move, ...]:
    """Return the move before a grid that changes none of its points, () if it was made.

    Raises NotScored where that move decides.
    """
    if ready(state):
        return ()
    if state.players == 1:
        asks = [describe(state, ChooseColour(colour)) for colour in COLOURS]
        raise NotScored(_("The photo does not show which colour was named."), asks)
    starts = _more_of(table)
    if state.starter is None:
        return (Agree(0, 0 if starts == "black" else 1),)
    # Rolled for; the other player chose the colour that did not start.
    return (ChooseColour(OTHER[starts]),)


def _more_of(table: seen.Table) -> DieColour:
    """Return the colour with more dice on the grid, as the likeliest reading that fills it says."""
    dice = [die for die in table.dice if die.cell is not None]

    def more(read: Sequence[Seen]) -> list[DieColour]:
        black = sum(colour == "black" for colour, _pips in read)
        by_number: dict[int, DieColour] = {HAND: "black", CELLS - HAND: "white"}
        return [by_number[black]] if black in by_number else []

    if told := interpretations(dice_options(dice, COLOURS), more):
        return told[0].meaning
    return "black" if 2 * sum(die.colour == "black" for die in dice) > len(dice) else "white"


one_photo = OnePhoto(lambda state: (equipment(state),), tell, opening=opening_of)
