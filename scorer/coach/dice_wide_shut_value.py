"""How strong the sheets at a table of Dice Wide Shut are: weights fitted by self-play.

The chances to win are the softmax of the strengths of all sheets (Bradley and Terry, "Rank Analysis
of Incomplete Block Designs", 1952, for more than two). The strength of a sheet is the sum of what
its columns, its rows and its distances from the end count, by how near the table is to the end of
the game. Columns of a half are alike, and so are a column and its mirror image, top to bottom.
`python -m scorer.coach.dice_wide_shut_fit` writes the weights.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from math import exp
from typing import NamedTuple

from scorer.coach.tables import table
from scorer.games.dice_wide_shut.moves import COLOURS
from scorer.games.dice_wide_shut.sheet import score_column
from scorer.games.dice_wide_shut.state import Sheet

CODES = 3**5  # of a column: a digit a cell, the upper row last: 0 blank, 1 checked, 2 crossed out
FAR = 15  # blank cells in three empty columns
STAGES = (0, 2, 4, 6, 9, FAR)  # the last distance of each: how near to its end a game is
OVER = 0  # the stage after the end was triggered, in which others have a last turn
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


SIZES = (CODES, 54, FAR + 1)  # weights of a half in a stage: of its columns, its rows, its distance
POINT = 0.25  # of an unfitted value: what a point counts once the game has ended


class Value:
    """The fitted weights; `strength` of a sheet is what its chance to win goes by."""

    def __init__(self, weights: Sequence[float]) -> None:
        """Take all weights in one row, as `flat` returns them."""
        it = iter(weights)

        def row(size: int) -> list[float]:
            return [next(it) for _ in range(size)]

        # Each by half and stage; a row is at 18 * place + 3 * filled + six.
        self.columns, self.rows, self.ends = (
            [[row(size) for _stage in STAGES] for _colour in COLOURS] for size in SIZES
        )
        self.due = row(len(STAGES))  # what a turn yet to come in the round counts
        self.reply = row(len(STAGES))  # what a point counts that the next player can make of dice
        assert next(it, None) is None

    def flat(self) -> Iterator[float]:
        """Yield all weights in one row."""
        for part in (self.columns, self.rows, self.ends):
            for shelf in part:
                for row in shelf:
                    yield from row
        yield from self.due
        yield from self.reply

    def strength(self, sheet: SheetCode, stage: int) -> float:
        """Return how strong a sheet is at a table of that stage."""
        return self.half(0, stage, sheet.red) + self.half(1, stage, sheet.blue)

    def half(self, colour: int, stage: int, half: HalfCode) -> float:
        """Return what one half adds to a strength."""
        columns, rows = self.columns[colour][stage], self.rows[colour][stage]
        a, b, c, d, e = half.columns
        f, g, h, i, j = half.filled
        k, m, n, o, p = half.sixes
        return (
            self.ends[colour][stage][distance(half)]
            + columns[a] + columns[b] + columns[c] + columns[d] + columns[e]
            + rows[3 * f + k]
            + rows[18 + 3 * g + m]
            + rows[36 + 3 * h + n]
            + rows[18 + 3 * i + o]
            + rows[3 * j + p]
        )  # fmt: skip


class Rivals:
    """The opponents, from the view of a player who compares choices."""

    def __init__(
        self,
        value: Value,
        table: Sequence[SheetCode],
        seat: int,
        waiting: Sequence[int],
        absent: Sequence[int] = (),
    ) -> None:
        """Take the sheets before the turn of *seat*; the *absent* cannot win."""
        self._value, self._seat, self._table, self._waiting = value, seat, table, waiting
        self._others = [at for at in range(len(table)) if at != seat and at not in absent]
        self.nearest = min((nearest(table[at]) for at in self._others), default=FAR)
        self._weights: dict[int, tuple[float, float]] = {}
        self._halves: dict[tuple[int, int], float] = {}

    def chance(self, sheet: SheetCode, theirs: int) -> float:
        """Return the chance to win with such a sheet; *theirs* are the next player's points."""
        stage = STAGE[min(nearest(sheet), self.nearest)]
        if stage == OVER and not self._waiting:
            return self._settled(sheet)
        if stage not in self._weights:
            self._weights[stage] = self._weigh(stage)
        following, others = self._weights[stage]
        mine = exp(self._half(0, stage, sheet) + self._half(1, stage, sheet))
        return mine / (mine + others + following * exp(self._value.reply[stage] * theirs))

    def _half(self, colour: int, stage: int, sheet: SheetCode) -> float:
        """Return what a half adds; the one that the turn leaves alone is added up once."""
        half = sheet[colour]
        if half is not self._table[self._seat][colour]:
            return self._value.half(colour, stage, half)
        if (colour, stage) not in self._halves:
            self._halves[colour, stage] = self._value.half(colour, stage, half)
        return self._halves[colour, stage]

    def _weigh(self, stage: int) -> tuple[float, float]:
        """Return the weight of the next player, and the sum of all others."""
        weights = {
            seat: exp(
                self._value.strength(self._table[seat], stage)
                + self._value.due[stage] * (seat in self._waiting)
            )
            for seat in self._others
        }
        following = weights.get(self._waiting[0], 0.0) if self._waiting else 0.0
        return following, sum(weights.values()) - following

    def _settled(self, sheet: SheetCode) -> float:
        """Return 1 or 0 if nobody plays any more; level players share it."""
        reached = [standing(self._table[seat]) for seat in self._others]
        mine = standing(sheet)
        return 1 / (1 + reached.count(mine)) if mine >= max(reached, default=mine) else 0.0


def standing(sheet: SheetCode) -> tuple[int, int]:
    """Return what a game is won by: points, then split rows (DW-10)."""
    return points(sheet.red) + points(sheet.blue), sum(half.filled.count(5) for half in sheet)


@cache
def fitted() -> Value:
    """Return the value that ships."""
    return Value(table("dice_wide_shut"))


def unfitted() -> Value:
    """Return the value that knows the points of a sheet as it stands, and nothing else."""
    size = len(COLOURS) * len(STAGES) * sum(SIZES) + 2 * len(STAGES)
    value = Value([0.0] * size)
    for shelf in value.columns:
        for stage, row in enumerate(shelf):
            row[:] = [POINT * count * (1 - stage / 10) for count in POINTS]
    return value
