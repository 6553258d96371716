"""Even at Odds for one player: its moves, its score and its words (EO-10, EO-A11 to EO-A14)."""

from collections.abc import Iterator
from itertools import combinations

from scorer.dominoes import Lay, TopView, name, names, surface, twice
from scorer.errors import Illegal
from scorer.game import Because
from scorer.games.even_at_odds import board, hands, moves
from scorer.games.even_at_odds.moves import TEAM_NAMES, TEAMS, Move
from scorer.games.even_at_odds.state import DRAWN, FACE_DOWN, State
from scorer.messages import Message, _
from scorer.phases import Phase, reason, refused
from scorer.settings import House
from scorer.values import changed
from scorer.words import either, just


def points(state: State) -> int:
    """Return the solo score. It falls as the game goes well: 0 is perfect."""
    return board.solo_points(surface(state.laid), state.house)


def is_over(state: State) -> bool:
    """Return True if the game is lost, or all tiles are laid."""
    return bool(state.lost) or not (state.stock or state.held[0])


def may_exchange(helped: bool, draw_pile: int) -> bool:
    """Return True if the helper may be used: once a game, while there is a draw pile (EO-A12)."""
    return not helped and draw_pile > 0


THREE_TILES = reason("you draw three different tiles in a turn", "EO-10")


def _draws(state: State) -> Iterator[moves.Draw]:
    return map(moves.Draw, combinations(hands.hidden(state), DRAWN))


def _draw(state: State, move: moves.Draw) -> State:
    if len(move.tiles) != DRAWN or twice(move.tiles):
        raise refused(move, THREE_TILES)
    for tile in move.tiles:
        if reason := hands.not_hidden(state, tile):
            raise Illegal(move, reason, "EO-2")
    return changed(state, hands=(move.tiles,), held=(DRAWN,), stock=state.stock - DRAWN)


def _turns(state: State) -> Iterator[Move]:
    where, hand = hands.places(state), state.hands[0]
    for tile in hand:
        yield from board.lays(where, tile, solo=True)
    if may_exchange(state.helped, state.stock):
        new = hands.hidden(state)
        yield from (moves.Exchange(back, drawn) for back in hand for drawn in new)
    if hands.stuck(state, where):
        yield moves.Pass()


def _lay(state: State, move: Lay) -> State:
    laid = hands.laid_with(state, move)
    hand = tuple(tile for tile in state.hands[0] if tile != move.tile)
    return _end_turn(changed(state, laid=laid, hands=(hand,), held=(len(hand),)))


def _exchange(state: State, move: moves.Exchange) -> State:
    if not may_exchange(state.helped, state.stock):
        text = _("the helper is used up") if state.helped else _("the draw pile is empty")
        raise Illegal(move, text, "EO-A12")
    hand = state.hands[0]
    if move.back not in hand:
        raise Illegal(move, _("{tile} is not in the hand", tile=name(move.back)), "EO-10")
    if reason := hands.not_hidden(state, move.drawn):
        raise Illegal(move, reason, "EO-2")
    hand = tuple(sorted((*(tile for tile in hand if tile != move.back), move.drawn)))
    return changed(state, hands=(hand,), helped=True)


def _pass(state: State, move: moves.Pass) -> State:
    hands.check_stuck(state, move)
    hand = state.hands[0]
    if state.house["solo_fail"] == "lost":
        return changed(state, lost="hand")
    aside = (*state.aside, *hand)
    return _end_turn(changed(state, hands=((),), held=(0,), aside=aside))


def _end_turn(state: State) -> State:
    """Return the state once a tile is gone: with the last of a turn no number may be missing."""
    if state.held[0] or state.house["solo_fail"] != "lost":
        return state
    return changed(state, lost="number") if board.missing(surface(state.laid)) else state


def turn_number(state: State) -> int:
    """Return how many solo turns have begun."""
    return (len(FACE_DOWN[1]) - state.stock) // DRAWN


def _by_one(_state: State) -> tuple[int]:
    return (0,)


DRAW_FIRST = reason("draw three tiles first", "EO-10")
LAY_FIRST = reason("lay the tiles in your hand first", "EO-10")
NO_FLIP = reason("a solo player does not flip for the start", "EO-10")
FOR_ONE = {
    moves.Flip: NO_FLIP,
    moves.Agree: NO_FLIP,
    moves.Choose: reason("a solo player plays for both teams", "EO-10"),
    moves.Show: reason("a solo player's tiles are open; no hand is hidden", "EO-10"),
    moves.Discard: hands.NOTHING_ASIDE,
}
PHASES = {
    "draw": Phase(_by_one, _draws, {moves.Draw: _draw}, DRAW_FIRST, FOR_ONE),
    "solo": Phase(
        _by_one,
        _turns,
        {Lay: _lay, moves.Pass: _pass, moves.Exchange: _exchange},
        LAY_FIRST,
        FOR_ONE,
    ),
}


def entries(top: TopView, house: House) -> tuple[Because, ...]:
    """Return what makes the solo score."""
    evens, odds = board.largest(top, house["group_levels"])
    text = _(
        "largest groups: evens {evens}, odds {odds}, two points for each face of difference",
        evens=evens,
        odds=odds,
    )
    alone, part = board.isolated(top, house), _("isolated groups")
    lines = [
        (_("{team}: {faces}", team=TEAM_NAMES[team], faces=board.faces_said(len(group))), group)
        for team in TEAMS
        for group in alone[team]
    ]
    return (
        Because(0, 2 * abs(evens - odds), _("largest groups"), text, "EO-10"),
        *(Because(0, 1, part, line, "EO-A11", group) for line, group in lines),
    )


def lost(state: State) -> Message:
    """Return why a solo game is lost (EO-A14)."""
    if state.lost == "hand":
        return _("{tiles} cannot be laid", tiles=names(state.hands[0]))
    return _(
        "no {numbers} shows at the end of turn {turn}",
        numbers=either(map(just, board.missing(surface(state.laid)))),
        turn=turn_number(state),
    )


def prompt(state: State) -> Message:
    """Return what is to be done with the tiles in hand."""
    hand = names(state.hands[0])
    if not hands.has_no_move(state):
        several = len(state.hands[0]) > 1
        return (
            _("lay {tiles} in any order", tiles=hand) if several else _("lay {tiles}", tiles=hand)
        )
    if may_exchange(state.helped, state.stock):
        return _("{tiles} cannot be laid: use the helper or pass", tiles=hand)
    return _("{tiles} cannot be laid: pass", tiles=hand)
