"""Moves in words, and what would be best."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from webui.api.answers import MoveView


@dataclass(frozen=True, slots=True)
class SpokenView:
    """A move with its sentence."""

    words: str
    move: MoveView


@dataclass(frozen=True, slots=True)
class MovesView:
    """The legal moves."""

    seq: int
    all: Annotated[bool, "false: there are more moves than were looked at"]
    moves: list[SpokenView]


@dataclass(frozen=True, slots=True)
class Sentence:
    """How far a sentence has come."""

    seq: int
    all: Annotated[bool, "false: there are more moves than were looked at"]
    said: Annotated[list[str], "with the words that could only follow"]
    following: Annotated[list[str], "the words that are possible next"]
    left: Annotated[int, "how many moves are still possible"]
    move: Annotated[MoveView | None, "the move whose whole sentence was said"]
    moves: Annotated[list[SpokenView], "what is left, once that is few"]


@dataclass(frozen=True, slots=True)
class ChoiceView:
    """What may be done now, and what it is worth."""

    move: Annotated[MoveView, "without what only the dice will tell"]
    value: Annotated[float, "higher for the better choice; what it measures is said in why"]
    why: str


@dataclass(frozen=True, slots=True)
class AdviceView:
    """What would be best."""

    advice: Annotated[list[ChoiceView], "the best first"]
