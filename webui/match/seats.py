"""Seats locked to a phone: check that a move comes from its player's phone."""

from collections.abc import Iterator, Sequence, Set
from typing import Any

from scorer import Game, Illegal
from scorer.evening.state import played_of, seated
from scorer.evening.steps import STEPS
from scorer.match.values import MatchState
from scorer.messages import _, raw
from webui.errors import NotAllowed
from webui.store.tables.phones import Access


def check_moves(
    access: Access, game: Game[Any, Any], state: Any, moves: Sequence[Any], names: Sequence[str]
) -> None:
    """Raise NotAllowed if one of the *moves* belongs to a seat locked to another phone.

    Illegal moves are left to the rules.
    """
    for seats in _movers(game, state, moves) if access.locks else ():
        check_movers(access, state, seats, names)


def check_movers(access: Access, state: Any, seats: Set[int], names: Sequence[str]) -> None:
    """Raise NotAllowed if all the *seats*, one of which moves, are locked to other phones."""
    people = seated(state, len(names))
    if not access.may_play([people[seat] for seat in seats if seat < len(people)]):
        raise NotAllowed(
            _(
                "{name} plays on another phone. Only that phone, or the host's, can make or "
                "take back moves of {name}.",
                name=raw(names[min(seats)]),
            )
        )


def check_every_seat(access: Access) -> None:
    """Raise NotAllowed if any seat is locked to another phone: a camera acts for all seats."""
    if access.shut:
        raise NotAllowed(
            _("Seats are locked to other phones, so only the host's phone can do this.")
        )


def _movers(game: Game[Any, Any], state: Any, moves: Sequence[Any]) -> Iterator[set[int]]:
    """Yield the seats that may make each of *moves* in turn, until one is not legal."""
    for move in moves:
        yield _seats(game, state, move)
        try:
            state = game.apply(state, move)
        except Illegal:
            return


def _seats(game: Game[Any, Any], state: Any, move: Any) -> set[int]:
    if isinstance(move, STEPS):
        seats = set(range(len(game.score(state))))
    else:
        seats = movers_at(game, state, move)
    named = getattr(getattr(move, "move", move), "seat", None)
    return {named} if named in seats else seats


def movers_at(game: Game[Any, Any], state: Any, move: Any) -> set[int]:
    """Return the seats that are to move at the table of a move."""
    seats, state = set(game.to_move(state)), played_of(state)
    table = getattr(move, "table", 0)  # of `At`, and of moves that name their table themselves
    if isinstance(state, MatchState) and table < len(state.tables):  # otherwise the rules refuse it
        return seats & set(state.tables[table].seats)
    return seats


def stood_still(before: Any, state: Any, moves: Sequence[Any]) -> bool:
    """Return True if nothing has happened at the moves' tables of a tournament since *before*."""
    earlier, played = played_of(before), played_of(state)
    if not isinstance(played, MatchState) or len(played.tables) == 1:
        return False
    if any(isinstance(move, STEPS) for move in moves):
        return False
    tables = {getattr(move, "table", 0) for move in moves}
    return all(earlier.tables[at : at + 1] == played.tables[at : at + 1] for at in tables)


def tables_of(game: Game[Any, Any], state: Any) -> list[int]:
    """Return the table of each surface that is photographed; [] where there is one table."""
    tables, found = getattr(played_of(state), "tables", ()), list[int]()
    for spot in game.equipment(state).spots if len(tables) > 1 else ():
        places = (at for at, one in enumerate(tables) if spot.seat in one.seats)
        found.append(next(places, found[-1] + 1 if found and spot.seat is None else 0))
    return found
