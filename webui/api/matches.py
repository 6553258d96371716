"""Games, matches and their steps in the JSON interface."""

import json
import logging
from collections.abc import Mapping
from typing import Any

from flask import Response, current_app, request
from prometheus_client import CONTENT_TYPE_LATEST
from sqlalchemy.exc import SQLAlchemyError

from scorer import Malformed
from scorer.game import kind_of
from scorer.games import GAMES
from scorer.messages import _, raw
from scorer.sentence import MOST
from webui.api.answers.games import Games, game_view
from webui.api.answers.history import MORE, BecauseView, History, parts_view, steps_view
from webui.api.answers.match import MatchView, match_view
from webui.api.answers.moves import (
    AdviceView,
    ChoiceView,
    MovesView,
    Sentence,
    moves_json,
    sentence_view,
)
from webui.api.answers.server import DeletedMatch, FoundView, Health, PastMatches, past_view
from webui.api.answers.statistics import StatisticsView, statistics_view
from webui.api.moves_schema import MOVE_KINDS
from webui.api.schema import COUNTED, TEXT, day, query
from webui.api.sent import AskAdvice, NewMatch, Note, Play, Redo, Undo
from webui.errors import RequestError
from webui.http.address import address
from webui.http.bodies import number
from webui.http.health import UNREADABLE, Unwell
from webui.http.metrics import Metrics, check_reader
from webui.http.roles import access, opened
from webui.match import amend, at_table, past
from webui.match import match as matches
from webui.match import undo as undoing
from webui.match.advice import choices
from webui.match.statistics import players as stats
from webui.services import services
from webui.store.tables.phones import Role

log = logging.getLogger(__name__)

BEFORE = (query("before", COUNTED),)
OF_GAME = query("game", {**TEXT, "examples": [*GAMES]}, 'its name or title; "": of any game')
STEP = (409, 422, 503, 507)


def _view(match: matches.Match) -> MatchView:
    return match_view(match, services().root)


# ---------------------------------------------------------------- the server and its games


@address("GET", "/healthz", Role.ANYBODY, errors=[503])
def health() -> Health:
    """Say that matches can be read and stored, and the last photos read."""
    try:
        services().store.check()
    except RequestError as fault:
        raise Unwell(fault.args[0]) from fault
    except SQLAlchemyError as fault:
        log.exception("the matches cannot be read")
        raise Unwell(UNREADABLE) from fault
    services().outcomes.check()
    return Health(ok=True)


@address("GET", "/metrics", Role.ANYBODY)
def metrics() -> Response:
    """Figures for Prometheus, for programs on the server."""
    check_reader(request)
    figures: Metrics = current_app.extensions["metrics"]
    return Response(figures.text(), content_type=CONTENT_TYPE_LATEST)


@address("GET", "/api/games", Role.ANYBODY)
def games() -> Games:
    """The games with their settings."""
    return Games(games=[game_view(game) for game in GAMES.values()])


# ---------------------------------------------------------------- matches


@address(
    "GET",
    "/api/matches",
    Role.ANYBODY,
    errors=[400],
    query=[
        query("player", {**TEXT, "maxLength": past.SEARCH_LENGTH}),
        OF_GAME,
        day("since"),
        day("until"),
        query("page", COUNTED),
    ],
)
def find_past() -> PastMatches:
    """The matches that the phone with these cookies has opened, the newest first, by the page.

    Each word of `player` is in the name of somebody who plays.
    """
    wanted = past.wanted(services().store, _sought(), opened())
    return past_view(past.search(services().store, wanted, number("page", 1)), services().root)


def _sought() -> Mapping[str, str]:
    """Return what the address looks for; raises Malformed where a day of it is empty."""
    for name in ("since", "until"):
        if (given := request.args.get(name)) is not None:
            past.as_date(given)
    return request.args


@address("POST", "/api/matches", Role.ANYBODY, spends="matches", status=201, errors=[422, 503, 507])
def create(sent: NewMatch) -> MatchView:
    """Make a match."""
    given = sent.game, sent.names, sent.settings or {}, sent.opening
    return _view(matches.create(services().store, *given))


@address(
    "GET",
    "/api/players",
    Role.ANYBODY,
    errors=[400, 404],
    query=[query("name"), query("by_rules"), OF_GAME, day("since"), day("until")],
)
def players() -> StatisticsView:
    """Statistics of the matches that the phone with these cookies has opened, by player.

    With `name` of that player alone, with `by_rules=1` without matches in which players went on
    with what the rules forbid.
    """
    return statistics_view(*stats.look_up(services().store, _sought(), opened()))


@address("GET", "/api/codes/<code>", Role.ANYBODY, errors=[429])
def find(code: str) -> FoundView:
    """The match with a join code."""
    found = services().join(code)
    return FoundView(id=found, url=f"{services().root}m/{found}")


@address("GET", "/api/matches/<match_id>", Role.WATCHER)
def show(match_id: str) -> MatchView:
    """A match."""
    return _view(matches.load(services().store, match_id))


@address("DELETE", "/api/matches/<match_id>", Role.HOST, errors=[403, 503, 507])
def delete(match_id: str) -> DeletedMatch:
    """Delete a match for good: its steps, what it taught, and photos that no other match names."""
    return DeletedMatch(photos=services().delete(match_id).photos)


@address("GET", "/api/matches/<match_id>/history", Role.WATCHER, errors=[400], query=BEFORE)
def history(match_id: str) -> History:
    """Older events, those before the event `before`."""
    match = matches.load(services().store, match_id)
    before = number("before", match.seq + 1)
    return steps_view(match, matches.history(services().store, match, before, MORE), MORE)


@address("GET", "/api/matches/<match_id>/because", Role.WATCHER, errors=[400, 422], query=BEFORE)
def because(match_id: str) -> BecauseView:
    """Older parts of the tally, those before the part `before`, counted from 0."""
    match = matches.load(services().store, match_id)
    return parts_view(match, match.because(), number("before", None))


# ---------------------------------------------------------------- moves in words


@address(
    "GET",
    "/api/matches/<match_id>/moves",
    Role.WATCHER,
    answer=MovesView,
    errors=[400, 422],
    query=[query("kind", {"enum": MOVE_KINDS})],
)
def moves(match_id: str) -> Response:
    """The legal moves, in words."""
    match = matches.load(services().store, match_id)
    kind = request.args.get("kind")
    if kind is not None and kind not in (kinds := [one.__name__ for one in match.rules().moves]):
        raise Malformed(
            _(
                "{title} has the moves {names}, not {kind}.",
                title=raw(match.rules().title),
                names=raw(", ".join(kinds)),
                kind=raw(kind),
            )
        )
    spoken, written = match.spoken(), moves_json(match)
    wanted = [
        text
        for one, text in zip(spoken, written, strict=True)
        if kind in (None, kind_of(one.move).__name__)
    ]
    every = json.dumps(len(spoken) < MOST)
    answer = f'{{"seq":{match.seq},"all":{every},"moves":[{",".join(wanted)}]}}\n'
    return Response(answer, mimetype="application/json")


@address(
    "GET", "/api/matches/<match_id>/sentence", Role.WATCHER, errors=[422], query=[query("said")]
)
def sentence(match_id: str) -> Sentence:
    """A move said word by word."""
    match = matches.load(services().store, match_id)
    return sentence_view(match, request.args.get("said", "").split())


@address("POST", "/api/matches/<match_id>/advice", Role.WATCHER, errors=[403, 422])
def advise(match_id: str, sent: AskAdvice) -> AdviceView:
    """What would be best now, the best first, where the players agreed that anybody may ask.

    Nothing is stored, the hand least of all.
    """
    found = choices(matches.load(services().store, match_id), sent.hand)
    return AdviceView(
        advice=[ChoiceView(move=one.move, value=one.value, why=one.why) for one in found]
    )


# ---------------------------------------------------------------- steps


@address("POST", "/api/matches/<match_id>/moves", Role.PLAYER, status=201, errors=STEP)
def play(match_id: str, sent: Play) -> MatchView:
    """Store confirmed moves, all or none, as one step.

    A repeated `request` gets the first result.
    """
    store, right = services().store, sent.instead
    given: Any = {"by": sent.by, "sighting": sent.sighting, "request": sent.request}
    given["access"] = access()
    replaced = right.moves if right else ()
    at_table.check_confirmed(store, match_id, sent.after, (*sent.moves, *replaced), sent.confirmed)
    if right is None:
        if sent.sighting is None:
            services().cameras.check_entered(match_id, sent.after, sent.moves)
        match = matches.play(store, match_id, sent.after, sent.moves, **given)
    else:
        match = amend.amend(store, match_id, sent.after, right, sent.moves, **given)
    return _stored(match)


@address("POST", "/api/matches/<match_id>/undo", Role.PLAYER, status=201, errors=STEP)
def undo(match_id: str, sent: Undo) -> MatchView:
    """Take steps back."""
    given: Any = {"by": sent.by, "request": sent.request, "access": access()}
    return _stored(undoing.undo(services().store, match_id, sent.after, to=sent.to, **given))


@address("POST", "/api/matches/<match_id>/redo", Role.PLAYER, status=201, errors=STEP)
def redo(match_id: str, sent: Redo) -> MatchView:
    """Put steps back that were taken back."""
    place = services().store, match_id, sent.after, sent.step
    return _stored(undoing.redo(*place, by=sent.by, request=sent.request, access=access()))


@address("POST", "/api/matches/<match_id>/notes", Role.PLAYER, status=201, errors=STEP)
def note(match_id: str, sent: Note) -> MatchView:
    """Note something on a step."""
    place = services().store, match_id, sent.after, sent.step, sent.text
    return _stored(undoing.write_note(*place, by=sent.by, request=sent.request))


def _stored(match: matches.Match) -> MatchView:
    """Announce to every phone that a match has changed, and answer it."""
    services().live.announce(match.row.id, match.seq)
    return _view(match)
