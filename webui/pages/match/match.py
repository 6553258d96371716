"""The page of a match. Rendered here, kept live by the scripts in static/."""

import logging
import secrets
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import replace
from functools import partial
from typing import Any

from flask import (
    Blueprint,
    current_app,
    jsonify,
    make_response,
    redirect,
    render_template,
    request,
    url_for,
)
from werkzeug.wrappers import Response

from scorer import Illegal, Malformed, recording
from scorer.evening.state import played_of
from scorer.messages import _, figure, gain
from webui.api.answers.history import StepView, by_part, parts_view, span
from webui.api.answers.match import MatchView, match_view
from webui.errors import Asked, Busy, DiskFull, NotAllowed, NotFound, Problem, RequestError, problem
from webui.http.bodies import FormFields, load_json
from webui.http.hosts import CSP, policy
from webui.http.roles import access, check_role, device, least, own_token, remember, token
from webui.languages import language, said
from webui.match import match as matches
from webui.match import rematch
from webui.match.allowed import playable
from webui.match.match import Match
from webui.match.seats import check_movers, tables_of
from webui.match.summary import clock, dated, sentence
from webui.match.undo import check_steps
from webui.pages import eyes_files
from webui.pages.drawings.grid import grid
from webui.pages.drawings.seats import shape
from webui.pages.match import context, demo
from webui.pages.match.entered import entered
from webui.pages.rules.rules import ruled
from webui.services import services
from webui.store.log import now
from webui.store.tables.phones import Access, Role

bp = Blueprint("pages", __name__)
log = logging.getLogger(__name__)

Posted = Response | tuple[str | Response, int]
Shows = Callable[[str], str]  # the page of a form, with a notice

ANY_REQUEST = "request-id-of-this-form"  # placeholder in the cached tally, replaced for each phone
TITLES = {404: _("Not here"), 409: _("Another phone just moved"), 429: _("Too many tries")}
FAILED = _("That did not work")


@bp.get("/m/<match_id>", endpoint="match_page")
@least(Role.WATCHER)
def show_match(match_id: str) -> Response:
    """Show a match: score, history and camera; add it to the phone's list."""
    match = load(match_id)
    _come(match_id)
    page = make_response(_match_page(match))
    page.headers[CSP] = policy(eyes=True)
    return remember(page, match_id)


def _come(match_id: str) -> None:
    """Register this phone at the match; without registration it can still view it."""
    try:
        if services().store.phones.come(match_id, own_token(), device(), at := now()):
            services().live.tell(match_id, "joined", at)
    except (Busy, DiskFull):
        log.warning("a phone could not be noted", exc_info=True)


@bp.get("/m/<match_id>/tally")
@least(Role.WATCHER)
def tally(match_id: str) -> str:
    """Return the fragment that a step changes: the same for all phones that may play the same."""

    def make() -> str:
        shown = _shown(load(match_id), has) | {"request_id": ANY_REQUEST, "fragment": True}
        return render_template("_tally.html", **shown)

    seq, rematch, asked = services().store.news(match_id)
    if not seq:
        services().store.match(match_id)  # raises NotFound: it may be deleted
    has = services().store.phones.access(match_id, token())
    may = has.role >= Role.PLAYER, has.shut
    key = (*services().places, request.full_path, language(), rematch, asked, *may)
    page = services().latest.get(key, seq, make)
    return page.replace(ANY_REQUEST, new_request())


@bp.post("/m/<match_id>/move")
@least(Role.PLAYER)
def move(match_id: str) -> Posted:
    """Play a move that was chosen on the page."""
    form, store = request.form, services().store

    def play() -> Match:
        moves = entered(load(match_id).rules(), form)
        services().cameras.check_entered(match_id, after_of(form), moves)
        place = store, match_id, after_of(form), moves
        return matches.play(*place, request=form.get("request"), access=access())

    return posted(match_id, play)


@bp.post("/m/<match_id>/watched")
@least(Role.PLAYER)
def answer_watched(match_id: str) -> Posted:
    """Count a person's answer about a watched roll, or dismiss it; two answers count once."""
    form, rolls = request.form, services().cameras.rolls
    sighting = form.get("sighting", "")

    def answer() -> Match:
        if "drop" in form:
            rolls.drop(match_id, sighting, access())
            return load(match_id)
        return rolls.answer(match_id, sighting, after_of(form), moves_of(form), access())

    return posted(match_id, answer)


def posted(
    match_id: str, act: Callable[[], Match], shows: Shows | None = None, **query: Any
) -> Posted:
    """Store a step and announce it, then show the match or the error."""
    try:
        made = act()
    except Asked as fault:  # the question is on the page of the match
        return refused(match_id, fault) if scripted() else to_match(load(match_id))
    except (RequestError, Malformed, Illegal) as fault:
        return refused(match_id, fault, shows)
    services().live.announce(match_id, made.seq)
    return shown_after(made, **query)


def shown_after(made: Match, **query: Any) -> Response:
    """Return the page of a match after a step; a script gets the step's number."""
    return jsonify({"seq": made.seq}) if scripted() else to_match(made, **query)


def scripted() -> bool:
    """Whether a script sends what a form holds (static/net/queue.js)."""
    return request.headers.get("Accept") == "application/json"


def refused(
    match_id: str, fault: Exception, shows: Shows | None = None
) -> tuple[str | Response, int]:
    """Show the error of a form on its page, by default that of the match, or to a script."""
    refusal = problem(fault)
    if scripted():
        return jsonify(refusal.to_json()), refusal.status
    rule = f" ({refusal.rule})" if refusal.rule else ""
    notice = f"{sentence(refusal.sentence, '.')}{rule}"
    return shows(notice) if shows else _match_page(load(match_id), notice), refusal.status


@bp.get("/m/<match_id>/rounds")
@least(Role.WATCHER)
def older_rounds(match_id: str) -> str:
    """Show older rounds that are not on the page of the match."""
    match = load(match_id)
    because = match.because_earned()
    count = len(by_part(because))
    before = request.args.get("before", count, type=int)
    view: dict[str, Any] = {**view_of(match), **parts_view(match, because, before)}
    return render_template(
        "rounds.html",
        view=view,
        older=span(count, before)[0],
        rounds=context.rounds(match, view, before),
        grid=grid(view["equipment"]["board"]),
    )


@bp.get("/m/<match_id>/recording.jsonl")
@least(Role.WATCHER)
def save_recording(match_id: str) -> Response:
    """Return the match as a recording file."""
    recorded = matches.recorded(services().store, load(match_id))
    text = "".join(f"{line}\n" for line in recording.write(recorded))
    headers = {"Content-Disposition": f"attachment; filename={recorded.game}.jsonl"}
    return current_app.response_class(text, mimetype="application/jsonl", headers=headers)


@bp.post("/m/<match_id>/again")
@least(Role.PLAYER, spends="matches")
def again(match_id: str) -> Response:
    """Start a rematch with the same game, players and house rules; other phones follow."""
    made = rematch.again(services().store, match_id)
    services().live.tell(match_id, "next", made.row.id)
    return to_match(made)


def show_problem(refusal: Problem) -> str:
    """Return the error page, which says what to do."""
    return render_template(
        "problem.html",
        title=said(TITLES.get(refusal.status, FAILED)),
        sentence=refusal.sentence,
        reference=refusal.reference,
        back=_back(),
    )


def _back() -> str | None:
    match_id = (request.view_args or {}).get("match_id")
    if match_id is None:
        return None
    try:
        services().store.match(match_id)
    except NotFound:
        return None
    except Exception:  # the error is on the page; the match may be readable again
        log.debug("the match of a refused request cannot be looked up", exc_info=True)
    return url_for("pages.match_page", match_id=match_id)


def load(match_id: str) -> Match:
    """Return the match; raises NotFound."""
    return matches.load(services().store, match_id)


def view_of(match: Match) -> MatchView:
    """Return the view of a match for pages."""
    return match_view(match, services().root, earned=True)


def to_own_match(made: Match, **query: Any) -> Response:
    """Make this phone the host of a new match and redirect to its page."""
    services().store.phones.begin(made.row.id, own_token(), device(), now())
    return to_match(made, **query)


def to_match(made: Match, **query: Any) -> Response:
    """Redirect to the page of a match."""
    return redirect(url_for("pages.match_page", match_id=made.row.id, **query), 303)


def moves_of(form: FormFields) -> list[Any]:
    """Return the moves of a form; raises Malformed."""
    try:
        return list(load_json(form.get("moves", "")))
    except (ValueError, TypeError):
        raise Malformed(_("Choose one of the answers on this page.")) from None


def after_of(form: FormFields) -> int:
    """Return the newest event that the form's page had; raises Malformed."""
    after = form.get("after", type=int)
    if after is None:
        raise Malformed(_("This form is incomplete. Go back to the match and try again."))
    return after


def _match_page(match: Match, notice: str | None = None) -> str:
    has = services().store.phones.access(match.row.id, token())
    role = has.role
    return render_template(
        "match.html",
        own=_own(has),
        shut=has.shut,
        notice=notice,
        demo=demo.sample(match.row.game) if "demo" in request.args else None,
        eyes=eyes_files.addresses(),
        eyes_bytes=eyes_files.size(),
        before=services().store.rematch_of(match.row.id),
        watches=role < Role.PLAYER,
        hosts=role is Role.HOST,
        lost=role is Role.HOST
        and services().settings.others  # a browser alone sends nothing
        and services().store.webhooks.lost(match.row.id),
        **_shown(match, has),
    )


def _shown(match: Match, has: Access) -> dict[str, Any]:
    shown = context.shown(services(), match)

    def check(movers: Set[int]) -> None:
        check_movers(has, match.state, movers, match.names)

    watches = why_not(lambda: check_role(has, Role.PLAYER))
    barred = watches or why_not(lambda: check({*shown["view"]["to_move"]}))
    if barred:
        shown["table"] |= {"photographable": False, "barred": barred}
    if has.shut:
        shown["entries"] = [
            replace(one, barred=why_not(partial(check, one.movers))) for one in shown["entries"]
        ]
    if watches or has.shut:
        shown["table"]["learns"] = False
    locked = locked_steps(match, has, shown["view"]["history"])
    if locked["locked_to"] == match.tree.head(match.seq):
        shown["table"]["can_undo"] = False
    shown["all_stay"] = rematch.all_stay(match)
    shown["table"]["mine"] = _mine(match, shown["view"], _own(has))
    return shown | locked | {"barred": barred, "request_id": new_request()}


def locked_steps(match: Match, has: Access, history: Sequence[StepView]) -> dict[str, Any]:
    """Return which steps of a *history* this phone may not change, and the newest of all."""

    def is_locked(seq: int) -> bool:
        return bool(why_not(lambda: check_steps(has, services().store, match, [seq])))

    if not has.shut or match.game is None or match.closed:
        return {"locked": (), "locked_to": 0}
    steps = {one["undo_of"] or one["seq"] for one in history if not one["note_on"]}
    return {
        "locked": {seq for seq in steps if match.tree.is_step(seq) and is_locked(seq)},
        "locked_to": next(filter(is_locked, match.tree.standing(match.seq)), 0),
    }


def _own(has: Access) -> list[int]:
    """Return the seats that are locked to this phone."""
    return [seat for seat, phone in has.locks.items() if phone == has.number]


def _mine(match: Match, view: Mapping[str, Any], own: Sequence[int]) -> int | None:
    """Return the surface of the table, or of the player due, of a phone's *own* seats."""
    if not own or not playable(match):
        return None
    tables, due = tables_of(match.rules(), match.state), view["to_move"]
    for place, spot in enumerate(view["equipment"]["spots"]):
        seat = spot["seat"]
        there = played_of(match.state).tables[tables[place]].seats if tables else [seat]
        if {*there} & {*own} and not spot["waits"] and (seat is None or seat in due):
            return place
    return None


def kept_from(match_id: str, check: Callable[[Access], object] = lambda has: None) -> str:
    """Return why this phone may not store what a page asks for; "" where it may."""
    has = services().store.phones.access(match_id, token())
    return why_not(lambda: check_role(has, Role.PLAYER)) or why_not(lambda: check(has))


def why_not(check: Callable[[], object]) -> str:
    """Return the sentence with which a check refuses; "" where it does not."""
    try:
        check()
    except NotAllowed as fault:
        return problem(fault).sentence
    return ""


bp.add_app_template_global(context.came_from)
bp.add_app_template_global(context.typed_number)
bp.add_app_template_filter(sentence, "sentence")
bp.add_app_template_filter(ruled)
bp.add_app_template_filter(context.gained, "gained")
bp.add_app_template_filter(context.as_result, "as_result")
bp.add_app_template_filter(clock)
bp.add_app_template_filter(dated)
bp.add_app_template_filter(figure)
bp.add_app_template_filter(gain)
bp.add_app_template_filter(shape)


def new_request() -> str:
    """Return an idempotency key for a form."""
    return secrets.token_hex(12)
