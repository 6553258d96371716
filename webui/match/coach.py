"""A coach's advice for the current match, or the reason why there is none."""

import re
from collections.abc import Sequence
from typing import Any

from scorer import Advice, Game, HandPiece, NoAdvice, named, replay
from scorer.games import GAMES
from scorer.messages import _, joined, raw
from scorer.recording import Recording

PIECE = re.compile("[1-6]|[0-6]-[0-6]")  # a die, or a domino


class WrongHand(ValueError):
    """The text is not a hand."""


def advise(
    game: Game[Any, Any], recorded: Recording, hand: Sequence[HandPiece]
) -> tuple[Advice, ...]:
    """Return advice for the last state of a recording; raises NoAdvice with a full sentence."""
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
                "There is no advice for {game}, only for {others}.",
                game=raw(game.title),
                others=joined(", ", able),
            )
        )


def advise_now(
    game: Game[Any, Any], state: Any, names: Sequence[str], hand: Sequence[HandPiece] = ()
) -> tuple[Advice, ...]:
    """Return the possible moves, the best first; raises NoAdvice with a full sentence."""
    try:
        advice = ask(game, state, hand)
    except NoAdvice as fault:
        raise NoAdvice(named(fault.sentence, names)) from None
    if not advice:
        prompt = named(game.prompt(state), names)
        raise NoAdvice(_("There is nothing to choose now: {prompt}.", prompt=prompt))
    return advice


def ask(game: Game[Any, Any], state: Any, hand: Sequence[HandPiece]) -> tuple[Advice, ...]:
    """Return the possible moves, the best first, () if there is no choice; raises NoAdvice."""
    check_coached(game)
    assert game.coach is not None
    if hand and not game.hand:
        raise NoAdvice(_("Nothing is hidden in {game}: leave the hand out.", game=raw(game.title)))
    return game.coach(state, hand)


def read_hand(text: str) -> tuple[HandPiece, ...]:
    """Parse a typed hand, dice 1,4,4 or dominoes 2-6 0-4; raises WrongHand."""
    pieces = text.replace(",", " ").split()
    if not pieces or not all(map(PIECE.fullmatch, pieces)):
        raise WrongHand(
            _("a hand is dice, 1 4 4 5 6, or tiles, 2-6 0-4, not “{text}”", text=raw(text))
        )
    return tuple(_piece(*map(int, piece.split("-"))) for piece in pieces)


def _piece(first: int, second: int | None = None) -> HandPiece:
    return first if second is None else (min(first, second), max(first, second))
