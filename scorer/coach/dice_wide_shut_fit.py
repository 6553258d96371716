"""Fit the worth of a sheet by self-play: `python -m scorer.coach.dice_wide_shut_fit` writes it.

Two to five players choose by the value as it is; after each game the worth of every sheet on its
way is moved towards the result: TD(lambda) on the sheets after each turn (Sutton, "Learning to
Predict by the Methods of Temporal Differences", 1988), over tables as in Szubert and Jaskowski,
"Temporal Difference Learning of N-Tuple Networks for the Game 2048", 2014. Each game has a seed of
its own, so a run that goes on from its checkpoint ends with the same weights.
"""

from __future__ import annotations

import argparse
import random
import time
from array import array
from pathlib import Path

from scorer.coach.dice_wide_shut_turn import best_turn, leaves, rolled
from scorer.coach.dice_wide_shut_value import (
    CELLS,
    NEW,
    STAGE,
    UNIT,
    SheetCode,
    Value,
    distance,
    nearest,
    points,
    unfitted,
)
from scorer.coach.tables import write

GAMES = 13_500
LAMBDA = 0.7  # how far the result counts, against the worth one turn later
RATE, HALVED = 0.12, 4_000  # the share of an error that is put right, and after how many games half
FEATURES = 23  # weights that make up a worth
SEATS = (2, 2, 2, 3, 4, 5)  # numbers of players, game by game
EVERY = 500  # games between two checkpoints
MIRROR = tuple(sum(cell * UNIT[4 - row] for row, cell in enumerate(cells)) for cells in CELLS)

FitStep = tuple[SheetCode, int]  # a sheet after its player's turn, and how near the others are


def played(
    value: Value, seats: int, chance: random.Random
) -> tuple[list[list[FitStep]], list[int]]:
    """Play a game by *value*; return each seat's steps and totals."""
    sheets = [NEW] * seats
    steps: list[list[FitStep]] = [[] for _ in range(seats)]
    starter, ended = 0, False
    while not ended:
        pool = rolled(seats, chance)
        for turn in range(seats):
            seat = (starter + turn) % seats
            others = min(nearest(sheet) for other, sheet in enumerate(sheets) if other != seat)
            _, sheets[seat], taken = best_turn(value, sheets[seat], pool, seats, others)
            pool = leaves(pool, taken)[0]
            steps[seat].append((sheets[seat], others))
            ended = ended or nearest(sheets[seat]) == 0
        starter = (starter + 1) % seats
    return steps, [points(sheet.red) + points(sheet.blue) for sheet in sheets]


def learn(value: Value, steps: list[FitStep], total: int, seats: int, rate: float) -> float:
    """Move the worth of each step towards its result; return the mean squared error."""
    target, squares = float(total), 0.0
    for sheet, others in reversed(steps):
        if others and nearest(sheet):
            worth = value.worth(sheet, seats, others)
            squares += (total - worth) ** 2
            _move(value, sheet, seats, others, rate * (target - worth) / FEATURES)
            target = LAMBDA * target + (1 - LAMBDA) * worth
    return squares / len(steps)


def _move(value: Value, sheet: SheetCode, seats: int, others: int, by: float) -> None:
    own = nearest(sheet)
    stage = STAGE[min(own, others)]
    value.base[seats - 2][own][others] += by
    for colour, half in enumerate(sheet):
        value.ends[colour][stage][distance(half)] += by
        columns, rows = value.columns[colour][stage], value.rows[colour][stage]
        for code in half.columns:
            columns[code] += by
            if MIRROR[code] != code:
                columns[MIRROR[code]] = columns[code]
        for shift, filled, six in zip((0, 18, 36, 18, 0), half.filled, half.sixes, strict=True):
            rows[shift + 3 * filled + six] += by


def fit(games: int, checkpoint: Path | None = None) -> Value:
    """Return the value after so many games, going on from *checkpoint* where that exists."""
    value, first = unfitted(), 0
    if checkpoint is not None and checkpoint.exists():
        kept = array("d", checkpoint.read_bytes())
        value, first = Value(kept[1:]), int(kept[0])
    began, sums = time.process_time(), [0.0, 0.0, 0.0]
    for number in range(first, games):
        seats = SEATS[number % len(SEATS)]
        steps, totals = played(value, seats, random.Random(number))  # noqa: S311  # a game, no secret
        for mine, total in zip(steps, totals, strict=True):
            error = learn(value, mine, total, seats, RATE / (1 + number / HALVED))
            if seats == 2:
                sums = [sums[0] + 1, sums[1] + total, sums[2] + error]
        if (number + 1) % EVERY == 0:
            count, total_sum, errors = sums
            print(
                f"{number + 1} games, {time.process_time() - began:.0f} s: two players end with"
                f" {total_sum / count:.2f} on average, foreseen to {(errors / count) ** 0.5:.2f}",
                flush=True,
            )
            sums = [0.0, 0.0, 0.0]
            if checkpoint is not None:
                checkpoint.write_bytes(array("d", [number + 1, *value.flat()]).tobytes())
    return value


def main() -> None:
    """Write the weights."""
    ask = argparse.ArgumentParser(description=__doc__)
    ask.add_argument("--games", type=int, default=GAMES)
    ask.add_argument("--checkpoint", type=Path, help="file to go on from, and to keep")
    args = ask.parse_args()
    write("dice_wide_shut", fit(args.games, args.checkpoint).flat())


if __name__ == "__main__":
    main()
