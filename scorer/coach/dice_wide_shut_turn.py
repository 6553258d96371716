"""Turns of Dice Wide Shut on coded sheets under the usual house rules, quick for self-play."""

from collections.abc import Iterator, Sequence
from random import Random
from typing import NamedTuple

from scorer.coach.dice_wide_shut_value import (
    CELLS,
    UNIT,
    HalfCode,
    Rivals,
    SheetCode,
    Value,
    points,
    with_half,
)
from scorer.games.dice_wide_shut.moves import HUES, HuedDice

Pool = tuple[list[int], list[int], list[int]]  # values of the red, the blue and the purple dice
Taken = tuple[int, tuple[int, ...]]  # as red 0 or blue 1, the numbers; SIX for a lone 6
SIX: Taken = (2, (6,))


# ---------------------------------------------------------------- what may be marked


def checked(half: HalfCode, row: int, column: int) -> HalfCode:
    """Return a half with one more cell checked; a full row is crossed out."""
    columns, filled = list(half.columns), list(half.filled)
    columns[column] += UNIT[row]
    filled[row] += 1
    if filled[row] == 5:
        columns = [code + UNIT[row] for code in columns]
    return HalfCode(columns, filled, half.sixes)


def spent(half: HalfCode, row: int) -> HalfCode:
    """Return a half whose 6 of that row is spent."""
    sixes = list(half.sixes)
    sixes[row] = 2
    return HalfCode(half.columns, half.filled, sixes)


def after_numbers(half: HalfCode, colour: int, numbers: Sequence[int]) -> Iterator[HalfCode]:
    """Yield what a half may be after a take of these numbers, by the usual rules (DW-5, DW-7).

    Args:
        half: before the marks.
        colour: 0 the red half, 1 the blue one.
        numbers: one or two of 1 to 5, without a lone 6.
    """
    if len(numbers) == 1:
        yield from _after_one(half, *_answers(half, colour, numbers[0]))
    elif numbers[0] == numbers[1]:
        yield from _after_two_alike(half, *_answers(half, colour, numbers[0]))
    else:
        yield from _after_two(
            half, _answers(half, colour, numbers[0]), _answers(half, colour, numbers[1])
        )


CheckChoices = tuple[list[tuple[int, int]], list[int]]  # cells to check, rows whose 6 may be spent


def _answers(half: HalfCode, colour: int, number: int) -> CheckChoices:
    if colour == 0:
        column = number - 1
        code = CELLS[half.columns[column]]
        cells = [(row, column) for row in range(5) if not code[row]]
        return cells, [row for row, _ in cells if half.sixes[row] == 1]
    row = number - 1
    cells = [(row, column) for column in range(5) if not CELLS[half.columns[column]][row]]
    return cells, [row] if cells and half.sixes[row] == 1 else []


def _after_one(
    half: HalfCode, cells: list[tuple[int, int]], powers: list[int]
) -> Iterator[HalfCode]:
    if not cells:
        yield half
    for row, column in cells:
        yield checked(half, row, column)
    for row in powers:
        yield spent(half, row)


def _after_two_alike(
    half: HalfCode, cells: list[tuple[int, int]], powers: list[int]
) -> Iterator[HalfCode]:
    if len(cells) < 2:  # one is lost, or both
        yield from _after_one(half, cells, powers)
        return
    for place, (row, column) in enumerate(cells):
        marked = checked(half, row, column)
        for other_row, other_column in cells[place + 1 :]:
            yield checked(marked, other_row, other_column)
        for power in powers:
            if any(
                cell_row == power for cell_row, other in cells if (cell_row, other) != (row, column)
            ):
                yield spent(marked, power)
    for place, power in enumerate(powers):
        for other in powers[place + 1 :]:
            yield spent(spent(half, power), other)


def _after_two(half: HalfCode, first: CheckChoices, second: CheckChoices) -> Iterator[HalfCode]:
    (cells, powers), (other_cells, other_powers) = first, second
    if not cells and not other_cells:
        yield half
    for row, column in cells:
        marked = checked(half, row, column)
        if not other_cells:
            yield marked
        for other_row, other_column in other_cells:
            yield checked(marked, other_row, other_column)
        for power in other_powers:
            yield spent(marked, power)
    for power in powers:
        marked = spent(half, power)
        if not other_cells:
            yield marked
        for other_row, other_column in other_cells:
            yield checked(marked, other_row, other_column)
        for other in other_powers:
            if other != power:
                yield spent(marked, other)
    if not cells:
        for other_row, other_column in other_cells:
            yield checked(half, other_row, other_column)
        for other in other_powers:
            yield spent(half, other)


def after_six(sheet: SheetCode) -> Iterator[SheetCode]:
    """Yield what a sheet may be after a lone 6: one of the ten checked, if one is blank."""
    lost = True
    for colour, half in enumerate(sheet):
        for row in range(5):
            if half.sixes[row] == 0:
                lost = False
                sixes = list(half.sixes)
                sixes[row] = 1
                yield with_half(sheet, colour, HalfCode(half.columns, half.filled, sixes))
    if lost:
        yield sheet


# ---------------------------------------------------------------- dice


def rolled(seats: int, chance: Random) -> Pool:
    """Return a new roll for a number of players (DW-2)."""
    red, blue, purple = [
        [int(6 * chance.random()) + 1 for _ in range(count)] for count in (seats + 1, seats + 1, 1)
    ]
    return red, blue, purple


def may_take(pool: Pool) -> Iterator[Taken]:
    """Yield each different take (DW-4)."""
    for colour in (0, 1):
        small = sorted([value for value in pool[colour] + pool[2] if value < 6])
        yield from {
            (colour, (low, high)) for place, low in enumerate(small) for high in small[place + 1 :]
        }
        if len(small) == 1:
            yield colour, (small[0],)
    if 6 in pool[0] or 6 in pool[1] or 6 in pool[2]:
        yield SIX


def leaves(pool: Pool, taken: Taken) -> list[Pool]:
    """Return what a take may leave, first where the purple die stays if it can."""
    colour, numbers = taken
    left = [pool]
    for number in numbers:
        hues = (0, 1, 2) if colour == 2 else (colour, 2)
        left = [_less(one, hue, number) for one in left for hue in hues if number in one[hue]]
    return left


def _less(pool: Pool, hue: int, number: int) -> Pool:
    left = (list(pool[0]), list(pool[1]), list(pool[2]))
    left[hue].remove(number)
    return left


def lying(dice: HuedDice) -> Pool:
    """Return dice of the rules as a pool."""
    red, blue, purple = ([value for name, value in dice if name == hue] for hue in HUES)
    return red, blue, purple


class Reply:
    """The best immediate use of the remaining dice by the next player."""

    def __init__(self, sheet: SheetCode) -> None:
        """Take that player's sheet."""
        self._sheet, self._gains = sheet, dict[Taken, int]()

    def most(self, pool: Pool) -> int:
        """Return how many points the best turn with the dice in *pool* brings."""
        return max(map(self._gain, may_take(pool)), default=0)

    def _gain(self, taken: Taken) -> int:
        if taken not in self._gains:
            totals = [points(one.red) + points(one.blue) for one in outcomes(self._sheet, taken)]
            self._gains[taken] = max(totals) - points(self._sheet.red) - points(self._sheet.blue)
        return self._gains[taken]


# ---------------------------------------------------------------- the best turn


class Coached(NamedTuple):
    """A turn that the coach weighs."""

    chance: float
    points: int
    sheet: SheetCode  # after it
    taken: Taken
    left: Pool
    theirs: int  # points that the next player can make of the remaining dice


def coached_turn(
    value: Value, table: Sequence[SheetCode], seat: int, pool: Pool, waiting: Sequence[int]
) -> Coached:
    """Return the turn that the coach chooses; *waiting* are the seats that play after it."""
    rivals, sheet = Rivals(value, table, seat, waiting), table[seat]
    reply = Reply(table[waiting[0]]) if waiting else None
    turns = []
    for taken in sorted(may_take(pool)):
        left = leaves(pool, taken)
        theirs = [reply.most(one) for one in left] if reply else [0]
        least = min(theirs)
        rest = left[theirs.index(least)]
        for after in outcomes(sheet, taken):
            total = points(after.red) + points(after.blue)
            turns.append(Coached(rivals.chance(after, least), total, after, taken, rest, least))
    return max(turns, key=lambda turn: turn[:2])


def greedy_turn(sheet: SheetCode, pool: Pool, chance: Random) -> tuple[SheetCode, Taken]:
    """Return one of the sheets with the most points, and the take that leads to it."""
    turns = [(after, taken) for taken in sorted(may_take(pool)) for after in outcomes(sheet, taken)]
    totals = [points(after.red) + points(after.blue) for after, _ in turns]
    best = max(totals)
    return chance.choice([turn for turn, total in zip(turns, totals, strict=True) if total == best])


def outcomes(sheet: SheetCode, taken: Taken) -> Iterator[SheetCode]:
    """Yield every sheet that a take may lead to."""
    if taken == SIX:
        return after_six(sheet)
    colour, numbers = taken
    halves = after_numbers(sheet[colour], colour, numbers)
    return (with_half(sheet, colour, half) for half in halves)
