"""`pipsight coach`: what would be best in a recorded match, as it stands."""

from __future__ import annotations

import json
import re
import shutil
import sys
import textwrap
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from scorer import Advice, Game, Malformed, NoAdvice, Piece, named, replay
from scorer.games import GAMES
from scorer.messages import _, joined, raw
from scorer.recording import Recording
from webui import console, played

SHOWN = 12  # choices of a table; the JSON has all
PIECE = re.compile("[1-6]|[0-6]-[0-6]")  # a die, or a domino


class WrongHand(ValueError):
    """What was typed is no hand."""


def show(name: str, path: Path, hand: Sequence[Piece], *, as_json: bool = False) -> int:
    """Print what may be done now, the best first; return the exit code."""
    game = GAMES[name]
    try:
        recorded = played.read(path)
        advice = advise(game, recorded, hand)
    except (Malformed, NoAdvice) as fault:
        print(f"{str(fault)[:1].upper()}{str(fault)[1:]}".rstrip(".") + ".", file=sys.stderr)
        return 1
    if as_json:
        print(json.dumps([_view(one, recorded.names) for one in advice], ensure_ascii=False))
    else:
        print("\n".join(lines(advice, recorded.names)))
    return 0


def advise(game: Game[Any, Any], recorded: Recording, hand: Sequence[Piece]) -> tuple[Advice, ...]:
    """Return the advice for the end of a recording; raises NoAdvice in a whole sentence."""
    if recorded.game != game.name:
        raise NoAdvice(
            _(
                "The recording is of {other}, not of {game}.",
                other=raw(GAMES[recorded.game].title),
                game=raw(game.title),
            )
        )
    check_coached(game)
    state = replay(game, recorded.seats, recorded.settings, recorded.moves)
    return advise_now(game, state, recorded.names, hand)


def check_coached(game: Game[Any, Any]) -> None:
    """Raise NoAdvice unless the game has a coach."""
    if game.coach is None:
        able = [raw(other.name) for other in GAMES.values() if other.coach is not None]
        raise NoAdvice(
            _(
                "Nobody has worked out best play of {game}; there is: {others}.",
                game=raw(game.title),
                others=joined(", ", able),
            )
        )


def advise_now(
    game: Game[Any, Any], state: Any, names: Sequence[str], hand: Sequence[Piece] = ()
) -> tuple[Advice, ...]:
    """Return what may be done now, the best first; raises NoAdvice in a whole sentence."""
    check_coached(game)
    assert game.coach is not None
    if hand and not game.hand:
        raise NoAdvice(
            _(
                "In {game} nobody holds anything unseen: leave the hand out.",
                game=raw(game.title),
            )
        )
    try:
        advice = game.coach(state, hand)
    except NoAdvice as fault:
        raise NoAdvice(named(fault.sentence, names)) from None
    if not advice:
        prompt = named(game.prompt(state), names)
        raise NoAdvice(_("There is nothing to choose now: {prompt}.", prompt=prompt))
    return advice


def read_hand(text: str) -> tuple[Piece, ...]:
    """Return a hand as it is typed, dice 1,4,4 or dominoes 2-6 0-4; raises WrongHand."""
    pieces = text.replace(",", " ").split()
    if not pieces or not all(map(PIECE.fullmatch, pieces)):
        raise WrongHand(f"a hand is its dice, 1,4,4,5,6, or its tiles, 2-6,0-4; not {text!r}")
    return tuple(_piece(*map(int, piece.split("-"))) for piece in pieces)


def _piece(first: int, second: int | None = None) -> Piece:
    return first if second is None else (min(first, second), max(first, second))


def _view(advice: Advice, names: Sequence[str]) -> dict[str, Any]:
    return {"move": advice.move, "value": advice.value, "why": named(advice.why, names)}


def lines(advice: Sequence[Advice], names: Sequence[str], most: int = SHOWN) -> Iterator[str]:
    """Yield the choices as they are told, numbered, the best *most* of them."""
    width = max(console.NARROWEST, min(console.width(), shutil.get_terminal_size().columns))
    for place, one in enumerate(advice[:most], start=1):
        why = named(one.why, names)
        yield textwrap.fill(
            why[:1].upper() + why[1:],
            width,
            initial_indent=f"{place:2}. ",
            subsequent_indent="    ",
        )
    if most == SHOWN < len(advice):
        yield f"    {len(advice) - SHOWN} more choices: --json"
