"""Gords: what each move does, phase by phase (GD-4 to GD-8)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from scorer.dice import check_pips, falls
from scorer.errors import Illegal, NotAMove
from scorer.games.gords.bids import check_bid, cost, count, count_said, raises, who_loses
from scorer.games.gords.moves import Agree, Bid, Call, Count, Move, Own, Reveal
from scorer.games.gords.settings import HAND, PALETTE, SEATS, SETTINGS, TITLE
from scorer.games.gords.state import Showdown, State, alive, colour_of, colours, next_seat
from scorer.messages import Message, _
from scorer.phases import Phase, Phases, over, reason
from scorer.seats import check_seat, put
from scorer.settings import check_seats, settle
from scorer.table import Table
from scorer.values import changed
from scorer.words import colour as colour_said
from scorer.words import dice as dice_said
from scorer.words import numbers, player


def start(seats: int, settings: Mapping[str, object]) -> State:
    """Return the state before the first bid; raises NotAMove."""
    house = settle(SETTINGS, settings)
    number = check_seats(TITLE, SEATS, seats)
    if len(house["colours"]) < number:
        raise NotAMove(_("colours: {n} players need {n} colours of dice", n=number))
    return State(house, (HAND,) * number)


def may_call(state: State) -> tuple[int, ...]:
    """Return the seats that may call the current bid (GD-A3)."""
    if state.bid is None or state.caller is not None or state.seat is None:
        return ()
    if state.house["call_by"] == "next":
        return (state.seat,)
    return tuple(seat for seat in alive(state.dice) if seat != state.bidder)


def _agree(state: State, move: Agree) -> State:
    check_seat(move, move.starter, len(state.dice), "GD-7")
    if not state.dice[move.starter]:
        raise Illegal(move, _("{who} has no dice left", who=player(move.starter)), "GD-6")
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
    check_seat(move, move.seat, len(state.dice), "GD-5")
    if move.seat not in may_call(state):
        raise Illegal(move, *_why_no_call(state, move.seat))
    return changed(state, caller=move.seat, shown=((),) * len(state.dice))


def _why_no_call(state: State, seat: int) -> tuple[Message, str]:
    if state.bid is None:
        return _("there is no bid to call yet"), "GD-4"
    if not state.dice[seat]:
        return _("{who} has no dice left", who=player(seat)), "GD-6"
    if seat == state.bidder:
        return _("{who} made the bid and cannot call it", who=player(seat)), "GD-5"
    return _("only the next player, {who}, may call", who=player(state.seat or 0)), "GD-A3"


def _own(state: State, move: Own) -> State:
    owned = list(state.house["colours"])
    check_seat(move, move.seat, len(state.dice), "GD-1")
    who = player(move.seat)
    if move.colour not in PALETTE:
        text = _("a player's dice cannot be {colour}", colour=colour_said(move.colour))
        raise Illegal(move, text, "GD-1")
    if owned[move.seat] == move.colour:
        text = _("{who} already has the {colour} dice", who=who, colour=colour_said(move.colour))
        raise Illegal(move, text, "GD-1")
    if any(state.shown):
        text = _("dice have already been shown; undo that to change whose they are")
        raise Illegal(move, text, "GD-1")
    if move.colour in owned:
        owned[owned.index(move.colour)] = owned[move.seat]
    owned[move.seat] = move.colour
    return changed(state, house={**state.house, "colours": tuple(owned)})


def _owners(state: State) -> Iterator[Move]:
    """Yield whose dice may turn out to be which, before any are shown."""
    if not any(state.shown):
        for seat, own in enumerate(colours(state)):
            yield from (Own(seat, other) for other in PALETTE if other != own)


def _reveal(state: State, move: Reveal) -> State:
    seat, dice = move.seat, move.dice
    check_seat(move, seat, len(state.dice), "GD-5")
    if seat not in hidden(state):
        raise Illegal(move, *_why_no_reveal(state, seat))
    if len(dice) != state.dice[seat]:
        text = _(
            "{who} has {dice}, not {number}",
            who=player(seat),
            dice=dice_said(state.dice[seat]),
            number=len(dice),
        )
        raise Illegal(move, text, "GD-6")
    check_pips(move, dice, "GD-1")
    shown = put(state.shown, seat, dice)
    if hidden(state) == (seat,):
        return _settle(state, matching(state, shown))
    return changed(state, shown=shown)


def _shows(state: State) -> Iterator[Move]:
    yield from map(Count, countable(state))
    for seat in hidden(state):
        yield from (Reveal(seat, dice) for dice in falls(state.dice[seat]))
    yield from _owners(state)


def _count(state: State, move: Count) -> State:
    possible, bid = countable(state), standing(state)
    if move.found < possible[0]:
        text = _("{count} have already been shown", count=count_said(bid, possible[0]))
        raise Illegal(move, text, "GD-5")
    if move.found > possible[-1]:
        text = _("at most {count} can be there", count=count_said(bid, possible[-1]))
        raise Illegal(move, text, "GD-5")
    return _settle(state, move.found)


def countable(state: State) -> range:
    """Return how many dice may match the called bid, by those shown and those still hidden."""
    shown = matching(state, state.shown)
    return range(shown, shown + sum(state.dice[seat] for seat in hidden(state)) + 1)


def matching(state: State, shown: Iterable[Iterable[int]]) -> int:
    """Return how many of the dice *shown* count for the called bid."""
    return count(standing(state), [die for dice in shown for die in dice])


def standing(state: State) -> Bid:
    """Return the current bid, or None."""
    assert state.bid is not None
    return state.bid


def _why_no_reveal(state: State, seat: int) -> tuple[Message, str]:
    if not state.dice[seat]:
        return _("{who} has no dice left", who=player(seat)), "GD-6"
    shown = numbers(state.shown[seat])
    return _("{who} has shown {shown}; undo to change it", who=player(seat), shown=shown), "GD-5"


def hidden(state: State) -> tuple[int, ...]:
    """Return the seats whose dice are still to be shown, once a bid is called."""
    return tuple([seat for seat in alive(state.dice) if not state.shown[seat]])


def _settle(state: State, found: int) -> State:
    showdown = settled(state, found)
    dice = tuple(
        number - showdown.lost * (seat in showdown.losers) for seat, number in enumerate(state.dice)
    )
    caller = showdown.caller
    starter = caller if dice[caller] else next_seat(dice, caller)
    return State(state.house, dice, starter, past=(*state.past, showdown))


def as_it_lies(state: State, table: Table) -> State | None:
    """Return the next round by the dice that are seen; None if they do not settle a call."""
    seen_dice = tuple(
        tuple(die.value for die in table.dice if die.colour == colour_of(state, seat))
        for seat in range(len(state.dice))
    )
    bidder, caller = state.bidder, state.caller
    if bidder is None or caller is None or not (seen_dice[bidder] and seen_dice[caller]):
        return None
    lying = changed(state, dice=tuple(map(len, seen_dice)))
    return _settle(lying, matching(lying, seen_dice))


def settled(state: State, found: int) -> Showdown:
    """Return the result of the call for a number of matching dice."""
    bid, bidder, caller = standing(state), state.bidder, state.caller
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
    lost = min(cost(bid, found, state.house["loss"]), *(state.dice[seat] for seat in losers))
    return Showdown(bid, bidder, caller, found, losers, lost)


def leave(state: State, seat: int) -> State:
    """Return the state without the dice of a seat; what was bid or called with them is void."""
    if not state.dice[seat]:
        return state
    dice = put(state.dice, seat, 0)
    starter = state.seat if state.bid is None else state.bidder
    if starter is not None and not dice[starter] and any(dice):
        starter = next_seat(dice, starter)
    return State(state.house, dice, starter, past=state.past)


def join(state: State, points: int) -> State | None:
    """Return the state with one more player, between two rounds; None while dice are rolled."""
    count = len(state.dice) + 1
    if state.bid is not None or len(state.house["colours"]) < count or not points:
        return None
    return changed(state, dice=(*state.dice, points))


def starts(_state: State, seat: int) -> Agree:
    """Return the move that settles who bids first."""
    return Agree(seat)


def score(state: State) -> tuple[int, ...]:
    """Return the dice that each player has left."""
    return state.dice


def is_over(state: State) -> bool:
    """Return True if only one player has dice (GD-8)."""
    return state.dice.count(0) == len(state.dice) - 1


def now(state: State) -> str:
    """Return at which point the game is: the name of a phase."""
    if is_over(state):
        return "over"
    if state.seat is None:
        return "agree"
    return "bid" if state.caller is None else "show"


AGREED = reason("it is already decided who bids first", "GD-7")
HIDDEN = reason("the dice stay hidden until somebody calls", "GD-5")
PHASES = Phases(
    now,
    {
        "over": over("the game is over", "GD-8"),
        "agree": Phase(
            lambda state: alive(state.dice),
            lambda state: map(Agree, alive(state.dice)),
            {Agree: _agree},
            reason("decide first who bids first", "GD-7"),
        ),
        "bid": Phase(
            lambda state: tuple(sorted({state.seat or 0, *may_call(state)})),
            _bids,
            {Bid: _bid, Call: _call},
            reason("there is nothing to count until somebody calls", "GD-5"),
            {Agree: AGREED, Reveal: HIDDEN, Own: HIDDEN},
        ),
        "show": Phase(
            hidden,
            _shows,
            {Reveal: _reveal, Count: _count, Own: _own},
            reason("{caller} has called; now the dice are shown", "GD-5"),
            {Agree: AGREED, Call: reason("{caller} has called already", "GD-5")},
        ),
    },
    lambda state: {"caller": player(state.caller or 0)},
)
apply, legal_moves, to_move = PHASES.apply, PHASES.legal_moves, PHASES.to_move
