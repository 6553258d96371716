"""Photos in a match: each surface belongs to a table, whose round interprets it."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from scorer.evening.state import played_of, put_played
from scorer.game import Equipment, Facts, OnePhoto, PhotoScore, Spot
from scorer.match.play import refusal, with_round
from scorer.match.values import M, MatchState, S, Series, TableRound, at_table, plan_of
from scorer.messages import _, raw
from scorer.proposal import Doubt, Proposal
from scorer.table import Table
from scorer.tournament import numbered
from scorer.words import players


def equipment(series: Series[S, M], state: MatchState[S]) -> Equipment:
    """Return the equipment; each table of a tournament is a surface."""
    wanted = [series.game.equipment(table.round) for table in state.tables]
    if len(wanted) == 1 and not wanted[0].spots:
        return wanted[0]
    several = len(wanted) > 1
    spots = []
    for place, (index, spot) in enumerate(surfaces(series, state)):
        seats = state.tables[index].seats
        title = at_table(spot.title, seats)
        if several or not title:
            where = _("table {number}: {who}", number=index + 1, who=players(seats))
            title = _("{table}, {title}", table=where, title=title) if title else where
        seat = None if spot.seat is None else seats[spot.seat]
        waits = series.game.is_over(state.tables[index].round)
        spots.append(Spot(title, replace(spot.table, spot=place), seat, waits))
    dice = {one.dice for one in wanted}
    hues = dict.fromkeys(hue for one in wanted for hue in one.colours)
    return replace(
        next((one for one in wanted if one.board), wanted[0]),  # some may roll where others mark
        dice=dice.pop() if len(dice) == 1 else None,
        colours={hue: max(one.colours.get(hue, 0) for one in wanted) for hue in hues},
        spots=tuple(spots),
    )


def surfaces(series: Series[S, M], state: MatchState[S]) -> Iterator[tuple[int, Spot]]:
    """Yield each surface with the index of its table and its `spot` there."""
    for index, table in enumerate(state.tables):
        spots = series.game.equipment(table.round).spots or (Spot(raw("")),)
        for at, spot in enumerate(spots):
            yield index, replace(spot, table=replace(spot.table, spot=at))


def observe(series: Series[S, M], state: MatchState[S], table: Table) -> Proposal:
    """Interpret a table by the round it belongs to."""
    surface_at = dict(enumerate(surfaces(series, state)))
    index, spot = surface_at.get(table.spot, (table.spot, Spot(raw(""))))
    if refused := refusal(series, state, index):
        return Proposal.differs(*refused)
    playing = state.tables[index]
    meant = series.game.observe(playing.round, replace(table, spot=spot.table.spot))
    return Proposal(
        tuple(series.outside(move, playing.seats, index) for move in meant.moves),
        (*_doubts(series, meant.doubts, playing, index), *_again(series, state, index, meant)),
        tuple(replace(d, sentence=at_table(d.sentence, playing.seats)) for d in meant.differences),
        meant.complete,
        meant.weighed,
        meant.taken,
    )


def as_it_lies(
    lies_so: Callable[[Any, Table], Any], series: Series[S, M], state: Any, table: Table
) -> Any:
    """Return the match with an illegal table accepted by *lies_so* in its round, or None."""
    if not isinstance(state, MatchState):
        return lies_so(state, table)
    surface_at = dict(enumerate(surfaces(series, state)))
    index, spot = surface_at.get(table.spot, (table.spot, Spot(raw(""))))
    if refusal(series, state, index):
        return None
    playing = state.tables[index].round
    lies = lies_so(playing, replace(table, spot=spot.table.spot))
    return None if lies is None else with_round(series, state, index, put_played(playing, lies))


def unnoticed(series: Series[S, M], state: MatchState[S]) -> tuple[type, ...]:
    """Return the moves that may have come before any photo."""
    return series.game.unnoticed(state.tables[0].round)


def _doubts(
    series: Series[S, M], doubts: Sequence[Doubt], table: TableRound[S], index: int
) -> Iterator[Doubt]:
    for doubt in doubts:
        others = tuple(
            tuple(series.outside(move, table.seats, index) for move in moves)
            for moves in doubt.others
        )
        yield replace(doubt, sentence=at_table(doubt.sentence, table.seats), others=others)


def _again(
    series: Series[S, M], state: MatchState[S], index: int, meant: Proposal
) -> Iterator[Doubt]:
    """Yield the doubt whether the photo shows an earlier round."""
    if series.known_before is None or meant.differences:
        return
    after, noun = state.tables[index].round, plan_of(series, state).noun
    for move in meant.moves:
        after = series.game.apply(after, move)
    others = [(table.round, numbered(noun, table.number)) for table in state.done[::-1]]
    others += [
        (table.round, _("table {number}", number=at + 1))
        for at, table in enumerate(state.tables)
        if at != index
    ]
    for other, whose in others:
        if series.known_before(played_of(after), played_of(other)):
            text = _(
                "this looks like {surface} of {round}, which has already been counted: is it a "
                "new one?",
                surface=series.surface,
                round=whose,
            )
            yield Doubt(text)
            return


def one_photo(series: Series[S, M]) -> OnePhoto[Any] | None:
    """Return the scoring of a single photo: as a single round."""
    of = series.game.one_photo
    if of is None:
        return None

    def moments(state: Any) -> tuple[Any, ...]:
        return of.moments(state.tables[0].round if isinstance(state, MatchState) else state)

    def tell(state: Any, table: Table, facts: Facts) -> PhotoScore:
        if not isinstance(state, MatchState):
            return of.tell(state, table, facts)
        plan, (index, spot) = plan_of(series, state), list(surfaces(series, state))[table.spot]
        at = state.tables[index]
        photo_score = of.tell(at.round, replace(table, spot=spot.table.spot), facts)
        heading = numbered(plan.noun, at.number)
        because = tuple(replace(one, part=one.part or heading) for one in photo_score.because)
        # The result of a round is not the result of the match.
        outcome = photo_score.outcome if plan.rounds == 1 and not plan.pairs else None
        whose = tuple(at_table(one, at.seats) for one in photo_score.whose)
        assumed = photo_score.assumed and at_table(photo_score.assumed, at.seats)
        return replace(photo_score, because=because, outcome=outcome, whose=whose, assumed=assumed)

    def opening(state: Any, table: Table) -> tuple[Any, ...]:
        if not isinstance(state, MatchState):
            return of.opening(state, table)
        index, spot = list(surfaces(series, state))[table.spot]
        at = state.tables[index]
        moves = of.opening(at.round, replace(table, spot=spot.table.spot))
        return tuple(series.outside(move, at.seats, index) for move in moves)

    return replace(of, tell=tell, opening=opening, moments=moments)
