"""Purple House: the state of a round."""

from dataclasses import dataclass
from typing import NamedTuple

from scorer.games.purple_house.moves import DieColour
from scorer.settings import House

CELLS = 9


class GridDie(NamedTuple):
    """A die on the grid."""

    colour: DieColour
    pips: int


DiceGrid = tuple[GridDie | None, ...]  # nine cells, row by row
EMPTY: DiceGrid = (None,) * CELLS


@dataclass(frozen=True, slots=True)
class State:
    """One grid being filled: who started, who owns which colour, which dice were rolled."""

    house: House
    players: int  # one (solo) or two
    starter: int | None = None  # player
    black: int | None = None  # player who owns odd; solo: nobody does
    named: DieColour | None = None  # solo: the colour that is to win
    starts: DieColour | None = None  # colour placed first, None until it is known
    hands: tuple[tuple[int, ...], tuple[int, ...]] = ((), ())  # black, white; () is not known
    grid: DiceGrid = EMPTY
    # By how many dice the colour that started has more than by taking turns, where all played on.
    ahead: int = 0
