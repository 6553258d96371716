"""How the rounds go: who enters what, who comes and leaves, and who has won in the end."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain, combinations, combinations_with_replacement, zip_longest

from scorer.dice import check_pips, falls
from scorer.dominoes import not_of_set
from scorer.errors import Illegal
from scorer.game import Result
from scorer.games.sum.moves import Enter, Finish, Move, SumEntry, SumPieces
from scorer.games.sum.settings import MOST, POINTS, SEATS, SETTINGS, TITLE
from scorer.games.sum.state import Column, State, between, is_over, lowest, score
from scorer.messages import Message, _, ngettext
from scorer.photo.rolls import Pips
from scorer.photo.sums import Tiles
from scorer.seats import check_seat, leaders, put
from scorer.settings import check_seats, settle
from scorer.values import changed
from scorer.words import player, players


def start(seats: int, settings: Mapping[str, object]) -> State:
    """Return the empty sheet; raises NotAMove."""
    return State(settle(SETTINGS, settings), (Column(),) * check_seats(TITLE, SEATS, seats))


def to_move(state: State) -> tuple[int, ...]:
    """Return whose points of this round are still to come."""
    if is_over(state):
        return ()
    due = _due(state)
    return due[:1] if state.house["order"] == "turns" else due


def _due(state: State) -> tuple[int, ...]:
    """Return who has not entered in the round in play, and still is to."""
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
    """Return with what somebody begins who comes late; *last* is what the last player has."""
    match state.house["late"]:
        case "nothing":
            return 0
        case "average":
            playing = [seat for seat, column in enumerate(state.columns) if not column.left]
            points = score(state)
            return round(sum(points[seat] for seat in playing) / len(playing))
    return last


def _done(state: State) -> State:
    """Return the state with the next round about to begin, if all have entered in this one."""
    done = state.rounds[-1] and not _due(state)
    return changed(state, rounds=(*state.rounds, ())) if done else state


def legal_moves(state: State) -> Iterator[Move]:
    """Yield the end, then every number and every sum of pieces there may be, in turn."""
    if is_over(state):
        return
    if between(state):
        yield Finish()
    open_seats = to_move(state)
    entered = (Enter(seat, points) for points in sorted(POINTS, key=abs) for seat in open_seats)
    counted = (SumPieces(seat, *pieces) for pieces in _countable(state) for seat in open_seats)
    yield from filter(None, chain.from_iterable(zip_longest(counted, entered)))


def _countable(state: State) -> Iterator[tuple[Pips, Tiles]]:
    """Yield all that may lie on a photo: dice, or different tiles of the set."""
    dominoes = state.house["photo"] == "dominoes"
    tiles = tuple(combinations_with_replacement(range(state.house["largest"] + 1), 2))
    for count in range(1, MOST + 1):
        if dominoes:
            yield from (((), hand) for hand in combinations(tiles, count))
        else:
            yield from ((pips, ()) for pips in falls(count))


def apply(state: State, move: Move) -> State:
    """Return the state after *move*; raise Illegal if the rules forbid it."""
    if is_over(state):
        raise Illegal(move, _("it is over"), "SUM-5")
    match move:
        case Finish():
            if not between(state):
                text = _("first everybody enters the points of this round")
                raise Illegal(move, text, "SUM-5")
            return changed(state, finished=True)
        case Enter():
            _check_turn(state, move)
            if move.points not in POINTS:
                ends = {"low": POINTS[0], "high": POINTS[-1]}
                text = _("the points of a round are from {low} to {high}", **ends)
                raise Illegal(move, text, "SUM-2")
        case SumPieces():
            _check_turn(state, move)
            _check_pieces(state, move)
    entered = (*state.rounds[-1], move)
    return _done(changed(state, rounds=(*state.rounds[:-1], entered)))


def _check_turn(state: State, move: SumEntry) -> None:
    check_seat(move, move.seat, len(state.columns), "SUM-1")
    due, column = to_move(state), state.columns[move.seat]
    if move.seat in due:
        return
    who, number = player(move.seat), len(state.rounds)
    if column.left:
        raise Illegal(move, _("{who} has left already", who=who), "SUM-7")
    if column.first > number:
        text = _("{who} plays from round {number} on", who=who, number=column.first)
        raise Illegal(move, text, "SUM-7")
    if state.house["order"] == "turns":
        raise Illegal(move, _("it is the turn of {who}", who=players(due)), "SUM-1")
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


def result(state: State) -> Result | None:
    """Return who has most, or of who stayed fewest; level players share it (SUM-6, SUM-7)."""
    if not is_over(state):
        return None
    totals, low = score(state), lowest(state)
    fit = [seat for seat, column in enumerate(state.columns) if not (low and column.left)]
    first = tuple(fit[place] for place in leaders([totals[seat] for seat in fit], low))
    facts: dict[str, Message | int] = {"who": players(first), "most": totals[first[0]]}
    why = ngettext("{who} wins with {most}", "{who} share it with {most}", len(first), **facts)
    aim = _("the fewest points win") if low else _("the most points win")
    return Result(first, _("{why}: {aim}", why=why, aim=aim))
