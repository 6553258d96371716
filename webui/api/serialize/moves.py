"""Moves in words."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from scorer import dump_move
from scorer.sentence import MOST, Spoken, step
from webui.api.answers import plain
from webui.api.answers.moves import Sentence, SpokenView
from webui.match.match import Match


def sentence_view(match: Match, words: Sequence[str]) -> dict[str, Any]:
    """Return what may follow the *words* that were said."""
    spoken = match.spoken()
    reached = step(spoken, words)
    return plain(
        Sentence(
            seq=match.seq,
            all=len(spoken) < MOST,
            said=list(reached.said),
            following=list(reached.following),
            left=len(reached.left),
            move=None if reached.move is None else dump_move(reached.move),
            moves=_spoken(reached.few),
        )
    )


def _spoken(moves: Sequence[Spoken]) -> list[SpokenView]:
    return [SpokenView(one.text, dump_move(one.move)) for one in moves]


def moves_json(match: Match) -> tuple[str, ...]:
    """Return each legal move with its sentence as JSON, written once for all phones that ask."""
    if "json" not in match.memo:
        match.memo["json"] = tuple(
            json.dumps(one, separators=(",", ":")) for one in map(plain, _spoken(match.spoken()))
        )
    return match.memo["json"]
