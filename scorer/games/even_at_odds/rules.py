"""Even at Odds: what each move does, phase by phase (EO-3, EO-4, EO-8, EO-10)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations, islice, permutations
from typing import Any

from scorer.dominoes import (
    Domino,
    Lay,
    laid_after,
    name,
    names,
    seen_already,
    surface,
    twice,
    unseen,
)
from scorer.game import Illegal, check_seats, settle
from scorer.games.even_at_odds import board, moves
from scorer.games.even_at_odds.moves import TEAMS, Move, Team
from scorer.games.even_at_odds.state import (
    DRAWN,
    FACE_DOWN,
    HELPER,
    SEATS,
    SETTINGS,
    TITLE,
    Outcome,
    State,
    dealt,
    foundation,
)
from scorer.messages import Message, _
from scorer.phases import Phase, Phases, over, reason, refused
from scorer.seats import check_seat, put
from scorer.values import changed
from scorer.words import player


def start(seats: int, settings: Mapping[str, object]) -> State:
    """Return the state before the flip of two players, or before the first draw of one.

    Raises NotAMove on a number of players or a setting the game does not have.
    """
    house = settle(SETTINGS, settings)
    laid = foundation(check_seats(TITLE, SEATS, seats), house)
    starter = 0 if seats == 1 else None
    return State(house, laid, ((),) * seats, (0,) * seats, len(FACE_DOWN[seats]), starter=starter)


def score(state: State) -> tuple[int, ...]:
    """Return the largest groups by seat; solo the solo score.

    The solo score falls as the game goes well: 0 is perfect.
    """
    if state.solo:
        return (board.solo_points(surface(state.laid), state.house),)
    sizes = board.largest(surface(state.laid), state.house["group_levels"])
    return state.by_seat(sizes) if state.teams else (0, 0)


def is_over(state: State) -> bool:
    """Say whether the game has ended."""
    if state.solo:
        return bool(state.lost) or not (state.stock or state.held[0])
    return state.outcome is not None


# ---------------------------------------------------------------- the start of a game (EO-3)


def starter_of(flips: Iterable[tuple[Sequence[int], Sequence[int]]]) -> int | None:
    """Return who starts after these flips, 0 or 1; None: all level, flip more tiles (EO-3)."""
    for first, second in flips:
        if sum(first) != sum(second):
            return int(sum(second) > sum(first))
    return None


def unflipped(state: State) -> list[Domino]:
    """Return the tiles that may be flipped for the start."""
    return [tile for tile in FACE_DOWN[2] if tile not in state.flips]


def _flip(state: State, move: moves.Flip) -> State:
    for tile in (move.first, move.second):
        if tile not in FACE_DOWN[2]:
            text = _("{tile} is not among the tiles face down", tile=name(tile))
            raise Illegal(move, text, "EO-3")
        if tile in state.flips:
            raise Illegal(move, _("{tile} was flipped before", tile=name(tile)), "EO-3")
    if move.first == move.second:
        raise Illegal(move, _("there is only one {tile}", tile=name(move.first)), "EO-2")
    starter = starter_of([(move.first, move.second)])
    if starter is None:
        return changed(state, flips=(*state.flips, move.first, move.second))
    return dealt(state, starter)


def _agree(state: State, move: moves.Agree) -> State:
    for seat in (move.starter, move.evens):
        check_seat(move, seat, 2, "EO-3")
    return dealt(state, move.starter, TEAMS if move.evens == 0 else ("odds", "evens"))


def _choose(state: State, move: moves.Choose) -> State:
    other: Team = "odds" if move.team == "evens" else "evens"
    teams = (move.team, other) if state.chooser == 0 else (other, move.team)
    return changed(state, teams=teams)


# ---------------------------------------------------------------- hands


def hidden(state: State) -> list[Domino]:
    """Return the tiles nobody has seen in this game."""
    return unseen(FACE_DOWN[len(state.hands)], state.laid, state.aside, state.hands)


def known(state: State) -> bool:
    """Say whether every tile of the hand that is to move is known."""
    return len(state.hands[state.turn]) == state.held[state.turn]


def _not_in_hand(state: State, tile: Domino) -> Message | None:
    """Return why the seat to move cannot hold *tile*, None if it can."""
    hand = state.hands[state.turn]
    if tile in hand:
        return None
    if reason := _not_hidden(state, tile):
        return reason
    if state.solo:
        return _("{tile} is not among the tiles drawn: {tiles}", tile=name(tile), tiles=names(hand))
    if not known(state):
        return None
    who = player(state.turn)
    return _("{who} holds {tiles}, not {tile}", who=who, tiles=names(hand), tile=name(tile))


def _not_hidden(state: State, tile: Domino) -> Message | None:
    """Return why *tile* is not among those nobody has seen, None if it is."""
    if tile == HELPER and state.solo:
        return _("0-0 is the helper and is never laid")
    return seen_already(tile, state.laid, state.aside, state.hands)


def _show(state: State, move: moves.Show) -> State:
    check_seat(move, move.seat, len(state.hands), "EO-2")
    who, hand = player(move.seat), state.hands[move.seat]
    if len(hand) >= state.held[move.seat]:
        text = _("{who} holds no tile", who=who)
        if hand:
            text = _("{who}'s hand is known: {tiles}", who=who, tiles=names(hand))
        raise Illegal(move, text, "EO-4")
    if reason := _not_hidden(state, move.tile):
        raise Illegal(move, reason, "EO-2")
    return changed(state, hands=put(state.hands, move.seat, tuple(sorted((*hand, move.tile)))))


def _shows(state: State) -> Iterator[moves.Show]:
    tiles = hidden(state)
    for seat, hand in enumerate(state.hands):
        if len(hand) < state.held[seat]:
            yield from (moves.Show(seat, tile) for tile in tiles)


# ---------------------------------------------------------------- a turn (EO-4)


def after_turn(held: int, stock: int) -> tuple[int, int]:
    """Return the mover's hand and the boneyard after a tile was laid and one drawn (EO-4)."""
    return (held, stock - 1) if stock else (held - 1, 0)


def _turns(state: State) -> Iterator[Move]:
    where = places(state)
    left, hand = hidden(state), state.hands[state.turn]
    tiles = hand if known(state) else (*hand, *left)
    for tile in tiles:
        yield from board.lays(where, tile, state.solo)
    if state.solo and may_exchange(state.helped, state.stock):
        yield from (moves.Exchange(back, drawn) for back in hand for drawn in left)
    if stuck(state, where):
        if state.solo or state.house["no_move"] == "pass":
            yield moves.Pass()
        else:
            yield from (moves.Discard(tile) for tile in tiles if not board.fits(where, tile))
    yield from _shows(state)


def _lay(state: State, move: Lay) -> State:
    if reason := _not_in_hand(state, move.tile):
        raise Illegal(move, reason, "EO-4")
    if fault := board.refusal(surface(state.laid), move, state.house, state.solo):
        raise fault
    return _spend(state, move.tile, laid=laid_after(state.laid, move))


def _spend(state: State, tile: Domino, **spent: Any) -> State:
    """Take *tile* out of the mover's hand, let them draw, and pass the turn."""
    seat, hand = state.turn, state.hands[state.turn]
    if tile in hand:
        hand = tuple([other for other in hand if other != tile])
    if state.solo:
        return _end_solo_turn(changed(state, hands=(hand,), held=(len(hand),), **spent))
    count, stock = after_turn(state.held[seat], state.stock)
    hands, held = put(state.hands, seat, hand), put(state.held, seat, count)
    return _next(state, hands=hands, held=held, stock=stock, passes=0, **spent)


def _next(state: State, held: tuple[int, ...], passes: int, **more: Any) -> State:
    """Give the turn to the next player who holds a tile; end the game if nobody can play."""
    other = 1 - state.turn
    turn = other if held[other] else state.turn
    after = changed(state, held=held, passes=passes, turn=turn, **more)
    nobody = not any(held) or passes == 2 or (passes and not held[other])
    return _end_game(after) if nobody else after


def _end_game(state: State) -> State:
    """Count a game; if it is level deal the two removed tiles for the extra turn (EO-8)."""
    top = surface(state.laid)
    faces = board.top_level(top)[1]
    sizes = board.largest(top, state.house["group_levels"])
    team = board.verdict(*sizes, faces)[0]
    if team is None and not state.extra:
        aside, first = (*state.aside, *state.hands[0], *state.hands[1]), 1 - state.chooser
        extra = changed(state, aside=aside, hands=((), ()), held=(1, 1), stock=0, extra=True)
        return changed(extra, turn=first, passes=0)
    winner = None if team is None else state.teams.index(team)
    tops = state.by_seat(board.by_parity(faces))
    outcome = Outcome(state.by_seat(sizes), tops, winner, state.extra)
    return changed(state, outcome=outcome, starter=None, flips=())


# ---------------------------------------------------------------- no tile fits (EO-A8)


def _pass(state: State, move: moves.Pass) -> State:
    if state.house["no_move"] == "discard":
        raise refused(move, NO_PASSING)
    _check_stuck(state, move)
    if state.extra:  # the tile that does not fit is out; there is no later turn to keep it for
        return _next(state, put(state.held, state.turn, 0), state.passes)
    return _next(state, state.held, state.passes + 1)


def _discard(state: State, move: moves.Discard) -> State:
    if state.house["no_move"] == "pass":
        raise refused(move, NOTHING_ASIDE)
    if reason := _not_in_hand(state, move.tile):
        raise Illegal(move, reason, "EO-4")
    if board.fits(places(state), move.tile):
        raise Illegal(move, _("{tile} can be laid", tile=name(move.tile)), "EO-4")
    _check_stuck(state, move)
    return _spend(state, move.tile, aside=(*state.aside, move.tile))


NO_PASSING = reason("in this house a tile is set aside instead of passing", "EO-A8")
NOTHING_ASIDE = reason("without a move you pass; no tile is set aside", "EO-A8")


def places(state: State) -> Sequence[board.TilePlace]:
    """Return each pair of cells that could take some tile."""
    return list(board.places(surface(state.laid), state.house))


def stuck(state: State, where: Sequence[board.TilePlace]) -> bool:
    """Say whether the hand to move may hold no tile that can be laid, as far as is known."""
    hand = state.hands[state.turn]
    if any(board.fits(where, tile, state.solo) for tile in hand):
        return False
    unknown = state.held[state.turn] - len(hand)
    useless = (tile for tile in hidden(state) if not board.fits(where, tile, state.solo))
    return len(list(islice(useless, unknown))) == unknown


def _check_stuck(state: State, move: Move) -> None:
    where, who = places(state), player(state.turn)
    if stuck(state, where):
        return
    for tile in state.hands[state.turn]:
        if board.fits(where, tile, state.solo):
            raise Illegal(move, _("{who} can lay {tile}", who=who, tile=name(tile)), "EO-A8")
    text = _("{who} must hold a tile that fits: too few of those unseen fit nowhere", who=who)
    raise Illegal(move, text, "EO-A8")


# ---------------------------------------------------------------- solo (EO-10)


def may_exchange(helped: bool, draw_pile: int) -> bool:
    """Say whether the helper may be used: once a game, while there is a draw pile (EO-A12)."""
    return not helped and draw_pile > 0


THREE_TILES = reason("a turn draws three different tiles", "EO-10")


def _draws(state: State) -> Iterator[moves.Draw]:
    return map(moves.Draw, combinations(hidden(state), DRAWN))


def _draw(state: State, move: moves.Draw) -> State:
    if len(move.tiles) != DRAWN or twice(move.tiles):
        raise refused(move, THREE_TILES)
    for tile in move.tiles:
        if reason := _not_hidden(state, tile):
            raise Illegal(move, reason, "EO-2")
    return changed(state, hands=(move.tiles,), held=(DRAWN,), stock=state.stock - DRAWN)


def _exchange(state: State, move: moves.Exchange) -> State:
    if not may_exchange(state.helped, state.stock):
        text = _("the helper is used up") if state.helped else _("the draw pile is empty")
        raise Illegal(move, text, "EO-A12")
    hand = state.hands[0]
    if move.back not in hand:
        raise Illegal(move, _("{tile} is not in the hand", tile=name(move.back)), "EO-10")
    if reason := _not_hidden(state, move.drawn):
        raise Illegal(move, reason, "EO-2")
    hand = tuple(sorted((*(tile for tile in hand if tile != move.back), move.drawn)))
    return changed(state, hands=(hand,), helped=True)


def _solo_pass(state: State, move: moves.Pass) -> State:
    _check_stuck(state, move)
    hand = state.hands[0]
    if state.house["solo_fail"] == "lost":
        return changed(state, lost="hand")
    aside = (*state.aside, *hand)
    return _end_solo_turn(changed(state, hands=((),), held=(0,), aside=aside))


def _end_solo_turn(state: State) -> State:
    """Return the state once a tile is gone: with the last of a turn no number may be missing."""
    if state.held[0] or state.house["solo_fail"] != "lost":
        return state
    return changed(state, lost="number") if board.missing(surface(state.laid)) else state


def turn_number(state: State) -> int:
    """Return how many solo turns have begun."""
    return (len(FACE_DOWN[1]) - state.stock) // DRAWN


# ---------------------------------------------------------------- who may do what now


def _openings(state: State) -> Iterator[Move]:
    yield from (moves.Agree(starter, evens) for starter in (0, 1) for evens in (0, 1))
    yield from (moves.Flip(*pair) for pair in permutations(unflipped(state), 2))


def _choices(state: State) -> Iterator[Move]:
    yield from map(moves.Choose, TEAMS)
    yield from _shows(state)


def _in_turn(state: State) -> tuple[int]:
    return (state.turn,)


def now(state: State) -> str:
    """Return at which point the game is: the name of a phase."""
    if is_over(state):
        return "over"
    if state.solo:
        return "solo" if state.held[0] else "draw"
    if state.starter is None:
        return "flip"
    return "turn" if state.teams else "choose"


def _facts(state: State) -> Mapping[str, Message]:
    if state.starter is None or state.solo:
        return {}
    facts = {"starter": player(state.starter), "chooser": player(state.chooser)}
    return facts | ({"evens": player(state.teams.index("evens"))} if state.teams else {})


FLIP_FIRST = reason("settle first who starts: each player flips a tile", "EO-3")
CHOOSE_FIRST = reason("{chooser} chooses evens or odds first", "EO-3")
CHOSEN = reason("the teams are chosen: {evens} plays for the evens", "EO-3")
SETTLED = reason("it is settled: {starter} starts", "EO-3")
FOR_TWO = {
    moves.Flip: SETTLED,
    moves.Agree: SETTLED,
    moves.Draw: reason("tiles are drawn from the boneyard unseen; nobody tells them", "EO-4"),
    moves.Exchange: reason("the helper belongs to the solo game", "EO-10"),
}
DRAW_FIRST = reason("draw three tiles first", "EO-10")
LAY_FIRST = reason("lay the hand first", "EO-10")
NO_FLIP = reason("a solo player does not flip for the start", "EO-10")
FOR_ONE = {
    moves.Flip: NO_FLIP,
    moves.Agree: NO_FLIP,
    moves.Choose: reason("a solo player plays for both teams", "EO-10"),
    moves.Show: reason("a solo player's tiles lie open; no hand is hidden", "EO-10"),
    moves.Discard: NOTHING_ASIDE,
}
PHASES = Phases(
    now,
    {
        "over": over("the game is over", "EO-8"),
        "flip": Phase(
            lambda _: (0, 1), _openings, {moves.Flip: _flip, moves.Agree: _agree}, FLIP_FIRST
        ),
        "choose": Phase(
            lambda state: (state.chooser,),
            _choices,
            {moves.Choose: _choose, moves.Show: _show},
            CHOOSE_FIRST,
            FOR_TWO,
        ),
        "turn": Phase(
            _in_turn,
            _turns,
            {Lay: _lay, moves.Pass: _pass, moves.Discard: _discard, moves.Show: _show},
            CHOSEN,
            FOR_TWO,
        ),
        "draw": Phase(_in_turn, _draws, {moves.Draw: _draw}, DRAW_FIRST, FOR_ONE),
        "solo": Phase(
            _in_turn,
            _turns,
            {Lay: _lay, moves.Pass: _solo_pass, moves.Exchange: _exchange},
            LAY_FIRST,
            FOR_ONE,
        ),
    },
    _facts,
)
apply, legal_moves, to_move = PHASES.apply, PHASES.legal_moves, PHASES.to_move
