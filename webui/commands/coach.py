"""`pipsight coach`: advice for the current state of a recorded match."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from scorer import Advice, HandPiece, Malformed, NoAdvice, named
from scorer.games import GAMES
from webui.eyes.phrases import sentence_of
from webui.languages import language
from webui.match.coach import advise
from webui.terminal import console, matches
from webui.terminal.coach_turn import lines


def show(name: str, path: Path, hand: Sequence[HandPiece], *, as_json: bool = False) -> int:
    """Print the possible moves, the best first; return the exit code."""
    game = GAMES[name]
    try:
        recorded = matches.read(path)
        advice = advise(game, recorded, hand)
    except (Malformed, NoAdvice) as fault:
        print(_sentence(sentence_of(fault), path), file=sys.stderr)
        return 1
    if as_json:
        console.print_json([_view(choice, recorded.names) for choice in advice])
    else:
        print("\n".join(lines(advice, recorded.names, language=language())))
    return 0


def _sentence(why: str, path: Path) -> str:
    """Return the reason for missing advice as a sentence; the case of a file name is kept."""
    first = why[:1] if why.startswith(str(path)) else why[:1].upper()
    return f"{first}{why[1:].rstrip('.')}."


def _view(advice: Advice, names: Sequence[str]) -> dict[str, Any]:
    return {"move": advice.move, "value": advice.value, "why": named(advice.why, names)}
