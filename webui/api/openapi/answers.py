"""JSON schemas of the answers, derived from the types that they are made of."""

from __future__ import annotations

from webui.api.answers.followers import (
    NewViewerView,
    NewWebhookView,
    ShownMatch,
    Tried,
    Viewers,
    Webhooks,
)
from webui.api.answers.games import Games
from webui.api.answers.history import BecauseView, History
from webui.api.answers.match import Identity, StandingView
from webui.api.answers.moves import AdviceView, MovesView, Sentence
from webui.api.answers.photos import SightingView, TaughtBoardView, TaughtView, WholeView
from webui.api.answers.proposals import ProposalView
from webui.api.answers.server import DeletedMatch, Health, MatchAddress, PastMatches, WaitingView
from webui.api.answers.statistics import StatisticsView
from webui.api.answers.watching import WatchView
from webui.api.openapi.json_schema import Schema, ref, schema, together
from webui.errors import ErrorAnswer
from webui.match.events import MatchEvent

SCHEMAS: dict[str, Schema] = {
    "Error": schema(ErrorAnswer),
    "DeletedMatch": schema(DeletedMatch),
    "Health": schema(Health),
    "Games": schema(Games),
    "Found": schema(MatchAddress),
    "PastMatches": schema(PastMatches),
    "Statistics": schema(StatisticsView),
    "Match": together(*map(schema, (Identity, StandingView, BecauseView, History))),
    "History": schema(History),
    "Because": schema(BecauseView),
    "Moves": schema(MovesView),
    "Sentence": schema(Sentence),
    "Sighting": schema(SightingView),
    "Seen": together(schema(SightingView), {"properties": {"proposal": ref("Proposal")}}),
    "Whole": schema(WholeView),
    "Proposal": schema(ProposalView),
    "Waiting": schema(WaitingView),
    "Taught": schema(TaughtView),
    "TaughtBoard": schema(TaughtBoardView),
    "Advice": schema(AdviceView),
    "Watch": schema(WatchView),
    "MatchEvent": schema(MatchEvent),
    "Shown": together(*map(schema, (ShownMatch, StandingView))),
    "Viewers": schema(Viewers),
    "Viewer": schema(NewViewerView),
    "Webhooks": schema(Webhooks),
    "Webhook": schema(NewWebhookView),
    "Tried": schema(Tried),
}
