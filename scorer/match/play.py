"""Playing a match: successive rounds at one table, or at several tables in parallel."""

from collections.abc import Callable, Iterator, Mapping
from itertools import chain, zip_longest
from typing import Any

from scorer.errors import Illegal
from scorer.evening.play import begun_without, played_without, round_with, round_without
from scorer.evening.state import TableState, left_of, played_of
from scorer.evening.steps import Concede
from scorer.game import At, Game
from scorer.match.pairing import next_pairs
from scorer.match.values import (
    M,
    MatchState,
    Plan,
    S,
    SeatPoints,
    Seats,
    Series,
    TableRound,
    at_table,
    own_house,
    plan_of,
)
from scorer.messages import Message, _
from scorer.seats import leaders
from scorer.settings import check_seats, settle
from scorer.table import Die, Tile
from scorer.values import changed


def start(series: Series[S, M], seats: int, settings: Mapping[str, object]) -> Any:
    """Return the state before the first move; raises NotAMove."""
    house = settle(series.settings, settings)
    check_seats(series.game.title, series.seats, seats)
    plan = series.plan(house, seats)
    if plan is None:
        return series.game.start(seats, own_house(series, house))
    everybody = tuple(range(seats))
    sat_out: Seats = ()
    tables = [everybody]
    if plan.pairs:
        tables = [everybody[seat : seat + 2] for seat in range(0, seats, 2)]
        sat_out = tables.pop() if seats % 2 else ()
    table, state, _round = series.types
    rounds = [
        table(1, pair, series.game.start(len(pair), own_house(series, house))) for pair in tables
    ]
    return state(house, tuple(rounds), totals=(0,) * seats, sat_out=sat_out)


def table_of(move: Any) -> int:
    """Return the table of a move."""
    table: int = getattr(move, "table", 0)
    return table


def inner(series: Series[S, M], move: Any, seats: Seats) -> M:
    """Convert a move to the round of its table; raises Illegal."""
    return series.inside(move.move if isinstance(move, At) else move, seats)


def legal_moves(series: Series[S, M], state: Any) -> Iterator[Any]:
    """Yield every legal move, alternating between tables: one may have a million."""
    if not isinstance(state, MatchState):
        return series.game.legal_moves(state)
    if is_over(series, state):
        return iter(())
    if len(state.tables) == 1:
        return _at_table(series, 0, state.tables[0])
    at_each = [_at_table(series, index, table) for index, table in enumerate(state.tables)]
    nothing = object()
    rows = chain.from_iterable(zip_longest(*at_each, fillvalue=nothing))
    return (move for move in rows if move is not nothing)


def _at_table(series: Series[S, M], index: int, table: TableRound[S]) -> Iterator[Any]:
    found = series.game.legal_moves(table.round)
    if index == 0 and table.seats == tuple(range(len(table.seats))):
        return found  # as they are
    return (series.outside(move, table.seats, index) for move in found)


def apply(series: Series[S, M], state: Any, move: Any) -> Any:
    """Return the state after *move*; raise Illegal if the rules forbid it."""
    if not isinstance(state, MatchState):
        return series.bare.apply(state, move)  # steps beside the moves are handled before
    return _apply(series, state, move)


def _apply(series: Series[S, M], state: MatchState[S], move: Any) -> MatchState[S]:
    index = table_of(move)
    if isinstance(move, At) and index == 0:
        raise Illegal(move, _("leave the table out for a move at the first table"), "MT-4")
    if not 0 <= index < len(state.tables):
        raise Illegal(move, *_unplayable(series, state, index))
    table = state.tables[index]
    try:
        game = _game_of(series, table.round)
        played = game.apply(table.round, inner(series, move, table.seats))
    except Illegal as fault:
        if refused := refusal(series, state, index):
            raise Illegal(move, *refused) from None
        raise Illegal(move, at_table(fault.reason, table.seats), fault.rule) from None
    table = type(table)(table.number, table.seats, played, table.counts)
    state = _put(state, index, table)
    return _finished(series, state, index) if _over(series, played) else state


def _game_of(series: Series[S, M], round_: S) -> Game[S, M]:
    """Return the game that goes on with a round: with the steps beside its moves once one came."""
    return series.game if type(round_) is TableState else series.bare


def _over(series: Series[S, M], round_: S) -> bool:
    """Return True if a round is over; most moves ask for it, so nothing is on the way."""
    if type(round_) is TableState:
        return series.game.is_over(round_)
    return series.bare.is_over(round_)


def refusal(series: Series[S, M], state: MatchState[S], index: int) -> tuple[Message, str] | None:
    """Return why no move is possible at a table, and the rule; None if its round continues."""
    if 0 <= index < len(state.tables) and not _over(series, state.tables[index].round):
        return None
    return _unplayable(series, state, index)


def _unplayable(series: Series[S, M], state: MatchState[S], index: int) -> tuple[Message, str]:
    plan = plan_of(series, state)
    if is_over(series, state):
        return _("the game is over"), plan.rule
    if not 0 <= index < len(state.tables):
        return _("there is no table {number}", number=index + 1), plan.pairs_rule
    if plan.noun == "game":
        return _("this table has finished its game and waits for the others"), plan.pairs_rule
    return _("this table has finished its round and waits for the others"), plan.pairs_rule


def thrown(series: Series[S, M], state: MatchState[S], move: Any) -> tuple[tuple[str, int], ...]:
    """Return the thrown dice of a legal move."""
    return series.game.thrown(*_in_round(series, state, move))


def laid(series: Series[S, M], state: MatchState[S], move: Any) -> tuple[Die | Tile, ...]:
    """Return the placed pieces of a legal move."""
    return series.game.laid(*_in_round(series, state, move))


def _in_round(series: Series[S, M], state: MatchState[S], move: Any) -> tuple[S, M]:
    table = state.tables[table_of(move)]
    return table.round, inner(series, move, table.seats)


def _put(state: MatchState[S], index: int, table: TableRound[S]) -> MatchState[S]:
    tables = (*state.tables[:index], table, *state.tables[index + 1 :])
    # Without `replace`, for speed: every move creates one.
    return type(state)(state.house, tables, state.done, state.totals, state.sat_out, state.conceded)


def _finished(series: Series[S, M], state: MatchState[S], index: int) -> MatchState[S]:
    plan = plan_of(series, state)
    table = state.tables[index]
    level = (plan.replay or plan.pairs) and len(winners(series, table)) != 1
    if level and plan.replay:
        table = changed(table, counts=False)
        state = _put(state, index, table)
    totals = state.totals
    if table.counts:
        totals = plus(totals, dict(zip(table.seats, gains(series, plan, table.round), strict=True)))
    state = changed(state, done=(*state.done, table), totals=totals)
    if plan.pairs:
        if level and plan.replay_decides:
            fresh = _next(series, state, table, table.seats)
            return _put(state, index, type(table)(table.number, table.seats, fresh, counts=False))
        return _end_of_pairs(series, plan, state) if is_over(series, state) else state
    if _decided(plan, state):
        return state
    seats = (*table.seats[1:], table.seats[0]) if series.alternate else table.seats
    following = type(table)(table.number + 1, seats, _next(series, state, table, seats))
    return _put(state, index, following)


def _next(series: Series[S, M], state: MatchState[S], table: TableRound[S], seats: Seats) -> Any:
    """Return the next round of a table: who left the last one is absent from it."""
    if series.following is not None:
        fresh = series.following(played_of(table.round))
    else:
        fresh = series.game.start(len(seats), own_house(series, state.house))
    gone = [table.seats[player] for player in left_of(table.round)]
    absent = {seats.index(seat): seat in state.conceded for seat in gone}
    return begun_without(series.game, fresh, absent) if absent else fresh


def _end_of_pairs(series: Series[S, M], plan: Plan, state: MatchState[S]) -> MatchState[S]:
    """Count the bye; set up the next round, winners one table on, unless it was the last."""
    totals = plus(state.totals, dict.fromkeys(state.sat_out[-1:], plan.bye))
    state = changed(state, totals=totals)
    assert plan.rounds is not None
    number = state.tables[0].number
    level = len(leaders(_of_rivals(state), plan.lowest)) > 1
    if number >= plan.rounds and not (level and plan.level == "more"):
        return state
    pairs, sat_out = next_pairs(
        [table.seats for table in state.tables],
        [_mover(series, table) for table in state.tables],
        state.sat_out,
    )
    gone = {table.seats[player] for table in state.done for player in left_of(table.round)}
    if number >= plan.rounds and all(map(gone.intersection, pairs)):
        return state  # in no extra round would anybody play
    table, house = series.types[0], own_house(series, state.house)
    tables = tuple(table(number + 1, pair, series.game.start(2, house)) for pair in pairs)
    return changed(state, tables=tables, sat_out=sat_out)


def _mover(series: Series[S, M], table: TableRound[S]) -> int:
    """Return who moves on: the winner, or after a level round the player who did not start."""
    best = winners(series, table)
    return best[0] if len(best) == 1 else table.seats[series.second(played_of(table.round))]


def leave(series: Series[S, M], state: Any, seat: int, *, conceded: bool = False) -> Any:
    """Return the state after a seat has left or *conceded*; None if the match cannot go on."""
    if not isinstance(state, MatchState):
        return played_without(series.game, state, seat, conceded)
    if conceded:
        state = changed(state, conceded=(*state.conceded, seat))
    for index, table in enumerate(state.tables):
        if seat in table.seats and not _over(series, table.round):
            played = _left(series, state, table, table.seats.index(seat), conceded)
            if played is None:
                return None
            return with_round(series, state, index, played)
    return state


def with_round(series: Series[S, M], state: MatchState[S], index: int, played: S) -> MatchState[S]:
    """Return the match with a round replaced at one of its tables."""
    state = _put(state, index, changed(state.tables[index], round=played))
    return _finished(series, state, index) if series.game.is_over(played) else state


def _left(
    series: Series[S, M], state: MatchState[S], table: TableRound[S], who: int, conceded: bool
) -> Any:
    if plan_of(series, state).pairs:
        return series.game.apply(table.round, Concede(who))  # type: ignore[arg-type]
    return round_without(series.game, table.round, who, conceded)


def join(series: Series[S, M], state: Any, points: int) -> Any:
    """Return the state with one more player, None if nobody can join now."""
    own = series.game.attendance.join
    if own is None or not isinstance(state, MatchState):
        return own(state, points) if own else None
    if plan_of(series, state).pairs:
        return None
    table, seat = state.tables[0], len(state.totals)
    played = round_with(series.game, table.round, min(series.game.score(table.round)))
    if played is None or seat >= series.game.seats[-1]:
        return None
    table = changed(table, seats=(*table.seats, seat), round=played)
    return changed(_put(state, 0, table), totals=(*state.totals, points))


def turn(own: Callable[[S, int], S | None], state: Any, seat: int) -> Any:
    """Return the state at a seat's turn; None in a match of several rounds."""
    return None if isinstance(state, MatchState) else own(state, seat)


def ignoring(own: Callable[[S, Seats], S], state: Any, seats: Seats) -> Any:
    """Return the state in which seats are no rivals; rounds know by themselves who left."""
    return state if isinstance(state, MatchState) else own(state, seats)


def begins(own: Callable[[S], Message], state: Any) -> Message:
    """Return the start of a player who joined the current round."""
    return own(played_of(state.tables[0].round) if isinstance(state, MatchState) else state)


def starts(series: Series[S, M], state: MatchState[S], seat: int) -> Any:
    """Return the move that sets the starter of the first round, None if player 1 starts."""
    first = (*state.done, *state.tables)[0].round
    return series.game.starts(first, seat) if len(state.tables) == 1 else None


def rounds_played(series: Series[S, M], state: MatchState[S]) -> int:
    """Return the number of finished rounds."""
    return sum(table.counts for table in state.done) // len(state.tables)


def lowest(series: Series[S, M], state: MatchState[S]) -> bool:
    """Return True if the fewest points lead."""
    return plan_of(series, state).lowest


def tie_break(_series: Series[S, M], _state: MatchState[S]) -> SeatPoints:
    """Return the tie-breaks; there are none between totals."""
    return ()


def plus(totals: SeatPoints, gained: Mapping[int, int]) -> SeatPoints:
    """Return the totals plus gains."""
    return tuple(total + gained.get(seat, 0) for seat, total in enumerate(totals))


def gains(series: Series[S, M], plan: Plan, round_: S) -> SeatPoints:
    """Return the gains of a finished round."""
    return series.game.score(round_) if plan.gains is None else plan.gains(round_)


def winners(series: Series[S, M], table: TableRound[S]) -> Seats:
    """Return the winners of a finished round, several if it is level."""
    ended = _game_of(series, table.round).result(table.round)
    assert ended is not None
    return tuple(table.seats[player] for player in ended.winners)


def score(_series: Series[S, M], state: MatchState[S]) -> SeatPoints:
    """Return each seat's total over the finished rounds that count."""
    return state.totals


def is_over(series: Series[S, M], state: Any) -> bool:
    """Return True if the match has ended."""
    if not isinstance(state, MatchState):
        return series.bare.is_over(state)
    # Tables that continue have a new round.
    return all(_over(series, table.round) for table in state.tables)


def _decided(plan: Plan, state: MatchState[S]) -> bool:
    totals = _of_rivals(state)
    if plan.target is not None:
        return race_over(totals, plan.target, plan.lowest, plan.level)
    counted = sum(table.counts for table in state.done)
    assert plan.rounds is not None
    if counted < plan.rounds:
        return False
    return plan.level == "draw" or len(leaders(totals, plan.lowest)) == 1


def _of_rivals(state: MatchState[S]) -> SeatPoints:
    return tuple(total for seat, total in enumerate(state.totals) if seat not in state.conceded)


def race_over(totals: SeatPoints, target: int, lowest: bool = False, level: str = "more") -> bool:
    """Return True if a race to *target* is over; a level one may continue."""
    if max(totals) < target:
        return False
    return level == "draw" or len(leaders(totals, lowest)) == 1


def target(series: Series[S, M], state: MatchState[S]) -> int | None:
    """Return the target of a race, or None."""
    return plan_of(series, state).target


def to_move(series: Series[S, M], state: MatchState[S]) -> Seats:
    """Return the seats that may act now, at any table."""
    if is_over(series, state):
        return ()
    return tuple(
        table.seats[player] for table in state.tables for player in series.game.to_move(table.round)
    )
