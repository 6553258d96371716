"""Beat the Odds: from turn to turn (BO-2, BO-5, BO-6)."""

from collections.abc import Iterator, Mapping, Sequence

from scorer.games.beat_the_odds.moves import (
    Agree,
    Decline,
    Double,
    InTurn,
    Move,
    Reroll,
    Roll,
    StartRoll,
)
from scorer.games.beat_the_odds.settings import SEATS, SETTINGS, TARGET, TITLE
from scorer.games.beat_the_odds.state import Past, State
from scorer.games.beat_the_odds.turn import (
    ROLLS,
    TURN,
    InPlay,
    Turn,
    check_pair,
    lying_pair,
    play,
    total,
)
from scorer.phases import Phase, Phases, mover, over, reason
from scorer.seats import check_seat, clockwise, last_turns, leaders, put
from scorer.settings import check_seats, settle
from scorer.table import Table
from scorer.values import appended, changed
from scorer.words import player


def bank(state: State, brought: int) -> State:
    """Return the state after the turn in play has brought its points (BO-5, BO-6, BO-A9)."""
    starter = state.starter
    assert starter is not None
    seat, count = state.seat, len(state.scores)
    scores = put(state.scores, seat, state.scores[seat] + brought)
    trigger, last = state.trigger, state.last
    if last is not None:
        last = last[1:]
    elif scores[seat] >= TARGET:
        trigger, last = seat, last_turns(count, starter, seat, state.house["last_turns"])
    if last == ():
        last = _playoff(state, scores)
    rights = state.rights
    if state.house["right_carries_over"]:
        rights = put(rights, seat, state.turn.rights)
    following = last[0] if last else (seat + 1) % count
    turn = Turn((), (), rights[following])
    past = appended(state.past, Past(seat, brought, state.turn))
    ending = (trigger, last, past, state.given_up)
    return State(state.house, scores, following, turn, rights, starter, (), (), *ending)


def _playoff(state: State, scores: Sequence[int]) -> tuple[int, ...]:
    """Return who has one more turn after the last ones: several who are level at the top."""
    if state.house["tie"] != "playoff":
        return ()
    order = clockwise(len(scores), state.starter or 0)
    rivals = [seat for seat in order if seat not in state.given_up]
    best = max(scores[seat] for seat in rivals)
    level = tuple(seat for seat in rivals if scores[seat] == best)
    return level if len(level) > 1 else ()


def start(seats: int, settings: Mapping[str, object]) -> State:
    """Return the state before the first roll for the start; raises NotAMove."""
    house = settle(SETTINGS, settings)
    count = check_seats(TITLE, SEATS, seats)
    return State(house, (0,) * count, rights=(0,) * count, rolling=tuple(range(count)))


def begun(state: State, starter: int) -> State:
    """Return the state in which *starter* (seat from 0) has the first turn."""
    return State(
        state.house,
        state.scores,
        starter,
        rights=state.rights,
        starter=starter,
        given_up=state.given_up,
        lying=state.lying,
    )


def _openings(state: State) -> Iterator[Move]:
    yield from (StartRoll(*dice) for dice in ROLLS)
    yield from (Agree(seat) for seat in range(len(state.scores)))


def _agree(state: State, move: Agree) -> State:
    check_seat(move, move.starter, len(state.scores), "BO-2")
    return begun(state, move.starter)


def _start_roll(state: State, move: StartRoll) -> State:
    check_pair(move, move.low, move.high)
    lying, thrown = (move.low, move.high), (*state.thrown, move.low + move.high)
    if len(thrown) < len(state.rolling):
        return changed(state, lying=lying, thrown=thrown, seat=state.rolling[len(thrown)])
    state = changed(state, lying=lying)
    level = tuple(state.rolling[place] for place in leaders(thrown))
    if len(level) == 1:
        return begun(state, level[0])
    return changed(state, rolling=level, thrown=(), seat=level[0])


def leave(state: State, seat: int) -> State:
    """Return the state without a seat that still rolls for the start, or has its turn."""
    if state.starter is None:
        return _rolling_without(state, seat)
    last = state.last and tuple(other for other in state.last if other != seat)
    following = last[0] if last else (seat + 1) % len(state.scores)
    if state.seat != seat:
        return changed(state, last=last)
    return changed(state, last=last, seat=following, turn=Turn((), (), state.rights[following]))


def concede(state: State, seat: int) -> State:
    """Return the state without a seat that gave up: it is no rival in a play-off (MT-9)."""
    after = changed(leave(state, seat), given_up=(*state.given_up, seat))
    if state.last is None or after.last or len(after.given_up) == len(after.scores):
        return after
    last = _playoff(after, after.scores)
    following = last[0] if last else after.seat
    return changed(after, last=last, seat=following, turn=Turn((), (), after.rights[following]))


def _rolling_without(state: State, seat: int) -> State:
    if seat not in state.rolling:
        return state
    place = state.rolling.index(seat)
    rolling = tuple(other for other in state.rolling if other != seat)
    thrown = tuple(total for at, total in enumerate(state.thrown) if at != place)
    if len(rolling) == 1:
        return begun(state, rolling[0])
    if len(thrown) == len(rolling):  # all others have rolled: the best of them begins
        rolling, thrown = tuple(rolling[at] for at in leaders(thrown)), ()
        if len(rolling) == 1:
            return begun(state, rolling[0])
    return changed(state, rolling=rolling, thrown=thrown, seat=rolling[len(thrown)])


def join(state: State, points: int) -> State | None:
    """Return the state with one more player, last in turn; None in the last turns."""
    if state.last is not None:
        return None
    rolling = (*state.rolling, len(state.scores)) if state.starter is None else ()
    scores, rights = (*state.scores, points), (*state.rights, 0)
    return changed(state, scores=scores, rights=rights, rolling=rolling)


def starts(_state: State, seat: int) -> Agree:
    """Return the move that sets the starting player."""
    return Agree(seat)


def _turns(state: State) -> Iterator[Move]:
    return TURN.legal_moves(InPlay(state.turn, state.house))


def _play(state: State, move: InTurn) -> State:
    return _on(state, play(state.turn, move, state.house))


def as_it_lies(state: State, table: Table) -> State | None:
    """Return the state with the pair that is seen as the last roll of the turn."""
    dice = sorted(die.value for die in table.dice)
    if state.starter is None or is_over(state) or len(dice) != 2:
        return None
    return _on(state, lying_pair(InPlay(state.turn, state.house), (dice[0], dice[1])).turn)


def _on(state: State, turn: Turn) -> State:
    house, rights, starter = state.house, state.rights, state.starter
    ending = (state.trigger, state.last, state.past, state.given_up)
    state = State(house, state.scores, state.seat, turn, rights, starter, (), (), *ending)
    return bank(state, total(turn)) if turn.asks == "nothing" else state


def now(state: State) -> str:
    """Return at which point the game is: the name of a phase."""
    if state.last == ():
        return "over"
    return "start" if state.starter is None else "turn"


PHASES = Phases(
    now,
    {
        "over": over("the game is over", "BO-6"),
        "start": Phase(
            mover,
            _openings,
            {Agree: _agree, StartRoll: _start_roll},
            reason("decide first who begins", "BO-2"),
        ),
        "turn": Phase(
            mover,
            _turns,
            {Roll: _play, Reroll: _play, Decline: _play, Double: _play},
            reason("{starter} has already begun", "BO-2"),
        ),
    },
    lambda state: {"starter": player(state.starter or 0)},
)
apply, legal_moves, to_move = PHASES.apply, PHASES.legal_moves, PHASES.to_move


def score(state: State) -> tuple[int, ...]:
    """Return the scores; the turn in play counts when it is over (BO-A13)."""
    return state.scores


def is_over(state: State) -> bool:
    """Return True if the last turns are played (BO-6)."""
    return state.last == ()
