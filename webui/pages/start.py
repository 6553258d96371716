"""The pages before a match: the start page with its form, a recording opened, a code typed."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from flask import Blueprint, current_app, redirect, render_template, request, url_for
from werkzeug.datastructures import FileStorage, MultiDict
from werkzeug.wrappers import Response

from scorer import Illegal, Malformed, recording
from scorer.games import GAMES
from scorer.messages import _, raw
from webui.api.requests import take
from webui.api.serialize.games import game_view
from webui.errors import RequestError, problem
from webui.languages import COOKIE, choices, translate
from webui.match import match as matches
from webui.match.allowed import photographable
from webui.match.player_names import NAME_LENGTH
from webui.match.summary import sentence
from webui.pages import start_form
from webui.pages.match import to_match
from webui.pages.move_panel import say
from webui.pages.start_form import FormFields
from webui.services import services

bp = Blueprint("start", __name__)

ProblemPage = tuple[str, int, Mapping[str, str]]  # a page that says what went wrong

FIRST_GAME = "purple_house"  # what the start page offers before anybody chose; any game will do
DEMO_NAMES = ("Ana", "Ben")
DEMO_PHOTO = "demo-board.jpg"
YEAR = 365 * 24 * 3600  # seconds
RECORDING_BYTES = 4_000_000  # some twenty thousand moves


@bp.get("/")
def start() -> str:
    """Show the start page; its buttons for more players and another game come back here."""
    return _start_page(start_form.of_the_game_asked_for(request.args))


@bp.post("/start")
def create() -> Response | tuple[str, int]:
    """Make a match from the form of the start page."""
    form = request.form
    try:
        game = start_form.game_of(form)
        names = [
            name.strip() or translate("Player {number}", number=seat)
            for seat, name in enumerate(start_form.names(form), 1)
        ]
        made = matches.create(services().store, game.name, names, start_form.house(game, form))
    except (RequestError, Malformed, Illegal) as fault:
        refusal = problem(fault)
        return _start_page(form, refusal.sentence), refusal.status
    return to_match(made)


@bp.post("/language")
def choose_language() -> Response:
    """Speak the chosen language on this device from now on."""
    answer = redirect(url_for(".start"), 303)
    if (chosen := request.form.get("language", "")) in choices():
        answer.set_cookie(COOKIE, chosen, max_age=YEAR, samesite="Lax", httponly=True)
    return answer


@bp.post("/open")
def open_recording() -> Response | tuple[str, int]:
    """Make a match of a recording; one with a broken line makes none."""
    take(RECORDING_BYTES)
    try:
        recorded = recording.read(_lines(request.files.get("recording")), GAMES)
        made = matches.restore(services().store, recorded)
    except (RequestError, Malformed, Illegal) as fault:
        refusal = problem(fault)
        return _start_page(
            request.form,
            _(
                "The recording was not opened. {sentence}",
                sentence=raw(sentence(refusal.sentence, ".")),
            ),
        ), refusal.status
    return to_match(made)


def _lines(sent: FileStorage | None) -> list[str]:
    if sent is None or not sent.filename:
        raise Malformed("choose a file first")
    try:
        content: bytes = sent.read()
        return content.decode().splitlines()
    except UnicodeDecodeError:
        raise Malformed(
            "it is not a text file; a recording is a file that ends in .jsonl"
        ) from None


@bp.post("/try")
def try_it() -> Response:
    """Make a match of two whose page reads our own photo of a board, as if it were just taken."""
    made = matches.create(services().store, FIRST_GAME, DEMO_NAMES, {})
    while not photographable(made):
        agreed = say(made.rules(), made.state, DEMO_NAMES).options[0]
        made = matches.play(services().store, made.row.id, made.seq, [agreed.move])
    return to_match(made, demo=1)


@bp.get("/join")
def join_form() -> Response | ProblemPage:
    """Lead from a typed code to its match."""
    return join(request.args.get("code", ""))


@bp.get("/j/<code>")
def join(code: str) -> Response | ProblemPage:
    """Lead from the code on another phone to its match."""
    try:
        return redirect(url_for("pages.match_page", match_id=services().join(code)))
    except RequestError as fault:
        refusal = problem(fault)
        page = _start_page(MultiDict({"code": code[:40]}), refusal.sentence)
        return page, refusal.status, refusal.headers


def _start_page(given: FormFields, sentence: str | None = None) -> str:
    game = GAMES[given["game"]] if given.get("game") in GAMES else GAMES[FIRST_GAME]
    settings = start_form.fields(game, given)
    return render_template(
        "start.html",
        problem=sentence,
        games=[game_view(one) for one in GAMES.values()],
        game=game,
        names=start_form.rows(game, given),
        name_length=NAME_LENGTH,
        fewest=game.seats[0],
        most=game.seats[-1],
        settings=settings,
        resized="players" in given,
        rules_open=start_form.is_changed(settings),
        code=given.get("code"),
        demo=(Path(current_app.static_folder or "") / DEMO_PHOTO).exists(),
    )
