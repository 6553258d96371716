"""A match in words: how its score came about, what comes next has won."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from scorer.game import Because, Instead, Result
from scorer.match.play import inner, is_over, table_of, winners
from scorer.match.standings import drawn
from scorer.match.values import (
    M,
    MatchState,
    Plan,
    S,
    Series,
    TableRound,
    at_table,
    leaders,
    plan_of,
)
from scorer.words import players

WIDE = 50  # letters of a drawn line


def explain(series: Series[S, M], state: Any) -> tuple[Because, ...]:
    """Return what each round brought, rounds in order, the open ones last."""
    if not isinstance(state, MatchState):
        return series.game.explain(state)
    plan, game = plan_of(series, state), series.game
    entries = [entry for table in state.done for entry in _told(series, plan, state, table)]
    entries += [
        Because(seat, plan.bye, f"{plan.noun} {number}", "sits out", plan.bye_rule)
        for number, seat in enumerate(state.sat_out, start=1)
        if number < state.tables[0].number or all(game.is_over(one.round) for one in state.tables)
    ]
    for table in state.tables:
        if not game.is_over(table.round):
            heading = _heading(plan, state, table) + (" so far" if table.counts else "")
            entries += _lines(series, table, heading, counts=False)
    return tuple(entries)


def _told(
    series: Series[S, M], plan: Plan, state: MatchState[S], table: TableRound[S]
) -> Iterator[Because]:
    """Yield how a finished round was counted: by its own lines, or by who won it."""
    heading = _heading(plan, state, table)
    if plan.gains is None:
        yield from _lines(series, table, heading, counts=table.counts)
        return
    ended = series.game.result(table.round)
    assert ended is not None
    text = at_table(ended.why, table.seats)
    gained = plan.gains(table.round) if table.counts else ()
    paid: list[tuple[int | None, int]] = [
        (seat, won) for seat, won in zip(table.seats, gained, strict=False) if won
    ]
    for seat, won in paid or [(None, 0)]:
        yield Because(seat, won, heading, text, plan.rule)


def _lines(
    series: Series[S, M], table: TableRound[S], heading: str, *, counts: bool
) -> Iterator[Because]:
    """Yield the lines of a round under one heading; they pay only if they count."""
    entries = series.game.explain(table.round)
    several = len({one.part for one in entries}) > 1
    for one in entries:
        text = at_table(f"{one.part}: {one.text}" if several else one.text, table.seats)
        pays = counts and one.seat is not None
        seat = table.seats[one.seat] if pays and one.seat is not None else None
        yield replace(one, seat=seat, points=one.points * pays, part=heading, text=text)


def _heading(plan: Plan, state: MatchState[S], table: TableRound[S]) -> str:
    text = f"{plan.noun} {table.number}"
    if len(state.tables) > 1:
        text += f", {players(table.seats)}"
    if table.counts:
        return text
    return text + (", replay (not counted)" if plan.pairs else ", level and played again")


def result(series: Series[S, M], state: Any) -> Result | None:
    """Return who won and why, None while the match goes on."""
    if not isinstance(state, MatchState):
        return series.game.result(state)
    if not is_over(series, state):
        return None
    plan = plan_of(series, state)
    if plan.rounds == 1 and not plan.pairs:
        return _of_round(series, state.done[-1])
    best = leaders(state.totals, plan.lowest)
    points = state.totals[best[0]]
    if len(best) > 1:
        level = f"{players(best)} are level with {points} {plan.unit or 'points'}"
        if plan.pairs:
            return Result(best, f"{level}: a shared win")
        return Result(best, f"{level}: a draw", draw=True)
    return Result(best, f"{players(best)} wins {_tally(plan, state)}")


def _of_round(series: Series[S, M], table: TableRound[S]) -> Result:
    ended = series.game.result(table.round)
    assert ended is not None
    return replace(ended, winners=winners(series, table), why=at_table(ended.why, table.seats))


def _tally(plan: Plan, state: MatchState[S]) -> str:
    best, *others = sorted(state.totals, reverse=not plan.lowest)
    rest = " to ".join(map(str, others))
    if plan.unit:
        return f"by {best} {plan.unit} to {rest}" if not plan.pairs else f"with {best} {plan.unit}"
    aim = "the fewest points win" if plan.lowest else "the most points win"
    if plan.pairs:
        return f"with {best} points: {aim}"
    number = state.tables[0].number
    ended = f"somebody has {plan.target} after {plan.noun} {number}, and " if plan.target else ""
    return f"{best} to {rest}: {ended}{aim}"


def prompt(series: Series[S, M], state: Any) -> str:
    """Return what is to be done next, in one sentence; a tournament's tables one after another."""
    if not isinstance(state, MatchState):
        return series.game.prompt(state)
    if (ended := result(series, state)) is not None:
        return ended.why
    noun = plan_of(series, state).noun
    return "; ".join(
        ("" if len(state.tables) == 1 else f"table {place}: ")
        + ("" if len(state.totals) == 1 else f"{noun} {table.number}: ")
        + at_table(series.game.prompt(table.round), table.seats)
        for place, table in enumerate(state.tables, start=1)
        if not series.game.is_over(table.round)
    )


def describe(series: Series[S, M], state: Any, move: Any) -> str:
    """Return *move*, made in *state*, in words; a tournament's table is named first."""
    if not isinstance(state, MatchState):
        return series.game.describe(state, move)
    index = table_of(move)
    table = state.tables[index]
    told = series.game.describe(table.round, inner(series, move, table.seats))
    where = f"table {index + 1}: " if len(state.tables) > 1 else ""
    return where + at_table(told, table.seats)


def instead(series: Series[S, M], state: Any) -> tuple[Instead, ...]:
    """Return what may have been meant at a table whose players settled their start themselves."""
    if not isinstance(state, MatchState):
        return series.game.instead(state)
    return tuple(
        Instead(at_table(one.question, table.seats), series.outside(one.move, table.seats, index))
        for index, table in enumerate(state.tables)
        if table.number == 1 or series.following is None
        for one in series.game.instead(table.round)
    )


def draw(series: Series[S, M], state: Any) -> tuple[str, ...]:
    """Return what lies on each table, then a tournament's standings."""
    if not isinstance(state, MatchState):
        return series.game.draw(state)
    noun = plan_of(series, state).noun
    blocks = []
    for place, table in enumerate(state.tables, start=1):
        where = f"table {place}, " if len(state.tables) > 1 else ""
        for block in series.game.draw(table.round):
            heading, text = f"{where}{noun} {table.number}:", at_table(block, table.seats)
            joined = f"{heading} {text}"
            fits = len(joined.partition("\n")[0]) <= WIDE
            blocks.append(joined if fits else f"{heading}\n{text}")
    return (*blocks, *drawn(series, state))


def by_seat(series: Series[S, M], state: Any, told: str) -> tuple[str, ...]:
    """Return what a game tells of each seat, its colours or notes; nothing of those who sit out."""
    if not isinstance(state, MatchState):
        return tuple(getattr(series.game, told)(state))
    words = [""] * len(state.totals)
    for table in state.tables:
        for seat, text in zip(table.seats, getattr(series.game, told)(table.round), strict=False):
            words[seat] = at_table(text, table.seats)
    return tuple(words) if any(words) else ()


def turn_total(series: Series[S, M], state: Any) -> int | None:
    """Return the points of the turn in play, None where several tables are."""
    if not isinstance(state, MatchState):
        return series.game.turn_total(state)
    return series.game.turn_total(state.tables[0].round) if len(state.tables) == 1 else None
