"""Seats locked to a phone: whose move is it, and may it come from the phone that sends it?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from scorer import Game, Illegal
from scorer.match.values import MatchState
from scorer.messages import _, raw
from webui.errors import NotAllowed
from webui.store.phones import Access


def check_moves(
    access: Access, game: Game[Any, Any], state: Any, moves: Sequence[Any], names: Sequence[str]
) -> None:
    """Raise NotAllowed if one of the *moves* is that of a seat locked to another phone.

    Moves that the rules do not take are left to them.
    """
    for seats in _movers(game, state, moves) if access.locks else ():
        if not access.may_play(seats):
            raise NotAllowed(
                _(
                    "{name} plays on another phone. Only that phone, or the host's, can make or "
                    "take back moves of {name}.",
                    name=raw(names[min(seats)]),
                )
            )


def check_every_seat(access: Access) -> None:
    """Raise NotAllowed if any seat is locked to another phone: a camera counts for all of them."""
    if not all(access.may_play([seat]) for seat in access.locks):
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
    seats = set(game.to_move(state))
    if isinstance(state, MatchState):
        table = getattr(move, "table", 0)  # of `At`, and of moves that name their table themselves
        if table < len(state.tables):  # else the rules refuse it
            seats &= set(state.tables[table].seats)
    named = getattr(getattr(move, "move", move), "seat", None)
    return {named} if named in seats else seats
