"""The pages: start, match, step, undo. Rendered here, kept live by the scripts in static/."""

from __future__ import annotations

import json
import re
import secrets
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from flask import Blueprint, current_app, redirect, render_template, request, url_for
from markupsafe import Markup
from werkzeug.datastructures import FileStorage, MultiDict
from werkzeug.wrappers import Response

from scorer import Game, Illegal, NotAMove, Table, dump_move, named, recording
from scorer.games import GAMES
from scorer.sentence import lying
from scorer.values import typed as typed_value
from webui import match as matches
from webui.bridge import readable
from webui.chart import chart
from webui.match import Match
from webui.parts import parts
from webui.qr import svg
from webui.refusal import NotRead, Problem, Refusal, Unknown, problem
from webui.say import Say, say
from webui.sent import load_json
from webui.store import check_after
from webui.view import game_view, match_view

bp = Blueprint("pages", __name__)

Form = MultiDict[str, str]
Told = tuple[str, int, Mapping[str, str]]  # a page that says what went wrong

FIRST_GAME = "purple_house"  # what the start page offers before anybody chose; any game will do
DEMO_NAMES = ("Ana", "Ben")
DEMO_PHOTO = "demo-board.jpg"
RECORDING_BYTES = 4_000_000  # some twenty thousand moves
ROWS_FOR_NAMES = 2  # before anybody asks for more
TOLD_AT_ONCE = 2  # moves of a step told in the history; of more, how many: its page tells them
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
    except (Refusal, NotAMove, Illegal) as fault:
        return _start_page(form, str(fault)), problem(fault).status
    return _to_match(made)


@bp.post("/open")
def open_recording() -> Response | tuple[str, int]:
    """Make a match of a recording; one with a broken line makes none."""
    request.max_content_length = RECORDING_BYTES
    try:
        recorded = recording.read(_lines(request.files.get("recording")), GAMES)
        names = [f"Player {seat}" for seat in range(1, recorded.seats + 1)]
        made = matches.restore(parts().store, recorded, names)
    except (Refusal, NotAMove, Illegal) as fault:
        told = problem(fault)
        return _start_page(
            request.form, f"The recording was not opened. {_sentence(told.sentence, '.')}"
        ), told.status
    return _to_match(made)


def _lines(sent: FileStorage | None) -> list[str]:
    if sent is None or not sent.filename:
        raise NotAMove("choose a file first")
    try:
        content: bytes = sent.read()
        return content.decode().splitlines()
    except UnicodeDecodeError:
        raise NotAMove("it is no text; a recording is a file that ends in .jsonl") from None


@bp.get("/m/<match_id>/recording.jsonl")
def save_recording(match_id: str) -> Response:
    """Return the match as a recording, to be kept as a file."""
    recorded = matches.recorded(_load(match_id))
    text = "".join(f"{line}\n" for line in recording.write(recorded))
    told = {"Content-Disposition": f"attachment; filename={recorded.game}.jsonl"}
    return current_app.response_class(text, mimetype="application/jsonl", headers=told)


@bp.post("/try")
def try_it() -> Response:
    """Make a match of two whose page reads our own photo of a board, as if it were just taken."""
    made = matches.create(parts().store, FIRST_GAME, DEMO_NAMES, {})
    while not _photographable(made):
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
    except Refusal as fault:
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
            "only_if": offer["only_if"]
            and [offer["only_if"][0], [json.dumps(value) for value in offer["only_if"][1]]],
        }
        for offer in offers
    ]


def _house(game: Game[Any, Any], form: Form) -> dict[str, object]:
    """Return the settings as sent. Raises NotAMove where a field is not what the page sends."""
    names = [setting.name for setting in game.settings]
    try:
        chosen = {name: load_json(form[f"set.{name}"]) for name in names if f"set.{name}" in form}
    except ValueError:
        raise NotAMove("A house rule was left empty. Choose one of its values.") from None
    typed = {name: form.get(f"typed.{name}", "").strip() for name in names}
    return chosen | {name: typed_value(text) for name, text in typed.items() if text}


# ---------------------------------------------------------------- a match


@bp.get("/m/<match_id>")
def match_page(match_id: str) -> str:
    """Show a match: score, lines, history, and the way to the camera."""
    return _match_page(_load(match_id))


@bp.get("/m/<match_id>/tally")
def tally(match_id: str) -> str:
    """Return the part of the page that a step changes."""
    return render_template("_tally.html", **_shown(_load(match_id)))


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
            told = "; ".join(one.sentence for one in proposal.differences)
            raise NotRead(f"{_sentence(named(told, now.row.names))}.")
        moves = [dump_move(one) for one in proposal.moves]
        made = matches.play(parts().store, match_id, now.seq, moves, request=form.get("request"))
    except (Refusal, NotAMove, Illegal) as fault:
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
    except (Refusal, NotAMove, Illegal) as fault:
        return _match_page(_load(match_id), str(fault)), problem(fault).status
    parts().live.announce(match_id, made.seq)
    return _to_match(made)


@bp.route("/m/<match_id>/undo", methods=["GET", "POST"])
def undo_page(match_id: str) -> str | Response | tuple[str, int]:
    """Ask whether to take back the last step, or all from the step `?step=` on, and do it."""
    now = _load(match_id)
    standing = now.standing
    wanted = request.args.get("step", type=int) or (standing[-1].seq if standing else 0)
    left = [event.seq for event in standing if event.seq < wanted]
    if request.method == "GET":
        return _undo_page(now, wanted, left)
    try:
        to = left[-1] if left else 0
        made = matches.undo(
            parts().store,
            match_id,
            _after(request.form),
            to=to,
            request=request.form.get("request"),
        )
    except (Refusal, NotAMove, Illegal) as fault:
        return _match_page(_load(match_id), str(fault)), problem(fault).status
    parts().live.announce(match_id, made.seq)
    return _to_match(made)


def _undo_page(now: Match, wanted: int, left: Sequence[int]) -> str:
    view = _view(now)
    steps = [step for step in view["history"] if step["standing"] and step["seq"] >= wanted]
    before = [step["score"] for step in view["history"] if step["seq"] in left]
    score = before[-1] if before else [0] * view["seats"]
    return render_template(
        "undo.html", view=view, steps=steps[::-1], score=score, request_id=_request_id()
    )


@bp.get("/m/<match_id>/step/<int:seq>")
def step(match_id: str, seq: int) -> str:
    """Show where a step came from: the photo, what was read on it, what was confirmed."""
    view = _view(_load(match_id))
    if not 1 <= seq <= len(view["history"]):
        raise Unknown("This match has no such step. Go back to the match and look at its history.")
    one = view["history"][seq - 1]
    reading = parts().store.sighting(match_id, one["sighting"]).reading if one["sighting"] else None
    return render_template("step.html", view=view, step=one, reading=reading)


@bp.post("/m/<match_id>/again")
def again(match_id: str) -> Response:
    """Start a new match of the same game, players and house rules."""
    row = _load(match_id).row
    return _to_match(matches.create(parts().store, row.game, row.names, row.settings))


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
        raise NotAMove("Choose one of the moves on this page.") from None


def _after(form: Form) -> int:
    after = form.get("after", type=int)
    if after is None:
        raise NotAMove("This form is incomplete. Go back to the match and try again.")
    return after


# ---------------------------------------------------------------- what the templates are given


def _match_page(now: Match, notice: str | None = None) -> str:
    return render_template("match.html", notice=notice, demo="demo" in request.args, **_shown(now))


def _shown(now: Match) -> dict[str, Any]:
    view = _view(now)
    rounds = _rounds(view)
    totals = [one["totals"] for one in reversed(rounds)]
    return {
        "view": view,
        "grid": _grid(view["equipment"]["board"]),
        "rounds": rounds,
        "chart": chart(view["names"], totals, view["target"]) if _in_time(rounds) else None,
        "say": _say(now),
        "why": [_why(view, seat) for seat in range(view["seats"])],
        "table": _table(view, now),
        "announce": _announcement(view),
        "qr": Markup(svg(view["join"])),  # noqa: S704  # our own drawing of our own address
        "request_id": _request_id(),
    }


def _table(view: dict[str, Any], now: Match) -> dict[str, Any]:
    """Return what the scripts need to know of the match."""
    newest = view["because"][0]["lines"] if view["because"] else []
    return {
        **{name: view[name] for name in ("seq", "names", "equipment", "score", "can_undo", "over")},
        "photographable": _photographable(now),
        "newest": [[line["text"], line["cells"]] for line in newest],
    }


def _playable(now: Match) -> bool:
    return now.game is not None and not now.closed and not now.game.is_over(now.state)


def _say(now: Match) -> Say | None:
    """Return the panel; None where no move can be made."""
    return _said(now) if _playable(now) else None


def _said(now: Match) -> Say:
    """Return the panel for the words in the address; raises Closed."""
    said, typed = request.args.get("said", ""), request.args.get("typed", "")
    return say(now.rules(), now.state, now.row.names, said, typed)


def _photographable(now: Match) -> bool:
    """Say whether a step can be photographed now, on one of the surfaces at least.

    The rules must have no quarrel with a board as it lies; dice that are rolled are not known yet.
    """
    if not _playable(now) or not readable(wanted := matches.equipment(now)):
        return False
    known = [spot.known for spot in wanted.spots]
    return not known or any(
        not now.rules().observe(now.state, table).differences for table in known
    )


def _rounds(view: dict[str, Any]) -> list[dict[str, Any]]:
    """Return each part of the tally with what every seat gained and has then, newest first."""
    totals, rounds = [0] * view["seats"], []
    for part in reversed(view["because"]):
        gains = [
            sum(line["points"] for line in part["lines"] if line["seat"] == seat)
            for seat in range(view["seats"])
        ]
        totals = [total + gain for total, gain in zip(totals, gains, strict=True)]
        says = ", ".join(f"{name} {gain}" for name, gain in zip(view["names"], gains, strict=True))
        rounds.append({"part": part["part"], "gains": gains, "totals": totals, "says": says})
    return rounds[::-1]


def _in_time(rounds: Sequence[dict[str, Any]]) -> bool:
    """Say whether the parts came one after another, as numbered rounds do and halves do not."""
    return len(rounds) > 1 and all(re.search(r"\d", one["part"]) for one in rounds)


def _why(view: dict[str, Any], seat: int) -> list[dict[str, Any]]:
    """Return the lines that made the score of a seat, part by part, newest first."""
    parts = [
        (part["part"], [line for line in part["lines"] if line["seat"] == seat])
        for part in view["because"]
    ]
    return [
        {"part": name, "points": sum(line["points"] for line in lines), "lines": lines}
        for name, lines in parts
        if lines
    ]


def _grid(board: str | None) -> dict[str, int]:
    size = re.fullmatch(r"grid:(\d+)x(\d+)", board or "")
    return {"rows": int(size[1]), "columns": int(size[2])} if size else {"rows": 0, "columns": 0}


def _announcement(view: dict[str, Any]) -> str:
    score = zip(view["names"], view["score"], strict=True)
    return (
        ", ".join(f"{name} {points}" for name, points in score)
        + ". "
        + (_sentence(view["prompt"], "."))
    )


@bp.app_template_filter("sentence")
def _sentence(text: str, end: str = "") -> str:
    """Begin with a capital letter and close with *end*; the rules' sentences have neither."""
    return text[:1].upper() + text[1:] + ("" if text.endswith(".") else end)


@bp.app_template_filter("told")
def _told(text: Sequence[str]) -> str:
    if len(text) > TOLD_AT_ONCE:
        return f"{len(text)} moves at once"
    return _sentence("; ".join(text))


@bp.app_template_filter("clock")
def clock(at: str) -> str:
    """Return the time of day where the server stands: at the table."""
    return f"{datetime.fromisoformat(at).astimezone():%d %b, %H:%M}"


def _request_id() -> str:
    return secrets.token_hex(12)
