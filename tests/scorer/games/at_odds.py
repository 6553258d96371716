"""Tables of Even at Odds for its tests: tiles as text, boards, and positions."""

from dataclasses import replace
from functools import partial

from scorer import settle
from scorer.dominoes import Lay, TopFace
from scorer.games import GAMES
from scorer.games.even_at_odds import ONE
from scorer.games.even_at_odds.moves import TEAMS, Agree
from scorer.games.even_at_odds.settings import foundation
from scorer.games.even_at_odds.state import State
from tests.scorer import positions

eo = GAMES["even_at_odds"]


def lay(name, p, q):
    """lay("6-2", (0, 2), (1, 2)): the 6 on the first cell."""
    return Lay(tile(name), (p, q))


def tile(name):
    return int(name[0]), int(name[2])


def tiles(names):
    return tuple(sorted(map(tile, names.split())))


HOUSE = settle(ONE.settings, {})
BASE = foundation(2, HOUSE)
SOLO = foundation(1, HOUSE)
SIX_FOUR = lay("6-4", (0, 3), (1, 3))  # level 2 beside it
SIX_TWO = lay("6-2", (0, 2), (1, 2))  # level 2, over 6-6 and 5-5


after, refusal = partial(positions.after, eo), partial(positions.refusal, eo)


def dealt(*moves, **house):
    """A game that player 1 starts, playing for the evens."""
    return after(Agree(0, 0), *moves, **house)


def late(laid, first, second="", stock=0, **changes):
    """A position with known hands, player 1 to move and playing for the evens."""
    hands = tiles(first), tiles(second)
    house = settle(ONE.settings, changes.pop("house", {}))
    held = len(hands[0]), len(hands[1])
    state = State(house, tuple(laid), hands, held, stock, starter=0, teams=TEAMS)
    return replace(state, **changes)


def alone(laid, hand, stock=0, **house):
    """A solo position with this hand."""
    hand = tiles(hand)
    return State(settle(ONE.settings, house), laid, (hand,), (len(hand),), stock, starter=0)


def of_kind(state, kind):
    return [move for move in eo.legal_moves(state) if isinstance(move, kind)]


LEVEL = lay("2-1", (1, -1), (0, -1))  # beside the foundation: groups of 3, and 7 faces each
WON = (*BASE, SIX_TWO), "1-2", LEVEL  # tiles laid, the last hand, the last move
ON_TOP = BASE, "0-2", lay("0-2", (0, 0), (1, 0))  # groups of 2, decided on the top level
DRAWN = (*BASE, LEVEL, lay("2-0", (1, -2), (1, -3))), "0-1", lay("1-0", (0, -2), (0, -3))


def view(*rows, levels=None):
    return {
        (r, c): TopFace(int(number), int(levels[r][c]) if levels else 1, 0)
        for r, row in enumerate(rows)
        for c, number in enumerate(row)
        if number != "."
    }


def finished(*winners, end=None, **house):
    """A match after games won by these seats (None: drawn), each by its last move."""
    state = after(**house)
    for seat in winners:
        laid, hand, last = end or (DRAWN if seat is None else WON)
        teams = TEAMS if seat != 1 else TEAMS[::-1]
        (table,) = state.tables
        ending = late(laid, hand, house=house, teams=teams, extra=seat is None)
        state = replace(state, tables=(replace(table, round=ending),))
        state = eo.apply(state, last)
    return state
