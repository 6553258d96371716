"""A tournament's pairings, byes and standings."""

from scorer.match.play import gains, winners
from scorer.match.values import M, MatchState, Plan, S, Series, TableRound, plan_of
from scorer.tournament import Meeting, Rank, Tournament


def tournament(series: Series[S, M], state: MatchState[S]) -> Tournament | None:
    """Return the pairings of every round and the standings; None if all play at one table."""
    plan = plan_of(series, state)
    if not plan.pairs:
        return None
    assert plan.rounds is not None
    number = state.tables[0].number
    played = [
        table for table in state.done if not any(table is now for now in state.tables)
    ]  # a finished round stays at its table until all are finished
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
    so_far = None if over or plan.noun != "game" else tuple(series.game.earned(table.round))
    return Meeting(table.number, table.seats, points, table.counts, so_far)


def _standings(series: Series[S, M], plan: Plan, state: MatchState[S]) -> tuple[Rank, ...]:
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
