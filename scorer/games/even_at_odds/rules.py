"""Even at Odds: what each move does, phase by phase (EO-3, EO-4, EO-8)."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import permutations
from typing import Any

from scorer.dominoes import Domino, Lay, laid_after, name, names, surface
from scorer.errors import Illegal
from scorer.games.even_at_odds import board, hands, moves, solo
from scorer.games.even_at_odds.moves import TEAMS, Move, Team
from scorer.games.even_at_odds.settings import SEATS, SETTINGS, TITLE, foundation
from scorer.games.even_at_odds.state import FACE_DOWN, Outcome, State, dealt
from scorer.messages import Message, _
from scorer.phases import Phase, Phases, over, reason, refused
from scorer.seats import check_seat, put
from scorer.settings import check_seats, settle
from scorer.values import changed
from scorer.words import player


def start(seats: int, settings: Mapping[str, object]) -> State:
    """Return the state before the flip of two, or the first draw of one; raises NotAMove."""
    house = settle(SETTINGS, settings)
    laid = foundation(check_seats(TITLE, SEATS, seats), house)
    starter = 0 if seats == 1 else None
    return State(house, laid, ((),) * seats, (0,) * seats, len(FACE_DOWN[seats]), starter=starter)


def score(state: State) -> tuple[int, ...]:
    """Return the largest groups by seat; solo the solo score."""
    if state.solo:
        return (solo.points(state),)
    sizes = board.largest(surface(state.laid), state.house["group_levels"])
    return state.by_seat(sizes) if state.teams else (0, 0)


def is_over(state: State) -> bool:
    """Return True if the game has ended."""
    if state.solo:
        return solo.is_over(state)
    return state.outcome is not None


# ---------------------------------------------------------------- the start of a game (EO-3)


def starter_of(flips: Iterable[tuple[Sequence[int], Sequence[int]]]) -> int | None:
    """Return the starting seat after these flips, 0 or 1; None: level, flip more tiles (EO-3)."""
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
            text = _("{tile} is not one of the face-down tiles", tile=name(tile))
            raise Illegal(move, text, "EO-3")
        if tile in state.flips:
            raise Illegal(move, _("{tile} has already been flipped", tile=name(tile)), "EO-3")
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


def starts(state: State, seat: int) -> moves.Agree:
    """Return the move that sets the starting player; the evens stay with their player."""
    return moves.Agree(seat, state.teams.index("evens") if state.teams else 1 - seat)


# ---------------------------------------------------------------- hands


def _show(state: State, move: moves.Show) -> State:
    check_seat(move, move.seat, len(state.hands), "EO-2")
    who, hand = player(move.seat), state.hands[move.seat]
    if len(hand) >= state.held[move.seat]:
        text = _("{who} has no tiles", who=who)
        if hand:
            text = _("{who}'s hand is known: {tiles}", who=who, tiles=names(hand))
        raise Illegal(move, text, "EO-4")
    if reason := hands.not_hidden(state, move.tile):
        raise Illegal(move, reason, "EO-2")
    return changed(state, hands=put(state.hands, move.seat, tuple(sorted((*hand, move.tile)))))


def _shows(state: State) -> Iterator[moves.Show]:
    tiles = hands.hidden(state)
    for seat, hand in enumerate(state.hands):
        if len(hand) < state.held[seat]:
            yield from (moves.Show(seat, tile) for tile in tiles)


# ---------------------------------------------------------------- a turn (EO-4)


def after_turn(held: int, stock: int) -> tuple[int, int]:
    """Return the mover's hand and the boneyard after a tile was laid and one drawn (EO-4)."""
    return (held, stock - 1) if stock else (held - 1, 0)


def _turns(state: State) -> Iterator[Move]:
    where = hands.places(state)
    hand = state.hands[state.turn]
    tiles = hand if hands.known(state) else (*hand, *hands.hidden(state))
    for tile in tiles:
        yield from board.lays(where, tile)
    if hands.stuck(state, where):
        if state.house["no_move"] == "pass":
            yield moves.Pass()
        else:
            yield from (moves.Discard(tile) for tile in tiles if not board.fits(where, tile))
    yield from _shows(state)


def _lay(state: State, move: Lay) -> State:
    return _spend(state, move.tile, laid=hands.laid_with(state, move))


def _spend(state: State, tile: Domino, **spent: Any) -> State:
    """Take *tile* out of the mover's hand, let them draw, and pass the turn."""
    seat, hand = state.turn, state.hands[state.turn]
    if tile in hand:
        hand = tuple([other for other in hand if other != tile])
    count, stock = after_turn(state.held[seat], state.stock)
    after, held = put(state.hands, seat, hand), put(state.held, seat, count)
    return _next(state, hands=after, held=held, stock=stock, passes=0, **spent)


def laid_anyhow(state: State, lays: Sequence[Lay]) -> State:
    """Return the state once the player in turn has laid tiles, whatever the rules say of them."""
    laid, stock, tiles = state.laid, state.stock, {lay.tile for lay in lays}
    for lay in lays:
        laid = laid_after(laid, lay)
    rest = tuple(tuple(tile for tile in hand if tile not in tiles) for hand in state.hands)
    before = changed(state, hands=rest, stock=max(0, stock - len(lays) + 1))
    return _spend(before, lays[-1].tile, laid=laid)


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
    hands.check_stuck(state, move)
    if state.extra:  # the tile that does not fit is out; there is no later turn to keep it for
        return _next(state, put(state.held, state.turn, 0), state.passes)
    return _next(state, state.held, state.passes + 1)


def _discard(state: State, move: moves.Discard) -> State:
    if state.house["no_move"] == "pass":
        raise refused(move, hands.NOTHING_ASIDE)
    if reason := hands.not_in_hand(state, move.tile):
        raise Illegal(move, reason, "EO-4")
    if board.fits(hands.places(state), move.tile):
        raise Illegal(move, _("{tile} can be laid", tile=name(move.tile)), "EO-4")
    hands.check_stuck(state, move)
    return _spend(state, move.tile, aside=(*state.aside, move.tile))


NO_PASSING = reason("by your house rules a tile is set aside instead of passing", "EO-A8")
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
    if state.solo:
        return "over" if solo.is_over(state) else "solo" if state.held[0] else "draw"
    if state.outcome is not None:
        return "over"
    if state.starter is None:
        return "flip"
    return "turn" if state.teams else "choose"


def _facts(state: State) -> Mapping[str, Message]:
    if state.starter is None or state.solo:
        return {}
    facts = {"starter": player(state.starter), "chooser": player(state.chooser)}
    return facts | ({"evens": player(state.teams.index("evens"))} if state.teams else {})


FLIP_FIRST = reason("decide first who starts: each player flips a tile", "EO-3")
CHOOSE_FIRST = reason("{chooser} chooses evens or odds first", "EO-3")
CHOSEN = reason("the teams are chosen: {evens} plays for the evens", "EO-3")
SETTLED = reason("it is already decided: {starter} starts", "EO-3")
FOR_TWO = {
    moves.Flip: SETTLED,
    moves.Agree: SETTLED,
    moves.Draw: reason("tiles are drawn unseen from the boneyard; nobody names them", "EO-4"),
    moves.Exchange: reason("the helper is only for the solo game", "EO-10"),
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
        **solo.PHASES,
    },
    _facts,
)
apply, legal_moves, to_move = PHASES.apply, PHASES.legal_moves, PHASES.to_move
