"""How strong a coach is against simple players: `make strength [GAME=… N=…]`, with CPU time.

`random` takes any legal choice, each as likely as another; `greedy` what stands best at once. Seats
are dealt out evenly, in Even at Odds also start and teams. A seed a game: a run can be repeated.

Dice Wide Shut is played on the coded sheets of its coach, Farkle on the steps of its own (the tests
show that these are the rules, and that the coach chooses so), Even at Odds by its rules, the coach
asked as the page asks it. In Farkle who is greedy goes by the points that a turn brings on average.
"""

import random
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import product
from math import sqrt
from typing import Annotated, Literal, NamedTuple

from models.harness import run
from scorer import Game
from scorer.coach.dice_wide_shut_turn import (
    Pool,
    Taken,
    coached_turn,
    greedy_turn,
    leaves,
    may_take,
    outcomes,
    rolled,
)
from scorer.coach.dice_wide_shut_value import NEW, SheetCode, fitted, nearest, points
from scorer.coach.even_at_odds_deals import greedy
from scorer.coach.even_at_odds_view import TopGroups, laid
from scorer.coach.farkle import LONG, STEP, FarkleTurn, last_turn, options, worked_out
from scorer.dominoes import Domino, Lay, surface
from scorer.games import GAMES
from scorer.games.even_at_odds.moves import TEAMS, Agree, Pass
from scorer.games.even_at_odds.state import FACE_DOWN, HAND, State
from scorer.games.farkle import DICE, USUAL

Totals = Sequence[float]  # by seat
Playing = Callable[[Sequence[str], int], Totals]  # who plays each seat, and the game's number


# ---------------------------------------------------------------- Dice Wide Shut


def random_turn(sheet: SheetCode, pool: Pool, chance: random.Random) -> tuple[SheetCode, Taken]:
    """Return the sheet after a random take with a random mark, and the take."""
    taken = chance.choice(sorted(may_take(pool)))
    return chance.choice(list(outcomes(sheet, taken))), taken


def any_turn(sheet: SheetCode, pool: Pool, chance: random.Random) -> tuple[SheetCode, Taken]:
    """Return one of all takes with all their marks, each as likely as another.

    Takes of the same numbers with and without the purple die are two.
    """
    every = [
        (after, taken)
        for taken in sorted(may_take(pool))
        for _left in {repr(left) for left in leaves(pool, taken)}
        for after in outcomes(sheet, taken)
    ]
    return chance.choice(every)


TURNS = {"random": random_turn, "any": any_turn, "greedy": greedy_turn}


class WideShut(NamedTuple):
    """How a game of Dice Wide Shut went."""

    totals: list[int]  # by seat
    rounds: int
    ended_by: int  # seat
    splits: list[int]  # by seat: rows
    takes: list[Taken]


def dice_wide_shut(players: Sequence[str], number: int) -> Totals:
    """Return the totals of a game."""
    return wide_shut(players, number).totals


def wide_shut(players: Sequence[str], number: int) -> WideShut:
    """Return how a game went."""
    chance, seats = random.Random(number), len(players)
    table, rounds, ended_by, takes = [NEW] * seats, 0, -1, list[Taken]()
    while ended_by < 0:
        pool = rolled(seats, chance)
        order = [(rounds + turn) % seats for turn in range(seats)]
        for turn, seat in enumerate(order):
            if players[seat] == "coach":
                waiting = order[turn + 1 :]
                best = coached_turn(fitted(), table, seat, pool, waiting)
                table[seat], taken, pool = best.sheet, best.taken, best.left
            else:
                table[seat], taken = TURNS[players[seat]](table[seat], pool, chance)
                pool = leaves(pool, taken)[0]
            takes.append(taken)
            if ended_by < 0 and nearest(table[seat]) == 0:
                ended_by = seat
        rounds += 1
    splits = [sum(half.filled.count(5) for half in sheet) for sheet in table]
    totals = [points(one.red) + points(one.blue) for one in table]
    return WideShut(totals, rounds, ended_by, splits, takes)


# ---------------------------------------------------------------- Even at Odds


def even_at_odds(players: Sequence[str], number: int) -> Totals:
    """Return who has won, 1 to 0, or half to half."""
    *_, (last, _hand) = duel(players, number)
    assert last.outcome is not None
    winner = last.outcome.winner
    return (0.5, 0.5) if winner is None else (1.0 - winner, float(winner))


def duel(players: Sequence[str], number: int) -> Iterator[tuple[State, tuple[Domino, ...]]]:
    """Yield each state of a game played by the rules, with the hand of who is to move."""
    chance, game = random.Random(number), GAMES["even_at_odds"]
    tiles = list(FACE_DOWN[2])
    chance.shuffle(tiles)
    hands, stock = (tiles[:HAND], tiles[HAND : 2 * HAND]), tiles[2 * HAND :]
    state: State = game.apply(game.start(2, {}), Agree(number // 2 % 2, number // 4 % 2))
    while not game.is_over(state):
        hand = hands[state.turn]
        if state.extra and not hand:
            hand.append(stock.pop())
        yield state, tuple(hand)
        move = _move(game, players[state.turn], state, hand, chance)
        drawn = state.stock
        state = game.apply(state, move)
        if isinstance(move, Lay):
            hand.remove(move.tile)
            if drawn:
                hand.append(stock.pop())
        elif state.extra:
            hand.clear()
        if state.extra and not any(state.hands) and len(stock) == 2 and drawn == 0:
            hands[0].clear()
            hands[1].clear()
    yield state, ()


def _move(
    game: Game[State, object], player: str, state: State, hand: list[Domino], chance: random.Random
) -> object:
    view = TopGroups(surface(state.laid), state.house)
    if player == "coach":
        assert game.coach is not None
        best = game.coach(state, tuple(hand))[0].move
        if best["move"] == "Pass":
            return Pass()
        (a, b), (p, q) = best["tile"], best["cells"]
        return Lay((a, b), (tuple(p), tuple(q)))
    if player == "greedy":
        option = greedy(view, hand, TEAMS.index(state.teams[state.turn]), chance)
    else:
        every = [option for tile in hand for option in view.options(tile)]
        option = chance.choice(every) if every else None
    return Pass() if option is None else laid(option)


# ---------------------------------------------------------------- Farkle


def farkle(players: Sequence[str], number: int) -> Totals:
    """Return the scores of a game to 10,000 points by the usual rules."""
    chance, scores, last, seat = random.Random(number), [0] * len(players), -1, 0
    while seat != last:
        scores[seat] += STEP * _brought(players[seat], scores, seat, last, chance)
        if last < 0 and scores[seat] >= 10_000:
            last = seat
        seat = (seat + 1) % len(scores)
    return scores


def _brought(player: str, scores: list[int], seat: int, last: int, chance: random.Random) -> int:
    """Return the steps of a turn, 0 if it is lost."""
    turn, at, left = farkle_turn(player, scores, seat, last), 0, DICE
    while left:
        roll = tuple(sorted(int(6 * chance.random()) + 1 for _ in range(left)))
        choices = options(roll, USUAL)
        if player == "random" and choices:
            won, left = chance.choice(choices)
            at, left = at + won, chance.choice((0, left))
        else:
            at, left = turn.choice(at, choices)
    return at


def farkle_turn(player: str, scores: Sequence[int], seat: int, last: int) -> FarkleTurn:
    """Return the turn as a player goes through it; *last* is the seat at the target, or -1."""
    seats = len(scores)
    after = [(seat + turn) % seats for turn in range(1, seats)]
    others = tuple(scores[other] for other in after)
    following = others if last < 0 else others[: after.index(last)]
    later = tuple((scores[seat] - score, 0) for score in following)
    if last < 0 and player == "coach":
        return _for_the_win(scores[seat], others, 10_000, 0, later, USUAL)[0]
    if last < 0:
        return _for_points(min(10_000 - scores[seat], LONG * STEP))
    return last_turn(scores[seat], others, 0, later, USUAL)[0]


@cache
def _for_points(goal: int) -> FarkleTurn:
    return FarkleTurn(goal, float)


_for_the_win = cache(worked_out)  # games meet the same scores again and again


# ---------------------------------------------------------------- the figures

PLAYING: dict[str, Playing] = {
    "dice_wide_shut": dice_wide_shut,
    "even_at_odds": even_at_odds,
    "farkle": farkle,
}
USUAL_SEATS = {"dice_wide_shut": (2, 3, 4, 5), "even_at_odds": (2,), "farkle": (2, 4)}
USUAL_GAMES = {"dice_wide_shut": 4_000, "even_at_odds": 400, "farkle": 20_000}


def standing(playing: Playing, first: str, other: str, seats: int, games: int) -> str:
    """Return how *first* does against *other* in every other seat."""
    won = level = 0.0
    sums, began = [0.0, 0.0], time.process_time()
    for number in range(games):
        seat = number % seats
        players = [first if place == seat else other for place in range(seats)]
        totals = playing(players, number)
        best = max(totals)
        if totals[seat] == best:
            won += totals.count(best) == 1 if isinstance(totals, list) else totals[seat] == 1
            level += totals.count(best) > 1 if isinstance(totals, list) else totals[seat] == 0.5
        sums[0] += totals[seat]
        sums[1] += (sum(totals) - totals[seat]) / (seats - 1)
        if (number + 1) % max(1, games // 10) == 0:  # also for a run that is stopped
            print(f"  {number + 1} games: {won:.0f} won, {level:.0f} level", file=sys.stderr)
    share = won / games
    off = 196 * sqrt(share * (1 - share) / games)
    spent, (own, others) = time.process_time() - began, (one / games for one in sums)
    return (
        f"{first} against {other}, {seats} players, {games} games: won {100 * share:.1f} %"
        f" (±{off:.1f}), level {100 * level / games:.1f} %; {own:.2f} to {others:.2f} on average;"
        f" {spent:.0f} s of CPU"
    )


def main(
    game: Annotated[Sequence[str], f"of {', '.join(PLAYING)}"] = (*PLAYING,),
    *,
    games: Annotated[int, "of each; 0: as many as is usual"] = 0,
    seats: Sequence[int] = (),
    player: Literal["coach", "greedy", "random"] = "coach",
    against: Sequence[str] = ("random", "greedy"),
) -> None:
    """Print a line for each game, each number of players and each simple player."""
    for name in game:
        count = games or USUAL_GAMES[name]
        for places, other in product(seats or USUAL_SEATS[name], against):
            print(f"{name}: {standing(PLAYING[name], player, other, places, count)}", flush=True)


if __name__ == "__main__":
    run(main)
