"""The pages before a match: the start page with its form, a recording opened, a code typed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from flask import Blueprint, redirect, render_template, request, url_for
from werkzeug.datastructures import FileStorage, MultiDict
from werkzeug.wrappers import Response

from scorer import Game, Illegal, Malformed, check_seats, recording
from scorer.games import GAMES
from scorer.messages import _, raw
from webui.errors import RequestError, problem
from webui.http import roles
from webui.http.bodies import FormFields, take
from webui.http.hosts import cookie_path
from webui.http.roles import least, own_token, token
from webui.languages import COOKIE, choices, translate
from webui.match import match as matches
from webui.match import past
from webui.match.player_names import NAME_LENGTH, check_names, unnamed
from webui.match.summary import sentence
from webui.pages.match import demo
from webui.pages.match.match import to_own_match
from webui.pages.start import start_buttons, start_form
from webui.services import services
from webui.store.rows import MatchRow
from webui.store.tables.phones import Role

bp = Blueprint("start", __name__)

ProblemPage = tuple[str, int, Mapping[str, str]]  # a page with an error


@dataclass(frozen=True, slots=True)
class Fault:
    """An error in a form, and the part of the page that shows it."""

    part: str  # "game", "who", "how", "code", "recording"
    sentence: str


NO_FAULT = Fault("", "")

FIRST_GAME = "purple_house"  # the first one on the shelf, selected by default
LISTED = 6  # recent matches
RECORDING_BYTES = 4_000_000  # some twenty thousand moves


@bp.get("/")
@least(Role.ANYBODY)
def start() -> str:
    """Show the start page, also after the buttons of its form; give the phone its token."""
    own_token()
    return _start_page(request.args)


@bp.post("/start")
@least(Role.ANYBODY, spends="matches")
def create() -> Response | tuple[str, int]:
    """Create a match from the form of the start page."""
    form, part = request.form, "game"
    try:
        game, part = start_form.game_of(form), "who"
        names = check_names(
            [name.strip() or unnamed(seat) for seat, name in enumerate(start_form.names(form), 1)]
        )
        check_seats(game.title, game.seats, len(names))
        part = "how"
        made = matches.create(services().store, game.name, names, start_form.house(game, form))
    except (RequestError, Malformed, Illegal) as fault:
        refusal = problem(fault)
        return _start_page(form, Fault(part, refusal.sentence)), refusal.status
    return to_own_match(made)


@bp.post("/forget")
@least(Role.ANYBODY)
def forget() -> Response:
    """Remove a match from this phone's list."""
    match_id = request.form.get("match", "")
    services().store.phones.forget(match_id, token())
    return roles.forget(_back_to_form("match", anchor="mine"), match_id)


def _back_to_form(*buttons: str, anchor: str | None = None) -> Response:
    """Redirect to the start page with the form as it was typed, without the pressed button."""
    typed = {name: request.form.getlist(name) for name in request.form if name not in buttons}
    return redirect(url_for("start.start", _anchor=anchor, **typed), 303)  # type: ignore[arg-type]


@bp.post("/language")
@least(Role.ANYBODY)
def choose_language() -> Response:
    """Store the chosen language for this device."""
    answer = _back_to_form("language")
    if (chosen := request.form.get("language", "")) in choices():
        kept: Any = {"max_age": roles.YEAR, "path": cookie_path(), "httponly": True}
        answer.set_cookie(COOKIE, chosen, samesite="Lax", **kept)
    return answer


@bp.post("/open")
@least(Role.ANYBODY, spends="matches")
def open_recording() -> Response | tuple[str, int]:
    """Create a match from a recording; a recording with a broken line is refused."""
    take(RECORDING_BYTES)
    try:
        recorded = recording.read(_lines(request.files.get("recording")), GAMES)
        made = matches.restore(services().store, recorded)
    except (RequestError, Malformed, Illegal) as fault:
        refusal = problem(fault)
        says = translate(
            "The recording was not opened. {sentence}",
            sentence=raw(sentence(refusal.sentence, ".")),
        )
        return _start_page(request.form, Fault("recording", says)), refusal.status
    return to_own_match(made)


def _lines(sent: FileStorage | None) -> list[str]:
    if sent is None or not sent.filename:
        raise Malformed(_("choose a file first"))
    try:
        content: bytes = sent.read()
        return recording.decoded(content).splitlines()
    except UnicodeDecodeError:
        raise Malformed(
            _("it is not a text file; a recording is a file that ends in .jsonl")
        ) from None


@bp.post("/try")
@least(Role.ANYBODY, spends="matches")
def try_it() -> Response:
    """Create a demo match for two, whose page reads a sample picture, or that has begun."""
    name = request.form.get("game", FIRST_GAME)
    if name not in GAMES:
        name = FIRST_GAME
    if demo.sample(name):
        return to_own_match(demo.to_photograph(services().store, name), demo=1)
    return to_own_match(demo.make_demo(services().store, name))


@bp.get("/join")
@least(Role.ANYBODY)
def join_form() -> Response | ProblemPage:
    """Redirect from a typed code to its match, or to its big screen."""
    return join(request.args.get("code", ""))


@bp.get("/j/<code>")
@least(Role.ANYBODY)
def join(code: str) -> Response | ProblemPage:
    """Redirect from the code of another phone to its match."""
    try:
        match_id = services().join(code)
    except RequestError as fault:
        refusal = problem(fault)
        typed = MultiDict([*request.args.items(multi=True)])
        typed["code"] = code[:40]
        page = _start_page(typed, Fault("code", refusal.sentence))
        return page, refusal.status, refusal.headers
    if "watch" in request.args:
        return redirect(url_for("screen.board", screen=match_id))
    return redirect(url_for("pages.match_page", match_id=match_id))


def _start_page(sent: FormFields, fault: Fault = NO_FAULT) -> str:
    store = services().store
    earlier = store.matches(roles.ids())
    given, focus = start_buttons.pressed(sent, earlier)
    game = _game(given, earlier)
    names, settings = start_form.rows(game, given), start_form.fields(game, given)
    rest = [setting for setting in settings if not (setting["often"] or setting["per_seat"])]
    last = start_form.fields(game, start_buttons.as_last_time(game, given, earlier))
    return render_template(
        "start.html",
        fault=fault,
        faulty=fault.part == "how" and start_form.faulty(game, sent),
        focus=focus,
        games=sorted(GAMES.values(), key=lambda each: each.name != FIRST_GAME),
        game=game,
        names=names,
        orders=start_buttons.orders(len(names)),
        name_length=NAME_LENGTH,
        players=[name for name in past.players(earlier) if name not in names],
        settings=settings,
        rest=rest,
        rest_changed=bool(start_form.changes(rest)),
        last=start_form.changes(last) if last != settings else [],
        listed=[past.listed(store, row) for row in earlier[:LISTED]],
        code=given.get("code"),
        photographed=demo.sample(game.name) is not None,
    )


def _game(given: FormFields, earlier: Sequence[MatchRow]) -> Game[Any, Any]:
    played = (row.game for row in earlier)
    names = (given.get("game", ""), *played, FIRST_GAME)
    return next(GAMES[name] for name in names if name in GAMES)
