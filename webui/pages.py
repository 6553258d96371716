"""The pages: start, match, step, undo. Rendered here, kept live by the scripts in static/."""

from __future__ import annotations

import json
import re
import secrets
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from flask import Blueprint, current_app, redirect, render_template, request, url_for
from markupsafe import Markup
from werkzeug.datastructures import FileStorage, MultiDict
from werkzeug.wrappers import Response

from scorer import Game, Illegal, Malformed, Table, dump_move, named, once, recording
from scorer.games import GAMES
from scorer.sentence import lying
from scorer.values import typed as typed_value
from webui import advice, amend, boards_api, match_page
from webui import match as matches
from webui.bridge import cells_on, views
from webui.chart import chart
from webui.errors import NotRead, Problem, Refused, Unknown, problem
from webui.match import Match
from webui.move_panel import Say, say, say_of
from webui.names import NAME_LENGTH
from webui.qr import svg
from webui.requests import load_json
from webui.serialize import (
    MORE,
    by_part,
    game_view,
    match_view,
    parts_view,
    photo_path,
    span,
    steps_view,
)
from webui.services import parts
from webui.store import check_after
from webui.told import clock

bp = Blueprint("pages", __name__)

Form = MultiDict[str, str]
Told = tuple[str, int, Mapping[str, str]]  # a page that says what went wrong

FIRST_GAME = "purple_house"  # what the start page offers before anybody chose; any game will do
DEMO_NAMES = ("Ana", "Ben")
DEMO_PHOTO = "demo-board.jpg"
RECORDING_BYTES = 4_000_000  # some twenty thousand moves
ROWS_FOR_NAMES = 2  # before anybody asks for more
ANY_REQUEST = "request-id-of-this-form"  # in the tally, until a phone gets one of its own
TITLES = {404: "Not here", 409: "Another phone just moved", 429: "Too many tries"}


# ---------------------------------------------------------------- starting and joining


@bp.get("/")
def start() -> str:
    """Show the start page; the button for one more name comes back here with what was typed."""
    return _start_page(request.args)


@bp.post("/start")
def create() -> Response | tuple[str, int]:
    """Make a match from the form of the start page."""
    form = request.form
    try:
        game = _game(form)
        names = [name.strip() or f"Player {seat}" for seat, name in enumerate(_names(form), 1)]
        made = matches.create(parts().store, game.name, names, _house(game, form))
    except (Refused, Malformed, Illegal) as fault:
        return _start_page(form, str(fault)), problem(fault).status
    return _to_match(made)


@bp.post("/open")
def open_recording() -> Response | tuple[str, int]:
    """Make a match of a recording; one with a broken line makes none."""
    request.max_content_length = RECORDING_BYTES
    try:
        recorded = recording.read(_lines(request.files.get("recording")), GAMES)
        made = matches.restore(parts().store, recorded)
    except (Refused, Malformed, Illegal) as fault:
        told = problem(fault)
        return _start_page(
            request.form, f"The recording was not opened. {match_page.sentence(told.sentence, '.')}"
        ), told.status
    return _to_match(made)


def _lines(sent: FileStorage | None) -> list[str]:
    if sent is None or not sent.filename:
        raise Malformed("choose a file first")
    try:
        content: bytes = sent.read()
        return content.decode().splitlines()
    except UnicodeDecodeError:
        raise Malformed("it is no text; a recording is a file that ends in .jsonl") from None


@bp.get("/m/<match_id>/recording.jsonl")
def save_recording(match_id: str) -> Response:
    """Return the match as a recording, to be kept as a file."""
    recorded = matches.recorded(parts().store, _load(match_id))
    text = "".join(f"{line}\n" for line in recording.write(recorded))
    told = {"Content-Disposition": f"attachment; filename={recorded.game}.jsonl"}
    return current_app.response_class(text, mimetype="application/jsonl", headers=told)


@bp.post("/try")
def try_it() -> Response:
    """Make a match of two whose page reads our own photo of a board, as if it were just taken."""
    made = matches.create(parts().store, FIRST_GAME, DEMO_NAMES, {})
    while not match_page.photographable(made):
        agreed = say(made.rules(), made.state, DEMO_NAMES).options[0]
        made = matches.play(parts().store, made.row.id, made.seq, [agreed.move])
    return _to_match(made, demo=1)


@bp.get("/join")
def join_form() -> Response | Told:
    """Lead from a typed code to its match."""
    return join(request.args.get("code", ""))


@bp.get("/j/<code>")
def join(code: str) -> Response | Told:
    """Lead from the code on another phone to its match."""
    try:
        return redirect(url_for(".match_page", match_id=parts().join(code)))
    except Refused as fault:
        told = problem(fault)
        page = _start_page(MultiDict({"code": code[:40]}), told.sentence)
        return page, told.status, told.headers


def _start_page(given: Form, sentence: str | None = None) -> str:
    game = GAMES[given["game"]] if given.get("game") in GAMES else GAMES[FIRST_GAME]
    return render_template(
        "start.html",
        problem=sentence,
        games=[game_view(one) for one in GAMES.values()],
        game=game,
        names=_rows(game, given),
        name_length=NAME_LENGTH,
        fewest=game.seats[0],
        most=game.seats[-1],
        settings=_fields(game, given),
        rules_open=any(name.startswith("set.") for name in given),
        code=given.get("code"),
        demo=(Path(current_app.static_folder or "") / DEMO_PHOTO).exists(),
    )


def _rows(game: Game[Any, Any], given: Form) -> list[str]:
    """Return what stands in the rows for names: as many as were asked for and the game takes."""
    wanted = given.get("players", "")
    rows = int(wanted) if re.fullmatch(r"\d{1,3}", wanted) else ROWS_FOR_NAMES
    rows = min(max(rows, game.seats[0]), game.seats[-1])
    return [*_names(given), *[""] * rows][:rows]


def _names(form: Form) -> list[str]:
    return form.getlist("name")


def _game(form: Form) -> Game[Any, Any]:
    name = form.get("game", "")
    if name not in GAMES:
        raise Unknown("There is no such game here. Choose one of those on this page.")
    return GAMES[name]


def _fields(game: Game[Any, Any], given: Form) -> list[dict[str, Any]]:
    """Return the settings as form fields. A root is a setting that others depend on."""
    players = len(_rows(game, given))
    offers = [
        offer
        for offer in game_view(game)["settings"]
        if offer["seats"] is None or offer["seats"][0] <= players <= offer["seats"][1]
    ]
    roots = {offer["only_if"][0] for offer in offers if offer["only_if"]}
    return [
        offer
        | {
            "root": offer["name"] in roots,
            "choices": [one | {"value": json.dumps(one["value"])} for one in offer["choices"]],
            "chosen": given.get(f"set.{offer['name']}", json.dumps(offer["default"])),
            "typed": given.get(f"typed.{offer['name']}", ""),
            "seated": _seated(offer, given, players),
            "only_if": offer["only_if"]
            and [offer["only_if"][0], [json.dumps(value) for value in offer["only_if"][1]]],
        }
        for offer in offers
    ]


def _seated(offer: dict[str, Any], given: Form, players: int) -> list[str]:
    """Return what each player has of a setting of which every player has one."""
    usual = [*offer["default"], *offer["per_seat"]] if offer["per_seat"] else []
    return [given.get(f"seat.{offer['name']}.{at}", usual[at]) for at in range(players) if usual]


def _house(game: Game[Any, Any], form: Form) -> dict[str, object]:
    """Return the settings as sent. Raises Malformed where a field is not what the page sends."""
    names = [setting.name for setting in game.settings]
    try:
        chosen = {name: load_json(form[f"set.{name}"]) for name in names if f"set.{name}" in form}
    except ValueError:
        raise Malformed("A house rule was left empty. Choose one of its values.") from None
    for setting in game.settings:
        seated = [form.get(f"seat.{setting.name}.{at}") for at in range(len(_names(form)))]
        if setting.per_seat and all(seated):
            chosen[setting.name] = seated
    typed = {name: form.get(f"typed.{name}", "").strip() for name in names}
    return chosen | {name: typed_value(text) for name, text in typed.items() if text}


# ---------------------------------------------------------------- a match


@bp.get("/m/<match_id>", endpoint="match_page")
def show_match(match_id: str) -> str:
    """Show a match: score, lines, history, and the way to the camera."""
    return _match_page(_load(match_id))


@bp.get("/m/<match_id>/tally")
def tally(match_id: str) -> str:
    """Return the part of the page that a step changes: the same for all phones but its forms."""

    def make() -> str:
        shown = _shown(_load(match_id)) | {"request_id": ANY_REQUEST}
        return render_template("_tally.html", **shown)

    here = parts()
    seq, rematch = here.store.news(match_id)
    asked = here.live.asked(match_id)
    known = here.latest.get((here.root, request.full_path, rematch, asked), seq, make)
    return known.replace(ANY_REQUEST, _request_id())


@bp.get("/m/<match_id>/say")
def say_fragment(match_id: str) -> str:
    """Return the panel that says a move, for the words said or typed so far."""
    now = _load(match_id)
    return render_template("_say.html", view=_view(now), say=_said(now), request_id=_request_id())


@bp.post("/m/<match_id>/dice")
def type_dice(match_id: str) -> Response | tuple[str, int]:
    """Play what dice mean that were typed as they lie."""
    form = request.form
    try:
        now = _load(match_id)
        check_after(_after(form), now.seq)
        proposal, _ = matches.propose(now, Table(lying(form.get("dice", ""))))
        if proposal.differences:
            told = "; ".join(once(proposal.differences))
            raise NotRead(match_page.sentence(named(told, now.row.names), "."))
        moves = [dump_move(one) for one in proposal.moves]
        made = matches.play(parts().store, match_id, now.seq, moves, request=form.get("request"))
    except (Refused, Malformed, Illegal) as fault:
        return _match_page(_load(match_id), str(fault)), problem(fault).status
    parts().live.announce(match_id, made.seq)
    return _to_match(made)


@bp.post("/m/<match_id>/move")
def move(match_id: str) -> Response | tuple[str, int]:
    """Play a move that was chosen on the page without the camera."""
    form = request.form
    try:
        made = matches.play(
            parts().store, match_id, _after(form), [_move(form)], request=form.get("request")
        )
    except (Refused, Malformed, Illegal) as fault:
        return _match_page(_load(match_id), str(fault)), problem(fault).status
    parts().live.announce(match_id, made.seq)
    return _to_match(made)


@bp.post("/m/<match_id>/instead")
def instead(match_id: str) -> Response | tuple[str, int]:
    """Put a move in the place of a step that was another one; the later steps stay."""
    form = request.form
    try:
        made = amend.amend(
            parts().store,
            match_id,
            _after(form),
            form.get("step", 0, type=int),
            [_move(form)],
            request=form.get("request"),
        )
    except (Refused, Malformed, Illegal) as fault:
        return _match_page(_load(match_id), str(fault)), problem(fault).status
    parts().live.announce(match_id, made.seq)
    return _to_match(made)


@bp.post("/m/<match_id>/watched")
def answer_watched(match_id: str) -> Response | tuple[str, int]:
    """Count what a person says a watched roll is, or forget it; two phones' answers count once."""
    form, rolls = request.form, parts().watches.rolls
    sighting = form.get("sighting", "")
    try:
        if "drop" in form:
            rolls.drop(match_id, sighting)
            return _to_match(_load(match_id))
        made = rolls.answer(match_id, sighting, _after(form), _moves(form))
    except (Refused, Malformed, Illegal) as fault:
        return _match_page(_load(match_id), str(fault)), problem(fault).status
    return _to_match(made)


@bp.route("/m/<match_id>/undo", methods=["GET", "POST"])
def undo_page(match_id: str) -> str | Response | tuple[str, int]:
    """Ask whether to take back the last step, or all from the step `?step=` on, and do it."""
    now = _load(match_id)
    standing = list(now.tree.standing(now.seq))
    wanted = request.args.get("step", type=int) or (standing[0] if standing else 0)
    taken = [seq for seq in standing if seq >= wanted]
    to = standing[len(taken)] if len(taken) < len(standing) else 0
    if request.method == "GET":
        return _undo_page(now, taken, to)
    try:
        made = matches.undo(
            parts().store,
            match_id,
            _after(request.form),
            to=to,
            request=request.form.get("request"),
        )
    except (Refused, Malformed, Illegal) as fault:
        return _match_page(_load(match_id), str(fault)), problem(fault).status
    parts().live.announce(match_id, made.seq)
    return _to_match(made)


def _undo_page(now: Match, taken: Sequence[int], to: int) -> str:
    view, store = _view(now), parts().store
    newest = taken[0] if taken else 0
    steps = steps_view(now, matches.history(store, now, newest + 1, MORE), MORE)["history"]
    shown = [step for step in steps if step["standing"] and step["seq"] > to]
    return render_template(
        "undo.html",
        view=view,
        steps=shown[::-1],
        more=len(taken) - len(shown),
        score=matches.score_at(store, now, to),
        request_id=_request_id(),
    )


@bp.get("/m/<match_id>/step/<int:seq>")
def step(match_id: str, seq: int) -> str:
    """Show where a step came from: the photo, what was read on it, what was confirmed."""
    now = _load(match_id)
    if not 1 <= seq <= now.seq:
        raise Unknown("This match has no such step. Go back to the match and look at its history.")
    (one,) = steps_view(now, matches.history(parts().store, now, seq + 1, 1), 1)["history"]
    reading = parts().store.sighting(match_id, one["sighting"]).reading if one["sighting"] else None
    shown = views(reading) if reading else []
    printed = cells_on(reading, boards_api.used_by(parts().store, match_id)) if reading else []
    cells = {" ".join(map(str, cell)): quad for cell, quad in printed}
    return render_template(
        "step.html", view=_view(now), step=one, reading=reading, views=shown, cells=cells
    )


@bp.get("/m/<match_id>/history")
def older_steps(match_id: str) -> str:
    """Show steps that are no longer on the page of the match."""
    now = _load(match_id)
    before = request.args.get("before", now.seq + 1, type=int)
    older = steps_view(now, matches.history(parts().store, now, before, MORE), MORE)
    return render_template("history.html", view=_view(now) | older)


@bp.get("/m/<match_id>/rounds")
def older_rounds(match_id: str) -> str:
    """Show rounds that are no longer on the page of the match."""
    now = _load(match_id)
    count = len(by_part(now.because()))
    before = request.args.get("before", count, type=int)
    view = _view(now) | parts_view(now, now.because(), before)
    return render_template(
        "rounds.html",
        view=view,
        older=span(count, before)[0],
        rounds=match_page.rounds(now, view, before),
        grid=match_page.grid(view["equipment"]["board"]),
    )


@bp.post("/m/<match_id>/again")
def again(match_id: str) -> Response:
    """Go on with a new match of the same game, players and house rules; other phones follow."""
    made = matches.again(parts().store, match_id)
    parts().live.lead(match_id, made.row.id)
    return _to_match(made)


def show_problem(told: Problem) -> str:
    """Return the page that tells a person what went wrong and what to do."""
    return render_template(
        "problem.html",
        title=TITLES.get(told.status, "That did not work"),
        sentence=told.sentence,
        back=_back(),
    )


def _back() -> str | None:
    """Return the address of the match the request was about, if there is such a match."""
    match_id = (request.view_args or {}).get("match_id")
    try:
        return url_for("pages.match_page", match_id=_load(match_id).row.id) if match_id else None
    except Unknown:
        return None


def _load(match_id: str) -> Match:
    return matches.load(parts().store, match_id)


def _view(now: Match) -> dict[str, Any]:
    return match_view(now, parts().root)


def _to_match(made: Match, **query: Any) -> Response:
    return redirect(url_for(".match_page", match_id=made.row.id, **query), 303)


def _move(form: Form) -> dict[str, Any]:
    try:
        return dict(load_json(form.get("move", "")))
    except (ValueError, TypeError):
        raise Malformed("Choose one of the moves on this page.") from None


def _moves(form: Form) -> list[Any]:
    try:
        return list(load_json(form.get("moves", "")))
    except (ValueError, TypeError):
        raise Malformed("Choose one of the answers on this page.") from None


def _after(form: Form) -> int:
    after = form.get("after", type=int)
    if after is None:
        raise Malformed("This form is incomplete. Go back to the match and try again.")
    return after


# ---------------------------------------------------------------- what the templates are given


def _match_page(now: Match, notice: str | None = None) -> str:
    return render_template(
        "match.html",
        notice=notice,
        demo="demo" in request.args,
        before=parts().store.rematch_of(now.row.id),
        **_shown(now),
    )


def _shown(now: Match) -> dict[str, Any]:
    view = _view(now)
    rounds = match_page.rounds(now, view)
    totals = [totals for _, totals in match_page.race(now)]
    asked = parts().watches.rolls.asked(now)
    why = [match_page.why(view, seat) for seat in range(view["seats"])]
    return {
        "view": view,
        "grid": match_page.grid(view["equipment"]["board"]),
        "rounds": rounds,
        "chart": chart(view["names"], totals, view["target"])
        if match_page.in_time(rounds)
        else None,
        "say": _say(now),
        "questions": amend.questions(parts().store, now),
        "why": why,
        "earlier": [
            score - sum(part["points"] for part in parts)
            for score, parts in zip(view["score"], why, strict=True)
        ],
        "table": match_page.table(view, now, parts().store.rematch(now.row.id))
        | {"asked": parts().live.asked(now.row.id), "camera": parts().camera is not None},
        "asked": asked,
        "advised": match_page.playable(now) and advice.agreed(now),
        "coach": advice.coach_turn(now),
        "asked_photo": asked and photo_path(now.row.id, asked.photo),
        "announce": match_page.announcement(
            view, view["history"][-1]["summary"] if view["history"] else ""
        ),
        "qr": Markup(svg(view["join"])),  # noqa: S704  # our own drawing of our own address
        "request_id": _request_id(),
    }


def _say(now: Match) -> Say | None:
    """Return the panel; None where no move can be made."""
    return _said(now) if match_page.playable(now) else None


def _said(now: Match) -> Say:
    """Return the panel for the words in the address; raises Closed."""
    said, typed = request.args.get("said", ""), request.args.get("typed", "")
    return say_of(now.spoken(), said, typed)


bp.add_app_template_filter(match_page.sentence, "sentence")
bp.add_app_template_filter(match_page.gained, "gained")
bp.add_app_template_filter(clock)


def _request_id() -> str:
    return secrets.token_hex(12)
