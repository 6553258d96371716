"""Tiles as they lie on a photo, and what is proposed from it."""

from dataclasses import replace

from scorer import Table, Tile
from scorer.dominoes import surface
from scorer.games.even_at_odds.moves import Draw, Flip, Show
from tests.scorer.games.at_odds import (
    BASE,
    LEVEL,
    SIX_FOUR,
    SIX_TWO,
    SOLO,
    after,
    alone,
    dealt,
    finished,
    lay,
    tile,
    tiles,
)


def photo(laid, *more, turns=0, down=0, right=0):
    """The tiles of *laid* that nothing lies on, as the camera gives them, in its own frame."""
    top = surface(laid)
    whole = [
        move for place, move in enumerate(laid) if all(top[cell][2] == place for cell in move.cells)
    ]
    return Table(tiles=(*(shot(move, turns, down, right) for move in whole), *more))


def shot(move, turns=0, down=0, right=0, **extra):
    return Tile(move.tile, tuple(moved(c, turns, down, right) for c in move.cells), **extra)


def moved(cell, turns, down, right):
    row, column = cell
    for _ in range(turns):
        row, column = -column, row
    return row + down, column + right


def at(name, row, column, *others, **more):
    """at("5-6", 9, 0, "4-6"): from there to the right; it looks more like the first."""
    halves, cells = (int(name[0]), int(name[2])), ((row, column), (row, column + 1))
    doubt = {"confidence": 0.6, "others": tuple((tile(one), 0.3) for one in others)}
    return Tile(halves, cells, **(doubt if others else {}), **more)


def looks(name, like, *others, **more):
    """looks("5-3", LEVEL, "1-2"): where that tile lies."""
    return replace(at(name, 0, 0, *others), cells=like.cells, **more)


def case(state, table, *moves, asks=(), wrong=()):
    """Return a photo with the moves that are proposed, what is asked, and what cannot be."""
    return state, table, moves, [*asks], [*wrong]


WHOLE = photo(BASE).tiles
FOUR_FOUR = WHOLE[5]
TWO_SIX = dealt(SIX_TWO)
OTHER = lay("4-3", (2, 4), (2, 5))
FIRST, THEN = lay("1-5", (0, -1), (0, -2)), lay("5-3", (0, -3), (0, -4))
OVER_6_AND_4 = lay("6-0", (0, 2), (0, 3))  # over 2-6 and over half of a 4-6 nobody confirmed
BELOW = lay("2-3", (3, 1), (3, 0))
OVER = lay("6-3", (3, 0), (2, 0))  # covers a 3 of 3-3 and the 3 of 2-3
FLIPPED = at("5-6", 9, 0), at("6-4", 9, 4)
LAID_ALONE, WAITING = lay("2-3", (1, -1), (1, -2)), (at("4-6", 9, 0), at("1-1", 9, 4))
HELPER = at("0-0", 6, 6)
# Each leaves a bare 2 and a bare 3 or 4, one above the other.
HALVES, UNLIKE, SEAM = lay("2-3", (1, 1), (2, 1)), lay("2-4", (1, 1), (2, 1)), ((1, 0), (2, 0))
OWN_NUMBERS = lay("1-6", (0, 1), (0, 2))
MOVED = at("4-4", 3, 0)
NOTHING = "no new tile was found"
AGAIN = "shows exactly what was there before: is it a new tile?"
BEFORE_IT = "was a tile laid before it"
APART = "lies apart from the others and does not count"

CASES = {
    "nothing new is nothing proposed": case(TWO_SIX, photo(TWO_SIX.laid), asks=[NOTHING]),
    "a tile whose support was not confirmed asks for the one before it": case(
        TWO_SIX,
        photo((*BASE, SIX_TWO, SIX_FOUR, OVER_6_AND_4)),
        wrong=[f"0-6 would lie at two heights, 1 and 2; {BEFORE_IT}?"],
    ),
    "a tile laid against another new one comes after it": case(
        dealt(), photo((*BASE, THEN, FIRST)), FIRST, THEN
    ),
    "known hands tell whose tile came first": case(
        dealt(Show(0, (3, 4))), photo((*BASE, LEVEL, OTHER)), OTHER, LEVEL
    ),
    "a reading that fits is taken, and the other one is named": case(
        dealt(),
        photo(BASE, looks("1-3", LEVEL, "1-2")),
        lay("1-3", (0, -1), (1, -1)),
        asks=["treated as 1-3, but 1-2 is possible too"],
    ),
    "a tile that is laid already is repaired": case(
        dealt(),
        photo(BASE, looks("1-1", LEVEL, "1-2")),
        LEVEL,
        asks=["treated as 1-2: it looks like 1-1, but 1-1 is already on the table"],
    ),
    "a stack misread as just what it covers is repaired": case(
        dealt(BELOW),
        Table(tiles=(*photo((*BASE, BELOW, OVER)).tiles[:-1], looks("3-3", OVER, "3-6"))),
        OVER,
        asks=["treated as 3-6: it looks like 3-3, but 3-3 is already on the table"],
    ),
    "two tiles beside the foundation are the flip": case(
        after(),
        photo(BASE, *FLIPPED),
        Flip((5, 6), (4, 6)),
        asks=["does 5-6 belong to player 1 and 4-6 to player 2?"],
    ),
    "and without it, where they flip again": case(
        after(Flip((2, 5), (3, 4))),
        Table(tiles=FLIPPED),
        Flip((5, 6), (4, 6)),
        asks=["does 5-6 belong to player 1 and 4-6 to player 2?"],
    ),
    "one is not enough": case(
        after(),
        photo(BASE, FLIPPED[0]),
        wrong=["each player flips one tile; 1 new tile was found"],
    ),
    "a foundation that lies otherwise is told before the start": case(
        after(), Table(tiles=(*WHOLE[:5], MOVED)), asks=[NOTHING], wrong=["4-4 has been moved"]
    ),
    "one that lies as it should is nothing new": case(after(), photo(BASE), asks=[NOTHING]),
    "nor is nothing": case(after(), Table(), wrong=["the foundation cannot be seen"]),
    "solo, three new tiles are the draw and the helper is none": case(
        after(seats=1),
        photo((*SOLO, LAID_ALONE), HELPER, *WAITING),
        Draw(tiles("1-1 2-3 4-6")),
        LAID_ALONE,
    ),
    "the helper alone is nothing": case(after(seats=1), photo(SOLO, HELPER), asks=[NOTHING]),
    "two are no draw": case(
        after(seats=1),
        photo(SOLO, *WAITING),
        wrong=["you draw three tiles in a turn; 2 new tiles were found"],
    ),
    "solo, tiles of the hand may wait beside the board": case(
        alone(SOLO, "1-1 2-3 4-6", 18), photo((*SOLO, LAID_ALONE), *WAITING), LAID_ALONE
    ),
    "others do not count": case(
        alone(SOLO, "1-1 2-3 4-6", 18),
        photo(SOLO, *WAITING, at("5-5", 9, 8)),
        asks=[f"5-5 {APART}"],
    ),
    "a drawn tile read as one that is out is repaired": case(
        after(seats=1),
        photo(SOLO, at("0-6", 9, 0, "6-6"), at("1-1", 9, 4), at("1-2", 9, 8)),
        Draw(tiles("1-1 1-2 6-6")),
        asks=["treated as 6-6: it looks like 0-6, but none of those is left"],
    ),
    "nothing is read once the match is over": case(
        finished(0, 0, match="best_of_three"), photo(BASE), wrong=["the game is over"]
    ),
    "an unlikely second reading is not worth a doubt": case(
        dealt(),
        photo(BASE, looks("1-2", LEVEL, confidence=0.97, others=(((1, 3), 0.01),))),
        LEVEL,
    ),
    "one that the rules forbid makes the first no less likely": case(
        dealt(), photo(BASE, looks("1-2", LEVEL, confidence=0.96, others=(((3, 4), 0.03),))), LEVEL
    ),
    "one that they allow is asked about": case(
        dealt(),
        photo(BASE, looks("1-2", LEVEL, confidence=0.96, others=(((1, 4), 0.03),))),
        LEVEL,
        asks=["was the 1-2 read correctly?"],
    ),
    "a known tile misread is taken as what lies there": case(
        dealt(),
        Table(tiles=(*WHOLE[:5], looks("4-5", FOUR_FOUR, "4-4"))),
        asks=["4-5 was read where 4-4 lies; treated as 4-4"],
    ),
    "unless it cannot be": case(
        dealt(),
        Table(tiles=(*WHOLE[:5], looks("4-5", FOUR_FOUR))),
        wrong=["4-5 was read where 4-4 lies"],
    ),
    "a tile that has gone is told": case(
        dealt(), Table(tiles=WHOLE[:5]), wrong=["4-4 is no longer where it was"]
    ),
    "one that was moved too": case(
        dealt(), Table(tiles=(*WHOLE[:5], MOVED)), wrong=["4-4 has been moved"]
    ),
    "and one taken off a stack": case(
        TWO_SIX, photo(BASE), wrong=["2-6 is no longer where it was"]
    ),
    "a tile seen twice is an error": case(
        dealt(), photo(BASE, MOVED), wrong=["4-4 was read twice, but the box holds only one"]
    ),
    "also a new one": case(
        dealt(),
        photo((*BASE, LEVEL), at("1-2", 3, 0)),
        LEVEL,
        wrong=["1-2 is already on the table"],
    ),
    "a tile lying apart is left out": case(
        dealt(), photo((*BASE, LEVEL), at("3-5", 9, 9)), LEVEL, asks=[f"3-5 {APART}"]
    ),
    "the bare halves of two tiles taken for one that is laid are no new tile": case(
        dealt(HALVES), photo((*BASE, HALVES), Tile((2, 3), SEAM)), asks=[NOTHING]
    ),
    "nor are they on level 1": case(
        dealt(UNLIKE), photo((*BASE, UNLIKE), Tile((2, 3), SEAM, level=1)), asks=[NOTHING]
    ),
    "a tile that covers its own numbers is asked about": case(
        dealt(), photo((*BASE, OWN_NUMBERS)), OWN_NUMBERS, asks=[f"1-6 {AGAIN}"]
    ),
    "one that is seen higher asks nothing": case(
        dealt(), photo(BASE, looks("1-6", OWN_NUMBERS, level=2)), OWN_NUMBERS
    ),
    "a photo of another table is refused": case(
        dealt(),
        Table(tiles=(at("1-2", 0, 0),)),
        wrong=["none of these tiles are on the table so far; is this the right table?"],
    ),
    "nothing at all too": case(dealt(), Table(), wrong=["no tile was found; show the table"]),
}
CASES |= {
    f"a tile under one that nobody confirmed is said to be covered, turned {turns} times": case(
        TWO_SIX,
        photo(
            (*BASE, SIX_TWO, lay("5-4", (1, 3), (2, 3)), lay("2-5", (1, 2), (1, 3))), turns=turns
        ),
        wrong=[f"2-5 would lie at two heights, 1 and 2; {BEFORE_IT}, over 4-4?"],
    )
    for turns in range(4)
}
CASES |= {
    f"the new tile is found however the photo lies, turned {turns} times": case(
        TWO_SIX, photo((*BASE, SIX_TWO, SIX_FOUR), turns=turns, down=down, right=right), SIX_FOUR
    )
    for turns, down, right in ((0, 0, 0), (1, 5, -3), (2, 0, 0), (3, 5, -3))
}
