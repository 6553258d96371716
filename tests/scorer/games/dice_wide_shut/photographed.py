"""Sheets of Dice Wide Shut as a photo shows them."""

from dataclasses import replace

from scorer import table as on_table
from scorer.games.dice_wide_shut.moves import Take
from scorer.games.dice_wide_shut.state import Sheet
from tests.scorer.games.wide_shut import BLANK, EXAMPLE, POOL, cells, dice, dw, sheet, table


def lying(text):
    """Return the dice as the camera sees them."""
    return tuple(on_table.Die(value, hue) for hue, value in dice(text))


def photographed(state, seat, **changed):
    """Return the marks of a seat's sheet, some cells (`red12`) seen as another mark."""
    other = {cells(name)[0]: one for name, one in changed.items()}
    spots = dw.equipment(replace(state, pool=state.pool or dice(POOL))).spots
    spot = next(s for s in spots if s.title.endswith(f"player {seat + 1}'s sheet"))
    return tuple(
        replace(one, **(word if isinstance(word, dict) else {"mark": word}))
        for one in spot.table.marks
        for word in [other.get(one.cell, one.mark)]
    )


def sentences(noted):
    return [one.sentence for one in noted]


TWO = table([Sheet()] * 2, POOL)
TAKEN = dw.apply(TWO, Take("red", dice("red 1 3")))
MARKED = sheet(red=EXAMPLE, red_sixes="xk...", blue=("xxxxx", *BLANK[:4]))
