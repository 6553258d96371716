"""One round: the start (PH-2), roll (PH-3), placing (PH-4) and the eight lines (PH-5, PH-9).

Its players are 0 and 1, alone 0. How rounds make a match is told in `match.py`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations_with_replacement
from typing import Literal

from scorer.game import House, Illegal, Result, settle
from scorer.games.purple_house.settings import SETTINGS
from scorer.grids import cell_said

Colour = Literal["black", "white"]
COLOURS: tuple[Colour, Colour] = ("black", "white")
OTHER: Mapping[Colour, Colour] = {"black": "white", "white": "black"}
HAND = 5  # dice of each colour
CELLS = 9
LINES: tuple[tuple[str, tuple[int, int, int]], ...] = (
    ("row 1", (0, 1, 2)),
    ("row 2", (3, 4, 5)),
    ("row 3", (6, 7, 8)),
    ("column 1", (0, 3, 6)),
    ("column 2", (1, 4, 7)),
    ("column 3", (2, 5, 8)),
    ("diagonal \\", (0, 4, 8)),
    ("diagonal /", (2, 4, 6)),
)


# ---------------------------------------------------------------- moves


@dataclass(frozen=True, slots=True)
class StartRoll:
    """Both players of a table roll one die for the start, in the order of the table's seats."""

    pips: tuple[int, int]
    table: int = 0


@dataclass(frozen=True, slots=True)
class ChooseColour:
    """The player who does not start chooses a colour to own; solo, the colour that is to win."""

    colour: Colour
    table: int = 0


@dataclass(frozen=True, slots=True)
class Agree:
    """The players settled at the table who starts and who has black (seats from 0)."""

    starter: int
    black: int
    table: int = 0


@dataclass(frozen=True, slots=True)
class Roll:
    """The five dice of one colour as rolled. Optional: without it any pips are taken."""

    colour: Colour
    pips: tuple[int, int, int, int, int]
    table: int = 0

    def __post_init__(self) -> None:
        """Put the dice in order, so that equal rolls are equal moves."""
        object.__setattr__(self, "pips", tuple(sorted(self.pips)))


@dataclass(frozen=True, slots=True)
class Place:
    """One die goes onto an empty cell; row and column from 0, seen from the camera."""

    row: int
    column: int
    colour: Colour
    pips: int
    table: int = 0


Move = StartRoll | ChooseColour | Agree | Roll | Place


# ---------------------------------------------------------------- state


@dataclass(frozen=True, slots=True)
class Die:
    """A die on the grid."""

    colour: Colour
    pips: int


Grid = tuple[Die | None, ...]  # nine cells, row by row
EMPTY: Grid = (None,) * CELLS


@dataclass(frozen=True, slots=True)
class Round:
    """One grid being filled: who started, who owns which colour, which dice were rolled."""

    house: House
    players: int  # one (solo) or two
    starter: int | None = None  # player
    black: int | None = None  # player who owns odd; solo: nobody does
    named: Colour | None = None  # solo: the colour that is to win
    starts: Colour | None = None  # colour placed first, None until it is known
    hands: tuple[tuple[int, ...], tuple[int, ...]] = ((), ())  # black, white; () is not known
    grid: Grid = EMPTY


# ---------------------------------------------------------------- a grid and its points


def owner(
    dice: Sequence[Die | None], variant: str = "base", color_match_owner: str = "parity"
) -> Colour | None:
    """Return whose point three dice are (PH-5, PH-9, PH-A7): black odd, white even, None nobody's.

    A line with an empty cell is nobody's yet.
    """
    a, b, c = dice
    if a is None or b is None or c is None:
        return None
    parity: Colour = "black" if (a.pips + b.pips + c.pips) % 2 else "white"
    if variant != "color_match":
        return parity
    if not a.colour == b.colour == c.colour:
        return None
    return None if color_match_owner == "own_colour_only" and a.colour != parity else parity


def owners(
    grid: Grid, variant: str = "base", color_match_owner: str = "parity"
) -> tuple[Colour | None, ...]:
    """Return the owner of each of the eight lines, in the order of LINES."""
    return tuple(
        owner([grid[cell] for cell in cells], variant, color_match_owner) for _, cells in LINES
    )


def points(grid: Grid, variant: str = "base", color_match_owner: str = "parity") -> tuple[int, int]:
    """Return the points of black and of white on the completed lines of *grid*."""
    owned = owners(grid, variant, color_match_owner)
    return owned.count("black"), owned.count("white")


def open_lines(grid: Grid) -> int:
    """Return how many of the eight lines still have an empty cell."""
    return sum(any(grid[cell] is None for cell in cells) for _, cells in LINES)


def possible_points(black: int, white: int, variant: str = "base") -> bool:
    """Say whether a finished round can end with these points (PH-5; PH-9: two lines at most)."""
    if min(black, white) < 0:
        return False
    return black + white <= 2 if variant == "color_match" else black + white == len(LINES)


def to_place(grid: Grid, starts: Colour) -> Colour | None:
    """Return the colour placed next, None on a full grid (PH-4).

    Raises:
        Illegal: the colours cannot have come about by taking turns.
    """
    first = second = 0
    for die in grid:
        if die is not None:
            if die.colour == starts:
                first += 1
            else:
                second += 1
    if first - second not in (0, 1):
        raise Illegal(
            grid,
            f"{first} {starts} and {second} {OTHER[starts]} dice lie there, but {starts} started "
            "and the colours take turns",
            "PH-4",
        )
    if first + second == CELLS:
        return None
    return starts if first == second else OTHER[starts]


def left_in_hand(
    rolled: Sequence[int], grid: Grid, colour: Colour
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the pips of *colour* still to be placed, and the pips on the grid never rolled (PH-3).

    Both ascending. Raises Illegal if five dice were not rolled.
    """
    check_roll(rolled, colour)
    hand = Counter(rolled)
    placed = Counter(die.pips for die in grid if die is not None and die.colour == colour)
    return tuple(sorted((hand - placed).elements())), tuple(sorted((placed - hand).elements()))


def check_roll(rolled: Sequence[int], colour: Colour) -> None:
    """Raise Illegal unless *rolled* shows five dice of 1 to 6 pips (PH-3)."""
    if len(rolled) != HAND:
        raise Illegal(rolled, f"{colour} rolls five dice, not {len(rolled)}", "PH-3")
    if not all(1 <= pips <= 6 for pips in rolled):
        raise Illegal(rolled, "a die shows 1 to 6", "PH-3")


# ---------------------------------------------------------------- who starts, who wins


def starting_seat(pips: tuple[int, int]) -> int | None:
    """Return who starts, 0 or 1, by the higher die; None: roll again (PH-2, PH-A1)."""
    return None if pips[0] == pips[1] else int(pips[1] > pips[0])


def lowest_wins(variant: str, color_match_misere: bool = False) -> bool:
    """Say whether the aim is reversed (PH-8, PH-A8)."""
    return variant == "harder" or (variant == "color_match" and color_match_misere)


def fewest_win(house: House) -> bool:
    """Say whether the aim is reversed under these house rules (PH-8, PH-A8)."""
    return lowest_wins(house["variant"], house["color_match_misere"])


def solo_success(black: int, white: int, named: Colour, lowest: bool = False) -> bool:
    """Say whether the named colour has strictly more points, or fewer if the *lowest* wins.

    PH-10, PH-A9; the harder games turn the aim round alone too.
    """
    own, other = (black, white) if named == "black" else (white, black)
    return own < other if lowest else own > other


# ---------------------------------------------------------------- who may do what now

Phase = Literal["start", "choose", "name", "roll", "place", "full"]
Refused = tuple[str, str]  # the sentence and the rule

SETTLE: Refused = ("settle first who starts and who has black", "PH-2")
SETTLED: Refused = ("it is settled who starts", "PH-2")
CHOOSES: Refused = ("player {chooser} chooses a colour first", "PH-2")
CHOSEN: Refused = ("the colours are chosen", "PH-2")
LOWER: Refused = ("roll for the start first: the lower die chooses the colour", "PH-2")
NAME: Refused = ("name the colour that is to win first", "PH-2")
BEFORE: Refused = ("the dice are rolled before the first one is placed", "PH-3")
FULL: Refused = ("the round is over", "PH-4")
ALONE: Mapping[type, Refused] = {  # in every phase of a solo round
    StartRoll: ("a solo player does not roll for the start", "PH-10"),
    Agree: ("a solo player only names a colour", "PH-10"),
}
# What each phase refuses; it takes every other move.
REFUSES: Mapping[Phase, Mapping[type, Refused]] = {
    "start": {ChooseColour: LOWER, Roll: SETTLE, Place: SETTLE},
    "choose": {StartRoll: SETTLED, Agree: SETTLED, Roll: CHOOSES, Place: CHOOSES},
    "name": {Roll: NAME, Place: NAME},
    "roll": {StartRoll: SETTLED, Agree: SETTLED, ChooseColour: CHOSEN},
    "place": {StartRoll: SETTLED, Agree: SETTLED, ChooseColour: CHOSEN, Roll: BEFORE},
    "full": dict.fromkeys((StartRoll, Agree, ChooseColour, Roll, Place), FULL),
}


def phase(state: Round) -> Phase:
    """Return what the round waits for."""
    if state.black is None and state.named is None:
        if state.players == 1:
            return "name"
        return "start" if state.starter is None else "choose"
    if state.grid == EMPTY:
        return "roll"
    return "place" if None in state.grid else "full"


def waits_for(state: Round) -> str:
    """Return what is to be settled before dice can be placed, in words."""
    sentence, _ = REFUSES[phase(state)][Place]
    return sentence.format(chooser=chooser(state) + 1)


def _check_phase(state: Round, move: Move) -> None:
    refused = ALONE.get(type(move)) if state.players == 1 else None
    refused = refused or REFUSES[phase(state)].get(type(move))
    if refused:
        sentence, rule = refused
        raise Illegal(move, sentence.format(chooser=chooser(state) + 1), rule)


def ready(state: Round) -> bool:
    """Say whether colours are settled, so that dice can be rolled and placed."""
    return state.black is not None or state.named is not None


def chooser(state: Round) -> int:
    """Return the player who names or chooses a colour: who does not start."""
    return 0 if state.starter is None else 1 - state.starter


def may_place(state: Round) -> tuple[Colour, ...]:
    """Return the colours that may be placed now: one, or both before a free start (PH-4)."""
    if state.starts is not None:
        colour = to_place(state.grid, state.starts)
        return () if colour is None else (colour,)
    rule = state.house["solo_start"]
    if state.named is None or rule == "free":
        return COLOURS
    return (state.named,) if rule == "named" else (OTHER[state.named],)


def player_of(state: Round, colour: Colour) -> int:
    """Return who owns a colour; solo it is one player who places both."""
    if state.named is not None:
        return 0
    assert state.black is not None
    return state.black if colour == "black" else 1 - state.black


# ---------------------------------------------------------------- the contract, of one round


def start(players: int, settings: Mapping[str, object]) -> Round:
    """Return the empty grid of one or two players; raises NotAMove."""
    return Round(settle(SETTINGS, settings), players)


def legal_moves(state: Round) -> Iterator[Move]:
    """Yield every move `apply` takes, chance included: starting rolls, rolled hands, placements."""
    match phase(state):
        case "start":
            for a in range(1, 7):
                yield from (StartRoll((a, b)) for b in range(1, 7))
            yield from (Agree(starter, black) for starter in (0, 1) for black in (0, 1))
        case "choose" | "name":
            yield from map(ChooseColour, COLOURS)
        case "roll":
            for colour, hand in zip(COLOURS, state.hands, strict=True):
                if not hand:
                    for roll in combinations_with_replacement(range(1, 7), HAND):
                        yield Roll(colour, roll)  # type: ignore[arg-type]
            yield from _placements(state)
        case "place":
            yield from _placements(state)


def _placements(state: Round) -> Iterator[Place]:
    for colour in may_place(state):
        hand = state.hands[COLOURS.index(colour)]
        left = left_in_hand(hand, state.grid, colour)[0] if hand else tuple(range(1, 7))
        for cell, die in enumerate(state.grid):
            if die is None:
                for pips in sorted(set(left)):
                    yield Place(cell // 3, cell % 3, colour, pips)


def apply(state: Round, move: Move) -> Round:
    """Return the round after *move*; raise Illegal if the rules forbid it."""
    _check_phase(state, move)
    match move:
        case Place():
            return _place(state, move)
        case Roll():
            return _roll(state, move)
        case StartRoll():
            return _start_roll(state, move)
        case ChooseColour():
            return _choose(state, move)
        case Agree(starter, black):
            return seated(state, starter, black)


def _start_roll(state: Round, move: StartRoll) -> Round:
    if not all(1 <= pips <= 6 for pips in move.pips):
        raise Illegal(move, "a die shows 1 to 6", "PH-2")
    first = starting_seat(move.pips)
    return state if first is None else replace(state, starter=first)


def _choose(state: Round, move: ChooseColour) -> Round:
    if state.starter is None:
        return replace(state, named=move.colour)
    black = chooser(state) if move.colour == "black" else state.starter
    return seated(state, state.starter, black)


def seated(state: Round, starter: int | None, black: int) -> Round:
    """Return the round with its colours; who starts may be open until the first die (PH-2)."""
    starts: Colour | None = None
    if starter is not None:
        starts = "black" if starter == black else "white"
    return replace(state, starter=starter, black=black, starts=starts)


def _roll(state: Round, move: Roll) -> Round:
    mine = COLOURS.index(move.colour)
    if state.hands[mine]:
        shown = " ".join(map(str, state.hands[mine]))
        raise Illegal(move, f"{move.colour} has rolled {shown}; undo to change it", "PH-3")
    check_roll(move.pips, move.colour)
    hands = (move.pips, state.hands[1]) if mine == 0 else (state.hands[0], move.pips)
    return replace(state, hands=hands)


def _place(state: Round, move: Place) -> Round:
    if not (0 <= move.row < 3 and 0 <= move.column < 3):
        raise Illegal(move, "the grid has rows 1 to 3 and columns 1 to 3", "PH-4")
    if not 1 <= move.pips <= 6:
        raise Illegal(move, "a die shows 1 to 6", "PH-3")
    cell = 3 * move.row + move.column
    there = state.grid[cell]
    if there is not None:
        where = cell_said((move.row, move.column))
        raise Illegal(move, f"{where} already holds the {there.colour} {there.pips}", "PH-4")
    if move.colour not in may_place(state):
        raise Illegal(move, _not_your_turn(state, move.colour), "PH-4")
    die = Die(move.colour, move.pips)
    hand = state.hands[COLOURS.index(move.colour)]
    if hand and state.grid.count(die) >= hand.count(move.pips):
        shown = " ".join(map(str, hand))
        gone = "has placed every" if move.pips in hand else "did not roll a"
        raise Illegal(move, f"{move.colour} {gone} {move.pips}: the roll was {shown}", "PH-3")
    starter = state.starter
    if starter is None and state.black is not None:  # a free start: the first die tells
        starter = player_of(state, move.colour)
    return Round(
        state.house,
        state.players,
        starter,
        state.black,
        state.named,
        state.starts or move.colour,
        state.hands,
        (*state.grid[:cell], die, *state.grid[cell + 1 :]),
    )


def _not_your_turn(state: Round, colour: Colour) -> str:
    due = may_place(state)[0]
    if state.grid == EMPTY:
        return f"{due} starts this round, so the first die is {due}, not {colour}"
    return f"the colours take turns: the next die is {due}, not {colour}"


def is_over(state: Round) -> bool:
    """Say whether the nine cells are full (PH-4)."""
    return None not in state.grid


def score(state: Round) -> tuple[int, ...]:
    """Return each player's points on the completed lines; solo those of the named colour."""
    if not ready(state):
        return (0,) * state.players
    by_colour = points(state.grid, state.house["variant"], state.house["color_match_owner"])
    if state.named is not None:
        return (by_colour[COLOURS.index(state.named)],)
    return by_colour if state.black == 0 else by_colour[::-1]


def result(state: Round) -> Result | None:
    """Return who has won the round and why, None while the grid fills."""
    if not is_over(state):
        return None
    if state.named is not None:
        return _solo_result(state, state.named)
    first, second = score(state)
    if first == second:
        level = f"player 1 and player 2 are level with {first} points"
        return Result((0, 1), f"{level}: a draw", draw=True)
    lowest = fewest_win(state.house)
    winner = int((second > first) != lowest)
    best, other = (first, second) if winner == 0 else (second, first)
    aim = "the fewest points win" if lowest else "the most points win"
    return Result((winner,), f"player {winner + 1} wins {best} to {other}: {aim}")


def _solo_result(state: Round, named: Colour) -> Result:
    black, white = points(state.grid, state.house["variant"], state.house["color_match_owner"])
    own, other = (black, white) if named == "black" else (white, black)
    tally = f"{named} has {own} point{'' if own == 1 else 's'} against {other}"
    lowest = fewest_win(state.house)
    if solo_success(black, white, named, lowest):
        return Result((0,), f"{tally}: you did it")
    better = "fewer" if lowest else "more"
    missed = "level is not enough" if black == white else f"{OTHER[named]} has {better}"
    return Result((), f"{tally}: {missed}")
