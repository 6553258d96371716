"""Demo matches: one whose next step is a sample picture, or one with random moves."""

import random
from itertools import islice
from pathlib import Path

from scorer import dump_move
from scorer.games import GAMES
from webui.match import match as matches
from webui.match.allowed import photographable
from webui.match.match import Match
from webui.match.player_names import unnamed
from webui.store.log import Store

SAMPLES = Path(__file__).parents[2] / "static" / "samples"  # GAME.jpg: what its first photo may be
PARTS = 3  # finished rounds, so that the tally is not empty
MOVES = 24  # at most: the shortest game, dominoes, is not over then
CHOICES = 300  # moves from which one is chosen


def make_demo(store: Store, name: str) -> Match:
    """Create a match with some finished rounds and a started one."""
    game, dice = GAMES[name], random.Random(3)  # noqa: S311  # a demonstration, no secret
    match = matches.create(store, name, _names(), {})
    for _ in range(MOVES):
        if _finished(match) >= PARTS:
            break
        moved = dump_move(dice.choice([*islice(game.legal_moves(match.state), CHOICES)]))
        match = matches.play(store, match.row.id, match.seq, [moved])
        if game.is_over(match.state):
            break
    return match


def sample(name: str) -> str | None:
    """Return the static file with the sample picture of a game, or None."""
    return f"samples/{name}.jpg" if (SAMPLES / f"{name}.jpg").exists() else None


def to_photograph(store: Store, name: str) -> Match:
    """Create a match in which the sample picture shows the current table."""
    match = matches.create(store, name, _names(), {})
    while not photographable(match):
        game = match.rules()
        agreement = type(game.starts(match.state, 0))  # the sample shows the first of them
        agreed = next(move for move in game.legal_moves(match.state) if type(move) is agreement)
        match = matches.play(store, match.row.id, match.seq, [dump_move(agreed)])
    return match


def _names() -> tuple[str, str]:
    """Return names that the start page does not suggest later."""
    return unnamed(1), unnamed(2)


def _finished(match: Match) -> int:
    return len({entry.part for entry in match.rules().explain(match.state) if entry.points})
