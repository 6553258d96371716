"""A tournament as people read it: who meets whom, who sits out, and the standings."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from scorer.match.play import gains, winners
from scorer.match.values import M, MatchState, Plan, S, Series, TableRound, numbered, plan_of
from scorer.messages import Message, _, joined, raw
from scorer.tournament import Meeting, Rank, Tournament
from scorer.words import player


def tournament(series: Series[S, M], state: Any) -> Tournament | None:
    """Return the pairings of every round and the standings; None where all play at one table."""
    if not isinstance(state, MatchState):
        return series.game.tournament(state)
    plan = plan_of(series, state)
    if not plan.pairs:
        return None
    assert plan.rounds is not None
    number = state.tables[0].number
    played = [
        table for table in state.done if not any(table is now for now in state.tables)
    ]  # a finished round stays at its table until all have finished
    meetings = [_meeting(series, plan, table) for table in (*played, *state.tables)]
    return Tournament(
        noun=plan.noun,
        number=number,
        rounds=max(plan.rounds, number),
        meetings=tuple(sorted(meetings, key=lambda one: one.number)),
        sat_out=state.sat_out,
        standings=_standings(series, plan, state),
    )


def _meeting(series: Series[S, M], plan: Plan, table: TableRound[S]) -> Meeting:
    over = series.game.is_over(table.round)
    points = gains(series, plan, table.round) if over else None
    return Meeting(table.number, table.seats, points, table.counts)


def _standings(series: Series[S, M], plan: Plan, state: MatchState[S]) -> tuple[Rank, ...]:
    """Return everybody, the best first; who is level shares the place."""
    results = [(table.seats, winners(series, table)) for table in state.done if table.counts]
    paid_byes = state.sat_out
    if not all(series.game.is_over(table.round) for table in state.tables):
        paid_byes = paid_byes[:-1]
    order = sorted(
        range(len(state.totals)),
        key=lambda seat: state.totals[seat] if plan.lowest else -state.totals[seat],
    )
    ranked = [state.totals[seat] for seat in order]
    return tuple(
        Rank(
            place=ranked.index(state.totals[seat]) + 1,
            seat=seat,
            points=state.totals[seat],
            won=sum(best == (seat,) for _, best in results),
            level=sum(seat in seats and len(best) != 1 for seats, best in results),
            lost=sum(
                seat in seats and len(best) == 1 and best != (seat,) for seats, best in results
            ),
            byes=paid_byes.count(seat),
        )
        for seat in order
    )


def drawn(series: Series[S, M], state: Any) -> tuple[Message, ...]:
    """Return the standings as a block of plain text."""
    current = tournament(series, state)
    return () if current is None else (joined("\n", _rows(current)),)


def _rows(current: Tournament) -> Iterator[Message]:
    yield _(
        "standings, {number} of {rounds}",
        number=numbered(current.noun, current.number),
        rounds=current.rounds,
    )
    yield _("place  points  won-level-lost  byes")
    for rank in current.standings:
        yield _(
            "{place:>4}.  {points:>6}  {results:^14}  {byes:>4}  {who}",
            place=rank.place,
            points=rank.points,
            results=raw(f"{rank.won}-{rank.level}-{rank.lost}"),
            byes=rank.byes,
            who=player(rank.seat),
        )
    if current.sat_out:
        yield _("{who} sits out", who=player(current.sat_out[-1]))
