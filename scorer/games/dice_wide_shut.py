"""Dice Wide Shut: roll the dice, take two of a colour, check their numbers, leave no row full.

A sheet has a red half and a blue half of 5 x 5 cells and a 6 beside each of the ten rows. Rule ids
are those of RULES.md. Where the rule book is silent or its translations differ, we rule that

* three in a run are worth 7; the 10 in one example is a slip for four (DW-A1);
* the two dice may show the same number, or not (DW-A2, `same_number_pair`); where that would leave
  nothing at all to take, two alike are taken, for nobody passes (DW-4);
* a 6 may be spent on any blank cell of its row, or only against a split (DW-A3, `six_power_scope`);
  the cell it stands in for stays blank that turn, also where the other die shows the same number
  and finds no other blank cell (DW-A16). A turn that checks a 6 checks nothing else, so the 6 that
  is spent is always of an earlier turn (DW-7);
* two sixes may be spent in one turn, for two numbers in two rows (DW-A4);
* a 6 of any colour checks any of the ten (DW-A5), also beside a split row (DW-A14);
* a die whose number has no blank cell left is lost (DW-A6), even if taken on purpose (DW-A7); where
  that goes for all dice taken the turn ends with the take;
* the purple die counts when only one die is left to take (DW-A9, `purple_counts_for_single`);
* the round is finished, or everybody else has one more turn (DW-A10, `end_mode`): clockwise from
  whoever ended it, with a new roll by the first of them who must start another round;
* dice never run out (DW-A11), so a pool of four, as in an example, is no full position (DW-A8);
* level on points and splits, the place is shared until the table settles it (DW-A12);
* a run lies in one column of one half and is broken by blank and crossed cells (DW-A13);
* a full row is split whether or not somebody has drawn the line (DW-A15);
* the table chooses who rolls first (DW-3).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations, combinations_with_replacement, product
from math import log
from typing import Literal

from scorer import table as seen
from scorer.board import LARGEST_MM, Board, Drawn, Ink, Line, Words, box
from scorer.board import Cell as Place
from scorer.game import (
    Because,
    Difference,
    Doubt,
    Equipment,
    Game,
    House,
    Illegal,
    Proposal,
    Result,
    Setting,
    Spot,
    check_seats,
    settle,
)
from scorer.one_photo import Facts, NotScored, OnePhoto, Scored, likeliest, not_scored
from scorer.printed import DICE_MAT, boxed
from scorer.repair import (
    NEAR,
    Story,
    dice_doubts,
    dice_options,
    joint_readings,
    same_again,
    stories,
    unread,
)

Colour = Literal["red", "blue"]
Hue = Literal["red", "blue", "purple"]
Dice = tuple[tuple[Hue, int], ...]  # ascending by hue, then value
Cell = tuple[Colour, int, int]  # half, row, column from 0; column 5 is the 6 of the row
Power = tuple[Colour, int, int]  # half, row from 0, and the number its 6 stands in for
Rows = tuple[str, ...]  # five rows of five cells: "." blank, "x" checked, "#" crossed out

COLOURS: tuple[Colour, Colour] = ("red", "blue")
HUES: tuple[Hue, ...] = ("red", "blue", "purple")
SIX = 5  # the column of the sixes
RUNS = (0, 1, 3, 7, 10, 15)  # points of a run of so many checks (DW-8)
EMPTY_COLUMN = -5
PALE: Mapping[Colour, Ink] = {"red": "pale red", "blue": "pale blue"}
TITLE = "Dice Wide Shut"
SEATS = range(2, 6)

SETTINGS = (
    Setting(
        "same_number_pair",
        "Two dice taken may show the same number",
        True,
        {True: "They may", False: "They must differ"},
        "DW-A2",
    ),
    Setting(
        "six_power_scope",
        "When a checked 6 may be spent instead of checking a number",
        "any_blank_in_row",
        {
            "any_blank_in_row": "Whenever its row has a blank cell of that number",
            "only_to_prevent_split": "Only when checking the number would fill the row",
        },
        "DW-A3",
    ),
    Setting(
        "purple_counts_for_single",
        "A single die 1 to 5 is taken if no other is left of its colour, and the purple die",
        True,
        {True: "Counts as another", False: "Does not count"},
        "DW-A9",
    ),
    Setting(
        "end_mode",
        "When three columns of a half are full",
        "finish_round",
        {
            "finish_round": "The round is finished, so that all have had equally many turns",
            "each_other_once": "Each other player has one more turn",
        },
        "DW-A10",
    ),
)


# ---------------------------------------------------------------- moves


@dataclass(frozen=True, slots=True)
class Starter:
    """The table has chosen who rolls first."""

    seat: int


@dataclass(frozen=True, slots=True)
class Roll:
    """All dice as they lie after the roll, in any order."""

    dice: Dice

    def __post_init__(self) -> None:
        """Put the dice in order, so that equal rolls are equal moves."""
        object.__setattr__(self, "dice", tuple(sorted(self.dice)))


@dataclass(frozen=True, slots=True)
class Take:
    """A player takes dice as red or as blue, in any order."""

    colour: Colour
    dice: Dice

    def __post_init__(self) -> None:
        """Put the dice in order, so that equal takes are equal moves."""
        object.__setattr__(self, "dice", tuple(sorted(self.dice)))


@dataclass(frozen=True, slots=True)
class Mark:
    """The player of the take checks cells, or spends sixes for numbers, all in any order."""

    cells: tuple[Cell, ...]
    powers: tuple[Power, ...] = ()

    def __post_init__(self) -> None:
        """Put cells and powers in order, so that equal marks are equal moves."""
        object.__setattr__(self, "cells", tuple(sorted(self.cells)))
        object.__setattr__(self, "powers", tuple(sorted(self.powers)))


Move = Starter | Roll | Take | Mark


# ---------------------------------------------------------------- state


@dataclass(frozen=True, slots=True)
class Half:
    """One colour of a sheet. A full row is always crossed out."""

    rows: Rows = (".....",) * 5
    sixes: str = "....."  # by row: "." blank, "x" checked, "k" spent


@dataclass(frozen=True, slots=True)
class Sheet:
    """What one player has marked."""

    red: Half = Half()
    blue: Half = Half()

    def half(self, colour: Colour) -> Half:
        """Return the half of that colour."""
        return self.red if colour == "red" else self.blue

    def halves(self) -> tuple[tuple[Colour, Half], tuple[Colour, Half]]:
        """Return both halves with their colours, the red one first as it is printed."""
        return ("red", self.red), ("blue", self.blue)


@dataclass(frozen=True, slots=True)
class Due:
    """The numbers a take obliges to check: of one half, or a lone 6 of either (`colour` None)."""

    colour: Colour | None
    numbers: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class State:
    """Everything the rules need."""

    house: House
    sheets: tuple[Sheet, ...]  # one a seat
    order: tuple[int, ...]  # seats that still play with this roll, next first; () is the end
    first: int = 0  # seat that started round 1
    round: int = 0  # 0: it is not settled yet who starts
    pool: Dice = ()  # dice on the table; () before the roll
    due: Due | None = None  # what the player must mark, None before the take
    last: tuple[int, ...] | None = None  # once the end is near: seats that play after this round
    rolled: Dice = ()  # the last roll, as it fell


# ---------------------------------------------------------------- dice


def dice_for(seats: int) -> dict[Hue, int]:
    """Return how many dice of each hue so many players use (DW-2). Raises NotAMove."""
    check_seats(TITLE, SEATS, seats)
    return {"red": seats + 1, "blue": seats + 1, "purple": 1}


def takes(
    pool: Dice, same_number_pair: bool = True, purple_counts_for_single: bool = True
) -> Iterator[Take]:
    """Yield every different take from *pool* (DW-4)."""
    for colour in COLOURS:
        mine = [die for die in pool if die[0] in (colour, "purple")]
        small = [die for die in mine if die[1] < 6]
        counted = _counted(small, purple_counts_for_single)
        choices: list[Dice] = [
            pair for pair in combinations(small, 2) if same_number_pair or pair[0][1] != pair[1][1]
        ]
        choices += [tuple(counted)] if len(counted) == 1 else []
        choices += [(die,) for die in mine if die[1] == 6]
        yield from (Take(colour, dice) for dice in dict.fromkeys(choices))


def check_take(
    pool: Dice,
    take: Take,
    same_number_pair: bool = True,
    purple_counts_for_single: bool = True,
) -> None:
    """Raise Illegal unless *take* may be taken from *pool* (DW-4)."""
    dice, colour = take.dice, take.colour
    if not dice:
        raise Illegal(take, "nobody may pass: take dice of one colour", "DW-4")
    for die in dice:
        if die[0] not in (colour, "purple"):
            raise Illegal(take, f"a {die[0]} die cannot be taken as {colour}", "DW-4")
        if pool.count(die) < dice.count(die):
            less = "no" if die not in pool else "only one"
            raise Illegal(take, f"there is {less} {_die(die)} to take", "DW-4")
    if any(value == 6 for _, value in dice):
        if len(dice) > 1:
            raise Illegal(take, "a 6 is taken alone", "DW-4")
        return
    if len(dice) > 2:
        raise Illegal(take, f"{len(dice)} dice are too many: take two", "DW-4")
    if len(dice) == 2:
        if dice[0][1] == dice[1][1] and not same_number_pair:
            raise Illegal(take, f"both dice show {dice[0][1]}: they must differ", "DW-A2")
        return
    small = [die for die in pool if die[1] < 6 and die[0] in (colour, "purple")]
    if _counted(small, purple_counts_for_single) != list(dice):
        small.remove(dice[0])
        if not small:
            raise Illegal(take, f"the purple die alone is no {colour} take", "DW-A9")
        text = f"besides the {_die(dice[0])} there is a {_die(small[0])} to take: take two dice"
        raise Illegal(take, text, "DW-4")


def _counted(small: Iterable[tuple[Hue, int]], purple_counts: bool) -> list[tuple[Hue, int]]:
    """Return the dice 1 to 5 among which a single one may be taken (DW-A9)."""
    return [die for die in small if purple_counts or die[0] != "purple"]


def _has_purple(dice: Dice) -> bool:
    return any(hue == "purple" for hue, _ in dice)


def _take_rules(state: State) -> tuple[bool, bool]:
    """Return whether two alike may be taken now, and whether the purple die counts."""
    same, purple = bool(state.house["same_number_pair"]), state.house["purple_counts_for_single"]
    if not same:
        same = next(takes(state.pool, False, bool(purple)), None) is None
    return same, bool(purple)


# ---------------------------------------------------------------- marks


def number_of(cell: Cell) -> int:
    """Return the number printed in a cell: red columns and blue rows hold five alike."""
    colour, row, column = cell
    if column == SIX:
        return 6
    return column + 1 if colour == "red" else row + 1


def mark(sheet: Sheet, due: Due, move: Mark, six_power_scope: str = "any_blank_in_row") -> Sheet:
    """Return *sheet* after *move*, full rows crossed out; raise Illegal (DW-5, DW-6, DW-7)."""
    if due.colour is None:
        return _mark_six(sheet, move)
    half = sheet.half(due.colour)
    rows, sixes, left = list(half.rows), half.sixes, list(due.numbers)
    for cell in move.cells:
        _check_cell(move, cell, due.colour, rows, left)
        _, row, column = cell
        rows[row] = rows[row][:column] + "x" + rows[row][column + 1 :]
        left.remove(number_of(cell))
    for power in move.powers:
        _check_power(move, power, due.colour, rows, left, sixes=sixes, scope=six_power_scope)
        _, row, number = power
        sixes = sixes[:row] + "k" + sixes[row + 1 :]
        left.remove(number)
    for number in left:
        blank = _blanks(due.colour, rows, number)
        for _, row, spared in move.powers:  # each leaves one cell of its row blank
            at = next((cell for cell in blank if spared == number and cell[1] == row), None)
            if at is not None:
                blank.remove(at)
        if blank:
            text = f"the {number} must be checked: {_cell(blank[0])} is blank"
            raise Illegal(move, text, "DW-5")
    done = Half(split(rows), sixes)
    return Sheet(done, sheet.blue) if due.colour == "red" else Sheet(sheet.red, done)


def _check_cell(
    move: Mark, cell: Cell, colour: Colour, rows: Sequence[str], left: Sequence[int]
) -> None:
    """Raise Illegal unless one of the numbers *left* may check *cell* of that colour's half."""
    where, row, column = cell
    if not (0 <= row < 5 and 0 <= column <= SIX):
        raise Illegal(move, "a half has rows 1 to 5 and columns 1 to 5", "DW-5")
    if column == SIX:
        raise Illegal(move, f"only a die that shows 6 checks {_cell(cell)}", "DW-5")
    if where != colour:
        raise Illegal(move, f"dice taken as {colour} check the {colour} half only", "DW-5")
    if (number := number_of(cell)) not in left:
        text = f"{_cell(cell)} cannot be checked: no die is left that shows {number}"
        raise Illegal(move, text, "DW-5")
    if rows[row][column] != ".":
        twice = "named twice" if move.cells.count(cell) > 1 else "checked already"
        raise Illegal(move, f"{_cell(cell)} is {twice}", "DW-5")


def _check_power(
    move: Mark,
    power: Power,
    colour: Colour,
    rows: Sequence[str],
    left: Sequence[int],
    *,
    sixes: str,
    scope: str,
) -> None:
    """Raise Illegal unless the 6 of *power* may stand in for one of the numbers *left* (DW-7)."""
    where, row, number = power
    if not 0 <= row < 5:
        raise Illegal(move, "a half has rows 1 to 5", "DW-7")
    six = _cell((where, row, SIX))
    if where != colour:
        text = f"{six} cannot be spent: the dice are taken as {colour}"
        raise Illegal(move, text, "DW-7")
    if number not in left:
        text = f"{six} cannot be spent: no die is left that shows {number}"
        raise Illegal(move, text, "DW-7")
    if sixes[row] != "x":
        why = "is not checked" if sixes[row] == "." else "is spent"
        raise Illegal(move, f"{six} {why}, so it cannot stand in for the {number}", "DW-7")
    if all(cell[1] != row for cell in _blanks(colour, rows, number)):
        text = f"{_row(colour, row)} has no blank {number} for its 6 to stand in for"
        raise Illegal(move, text, "DW-7")
    if scope == "only_to_prevent_split" and rows[row].count(".") > 1:
        text = f"{six} is spent only to prevent a split, and {_row(colour, row)} would not fill"
        raise Illegal(move, text, "DW-A3")


def _mark_six(sheet: Sheet, move: Mark) -> Sheet:
    """Return *sheet* with the 6 of *move* checked (DW-5)."""
    if move.powers:
        raise Illegal(move, "a 6 is checked; no other 6 stands in for it", "DW-7")
    if not move.cells:
        raise Illegal(move, "the 6 must be checked: one of the ten is still blank", "DW-5")
    if len(move.cells) > 1:
        raise Illegal(move, "one die checks one 6 only", "DW-5")
    colour, row, column = move.cells[0]
    if column != SIX or not 0 <= row < 5:
        raise Illegal(move, "a die that shows 6 checks one of the ten sixes", "DW-5")
    half = sheet.half(colour)
    if half.sixes[row] != ".":
        state = "checked already" if half.sixes[row] == "x" else "spent for good"
        raise Illegal(move, f"{_cell(move.cells[0])} is {state}", "DW-5")
    done = Half(half.rows, half.sixes[:row] + "x" + half.sixes[row + 1 :])
    return Sheet(done, sheet.blue) if colour == "red" else Sheet(sheet.red, done)


def split(rows: Iterable[str]) -> Rows:
    """Return *rows* with every full one crossed out (DW-6)."""
    return tuple([row if "." in row else "#####" for row in rows])


def marks(sheet: Sheet, due: Due, six_power_scope: str = "any_blank_in_row") -> Iterator[Mark]:
    """Yield every different legal mark."""
    if due.colour is None:
        for colour, half in sheet.halves():
            yield from (Mark(((colour, row, SIX),)) for row in range(5) if half.sixes[row] == ".")
        return
    answers = [_answers(sheet, due.colour, number) for number in due.numbers]
    alike = len(set(due.numbers)) < len(due.numbers)
    for chosen in combinations(answers[0], 2) if alike else product(*answers):
        cells = [cell for cells, _ in chosen for cell in cells]
        powers = [power for _, powers in chosen for power in powers]
        move = Mark(tuple(cells), tuple(powers))
        try:
            mark(sheet, due, move, six_power_scope)
        except Illegal:
            continue
        yield move


def _answers(
    sheet: Sheet, colour: Colour, number: int
) -> list[tuple[tuple[Cell, ...], tuple[Power, ...]]]:
    """Return what one die may do by itself: check a cell, spend a 6, or nothing."""
    half = sheet.half(colour)
    blank = _blanks(colour, half.rows, number)
    rows = sorted({row for _, row, _ in blank if half.sixes[row] == "x"})
    return [
        *(((cell,), ()) for cell in blank),
        *(((), ((colour, row, number),)) for row in rows),
        ((), ()),
    ]


def _blanks(colour: Colour, rows: Sequence[str], number: int) -> list[Cell]:
    """Return the blank cells of *number* in one half."""
    if colour == "red":
        return [("red", row, number - 1) for row in range(5) if rows[row][number - 1] == "."]
    return [("blue", number - 1, column) for column in range(5) if rows[number - 1][column] == "."]


def anything_to_mark(sheet: Sheet, due: Due) -> bool:
    """Say whether some die of the take has a blank cell; if none has, the turn ends (DW-5)."""
    if due.colour is None:
        return "." in sheet.red.sixes + sheet.blue.sixes
    rows = sheet.half(due.colour).rows
    return any(_blanks(due.colour, rows, number) for number in due.numbers)


# ---------------------------------------------------------------- points, the end, the winner


def columns(rows: Rows) -> tuple[str, ...]:
    """Return the five columns of a half, each from the top down."""
    return tuple(["".join(cells) for cells in zip(*rows, strict=True)])


@cache
def score_column(column: str) -> int:
    """Return the points of one column, top to bottom (DW-8)."""
    if "x" not in column:
        return EMPTY_COLUMN
    return sum(RUNS[length] for length in _runs(column))


def _runs(column: str) -> list[int]:
    """Return the lengths of the runs of live checks."""
    return [len(run) for run in column.replace("#", ".").split(".") if run]


def score_half(half: Half) -> tuple[int, ...]:
    """Return the points of the five columns of a half."""
    return tuple([score_column(column) for column in columns(half.rows)])


def score_sheet(sheet: Sheet) -> int:
    """Return a player's total: -50 on a blank sheet, 108 at most."""
    return sum(score_half(sheet.red)) + sum(score_half(sheet.blue))


def splits(sheet: Sheet) -> int:
    """Return how many rows of both halves are split."""
    return (sheet.red.rows + sheet.blue.rows).count("#####")


def full_columns(half: Half) -> int:
    """Return how many columns have all five cells checked or crossed out."""
    return sum("." not in column for column in zip(*half.rows, strict=True))


def ends(sheet: Sheet) -> bool:
    """Say whether this sheet ends the game: three full columns in one half (DW-9)."""
    return full_columns(sheet.red) >= 3 or full_columns(sheet.blue) >= 3


def start_seat(seats: int, first: int, number: int) -> int:
    """Return who starts round *number* (from 1) when *first* started round 1 (DW-3)."""
    return (first + number - 1) % seats


def still_to_play(
    seats: int, starter: int, trigger: int, end_mode: str = "finish_round"
) -> tuple[int, ...]:
    """Return who still has a turn, in order, once *trigger* has ended the game (DW-9, DW-A10)."""
    clockwise = tuple([(trigger + step) % seats for step in range(1, seats)])
    if end_mode == "each_other_once":
        return clockwise
    return clockwise[: (starter - trigger - 1) % seats]


def winners(totals: Sequence[int], split_rows: Sequence[int]) -> tuple[int, ...]:
    """Return the places with the highest total, of level ones those with most splits (DW-10)."""
    ranks = list(zip(totals, split_rows, strict=True))
    best = max(ranks)
    return tuple(place for place, rank in enumerate(ranks) if rank == best)


# ---------------------------------------------------------------- the contract


def start(seats: int, settings: Mapping[str, object]) -> State:
    """Return the blank sheets before it is settled who starts. Raises NotAMove."""
    house = settle(SETTINGS, settings)
    seats = check_seats(TITLE, SEATS, seats)
    return State(house, (Sheet(),) * seats, tuple(range(seats)))


def legal_moves(state: State) -> Iterator[Move]:
    """Yield every move `apply` takes; of a roll each outcome once."""
    if not state.order:
        return iter(())
    if not state.round:
        return map(Starter, range(len(state.sheets)))
    if not state.pool:
        return _rolls(len(state.sheets))
    if state.due is None:
        return takes(state.pool, *_take_rules(state))
    return marks(state.sheets[state.order[0]], state.due, str(state.house["six_power_scope"]))


def _rolls(seats: int) -> Iterator[Roll]:
    rolled = [
        [tuple((hue, value) for value in values) for values in _multisets(count)]
        for hue, count in dice_for(seats).items()
    ]
    return (Roll(red + blue + purple) for red, blue, purple in product(*rolled))


def _multisets(count: int) -> Iterator[tuple[int, ...]]:
    return combinations_with_replacement(range(1, 7), count)


def apply(state: State, move: Move) -> State:
    """Return the state after *move*; raise Illegal if the rules forbid it."""
    if not state.order:
        raise Illegal(move, "the game is over", "DW-9")
    match move:
        case Starter(seat):
            return _settle_start(state, move, seat)
        case Roll(dice):
            return _roll(state, move, dice)
        case Take():
            return _take(state, move)
        case Mark():
            return _mark(state, move)


def _settle_start(state: State, move: Move, seat: int) -> State:
    seats = len(state.sheets)
    if state.round:
        raise Illegal(move, f"player {state.first + 1} has started the game", "DW-3")
    if not 0 <= seat < seats:
        raise Illegal(move, f"there is no player {seat + 1}", "DW-3")
    return State(state.house, state.sheets, _clockwise(seats, seat), seat, 1)


def _roll(state: State, move: Move, dice: Dice) -> State:
    if not state.round:
        raise Illegal(move, "settle first who starts", "DW-3")
    if state.pool:
        raise Illegal(move, "the dice of this round are rolled", "DW-3")
    if tuple([hue for hue, _ in dice]) != _hues(len(state.sheets)):
        text = f"{_counts(hue for hue, _ in dice)} do not make a roll of {_whole(state)}"
        raise Illegal(move, text, "DW-2")
    for die in dice:
        if not 1 <= die[1] <= 6:
            raise Illegal(move, f"a die shows 1 to 6, not {die[1]}", "DW-3")
    return State(
        state.house,
        state.sheets,
        state.order,
        state.first,
        state.round,
        dice,
        None,
        state.last,
        dice,
    )


def _take(state: State, move: Take) -> State:
    if not state.pool:
        raise Illegal(move, "roll the dice first", "DW-3")
    if state.due is not None:
        raise Illegal(move, f"{_player(state)} has taken dice and marks them first", "DW-3")
    check_take(state.pool, move, *_take_rules(state))
    pool = list(state.pool)
    for die in move.dice:
        pool.remove(die)
    numbers = tuple(sorted([value for _, value in move.dice]))
    due = Due(None if numbers == (6,) else move.colour, numbers)
    taken = State(
        state.house,
        state.sheets,
        state.order,
        state.first,
        state.round,
        tuple(pool),
        due,
        state.last,
        state.rolled,
    )
    sheet = state.sheets[state.order[0]]
    return taken if anything_to_mark(sheet, due) else _end_turn(taken, sheet)


def _mark(state: State, move: Mark) -> State:
    if state.due is None:
        raise Illegal(move, "roll the dice first" if not state.pool else "take dice first", "DW-3")
    sheet = state.sheets[state.order[0]]
    scope = str(state.house["six_power_scope"])
    return _end_turn(state, mark(sheet, state.due, move, scope))


def _end_turn(state: State, sheet: Sheet) -> State:
    """Put the player's sheet down and pass the turn, to a new round or the end if it was last."""
    seat, order = state.order[0], state.order[1:]
    seats, number, pool, last = len(state.sheets), state.round, state.pool, state.last
    sheets = (*state.sheets[:seat], sheet, *state.sheets[seat + 1 :])
    if last is None and ends(sheet):
        starter = start_seat(seats, state.first, number)
        last = still_to_play(seats, starter, seat, str(state.house["end_mode"]))[len(order) :]
    if not order and last is None:
        number, pool = number + 1, ()
        order = _clockwise(seats, start_seat(seats, state.first, number))
    elif not order and last:
        number, pool, order, last = number + 1, (), last, ()
    return State(state.house, sheets, order, state.first, number, pool, None, last, state.rolled)


def _clockwise(seats: int, first: int) -> tuple[int, ...]:
    return tuple([(first + step) % seats for step in range(seats)])


@cache
def _hues(seats: int) -> tuple[Hue, ...]:
    """Return the hues of a roll in the order of its dice."""
    return tuple(sorted(hue for hue, count in dice_for(seats).items() for _ in range(count)))


def score(state: State) -> tuple[int, ...]:
    """Return each seat's total as its sheet stands."""
    return tuple([score_sheet(sheet) for sheet in state.sheets])


def is_over(state: State) -> bool:
    """Say whether the game has ended."""
    return not state.order


def result(state: State) -> Result | None:
    """Return who won and why, None while the game goes on."""
    if state.order:
        return None
    totals, rows = score(state), [splits(sheet) for sheet in state.sheets]
    best = winners(totals, rows)
    total, most = totals[best[0]], rows[best[0]]
    names = " and ".join(f"player {seat + 1}" for seat in best)
    if len(best) > 1:
        why = f"{names} share the win with {total} points and {_rows(most)} each"
        return Result(best, f"{why}; whoever was last at a masquerade takes it")
    if totals.count(total) > 1:
        return Result(best, f"{names} wins level on {total} points by {_rows(most)}, the most")
    tally = " to ".join(map(str, sorted(totals, reverse=True)))
    return Result(best, f"{names} wins {tally}")


def to_move(state: State) -> tuple[int, ...]:
    """Return whose turn it is; everybody while it is not settled who starts."""
    return state.order[:1] if state.round else state.order


# ---------------------------------------------------------------- in words


def explain(state: State) -> tuple[Because, ...]:
    """Return the ten columns of each seat, and its splits, which break a tie."""
    entries = []
    for seat, sheet in enumerate(state.sheets):
        for colour, half in sheet.halves():
            for index, column in enumerate(columns(half.rows)):
                cells = tuple((row, index) for row in range(5))
                text = f"column {index + 1}: {_column_in_words(column)}"
                points = score_column(column)
                entries.append(Because(seat, points, f"{colour} half", text, "DW-8", cells))
        if rows := splits(sheet):
            text = f"{_rows(rows)}: the most breaks a tie"
            entries.append(Because(seat, 0, "splits", text, "DW-10"))
    return tuple(entries)


def notes(state: State) -> tuple[str, ...]:
    """Return what each seat's empty columns cost: nobody expects to begin at -50 (DW-8)."""
    return tuple([_empty_in_words(sheet) for sheet in state.sheets])


def _empty_in_words(sheet: Sheet) -> str:
    every = [column for _, half in sheet.halves() for column in columns(half.rows)]
    empty = sum(score_column(column) == EMPTY_COLUMN for column in every)
    if not empty:
        return ""
    which = "one empty column" if empty == 1 else f"each of {empty} empty columns"
    return f"−{-EMPTY_COLUMN} for {which}"


def _column_in_words(column: str) -> str:
    runs = _runs(column)
    if not runs:
        return "no live check"
    if len(runs) == 1:
        return "a lone check" if runs == [1] else f"{runs[0]} in a run"
    pay = " + ".join(str(RUNS[length]) for length in runs)
    return f"runs of {_listed([str(length) for length in runs])}: {pay}"


def draw(state: State) -> tuple[str, ...]:
    """Return each player's sheet, the one in turn first: the numbers still to be checked."""
    first = state.order[0] if state.order else 0
    seats = [(first + step) % len(state.sheets) for step in range(len(state.sheets))]
    drawn, *others = (_drawn(seat, state.sheets[seat]) for seat in seats)
    lying = f"\ndice: {_pool(state.pool)}" if state.pool else ""
    return (f"{drawn}{lying}", *others)


def _drawn(seat: int, sheet: Sheet) -> str:
    lines = [
        f"player {seat + 1}'s sheet: x checked, # split, * 6 spent",
        "        red                blue",
    ]
    for row in range(5):
        halves = []
        for colour, half in sheet.halves():
            cells = [
                str(number_of((colour, row, column))) if sign == "." else sign
                for column, sign in enumerate(half.rows[row])
            ]
            six = {".": "6", "x": "x", "k": "*"}[half.sixes[row]]
            halves.append(f"{' '.join(cells)}  {six}")
        lines.append(f"row {row + 1}   {'      '.join(halves)}")
    return "\n".join(lines)


def prompt(state: State) -> str:
    """Return what is to be done next, in one sentence."""
    ended = result(state)
    if ended is not None:
        return ended.why
    if not state.round:
        return "choose who rolls first"
    who = f"round {state.round}: {_player(state)}"
    if not state.pool:
        return f"{who} rolls {_whole(state)}"
    if state.due is None:
        return f"{who} takes dice and marks them"
    if state.due.colour is None:
        return f"{who} checks one of the sixes"
    colour, rows = state.due.colour, state.sheets[state.order[0]].half(state.due.colour).rows
    numbers = [n for n in state.due.numbers if _blanks(colour, rows, n)]
    return f"{who} marks {_listed([f'a {colour} {number}' for number in numbers])}"


def describe(state: State, move: Move) -> str:
    """Return *move*, made in *state*, in words."""
    match move:
        case Starter(seat):
            return f"player {seat + 1} starts"
        case Roll(dice):
            return f"{_player(state)} rolls {_pool(dice)}"
        case Take(colour, dice):
            how = f" as {colour}" if _has_purple(dice) else ""
            return f"{_player(state)} takes {_listed([_die(die) for die in dice])}{how}"
        case Mark(cells, powers):
            return f"{_player(state)} {_marked(cells, powers)}{_new_splits(state, move)}"


def _marked(cells: tuple[Cell, ...], powers: tuple[Power, ...]) -> str:
    done = [f"checks {_listed([_cell(cell) for cell in cells])}"] if cells else []
    done += [
        f"spends {_cell((colour, row, SIX))} instead of checking a {number}"
        for colour, row, number in powers
    ]
    return _listed(done)


def _new_splits(state: State, move: Mark) -> str:
    seat = state.order[0]
    old, new = state.sheets[seat], apply(state, move).sheets[seat]
    torn = [
        _row(colour, row)
        for colour, half in new.halves()
        for row in range(5)
        if half.rows[row] == "#####" != old.half(colour).rows[row]
    ]
    return "".join(f"; {row} splits" for row in torn)


def _player(state: State) -> str:
    return f"player {state.order[0] + 1}"


def _cell(cell: Cell) -> str:
    """Return a cell as players name it: by its number and where that number is on offer."""
    colour, row, column = cell
    if column == SIX:
        return f"the 6 of {_row(colour, row)}"
    where = f"row {row + 1}" if colour == "red" else f"column {column + 1}"
    return f"the {number_of(cell)} in {where} of the {colour} half"


def _row(colour: Colour, row: int) -> str:
    return f"row {row + 1} of the {colour} half"


def _whole_number(number: int) -> str:
    return {3: "Three", 4: "Four", 5: "Five"}.get(number, str(number))


def _rows(count: int) -> str:
    return f"{count} split row{'' if count == 1 else 's'}"


def _die(die: tuple[Hue, int]) -> str:
    return f"{die[0]} {die[1]}"


def _pool(dice: Dice) -> str:
    """Return dice by hue: red 1 3 4, blue 2 2 6, purple 5."""
    shown = {hue: [str(v) for h, v in dice if h == hue] for hue in HUES}
    return ", ".join(f"{hue} {' '.join(values)}" for hue, values in shown.items() if values)


def _whole(state: State) -> str:
    return _counts(_hues(len(state.sheets)))


def _by_hue(hues: Iterable[Hue]) -> dict[str, int]:
    count = Counter(hues)
    return {hue: count[hue] for hue in HUES}


def _counts(hues: Iterable[Hue]) -> str:
    """Return how many dice there are of each hue: 3 red, 3 blue and 1 purple."""
    return _listed([f"{count} {hue}" for hue, count in _by_hue(hues).items()])


def _listed(words: Sequence[str]) -> str:
    return " and ".join([*filter(None, [", ".join(words[:-1])]), *words[-1:]])


# ---------------------------------------------------------------- what one photo tells


def looks(_state: State) -> tuple[Equipment, ...]:
    """Return a sheet, and a pool of dice; of any colours, so that other dice are met as such."""
    return Equipment(BOARD), Equipment()


def tell(state: State, table: seen.Table, _facts: Facts) -> Scored:
    """Return the points of the sheet on one photo, or the takes from the pool that lies there."""
    if table.marks:
        table = replace(table, dice=())
    if problems := _foreign(state, table):
        raise not_scored(problems)
    if table.marks:
        return _tell_sheet(state, table.marks)
    if table.dice:
        return _tell_pool(state, table.dice)
    raise NotScored("Neither a sheet nor dice were seen.")


def _tell_sheet(state: State, marked: Sequence[seen.Mark]) -> Scored:
    by_cell = {one.cell: one for one in marked}
    whole = len(_printed(Sheet()))
    if len(by_cell) < whole:
        lost = whole - len(by_cell)
        raise NotScored(f"{lost} of {whole} cells were not seen. Photograph the whole sheet.")
    sheet = Sheet(*(_half_seen(colour, by_cell) for colour in COLOURS))
    ended = "three columns of a half are full, which ends the game" if ends(sheet) else None
    return Scored(
        ("the sheet",),
        (score_sheet(sheet),),
        explain(replace(state, sheets=(sheet,))),
        tuple(filter(None, [_empty_in_words(sheet)])),
        outcome=ended,
        unknown="whose sheet it is, how the other sheets stand and whose turn it is",
        doubts=tuple(_mark_doubts(sheet, marked)),
    )


def _half_seen(colour: Colour, by_cell: Mapping[tuple[str, int, int], seen.Mark]) -> Half:
    """Return a half as its marks say; raises NotScored where a row is split and not full."""
    rows = []
    for row in range(5):
        offered = [by_cell[colour, row, column] for column in range(SIX)]
        options = [
            [(SIGNS[word], share) for word, share in ((one.mark, one.confidence), *one.others)]
            for one in offered
        ]
        legal = (read for read, _ in joint_readings(options) if not {"#", "."} <= set(read))
        signs = next(legal, None)
        if signs is None:
            torn = _row(colour, row).capitalize()
            raise NotScored(f"{torn} is struck out, but not full (DW-6).")
        rows.append("".join(signs))
    sixes = [SIX_SIGNS[by_cell[colour, row, SIX].mark] for row in range(5)]
    return Half(split("x" * SIX if "#" in row else row for row in rows), "".join(sixes))


def _tell_pool(state: State, dice: Sequence[seen.Die]) -> Scored:
    most = dice_for(SEATS[-1])
    found = likeliest(
        dice,
        HUES,
        lambda read: all(sum(hue == one for one, _ in read) <= most[hue] for hue in HUES),
    )
    if found is None:
        raise NotScored(f"{len(dice)} dice were seen; a game has at most {_counts_of(most)}.")
    reading, doubts = found
    pool = tuple(sorted((hue, value) for name, value in reading for hue in HUES if hue == name))
    lying = replace(state, pool=pool)
    offered = [(take, _take_said(take)) for take in takes(pool, *_take_rules(lying))]
    return Scored(
        means=(f"in the pool: {_pool(pool)}",),
        moves=tuple(offered),
        unknown="whose turn it is, and what the sheets leave to be marked",
        doubts=doubts,
    )


def _take_said(take: Take) -> str:
    how = f" as {take.colour}" if _has_purple(take.dice) else ""
    return f"{_listed([_die(die) for die in take.dice])}{how}"


def _counts_of(most: Mapping[Hue, int]) -> str:
    return _listed([f"{count} {hue}" for hue, count in most.items()])


# ---------------------------------------------------------------- what the camera saw

BOARD = "sheet:dice-wide-shut"
WORDS = {".": "blank", "x": "checked", "#": "struck", "k": "blackened"}
# A player may check with a blot, strike a spent 6, and draw the line of a split through its 6.
MARKS = ("blank", "checked", "struck")  # what a hand makes of a number
SIX_MARKS = ("blank", "checked", "blackened")
GRID_LOOKS = {
    ".": ("blank",),
    "x": ("checked", "blackened"),
    "#": ("struck", "checked", "blackened"),
}
SIGNS = {"blank": ".", "checked": "x", "blackened": "x", "struck": "#"}
SIX_SIGNS = {"blank": ".", "checked": "x", "blackened": "k", "struck": "k"}
SIX_STEPS = {("blank", "checked"), ("checked", "blackened"), ("checked", "struck")}
SIX_LOOKS = {".": ("blank",), "x": ("checked",), "k": ("blackened", "struck")}
OTHERS = 3  # other explanations named in a doubt; more than that nobody reads


def boards(_house: House) -> tuple[Board, ...]:
    """Return a player's sheet: five red rows, five blue ones, a 6 at the right end of each."""
    width, row_height, gap = 25.0, 20.0, 6.0  # mm; as large as the page allows
    cells, drawing = [], list[Drawn](_sheet_head(5 * width + gap + width))
    tops: Mapping[Colour, float] = {"red": 17.0, "blue": 17.0 + 5 * row_height + 8.0}
    for colour, top in tops.items():
        drawing.append(Words(colour, (5 * width, top - 2.0), 2.2, colour, align="right"))
        for row, column in product(range(5), range(SIX + 1)):
            name: Cell = (colour, row, column)
            left = column * width + (gap if column == SIX else 0)
            place = box(left, top + row * row_height, width, row_height)
            cell = Place(name, place, str(number_of(name)), SIX_MARKS if column == SIX else MARKS)
            cells.append(cell)
            drawing += boxed(cell, colour, PALE[colour], double=column == SIX)
    size = LARGEST_MM[0], 17.0 + 10 * row_height + 8.0
    sheet = Board("sheet:dice-wide-shut", TITLE, size, tuple(cells), tuple(drawing), 40)
    return sheet, DICE_MAT


def _sheet_head(width: float) -> Iterator[Drawn]:
    yield Words(TITLE, (0, 4.0), 4.4, "grey", align="left", bold=True)
    yield Words("Player", (width - 62, 4.6), 2.8, "grey", align="left")
    yield Line((width - 50, 6.4), (width, 6.4), "grey")
    worth = "   ".join(f"{length}: {points}" for length, points in enumerate(RUNS) if length)
    told = f"A run of checks in a column   {worth}      An empty column   {EMPTY_COLUMN}"
    yield Words(told, (0, 12.0), 2.2, "grey", align="left")


def equipment(state: State) -> Equipment:
    """Return the roll that is wanted; once it lies there, the sheets too, the player's first."""
    if state.order and not state.pool:
        wanted = _hues(len(state.sheets))
        return Equipment(None, len(wanted), _by_hue(wanted))
    # The dice taken may lie beside the sheet, so after the take all are looked for.
    hues = _hues(len(state.sheets)) if state.due else tuple(hue for hue, _ in state.pool)
    spots = []
    for place in range(len(state.sheets)):
        seat = _seat_of(state, place)
        title = f"player {seat + 1}'s sheet"
        dice = tuple(seen.Die(value, hue) for hue, value in state.pool) if not place else ()
        if not place and state.order:
            title = f"the dice or {title}"
        known = seen.Table(dice, marks=_printed(state.sheets[seat]), spot=place)
        spots.append(Spot(title, known))
    return Equipment(BOARD, None, _by_hue(hues), spots=tuple(spots))


def _seat_of(state: State, spot: int) -> int:
    """Return whose sheet a spot is: the player's, then those of the others, clockwise."""
    return ((state.order[0] if state.order else 0) + spot) % len(state.sheets)


def _printed(sheet: Sheet) -> tuple[seen.Mark, ...]:
    return tuple(
        seen.Mark((colour, row, column), WORDS[sign])
        for colour, half in sheet.halves()
        for row in range(5)
        for column, sign in enumerate(half.rows[row] + half.sixes[row])
    )


def observe(state: State, table: seen.Table) -> Proposal:
    """Return the roll, the take or the take and marks that the table shows.

    A photo before the take may show the dice left over, or the one or two taken, or the player's
    sheet, or both. The likeliest explanation the rules allow is proposed; others nearly as likely
    are named in a doubt. A sheet that is not the player's is only compared with what is known.
    """
    if problems := _foreign(state, table):
        return Proposal(differences=problems)
    if not state.round:
        settled = observe(apply(state, Starter(0)), table)
        if not settled.moves:
            return settled
        text = "player 1 is taken to have started, since nobody has been named"
        doubt = Doubt(text, about="assumed")
        return replace(settled, moves=(Starter(0), *settled.moves), doubts=(doubt, *settled.doubts))
    seat = _seat_of(state, table.spot)
    if table.spot or not state.order:
        return _compared(seat, state.sheets[seat], table.marks)
    if not state.pool:
        return _rolled(state, table)
    return _played(state, table)


def _foreign(state: State, table: seen.Table) -> tuple[Difference, ...]:
    """Return what is no part of this game."""
    if not 0 <= table.spot < len(state.sheets):
        return (Difference(f"there is no sheet {table.spot + 1}", "DW-1"),)
    known = {mark.cell for mark in _printed(Sheet())}
    dice = [
        Difference(
            f"a {die.colour} {die.value} lies there; the dice are red, blue and purple, 1 to 6",
            "DW-1",
            ("dice", i),
        )
        for i, die in enumerate(table.dice)
        if not _options([die])[0]
    ]
    cells = [
        Difference(
            f"a mark lies beside the sheet: there is no row {mark.cell[1] + 1}, "
            f"column {mark.cell[2] + 1} in a {mark.cell[0]} half",
            "DW-1",
            ("marks", i),
        )
        for i, mark in enumerate(table.marks)
        if mark.cell not in known
    ]
    return (*dice, *cells)


def _options(dice: Sequence[seen.Die]) -> list[list[tuple[tuple[Hue, int], float]]]:
    return [
        [((hue, value), share) for (name, value), share in die for hue in HUES if hue == name]
        for die in dice_options(dice, HUES)
    ]


def _rolled(state: State, table: seen.Table) -> Proposal:
    """Return the roll that lies there."""
    wanted = _hues(len(state.sheets))
    compared = _compared(state.order[0], state.sheets[state.order[0]], table.marks)
    if table.marks and not table.dice:
        return compared

    def roll(reading: Dice) -> list[Dice]:
        dice = tuple(sorted(reading))
        return [dice] if tuple(hue for hue, _ in dice) == wanted else []

    options = _options(table.dice)
    told = stories(options, roll) if len(table.dice) == len(wanted) else []
    if not told:
        likeliest = [max(die, key=lambda read: read[1])[0][0] for die in options]
        text = f"{_counts(likeliest)} dice were seen; a roll is {_whole(state)}"
        return Proposal(differences=(Difference(text, "DW-2"), *compared.differences))
    doubts = list(
        dice_doubts(enumerate(table.dice), [story.reading for story in told], colours=HUES)
    )
    if state.rolled in [story.meaning for story in told]:
        doubts.append(same_again(_pool(state.rolled)))
    return Proposal((Roll(told[0].meaning),), tuple(doubts), compared.differences)


@dataclass(frozen=True, slots=True)
class _Way:
    """One legal way in which what is seen can have come about, as a meaning of the readings."""

    moves: tuple[Move, ...]
    taken: State  # the state after the take, in which a mark was made
    sheet: Sheet
    lost: int = 0  # dice that checked nothing

    @property
    def outcome(self) -> Hashable:
        """Return what it leaves behind: two sixes may be spent in two ways to one end."""
        return self.taken.pool, self.taken.due, self.sheet


Gone = Mapping[Dice, Story[tuple[Hue, int], Dice]]


def _played(state: State, table: seen.Table) -> Proposal:
    """Return the take and the marks that lie there."""
    gone = {story.meaning: story for story in _dice_gone(state, table.dice)}
    if table.dice and not gone:
        return Proposal(differences=(_not_taken(state, table.dice),))
    ways = sorted(_ways(state, table.marks, gone), key=_rank)
    if not ways:
        return _unexplained(state, table.marks, gone)
    best, near = ways[0].meaning, {ways[0].meaning.outcome: ways[0]}
    for story in ways:
        if story.share >= NEAR * ways[0].share:
            near.setdefault(story.meaning.outcome, story)
    doubts = [] if best.moves else [Doubt("nothing has changed since the turn began")]
    doubts += dice_doubts(enumerate(table.dice), [s.reading for s in near.values()], colours=HUES)
    doubts += _mark_doubts(best.sheet, table.marks)
    doubts += _unread_marks(best.sheet, table.marks, [s.meaning.sheet for s in near.values()])
    if others := list(near.values())[1:]:
        told = "; or ".join(_told(state, story.meaning) for story in others[:OTHERS])
        more = f"; or {len(others) - OTHERS} more" if len(others) > OTHERS else ""
        doubts.append(Doubt(f"it may also be that {told}{more}"))
    doubts += _absent(state, table, best)
    if best.sheet != state.sheets[state.order[0]]:
        doubts += _perhaps_anothers(state, table.marks, ways[0].share)
    return Proposal(best.moves, tuple(doubts))


def _rank(story: Story[tuple[Hue, int], _Way]) -> tuple[float, int, bool]:
    """Return the order of stories: likeliest, then fewest lost dice, then without purple."""
    way = story.meaning
    purple = any(isinstance(move, Take) and _has_purple(move.dice) for move in way.moves)
    return -round(log(story.share), 6), way.lost, purple


def _told(state: State, way: _Way) -> str:
    moves = zip((state, way.taken), way.moves, strict=False)
    told = [describe(now, move) for now, move in moves]
    return ", ".join(told) or "nothing has changed"


def _absent(state: State, table: seen.Table, way: _Way) -> Iterator[Doubt]:
    """Ask about dice that count as taken only because they are not seen: they may be hidden."""
    if len(table.dice) < 3 or not way.moves or not isinstance(way.moves[0], Take):
        return
    if len(way.moves) == 1:
        dice = way.moves[0].dice
        are = "is" if len(dice) == 1 else "are"
        text = f"{_listed([_die(die) for die in dice])} {are} not seen"
        yield Doubt(f"{text}: taken by {_player(state)}, or only hidden?")


def _perhaps_anothers(state: State, marked: Sequence[seen.Mark], best: float) -> Iterator[Doubt]:
    """Ask about a sheet that another player's fits as well, as it was."""
    for seat in range(len(state.sheets)):
        fits = _scale(marked)(state.sheets[seat]) if seat != state.order[0] else None
        if fits is not None and fits >= NEAR * best:
            yield Doubt(
                f"this may be player {seat + 1}'s sheet, as it was: is it {_player(state)}'s?"
            )


def _dice_gone(state: State, dice: Sequence[seen.Die]) -> list[Story[tuple[Hue, int], Dice]]:
    """Return what may have been taken by the dice seen: the rest of the pool, or the take itself.

    At least three dice are always left (DW-3), so one or two are those taken. After the take the
    rest of the pool can only show that nothing more has gone. Nothing is found where no legal take
    leaves these dice, or where there are none.
    """
    allowed: set[Dice] = {()}
    if state.due is None:
        allowed |= {take.dice for take in takes(state.pool, *_take_rules(state))}
    elif len(dice) < 3:
        return [Story((), (), 1.0)]
    pool = Counter(state.pool)

    def meanings(reading: Dice) -> list[Dice]:
        there = Counter(reading)
        gone = there if len(dice) < 3 else pool - there
        taken = tuple(sorted(gone.elements()))
        return [taken] if there <= pool and taken in allowed else []

    return stories(_options(dice), meanings) if dice else []


def _ways(
    state: State, marked: Sequence[seen.Mark], gone: Gone
) -> Iterator[Story[tuple[Hue, int], _Way]]:
    """Yield every legal way to what is seen, from nothing at all to a take with its marks."""
    weigh, before = _scale(marked), state.sheets[state.order[0]]
    scope = str(state.house["six_power_scope"])
    untouched = weigh(before)
    nothing: Story[tuple[Hue, int], Dice] = Story((), (), 1.0)
    if untouched is not None and (not gone or () in gone):
        dice = gone.get((), nothing)
        yield Story(_Way((), state, before), dice.reading, untouched * dice.share)
    for take, after in _after_takes(state, gone):
        dice = gone.get(take[0].dice if take else (), nothing)
        if untouched is not None and take and gone:
            yield Story(_Way(take, after, before), dice.reading, untouched * dice.share)
        if not marked or after.due is None:
            continue
        for move in marks(before, after.due, scope):
            sheet = mark(before, after.due, move, scope)
            weight = weigh(sheet)
            if weight is not None:
                lost = len(after.due.numbers) - len(move.cells) - len(move.powers)
                way = _Way((*take, move), after, sheet, lost)
                yield Story(way, dice.reading, weight * dice.share)


def _after_takes(
    state: State, gone: Mapping[Dice, object]
) -> Iterator[tuple[tuple[Take, ...], State]]:
    """Yield the takes that fit the dice gone, each with the state after it."""
    if state.due is not None:
        yield (), state
        return
    for take in takes(state.pool, *_take_rules(state)):
        if not gone or take.dice in gone:
            yield (take,), apply(state, take)


def _scale(marked: Sequence[seen.Mark]) -> Callable[[Sheet], float | None]:
    """Return the function that weighs how well a sheet fits the marks seen.

    It gives their probability, and None where a mark is too surely another.
    """
    by_row: dict[tuple[Colour, int], list[seen.Mark]] = {}
    for one in marked:
        by_row.setdefault(_on_sheet(one)[:2], []).append(one)

    @cache
    def weigh_row(colour: Colour, row: int, signs: str, six: str) -> float | None:
        together = 1.0
        for one in by_row[colour, row]:
            looks = _looks(signs, six, one.cell[2])
            offered = ((one.mark, one.confidence), *one.others)
            share = sum(share for word, share in offered if word in looks)
            if share < NEAR * one.confidence:
                return None
            together *= share
        return together

    def weigh(sheet: Sheet) -> float | None:
        together = 1.0
        for colour, row in by_row:
            half = sheet.half(colour)
            weight = weigh_row(colour, row, half.rows[row], half.sixes[row])
            if weight is None:
                return None
            together *= weight
        return together

    return weigh


def _looks(signs: str, six: str, column: int) -> tuple[str, ...]:
    """Return how a cell of a row may look in a photo, the proper look first."""
    if column < SIX:
        return GRID_LOOKS[signs[column]]
    return (*SIX_LOOKS[six], "struck") if signs == "#####" else SIX_LOOKS[six]


def _looks_on(sheet: Sheet, cell: Cell) -> tuple[str, ...]:
    half = sheet.half(cell[0])
    return _looks(half.rows[cell[1]], half.sixes[cell[1]], cell[2])


def _on_sheet(one: seen.Mark) -> Cell:
    where, row, column = one.cell
    return ("red" if where == "red" else "blue"), row, column


def _mark_doubts(sheet: Sheet, marked: Sequence[seen.Mark]) -> Iterator[Doubt]:
    """Yield a doubt for each mark that is not as it looks, and for each split without its line."""
    unlined: dict[str, bool] = {}
    for i, one in enumerate(marked):
        cell = _on_sheet(one)
        looks = _looks_on(sheet, cell)
        if one.mark not in looks:
            text = f"{_cell(cell)} looks {one.mark}, which the rules do not allow here"
            yield Doubt(f"{text}; taken as {looks[0]}", ("marks", i))
        elif looks[0] == "struck":
            row = _row(cell[0], cell[1])
            unlined[row] = unlined.get(row, True) and one.mark != "struck"
    for row, missing in unlined.items():
        if missing:
            text = f"{row} is full, so it is a split: strike out its five checks"
            yield Doubt(text, about="progress")


def _unread_marks(
    sheet: Sheet, marked: Sequence[seen.Mark], told: Collection[Sheet]
) -> Iterator[Doubt]:
    """Ask about each mark that may well be another, if no other sheet *told* has it otherwise."""
    for i, one in enumerate(marked):
        cell = _on_sheet(one)
        looks = _looks_on(sheet, cell)
        as_good = sum(share for word, share in one.others if word in looks)
        alike = all(_looks_on(other, cell) == looks for other in told)
        if one.mark in looks and alike and unread(one, as_good):
            yield Doubt(f"{_cell(cell)} looks {one.mark}: is it read right?", ("marks", i))


# ---------------------------------------------------------------- what cannot be


def _compared(seat: int, sheet: Sheet, marked: Sequence[seen.Mark]) -> Proposal:
    """Return where a sheet that is not to be marked now differs from what is known of it."""
    if _scale(marked)(sheet) is not None:
        doubts = (*_mark_doubts(sheet, marked), *_unread_marks(sheet, marked, ()))
        return Proposal(doubts=doubts)
    changes, problems = _changes(sheet, marked)
    problems += [
        Difference(
            f"{_cell(cell)} is {marked[i].mark} on player {seat + 1}'s sheet, "
            "but no turn has brought it",
            "DW-7" if cell[2] == SIX else "DW-5",
            ("marks", i),
        )
        for i, cell in changes
    ]
    return Proposal(differences=tuple(problems))


def _changes(
    sheet: Sheet, marked: Sequence[seen.Mark]
) -> tuple[list[tuple[int, Cell]], list[Difference]]:
    """Return the new marks, each by its index and cell, and what no turn can have done."""
    changes, problems, struck = [], [], {}
    for i, one in enumerate(marked):
        cell = _on_sheet(one)
        looks, on_grid = _looks_on(sheet, cell), cell[2] < SIX
        step = looks[0], one.mark
        if on_grid and one.mark == "struck":
            struck[cell[:2]] = i  # whether its row is full is seen when all marks are known
        if one.mark in looks or (on_grid and step == ("checked", "struck")):
            continue
        if (on_grid and looks[0] == "blank") or (not on_grid and step in SIX_STEPS):
            changes.append((i, cell))
        else:
            text = f"{_cell(cell)} was {looks[0]} and is {one.mark} now"
            problems.append(Difference(text, "DW-5" if on_grid else "DW-7", ("marks", i)))
    filled = {cell for _, cell in changes}
    for (colour, row), i in struck.items():
        for column, sign in enumerate(sheet.half(colour).rows[row]):
            if sign == "." and (colour, row, column) not in filled:
                text = f"{_row(colour, row)} is struck out, but not full"
                problems.append(Difference(text, "DW-6", ("marks", i)))
                break
    return changes, problems


def _unexplained(
    state: State, marked: Sequence[seen.Mark], gone: Mapping[Dice, object]
) -> Proposal:
    """Return why the sheet cannot have come about: the wrong sheet, marks lost, or the rules."""
    seat, weigh = state.order[0], _scale(marked)
    for other, sheet in enumerate(state.sheets):
        if weigh(sheet) is not None:
            text = f"this is player {other + 1}'s sheet, and it is player {seat + 1}'s turn"
            return Proposal.differs(text, "DW-3")
    changes, problems = _changes(state.sheets[seat], marked)
    if problems:
        return Proposal(differences=tuple(problems))
    new = [cell for _, cell in changes]
    ways = list(_after_takes(state, gone))
    if len(ways) == 1 and (refused := _refusal(state, ways[0][1], new)):
        return Proposal(ways[0][0], differences=(Difference(refused.reason, refused.rule),))
    text = f"no take that is there explains what is new: {_listed([_cell(cell) for cell in new])}"
    return Proposal.differs(text, "DW-5")


def _refusal(state: State, taken: State, new: Sequence[Cell]) -> Illegal | None:
    """Return why the rules forbid to mark the *new* cells after the take."""
    sheet, due = state.sheets[state.order[0]], taken.due
    if due is None:
        return None
    spent = [cell for cell in new if cell[2] == SIX and sheet.half(cell[0]).sixes[cell[1]] == "x"]
    cells = tuple(cell for cell in new if cell not in spent)
    # Which number a 6 stands in for cannot be seen: those not checked, in turn.
    numbers = sorted((Counter(due.numbers) - Counter(map(number_of, cells))).elements())
    numbers += [due.numbers[0]] * len(spent)
    powers = tuple((cell[0], cell[1], n) for cell, n in zip(spent, numbers, strict=False))
    try:
        mark(sheet, due, Mark(cells, powers), str(state.house["six_power_scope"]))
    except Illegal as refused:
        return refused
    return None


def _not_taken(state: State, dice: Sequence[seen.Die]) -> Difference:
    """Return why these dice are not what a legal take leaves of the pool."""
    pool = list(state.pool)
    for i, die in enumerate(dice):
        there = next((one for one in pool if one == (die.colour, die.value)), None)
        if there is None:
            text = f"a {die.colour} {die.value} lies there that is not among {_pool(state.pool)}"
            return Difference(text, "DW-3", ("dice", i))
        pool.remove(there)
    missing = tuple(pool)
    if len(dice) < 3:
        missing = tuple((Counter(state.pool) - Counter(pool)).elements())
    if len(missing) > 2:
        many = _whole_number(len(missing))
        text = f"{many} dice are gone; a turn takes at most two. Is one hidden?"
        return Difference(text, "DW-4")
    text = f"{_listed([_die(die) for die in missing])} cannot be taken"
    if state.due is not None:
        return Difference(f"{text}: {_player(state)} has taken dice already", "DW-4")
    colour: Colour = "red" if any(hue == "red" for hue, _ in missing) else "blue"
    try:
        check_take(state.pool, Take(colour, missing), *_take_rules(state))
    except Illegal as refused:
        return Difference(f"{text}: {refused.reason}", refused.rule)
    return Difference(text, "DW-4")


GAME = Game(
    name="dice_wide_shut",
    title=TITLE,
    version=1,
    seats=SEATS,
    settings=SETTINGS,
    moves=(Starter, Roll, Take, Mark),
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
    one_photo=OnePhoto(looks, tell),
    draw=draw,
    boards=boards,
    unseen=(Starter,),
    notes=notes,
)
