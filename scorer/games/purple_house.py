"""The Original Purple House Even & Odd Dice Game: five black and five white dice on a 3x3 grid.

Black owns the odd lines, white the even ones: three rows, three columns, two diagonals. Rule ids
are those of RULES.md. The rule text is silent on some points; we rule that

* equal starting rolls are rolled again (PH-A1);
* a 4-4 in a single round is a draw, or is played again (PH-A2, `single_round_tie`);
* a race that ends level, 52-52, goes on for a round, or is a draw (PH-A3, `race_tie`);
* players keep their colours and only the start alternates (PH-A4, `colours_between_rounds`); a
  table that does not keep count of the start may leave it free (`later_starts`);
* dice that fell badly are re-rolled before the first placement, so a roll is entered once (PH-A5);
* in a tournament (PH-7, PH-A6) the winner of each table moves on to the next table and the loser
  stays; the odd player out scores nothing, or where the fewest points win what a round brings on
  average (`bye_points`), and the loser with the fewest byes sits out next. A level round counts
  once and is then played again, uncounted, until somebody moves on. Most points win; level totals
  share the place. What is turned round in the harder game is turned round here;
* one-colour lines pay by parity (PH-A7) and towards 25, the aim not reversed (PH-A8);
* solo, any colour may start and a level score is no success (PH-A9); where the fewest points win
  the named colour wants fewer;
* lines are told while the grid fills, but count only when it is full (PH-A10).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations_with_replacement
from typing import Literal

from scorer import table as seen
from scorer.board import Board
from scorer.game import (
    Because,
    Difference,
    Doubt,
    Equipment,
    Game,
    House,
    Illegal,
    Instead,
    Proposal,
    Result,
    Setting,
    Spot,
    check_seats,
    settle,
)
from scorer.grids import Placed, cell_said, changed, index_of, misplaced, placed, seen_before
from scorer.one_photo import Facts, NotScored, OnePhoto, Scored, moves_of
from scorer.printed import grid
from scorer.repair import Seen, Story, dice_doubts, dice_options, in_words, stories

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
TARGETS = {"base": 50, "harder": 50, "color_match": 25}
# What a round brings on average where the fewest points win: half of the eight lines, and of the
# one-colour lines of a full grid 168/126 in two shares (FACTS, "Colour-match"), rounded.
FAIR_BYES = {"harder": 4, "color_match": 1}
TITLE = "Purple House Even & Odd"
SOLO, TWO, MANY = range(1, 2), range(2, 3), range(3, 65)  # players: alone, a race, a tournament
SEATS = range(1, 65)


def _bye(value: object) -> int:
    if type(value) is not int or not 0 <= value <= 8:
        raise ValueError("sitting out brings 0 to 8 points, or usual")
    return value


def _target(value: object) -> int:
    if type(value) is not int or not 1 <= value <= 1000:
        raise ValueError("the target is a whole number from 1 to 1000, or usual")
    return value


SETTINGS = (
    Setting(
        "variant",
        "Which game you play",
        "base",
        {
            "base": "Even & Odd: every line counts, the most points win",
            "harder": "A harder game: every line counts, the fewest points win",
            "color_match": "An even harder game: only lines of one colour count",
        },
        "PH-5",
    ),
    Setting(
        "match",
        "How long two players play",
        "race",
        {
            "race": "Rounds until somebody reaches the target",
            "single": "One round",
        },
        "PH-6",
        seats=TWO,
    ),
    Setting(
        "target",
        "Points that end the race; the round is always finished",
        "usual",
        {
            "usual": "50, or 25 in the even harder game",
            25: "25 points",
            50: "50 points",
            100: "100 points",
        },
        "PH-6",
        read=_target,
        only_if=("match", ("race",)),
        example="75",
        seats=TWO,
    ),
    Setting(
        "race_tie",
        "When a race ends level",
        "extra_round",
        {"extra_round": "Play another round", "draw": "It is a draw"},
        "PH-A3",
        only_if=("match", ("race",)),
        seats=TWO,
    ),
    Setting(
        "single_round_tie",
        "When a single round ends level",
        "draw",
        {"draw": "It is a draw", "replay": "Play it again"},
        "PH-A2",
        only_if=("match", ("single",)),
        seats=TWO,
    ),
    Setting(
        "colours_between_rounds",
        "Colours from round to round",
        "keep",
        {
            "keep": "Everybody keeps the colour",
            "swap": "Players swap colours after each round",
            "choose_again": "Whoever does not start chooses anew",
        },
        "PH-A4",
        seats=range(2, 65),
    ),
    Setting(
        "later_starts",
        "Who starts the rounds after the first",
        "alternate",
        {
            "alternate": "The players take turns at starting",
            "free": "Whoever puts the first die down",
        },
        "PH-2",
        seats=range(2, 65),
    ),
    Setting(
        "color_match_owner",
        "Even harder game: who gets a one-colour line",
        "parity",
        {
            "parity": "Odd sums are black's, even sums white's, whatever the dice's colour",
            "own_colour_only": "Only the player of that colour, and only with the right parity",
        },
        "PH-A7",
        only_if=("variant", ("color_match",)),
    ),
    Setting(
        "color_match_misere",
        "Even harder game: reversed aim",
        False,
        {False: "The most points win", True: "The fewest points win"},
        "PH-A8",
        only_if=("variant", ("color_match",)),
    ),
    Setting(
        "tournament_rounds",
        "Tournament: rounds to play",
        4,
        range(1, 51),
        "PH-7",
        seats=MANY,
    ),
    Setting(
        "tournament_tied_round",
        "Tournament: when a round ends level",
        "replay",
        {
            "replay": "It counts, and a replay that does not count decides who moves on",
            "second_moves": "It counts, and the player who did not start moves on",
        },
        "PH-A6",
        seats=MANY,
    ),
    Setting(
        "bye_points",
        "Tournament: points for sitting out, with an odd number of players",
        "usual",
        {
            "usual": "Nothing; where the fewest points win what a round brings on average:"
            " 4, or 1 in the even harder game",
            0: "Nothing",
        },
        "PH-A6",
        read=_bye,
        example="4",
        seats=MANY,
    ),
    Setting(
        "tournament_tie",
        "Tournament: when the best totals are level",
        "shared",
        {"shared": "The place is shared", "extra_round": "Everybody plays another round"},
        "PH-A6",
        seats=MANY,
    ),
    Setting(
        "solo_start",
        "Solo: which colour is placed first",
        "free",
        {
            "free": "Either",
            "named": "The colour you named",
            "other": "The colour you did not name",
        },
        "PH-A9",
        seats=SOLO,
    ),
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
    """One grid being filled: who sits at it, who started, which dice were rolled."""

    number: int  # 1, 2, 3 …; a replay keeps its number
    seats: tuple[int, ...]  # one (solo) or two
    starter: int | None = None  # seat
    black: int | None = None  # seat that owns odd; solo: nobody does
    named: Colour | None = None  # solo: the colour that is to win
    starts: Colour | None = None  # colour placed first, None until it is known
    hands: tuple[tuple[int, ...], tuple[int, ...]] = ((), ())  # black, white; () is not known
    grid: Grid = EMPTY
    counts: bool = True  # False: a replay that only decides who moves on


@dataclass(frozen=True, slots=True)
class State:
    """Everything the rules need: the tables in play, the rounds played, the totals."""

    house: House
    tables: tuple[Round, ...]
    done: tuple[Round, ...] = ()
    totals: tuple[int, ...] = ()
    sat_out: tuple[int, ...] = ()  # tournament, odd number: who sits out in round 1, 2, …, now


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


def starter_of_round(first: int, number: int) -> int:
    """Return who starts round *number* (from 1) of two players when *first* started (PH-2)."""
    return first if number % 2 else 1 - first


def lowest_wins(variant: str, color_match_misere: bool = False) -> bool:
    """Say whether the aim is reversed (PH-8, PH-A8)."""
    return variant == "harder" or (variant == "color_match" and color_match_misere)


def leaders(totals: Sequence[int], lowest: bool = False) -> tuple[int, ...]:
    """Return the places of the best total: the highest, or the *lowest*."""
    best = min(totals) if lowest else max(totals)
    return tuple(place for place, total in enumerate(totals) if total == best)


def race_over(
    totals: Sequence[int], target: int, lowest: bool = False, race_tie: str = "extra_round"
) -> bool:
    """Say whether a race ends after the rounds so far (PH-6, PH-8, PH-A3)."""
    if max(totals) < target:
        return False
    return race_tie == "draw" or len(leaders(totals, lowest)) == 1


def solo_success(black: int, white: int, named: Colour, lowest: bool = False) -> bool:
    """Say whether the named colour has strictly more points, or fewer if the *lowest* wins.

    PH-10, PH-A9; the harder games turn the aim round alone too.
    """
    own, other = (black, white) if named == "black" else (white, black)
    return own < other if lowest else own > other


# ---------------------------------------------------------------- the contract


def start(seats: int, settings: Mapping[str, object]) -> State:
    """Return the state before the first round: 1 player solo, 2 a race or round, more a tournament.

    Raises NotAMove on a number of players or a setting the game does not have.
    """
    house = settle(SETTINGS, settings)
    check_seats(TITLE, SEATS, seats)
    pairs = [tuple(range(seat, min(seat + 2, seats))) for seat in range(0, seats, 2)]
    sat_out = pairs.pop() if seats > 2 and seats % 2 else ()
    tables = tuple(Round(1, pair) for pair in pairs)
    return State(house, tables, totals=(0,) * seats, sat_out=sat_out)


def legal_moves(state: State) -> Iterator[Move]:
    """Yield every move `apply` takes, chance included: starting rolls, rolled hands, placements."""
    if is_over(state):
        return
    for index, table in enumerate(state.tables):
        if _full(table):
            continue
        if not _ready(table):
            yield from _opening(table, index)
            continue
        if table.grid == EMPTY:
            for colour, hand in zip(COLOURS, table.hands, strict=True):
                if not hand:
                    for roll in combinations_with_replacement(range(1, 7), HAND):
                        yield Roll(colour, roll, index)  # type: ignore[arg-type]
        for colour in _may_place(state, table):
            hand = table.hands[COLOURS.index(colour)]
            left = left_in_hand(hand, table.grid, colour)[0] if hand else tuple(range(1, 7))
            for cell, die in enumerate(table.grid):
                if die is None:
                    for pips in sorted(set(left)):
                        yield Place(cell // 3, cell % 3, colour, pips, index)


def _opening(table: Round, index: int) -> Iterator[Move]:
    if len(table.seats) == 1 or table.starter is not None:
        yield from (ChooseColour(colour, index) for colour in COLOURS)
        return
    for a in range(1, 7):
        yield from (StartRoll((a, b), index) for b in range(1, 7))
    for starter in table.seats:
        yield from (Agree(starter, black, index) for black in table.seats)


def apply(state: State, move: Move) -> State:
    """Return the state after *move*; raise Illegal if the rules forbid it."""
    if is_over(state):
        raise Illegal(move, "the game is over", "PH-6")
    if not 0 <= move.table < len(state.tables):
        raise Illegal(move, f"there is no table {move.table + 1}", "PH-7")
    table = state.tables[move.table]
    if _full(table):
        raise Illegal(move, "this table has finished its round and waits for the others", "PH-7")
    match move:
        case Place():
            table = _place(state, table, move)
        case Roll():
            table = _roll(table, move)
        case StartRoll():
            table = _start_roll(table, move)
        case ChooseColour():
            table = _choose(table, move)
        case Agree():
            table = _agree(table, move)
    tables = (*state.tables[: move.table], table, *state.tables[move.table + 1 :])
    if _full(table):
        return _finish(state, tables, move.table)
    return State(state.house, tables, state.done, state.totals, state.sat_out)


def _start_roll(table: Round, move: StartRoll) -> Round:
    if len(table.seats) == 1:
        raise Illegal(move, "a solo player does not roll for the start", "PH-10")
    if table.starter is not None or _ready(table):
        raise Illegal(move, "it is settled who starts", "PH-2")
    if not all(1 <= pips <= 6 for pips in move.pips):
        raise Illegal(move, "a die shows 1 to 6", "PH-2")
    first = starting_seat(move.pips)
    return table if first is None else replace(table, starter=table.seats[first])


def _choose(table: Round, move: ChooseColour) -> Round:
    if _ready(table):
        raise Illegal(move, "the colours are chosen", "PH-2")
    if len(table.seats) == 1:
        return replace(table, named=move.colour)
    if table.starter is None:
        raise Illegal(move, "roll for the start first: the lower die chooses the colour", "PH-2")
    chooser = _partner(table, table.starter)
    black = chooser if move.colour == "black" else table.starter
    return _seated(table, table.starter, black)


def _agree(table: Round, move: Agree) -> Round:
    if len(table.seats) == 1:
        raise Illegal(move, "a solo player only names a colour", "PH-10")
    if table.starter is not None or _ready(table):
        raise Illegal(move, "it is settled who starts", "PH-2")
    for seat in (move.starter, move.black):
        if seat not in table.seats:
            raise Illegal(move, f"player {seat + 1} does not sit at this table", "PH-2")
    return _seated(table, move.starter, move.black)


def _seated(table: Round, starter: int | None, black: int) -> Round:
    starts: Colour | None = None
    if starter is not None:
        starts = "black" if starter == black else "white"
    return replace(table, starter=starter, black=black, starts=starts)


def _roll(table: Round, move: Roll) -> Round:
    if not _ready(table):
        raise Illegal(move, _not_ready(table), "PH-2")
    if table.grid != EMPTY:
        raise Illegal(move, "the dice are rolled before the first one is placed", "PH-3")
    mine = COLOURS.index(move.colour)
    if table.hands[mine]:
        shown = " ".join(map(str, table.hands[mine]))
        raise Illegal(move, f"{move.colour} has rolled {shown}; undo to change it", "PH-3")
    check_roll(move.pips, move.colour)
    hands = (move.pips, table.hands[1]) if mine == 0 else (table.hands[0], move.pips)
    return replace(table, hands=hands)


def _place(state: State, table: Round, move: Place) -> Round:
    if not _ready(table):
        raise Illegal(move, _not_ready(table), "PH-2")
    if not (0 <= move.row < 3 and 0 <= move.column < 3):
        raise Illegal(move, "the grid has rows 1 to 3 and columns 1 to 3", "PH-4")
    if not 1 <= move.pips <= 6:
        raise Illegal(move, "a die shows 1 to 6", "PH-3")
    cell = 3 * move.row + move.column
    there = table.grid[cell]
    if there is not None:
        raise Illegal(move, f"{_cell(cell)} already holds the {there.colour} {there.pips}", "PH-4")
    if move.colour not in _may_place(state, table):
        raise Illegal(move, _not_your_turn(state, table, move.colour), "PH-4")
    die = Die(move.colour, move.pips)
    hand = table.hands[COLOURS.index(move.colour)]
    if hand and table.grid.count(die) >= hand.count(move.pips):
        shown = " ".join(map(str, hand))
        gone = "has placed every" if move.pips in hand else "did not roll a"
        raise Illegal(move, f"{move.colour} {gone} {move.pips}: the roll was {shown}", "PH-3")
    grid = (*table.grid[:cell], die, *table.grid[cell + 1 :])
    starter = table.starter
    if starter is None and table.black is not None:  # a free start: the first die tells
        starter = table.black if move.colour == "black" else _partner(table, table.black)
    return Round(
        table.number,
        table.seats,
        starter,
        table.black,
        table.named,
        table.starts or move.colour,
        table.hands,
        grid,
        table.counts,
    )


def _may_place(state: State, table: Round) -> tuple[Colour, ...]:
    """Return the colours that may be placed now: one, or both before a free start."""
    if table.starts is not None:
        colour = to_place(table.grid, table.starts)
        return () if colour is None else (colour,)
    rule = state.house["solo_start"]
    if table.named is None or rule == "free":
        return COLOURS
    return (table.named,) if rule == "named" else (OTHER[table.named],)


def _not_your_turn(state: State, table: Round, colour: Colour) -> str:
    lying = sum(die is not None for die in table.grid)
    due = _may_place(state, table)[0]
    if not lying:
        return f"{due} starts this round, so the first die is {due}, not {colour}"
    return f"the colours take turns: the next die is {due}, not {colour}"


def _not_ready(table: Round) -> str:
    if len(table.seats) == 1:
        return "name the colour that is to win first"
    if table.starter is None:
        return "settle first who starts and who has black"
    return f"player {_partner(table, table.starter) + 1} chooses a colour first"


def _ready(table: Round) -> bool:
    """Say whether colours are settled, so that dice can be rolled and placed."""
    return table.black is not None or table.named is not None


def _full(table: Round) -> bool:
    return None not in table.grid


def _partner(table: Round, seat: int) -> int:
    return table.seats[1] if seat == table.seats[0] else table.seats[0]


# ---------------------------------------------------------------- from round to round


def _finish(state: State, tables: tuple[Round, ...], index: int) -> State:
    """Count the round that has just been filled and set up what follows."""
    table = tables[index]
    tied = len(_best_of_table(state, table)) > 1
    if tied and _again_if_level(state):
        table = replace(table, counts=False)
    state = replace(
        state,
        tables=(*tables[:index], table, *tables[index + 1 :]),
        done=(*state.done, table),
        totals=_plus(state.totals, _points_by_seat(state, table)) if table.counts else state.totals,
    )
    if not _tournament(state):
        following = None if is_over(state) else _next_round(state, table)
    elif tied and state.house["tournament_tied_round"] == "replay":
        following = replace(_next_round(state, table), number=table.number, counts=False)
    else:
        return _end_tournament_round(state) if all(map(_full, state.tables)) else state
    if following is None:
        return state
    return replace(state, tables=(*state.tables[:index], following, *state.tables[index + 1 :]))


def _again_if_level(state: State) -> bool:
    """Say whether a level round does not count: only where one round is the match (PH-A2)."""
    return _single(state) and state.house["single_round_tie"] == "replay"


def _plus(totals: tuple[int, ...], gained: tuple[tuple[int, int], ...]) -> tuple[int, ...]:
    more = dict(gained)
    return tuple(total + more.get(seat, 0) for seat, total in enumerate(totals))


def _points_by_seat(state: State, table: Round) -> tuple[tuple[int, int], ...]:
    """Return (seat, points) of a filled grid; solo the points of the named colour."""
    black, white = points(table.grid, state.house["variant"], state.house["color_match_owner"])
    if table.named is not None:
        return ((table.seats[0], black if table.named == "black" else white),)
    return ((_seat(table, "black"), black), (_seat(table, "white"), white))


def _best_of_table(state: State, table: Round) -> tuple[int, ...]:
    gained = _points_by_seat(state, table)
    return tuple(gained[place][0] for place in leaders([p for _, p in gained], _lowest(state)))


def _next_round(state: State, table: Round) -> Round:
    """Return the empty grid of the same two players: the start alternates, colours as agreed."""
    assert table.starter is not None
    assert table.black is not None
    fresh = Round(table.number + 1, table.seats)
    following = _partner(table, table.starter)
    starter = None if state.house["later_starts"] == "free" else following
    match state.house["colours_between_rounds"]:
        case "keep":
            return _seated(fresh, starter, table.black)
        case "swap":
            return _seated(fresh, starter, _partner(table, table.black))
        case _:  # whoever does not start chooses, so here somebody must start
            return replace(fresh, starter=following)


def _end_tournament_round(state: State) -> State:
    """Pay the bye; seat the next round, winners one table on, unless that was the last (PH-7)."""
    number = state.tables[0].number
    bye = ((state.sat_out[-1], _bye_points(state)),) if state.sat_out else ()
    state = replace(state, totals=_plus(state.totals, bye))
    level = len(leaders(state.totals, _lowest(state))) > 1
    if number >= state.house["tournament_rounds"] and not (
        level and state.house["tournament_tie"] == "extra_round"
    ):
        return state
    movers = [_mover(state, table) for table in state.tables]
    stay = [_partner(t, mover) for t, mover in zip(state.tables, movers, strict=True)]
    sat_out = state.sat_out
    if sat_out:
        last_first = range(len(stay) - 1, -1, -1)
        place = min(last_first, key=lambda place: sat_out.count(stay[place]))
        sat_out, stay[place] = (*sat_out, stay[place]), sat_out[-1]
    pairs = zip(movers[-1:] + movers[:-1], stay, strict=True)
    tables = tuple(Round(number + 1, pair) for pair in pairs)
    return State(state.house, tables, state.done, state.totals, sat_out)


def _bye_points(state: State) -> int:
    """Return what sitting out brings: where the fewest points win, nothing would be the most."""
    points: int | str = state.house["bye_points"]
    if isinstance(points, int):
        return points
    return FAIR_BYES[state.house["variant"]] if _lowest(state) else 0


def _mover(state: State, table: Round) -> int:
    """Return who moves on: the winner, or after a level round whoever did not start."""
    best = _best_of_table(state, table)
    assert table.starter is not None
    return best[0] if len(best) == 1 else _partner(table, table.starter)


def _tournament(state: State) -> bool:
    return len(state.totals) > 2


def _single(state: State) -> bool:
    return len(state.totals) == 2 and bool(state.house["match"] == "single")


def _lowest(state: State) -> bool:
    return lowest_wins(state.house["variant"], state.house["color_match_misere"])


def score(state: State) -> tuple[int, ...]:
    """Return each seat's total over the rounds that count; solo the points of the named colour."""
    return state.totals


def target(state: State) -> int | None:
    """Return the points that end a race, None where nothing is raced to (PH-6, PH-9)."""
    if len(state.totals) != 2 or _single(state):
        return None
    wanted = state.house["target"]
    return TARGETS[state.house["variant"]] if wanted == "usual" else wanted


def is_over(state: State) -> bool:
    """Say whether the match has ended."""
    if not state.done:
        return False
    goal = target(state)
    if goal is not None:
        return race_over(state.totals, goal, _lowest(state), state.house["race_tie"])
    if _tournament(state):
        return all(map(_full, state.tables))
    return any(table.counts for table in state.done)


def result(state: State) -> Result | None:
    """Return who won and why, None while the match goes on."""
    if not is_over(state):
        return None
    if len(state.totals) == 1:
        return _solo_result(state)
    lowest, goal = _lowest(state), target(state)
    best = leaders(state.totals, lowest)
    tally = " to ".join(map(str, sorted(state.totals, reverse=not lowest)))
    rounds = state.tables[0].number
    if len(best) == 1:
        ended = f"somebody has {goal} after round {rounds}, and " if goal else ""
        aim = "the fewest points win" if lowest else "the most points win"
        return Result(best, f"player {best[0] + 1} wins {tally}: {ended}{aim}")
    sharers = " and ".join(f"player {seat + 1}" for seat in best)
    level = f"{sharers} are level with {state.totals[best[0]]} points"
    if _tournament(state):
        return Result(best, f"{level}: a shared win")
    return Result(best, f"{level}: a draw", draw=True)


def _solo_result(state: State) -> Result:
    table = state.done[-1]
    assert table.named is not None
    black, white = points(table.grid, state.house["variant"], state.house["color_match_owner"])
    named, other = (black, white) if table.named == "black" else (white, black)
    tally = f"{table.named} has {named} point{'' if named == 1 else 's'} against {other}"
    if solo_success(black, white, table.named, _lowest(state)):
        return Result((0,), f"{tally}: you did it")
    better = "fewer" if _lowest(state) else "more"
    missed = "level is not enough" if black == white else f"{OTHER[table.named]} has {better}"
    return Result((), f"{tally}: {missed}")


# ---------------------------------------------------------------- in words


def explain(state: State) -> tuple[Because, ...]:
    """Return each line of each round with its sum and owner, rounds in order, the open one last."""
    entries = [entry for table in state.done for entry in _lines(state, table, done=True)]
    entries += [
        Because(seat, _bye_points(state), f"round {number}", "sits out", "PH-A6")
        for number, seat in enumerate(state.sat_out, start=1)
        if number < state.tables[0].number or all(map(_full, state.tables))
    ]
    for table in state.tables:
        if not _full(table) and table.grid != EMPTY:
            entries += _lines(state, table, done=False)
    return tuple(entries)


def _lines(state: State, table: Round, done: bool) -> Iterator[Because]:
    """Yield the complete lines of a grid; they pay only if the round is done and counts."""
    variant = state.house["variant"]
    owned = owners(table.grid, variant, state.house["color_match_owner"])
    for (name, cells), whose in zip(LINES, owned, strict=True):
        dice = [die for cell in cells if (die := table.grid[cell]) is not None]
        if len(dice) < 3:
            continue
        total = sum(die.pips for die in dice)
        text = f"{name}: {' + '.join(str(die.pips) for die in dice)} = {total}"
        text += f", {'odd' if total % 2 else 'even'}: {whose}" if whose else ", nobody's"
        seat = _paid(table, whose) if done and table.counts else None
        yield Because(
            seat,
            int(seat is not None),
            _heading(state, table, done),
            text,
            "PH-9" if variant == "color_match" else "PH-5",
            tuple((cell // 3, cell % 3) for cell in cells),
        )


def _paid(table: Round, whose: Colour | None) -> int | None:
    if table.named is not None:
        return table.seats[0] if whose == table.named else None
    return None if whose is None else _seat(table, whose)


def _heading(state: State, table: Round, done: bool) -> str:
    text = f"round {table.number}"
    if len(state.tables) > 1:
        text += ", " + " and ".join(f"player {seat + 1}" for seat in table.seats)
    if not table.counts:
        return text + (", level and played again" if _single(state) else ", replay (not counted)")
    return text if done else text + " so far"


def _seat(table: Round, colour: Colour) -> int:
    assert table.black is not None
    return table.black if colour == "black" else _partner(table, table.black)


def draw(state: State) -> tuple[str, ...]:
    """Return the grid of each table: b is black, w is white."""
    return tuple(
        _drawn(state, place, table) for place, table in enumerate(state.tables, 1) if _ready(table)
    )


def _drawn(state: State, place: int, table: Round) -> str:
    where = f"table {place}, " if len(state.tables) > 1 else ""
    lines = [f"{where}round {table.number}: b4 is a black 4", "column    1    2    3"]
    for row in range(3):
        dice = [table.grid[3 * row + column] for column in range(3)]
        cells = [f"{die.colour[0]}{die.pips}" if die else "." for die in dice]
        lines.append(f"row {row + 1}     {''.join(f'{cell:5}' for cell in cells)}".rstrip())
    for colour, hand in zip(COLOURS, table.hands, strict=True):
        if hand and (left := left_in_hand(hand, table.grid, colour)[0]):
            lines.append(f"{colour} in hand: {' '.join(map(str, left))}")
    return "\n".join(lines)


def prompt(state: State) -> str:
    """Return what is to be done next, in one sentence; a tournament's tables one after another."""
    ended = result(state)
    if ended is not None:
        return ended.why
    return "; ".join(
        ("" if len(state.tables) == 1 else f"table {place}: ") + _prompt(state, table)
        for place, table in enumerate(state.tables, start=1)
        if not _full(table)
    )


def _prompt(state: State, table: Round) -> str:
    title = f"round {table.number}: "
    if len(table.seats) == 1:
        title = ""
    if not _ready(table):
        if len(table.seats) == 1:
            return "name the colour that is to win"
        if table.starter is None:
            a, b = (seat + 1 for seat in table.seats)
            return f"{title}player {a} and player {b} roll one die each for the start"
        return f"{title}player {_partner(table, table.starter) + 1} chooses a colour"
    lying = sum(die is not None for die in table.grid)
    colours = _may_place(state, table)
    who = " or ".join(
        colour if table.named else f"player {_seat(table, colour) + 1} ({colour})"
        for colour in colours
    )
    if not lying:
        return f"{title}{who} starts; photograph the grid when all nine cells are full"
    return f"{title}{lying} of 9 dice lie on the grid, {who} is next"


def describe(state: State, move: Move) -> str:
    """Return *move*, made in *state*, in words; a tournament's table is named first."""
    where = f"table {move.table + 1}: " if len(state.tables) > 1 else ""
    return where + _described(state.tables[move.table], move)


def _described(table: Round, move: Move) -> str:
    match move:
        case Place(row, column, colour, pips):
            return f"{colour} {pips} on {_cell(3 * row + column)}"
        case Roll(colour, pips):
            return f"{colour} rolls {' '.join(map(str, pips))}"
        case StartRoll((a, b)):
            first, second = (seat + 1 for seat in table.seats)
            return f"player {first} rolls {a} and player {second} rolls {b} for the start"
        case ChooseColour(colour):
            chooser = table.seats[0] if table.starter is None else _partner(table, table.starter)
            return f"player {chooser + 1} {'names' if len(table.seats) == 1 else 'takes'} {colour}"
        case Agree(starter, black):
            return f"player {starter + 1} starts, player {black + 1} has black"


def to_move(state: State) -> tuple[int, ...]:
    """Return the seats that may act now; both players before the start is settled."""
    if is_over(state):
        return ()
    seats: list[int] = []
    for table in state.tables:
        if _full(table):
            continue
        if len(table.seats) == 1 or (table.starter is None and not _ready(table)):
            seats += table.seats
        elif not _ready(table):
            seats.append(_partner(table, table.starter))  # type: ignore[arg-type]
        else:
            seats += [_seat(table, colour) for colour in _may_place(state, table)]
    return tuple(seats)


def instead(state: State) -> tuple[Instead, ...]:
    """Return who else may have started or had black in the first round, while it is open (PH-2)."""
    found: list[Instead] = []
    for index, table in enumerate(state.tables):
        starter, black = table.starter, table.black
        if table.number > 1 or _full(table) or starter is None or black is None:
            continue
        other, others = _partner(table, starter), _partner(table, black)
        found.append(Instead(f"did player {other + 1} start?", Agree(other, black, index)))
        found.append(Instead(f"did player {others + 1} have black?", Agree(starter, others, index)))
    return tuple(found)


def _cell(cell: int) -> str:
    return cell_said(divmod(cell, 3))


# ---------------------------------------------------------------- what the camera saw


def boards(_house: House) -> tuple[Board, ...]:
    """Return the grid on which the dice are placed."""
    return (grid("grid:3x3", TITLE, 3, 3, first_marker=0),)


def equipment(state: State) -> Equipment:
    """Return the grid with nine dice, five of one colour and four of the other."""
    spots = []
    for place, table in enumerate(state.tables, start=1):
        who = " and ".join(f"player {seat + 1}" for seat in table.seats)
        dice = tuple(
            seen.Die(die.pips, die.colour, (cell // 3, cell % 3))
            for cell, die in enumerate(table.grid)
            if die is not None and not _full(table)
        )
        spots.append(Spot(f"table {place}: {who}", seen.Table(dice, spot=place - 1)))
    hands = {"black": HAND, "white": HAND}
    return Equipment("grid:3x3", CELLS, hands, spots=tuple(spots), stays=True)


def observe(state: State, table: seen.Table) -> Proposal:
    """Return the placements that lead from the known grid to the one seen.

    The likeliest reading that the rules allow is proposed. Where that is not the likeliest of all,
    each die read otherwise carries a doubt; where no reading is possible, the differences say why.
    """
    if is_over(state):
        return Proposal.differs("the game is over", "PH-6")
    if not 0 <= table.spot < len(state.tables):
        return Proposal.differs(f"there is no table {table.spot + 1}", "PH-7")
    known = state.tables[table.spot]
    if _full(known):
        text = "this table has finished its round and waits for the others"
        return Proposal.differs(text, "PH-7")
    if not _ready(known):
        return Proposal.differs(_not_ready(known), "PH-2")
    if problems := _misplaced(table):
        return Proposal(differences=problems)
    held = _cells(known.grid)
    on_grid, turned = placed(table, held, COLOURS)
    if problems := tuple(changed(held, on_grid, COLOURS, "PH-3", "PH-4")):
        return Proposal(differences=problems)
    beside = [(i, die) for i, die in enumerate(table.dice) if die.cell is None]
    told = _told(state, known, on_grid, beside)
    unlike = len(table.dice) == 2 * HAND and not told
    told = told or _told(state, known, on_grid, ())
    if not told:
        looks = [(_colour(die.colour), die.value) for _, die in on_grid]
        pairs = zip(known.grid, _grid(on_grid, looks), strict=True)
        faults = _faults(state, known, tuple(there or now for there, now in pairs))
        return Proposal(differences=tuple(Difference(f.reason, f.rule) for f in faults))
    grid = told[0].meaning
    doubts = list(_dice_asked(held, [*on_grid, *beside], told))
    doubts += [_not_left(beside, known, grid)] if unlike else []
    doubts += [Doubt(SIDES)] if turned else []
    doubts += _seen_before(state, table.spot, grid)
    moves = _placements(state, known, grid, table.spot)
    return Proposal(moves, (*doubts, *_still_open(grid, moves)))


SIDES = "the photo is taken from another side of the table: the dice are turned to fit"


def _told(state: State, known: Round, on_grid: Placed, beside: Placed) -> list[Story[Seen, Grid]]:
    """Return the likeliest grids the rules allow; ten dice must be the two hands (PH-1, PH-3)."""
    if len(on_grid) + len(beside) < 2 * HAND:
        beside = ()

    def grids(read: Sequence[Seen]) -> list[Grid]:
        grid = _grid(on_grid, read)
        kept = all(a is None or a == b for a, b in zip(known.grid, grid, strict=True))
        left = not beside or _is_left(known.hands, grid, read[len(on_grid) :])
        return [grid] if kept and left and not _faults(state, known, grid) else []

    return stories(dice_options((die for _, die in (*on_grid, *beside)), COLOURS), grids)


def _grid(on_grid: Placed, read: Sequence[Seen]) -> Grid:
    grid: list[Die | None] = [None] * CELLS
    for (_, die), (colour, pips) in zip(on_grid, read, strict=False):
        grid[index_of(die)] = Die(_colour(colour), pips)
    return tuple(grid)


def _is_left(
    hands: tuple[tuple[int, ...], tuple[int, ...]], grid: Grid, beside: Sequence[Seen]
) -> bool:
    """Say whether the dice beside the grid are what is left of the two hands."""
    for colour, hand in zip(COLOURS, hands, strict=True):
        lying = [die.pips for die in grid if die is not None and die.colour == colour]
        lying += [pips for other, pips in beside if other == colour]
        if len(lying) != HAND or (hand and tuple(sorted(lying)) != hand):
            return False
    return True


def _not_left(beside: Placed, known: Round, grid: Grid) -> Doubt:
    i, die = beside[-1]
    text = f"the {die.colour} {die.value} beside the grid is not what is left of the dice"
    left = [
        in_words((colour, pips))
        for colour, hand in zip(COLOURS, known.hands, strict=True)
        for pips in (left_in_hand(hand, grid, colour)[0] if hand else ())
    ]
    hint = f"; left is {' and '.join(left)}" if left else ""
    return Doubt(f"{text}{hint}: is a die misread?", ("dice", i))


def _where(die: seen.Die) -> str:
    return "the die beside the grid" if die.cell is None else cell_said(die.cell)


def _cells(grid: Grid) -> list[Seen | None]:
    return [None if die is None else (die.colour, die.pips) for die in grid]


def _dice_asked(
    held: Sequence[Seen | None], dice: Placed, told: Sequence[Story[Seen, Grid]]
) -> Iterator[Doubt]:
    """Yield the doubts about dice, but not about those that lie and look as they are known."""
    new = [
        at
        for at, (_, die) in enumerate(dice[: len(told[0].reading)])
        if die.cell is None or held[index_of(die)] != (die.colour, die.value)
    ]
    readings = [[one.reading[at] for at in new] for one in told]
    yield from dice_doubts([dice[at] for at in new], readings, where=_where, colours=COLOURS)


def _seen_before(state: State, spot: int, grid: Grid) -> Iterator[Doubt]:
    others = [(table.grid, f"the grid of round {table.number}") for table in state.done[::-1]]
    others += [
        (table.grid, f"the grid of table {at + 1}")
        for at, table in enumerate(state.tables)
        if at != spot
    ]
    for other, whose in others:
        if seen_before(_cells(grid), _cells(other)):
            yield Doubt(f"this looks like {whose}, which is known already: is it a new one?")
            return


def tell(state: State, table: seen.Table, _facts: Facts) -> Scored:
    """Return the points of a full grid, whoever filled it.

    Its five dice of one colour tell who started (PH-4); who sits behind which colour is assumed.
    Solo the colour that was named decides, so it is asked.
    """
    lying = sum(die.cell is not None for die in table.dice)
    if lying < CELLS:
        raise NotScored(f"{lying} of {CELLS} dice were seen on the board.")
    opening = opening_of(state, table)
    begun = apply(state, *opening) if opening else state
    proposal = observe(begun, table)
    done = begun
    for move in moves_of(proposal):
        done = apply(done, move)
    ended = result(done)
    return Scored(
        tuple(f"player {seat}" for seat in range(1, len(state.totals) + 1)),
        score(done),
        explain(done),
        outcome=None if ended is None else ended.why,
        assumed=describe(state, *opening) if opening else None,
        unknown="who sat behind which colour, and earlier rounds" if opening else None,
        doubts=proposal.doubts,
    )


def opening_of(state: State, table: seen.Table) -> tuple[Move, ...]:
    """Return the move before a grid that changes none of its points, () if it was made.

    Raises NotScored where that move decides.
    """
    known = state.tables[table.spot]
    if _ready(known):
        return ()
    if len(known.seats) == 1:
        asks = [describe(state, ChooseColour(colour, table.spot)) for colour in COLOURS]
        raise NotScored("The photo does not tell which colour was named.", asks)
    starts = _more_of(table)
    if known.starter is None:
        starter, other = known.seats
        return (Agree(starter, starter if starts == "black" else other, table.spot),)
    # Rolled for; the other player chose the colour that did not start.
    return (ChooseColour(OTHER[starts], table.spot),)


def _more_of(table: seen.Table) -> Colour:
    """Return the colour with more dice on the grid, as the likeliest reading that fills it says."""
    dice = [die for die in table.dice if die.cell is not None]

    def more(read: Sequence[Seen]) -> list[Colour]:
        black = sum(colour == "black" for colour, _ in read)
        by_number: dict[int, Colour] = {HAND: "black", CELLS - HAND: "white"}
        return [by_number[black]] if black in by_number else []

    if told := stories(dice_options(dice, COLOURS), more):
        return told[0].meaning
    return "black" if 2 * sum(die.colour == "black" for die in dice) > len(dice) else "white"


def _colour(name: str) -> Colour:
    return "black" if name == "black" else "white"


def _misplaced(table: seen.Table) -> tuple[Difference, ...]:
    """Return what cannot lie on this grid at all, or is too much."""
    problems = list(misplaced(table, COLOURS, "PH-1", "PH-4"))
    lying = sum(die.cell is not None for die in table.dice)
    if lying > CELLS:
        text = f"{lying} dice lie on the grid; nine fill it and one stays beside it"
        problems.append(Difference(text, "PH-4"))
    elif len(table.dice) > 2 * HAND:
        text = f"{len(table.dice)} dice were seen; the game has ten"
        problems.append(Difference(text, "PH-1"))
    return tuple(problems)


def _faults(state: State, known: Round, grid: Grid) -> list[Illegal]:
    """Return why *grid* cannot follow from the known round by taking turns with the rolled dice."""
    faults = []
    starts = [known.starts] if known.starts else list(_may_place(state, known))
    turns = [fault for colour in starts if (fault := _turn_fault(grid, colour)) is not None]
    if len(turns) == len(starts):
        faults.append(turns[0])
    for colour, hand in zip(COLOURS, known.hands, strict=True):
        if hand and (bad := left_in_hand(hand, grid, colour)[1]):
            missing = " and ".join(f"{colour} {pips}" for pips in bad)
            shown = " ".join(map(str, hand))
            text = f"{missing} lies there, but {colour} rolled {shown}: was a die turned?"
            faults.append(Illegal(grid, text, "PH-3"))
    return faults


def _turn_fault(grid: Grid, starts: Colour) -> Illegal | None:
    try:
        to_place(grid, starts)
    except Illegal as fault:
        return fault
    return None


def _placements(state: State, known: Round, grid: Grid, table: int) -> tuple[Place, ...]:
    """Return the moves that fill the new cells: the colours in turn, each from the top left."""
    new = [cell for cell in range(CELLS) if known.grid[cell] is None and grid[cell] is not None]
    queues: dict[Colour, list[Place]] = {"black": [], "white": []}
    for cell in new:
        die = grid[cell]
        assert die is not None
        queues[die.colour].append(Place(cell // 3, cell % 3, die.colour, die.pips, table))
    if not new:
        return ()
    colours = _may_place(state, known)
    # Before a free start the colour with more dice must have begun.
    colour = max(colours, key=lambda colour: len(queues[colour]))
    moves = []
    while queues[colour]:
        moves.append(queues[colour].pop(0))
        colour = OTHER[colour]
    return tuple(moves)


def _still_open(grid: Grid, moves: tuple[Place, ...]) -> Iterator[Doubt]:
    if not moves:
        lying = "nothing lies on the grid" if grid == EMPTY else "no die was added to the grid"
        yield Doubt(lying)
    elif None in grid:
        count = sum(die is not None for die in grid)
        empty = "; ".join(_cell(cell) for cell in range(CELLS) if grid[cell] is None)
        yield Doubt(f"{count} of 9 dice: {empty} still empty", about="progress")


GAME = Game(
    name="purple_house",
    title=TITLE,
    version=1,
    seats=SEATS,
    settings=SETTINGS,
    moves=(StartRoll, ChooseColour, Agree, Roll, Place),
    start=start,
    legal_moves=legal_moves,
    apply=apply,
    score=score,
    is_over=is_over,
    result=result,
    explain=explain,
    equipment=equipment,
    observe=observe,
    prompt=prompt,
    describe=describe,
    to_move=to_move,
    unseen=(Agree, ChooseColour),
    target=target,
    one_photo=OnePhoto(lambda state: (equipment(state),), tell, opening=opening_of),
    draw=draw,
    instead=instead,
    boards=boards,
    several={"Place": "dice placed", "Roll": "rolls"},
)
