"""`make bench-rules`: how fast the rules are, beside other rules engines in the same run, one core.

A move counts with its legality check: `apply` refuses whatever is illegal. The moves are played
beforehand at random (seeded), so what is timed is `apply` alone; the outside engines get the same
treatment. Rates are of processor time, which other programs do not change; `clock` is the rate of
moves by the clock. `replay` is the median of rebuilding a state from the first 200 moves.
"""

import random
import statistics
from collections.abc import Callable, Sequence
from functools import partial
from itertools import islice
from time import perf_counter, process_time
from typing import Any, NamedTuple

from models.harness import PrintedRows
from scorer import Game, dump_move, load_move, replay
from scorer.games import GAMES

SAMPLE = 2000  # moves played beforehand
MATCH = 600  # moves of one of them at most
CHOICES = 1000  # moves to choose among: the free sheet takes any number up to a million
SECONDS = 1.0  # each figure is taken over at least this long
LONG_MATCH = 200
HEADS = ("game", "moves/s", "clock", "generated/s", "replay ms", "of moves")


def random_matches(game: Game[Any, Any], seats: int) -> list[list[Any]]:
    """Return whole random matches of together at least SAMPLE moves."""
    chance, matches, played = random.Random(1), [], 0
    while played < SAMPLE:
        state, moves = game.start(seats, {}), []
        while len(moves) < MATCH and (legal := list(islice(game.legal_moves(state), CHOICES))):
            moves.append(chance.choice(legal))
            state = game.apply(state, moves[-1])
        matches.append(moves)
        played += len(moves)
    return matches


class Rate(NamedTuple):
    """Units a second: of processor time, and by the clock."""

    processor: float
    clock: float


def rate(work: Callable[[], int]) -> Rate:
    """Return how many units a second *work* does; it returns the units of one call."""
    done, began, began_clock = 0, process_time(), perf_counter()
    while (spent := process_time() - began) < SECONDS:
        done += work()
    return Rate(done / spent, done / (perf_counter() - began_clock))


def long_match(matches: Sequence[list[Any]]) -> list[Any]:
    """Return the longest match, at most LONG_MATCH moves of it."""
    return max(matches, key=len)[:LONG_MATCH]


def replay_ms(game: Game[Any, Any], seats: int, moves: list[Any]) -> float:
    """Return the median milliseconds of reading moves from JSON and replaying them."""
    saved, times = [dump_move(move) for move in moves], []
    for _ in range(20):
        began = process_time()
        replay(game, seats, {}, [load_move(game, data) for data in saved])
        times.append(1000 * (process_time() - began))
    return statistics.median(times)


def play_all(game: Game[Any, Any], seats: int, matches: list[list[Any]]) -> int:
    """Play the matches through; return the moves applied."""
    for moves in matches:
        state = game.start(seats, {})
        for move in moves:
            state = game.apply(state, move)
    return sum(map(len, matches))


def generate(game: Game[Any, Any], state: Any) -> int:
    """Return how many moves *state* has, at most CHOICES, made one by one."""
    return sum(1 for _ in islice(game.legal_moves(state), CHOICES))


def ours() -> None:
    """Print a row for each game of the registry."""
    table = PrintedRows(
        "game", "moves/s", "clock", "generated/s", "replay ms", "of moves", least=10
    )
    for game in GAMES.values():
        seats = 2 if 2 in game.seats else game.seats[0]
        matches = random_matches(game, seats)

        midway = replay(game, seats, {}, matches[0][: len(matches[0]) // 2])
        match = long_match(matches)
        played = rate(partial(play_all, game, seats, matches))
        generated = rate(partial(generate, game, midway)).processor
        rates = (f"{each:,.0f}" for each in (*played, generated))
        table.row(game.name, *rates, f"{replay_ms(game, seats, match):.2f}", len(match))


def python_chess() -> None:
    """Print python-chess's rate of pushed moves with their legality check."""
    try:
        import chess  # a development extra, heavy to load
    except ImportError:
        print("python-chess is not installed: pip install chess")
        return
    chance, board, moves = random.Random(1), chess.Board(), []
    while not board.is_game_over() and len(moves) < 120:
        moves.append(chance.choice(list(board.legal_moves)))
        board.push(moves[-1])

    def pushed() -> int:
        board = chess.Board()
        for move in moves:
            assert board.is_legal(move)
            board.push(move)
        return len(moves)

    print(f"{'python-chess':22} {rate(pushed).processor:10,.0f}")


def open_spiel(name: str) -> None:
    """Print the rate of OpenSpiel's Python interface on one of its games."""
    try:
        import pyspiel  # a development extra, heavy to load
    except ImportError:
        print("OpenSpiel is not installed: pip install open_spiel")
        return
    game, chance = pyspiel.load_game(name), random.Random(1)

    def stepped() -> int:
        state, steps = game.new_initial_state(), 0
        while not state.is_terminal():
            legal = state.legal_actions()
            state.apply_action(chance.choice(legal))
            steps += 1
        return steps

    chosen = rate(stepped).processor
    print(f"{'OpenSpiel ' + name:22} {chosen:10,.0f}  (choosing among its legal actions)")


def main() -> None:
    """Print all rows."""
    ours()
    python_chess()
    open_spiel("pig")
    open_spiel("liars_dice")
