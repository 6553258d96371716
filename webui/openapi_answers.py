"""What is answered, in JSON schema: told from the very types it is made of (`webui.answers`)."""

from __future__ import annotations

from webui.answers.games import Games
from webui.answers.history import BecauseView, History
from webui.answers.match import Identity, Standing
from webui.answers.moves import AdviceView, Moves, Sentence
from webui.answers.photos import SightingView, TaughtBoardView, TaughtView
from webui.answers.proposals import ProposalView
from webui.answers.server import Health, MatchAddress, Waiting
from webui.answers.watching import WatchView
from webui.errors import ErrorAnswer
from webui.json_schema import Schema, ref, schema, together

SCHEMAS: dict[str, Schema] = {
    "Error": schema(ErrorAnswer),
    "Health": schema(Health),
    "Games": schema(Games),
    "Found": schema(MatchAddress),
    "Match": together(*map(schema, (Identity, Standing, BecauseView, History))),
    "History": schema(History),
    "Because": schema(BecauseView),
    "Moves": schema(Moves),
    "Sentence": schema(Sentence),
    "Sighting": schema(SightingView),
    "Seen": together(schema(SightingView), {"properties": {"proposal": ref("Proposal")}}),
    "Proposal": schema(ProposalView),
    "Waiting": schema(Waiting),
    "Taught": schema(TaughtView),
    "TaughtBoard": schema(TaughtBoardView),
    "Advice": schema(AdviceView),
    "Watch": schema(WatchView),
}
