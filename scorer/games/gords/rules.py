"""Gords: what each move does, phase by phase (GD-4 to GD-8)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from scorer.dice import check_pips, falls
from scorer.game import (
    Illegal,
    NotAMove,
    check_seats,
    settle,
)
from scorer.games.gords.bids import check_bid, count, raises, who_loses
from scorer.games.gords.moves import Agree, Bid, Call, Count, Move, Reveal
from scorer.games.gords.settings import HAND, SEATS, SETTINGS, TITLE
from scorer.games.gords.state import Showdown, State, alive, next_seat
from scorer.games.gords.words import count_said
from scorer.phases import Phase, Phases, over
from scorer.values import changed
from scorer.words import counted, player

# ---------------------------------------------------------------- the contract


def start(seats: int, settings: Mapping[str, object]) -> State:
    """Return the state before the first bid; raises NotAMove."""
    house = settle(SETTINGS, settings)
    number = check_seats(TITLE, SEATS, seats)
    if len(house["colours"]) < number:
        raise NotAMove(f"colours: {number} players need {number} colours of dice")
    return State(house, (HAND,) * number)


def may_call(state: State) -> tuple[int, ...]:
    """Return the seats that may call the bid that stands (GD-A3)."""
    if state.bid is None or state.caller is not None or state.seat is None:
        return ()
    if state.house["call_by"] == "next":
        return (state.seat,)
    return tuple(seat for seat in alive(state.dice) if seat != state.bidder)


def _agree(state: State, move: Agree) -> State:
    if not 0 <= move.starter < len(state.dice):
        raise Illegal(move, f"there is no {player(move.starter)}", "GD-7")
    return State(state.house, state.dice, move.starter)


def _bid(state: State, move: Bid) -> State:
    seat = state.seat
    assert seat is not None
    check_bid(move, state.bid, state.house, sum(state.dice))
    return State(state.house, state.dice, next_seat(state.dice, seat), move, seat, past=state.past)


def _bids(state: State) -> Iterator[Move]:
    yield from raises(state.bid, state.house, sum(state.dice))
    yield from (Call(seat) for seat in may_call(state))


def _call(state: State, move: Call) -> State:
    if move.seat not in may_call(state):
        raise Illegal(move, *_why_no_call(state, move.seat))
    return changed(state, caller=move.seat, shown=((),) * len(state.dice))


def _why_no_call(state: State, seat: int) -> tuple[str, str]:
    if not 0 <= seat < len(state.dice):
        return f"there is no {player(seat)}", "GD-5"
    if state.bid is None:
        return "there is no bid to call yet", "GD-4"
    if not state.dice[seat]:
        return f"{player(seat)} has no dice left", "GD-6"
    if seat == state.bidder:
        return f"{player(seat)} made the bid and cannot call it", "GD-5"
    return f"only the next player, player {(state.seat or 0) + 1}, may call", "GD-A3"


def _reveal(state: State, move: Reveal) -> State:
    seat, dice = move.seat, move.dice
    if seat not in hidden(state):
        raise Illegal(move, *_why_no_reveal(state, seat))
    if len(dice) != state.dice[seat]:
        text = f"{player(seat)} has {counted(state.dice[seat], 'die', 'dice')}, not {len(dice)}"
        raise Illegal(move, text, "GD-6")
    check_pips(move, dice, "GD-1")
    shown = (*state.shown[:seat], dice, *state.shown[seat + 1 :])
    if hidden(state) == (seat,):
        return _settle(state, matching(state, shown))
    return changed(state, shown=shown)


def _shows(state: State) -> Iterator[Move]:
    yield from map(Count, countable(state))
    for seat in hidden(state):
        yield from (Reveal(seat, dice) for dice in falls(state.dice[seat]))


def _count(state: State, move: Count) -> State:
    possible = countable(state)
    if move.found < possible[0]:
        raise Illegal(move, f"{count_said(state, possible[0])} are shown already", "GD-5")
    if move.found > possible[-1]:
        raise Illegal(move, f"at most {count_said(state, possible[-1])} can be there", "GD-5")
    return _settle(state, move.found)


def countable(state: State) -> range:
    """Return how many dice may match the called bid, by those shown and those still hidden."""
    shown = matching(state, state.shown)
    return range(shown, shown + sum(state.dice[seat] for seat in hidden(state)) + 1)


def matching(state: State, shown: Iterable[Iterable[int]]) -> int:
    """Return how many of the dice *shown* count for the called bid."""
    assert state.bid is not None
    return count(state.bid, (die for dice in shown for die in dice))


def _why_no_reveal(state: State, seat: int) -> tuple[str, str]:
    if not 0 <= seat < len(state.dice):
        return f"there is no {player(seat)}", "GD-5"
    if not state.dice[seat]:
        return f"{player(seat)} has no dice left", "GD-6"
    shown = " ".join(map(str, state.shown[seat]))
    return f"{player(seat)} has shown {shown}; undo to change it", "GD-5"


def hidden(state: State) -> tuple[int, ...]:
    """Return the seats whose dice are still to be shown, once a bid is called."""
    return tuple(seat for seat in alive(state.dice) if not state.shown[seat])


def _settle(state: State, found: int) -> State:
    """Return the next round's state: dice lost, the caller or the next one with dice bidding."""
    showdown = settled(state, found)
    dice = tuple(number - (seat in showdown.losers) for seat, number in enumerate(state.dice))
    caller = showdown.caller
    starter = caller if dice[caller] else next_seat(dice, caller)
    return State(state.house, dice, starter, past=(*state.past, showdown))


def settled(state: State, found: int) -> Showdown:
    """Return how the call ends when so many dice match the bid."""
    bid, bidder, caller = state.bid, state.bidder, state.caller
    assert bid is not None
    assert bidder is not None
    assert caller is not None
    losers = who_loses(
        bid,
        found,
        bidder=bidder,
        caller=caller,
        playing=alive(state.dice),
        exact=state.house["exact"],
    )
    return Showdown(bid, bidder, caller, found, losers)


def score(state: State) -> tuple[int, ...]:
    """Return the dice that each player has left."""
    return state.dice


def is_over(state: State) -> bool:
    """Say whether only one player has dice (GD-8)."""
    return state.dice.count(0) == len(state.dice) - 1


# ---------------------------------------------------------------- who may do what now


def now(state: State) -> str:
    """Return at which point the game is: the name of a phase."""
    if is_over(state):
        return "over"
    if state.seat is None:
        return "agree"
    return "bid" if state.caller is None else "show"


def _everybody(state: State) -> tuple[int, ...]:
    return tuple(range(len(state.dice)))


AGREED = ("it is settled who bids first", "GD-7")
PHASES = Phases(
    now,
    {
        "over": over("the game is over", "GD-8"),
        "agree": Phase(
            _everybody,
            lambda state: map(Agree, _everybody(state)),
            {Agree: _agree},
            ("settle first who bids first", "GD-7"),
        ),
        "bid": Phase(
            lambda state: tuple(sorted({state.seat or 0, *may_call(state)})),
            _bids,
            {Bid: _bid, Call: _call},
            ("there is nothing to count until somebody calls", "GD-5"),
            {Agree: AGREED, Reveal: ("the dice stay hidden until somebody calls", "GD-5")},
        ),
        "show": Phase(
            hidden,
            _shows,
            {Reveal: _reveal, Count: _count},
            ("{caller} has called; now the dice are shown", "GD-5"),
            {Agree: AGREED, Call: ("{caller} has called already", "GD-5")},
        ),
    },
    lambda state: {"caller": player(state.caller or 0)},
)
apply, legal_moves, to_move = PHASES.apply, PHASES.legal_moves, PHASES.to_move
