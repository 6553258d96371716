"""A proposal as JSON: what the table on a photo would mean by the rules."""

from collections.abc import Sequence
from typing import Annotated, Any, TypedDict

from scorer import Difference, Doubt, Proposal, Table, asked, dump_move
from webui.api.answers import MoveView, SeatNumbers
from webui.api.answers.history import PartView, by_part, in_words
from webui.languages import said
from webui.match import amend
from webui.match.amend import Overtaken
from webui.match.at_table import can_play_on
from webui.match.match import Match
from webui.match.proposals import Preview
from webui.match.tap_answers import answers_beside
from webui.store.log import Store


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
    corrected: Annotated[bool, "it stood before what was looked at, in other words"]


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
    store: Store,
    match: Match,
    table: Table,
    proposed: tuple[Proposal, Preview | None],
    *,
    doubts: Sequence[Doubt] = (),
    overtaken: Overtaken | None = None,
    asks: bool = True,
) -> ProposalView:
    """Return what a *table* would mean, as `propose` found it; *doubts* of the eyes come first.

    A person is asked about steps before (where it *asks*), offered other answers or to play on
    against the rules, and is shown the step of another phone that came first.
    """
    (proposal, preview), names = proposed, match.names
    questions = amend.questions(store, match, table) if asks and proposal.differences else ()
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
        answers=[
            AnswerView(text=one.text, moves=one.moves) for one in answers_beside(match, proposal)
        ],
        play_on=can_play_on(match, table, proposal),
        overtaken=None
        if overtaken is None
        else OvertakenView(
            step=overtaken.step,
            text=[said(one) for one in overtaken.text],
            corrected=overtaken.corrected,
        ),
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
