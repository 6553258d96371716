"""Sentences about steps beside the moves, and about players who left."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from operator import itemgetter
from typing import Any

from scorer.evening.play import AnyGame, is_over
from scorer.evening.standing import for_rivals, standing
from scorer.evening.state import LineKind, TableState, left_of, names_of, played_of
from scorer.evening.steps import (
    STEPS,
    ChangeChairs,
    Concede,
    EndMatch,
    JoinTable,
    LeaveTable,
    PlayOn,
    Rename,
    Reseat,
    TableStep,
)
from scorer.game import Advice, Because, HandPiece, Result
from scorer.messages import Message, _, raw
from scorer.proposal import Proposal
from scorer.table import Table
from scorer.tournament import Tournament, drawn, without
from scorer.words import listed, named, player


def describe(game: AnyGame, state: Any, move: Any) -> Message:
    """Describe *move*, made in *state*."""
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
            return _("the names were mixed up; in order: {who}", who=listed(map(player, order)))
        case ChangeChairs(order):
            return _("chairs change; turns in order: {who}", who=listed(map(player, order)))


def _played_on_said(rule: str, confirmed: int) -> Message:
    return _(
        "all play on as it lies, against {rule}; {who} confirmed it",
        rule=raw(rule),
        who=player(confirmed),
    )


def result(game: AnyGame, state: Any) -> Result | None:
    """Return the winners, or the leaders of a match ended early; None during the match."""
    return standing(game, state).result


def prompt(game: AnyGame, state: Any) -> Message:
    """Return a sentence about what to do next, or how the match ended."""
    return standing(game, state).prompt


def coach(game: AnyGame, state: Any, hand: Sequence[HandPiece] = ()) -> tuple[Advice, ...]:
    """Return advice against those who can still win; raises NoAdvice."""
    assert game.coach is not None
    return game.coach(for_rivals(game, state), hand)


def hint(game: AnyGame, state: Any) -> Message:
    """Return a hint for the current decision, "" once the match has ended."""
    ended = isinstance(state, TableState) and state.end
    return raw("") if ended else game.hint(played_of(state))


def explain(game: AnyGame, state: Any) -> tuple[Because, ...]:
    """Return the explanation of the score, including points that come from no move."""
    entries = game.explain(played_of(state))
    if not isinstance(state, TableState):
        return entries
    if state.end:
        entries = tuple(replace(entry, if_ended=False) for entry in entries)
    placed = [*enumerate(entries, 1), *_lines(state)]
    return tuple(entry for _behind, entry in sorted(placed, key=itemgetter(0)))


def because(game: AnyGame, state: Any, first: Sequence[str]) -> tuple[Because, ...]:
    """Return the explanation of the score with the names of its time (MT-12)."""
    entries = game.explain(state)
    if not isinstance(state, TableState) or not state.namings:
        return entries
    written = [(frozenset(game.explain(one.played)), names_of(one, first)) for one in state.namings]
    return tuple(_as_written(entry, written) for entry in entries)


def _as_written(
    entry: Because, written: Sequence[tuple[frozenset[Because], Sequence[str]]]
) -> Because:
    if entry.if_ended:
        return entry
    for entries, names in written:
        if entry in entries:
            part, text = named(entry.part, names), named(entry.text, names)
            name = "" if entry.seat is None else names[entry.seat]
            return replace(entry, part=part, text=text, name=name)
    return entry


def _lines(state: TableState) -> Iterator[tuple[int, Because]]:
    """Yield lines that come from no move, with the number of the game's own lines before."""
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
    """Return notes on a player's score and on who has left."""
    own = game.notes(played_of(state))
    if not left_of(state):
        return own
    said = list(own) or [raw("")] * len(state.people)
    for seat in left_of(state):
        said[seat] = _("gave up") if seat in state.conceded else _("has left")
    return tuple(said)


def observe(game: AnyGame, state: Any, table: Table) -> Proposal:
    """Return the meaning of the table; nothing once the match has ended."""
    if isinstance(state, TableState) and state.end:
        return Proposal.differs(_("the match has ended"), "MT-11")
    return game.observe(played_of(state), table)


def tournament(game: AnyGame, state: Any) -> Tournament | None:
    """Return pairings and standings, with those who gave up behind the others."""
    current = game.tournament(played_of(state))
    conceded = state.conceded if isinstance(state, TableState) else ()
    return without(current, conceded) if current and conceded else current


def draw(game: AnyGame, state: Any) -> tuple[Message, ...]:
    """Return the table, then a tournament's standings."""
    current = tournament(game, state)
    return (*game.draw(played_of(state)), *([drawn(current)] if current else ()))


def essence(game: AnyGame, state: Any) -> object:
    """Return the part of a state that matters from now on."""
    if not isinstance(state, TableState):
        return game.essence(state)
    over = is_over(game, state)
    return game.essence(state.played), state.people, state.left, state.conceded, over
