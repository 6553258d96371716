"""Answers to the Gords cases: notation translated, everything else asked of the rules."""

from collections.abc import Mapping
from fractions import Fraction
from functools import partial
from itertools import chain
from typing import Any

from scorer import Illegal, NotAMove, settle
from scorer.coach.gords import at_least, bid_odds
from scorer.games import gords as gd
from scorer.settings import House
from tests.cases import refused_as

ALL_DICE = 30  # where a case does not say how many dice are in play

# The cases' neutral words for a refusal, by what our sentence says.
REASONS = {
    "is not higher": "not_higher",
    "ones only": "star_is_ones",
    "ones are wild": "ones_are_wild",
    "there is no place": "bad_space",
    "a die shows": "bad_face",
    "dice in play": "above_dice_in_play",
    "no bid to call": "no_bid",
    "cannot call it": "out_of_turn",
    "only the next player": "out_of_turn",
    "no dice left": "out_of_turn",
}


refused = partial(refused_as, REASONS)


def house(asked: Mapping[str, Any]) -> House:
    given = dict(asked.get("house", {}))
    if "track" in asked:
        given["track"] = asked["track"]
    return settle(gd.SETTINGS, given)


def bid_of(event: Mapping[str, Any] | None) -> gd.Bid | None:
    return None if event is None else gd.Bid(event["space"], event["face"])


def bid_case(bid: gd.Bid | None) -> dict[str, Any] | None:
    return None if bid is None else {"space": bid.space, "face": bid.face}


def raise_(asked: dict[str, Any]) -> dict[str, Any]:
    bid = bid_of(asked["bid"])
    assert bid is not None
    in_play = asked.get("dice_in_play", ALL_DICE)
    try:
        gd.bids.check_bid(bid, bid_of(asked.get("prev")), house(asked), in_play)
    except Illegal as fault:
        return refused(fault)
    return {"legal": True}


def raise_options(asked: dict[str, Any]) -> dict[str, Any]:
    rules = house(asked)
    track = gd.bids.places(rules["track"])
    near = track[: track.index(asked["upto"]) + 1] if "upto" in asked else track
    in_play = asked.get("dice_in_play", ALL_DICE)
    bids = [
        bid
        for bid in gd.bids.raises(bid_of(asked.get("prev")), rules, in_play)
        if bid.space in near
    ]
    return {"count": len(bids), "lowest": bid_case(bids[0] if bids else None)}


def track(asked: dict[str, Any]) -> dict[str, Any]:
    spaces = gd.bids.places(house(asked)["track"])
    stars = sum(map(gd.bids.is_star, spaces))
    return {
        "spaces": len(spaces),
        "numbers": len(spaces) - stars,
        "stars": stars,
        "head": spaces[:12],
        "tail": spaces[-4:],
        "all": spaces,
    }


def count(asked: dict[str, Any]) -> dict[str, Any]:
    bid = bid_of(asked["bid"])
    assert bid is not None
    found = gd.bids.count(bid, chain.from_iterable(asked["dice"].values()))
    return {"count": found, "met": found >= gd.bids.wanted(bid.space)}


def round_(asked: dict[str, Any]) -> dict[str, Any]:
    names = asked["order"]
    hands = [tuple(sorted(asked["dice"][name])) for name in names]
    first = names.index(asked["bids"][0][0]) if asked["bids"] else 0
    state = gd.State(house(asked), tuple(map(len, hands)), first)
    if not hands[first]:
        return {"legal": False, "reason": "out_of_turn"}
    try:
        for name, bid in asked["bids"]:
            if state.seat != names.index(name):
                return {"legal": False, "reason": "out_of_turn"}
            state = gd.ONE.apply(state, gd.Bid(bid["space"], bid["face"]))
        assert state.seat is not None
        caller = names.index(asked["caller"]) if "caller" in asked else state.seat
        state = gd.ONE.apply(state, gd.Call(caller))
        for seat in gd.state.alive(state.dice):
            state = gd.ONE.apply(state, gd.Reveal(seat, hands[seat]))
    except Illegal as fault:
        return refused(fault)
    showdown, ended = state.past[-1], gd.ONE.result(state)
    assert state.seat is not None
    losers = [names[seat] for seat in showdown.losers]
    return {
        "legal": True,
        "caller": names[caller],
        "count": showdown.found,
        "loser": losers[0] if len(losers) == 1 else None,
        "losers": losers,
        "dice_after": dict(zip(names, state.dice, strict=True)),
        "next_starter": None if ended else names[state.seat],
        "eliminated": [
            name
            for name, hand, left in zip(names, hands, state.dice, strict=True)
            if hand and not left
        ],
        "winner": names[ended.winners[0]] if ended else None,
    }


def setup(asked: dict[str, Any]) -> dict[str, Any]:
    try:
        state = gd.ONE.start(asked["players"], asked.get("house", {}))
    except NotAMove:
        return {"legal": False, "reason": "players"}
    return {"legal": True, "dice_total": sum(state.dice), "dice_each": state.dice[0]}


def lost_dice(asked: dict[str, Any]) -> dict[str, Any]:
    try:
        left = gd.state.dice_left(asked["lost"])
    except Illegal:
        return {"legal": False, "reason": "too_many_lost"}
    return {"legal": True, "in_play": sum(left), "alive": gd.state.alive(left)}


def fraction(odds: Fraction) -> dict[str, Any]:
    return {"num": odds.numerator, "den": odds.denominator}


def probability(asked: dict[str, Any]) -> dict[str, Any]:
    return fraction(at_least(asked["unknown"], asked["need"], asked["star"]))


def estimate_odds(asked: dict[str, Any]) -> dict[str, Any]:
    bid = bid_of(asked["bid"])
    assert bid is not None
    return fraction(bid_odds(bid, asked["own"], asked["dice_in_play"]))
