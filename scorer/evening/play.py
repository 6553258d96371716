"""The effect of each step beside the moves, and of moves after it."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from scorer.errors import Illegal
from scorer.evening.state import (
    LineKind,
    Naming,
    Override,
    SeatedPlayer,
    TableState,
    TallyLine,
    left_of,
    order_of,
    played_of,
)
from scorer.evening.steps import (
    STEPS,
    ChangeChairs,
    Concede,
    ConcedeMatch,
    EndMatch,
    JoinTable,
    LeaveTable,
    PlayOn,
    Rename,
    Reseat,
    TableStep,
)
from scorer.game import At, Because, Game, Typed
from scorer.messages import _
from scorer.seats import check_seat, put
from scorer.table import Die, Tile
from scorer.values import changed
from scorer.words import player

AnyGame = Game[Any, Any]


BESIDE = frozenset({At, *STEPS})  # kinds of moves that may not be moves of the game itself


def apply_of(game: AnyGame) -> Callable[[Any, Any], Any]:
    """Return `apply` of a game with the steps beside its moves."""
    own = game.apply
    alone, at_once = game.alone or (None, own)

    def apply(state: Any, move: Any) -> Any:
        if type(move) not in BESIDE:
            if type(state) is alone:
                return at_once(state, move)  # the fast path for nearly all moves
            if type(state) is not TableState:
                return own(state, move)
        return _apply(game, state, move)

    return apply


def _apply(game: AnyGame, state: Any, move: Any) -> Any:
    if isinstance(move, At) and isinstance(move.move, STEPS):
        raise Illegal(move, _("leave the table out: this is of the whole match"), "MT-8")
    if isinstance(move, STEPS):
        return _step(game, _evening(game, state), move)
    if not isinstance(state, TableState):
        return game.apply(state, move)
    if state.end:
        raise Illegal(move, _("the match has ended"), "MT-11")
    after = changed(state, played=game.apply(state.played, move))
    return _goes_on(game, _in_order(game, state, after) if state.order else after)


def _evening(game: AnyGame, state: Any) -> TableState:
    if isinstance(state, TableState):
        return state
    return TableState(state, tuple(map(SeatedPlayer, range(len(game.score(state))))))


def _step(game: AnyGame, state: TableState, move: TableStep) -> TableState:
    if isinstance(move, Rename | JoinTable) and not move.name.strip():
        raise Illegal(move, _("a player needs a name"), "MT-12")
    match move:
        case Rename(seat, name):
            check_seat(move, seat, len(state.people), "MT-12")
            called = changed(state.people[seat], name=name)
            return _named_anew(state, put(state.people, seat, called))
        case Reseat(order):
            _check_order(state, move, order)
            return _named_anew(state, tuple(state.people[seat] for seat in order))
    if is_over(game, state):
        raise Illegal(move, _("the match is over"), "MT-11")
    match move:
        case JoinTable(name):
            return _joined(game, state, move, name)
        case EndMatch():
            return changed(state, end="agreed")
        case LeaveTable(seat) | Concede(seat):
            return _gone(game, state, move, seat)
        case ChangeChairs(order):
            return _chairs_changed(game, state, move, order)
        case PlayOn():
            return _played_on(game, state, move)


def _named_anew(state: TableState, people: tuple[SeatedPlayer, ...]) -> TableState:
    """Return the state with new names, recording the old ones for earlier entries."""
    namings = (*state.namings, Naming(state.people, state.played))
    return changed(state, people=people, namings=namings)


def _check_order(state: TableState, move: Reseat | ChangeChairs, order: tuple[int, ...]) -> None:
    seats = range(len(state.people))
    if sorted(order) != [*seats]:
        raise Illegal(move, _("name each seat once"), "MT-12")
    if state.left:
        raise Illegal(move, _("somebody has left, so nobody can change seats"), "MT-12")
    if tuple(order) == (tuple(seats) if isinstance(move, Reseat) else order_of(state, len(seats))):
        raise Illegal(move, _("everybody would sit where they sit"), "MT-12")


def _chairs_changed(
    game: AnyGame, state: TableState, move: ChangeChairs, order: tuple[int, ...]
) -> TableState:
    _check_order(state, move, order)
    if len(order) == 2:
        text = _("each keeps the points, and two take turns in any chairs: nothing changes")
        raise Illegal(move, text, "MT-12")
    if not _order_is_open(game, state.played):
        text = _("each keeps points and turn: the order of turns cannot change now")
        raise Illegal(move, text, "MT-12")
    return changed(state, order=tuple(order))


def _order_is_open(game: AnyGame, played: Any) -> bool:
    """Return True if another turn can follow: not during the last turns, when nobody can join."""
    turn, join, acting = game.attendance.turn, game.attendance.join, game.to_move(played)
    if turn is None or len(acting) != 1 or turn(played, acting[0]) is None:
        return False
    return join is None or join(played, 0) is not None


def _in_order(game: AnyGame, before: TableState, after: TableState) -> TableState:
    turn, was, moved = game.attendance.turn, *(game.to_move(one.played) for one in (before, after))
    if turn is None or was == moved or len(was) != 1:
        return after
    order = [
        seat
        for seat in order_of(before, len(before.people))
        if seat not in before.left or seat in was
    ]
    due = order[(order.index(was[0]) + 1) % len(order)]
    return changed(after, played=turn(after.played, due))


def _joined(game: AnyGame, state: TableState, move: JoinTable, name: str) -> TableState:
    seats, join = len(state.people), game.attendance.join
    if seats >= game.seats[-1]:
        raise Illegal(move, _("no more than {n} can play this", n=game.seats[-1]), "MT-10")
    score, lowest = game.score(state.played), game.lowest(state.played)
    last = (max if lowest else min)(score[seat] for seat in state.present)
    played = join(state.played, last) if join else None
    if played is None:
        raise Illegal(move, _("nobody can join this game now"), "MT-10")
    after = changed(state, played=played, people=(*state.people, SeatedPlayer(seats, name)))
    return _explained(game, after, seats, "late")


def _gone(game: AnyGame, state: TableState, move: LeaveTable | Concede, seat: int) -> TableState:
    check_seat(move, seat, len(state.people), "MT-8")
    if seat in state.left:
        raise Illegal(move, _("{who} has left already", who=player(seat)), "MT-8")
    given_up = isinstance(move, Concede)
    if given_up and len(state.people) == 1:
        raise Illegal(move, _("there is nobody to give up to; end the match"), "MT-9")
    of_rounds = given_up and not isinstance(move, ConcedeMatch)
    played = played_without(game, state.played, seat, of_rounds)
    state = _absent(state, seat, given_up)
    if played is None:
        return _ended(state)
    state = _explained(game, changed(state, played=played), seat, "left")
    alone = given_up and len(state.present) == 1  # the other wins
    if alone or (len(state.present) < 2 and not game.is_over(played)):
        return _ended(state)
    return _goes_on(game, state)


def played_without(game: AnyGame, played: Any, seat: int, conceded: bool) -> Any:
    """Return the game's state without a player, None if it cannot continue."""
    own = game.attendance
    leave = own.concede if conceded and own.concede else own.leave
    return leave(played, seat) if leave else None


def _absent(state: TableState, seat: int, conceded: bool) -> TableState:
    given_up = (*state.conceded, seat) if conceded else state.conceded
    return changed(state, left=(*state.left, seat), conceded=given_up)


def round_without(game: AnyGame, state: Any, seat: int, conceded: bool) -> TableState | None:
    """Return a round of a match without a player, None if it cannot continue."""
    played = played_without(game, played_of(state), seat, conceded)
    if played is None:
        return None
    there = changed(_evening(game, state), played=played)
    return _goes_on(game, _absent(there, seat, conceded))


def begun_without(game: AnyGame, state: Any, absent: Mapping[int, bool]) -> TableState:
    """Return a round that begins without players who left the match, True if they gave up."""
    there = _evening(game, state)
    for seat, conceded in absent.items():
        there = _absent(there, seat, conceded)
    return _goes_on(game, there)


def round_with(game: AnyGame, state: Any, points: int) -> Any:
    """Return a round of a match with one more player, None if nobody can join."""
    join = game.attendance.join
    played = join(played_of(state), points) if join else None
    if played is None or not isinstance(state, TableState):
        return played
    people = (*state.people, SeatedPlayer(len(state.people)))
    return changed(state, played=played, people=people)


def _ended(state: TableState) -> TableState:
    conceded = state.conceded and state.left[-1] in state.conceded
    return changed(state, end="conceded" if conceded else "left")


def _explained(game: AnyGame, state: TableState, seat: int, kind: LineKind) -> TableState:
    """Return the state with a tally line for points of the seat that come from no move."""
    own = game.explain(state.played)
    explained = sum(line.points for line in own if line.seat == seat)
    explained += sum(line.points for line in state.lines if line.seat == seat)
    points = game.score(state.played)[seat] - explained
    behind = _before_the_round(game, state, own) if kind == "late" else len(own)
    line = TallyLine(seat, points, kind, behind)
    return changed(state, lines=(*state.lines, line)) if points else state


def _before_the_round(game: AnyGame, state: TableState, own: Sequence[Because]) -> int:
    """Return the number of the game's own lines of finished rounds."""
    parts = [*dict.fromkeys(line.part for line in own)]
    if len(parts) <= game.rounds_played(state.played):
        return len(own)
    return next(at for at, line in enumerate(own) if line.part == parts[-1])


def _played_on(game: AnyGame, state: TableState, move: PlayOn) -> TableState:
    """Return the state that accepts the table, whatever the rules say."""
    check_seat(move, move.confirmed, len(state.people), "MT-13")
    played = game.as_it_lies and game.as_it_lies(state.played, move.table)
    if played is None:
        text = _("from this photo alone the game cannot go on; take steps back or tap the moves")
        raise Illegal(move, text, "MT-13")
    override = Override(move.rule, move.confirmed, len(game.explain(state.played)))
    after = changed(state, played=played, overrides=(*state.overrides, override))
    for seat in range(len(state.people)):
        after = _explained(game, after, seat, "override")
    return _goes_on(game, after)


def _goes_on(game: AnyGame, state: TableState) -> TableState:
    leave, before = game.attendance.leave, None
    while before is not state.played and not game.is_over(state.played):
        before = state.played
        for seat in state.left:
            if seat in game.to_move(state.played) and leave:
                played = leave(state.played, seat)
                if played is None:
                    return changed(state, end="left")
                state = state if played == state.played else changed(state, played=played)
    return state


def is_over(game: AnyGame, state: Any) -> bool:
    """Return True if the match has ended, by its rules or early."""
    if type(state) is not TableState:
        return game.is_over(state)
    return bool(state.end) or game.is_over(state.played)


def legal_moves(game: AnyGame, state: Any) -> Iterator[Any]:
    """Yield the game's own legal moves, without the steps beside them."""
    return iter(()) if is_over(game, state) else game.legal_moves(played_of(state))


def to_move(game: AnyGame, state: Any) -> tuple[int, ...]:
    """Return the seats that may act now, without those that have left."""
    if is_over(game, state):
        return ()
    return tuple(seat for seat in game.to_move(played_of(state)) if seat not in left_of(state))


def thrown(game: AnyGame, state: Any, move: Any) -> tuple[tuple[str, int], ...]:
    """Return the thrown dice of a move, none for a step beside the moves."""
    return () if isinstance(move, STEPS) else game.thrown(played_of(state), move)


def laid(game: AnyGame, state: Any, move: Any) -> tuple[Die | Tile, ...]:
    """Return the placed pieces of a move, none for a step beside the moves."""
    return () if isinstance(move, STEPS) else game.laid(played_of(state), move)


def earned(game: AnyGame, state: Any) -> tuple[int, ...]:
    """Return the earned points: the score once the match has ended."""
    played = played_of(state)
    return game.score(played) if is_over(game, state) else game.earned(played)


def typed(game: AnyGame, state: Any) -> tuple[Typed, ...]:
    """Return the number fields of players who have not left."""
    return () if is_over(game, state) else game.typed(played_of(state))
