"""A proposal as JSON: what the table on a photo would mean by the rules."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, TypedDict

from scorer import Difference, Doubt, Proposal, asked, dump_move
from webui.api.answers import MoveView, SeatNumbers
from webui.api.answers.history import PartView, by_part, in_words
from webui.languages import said
from webui.match.amend import Overtaken, Question
from webui.match.proposals import Preview
from webui.match.tap_answers import TapAnswer


class DoubtView(TypedDict):
    """What a person should look at again."""

    sentence: str
    piece: Annotated[list[Any] | None, "kind and place: ['dice', 4]"]
    taken: Annotated[list[Any] | None, "what a die counts for that looks otherwise: ['red', 4]"]
    drawn: Annotated[bool, "enough to mark it on its piece: the value shown there likely stands"]


class DifferenceView(TypedDict):
    """What the rules forbid on the table as it was read."""

    sentence: str
    piece: Annotated[list[Any] | None, "kind and place: ['dice', 4]"]
    rule: str


class PreviewView(TypedDict):
    """What confirming the proposal would lead to."""

    text: list[str]
    score: SeatNumbers
    earned: Annotated[
        SeatNumbers, "of the score, without what only an end of the match then would cost"
    ]
    because: list[PartView]


class QuestionView(TypedDict):
    """A move that would explain the table in the place of a step."""

    question: str
    step: int
    move: MoveView


class AnswerView(TypedDict):
    """What the table may mean instead, to be stored in one tap."""

    text: str
    moves: list[MoveView]


class OvertakenView(TypedDict):
    """The step of another phone that was first."""

    step: int
    text: list[str]


class ProposalView(TypedDict):
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


def proposal_view(
    proposal: Proposal,
    preview: Preview | None,
    names: Sequence[str],
    doubts: Sequence[Doubt] = (),
    questions: Sequence[Question] = (),
    answers: Sequence[TapAnswer] = (),
    overtaken: Overtaken | None = None,
    *,
    play_on: bool = False,
) -> ProposalView:
    """Return what a table would mean; *doubts* of the eyes come before those of the rules.

    A person is asked *questions* about steps before, offered other *answers* than what is
    proposed, or to *play on* against the rules, and told what another phone was first with.
    """
    return ProposalView(
        moves=[dump_move(move) for move in proposal.moves],
        doubts=[
            _doubt(doubt, names)
            for doubt in asked(doubts, proposal.doubts, weighed=proposal.weighed)
        ],
        differences=[_difference(one, names) for one in proposal.differences],
        preview=None if preview is None else _preview(preview, names),
        questions=[
            QuestionView(question=one.text, step=one.step, move=dict(one.move)) for one in questions
        ],
        answers=[AnswerView(text=one.text, moves=one.moves) for one in answers],
        play_on=play_on,
        overtaken=None
        if overtaken is None
        else OvertakenView(step=overtaken.step, text=[said(one) for one in overtaken.text]),
    )


def _doubt(doubt: Doubt, names: Sequence[str]) -> DoubtView:
    return DoubtView(
        sentence=said(doubt.sentence, names),
        piece=None if doubt.piece is None else list(doubt.piece),
        taken=doubt.taken and list(doubt.taken),
        drawn=doubt.drawn,
    )


def _difference(found: Difference, names: Sequence[str]) -> DifferenceView:
    piece = None if found.piece is None else list(found.piece)
    return DifferenceView(sentence=said(found.sentence, names), piece=piece, rule=found.rule)


def _preview(preview: Preview, names: Sequence[str]) -> PreviewView:
    return PreviewView(
        text=[said(one) for one in preview.text],
        score=list(preview.score),
        earned=list(preview.earned),
        because=in_words(by_part(preview.because), names),
    )
