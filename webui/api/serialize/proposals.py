"""A proposal as JSON: what the table on a photo would mean by the rules."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from scorer import Difference, Doubt, Proposal, asked, dump_move
from webui.api.answers import plain
from webui.api.answers.proposals import (
    AnswerView,
    DifferenceView,
    DoubtView,
    OvertakenView,
    PreviewView,
    ProposalView,
    QuestionView,
)
from webui.api.serialize.history import by_part, in_words
from webui.languages import said
from webui.match.amend import Overtaken, Question
from webui.match.proposals import Preview
from webui.match.tap_answers import TapAnswer


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
) -> dict[str, Any]:
    """Return what a table would mean; *doubts* of the eyes come before those of the rules.

    A person is asked *questions* about steps before, offered other *answers* than what is
    proposed, or to *play on* against the rules, and told what another phone was first with.
    """
    return plain(
        ProposalView(
            moves=[dump_move(move) for move in proposal.moves],
            doubts=[
                DoubtView(*_remark(doubt, names), doubt.taken and list(doubt.taken), doubt.drawn)
                for doubt in asked(doubts, proposal.doubts, weighed=proposal.weighed)
            ],
            differences=[
                DifferenceView(*_remark(one, names), one.rule) for one in proposal.differences
            ],
            preview=None
            if preview is None
            else PreviewView(
                [said(one) for one in preview.text],
                list(preview.score),
                list(preview.earned),
                in_words(by_part(preview.because), names),
            ),
            questions=[QuestionView(one.text, one.step, dict(one.move)) for one in questions],
            answers=[AnswerView(one.text, one.moves) for one in answers],
            play_on=play_on,
            overtaken=None
            if overtaken is None
            else OvertakenView(overtaken.step, [said(one) for one in overtaken.text]),
        )
    )


def _remark(remark: Doubt | Difference, names: Sequence[str]) -> tuple[str, list[Any] | None]:
    piece = None if remark.piece is None else list(remark.piece)
    return said(remark.sentence, names), piece
