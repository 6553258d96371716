"""Tables of Dice Wide Shut for its tests: dice and cells as text, and random play."""

import re
from dataclasses import replace
from functools import partial

from hypothesis import assume
from hypothesis import strategies as st

from scorer.games import GAMES
from scorer.games.dice_wide_shut.moves import Roll, Starter
from scorer.games.dice_wide_shut.settings import SETTINGS
from scorer.games.dice_wide_shut.state import SPLIT, Due, Half, Sheet, dice_for
from tests.scorer import positions

dw = GAMES["dice_wide_shut"]

BLANK = (".....",) * 5
HOUSES = {setting.name: tuple(setting.values) for setting in SETTINGS}


def dice(text):
    """Return the dice written as `red 1 3 6 blue 2 2 purple 5`."""
    lying, hue = [], ""
    for word in text.split():
        if word.isdigit():
            lying.append((hue, int(word)))
        hue = hue if word.isdigit() else word
    return tuple(sorted(lying))


def cells(text):
    """Return the cells written as `red12 blue26`: half, row and column from 1, column 6 the 6."""
    return tuple((word[:-2], int(word[-2]) - 1, int(word[-1]) - 1) for word in text.split())


def split(rows):
    """Return the rows with every full one crossed out."""
    return tuple(row if "." in row else SPLIT for row in rows)


def sheet(red=BLANK, blue=BLANK, red_sixes=".....", blue_sixes="....."):
    return Sheet(Half(split(red), red_sixes), Half(split(blue), blue_sixes))


def table(sheets, roll=None, take=None, order=None, **house):
    """Return a state with these sheets: player 1 to play, after a roll or a take if given."""
    state = replace(dw.start(len(sheets), house), sheets=tuple(sheets))
    state = dw.apply(state, Starter(0))
    if order is not None:
        state = replace(state, order=order)
    if roll is not None:
        state = dw.apply(state, Roll(dice(roll)))
    return state if take is None else dw.apply(state, take)


def playing(marked, numbers, colour="red", **house):
    """Return a state of two players in which player 1 has taken dice with these numbers."""
    state = table([marked, Sheet()], "red 1 1 1 blue 1 1 1 purple 1", **house)
    left = state.pool[:5]
    return replace(state, pool=left, due=Due(None if numbers == (6,) else colour, numbers))


def said_of(text):
    """Return a text in words: red14 is the 4 in row 1 of the red half, red16 the 6 of row 1."""

    def cell(found):
        half, row, column = found.groups()
        if column == "6":
            return f"the 6 of row {row} of the {half} half"
        if half == "red":
            return f"the {column} in row {row} of the red half"
        return f"the {row} in column {column} of the blue half"

    return re.sub(r"\b(red|blue)(\d)(\d)\b", cell, text)


refused = partial(positions.refusal, dw)


POOL = "red 1 3 6 blue 4 4 6 purple 5"
ONE_RED = "red 3 6 6 blue 1 2 2 purple 4"
ALIKE = "red 3 3 3 blue 3 3 3 purple 3"
THREES = ("..x..",) * 5
EXAMPLE = ("x.x..", "xx.xx", "x.x..", "x.x.x", "..x..")  # the rule book's red half


def walk(data, seats, house, turns, until):
    """Return a state of random play that *until* accepts: rolls of fair dice, random moves."""
    chance = data.draw(st.randoms(use_true_random=False))
    state = dw.start(seats, house)
    for _ in range(4 * turns):
        state = dw.apply(state, random_move(state, chance))
        if dw.is_over(state):
            break
    while not dw.is_over(state) and not until(state):
        state = dw.apply(state, random_move(state, chance))
    assume(not dw.is_over(state))
    return state, chance


def random_move(state, chance):
    if state.round and not state.pool:
        hues = (hue for hue, count in dice_for(len(state.sheets)).items() for _ in range(count))
        return Roll(tuple((hue, chance.randint(1, 6)) for hue in hues))
    return chance.choice(list(dw.legal_moves(state)))


houses = st.fixed_dictionaries({name: st.sampled_from(values) for name, values in HOUSES.items()})


def to_take(state):
    """Return True if dice are to be taken now."""
    return bool(state.pool) and state.due is None
