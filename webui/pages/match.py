"""The pages: start, match, step, undo. Rendered here, kept live by the scripts in static/."""

from __future__ import annotations

import logging
import secrets
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from flask import Blueprint, current_app, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from scorer import Illegal, Malformed, dump_move, recording
from scorer.attempts import refusal
from scorer.messages import _
from scorer.sentence import listable, thrown
from webui.api.requests import load_json
from webui.api.serialize.history import MORE, by_part, parts_view, span, steps_view
from webui.api.serialize.match import match_view
from webui.errors import Asked, NotFound, Problem, RequestError, problem
from webui.languages import language, said
from webui.match import amend
from webui.match import match as matches
from webui.match.allowed import playable
from webui.match.match import Match
from webui.match.summary import clock, sentence
from webui.pages import match_context
from webui.pages.last_photo import seen_photo
from webui.pages.move_panel import MovePanel, say_of
from webui.pages.rules import ruled
from webui.pages.start_form import FormFields
from webui.services import services
from webui.store.log import check_after

bp = Blueprint("pages", __name__)
log = logging.getLogger(__name__)

Posted = Response | tuple[str, int]

ANY_REQUEST = "request-id-of-this-form"  # in the tally, until a phone gets one of its own
TITLES = {404: _("Not here"), 409: _("Another phone just moved"), 429: _("Too many tries")}
FAILED = _("That did not work")


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

    seq, rematch = services().store.news(match_id)
    asked = services().live.asked(match_id)
    key = (services().root, request.full_path, language(), rematch, asked)
    page = services().latest.get(key, seq, make)
    return page.replace(ANY_REQUEST, _request_id())


@bp.get("/m/<match_id>/say")
def say_fragment(match_id: str) -> str:
    """Return the panel that says a move, for the words said or typed so far."""
    match = _load(match_id)
    return render_template(
        "_say.html", view=_view(match), say=_said(match), request_id=_request_id()
    )


@bp.post("/m/<match_id>/dice")
def type_dice(match_id: str) -> Posted:
    """Play what dice mean that were typed as they lie."""
    form = request.form

    def play() -> Match:
        match = _load(match_id)
        check_after(_after(form), match.seq)
        move = dump_move(thrown(match.rules(), match.state, match.spoken(), form.get("dice", "")))
        services().cameras.check_entered(match_id, match.seq, [move])
        return matches.play(
            services().store, match_id, match.seq, [move], request=form.get("request")
        )

    return _posted(match_id, play)


@bp.post("/m/<match_id>/move")
def move(match_id: str) -> Posted:
    """Play a move that was chosen on the page without the camera."""
    form, store = request.form, services().store

    def play() -> Match:
        moves = [_move(form)]
        services().cameras.check_entered(match_id, _after(form), moves)
        return matches.play(store, match_id, _after(form), moves, request=form.get("request"))

    return _posted(match_id, play)


@bp.post("/m/<match_id>/instead")
def instead(match_id: str) -> Posted:
    """Put a move in the place of a step that was another one; the later steps stay."""
    form = request.form

    def amend_step() -> Match:
        step, moves = form.get("step", 0, type=int), [_move(form)]
        place = (services().store, match_id, _after(form), step)
        return amend.amend(*place, moves, request=form.get("request"))

    return _posted(match_id, amend_step)


@bp.post("/m/<match_id>/watched")
def answer_watched(match_id: str) -> Posted:
    """Count what a person says a watched roll is, or forget it; two phones' answers count once."""
    form, rolls = request.form, services().cameras.rolls
    sighting = form.get("sighting", "")

    def answer() -> Match:
        if "drop" in form:
            rolls.drop(match_id, sighting)
            return _load(match_id)
        return rolls.answer(match_id, sighting, _after(form), _moves(form))

    return _posted(match_id, answer)


@bp.route("/m/<match_id>/undo", methods=["GET", "POST"])
def undo_page(match_id: str) -> str | Posted:
    """Ask whether to take back the last step, or all from the step `?step=` on, and do it."""
    match = _load(match_id)
    standing = list(match.tree.standing(match.seq))
    wanted = request.args.get("step", type=int) or (standing[0] if standing else 0)
    taken = [seq for seq in standing if seq >= wanted]
    to = standing[len(taken)] if len(taken) < len(standing) else 0
    if request.method == "GET":
        return _undo_page(match, taken, to)
    form, store = request.form, services().store

    def undo() -> Match:
        return matches.undo(store, match_id, _after(form), to=to, request=form.get("request"))

    return _posted(match_id, undo)


def _posted(match_id: str, act: Callable[[], Match]) -> Posted:
    """Store a step and redirect to the match, announcing a change; or say what was wrong."""
    try:
        made = act()
    except Asked:
        return to_match(_load(match_id))  # the question stands there
    except (RequestError, Malformed, Illegal) as fault:
        refusal = problem(fault)
        rule = f" ({refusal.rule})" if refusal.rule else ""
        return _match_page(_load(match_id), f"{refusal.sentence}{rule}"), refusal.status
    services().live.announce(match_id, made.seq)
    return to_match(made)


def _undo_page(match: Match, taken: Sequence[int], to: int) -> str:
    view, store = _view(match), services().store
    newest = taken[0] if taken else 0
    steps = steps_view(match, matches.history(store, match, newest + 1, MORE), MORE, earned=True)[
        "history"
    ]
    shown = [step for step in steps if step["standing"] and step["seq"] > to]
    return render_template(
        "undo.html",
        view=view,
        steps=shown[::-1],
        more=len(taken) - len(shown),
        score=matches.earned_at(store, match, to),
        request_id=_request_id(),
    )


@bp.get("/m/<match_id>/step/<int:seq>")
def step(match_id: str, seq: int) -> str:
    """Show where a step came from: the photo, what was read on it, what was confirmed."""
    match = _load(match_id)
    if not 1 <= seq <= match.seq:
        raise NotFound(
            _("This match has no such step. Go back to the match and look at its history.")
        )
    (step_view,) = steps_view(
        match, matches.history(services().store, match, seq + 1, 1), 1, earned=True
    )["history"]
    photo = seen_photo(services().store, match_id, step_view)
    return render_template("step.html", view=_view(match), step=step_view, photo=photo)


@bp.get("/m/<match_id>/history")
def older_steps(match_id: str) -> str:
    """Show steps that are no longer on the page of the match."""
    match = _load(match_id)
    before = request.args.get("before", match.seq + 1, type=int)
    older = steps_view(
        match, matches.history(services().store, match, before, MORE), MORE, earned=True
    )
    return render_template("history.html", view=_view(match) | older)


@bp.get("/m/<match_id>/rounds")
def older_rounds(match_id: str) -> str:
    """Show rounds that are no longer on the page of the match."""
    match = _load(match_id)
    because = match.because_earned()
    count = len(by_part(because))
    before = request.args.get("before", count, type=int)
    view = _view(match) | parts_view(match, because, before)
    return render_template(
        "rounds.html",
        view=view,
        older=span(count, before)[0],
        rounds=match_context.rounds(match, view, before),
        grid=match_context.grid(view["equipment"]["board"]),
    )


@bp.get("/m/<match_id>/recording.jsonl")
def save_recording(match_id: str) -> Response:
    """Return the match as a recording, to be kept as a file."""
    recorded = matches.recorded(services().store, _load(match_id))
    text = "".join(f"{line}\n" for line in recording.write(recorded))
    headers = {"Content-Disposition": f"attachment; filename={recorded.game}.jsonl"}
    return current_app.response_class(text, mimetype="application/jsonl", headers=headers)


@bp.post("/m/<match_id>/again")
def again(match_id: str) -> Response:
    """Go on with a new match of the same game, players and house rules; other phones follow."""
    made = matches.again(services().store, match_id)
    services().live.lead(match_id, made.row.id)
    return to_match(made)


def show_problem(refusal: Problem) -> str:
    """Return the page that tells a person what went wrong and what to do."""
    return render_template(
        "problem.html",
        title=said(TITLES.get(refusal.status, FAILED)),
        sentence=refusal.sentence,
        back=_back(),
    )


def _back() -> str | None:
    """Return the address of the match the request was about, unless there is no such match."""
    match_id = (request.view_args or {}).get("match_id")
    if match_id is None:
        return None
    try:
        services().store.match(match_id)
    except NotFound:
        return None
    except Exception:  # what went wrong is on the page; it may be there again
        log.debug("the match of a refused request cannot be looked up", exc_info=True)
    return url_for("pages.match_page", match_id=match_id)


def _load(match_id: str) -> Match:
    return matches.load(services().store, match_id)


def _view(match: Match) -> dict[str, Any]:
    return match_view(match, services().root, earned=True)


def to_match(made: Match, **query: Any) -> Response:
    """Lead to the page of a match."""
    return redirect(url_for("pages.match_page", match_id=made.row.id, **query), 303)


def _move(form: FormFields) -> dict[str, Any]:
    try:
        return dict(load_json(form.get("move", "")))
    except (ValueError, TypeError):
        raise Malformed(_("Choose one of the moves on this page.")) from None


def _moves(form: FormFields) -> list[Any]:
    try:
        return list(load_json(form.get("moves", "")))
    except (ValueError, TypeError):
        raise Malformed(_("Choose one of the answers on this page.")) from None


def _after(form: FormFields) -> int:
    after = form.get("after", type=int)
    if after is None:
        raise Malformed(_("This form is incomplete. Go back to the match and try again."))
    return after


# ---------------------------------------------------------------- what the templates are given


def _match_page(match: Match, notice: str | None = None) -> str:
    return render_template(
        "match.html",
        notice=notice,
        demo="demo" in request.args,
        before=services().store.rematch_of(match.row.id),
        **_shown(match),
        **match_context.taught_says(services().store, match.row.id),
    )


def _shown(match: Match) -> dict[str, Any]:
    forms = {"say": _say(match), "request_id": _request_id()}
    return match_context.shown(services(), match) | forms


def _say(match: Match) -> MovePanel | None:
    """Return the panel; None where no move can be made."""
    return _said(match) if playable(match) else None


def _said(match: Match) -> MovePanel:
    """Return the panel for the words in the address; raises Closed."""
    words, typed = request.args.get("said", ""), request.args.get("typed", "")
    panel = say_of(match.spoken(), words, typed)
    return panel if panel.left or not typed.strip() else replace(panel, why=_why_not(match, typed))


def _why_not(match: Match, typed: str) -> str:
    """Return why the rules take nothing of what was typed, or what is due; raises Closed."""
    game, names = match.rules(), match.row.names
    fault = refusal(game, match.state, listable(match.spoken()), typed, names)
    if fault is None:
        return sentence(said(game.prompt(match.state), names), ".")
    return f"{sentence(said(fault.reason, names), '.')} ({fault.rule})"


bp.add_app_template_filter(sentence, "sentence")
bp.add_app_template_filter(ruled)
bp.add_app_template_filter(match_context.gained, "gained")
bp.add_app_template_filter(match_context.folded, "folded")
bp.add_app_template_filter(clock)


def _request_id() -> str:
    return secrets.token_hex(12)
