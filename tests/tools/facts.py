"""The figures of ../shared/rules/FACTS.md that want a solver or many games: `make facts`.

Each `Figure` has what FACTS says, what we find, and its standard error; 0: ours is exact. The tests
ask for few games (`test_facts_played`), the command for as many as FACTS had, in some minutes.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from itertools import product
from math import comb, sqrt
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from scorer import settle
from scorer.coach.beat_the_odds import PAIRS, die_to_reroll, roll_to_double, turn_odds
from scorer.coach.even_at_odds_view import TopGroups
from scorer.coach.purple_house_colours import colour_margin
from scorer.dominoes import surface
from scorer.games.beat_the_odds import SETTINGS, Double, Reroll, Roll, Turn, play, total
from scorer.games.beat_the_odds.turn import is_doubled
from scorer.games.dice_wide_shut.rules import winners
from scorer.games.even_at_odds.board import top_level
from scorer.games.gords.bids import is_star, places, wanted
from tests.tools.strength import duel, wide_shut


class Figure(NamedTuple):
    """One figure of FACTS, as it stands there with its last digit, and as we find it."""

    name: str
    said: float
    found: float
    error: float = 0.0  # standard error of `found`
    digits: int = 1  # after the point, as FACTS has it
    games: int = 0  # that FACTS simulated; 0: it computed

    def off(self, played: int) -> float:
        """Return how many standard errors both are apart, rounding of FACTS allowed for.

        *played* are our games; the error of FACTS follows from its number of games.
        """
        apart = max(0.0, abs(self.found - self.said) - 0.5 * 10**-self.digits)
        error = self.error * sqrt(1 + played / self.games) if self.games else self.error
        return apart / error if error else apart * 10**self.digits


def mean(name: str, said: float, values: Sequence[float], digits: int, games: int) -> Figure:
    """Return the figure that is the mean of *values*.

    What happens or not, in per cent, spreads as FACTS' share does: in few games it may be missing.
    """
    found = np.asarray(values, float)
    spread = float(found.std(ddof=1))
    if set(values) <= {0.0, 100.0}:
        spread = sqrt(said * (100 - said))
    return Figure(name, said, float(found.mean()), spread / sqrt(len(found)), digits, games)


# ---------------------------------------------------------------- Purple House


def colour_match() -> Counter[int]:
    """Return how many of 1024 rolls lead to each margin in the even harder game."""
    found = Counter[int]()
    for first, second in product(range(6), repeat=2):
        margin = colour_margin(0, 0, 0, first, second, True, False, False)
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
    alone = [100 * _alone(one.takes) for one in played]
    for name, said, digits, values in zip(
        ("rounds", "winner's score", "average score", "who ends it wins, %", "single dice, %"),
        GREEDY[seats],
        (1, 0, 0, 0, 1),
        (
            [one.rounds for one in played],
            [max(one.totals) for one in played],
            [sum(one.totals) / seats for one in played],
            ender,
            alone,
        ),
        strict=True,
    ):
        if said is not None:
            yield mean(name, said, values, digits, WIDE_SHUT_GAMES)


def _alone(takes: Sequence[tuple[int, tuple[int, ...]]]) -> float:
    """Return the share of turns that use the exception of DW-4 for one die 1 to 5."""
    return sum(len(numbers) == 1 and numbers != (6,) for _, numbers in takes) / len(takes)


def any_wide_shut(seats: int, games: int) -> Iterator[Figure]:
    """Yield the figures of players who do anything, each take with its marks as likely."""
    played = [wide_shut(["any"] * seats, number) for number in range(games)]
    for name, said, digits, values in zip(
        ("rounds", "average score", "splits of each"),
        ANY[seats],
        (0, 0, 1),
        (
            [one.rounds for one in played],
            [sum(one.totals) / seats for one in played],
            [sum(one.splits) / seats for one in played],
        ),
        strict=True,
    ):
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


# ---------------------------------------------------------------- Beat the Odds

NEGLIGIBLE = 1e-9  # of all turns: what is rarer is not followed
ENOUGH = 60  # points, beyond which half the sum is more than the highest roll: 5-5 costs most
OF_THE_SUM = {(1, 1): 0.0, (5, 5): 0.5, (6, 6): 2.0}  # what a turn brings of it; else all


class Turns(NamedTuple):
    """What turns bring on average, under some house rules and choices."""

    points: float
    rolls: float
    right_left: float  # the chance that a re-roll right is in hand at the end


def lowest(turn: Turn) -> int:
    """Return the roll, from 0, that is worth least."""
    return turn.worth.index(min(turn.worth))


def highest_undoubled(turn: Turn) -> int:
    """Return the roll that is worth most among those not doubled yet, if there are any."""
    return max(range(len(turn.worth)), key=lambda i: (not is_doubled(turn, i), turn.worth[i]))


def turns(
    double: Callable[[Turn], int] = roll_to_double, rights: int = 0, **house: object
) -> Turns:
    """Return what turns bring if each right is used and 4-4 doubles the roll *double* names.

    What is still to come adds to the sum of the rolls whatever it is, but that a large sum decides
    which die is rolled again. So turns alike in it up to ENOUGH, in their highest roll, the one to
    double and the rights in hand are followed together, with their chance and their mean sum.
    """
    rules = settle(SETTINGS, house)
    alike: dict[Hashable, Turn] = {(): Turn(rights=rights)}
    outcomes: dict[Hashable, list[tuple[float, Hashable, float, float, int]]] = {}
    open_turns: dict[Hashable, tuple[float, float]] = {(): (1.0, 0.0)}
    points = rolls = left = 0.0
    while open_turns:
        after: defaultdict[Hashable, tuple[float, float]] = defaultdict(lambda: (0.0, 0.0))
        for key, (chance, together) in open_turns.items():
            if key not in outcomes:
                outcomes[key] = list(_one_roll(alike, alike[key], double, rules))
            rolls += chance
            for share, like, of_sum, more, right in outcomes[key]:
                brought = share * (of_sum * together + more * chance)
                if like is None:
                    points += brought
                    left += share * chance * right
                else:
                    after[like] = after[like][0] + share * chance, after[like][1] + brought
        open_turns = {key: one for key, one in after.items() if one[0] > NEGLIGIBLE}
    return Turns(points, rolls, left)


def _one_roll(
    alike: dict[Hashable, Turn], turn: Turn, double: Callable[[Turn], int], rules: Any
) -> Iterator[tuple[float, Hashable, float, float, int]]:
    """Yield each way a roll goes on: its chance, what the turn is then like, None at its end.

    And how much of the sum so far it leaves, what it adds, and the rights in hand.
    """
    before = sum(turn.worth)
    for pair, chance in PAIRS:
        for rolled, share in _decided(play(turn, Roll(*pair), rules), double, rules):
            like: Hashable = None
            of_sum = 1.0
            if rolled.asks == "nothing":
                of_sum = OF_THE_SUM.get(rolled.rolls[-1], 1.0)
            else:
                together, next_doubled = sum(rolled.worth), rolled.worth[double(rolled)]
                like = min(together, ENOUGH), max(rolled.worth), next_doubled, rolled.rights
                alike.setdefault(like, rolled)
            yield chance * share, like, of_sum, total(rolled) - of_sum * before, rolled.rights


def _decided(turn: Turn, double: Callable[[Turn], int], rules: Any) -> Iterator[tuple[Turn, float]]:
    if turn.asks == "reroll":
        face = die_to_reroll(turn)
        for value in range(1, 7):
            for after, share in _decided(play(turn, Reroll(face, value), rules), double, rules):
                yield after, share / 6
    elif turn.asks == "double":
        yield play(turn, Double(double(turn)), rules), 1.0
    else:
        yield turn, 1.0


def carried_over() -> float:
    """Return what a turn brings on average where a re-roll right is carried into the next one."""
    without, with_it = turns(), turns(rights=1)
    held = without.right_left / (1 - with_it.right_left + without.right_left)
    return (1 - held) * without.points + held * with_it.points


def two_players() -> tuple[float, float, float]:
    """Return the chances that the first seat, the second or nobody alone wins to 100.

    Exact for players who use every right the plain way. A pair of scores is solved together with
    its mirror image, to which a turn of 0 points leads.
    """
    odds = turn_odds()
    none, points = odds[0], np.array([one for one in odds if one])
    chances = np.array([odds[int(one)] for one in points])
    most = int(points[-1]) + 100
    exactly = np.zeros(most + 1)
    exactly[[0, *points]] = [none, *chances]
    more = exactly[::-1].cumsum()[::-1] - exactly  # by points: a turn brings more
    win, tie = np.zeros((100, 100)), np.zeros((100, 100))  # of who is to move: own score, other's

    def rest(own: int, other: int) -> tuple[float, float]:
        after = own + points
        near, far = after[after < 100], after[after >= 100] - other
        lose = win[other, near] + tie[other, near]
        same_side, there = chances[: len(near)], chances[len(near) :]
        won = same_side @ (1 - lose) + there @ (1 - more[far] - exactly[far])
        return won, same_side @ tie[other, near] + there @ exactly[far]

    for together in range(198, -1, -1):
        for own in range(max(0, together - 99), together // 2 + 1):
            other = together - own
            (a, s), (b, t) = rest(own, other), rest(other, own)
            # tie = s + none * tie', win = a + none * (1 - win' - tie'), and the same mirrored.
            level = (s + none * t) / (1 - none**2)
            mirrored = t + none * level
            tie[own, other], tie[other, own] = level, mirrored
            first, second = a + none * (1 - mirrored), b + none * (1 - level)
            win[own, other] = (first - none * second) / (1 - none**2)
            win[other, own] = second - none * win[own, other]
    return float(win[0, 0]), float(1 - win[0, 0] - tie[0, 0]), float(tie[0, 0])


BEAT_GAMES = 1_000_000
SHARES = {2: (53.5, 46.0), 3: (37.4, 32.8, 29.0), 4: (28.9, 25.9, 23.3, 21.1)}


def race(players: int, games: int) -> Iterator[Figure]:
    """Yield the share of each seat that wins alone, by turns drawn from their exact odds."""
    odds, chance = turn_odds(), np.random.default_rng(players)
    points, shares = np.array(list(odds)), np.array(list(odds.values()))
    scores, left = np.zeros((games, players), int), np.full(games, -1)  # last turns to come
    turn = 0
    while (going := left != 0).any():
        seat = turn % players
        brought = chance.choice(points, games, p=shares / shares.sum())
        scores[:, seat] += np.where(going, brought, 0)
        left = np.where(left > 0, left - 1, left)
        left[going & (left < 0) & (scores[:, seat] >= 100)] = players - 1
        turn += 1
    alone = (scores == scores.max(1, keepdims=True)).sum(1) == 1
    for seat, said in enumerate(SHARES[players]):
        won = 100.0 * (alone & (scores.argmax(1) == seat))
        yield mean(f"seat {seat + 1} wins, %", said, won.tolist(), 1, BEAT_GAMES)


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
        """Play against itself so many times more."""
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


def main() -> None:
    """Print every figure, with its standard error and how many of them it is off."""
    ask = argparse.ArgumentParser(description=__doc__)
    ask.add_argument("--share", type=float, default=1.0, help="of the games that FACTS had")
    share = ask.parse_args().share
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
    main()
