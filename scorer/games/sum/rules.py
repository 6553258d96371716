"""Rounds of entries, players who join and leave, and the result."""

from collections.abc import Callable, Iterator, Mapping
from itertools import chain, combinations, combinations_with_replacement, zip_longest
from typing import Any

from scorer.dice import check_pips, falls
from scorer.dominoes import not_of_set
from scorer.errors import Illegal
from scorer.game import Result
from scorer.games.sum.moves import Enter, Finish, Move, SumEntry, SumPieces
from scorer.games.sum.settings import MOST, POINTS, SEATS, SETTINGS, TITLE
from scorer.games.sum.state import Column, State, between, is_over, lowest, score
from scorer.messages import Message, _, ngettext
from scorer.phases import Phase, Phases, over, reason
from scorer.photo.rolls import Pips
from scorer.photo.sums import Tiles
from scorer.seats import check_seat, leaders, put
from scorer.settings import check_seats, settle
from scorer.values import changed
from scorer.words import player, players


def start(seats: int, settings: Mapping[str, object]) -> State:
    """Return the empty sheet; raises NotAMove."""
    return State(settle(SETTINGS, settings), (Column(),) * check_seats(TITLE, SEATS, seats))


def due(state: State) -> tuple[int, ...]:
    """Return whose points of the round in play may be entered now."""
    open_seats = _open(state)
    return open_seats[:1] if state.house["order"] == "turns" else open_seats


def _open(state: State) -> tuple[int, ...]:
    entered = {entry.seat for entry in state.rounds[-1]}
    playing = (
        seat
        for seat, column in enumerate(state.columns)
        if column.first <= len(state.rounds) and not column.left
    )
    return tuple(seat for seat in playing if seat not in entered)


def leave(state: State, seat: int) -> State:
    """Return the sheet on which nothing is entered for a seat any more (SUM-7)."""
    column = state.columns[seat]
    if column.left:
        return state
    gone = put(state.columns, seat, changed(column, left=True))
    return _done(changed(state, columns=gone))


def join(state: State, last: int) -> State:
    """Return the sheet with one more column, from the next round on that begins (SUM-7)."""
    first = len(state.rounds) + bool(state.rounds[-1])
    column = Column(_begins(state, last), first)
    return changed(state, columns=(*state.columns, column))


def _begins(state: State, last: int) -> int:
    match state.house["late"]:
        case "nothing":
            return 0
        case "average":
            playing = [seat for seat, column in enumerate(state.columns) if not column.left]
            points = score(state)
            return round(sum(points[seat] for seat in playing) / len(playing))
    return last


def _done(state: State) -> State:
    done = state.rounds[-1] and not _open(state)
    return changed(state, rounds=(*state.rounds, ())) if done else state


def _entries(state: State) -> Iterator[Move]:
    """Yield every number and every sum of pieces there may be, in turn."""
    seats = due(state)
    numbers = chain((0,), (far * side for far in range(1, POINTS.stop) for side in (-1, 1)))
    entered = (Enter(seat, points) for points in numbers for seat in seats)
    counted = (SumPieces(seat, *pieces) for pieces in _countable(state) for seat in seats)
    yield from filter(None, chain.from_iterable(zip_longest(counted, entered)))


def _entries_or_end(state: State) -> Iterator[Move]:
    yield Finish()
    yield from _entries(state)


def _countable(state: State) -> Iterator[tuple[Pips, Tiles]]:
    """Yield all possible pieces on a photo: dice, or distinct tiles of the set."""
    dominoes = state.house["photo"] == "dominoes"
    tiles = tuple(combinations_with_replacement(range(state.house["largest"] + 1), 2))
    for count in range(1, MOST + 1):
        if dominoes:
            yield from (((), hand) for hand in combinations(tiles, count))
        else:
            yield from ((pips, ()) for pips in falls(count))


def _enter(state: State, move: Enter) -> State:
    _check_turn(state, move)
    if move.points not in POINTS:
        ends = {"low": POINTS[0], "high": POINTS[-1]}
        text = _("the points of a round are from {low} to {high}", **ends)
        raise Illegal(move, text, "SUM-2")
    return _entered(state, move)


def _count(state: State, move: SumPieces) -> State:
    _check_turn(state, move)
    _check_pieces(state, move)
    return _entered(state, move)


def _entered(state: State, entry: SumEntry) -> State:
    return _done(changed(state, rounds=(*state.rounds[:-1], (*state.rounds[-1], entry))))


def _check_turn(state: State, move: SumEntry) -> None:
    check_seat(move, move.seat, len(state.columns), "SUM-1")
    seats, column = due(state), state.columns[move.seat]
    if move.seat in seats:
        return
    who, number = player(move.seat), len(state.rounds)
    if column.left:
        raise Illegal(move, _("{who} has left already", who=who), "SUM-7")
    if column.first > number:
        text = _("{who} plays from round {number} on", who=who, number=column.first)
        raise Illegal(move, text, "SUM-7")
    if state.house["order"] == "turns":
        raise Illegal(move, _("it is the turn of {who}", who=players(seats)), "SUM-1")
    raise Illegal(
        move, _("{who} has entered round {number} already", who=who, number=number), "SUM-1"
    )


def _check_pieces(state: State, move: SumPieces) -> None:
    dominoes = state.house["photo"] == "dominoes"
    if bool(move.dice) == dominoes or bool(move.tiles) != dominoes:
        what = _("dominoes, and at least one") if dominoes else _("dice, and at least one")
        raise Illegal(move, _("what is counted are {what}", what=what), "SUM-3")
    if len(move.dice) + len(move.tiles) > MOST:
        raise Illegal(move, _("at most {n} pieces are counted at once", n=MOST), "SUM-3")
    check_pips(move, move.dice, "SUM-3")
    if why := not_of_set(move.tiles, state.house["largest"]):
        raise Illegal(move, why, "SUM-4")


OPEN = reason("first everybody enters the points of this round", "SUM-5")
ENTER: dict[type, Callable[[State, Any], State]] = {Enter: _enter, SumPieces: _count}
PHASES = Phases(
    lambda state: "over" if is_over(state) else "between" if between(state) else "round",
    {
        "over": over("it is over", "SUM-5"),
        "between": Phase(
            due,
            _entries_or_end,
            {**ENTER, Finish: lambda state, _move: changed(state, finished=True)},
            OPEN,
        ),
        "round": Phase(due, _entries, ENTER, OPEN),
    },
)


def result(state: State) -> Result | None:
    """Return who has most, or fewest among those who stayed; level players share (SUM-6, SUM-7)."""
    if not is_over(state):
        return None
    totals, low = score(state), lowest(state)
    fit = [seat for seat, column in enumerate(state.columns) if not (low and column.left)]
    first = tuple(fit[place] for place in leaders([totals[seat] for seat in fit], low))
    facts: dict[str, Message | int] = {"who": players(first), "most": totals[first[0]]}
    why = ngettext("{who} wins with {most}", "{who} share it with {most}", len(first), **facts)
    aim = _("the fewest points win") if low else _("the most points win")
    if len(fit) < len(totals):
        aim = _("the fewest points of those who stayed win")
    return Result(first, _("{why}: {aim}", why=why, aim=aim))
