"""The players at the table: leave, give up, join, rename, swap seats, correct the starter."""

import json
from collections.abc import Callable
from functools import partial
from typing import Any

from flask import Blueprint, redirect, render_template, request, url_for

from scorer import Illegal, Malformed, dump_move
from scorer.evening.standing import standing
from scorer.evening.state import left_of, names_of
from scorer.evening.steps import Concede, EndMatch, JoinTable, LeaveTable, PlayOn, Rename, TableStep
from scorer.messages import _
from scorer.table import Table
from scorer.values import reader
from webui.api.sent import Tapped
from webui.errors import RequestError
from webui.http.bodies import load_json, typed_number
from webui.http.roles import access, check_role, least, token
from webui.languages import said
from webui.match import at_table
from webui.match import match as matches
from webui.match.amend import Right
from webui.match.match import Match, check_seat
from webui.match.seats import check_moves
from webui.pages.match.match import Posted, after_of, load, new_request, posted, refused, why_not
from webui.pages.match.phones import CHOOSE
from webui.services import services
from webui.store.tables.phones import Role

bp = Blueprint("players", __name__)

VERBS = {LeaveTable: _("Leave"), Concede: _("Concede"), EndMatch: _("End the match"),
         PlayOn: _("Play on")}  # fmt: skip


@bp.get("/m/<match_id>/players", endpoint="page", defaults={"template": "players.html"})
@bp.get("/m/<match_id>/players/list", endpoint="part", defaults={"template": "_players.html"})
@least(Role.WATCHER)
def show(match_id: str, template: str) -> str:
    """Show the players and the possible changes."""
    return _shown(template, load(match_id))


def _shown(template: str, match: Match, notice: str = "") -> str:
    store, seats = services().store, range(len(match.names))
    has = store.phones.access(match.row.id, token())

    def check(step: TableStep) -> None:
        check_role(has, Role.PLAYER)
        check_moves(has, match.rules(), match.state, [step], match.names)

    def can(step: TableStep) -> bool:
        return at_table.can(match, step) and not why_not(lambda: check(step))

    kept = {
        seat: why
        for seat in seats
        if (why := why_not(partial(check, Rename(seat, match.names[seat]))))
    }
    return render_template(
        template,
        match_id=match.row.id,
        seq=match.seq,
        names=match.names,
        left=left_of(match.state),
        kept=kept,
        leaves=[seat for seat in seats if can(LeaveTable(seat))],
        concedes=[seat for seat in seats if can(Concede(seat))],
        begins=said(at_table.means(match, joins) or "") if can(joins := JoinTable("?")) else "",
        swaps=can(at_table.mixed_up(len(seats), 0, len(seats) - 1)),
        starters=[seat for seat in seats if at_table.start(store, match, seat) is not None],
        ends=can(EndMatch()),
        request_id=new_request(),
        notice=notice,
    )


@bp.post("/m/<match_id>/players")
@least(Role.PLAYER)
def change(match_id: str) -> str | Posted:
    """Perform the action of a button; final steps and moves of players only once it is `sure`."""
    match, form = load(match_id), request.form

    def shows(notice: str) -> str:
        return _shown("players.html", load(match_id), notice)

    try:
        step = _step(match)
        if isinstance(step, Right):
            moves = json.dumps(step.moves)
            return redirect(url_for("steps.correct", match_id=match_id, seq=step.step, moves=moves))
        if isinstance(step, PlayOn) and "sure" not in form:
            return _ask(match, step)
        if isinstance(step, at_table.ASKED_FIRST) and "sure" not in form:
            sent: dict[str, Any] = form.to_dict()
            return redirect(url_for("players.question", match_id=match_id, **sent), 303)
    except (RequestError, Malformed, Illegal) as fault:
        return refused(match_id, fault, shows)
    place = services().store, match_id, after_of(form), [dump_move(step)]
    given: Any = {"request": form.get("request"), "access": access()}
    if isinstance(step, PlayOn):
        given |= {"by": step.confirmed, "sighting": form.get("sighting") or None}
    return posted(match_id, lambda: matches.play(*place, **given), shows)


@bp.get("/m/<match_id>/players/question")
@least(Role.PLAYER)
def question(match_id: str) -> str | Posted:
    """Ask before a step is stored, on a page to which the way back leads too."""
    match = load(match_id)
    try:
        step = _step(match)
        if isinstance(step, TableStep):
            return _ask(match, step)
        raise Malformed(CHOOSE)
    except (RequestError, Malformed, Illegal) as fault:
        return refused(match_id, fault, lambda notice: _shown("players.html", match, notice))


def _step(match: Match) -> TableStep | Right:
    name = request.values.get("name", "")
    makes: dict[str, Callable[[], TableStep | Right | None]] = {
        "leave": lambda: LeaveTable(_seat(match)),
        "concede": lambda: Concede(_seat(match)),
        "rename": lambda: Rename(_seat(match), name),
        "join": lambda: JoinTable(name),
        "swap": lambda: at_table.mixed_up(len(match.names), *_two(match)),
        "chairs": lambda: at_table.chairs_changed(match.state, len(match.names), *_two(match)),
        "start": lambda: at_table.start(services().store, match, _seat(match)),
        "end": EndMatch,
        "play_on": lambda: at_table.play_on(match, _table(), _confirmed(match)),
    }
    step = makes.get(request.values.get("do", ""), lambda: None)()
    if step is None:
        raise Malformed(CHOOSE)
    return step


def _table() -> Table:
    try:
        sent: Tapped = reader(Tapped)(load_json(request.values.get("table", "")))
    except (ValueError, TypeError):
        raise Malformed(CHOOSE) from None
    return sent.table()


def _confirmed(match: Match) -> int:
    """Return the confirming seat, by default the first that still plays."""
    return _seat(match) if "seat" in request.values else at_table.present(match)[0]


def _seat(match: Match, name: str = "seat") -> int:
    return check_seat(match, typed_number(request.values.get(name, ""))) or 0


def _two(match: Match) -> tuple[int, int]:
    return _seat(match), _seat(match, "other")


def _ask(match: Match, step: TableStep) -> str:
    """Show a step with its consequences, and ask for confirmation; raises Illegal."""
    game = match.rules()
    draft, after = matches.draft_of(game, match.state, [step], match.row.names)
    names, ends = names_of(after, match.row.names), standing(game, after)
    means = at_table.means(match, step)
    asks_who = isinstance(step, PlayOn)
    return render_template(
        "take_step.html",
        match_id=match.row.id,
        asks=said(_("Play on as it lies") if asks_who else draft.text[0]),
        verb=said(VERBS.get(type(step), _("Confirm"))),
        against=step.rule if isinstance(step, PlayOn) else "",
        present=at_table.present(match) if asks_who else [],
        means=said(means, match.names) if means else "",
        rule=at_table.rule(step),
        ends=said(ends.prompt, names) if ends.over else "",
        names=names,
        score=draft.earned,
        sent=_sent_again(match, step),
    )


def _sent_again(match: Match, step: TableStep) -> list[tuple[str, str]]:
    """Return the fields of a confirmation: the step, after the event that the question shows."""
    sent = request.values.to_dict()
    if not isinstance(step, PlayOn):  # which refers to the shown table
        sent["after"] = str(match.seq)
    return [*sent.items()]
