"""Commands that read photos and videos."""

import argparse
from pathlib import Path

from webui.commands.arguments import add_game, add_players
from webui.commands.language import CommandParser


def score(args: argparse.Namespace) -> int:
    """Run `pipsight score`; return the exit code."""
    from scorer.games import GAMES  # noqa: PLC0415
    from webui.commands import score  # noqa: PLC0415
    from webui.eyes.one_photo import begin  # noqa: PLC0415

    state, facts = begin(GAMES[args.game], dict(args.set), args.players, args.opening)
    return score.score_photos(
        args.game, state, facts, args.photos, as_json=args.json, overlay=args.overlay
    )


def score_options(ask: CommandParser) -> None:
    """Describe `pipsight score`."""
    ask.description = (
        "Say what each photo scores by a game's rules: a full grid's points, what a roll means,"
        " what may be taken from a pool of dice, a sheet's points, whether a bid holds (--set"
        " bid='4 sixes'), the largest groups of tiles; and why."
    )
    add_game(ask)
    ask.add_argument("photos", nargs="+", type=Path, metavar="PHOTO")
    add_players(ask)
    ask.add_argument(
        "--opening",
        metavar="WORDS",
        help='what the photo cannot show, in words as in "pipsight play": "player 1 names white"',
    )
    ask.add_argument("--json", action="store_true", help="print one JSON object per photo")
    ask.add_argument("--overlay", type=Path, metavar="DIR", help="write marked pictures there")


def follow(args: argparse.Namespace) -> int:
    """Run `pipsight follow`; return the exit code."""
    from webui.follow import command  # noqa: PLC0415

    match = command.begin(args.game, dict(args.set), args.players, args.answers, args.photos)
    return command.follow_photos(
        match, args.photos, args.out, as_json=args.json, overlay=args.overlay
    )


def follow_options(ask: CommandParser) -> None:
    """Describe `pipsight follow`."""
    ask.description = (
        "Play a match from its photos, in their order. What they do not show is asked here or"
        " taken from a file of prepared answers; photos without an answer are left out."
    )
    ask.epilog = (
        'The answers are JSON by the photos\' names: {"roll-07.jpg": {"dice": [{"value": 5,'
        ' "color": "white", "cell": [0, 2]}], "tiles": [{"halves": [6, 1], "cells": [[0, 0],'
        ' [0, 1]]}], "marks": [{"cell": ["red", 0, 3], "mark": "checked"}], "moves": [{"move":'
        ' "Hold"}]}}, or corrected lines of "pipsight read --json". "moves" are those recorded'
        " since the previous photo, as in a recording; without them the pieces decide."
    )
    add_game(ask)
    ask.add_argument("photos", nargs="+", type=Path, metavar="PHOTO")
    add_players(ask)
    ask.add_argument("--answers", type=Path, metavar="FILE", help="prepared answers, see below")
    ask.add_argument("--json", action="store_true", help="print one JSON object per photo")
    ask.add_argument("--overlay", type=Path, metavar="DIR", help="write marked pictures there")
    ask.add_argument("--out", type=Path, metavar="FILE", help="write the match as a recording")
