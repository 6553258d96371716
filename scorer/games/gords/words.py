"""Gords in words: what is to be done, what a move was, how the tally came about."""

import textwrap
from collections.abc import Sequence

from scorer.entry import (
    HandsPad,
    KeyGroup,
    Pad,
    PadKey,
    ShownHand,
    TableEntry,
    Taps,
    die_keys,
    number_keys,
    one_of,
    one_player,
)
from scorer.game import Because, Result
from scorer.games.gords.bids import count, count_said, is_star, places, raises, said, wanted
from scorer.games.gords.moves import Agree, Bid, Call, Count, Move, Own, Reveal
from scorer.games.gords.rules import (
    countable,
    hidden,
    is_over,
    matching,
    may_call,
    settled,
    standing,
)
from scorer.games.gords.settings import HAND
from scorer.games.gords.state import Showdown, State, alive, colour_of
from scorer.messages import Message, _, joined, ngettext, raw
from scorer.seats import put
from scorer.words import colour, dice, listed, numbers, player, players


def result(state: State) -> Result | None:
    """Return the last player with dice (GD-A4)."""
    if not is_over(state):
        return None
    (winner,) = alive(state.dice)
    left = dice(state.dice[winner])
    why = _("{who} wins: the last with dice, {dice} left", who=player(winner), dice=left)
    return Result((winner,), why)


def explain(state: State) -> tuple[Because, ...]:
    """Return the five dice of each player and every die lost since, with the bid that cost it."""
    entries = [
        Because(seat, HAND, _("start"), _("five dice"), "GD-1") for seat in range(len(state.dice))
    ]
    for number, showdown in enumerate(state.past, start=1):
        part, text = _("round {number}", number=number), _showdown_said(showdown)
        rule = "GD-A15" if showdown.lost > 1 else "GD-A7" if len(showdown.losers) > 1 else "GD-5"
        entries += [Because(seat, -showdown.lost, part, text, rule) for seat in showdown.losers]
    return tuple(entries)


def _showdown_said(showdown: Showdown) -> Message:
    """Return "player 2 bid 4 sixes, player 3 called: it was 3, player 2 loses a die"."""
    there = raw(str(showdown.found))
    if showdown.found == wanted(showdown.bid.space):
        there = _("exactly {number}", number=showdown.found)
    return _(
        "{bidder} bid {bid}, {caller} called: it was {number}, {loss}",
        bidder=player(showdown.bidder),
        bid=said(showdown.bid),
        caller=player(showdown.caller),
        number=there,
        loss=_loss(showdown.losers, showdown.lost),
    )


def _loss(losers: Sequence[int], lost: int) -> Message:
    who = players(losers)
    if lost > 1:
        return _("{who} loses {dice}", who=who, dice=dice(lost))
    return ngettext("{who} loses a die", "{who} lose a die each", len(losers), who=who)


def _with_colours(state: State, seats: Sequence[int]) -> Message:
    """Return players with the colours of their dice: "player 1 (red) and player 2 (blue)"."""
    return listed(
        _("{who} ({colour})", who=player(seat), colour=colour(colour_of(state, seat)))
        for seat in seats
    )


def draw(state: State) -> tuple[Message, ...]:
    """Return the track with the current bid, up to the dice in play, and the hands."""
    in_play, track, bid = sum(state.dice), places(state.house["track"]), state.bid
    upto = max(in_play, wanted(bid.space) if bid else 0)
    shown = [
        f"[{place} x {bid.face}]" if bid and place == bid.space else place
        for place in track
        if wanted(place) <= (upto / 2 if is_star(place) else upto)
    ]
    lines = textwrap.wrap("  ".join(shown), 44, break_on_hyphens=False)
    hands = [
        joined(" ", (colour(colour_of(state, seat)), number))
        for seat, number in enumerate(state.dice)
        if number
    ]
    under = _("dice under the cups: {dice}", dice=joined(", ", hands))
    board = raw("\n".join(f"  {line}" for line in lines))
    return (joined("\n", (_("the track of bids"), board, under)),)


def prompt(state: State) -> Message:
    """Return what is to be done next, in one sentence."""
    if state.seat is None:
        return _("agree who bids first")
    who = _with_colours(state, (state.seat,))
    if state.bid is None:
        return _("{who} bids first; {dice} are in play", who=who, dice=dice(sum(state.dice)))
    bid = _bid_said(state, state.bid)
    if state.caller is not None:
        return _(
            "{caller} has called {bid}: {waiting} to show the dice",
            caller=player(state.caller),
            bid=bid,
            waiting=_with_colours(state, hidden(state)),
        )
    if not any(True for _bid in raises(state.bid, state.house, sum(state.dice))):
        return _("nothing is higher than {bid}: {who} must call", bid=bid, who=who)
    if state.house["call_by"] == "anyone":
        return _("{who} bids higher than {bid}, or calls; anybody else may call", who=who, bid=bid)
    return _("{who} bids higher than {bid}, or calls", who=who, bid=bid)


def _bid_said(state: State, bid: Bid) -> Message:
    in_play = sum(state.dice)
    if wanted(bid.space) <= in_play:
        return said(bid)
    return _("{bid} (only {dice} are in play)", bid=said(bid), dice=dice(in_play))


def describe(state: State, move: Move) -> Message:
    """Return *move*, made in *state*, in words."""
    match move:
        case Bid(space) if space not in places(state.house["track"]):
            return _("{who} bids on {place}", who=player(state.seat or 0), place=raw(space))
        case Agree(starter):
            return _("{who} bids first", who=player(starter))
        case Bid():
            return _("{who} bids {bid}", who=player(state.seat or 0), bid=_bid_said(state, move))
        case Call(seat):
            return _("{who} calls", who=player(seat))  # naming no bid, which repeated were a call
        case Own(seat, name):
            return _("{who} has the {colour} dice", who=player(seat), colour=colour(name))
        case Reveal(seat, shows):
            text = _("{who} shows {dice}", who=player(seat), dice=numbers(shows))
            if state.caller is None or hidden(state) != (seat,):
                return text
            found = matching(state, put(state.shown, seat, shows))
            return joined(" – ", (text, _ended(state, found)))
        case Count(found) if state.caller is None:
            return _("{number} of the dice count", number=found)
        case Count(found):
            return joined(" – ", (count_said(standing(state), found), _ended(state, found)))


def entry(state: State) -> tuple[TableEntry, ...]:
    """Return the keys of who begins, of a bid, or of how many dice count for it."""
    if is_over(state):
        return ()
    if state.seat is None:
        return (TableEntry((one_player(_("Who bids first"), alive(state.dice), Agree),)),)
    if state.caller is not None:
        return (TableEntry((_counts(state),), hands=_hands(state)),)
    callers = may_call(state)
    pads = [_raises(state)]
    if len(callers) > 1:
        pads.append(one_player(_("Who calls"), callers, Call))
    call = [Taps(Call(seat), button=_("Call {bid}", bid=said(standing(state)))) for seat in callers]
    return (TableEntry(tuple(pads), tuple(call[: len(callers) == 1])),)


STAR = "*"  # the key of a bid on a star


def _raises(state: State) -> Pad:
    """Return the faces and the numbers of a bid; the lower ones say why they are none."""
    track, stars = places(state.house["track"]), raw("★")
    before = wanted(state.bid.space) if state.bid else 1
    highest = max(sum(state.dice), before + 2)
    some = [n for n in range(max(1, before // 2), highest + 1) if str(n) in track]
    ones = state.house["ones_on_number_space"]
    face_keys = (PadKey(STAR, stars, (1,)), *die_keys(range(1 if ones else 2, 7)))
    groups = (
        KeyGroup(_("Face"), face_keys),
        KeyGroup(_("How many, ones included"), number_keys(some)),
    )
    bids = [(key.value, number) for key in face_keys for number in some]
    return Pad(groups, tuple(_bid_taps(face, number) for face, number in bids), at_once=False)


def _bid_taps(face: str, number: int) -> Taps:
    bid = Bid(f"{number}*", 1) if face == STAR else Bid(str(number), int(face))
    return Taps(bid, (face, str(number)), button=_("Bid {bid}", bid=said(bid)))


def _counts(state: State) -> Pad:
    """Return how many dice may count for the called bid, each with who loses dice then."""
    bid = standing(state)
    label = _("Dice that show 1, of all players")
    if bid.face != 1:
        label = _("Dice that show {face} or 1, of all players", face=bid.face)

    def loses(move: Count) -> Message:
        return _loss((end := settled(state, move.found)).losers, end.lost)

    def leads(found: int) -> Message:
        end = settled(state, found)
        return _("{who} −{lost}", who=listed(map(player, end.losers)), lost=end.lost)

    found = (
        (key, Count(int(key.value)), leads(int(key.value))) for key in number_keys(countable(state))
    )
    return one_of(label, found, loses)


def _hands(state: State) -> HandsPad:
    """Return the dice that are still hidden, and who loses dice by how many of them count."""
    hands = (
        ShownHand(player(seat), colour_of(state, seat), state.dice[seat], Reveal(seat, ()))
        for seat in hidden(state)
    )
    bid, found = standing(state), countable(state)
    counting = tuple(pips for pips in range(1, 7) if count(bid, [pips]))
    ends = (settled(state, number) for number in found)
    return HandsPad(
        tuple(hands), counting, found[0], tuple(_loss(end.losers, end.lost) for end in ends)
    )


def also_said(_state: State, move: Move) -> tuple[Message, ...]:
    """Return how else players say how many dice count."""
    return (_("{n} found, count {n}", n=move.found),) if isinstance(move, Count) else ()


def _ended(state: State, found: int) -> Message:
    return _showdown_said(settled(state, found))
