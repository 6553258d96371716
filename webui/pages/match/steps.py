"""The pages about steps of a match: the history, a step, its correction."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from flask import Blueprint, render_template, request

from scorer import Illegal, Malformed, load_move
from scorer.messages import _
from webui.api.answers.history import MORE, StepView, steps_view
from webui.api.answers.match import equipment_view
from webui.errors import NotFound, problem
from webui.http.bodies import FormFields
from webui.http.roles import access, least, token
from webui.languages import said
from webui.match import amend, undo
from webui.match import match as matches
from webui.match.allowed import photographable
from webui.match.match import LoggedStep, Match
from webui.match.points import earned_at
from webui.match.summary import sentence, summary
from webui.pages.drawings.grid import grid
from webui.pages.match.entered import entered
from webui.pages.match.entry import entries
from webui.pages.match.last_photo import seen_photo
from webui.pages.match.match import (
    Posted,
    after_of,
    kept_from,
    load,
    locked_steps,
    moves_of,
    new_request,
    posted,
    view_of,
)
from webui.pages.match.why import made
from webui.services import services
from webui.store.replay import NEWEST
from webui.store.tables.phones import Role

bp = Blueprint("steps", __name__)

GONE = _("This match has no such step. Go back to the match and look at its history.")


# ---------------------------------------------------------------- history


@bp.get("/m/<match_id>/step/<int:seq>", endpoint="step")
@least(Role.WATCHER)
def show_step(match_id: str, seq: int) -> str:
    """Show the origin of a step: the photo, its reading, the confirmed moves."""
    return _step_page(load(match_id), seq)


def _step_page(match: Match, seq: int, notice: str = "") -> str:
    steps, store = _with_the_one_before(match, seq), services().store
    logged = steps[-1]
    parts = made(match, seq) if logged.standing else []
    lines = parts[0]["lines"] if parts else []
    photo = logged.event.photo
    kept = photo is not None and store.photo_files.has(photo)
    (shown,) = steps_view(match, steps, 1, earned=True)["history"]
    return render_template(
        "step.html",
        view=view_of(match),
        step=shown,
        photo=seen_photo(store, match, shown, lines if kept else ()),
        kept=kept,
        parts=parts,
        grid=_grid_of(match, seq) if parts else grid(None),
        below=match.tree.below(seq),
        retake=_retaken(match, logged),
        notice=notice,
        kept_from=kept_from(match.row.id),
        request_id=new_request(),
        **_locked(match, [shown]),
    )


def _locked(match: Match, history: Sequence[StepView]) -> dict[str, Any]:
    has = services().store.phones.access(match.row.id, token())
    return locked_steps(match, has, history)


def _kept_from(match: Match, steps: Sequence[int]) -> str:
    """Return why this phone may not change *steps*; "" where it may."""
    return kept_from(
        match.row.id, lambda has: undo.check_steps(has, services().store, match, steps)
    )


def _grid_of(match: Match, seq: int) -> dict[str, int]:
    before = matches.state_after(services().store, match, match.tree.below(seq))
    return grid(match.rules().equipment(before).board)


def _check_logged(match: Match, seq: int) -> None:
    if not 1 <= seq <= match.seq:
        raise NotFound(GONE)


def _with_the_one_before(match: Match, seq: int) -> Sequence[LoggedStep]:
    _check_logged(match, seq)
    return matches.history(services().store, match, seq + 1, 1)


def _retaken(match: Match, logged: LoggedStep) -> bool:
    """Return True if a step can be corrected on its photo."""
    photo = logged.event.photo
    kept = photo is not None and services().store.photo_files.has(photo)
    return kept and logged.standing and _can_be_looked_at(match, logged)


def _can_be_looked_at(match: Match, logged: LoggedStep) -> bool:
    """Whether the photo of a step can be shown for correction: its surface is on the page now."""
    if logged.event.sighting is None or not photographable(match):
        return False
    then = amend.before(services().store, match, logged.event.seq)
    was, wanted = matches.equipment(then), matches.equipment(match)
    return was.board == wanted.board and len(was.spots) == len(wanted.spots) == 1


@bp.get("/m/<match_id>/history")
@least(Role.WATCHER)
def history(match_id: str) -> str:
    """Show older steps that are not on the page of the match."""
    match = load(match_id)
    before = request.args.get("before", match.seq + 1, type=int)
    older = matches.history(services().store, match, before, MORE)
    shown = steps_view(match, older, MORE, earned=True)
    return render_template(
        "history.html",
        view=view_of(match) | shown,
        kept_from=kept_from(match_id),
        **_locked(match, shown["history"]),
    )


def folded(history: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the lines of a history, newest first; a note is shown in the line of its step.

    Consecutive undos share a line, which lists all steps `taken` back. `first` is the oldest event
    of a line.
    """
    lines: list[dict[str, Any]] = []
    for step in reversed([step for step in history if not step["note_on"]]):
        undone = step["undo_of"]
        if undone and lines and lines[-1]["taken"]:
            lines[-1]["taken"].append(undone)
            lines[-1]["first"] = step["seq"]
        else:
            lines.append(step | {"taken": [undone] if undone else [], "first": step["seq"]})
    return lines


@bp.post("/m/<match_id>/step/<int:seq>/note")
@least(Role.PLAYER)
def note(match_id: str, seq: int) -> Posted:
    """Store a note on a step, and show the step."""
    match, form, store = load(match_id), request.form, services().store
    _check_logged(match, seq)
    text = "" if "remove" in form else form.get("note", "")
    return posted(
        match_id,
        lambda: undo.write_note(
            store, match_id, after_of(form), seq, text, request=form.get("request")
        ),
        lambda notice: _step_page(load(match_id), seq, notice),
        _anchor=f"step-{seq}",
    )


# ---------------------------------------------------------------- undo and redo


@bp.route("/m/<match_id>/undo", methods=["GET", "POST"])
@least(Role.WATCHER, writes=Role.PLAYER)
def undo_page(match_id: str) -> str | Posted:
    """Confirm and undo the last step, or all from step `?step=` on."""
    match = load(match_id)
    taken, to = undo.steps_from(match, request.args.get("step", type=int))
    if request.method == "GET":
        return _ask_to_move(match, taken, [], earned_at(services().store, match, to))
    form, store = request.form, services().store
    return posted(
        match_id,
        lambda: undo.undo(
            store, match_id, after_of(form), to=to, request=form.get("request"), access=access()
        ),
    )


@bp.route("/m/<match_id>/redo", methods=["GET", "POST"])
@least(Role.WATCHER, writes=Role.PLAYER)
def redo_page(match_id: str) -> str | Posted:
    """Confirm and redo the match up to step `?step=`."""
    match = load(match_id)
    ahead = match.tree.ahead()
    step = request.args.get("step", ahead[0] if ahead else 0, type=int)
    if request.method == "GET":
        undo.check_put_back(match, step)
        fallen, risen = match.tree.moved(match.tree.head(match.seq), step)
        score = earned_at(services().store, match, step)
        return _ask_to_move(match, fallen, risen[::-1], score)
    form, store = request.form, services().store
    return posted(
        match_id,
        lambda: undo.redo(
            store, match_id, after_of(form), step, request=form.get("request"), access=access()
        ),
    )


def _ask_to_move(
    match: Match, fallen: Sequence[int], risen: Sequence[int], score: Sequence[int]
) -> str:
    newest = max([*fallen, *risen], default=0)
    shown = matches.history(services().store, match, newest + 1, MORE)
    steps = {one["seq"]: one for one in steps_view(match, shown, MORE, earned=True)["history"]}
    return render_template(
        "undo.html",
        view=view_of(match),
        fallen=[steps[seq] for seq in fallen if seq in steps],
        risen=[steps[seq] for seq in risen if seq in steps],
        count={"fallen": len(fallen), "risen": len(risen)},
        score=score,
        kept_from=_kept_from(match, [*fallen, *risen]),
        request_id=new_request(),
    )


# ---------------------------------------------------------------- correction


@bp.get("/m/<match_id>/step/<int:seq>/correct")
@least(Role.WATCHER)
def correct(match_id: str, seq: int) -> str | tuple[str, int]:
    """Enter the correct moves of a step, and show the consequences; nothing is stored."""
    return _correction(load(match_id), seq, request.args)


def _correction(match: Match, seq: int, sent: FormFields, notice: str = "") -> tuple[str, int]:
    steps = _with_the_one_before(match, seq)
    then = amend.before(services().store, match, seq)
    stored = list(steps[-1].event.moves or ())
    at = sent.get("at", 0 if len(stored) == 1 else None, type=int)
    shown: dict[str, Any] = {"at": at, "tried": None, "refused": "", "notice": notice}
    status = 200
    try:
        moves = _meant(then, stored, at, sent)
        if moves is not None:
            shown |= _tried(match, seq, moves)
    except (Illegal, Malformed) as fault:
        status, refused = problem(fault).status, said(fault.args[0], match.names)
        shown |= {"refused": sentence(refused, ".")}
    if at is not None and not shown["tried"]:
        shown |= _panel(then, stored, at) | {"table": _table(match, then, seq)}
    page = render_template(
        "correct.html",
        view=view_of(match),
        step=steps_view(match, steps, 1, earned=True)["history"][0],
        request_id=new_request(),
        retake=_retaken(match, steps[-1]),
        kept_from=_kept_from(match, [seq]),
        **shown,
    )
    return page, status


@bp.post("/m/<match_id>/step/<int:seq>/correct")
@least(Role.PLAYER)
def store_correction(match_id: str, seq: int) -> Posted:
    """Store the shown correction, and the later steps as far as they fit."""
    form, store = request.form, services().store

    def put_right() -> Match:
        right = amend.Right(seq, tuple(moves_of(form)), drop="drop" in form)
        place = store, match_id, after_of(form), right
        return amend.amend(*place, request=form.get("request"), access=access())

    return posted(
        match_id, put_right, lambda notice: _correction(load(match_id), seq, form, notice)[0]
    )


def _meant(
    then: Match, stored: Sequence[Any], at: int | None, sent: FormFields
) -> list[Any] | None:
    """Return the corrected moves that were sent, None before there are any; [] removes all."""
    if "moves" in sent:
        return moves_of(sent)
    if "out" in sent:
        return [move for place, move in enumerate(stored) if "at" in sent and place != at]
    if at is None or at not in range(len(stored)):
        return None
    if not {"roll", "number", "move"} & set(sent):
        return None
    made = entered(then.rules(), sent)
    to_the_end = len(made) > 1 or "whole" in sent
    return [*stored[:at], *made, *(() if to_the_end else stored[at + 1 :])]


def _panel(then: Match, stored: Sequence[Any], at: int) -> dict[str, Any]:
    """Return the entry panel for a replacement of move *at* of the step."""
    if at not in range(len(stored)):
        return {}
    game, state = then.rules(), _state_at(then, stored, at)
    begun = replace(then, state=state, memo={})
    return {
        "entries": entries(begun, request.args.get("key", "")),
        "turn": {
            "to_move": game.to_move(state),
            "colours": game.colours(state),
            "prompt": said(game.prompt(state), then.names),
            "turn_total": game.turn_total(state),
        },
    }


def _table(match: Match, then: Match, seq: int) -> dict[str, Any]:
    return {
        "seq": match.seq,
        "replaces": seq,
        "names": match.names,
        "score": then.rules().earned(then.state),
        "equipment": equipment_view(matches.equipment(then), match.names),
    }


def _state_at(then: Match, stored: Sequence[Any], at: int) -> Any:
    game, state = then.rules(), then.state
    for move in stored[:at]:
        state = game.apply(state, load_move(game, move))
    return state


def _tried(match: Match, seq: int, moves: Sequence[Any]) -> dict[str, Any]:
    store = services().store
    tried = amend.trial(store, match, seq, moves)
    scores = [one.earned for one in tried.drafts]
    below = match.tree.below(seq)
    was = [said(text) for text in tried.events[0].text]
    becomes = [said(text) for text in tried.draft.text] if tried.draft else []
    return {
        "tried": tried,
        "moves": list(moves),
        "was_said": [text for text in was if text not in becomes],
        "is_said": [text for text in becomes if text not in was],
        "later": [_later(match, one) for one in tried.later[:NEWEST]],
        "lost": sum(one.draft is None for one in tried.later),
        "was": tried.events[-1].earned,
        "score": scores[-1] if scores else earned_at(store, match, below),
        "same": tried.draft is not None and tried.draft.moves == tried.events[0].moves,
    }


def _later(match: Match, later: amend.Later) -> dict[str, Any]:
    """Return a later step for the page: its score before and after, or why it no longer fits."""
    why = said(later.fault.reason, match.names) if later.fault else ""
    event, several = later.event, match.game.several if match.game else {}
    texts = [said(text) for text in (later.draft or event).text]
    return {
        "seq": event.seq,
        "says": summary(texts, event.moves or (), several, from_photo=event.photo is not None),
        "fits": later.draft is not None,
        "why": sentence(why, ".") if why else "",
        "was": event.earned,
        "score": later.draft.earned if later.draft else (),
    }


bp.add_app_template_filter(folded)
