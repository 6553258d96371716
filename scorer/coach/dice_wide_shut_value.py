"""What a sheet of Dice Wide Shut will be worth in the end: a table fitted by self-play.

A sheet is worth the sum of what its columns, its rows and its distances from the end are worth; how
much hangs on how near the game is to its end. Columns of a half are alike, and so are a column and
its mirror image, top to bottom. `python -m scorer.coach.dice_wide_shut_fit` writes the
weights.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple

from scorer.coach.tables import table
from scorer.games.dice_wide_shut.moves import COLOURS
from scorer.games.dice_wide_shut.settings import SEATS
from scorer.games.dice_wide_shut.sheet import score_column
from scorer.games.dice_wide_shut.state import Sheet

CODES = 3**5  # of a column: a digit a cell, the upper row last: 0 blank, 1 checked, 2 crossed out
FAR = 15  # blank cells in three empty columns
STAGES = (2, 4, 6, 9, FAR)  # the last distance of each: how near to its end a game is
PLACES = (0, 1, 2, 1, 0)  # of a row: its distance from the edge
SIGNS = {".": 0, "x": 1, "k": 2}
UNIT = tuple(3**row for row in range(5))
CELLS = tuple(tuple(code // unit % 3 for unit in UNIT) for code in range(CODES))
BLANKS = tuple(cells.count(0) for cells in CELLS)
POINTS = tuple(score_column("".join(".x#"[cell] for cell in cells)) for cells in CELLS)
STAGE = tuple(
    next(stage for stage, last in enumerate(STAGES) if distance <= last)
    for distance in range(FAR + 1)
)


class HalfCode(NamedTuple):
    """One half: a code a column, and of each row how many cells are filled and its six."""

    columns: Sequence[int]
    filled: Sequence[int]
    sixes: Sequence[int]


class SheetCode(NamedTuple):
    """Both halves of a sheet."""

    red: HalfCode
    blue: HalfCode


EMPTY = HalfCode((0,) * 5, (0,) * 5, (0,) * 5)
NEW = SheetCode(EMPTY, EMPTY)


def coded(sheet: Sheet) -> SheetCode:
    """Return a sheet of the rules as the codes that the tables are asked with."""
    halves = []
    for _, half in sheet.halves():
        cells = [[".x#".index(sign) for sign in row] for row in half.rows]
        columns = tuple(
            sum(cells[row][column] * UNIT[row] for row in range(5)) for column in range(5)
        )
        filled = tuple(5 - row.count(".") for row in half.rows)
        halves.append(HalfCode(columns, filled, tuple(SIGNS[sign] for sign in half.sixes)))
    return SheetCode(*halves)


def points(half: HalfCode) -> int:
    """Return the points of one half as it stands."""
    return sum(POINTS[code] for code in half.columns)


def distance(half: HalfCode) -> int:
    """Return how many cells are still blank in the three fullest columns: at 0 the game ends."""
    a, b, c, d, e = half.columns
    blanks = [BLANKS[a], BLANKS[b], BLANKS[c], BLANKS[d], BLANKS[e]]
    blanks.sort()
    return blanks[0] + blanks[1] + blanks[2]


def nearest(sheet: SheetCode) -> int:
    """Return how many cells a sheet is from ending the game."""
    return min(distance(sheet.red), distance(sheet.blue))


def with_half(sheet: SheetCode, colour: int, half: HalfCode) -> SheetCode:
    """Return the sheet with another half of that colour: 0 red, 1 blue."""
    return SheetCode(half, sheet.blue) if colour == 0 else SheetCode(sheet.red, half)


# ---------------------------------------------------------------- the fitted value

COLUMN, ROW = len(COLOURS) * len(STAGES) * CODES, len(COLOURS) * len(STAGES) * 3 * 18
END = len(COLOURS) * len(STAGES) * (FAR + 1)
BASE = len(SEATS) * (FAR + 1) ** 2


class Value:
    """The fitted weights; `worth` of a sheet is the total that it is expected to end with."""

    def __init__(self, weights: Sequence[float]) -> None:
        """Take all weights in one row, as `flat` returns them."""
        assert len(weights) == COLUMN + ROW + END + BASE
        it = iter(weights)

        def shelf(*sizes: int) -> list[list[list[float]]]:
            return [
                [[next(it) for _ in range(sizes[2])] for _ in range(sizes[1])]
                for _ in range(sizes[0])
            ]

        stages = len(STAGES)
        self.columns = shelf(2, stages, CODES)  # half, stage, code
        self.rows = shelf(2, stages, 54)  # half, stage, 18 * place + 3 * filled + six
        self.ends = shelf(2, stages, FAR + 1)  # half, stage, distance
        self.base = shelf(len(SEATS), FAR + 1, FAR + 1)  # players, own distance, the others'

    def flat(self) -> Iterator[float]:
        """Yield all weights in one row."""
        for part in (self.columns, self.rows, self.ends, self.base):
            for shelf in part:
                for row in shelf:
                    yield from row

    def worth(self, sheet: SheetCode, seats: int, others: int) -> float:
        """Return the total that a sheet is expected to end with.

        Args:
            sheet: after its player's turn.
            seats: number of players.
            others: blank cells between the end and the nearest of the other sheets; 0: it has come.
        """
        red, blue = distance(sheet.red), distance(sheet.blue)
        own = min(red, blue)
        if own == 0 or others == 0:
            return points(sheet.red) + points(sheet.blue)
        stage = STAGE[min(own, others)]
        return (
            self.base[seats - 2][own][others]
            + self.half(0, stage, sheet.red, red)
            + self.half(1, stage, sheet.blue, blue)
        )

    def half(self, colour: int, stage: int, half: HalfCode, end: int) -> float:
        """Return what one half adds to a worth."""
        columns, rows = self.columns[colour][stage], self.rows[colour][stage]
        a, b, c, d, e = half.columns
        f, g, h, i, j = half.filled
        k, m, n, o, p = half.sixes
        return (
            self.ends[colour][stage][end]
            + columns[a] + columns[b] + columns[c] + columns[d] + columns[e]
            + rows[3 * f + k]
            + rows[18 + 3 * g + m]
            + rows[36 + 3 * h + n]
            + rows[18 + 3 * i + o]
            + rows[3 * j + p]
        )  # fmt: skip


# Chosen among a dozen pairs by games of two against a greedy player (not those of `make strength`).
# Of several others each may end the game, so both are shared out among them: with five players 18.9
# for 15.9 % won. `make strength GAME=dice_wide_shut N=1500 ARGS="--seats 2 3 4 5 --against greedy"`
# says: 62.0, 34.9, 23.5 and 18.9 % won (±2.5 to 2.0), 3.3, 4.9, 5.5 and 7.1 % level. A greedy
# player in the coach's place, with `--player greedy`, wins 30.0 % of three and 17.7 % of five.
SHARE = 0.45  # of what self-play promises beyond the points: others may end the game sooner
TEMPO = 2.2  # points that a cell nearer to the end is worth: who ends the game mostly wins it
LAST_TURN = 6  # points that a player makes in a last turn, about
DECIDES = 200  # more than any total: a turn that ends the game wins it or loses it


def choice(value: Value, sheet: SheetCode, seats: int, others: int, rival: int) -> float:
    """Return what a sheet counts for who chooses; a figure to compare choices, no total.

    Args:
        value: what self-play promises.
        sheet: after the turn.
        seats: number of players.
        others: blank cells between the end and the nearest of the other sheets; 0: it has come.
        rival: what the best of the others reaches if the game ends now.
    """
    total = points(sheet.red) + points(sheet.blue)
    if others == 0:
        return total
    if nearest(sheet) == 0:
        return total + (DECIDES if total > rival else -DECIDES)
    to_come = value.worth(sheet, seats, others) - total
    return total + (SHARE * to_come - TEMPO * nearest(sheet)) / (seats - 1)


def reached(table: Sequence[SheetCode], seat: int, waiting: Sequence[int]) -> int:
    """Return what the best of the others reaches if *seat* ends the game now.

    *waiting* are the seats that have a last turn.
    """
    return max(
        points(sheet.red) + points(sheet.blue) + (LAST_TURN if other in waiting else 0)
        for other, sheet in enumerate(table)
        if other != seat
    )


def denied(theirs: int, seats: int) -> float:
    """Return what counts against a turn that leaves the next player dice for so many points.

    Of two players all that the other makes is lost to oneself.
    """
    return theirs / (seats - 1)


@cache
def fitted() -> Value:
    """Return the value that ships."""
    return Value(table("dice_wide_shut"))


def unfitted() -> Value:
    """Return the value that knows the points of a sheet as it stands, and nothing else."""
    value = Value([0.0] * (COLUMN + ROW + END + BASE))
    for shelf in value.columns:
        for row in shelf:
            row[:] = map(float, POINTS)
    return value
