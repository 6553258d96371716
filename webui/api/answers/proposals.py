"""A proposal: what the table on a photo would mean by the rules."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

from webui.api.answers import MoveView, SeatNumbers
from webui.api.answers.history import PartView


@dataclass(frozen=True, slots=True)
class DoubtView:
    """What a person should look at again."""

    sentence: str
    piece: Annotated[list[Any] | None, "kind and place: ['dice', 4]"]
    taken: Annotated[list[Any] | None, "what a die counts for that looks otherwise: ['red', 4]"]
    drawn: Annotated[bool, "enough to mark it on its piece: the value shown there likely stands"]


@dataclass(frozen=True, slots=True)
class DifferenceView:
    """What the rules forbid on the table as it was read."""

    sentence: str
    piece: Annotated[list[Any] | None, "kind and place: ['dice', 4]"]
    rule: str


@dataclass(frozen=True, slots=True)
class PreviewView:
    """What confirming the proposal would lead to."""

    text: list[str]
    score: SeatNumbers
    earned: Annotated[
        SeatNumbers, "of the score, without what only an end of the match then would cost"
    ]
    because: list[PartView]


@dataclass(frozen=True, slots=True)
class QuestionView:
    """A move that would explain the table in the place of a step."""

    question: str
    step: int
    move: MoveView


@dataclass(frozen=True, slots=True)
class AnswerView:
    """What the table may mean instead, to be stored in one tap."""

    text: str
    moves: list[MoveView]


@dataclass(frozen=True, slots=True)
class OvertakenView:
    """The step of another phone that was first."""

    step: int
    text: list[str]


@dataclass(frozen=True, slots=True)
class ProposalView:
    """What a table would mean."""

    moves: list[MoveView]
    doubts: list[DoubtView]
    differences: list[DifferenceView]
    preview: PreviewView | None
    questions: Annotated[
        list[QuestionView], "moves that would explain the table in the place of a step: `instead`"
    ]
    answers: Annotated[list[AnswerView], "what a doubt asks about, otherwise answered"]
    play_on: Annotated[bool, "all may play on with it against the rules"]
    overtaken: Annotated[
        OvertakenView | None,
        "the step of another phone that ended what was looked at; the proposal is judged as"
        " before it",
    ]
