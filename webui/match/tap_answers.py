"""Answers of one tap: what a question may be answered by, as moves and in words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from scorer import Game, Illegal, Proposal, dump_move
from scorer.photo.follow import told
from webui.languages import said, translate
from webui.match.match import Match
from webui.match.proposals import MOST_ANSWERS

FEW = 3  # moves of one answer that are told


@dataclass(frozen=True, slots=True)
class TapAnswer:
    """An answer for one tap: the moves to store, and what they are in words."""

    text: str
    moves: list[dict[str, Any]]


def tap_answers(
    game: Game[Any, Any],
    state: Any,
    names: Sequence[str],
    found: Iterable[Sequence[Any]],
    beside: Sequence[Any] = (),
) -> tuple[TapAnswer, ...]:
    """Return rows of moves that may be made in *state* as answers, the first of them.

    What they share with the moves *beside* which they are offered is not told again.
    """
    answers: dict[str, TapAnswer] = {}
    shared = {said(one, names) for one in told(game, state, beside)}
    for moves in found:
        try:
            words = [said(one, names) for one in told(game, state, moves)]
        except Illegal:
            continue
        words = [one for one in words if one not in shared] or words
        more = [translate("{n} more", n=len(words) - FEW)] if len(words) > FEW else []
        line = translate(", then ").join([*words[:FEW], *more])
        if line and len(answers) < MOST_ANSWERS:
            answers.setdefault(line, TapAnswer(line, [dump_move(move) for move in moves]))
    return tuple(answers.values())


def answers_beside(match: Match, proposal: Proposal) -> tuple[TapAnswer, ...]:
    """Return what the table may mean instead of what is proposed, as far as that is asked above."""
    asked = (doubt for doubt in proposal.doubts if not doubt.drawn)
    others = (moves for doubt in asked for moves in doubt.others)
    shared = () if proposal.differences else proposal.moves
    return tap_answers(match.rules(), match.state, match.names, others, shared)
