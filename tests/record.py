"""Record a seeded random match as a golden file: `python -m tests.record GAME [--seats N]`.

Writes fixtures/games/GAME.jsonl, or with --print to standard output. Settings: --set NAME=VALUE.
"""

from __future__ import annotations

import argparse
import json
import random
from pathlib import Path

from scorer import recording, settle
from scorer.games import GAMES

FOLDER = Path(__file__).parent.parent / "fixtures" / "games"
LONGEST = 400  # moves; a push-your-luck game need not end


def play(name: str, seats: int, settings: dict[str, object], seed: int) -> recording.Recording:
    """Return a match of random legal moves."""
    game, chance = GAMES[name], random.Random(seed)
    settled = dict(settle(game.settings, settings))
    state, moves, scores = game.start(seats, settled), [], []
    while len(moves) < LONGEST and not game.is_over(state):
        move = chance.choice(list(game.legal_moves(state)))
        state = game.apply(state, move)
        moves.append(move)
        scores.append(game.score(state))
    return recording.Recording(name, game.version, seats, settled, tuple(moves), tuple(scores))


def main() -> None:
    ask = argparse.ArgumentParser(description=__doc__)
    ask.add_argument("game", choices=GAMES)
    ask.add_argument("--seats", type=int, default=2)
    ask.add_argument("--seed", type=int, default=1)
    ask.add_argument("--set", action="append", default=[], metavar="NAME=VALUE")
    ask.add_argument("--print", action="store_true", help="to standard output")
    asked = ask.parse_args()
    settings = {name: _value(text) for name, _, text in (s.partition("=") for s in asked.set)}
    lines = list(recording.write(play(asked.game, asked.seats, settings, asked.seed)))
    if asked.print:
        print("\n".join(lines))
        return
    FOLDER.mkdir(exist_ok=True)
    path = FOLDER / f"{asked.game}.jsonl"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(f"{path.name}: {len(lines) - 1} moves")


def _value(text: str) -> object:
    try:
        return json.loads(text)
    except ValueError:
        return text


if __name__ == "__main__":
    main()
