"""How long advice takes at the positions of the recorded games: `make bench-coach`.

CPU time of a first answer, nothing remembered of the positions before; solved tables are loaded.
The positions are spread over a game's recording.
"""

import random
import time
from itertools import accumulate
from typing import Annotated, Any

from models.harness import PrintedRows
from scorer import Game, HandPiece, NoAdvice, recording
from scorer.coach import beat_the_odds, gords, purple_house
from scorer.games import GAMES
from scorer.games.even_at_odds.hands import hidden
from scorer.match.values import MatchState
from tests import FIXTURES

FOLDER = FIXTURES / "games"
WANTED_MS = 300
MOST = 60  # positions of a game; all games take a minute of CPU time
MEMORIES = (
    gords.at_least,
    gords.matching,
    purple_house.folded,
    purple_house.odd_margin,
    purple_house._pictures,
    purple_house._margin,
)


def positions(game: Game[Any, Any]) -> list[Any]:
    """Return the states of the game's recording, the first before any move."""
    lines = (FOLDER / f"{game.name}.jsonl").read_text(encoding="utf-8").splitlines()
    recorded = recording.read(lines, GAMES)
    start = game.start(recorded.seats, recorded.settings)
    return list(accumulate(recorded.moves, game.apply, initial=start))


def hand_of(game: Game[Any, Any], state: Any, chance: random.Random) -> tuple[HandPiece, ...]:
    """Return what the player in turn may hold in secret; () in games without any."""
    if game.name == "gords" and state.seat is not None:
        return tuple(chance.choices(range(1, 7), k=state.dice[state.seat]))
    if game.name == "even_at_odds" and not game.is_over(state):
        round_ = state.tables[0].round if isinstance(state, MatchState) else state
        (seat, *both) = game.to_move(state)
        if not both:
            hand = round_.hands[seat]
            return (*hand, *chance.sample(hidden(round_), round_.held[seat] - len(hand)))
    return ()


def measured(game: Game[Any, Any], most: int) -> list[float]:
    """Return the CPU time of each answer that advises something, ascending, in ms."""
    assert game.coach is not None
    chance, times, states = random.Random(1), [], positions(game)
    for state in states[:: -(-len(states) // most)]:
        for memory in MEMORIES:
            memory.cache_clear()
        beat_the_odds.POINTS.forget()
        hand = hand_of(game, state, chance)
        before = time.process_time()
        try:
            advice = game.coach(state, hand)
        except NoAdvice:
            continue
        if advice:
            times.append(1000 * (time.process_time() - before))
    return sorted(times)


def main(*, most: Annotated[int, "positions of a game"] = MOST) -> None:
    table = PrintedRows("game", "answers", "median", "95 %", "most", f"under {WANTED_MS} ms")
    for game in GAMES.values():
        if game.coach is None or not (times := measured(game, most)):
            continue
        under = sum(one < WANTED_MS for one in times) / len(times)
        p95 = times[min(len(times) - 1, int(0.95 * len(times)))]
        figures = (f"{ms:.1f}" for ms in (times[len(times) // 2], p95, times[-1]))
        table.row(game.name, len(times), *figures, f"{under:.1%}")
