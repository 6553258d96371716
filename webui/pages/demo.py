"""A match to look at: played by chance, the same each time."""

from __future__ import annotations

import random

from scorer import dump_move
from scorer.games import GAMES
from webui.match import match as matches
from webui.match.match import Match
from webui.pages.start import DEMO_NAMES, FIRST_GAME
from webui.store.log import Store

PARTS = 3  # finished rounds, so that the tally has something to tell


def make_demo(store: Store) -> Match:
    """Make a match with some finished rounds and the next one begun."""
    game, dice = GAMES[FIRST_GAME], random.Random(3)  # noqa: S311  # a demonstration, no secret
    match = matches.create(store, game.name, DEMO_NAMES, {})
    while _finished(match) < PARTS and not game.is_over(match.state):
        move = dump_move(dice.choice(list(game.legal_moves(match.state))))
        match = matches.play(store, match.row.id, match.seq, [move])
    return match


def _finished(match: Match) -> int:
    """Return how many parts of the tally have paid points."""
    return len({entry.part for entry in match.rules().explain(match.state) if entry.points})
