"""Record a seeded match as a golden file: `python -m tests.tools.record GAME [--seats N]`.

A further one, of a variant: `… pig --set variant=two --further two` writes pig-two.jsonl.

Moves are random ones, or those of a PLAYERS entry where random ones would look like no match.

Writes fixtures/games/GAME.jsonl, or with --print to standard output. Settings: --set NAME=VALUE.
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Callable, Mapping, Sequence
from itertools import islice
from typing import Annotated, Any

from models.harness import run
from scorer import recording, settle
from scorer.coach.gords import at_least
from scorer.games import GAMES, gords
from scorer.games import sum as sums
from tests import FIXTURES

FOLDER = FIXTURES / "games"
LISTED = 20_000  # moves of one state that a player sees
LONGEST = 400  # moves; a push-your-luck game need not end

Player = Callable[[Any, list[Any], random.Random], Any]


def bid_within_reason(state: gords.State, legal: list[gords.Move], chance: random.Random) -> object:
    """Call what is unlikely, else bid a little higher; show dice as they fall."""
    if state.caller is not None:
        seat = gords.ONE.to_move(state)[0]
        return gords.Reveal(seat, tuple(sorted(chance.choices(range(1, 7), k=state.dice[seat]))))
    bids = [move for move in legal if isinstance(move, gords.Bid)]
    calls = [move for move in legal if isinstance(move, gords.Call)]
    if state.bid is None or not calls:
        return chance.choice(bids[:8] or legal)
    likely = at_least(sum(state.dice), gords.bids.wanted(state.bid.space), state.bid.face == 1)
    return chance.choice(bids[:8] if bids and chance.random() < likely else calls)


def enter_or_count(state: sums.State, _legal: object, chance: random.Random) -> object:
    """Type a number, or count a few dice."""
    seat = chance.choice(sums.to_move(state))
    dice = tuple(sorted(chance.choices(range(1, 7), k=chance.randint(1, 5))))
    return chance.choice([sums.Enter(seat, chance.randint(-5, 30)), sums.SumPieces(seat, dice)])


PLAYERS: Mapping[str, Player] = {"gords": bid_within_reason, "sum": enter_or_count}


def play(name: str, seats: int, settings: dict[str, object], seed: int) -> recording.Recording:
    """Return a match of random legal moves, or of those its player prefers."""
    game, chance = GAMES[name], random.Random(seed)
    choose = PLAYERS.get(name, lambda _state, legal, chance: chance.choice(legal))
    settled = dict(settle(game.settings, settings))
    state, moves, scores = game.start(seats, settled), [], []
    while len(moves) < LONGEST and not game.is_over(state):
        move = choose(state, list(islice(game.legal_moves(state), LISTED)), chance)
        state = game.apply(state, move)
        moves.append(move)
        scores.append(game.score(state))
    return recording.Recording(name, game.version, seats, settled, tuple(moves), tuple(scores))


def main(
    game: Annotated[str, "whose match is recorded", (*GAMES,)],
    *,
    seats: int = 2,
    seed: int = 1,
    set: Annotated[Sequence[str], "settings, NAME=VALUE"] = (),
    further: Annotated[str, "a word, for a match beside that of the game"] = "",
    print: Annotated[bool, "to standard output"] = False,
) -> None:
    settings = {name: _value(text) for name, _, text in (one.partition("=") for one in set)}
    lines = "\n".join(recording.write(play(game, seats, settings, seed))) + "\n"
    path = FOLDER / f"{'-'.join(filter(None, (game, further)))}.jsonl"
    if not print:
        FOLDER.mkdir(exist_ok=True)
        path.write_text(lines, encoding="utf-8")
        lines = f"{path.name}: {lines.count(chr(10)) - 1} moves\n"
    sys.stdout.write(lines)


def _value(text: str) -> object:
    try:
        return json.loads(text)
    except ValueError:
        return text


if __name__ == "__main__":
    run(main)
