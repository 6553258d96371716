"""The figures of ../shared/rules/FACTS.md that want a solver or many games: `make facts`.

Each `Figure` has what FACTS says, what we find, and its standard error; 0: ours is exact. The tests
ask for few games (`test_facts`), the command for as many as FACTS had, in some minutes.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from math import comb
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from models.harness import run
from scorer.coach.even_at_odds_view import TopGroups
from scorer.coach.purple_house import ColourPosition, colour_margin
from scorer.dominoes import surface
from scorer.games.dice_wide_shut.rules import winners
from scorer.games.even_at_odds.board import top_level
from scorer.games.gords.bids import is_star, places, wanted
from tests.tools.beat_facts import (
    BEAT_GAMES,
    SHARES,
    Figure,
    carried_over,
    highest_undoubled,
    lowest,
    mean,
    race,
    turns,
    two_players,
)
from tests.tools.strength import duel, wide_shut

# ---------------------------------------------------------------- Purple House


def colour_match() -> Counter[int]:
    """Return how many of 1024 rolls lead to each margin in the even harder game."""
    found = Counter[int]()
    for first, second in product(range(6), repeat=2):
        margin = colour_margin(ColourPosition(0, 0, 0, first, second))
        found[margin] += comb(5, first) * comb(5, second)
    return found


# ---------------------------------------------------------------- Dice Wide Shut

WIDE_SHUT_GAMES = 6_000
# By players: rounds, the winner's score, the average, who ends the game wins, and where FACTS says
# it how many of the turns take a single die. Ours are a little fewer with two: which of level turns
# is taken it does not say.
GREEDY: Mapping[int, tuple[float | None, ...]] = {
    2: (17.7, 86, 83, 72, 4.6),
    3: (16.6, 82, 78, 60, None),
    4: (15.8, 78, 74, 49, None),
    5: (15.2, 75, 71, 44, 6.0),
}
# Rounds; of the fewest and the most players also the average and the splits of each.
ANY: Mapping[int, tuple[float | None, ...]] = {
    2: (28, 36, 3.2),
    3: (27, None, None),
    4: (26, None, None),
    5: (25, 40, 2.4),
}


def greedy_wide_shut(seats: int, games: int) -> Iterator[Figure]:
    """Yield the figures of greedy players; level winners have equal parts of a win."""
    played = [wide_shut(["greedy"] * seats, number) for number in range(games)]
    best = [winners(one.totals, one.splits) for one in played]
    ender = [100 * (one.ended_by in who) / len(who) for one, who in zip(played, best, strict=True)]
    columns: Columns = {
        "rounds": (1, [one.rounds for one in played]),
        "winner's score": (0, [max(one.totals) for one in played]),
        "average score": (0, [sum(one.totals) / seats for one in played]),
        "who ends it wins, %": (0, ender),
        "single dice, %": (1, [100 * _alone(one.takes) for one in played]),
    }
    return _figures(GREEDY[seats], columns)


def _alone(takes: Sequence[tuple[int, tuple[int, ...]]]) -> float:
    """Return the share of turns that use the exception of DW-4 for one die 1 to 5."""
    return sum(len(numbers) == 1 and numbers != (6,) for _, numbers in takes) / len(takes)


def any_wide_shut(seats: int, games: int) -> Iterator[Figure]:
    """Yield the figures of players who do anything, each take with its marks as likely."""
    played = [wide_shut(["any"] * seats, number) for number in range(games)]
    columns: Columns = {
        "rounds": (0, [one.rounds for one in played]),
        "average score": (0, [sum(one.totals) / seats for one in played]),
        "splits of each": (1, [sum(one.splits) / seats for one in played]),
    }
    return _figures(ANY[seats], columns)


Columns = Mapping[str, tuple[int, Sequence[float]]]  # by name: digits, and a number a game


def _figures(published: Sequence[float | None], columns: Columns) -> Iterator[Figure]:
    """Yield a figure for each column that FACTS has."""
    for said, (name, (digits, values)) in zip(published, columns.items(), strict=True):
        if said is not None:
            yield mean(name, said, values, digits, WIDE_SHUT_GAMES)


# ---------------------------------------------------------------- Even at Odds

DUELS = 2_400


def even_at_odds(players: str, games: int) -> Iterator[Figure]:
    """Yield the figures of two greedy players, or of two who lay anything."""
    lines = [_duel(players, number) for number in range(games)]
    columns = {name: [line[name] for line in lines] for name in lines[0]}
    for name, (figure, digits) in DUEL[players].items():
        yield mean(name, figure, columns[name], digits, DUELS)


GREEDY_DUEL = {
    "starter wins, %": (29.7, 1),
    "other wins, %": (55.2, 1),
    "level groups, %": (15.1, 1),
    "by the top level, %": (9.3, 1),
    "by the extra tile, %": (5.8, 1),
    "winner's group": (6.0, 1),
    "loser's group": (3.5, 1),
    "tiles stacked": (10.2, 1),
    "top level": (3.6, 1),
    "moves a turn": (85.0, 0),
    "forced pass, %": (0.25, 2),  # 6 of 2,400 games
}
RANDOM_DUEL = {
    "starter wins, %": (43.8, 1),
    "other wins, %": (46.1, 1),
    "winner's group": (9.1, 1),
    "moves a turn": (112.0, 0),
}
DUEL = {"greedy": GREEDY_DUEL, "random": RANDOM_DUEL}


def _duel(players: str, number: int) -> dict[str, float]:
    """Return what one game adds to each figure."""
    *turns, (last, _) = list(duel([players] * 2, number))
    starter, outcome = turns[0][0].turn, last.outcome
    assert outcome is not None
    level = outcome.extra or outcome.groups[0] == outcome.groups[1]
    winner = None if level else outcome.winner
    top = surface(last.laid)
    options = [
        sum(1 for tile in hand for _ in TopGroups(surface(state.laid), state.house).options(tile))
        for state, hand in turns
    ]
    stacked = len(last.laid) - sum(1 for _ in _on_table(last.laid))
    return {
        "starter wins, %": 100.0 * (winner == starter),
        "other wins, %": 100.0 * (winner == 1 - starter),
        "level groups, %": 100.0 * level,
        "by the top level, %": 100.0 * (level and not outcome.extra),
        "by the extra tile, %": 100.0 * outcome.extra,
        "winner's group": max(outcome.groups),  # of level groups as well
        "loser's group": min(outcome.groups),
        "tiles stacked": stacked,
        "top level": top_level(top)[0],
        "moves a turn": sum(options) / len(options),
        "forced pass, %": 100.0 * any(state.passes for state, _ in turns[1:]),
    }


def _on_table(laid: Sequence[Any]) -> Iterator[Any]:
    covered = set[Any]()
    for lay in laid:
        if covered.isdisjoint(lay.cells):
            yield lay
        covered.update(lay.cells)


# ---------------------------------------------------------------- Gords


# By track: between what chances the one who must bid first wins.
LAST_DUEL = {
    "half_before": (0.485, 0.488),
    "half_after": (0.472, 0.472),
    "no stars": (0.489, 0.490),
}


class Duel:
    """The last duel of Gords, a die each: who must bid first against the other, by CFR+.

    A history is the set of bids made, a bit a bid, for they only rise. Bids of more than two dice
    hold for nobody and are left out: whoever makes one loses at once. Counterfactual regret
    minimisation with regrets kept from falling below 0 (Tammelin, "Solving Large Imperfect
    Information Games Using CFR+", 2014), both players moved in turn, strategies averaged linearly.
    """

    def __init__(self, track: str) -> None:
        """Lay out the bids of two dice in play on a track, or on one with "no stars"."""
        stars = track != "no stars"
        self.bids = [
            (space, face)
            for space in places(track if stars else "half_before")
            if wanted(space) <= 2 and (stars or not is_star(space))
            for face in (range(1, 2) if is_star(space) else range(2, 7))
        ]
        self.count = len(self.bids)
        hits = [[int(die in (1, face)) for die in range(1, 7)] for _, face in self.bids]
        # By bid, and by the dice of who bid and of the other: does it hold?
        self.holds = np.array(
            [
                [[own + other >= wanted(space) for other in hit] for own in hit]
                for (space, _), hit in zip(self.bids, hits, strict=True)
            ],
            float,
        )
        shape = 2**self.count, self.count + 1, 6  # history, the next bid or the call, own die
        self.rounds = 0
        self.regrets, self.average = np.zeros(shape), np.zeros(shape)
        self.open = np.zeros((*shape[:2], 1), bool)  # what may be done: a higher bid, or to call
        for last in range(-1, self.count):
            self.open[self._after(last), last + 1 :] = True
        self.open[0, self.count] = False  # the first bid cannot be called
        made = np.array([bin(history).count("1") for history in range(shape[0])])
        self.mover = made % 2

    def _after(self, last: int) -> slice:
        """Return the histories whose last bid is that one; -1: nobody has bid."""
        return slice(2**last, 2 ** (last + 1)) if last >= 0 else slice(0, 1)

    def _strategy(self, weights: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the chances in proportion to *weights*; where none has any, each alike."""
        sums = weights.sum(1, keepdims=True)
        alike = self.open / self.open.sum(1, keepdims=True)
        return np.where(sums > 0, weights / np.where(sums > 0, sums, 1), alike)

    def _reach(self, strategy: NDArray[np.float64], player: int) -> NDArray[np.float64]:
        """Return the part of *player* in reaching each history, by the own die."""
        reach = np.ones((2**self.count, 6))
        for bid in range(self.count):
            for last in range(-1, bid):
                before = self._after(last)
                mine = (self.mover[before] == player)[:, None]
                share = np.where(mine, strategy[before, bid], 1.0)
                start = 2**bid + before.start
                reach[start : start + before.stop - before.start] = reach[before] * share
        return reach

    def _worth(
        self, player: int, strategy: NDArray[np.float64], *, best: bool = False
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return what each choice and each history is worth to *player*, by the own die.

        Each by the other's part in reaching it. Both play by *strategy*; or the player does what is
        *best* against it.
        """
        others = self._reach(strategy, 1 - player)
        calls = others * strategy[:, self.count]
        choices = np.zeros((2**self.count, self.count + 1, 6))
        worth = np.zeros((2**self.count, 6))
        for last in range(self.count - 1, -2, -1):
            states = self._after(last)
            for bid in range(last + 1, self.count):
                choices[states, bid] = worth[2**bid + states.start : 2**bid + states.stop]
            mine = (self.mover[states] == player)[:, None]
            if last >= 0:  # whoever is right wins: the mover, who calls, or the other, who bid
                holds = self.holds[last]
                called = np.where(mine, others[states] @ (1 - holds), calls[states] @ holds.T)
                choices[states, self.count] = called
            own = (strategy[states] * choices[states]).sum(1)
            if best:
                own = np.where(self.open[states], choices[states], -1).max(1)
            worth[states] = np.where(mine, own, choices[states].sum(1))
        return choices, worth

    def solve(self, rounds: int) -> Duel:
        """Play against itself, *rounds* times more."""
        for _ in range(rounds):
            self.rounds += 1
            for player in (0, 1):
                strategy = self._strategy(self.regrets)
                choices, worth = self._worth(player, strategy)
                mine = (self.mover == player)[:, None, None] & self.open
                gained = np.maximum(self.regrets + choices - worth[:, None], 0)
                self.regrets = np.where(mine, gained, self.regrets)
                own = self._reach(strategy, player)
                self.average += self.rounds * np.where(mine, strategy * own[:, None], 0)
        return self

    def bounds(self) -> tuple[float, float]:
        """Return between what chances to win the duel lies for who bids first."""
        strategy = self._strategy(self.average)
        first, second = (
            float(self._worth(player, strategy, best=True)[1][0].sum()) / 36 for player in (0, 1)
        )
        return 1 - second, first

    def opens_with_one(self) -> dict[int, float]:
        """Return by die how often it opens with "one of it"."""
        strategy = self._strategy(self.average)
        return {
            face: float(strategy[0, self.bids.index(("1", face)), face - 1]) for face in range(2, 7)
        }


# ---------------------------------------------------------------- the table


def main(*, share: Annotated[float, "of the games that FACTS had"] = 1.0) -> None:
    """Print every figure, with its standard error and how many of them it is off."""
    wide, duels, races = (int(share * n) for n in (WIDE_SHUT_GAMES, DUELS, BEAT_GAMES))
    level = colour_match()[0]
    _table("Purple House", 0, [Figure("colour-match ends level, of 1024", 962, level, digits=0)])
    for seats in GREEDY:
        _table(f"Dice Wide Shut, {seats} greedy players", wide, greedy_wide_shut(seats, wide))
        _table(f"Dice Wide Shut, {seats} who do anything", wide, any_wide_shut(seats, wide))
    for kind in DUEL:
        _table(f"Even at Odds, two {kind} players", duels, even_at_odds(kind, duels))
    plain, undoubled = turns(), turns(highest_undoubled, redouble=False)
    of_turns = (
        Figure("rolls a turn", 3.65, plain.rolls, digits=2),
        Figure("lowest roll doubled", 15.44, turns(lowest).points, digits=2),
        Figure("no re-doubling", 15.75, undoubled.points, digits=2),
        Figure("right carried over", 15.86, carried_over(), digits=2),
    )
    _table("Beat the Odds", 0, of_turns)
    for players in SHARES:
        _table(f"Beat the Odds, {players} players", races, race(players, races))
    first, second, tie = (100 * one for one in two_players())
    print(f"two players exactly: {first:.2f} {second:.2f} {tie:.2f} %")
    for track in LAST_DUEL:
        solved = Duel(track).solve(1_000)
        low, high = solved.bounds()
        opens = ", ".join(f"{die} {100 * of:.0f}" for die, of in solved.opens_with_one().items())
        print(f"Gords' last duel, {track}: {100 * low:.2f} to {100 * high:.2f} %; opens: {opens}")


def _table(title: str, played: int, figures: Iterator[Figure] | Sequence[Figure]) -> None:
    began = time.process_time()
    print(title)
    for fig in figures:
        off = fig.off(played)
        print(
            f"  {fig.name:32} {fig.said:9.{fig.digits}f} {fig.found:9.{fig.digits + 1}f}"
            f" ±{fig.error:.{fig.digits + 1}f}  off by {off:.1f}"
        )
    print(f"  {time.process_time() - began:.0f} s", flush=True)


if __name__ == "__main__":
    run(main)
