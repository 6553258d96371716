"""Even at Odds: known tiles of hands, and players without a move (EO-4, EO-A8)."""

from collections.abc import Sequence
from itertools import islice

from scorer.dominoes import Domino, Lay, laid_after, name, names, seen_already, surface, unseen
from scorer.errors import Illegal
from scorer.games.even_at_odds import board
from scorer.games.even_at_odds.moves import Move
from scorer.games.even_at_odds.state import FACE_DOWN, HELPER, State
from scorer.messages import Message, _
from scorer.phases import reason
from scorer.words import player

NOTHING_ASIDE = reason("with no move you pass; no tile is set aside", "EO-A8")


def hidden(state: State) -> list[Domino]:
    """Return the tiles nobody has seen in this game."""
    return unseen(FACE_DOWN[len(state.hands)], state.laid, state.aside, state.hands)


def known(state: State) -> bool:
    """Return True if every tile of the hand that is to move is known."""
    return len(state.hands[state.turn]) == state.held[state.turn]


def not_in_hand(state: State, tile: Domino) -> Message | None:
    """Return why the seat to move cannot hold *tile*, None if it can."""
    hand = state.hands[state.turn]
    if tile in hand:
        return None
    if why := not_hidden(state, tile):
        return why
    if state.solo:
        return _("{tile} is not among the tiles drawn: {tiles}", tile=name(tile), tiles=names(hand))
    if not known(state):
        return None
    who = player(state.turn)
    return _("{who} holds {tiles}, not {tile}", who=who, tiles=names(hand), tile=name(tile))


def not_hidden(state: State, tile: Domino) -> Message | None:
    """Return why *tile* is not among those nobody has seen, None if it is."""
    if tile == HELPER and state.solo:
        return _("0-0 is the helper and is never laid")
    return seen_already(tile, state.laid, state.aside, state.hands)


def laid_with(state: State, move: Lay) -> tuple[Lay, ...]:
    """Return the tiles on the table after a tile of the hand is laid; raises Illegal."""
    if why := not_in_hand(state, move.tile):
        raise Illegal(move, why, "EO-4")
    if fault := board.refusal(surface(state.laid), move, state.house, state.solo):
        raise fault
    return laid_after(state.laid, move)


def places(state: State) -> Sequence[board.TilePlace]:
    """Return each pair of cells that could take some tile."""
    return list(board.places(surface(state.laid), state.house))


def stuck(state: State, where: Sequence[board.TilePlace]) -> bool:
    """Return True if the hand to move may hold no tile that can be laid, as far as is known."""
    hand = state.hands[state.turn]
    if any(board.fits(where, tile, state.solo) for tile in hand):
        return False
    unknown = state.held[state.turn] - len(hand)
    useless = (tile for tile in hidden(state) if not board.fits(where, tile, state.solo))
    return len(list(islice(useless, unknown))) == unknown


def check_stuck(state: State, move: Move) -> None:
    """Raise Illegal if the hand to move holds a tile that can be laid, as far as is known."""
    where, who = places(state), player(state.turn)
    if stuck(state, where):
        return
    for tile in state.hands[state.turn]:
        if board.fits(where, tile, state.solo):
            raise Illegal(move, _("{who} can lay {tile}", who=who, tile=name(tile)), "EO-A8")
    text = _("{who} must hold a tile that fits: too few of the unseen tiles fit nowhere", who=who)
    raise Illegal(move, text, "EO-A8")


def has_no_move(state: State) -> bool:
    """Return True if the hand to move is known and has no tiles that can be laid."""
    return known(state) and stuck(state, places(state))
