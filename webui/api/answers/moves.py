"""Moves in words, and what would be best."""

import json
from collections.abc import Sequence
from typing import Annotated, TypedDict

from scorer import dump_move
from scorer.sentence import MOST, Spoken, step
from webui.api.answers import MoveView
from webui.match.match import Match


class SpokenView(TypedDict):
    """A move with its sentence."""

    words: str
    move: MoveView


class MovesView(TypedDict):
    """The legal moves."""

    seq: int
    all: Annotated[bool, "false: there are more moves than were looked at"]
    moves: list[SpokenView]


class Sentence(TypedDict):
    """How far a sentence has come."""

    seq: int
    all: Annotated[bool, "false: there are more moves than were looked at"]
    said: Annotated[list[str], "with the words that could only follow"]
    following: Annotated[list[str], "the words that are possible next"]
    left: Annotated[int, "how many moves are still possible"]
    move: Annotated[MoveView | None, "the move whose whole sentence was said"]
    moves: Annotated[list[SpokenView], "what is left, once that is few"]


class ChoiceView(TypedDict):
    """What may be done now, and what it is worth."""

    move: Annotated[MoveView, "without what only the dice will tell"]
    value: Annotated[float, "higher for the better choice; what it measures is said in why"]
    why: str


class AdviceView(TypedDict):
    """What would be best."""

    advice: Annotated[list[ChoiceView], "the best first"]


def sentence_view(match: Match, words: Sequence[str]) -> Sentence:
    """Return what may follow the *words* that were said."""
    spoken = match.spoken()
    reached = step(spoken, words)
    return Sentence(
        seq=match.seq,
        all=len(spoken) < MOST,
        said=list(reached.said),
        following=list(reached.following),
        left=len(reached.left),
        move=None if reached.move is None else dump_move(reached.move),
        moves=_spoken(reached.few),
    )


def _spoken(moves: Sequence[Spoken]) -> list[SpokenView]:
    return [SpokenView(words=one.text, move=dump_move(one.move)) for one in moves]


def moves_json(match: Match) -> tuple[str, ...]:
    """Return each legal move with its sentence as JSON, written once for all phones that ask."""
    if "json" not in match.memo:
        match.memo["json"] = tuple(
            json.dumps(one, separators=(",", ":")) for one in _spoken(match.spoken())
        )
    return match.memo["json"]
