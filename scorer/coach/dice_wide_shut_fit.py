"""Fit how strong sheets are by self-play: `python -m scorer.coach.dice_wide_shut_fit` writes it.

Two to five players play, some by the value as it is and some for the most points; after each game
the chances to win after every turn are moved towards who won: TD(lambda) (Sutton, "Learning to
Predict by the Methods of Temporal Differences", 1988) on the cross entropy, each weight at a rate
of its own (Duchi, Hazan and Singer, "Adaptive Subgradient Methods", 2011). Each game has a seed of
its own, so a run that goes on from its checkpoint ends with the same weights.
"""

import argparse
import random
import time
from array import array
from collections.abc import Iterator, Sequence
from math import exp, sqrt
from pathlib import Path
from typing import NamedTuple

from scorer.coach.dice_wide_shut_turn import Reply, coached_turn, greedy_turn, leaves, rolled
from scorer.coach.dice_wide_shut_value import (
    CELLS,
    NEW,
    OVER,
    STAGE,
    UNIT,
    SheetCode,
    Value,
    distance,
    nearest,
    standing,
    unfitted,
)
from scorer.coach.tables import write

GAMES = 8_000
LAMBDA = 0.8  # of TD(lambda): weight of the result against the chances one turn later
RATE, HALVED = 0.2, 2_000  # learning rate, and the number of games after which it is halved
SEATS = range(2, 6)  # numbers of players, game by game
LEARNERS = 0.5  # share of players who play by the value
EVERY = 500  # games between two checkpoints
MIRROR = tuple(sum(cell * UNIT[4 - row] for row, cell in enumerate(cells)) for cells in CELLS)
SHIFTS = (0, 18, 36, 18, 0)  # where the weights of a row begin


class FitStep(NamedTuple):
    """A table after a turn."""

    table: tuple[SheetCode, ...]
    waiting: tuple[int, ...]  # seats that play after it in the round
    theirs: int  # points that the first of them can make of the dice left


def played(
    value: Value, learners: Sequence[bool], chance: random.Random
) -> tuple[list[FitStep], list[float]]:
    """Play a game; return the table after each turn, and how much of the win each seat has."""
    seats = len(learners)
    table, steps, starter = [NEW] * seats, list[FitStep](), 0
    while not any(nearest(sheet) == 0 for sheet in table):
        pool = rolled(seats, chance)
        order = [(starter + turn) % seats for turn in range(seats)]
        for turn, seat in enumerate(order):
            waiting = order[turn + 1 :]
            if learners[seat]:
                _, _, table[seat], _, pool, theirs = coached_turn(value, table, seat, pool, waiting)
            else:
                table[seat], taken = greedy_turn(table[seat], pool, chance)
                pool = leaves(pool, taken)[0]
                theirs = Reply(table[waiting[0]]).most(pool) if waiting else 0
            steps.append(FitStep(tuple(table), tuple(waiting), theirs))
        starter = (starter + 1) % seats
    reached = [standing(sheet) for sheet in table]
    best = max(reached)
    return steps, [(one == best) / reached.count(best) for one in reached]


class Fit:
    """A value during training, with the optimizer's state."""

    def __init__(self, value: Value, squares: Value) -> None:
        """Take the weights, and the sums of their squared gradients."""
        self.value, self.squares = value, squares

    def learn(self, steps: Sequence[FitStep], won: Sequence[float], rate: float) -> None:
        """Update the weights by the chances after each step and the winners."""
        target = list(won)
        for step in reversed(steps):
            stage = STAGE[min(map(nearest, step.table))]
            if stage == OVER and not step.waiting:
                continue  # the winner is known
            chances = self.chances(step, stage)
            for seat, (wanted, expected) in enumerate(zip(target, chances, strict=True)):
                self._move(step, stage, seat, wanted - expected, rate)
            target = [
                LAMBDA * wanted + (1 - LAMBDA) * expected
                for wanted, expected in zip(target, chances, strict=True)
            ]

    def chances(self, step: FitStep, stage: int) -> list[float]:
        """Return each seat's chance to win."""
        weights = []
        for seat, sheet in enumerate(step.table):
            strength = self.value.strength(sheet, stage)
            if seat in step.waiting:
                strength += self.value.due[stage]
            if seat in step.waiting[:1]:
                strength += self.value.reply[stage] * step.theirs
            weights.append(exp(strength))
        return [weight / sum(weights) for weight in weights]

    def _move(self, step: FitStep, stage: int, seat: int, error: float, rate: float) -> None:
        for row, squares, index in self._places(step.table[seat], stage):
            squares[index] += error * error
            row[index] += rate * error / sqrt(squares[index] + 1)
        for row, squares, size in (
            (self.value.due, self.squares.due, float(seat in step.waiting)),
            (self.value.reply, self.squares.reply, step.theirs * (seat in step.waiting[:1])),
        ):
            squares[stage] += (error * size) ** 2
            row[stage] += rate * error * size / sqrt(squares[stage] + 1)

    def _places(
        self, sheet: SheetCode, stage: int
    ) -> Iterator[tuple[list[float], list[float], int]]:
        """Yield the index of each weight of a sheet, and the sum of its squared gradients."""
        value, sums = self.value, self.squares
        for colour, half in enumerate(sheet):
            yield value.ends[colour][stage], sums.ends[colour][stage], distance(half)
            columns, squares = value.columns[colour][stage], sums.columns[colour][stage]
            for code in half.columns:
                least = min(code, MIRROR[code])
                yield columns, squares, least
                columns[MIRROR[least]] = columns[least]
            rows, squares = value.rows[colour][stage], sums.rows[colour][stage]
            for shift, filled, six in zip(SHIFTS, half.filled, half.sixes, strict=True):
                yield rows, squares, shift + 3 * filled + six


def fit(games: int, checkpoint: Path | None = None) -> Value:
    """Return the value after a number of games, resuming from *checkpoint* if it exists."""
    value = unfitted()
    squares, first = Value([0.0] * sum(1 for _ in value.flat())), 0
    if checkpoint is not None and checkpoint.exists():
        kept = array("d", checkpoint.read_bytes())
        first, half = int(kept[0]), len(kept) // 2
        value, squares = Value(kept[1 : half + 1]), Value(kept[half + 1 :])
    learner, began, won = Fit(value, squares), time.process_time(), [0.0, 0.0]
    for number in range(first, games):
        chance = random.Random(number)  # noqa: S311  # a game, no secret
        seats = SEATS[number % len(SEATS)]
        learners = [chance.random() < LEARNERS for _ in range(seats)]
        steps, shares = played(value, learners, chance)
        learner.learn(steps, shares, RATE / (1 + number / HALVED))
        if 0 < sum(learners) < seats:
            won[0] += sum(share for share, mine in zip(shares, learners, strict=True) if mine)
            won[1] += sum(learners) / seats
        if (number + 1) % EVERY == 0:
            print(
                f"{number + 1} games, {time.process_time() - began:.0f} s: by the value"
                f" {won[0] / won[1]:.2f} times the fair share",
                flush=True,
            )
            won = [0.0, 0.0]
            if checkpoint is not None:
                kept = array("d", [number + 1, *value.flat(), *squares.flat()])
                checkpoint.write_bytes(kept.tobytes())
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
