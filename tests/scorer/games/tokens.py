"""Grids of Purple House for its tests, written as `B1 W3 --` in reading order."""

from scorer import table as on_table
from scorer.games.purple_house import GAME, Agree, Place, Roll
from scorer.games.purple_house.state import GridDie

ODD = ["B1", "W3", "B5", "W1", "B3", "W5", "B1", "W3", "B5"]  # 8-0
EVEN = ["B2", "W4", "B6", "W2", "B4", "W6", "B2", "W4", "B6"]  # 0-8
LEVEL = ["B2", "W2", "B4", "W6", "B3", "W4", "B2", "W6", "B4"]  # 4-4
ROLLED = Roll("black", (1, 1, 3, 5, 6)), Roll("white", (2, 2, 4, 6, 6))
BLACK_7_1 = ["B1", "W2", "B4", "W6", "B2", "W3", "B4", "W5", "B6"]
COLOUR = {"B": "black", "W": "white"}


def grid(tokens):
    return tuple(None if t == "--" else GridDie(COLOUR[t[0]], int(t[1])) for t in tokens)


def swapped(tokens):
    """The same pips with the colours exchanged: for rounds that white starts."""
    return [{"B": "W", "W": "B"}[t[0]] + t[1] for t in tokens]


def placements(tokens, table=0):
    """The tokens placed in turn, which is reading order for the chequerboards above."""
    return [Place(i // 3, i % 3, COLOUR[t[0]], int(t[1]), table) for i, t in enumerate(tokens)]


def race(*rounds, seats=2, agree=(0, 0), **settings):
    """A race of whole rounds; black starts the odd ones, and colours are kept."""
    state = GAME.apply(GAME.start(seats, settings), Agree(*agree))
    for number, tokens in enumerate(rounds):
        for move in placements(swapped(tokens) if number % 2 else tokens):
            state = GAME.apply(state, move)
    return state


def dice(tokens):
    """What the camera sees of the tokens, surely."""
    return tuple(
        on_table.Die(int(t[1]), COLOUR[t[0]], (i // 3, i % 3))
        for i, t in enumerate(tokens)
        if t != "--"
    )
