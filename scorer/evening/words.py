"""An evening in words: what was done beside the moves, who leads where a match ends early."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from operator import itemgetter
from typing import Any

from scorer.evening.play import AnyGame, is_over
from scorer.evening.state import LineKind, TableState, left_of, played_of
from scorer.evening.steps import (
    STEPS,
    Concede,
    EndMatch,
    JoinTable,
    LeaveTable,
    PlayOn,
    Rename,
    Reseat,
    TableStep,
)
from scorer.game import Because, Result
from scorer.messages import Message, _, raw
from scorer.proposal import Proposal
from scorer.seats import leaders
from scorer.table import Table
from scorer.words import listed, player, players, tally_said
from scorer.words import points as points_said


def describe(game: AnyGame, state: Any, move: Any) -> Message:
    """Return *move*, made in *state*, in words."""
    if isinstance(move, STEPS):
        return _step_said(move)
    return game.describe(played_of(state), move)


def _step_said(move: TableStep) -> Message:
    match move:
        case LeaveTable(seat):
            return _("{who} leaves", who=player(seat))
        case Concede(seat):
            return _("{who} gives up", who=player(seat))
        case JoinTable(name):
            return _("{name} joins", name=raw(name))
        case EndMatch():
            return _("all agree to end the match here")
        case Rename(seat, name):
            return _("{who} is now called {name}", who=player(seat), name=raw(name))
        case PlayOn(_table, rule, confirmed):
            return _played_on_said(rule, confirmed)
        case Reseat(order):
            return _("seats change; in order: {who}", who=listed(map(player, order)))


def _played_on_said(rule: str, confirmed: int) -> Message:
    return _(
        "all play on as it lies, against {rule}; {who} confirmed it",
        rule=raw(rule),
        who=player(confirmed),
    )


def result(game: AnyGame, state: Any) -> Result | None:
    """Return who has won, or who led when the match ended early; None while it goes on."""
    if not isinstance(state, TableState):
        return game.result(state)
    if not state.end:
        return _for_the_others(game, state, game.result(state.played))
    fit = _fit(game, state)
    if state.end == "conceded" and len(fit) == 1:
        gone = players(state.conceded)
        why = _("{who} wins: {gone} gave up", who=player(fit[0]), gone=gone)
        return Result((fit[0],), why)
    lead = _leading(game, state, fit)
    ended, stands = _ended_said(game, state), _stands_said(game, state, lead)
    why = _("{ended}; {stands}", ended=ended, stands=stands)
    return Result(lead if len(state.people) > 1 else (), why, draw=len(lead) > 1, early=True)


def _for_the_others(game: AnyGame, state: TableState, by_rules: Result | None) -> Result | None:
    """Return the result of the rules, without those who gave up."""
    if by_rules is None or not set(by_rules.winners) & set(state.conceded):
        return by_rules
    fit = _fit(game, state)
    lead = tuple(seat for seat in by_rules.winners if seat in fit) or _leading(game, state, fit)
    gone = players(state.conceded)
    why = _("{gone} gave up; {stands}", gone=gone, stands=_stands_said(game, state, lead))
    return Result(lead, why, draw=len(lead) > 1)


def _fit(game: AnyGame, state: TableState) -> Sequence[int]:
    """Return who can lead: nobody who gave up, and where few points are good, nobody who left."""
    if game.lowest(state.played) and state.end != "left":
        return state.present
    return [seat for seat in range(len(state.people)) if seat not in state.conceded]


def _leading(game: AnyGame, state: TableState, seats: Sequence[int]) -> tuple[int, ...]:
    score = game.score(state.played)
    best = leaders([score[seat] for seat in seats], game.lowest(state.played))
    return tuple(seats[place] for place in best)


def _ended_said(game: AnyGame, state: TableState) -> Message:
    if state.end != "agreed":
        return _("{who} left", who=players(state.left))
    number = game.rounds_played(state.played)
    return _("ended after round {number}", number=number) if number else _("ended early")


def _stands_said(game: AnyGame, state: TableState, lead: Sequence[int]) -> Message:
    score = game.score(state.played)
    if len(score) == 1:
        return _("the score is {score}", score=score[0])
    if len(lead) > 1:
        level = points_said(score[lead[0]])
        return _("{who} are level with {points}", who=players(lead), points=level)
    rest = (points for seat, points in enumerate(score) if seat != lead[0])
    ordered = sorted(rest, reverse=not game.lowest(state.played))
    tally = tally_said((score[lead[0]], *ordered))
    return _("{who} leads {tally}", who=player(lead[0]), tally=tally)


def prompt(game: AnyGame, state: Any) -> Message:
    """Return what is to be done next, or how the match ended, in one sentence."""
    ended = result(game, state) if isinstance(state, TableState) and state.end else None
    return game.prompt(played_of(state)) if ended is None else ended.why


def hint(game: AnyGame, state: Any) -> Message:
    """Return what may help to settle what is due, "" once the match has ended."""
    ended = isinstance(state, TableState) and state.end
    return raw("") if ended else game.hint(played_of(state))


def explain(game: AnyGame, state: Any) -> tuple[Because, ...]:
    """Return how the score came about, with what came of no move."""
    entries = game.explain(played_of(state))
    if not isinstance(state, TableState):
        return entries
    if state.end:
        entries = tuple(replace(entry, if_ended=False) for entry in entries)
    placed = [*enumerate(entries, 1), *_lines(state)]
    return tuple(entry for _behind, entry in sorted(placed, key=itemgetter(0)))


def _lines(state: TableState) -> Iterator[tuple[int, Because]]:
    """Yield what came of no move, with the number of the game's own lines before it."""
    for line in state.lines:
        part, why, rule = LINES[line.kind]
        yield line.behind, Because(line.seat, line.points, part, why(player(line.seat)), rule)
    for override in state.overrides:
        text = _played_on_said(override.rule, override.confirmed)
        yield override.behind, Because(None, 0, AGAINST, text, "MT-13")


GOING, AGAINST = _("coming and going"), _("against the rules")
LINES: Mapping[LineKind, tuple[Message, Callable[[Message], Message], str]] = {
    "left": (GOING, lambda who: _("{who} left", who=who), "MT-8"),
    "late": (GOING, lambda who: _("{who} came late", who=who), "MT-10"),
    "override": (AGAINST, lambda who: _("as it lies, {who} has", who=who), "MT-13"),
}


def notes(game: AnyGame, state: Any) -> tuple[Message, ...]:
    """Return what a player should know of the own score, and who plays no more."""
    own = game.notes(played_of(state))
    if not left_of(state):
        return own
    said = list(own) or [raw("")] * len(state.people)
    for seat in left_of(state):
        said[seat] = _("gave up") if seat in state.conceded else _("has left")
    return tuple(said)


def observe(game: AnyGame, state: Any, table: Table) -> Proposal:
    """Return what the table means; nothing once the match has ended."""
    if isinstance(state, TableState) and state.end:
        return Proposal.differs(_("the match has ended"), "MT-11")
    return game.observe(played_of(state), table)


def essence(game: AnyGame, state: Any) -> object:
    """Return what of a state matters from here on."""
    if not isinstance(state, TableState):
        return game.essence(state)
    over = is_over(game, state)
    return game.essence(state.played), state.people, state.left, state.conceded, over
