"""Answers to a question for one tap: moves and their words."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from scorer import Game, Illegal, Proposal, dump_move
from scorer.photo.follow import described
from webui.languages import said, translate
from webui.match.match import Match
from webui.match.proposals import MOST_ANSWERS

FEW = 3  # moves shown of an answer


@dataclass(frozen=True, slots=True)
class TapAnswer:
    """An answer for one tap: the moves to store, and their words."""

    text: str
    moves: list[dict[str, Any]]


def tap_answers(
    game: Game[Any, Any],
    state: Any,
    names: Sequence[str],
    found: Iterable[Sequence[Any]],
    beside: Sequence[Any] = (),
) -> tuple[TapAnswer, ...]:
    """Return the first legal rows of moves in *state* as answers.

    Moves that they share with *beside*, which is shown next to them, are omitted from their words.
    """
    answers: dict[str, TapAnswer] = {}
    shared = {said(one, names) for one in described(game, state, beside)}
    for moves in found:
        try:
            words = [said(one, names) for one in described(game, state, moves)]
        except Illegal:
            continue
        words = [one for one in words if one not in shared] or words
        more = [translate("{n} more", n=len(words) - FEW)] if len(words) > FEW else []
        line = translate(", then ").join([*words[:FEW], *more])
        if line and len(answers) < MOST_ANSWERS:
            answers.setdefault(line, TapAnswer(line, [dump_move(move) for move in moves]))
    return tuple(answers.values())


def answers_beside(match: Match, proposal: Proposal) -> tuple[TapAnswer, ...]:
    """Return alternatives to the proposal, as far as a question above asks about them."""
    asked = (doubt for doubt in proposal.doubts if not doubt.drawn)
    others = (moves for doubt in asked for moves in doubt.others)
    shared = () if proposal.differences else proposal.moves
    return tap_answers(match.rules(), match.state, match.names, others, shared)
