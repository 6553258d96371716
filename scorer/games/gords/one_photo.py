"""Gords: what one photo tells of a bid."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from scorer.game import (
    Because,
    Equipment,
    House,
    Illegal,
    Setting,
)
from scorer.games.gords.bids import check_bid, count, is_star, plural, said, wanted
from scorer.games.gords.moves import Bid
from scorer.games.gords.settings import FACES, HAND, MARKER
from scorer.games.gords.state import State
from scorer.one_photo import Facts, NotScored, PhotoScore, likeliest
from scorer.table import Die, Table
from scorer.words import listed, spelled

# ---------------------------------------------------------------- what one photo tells


def _bid_read(value: object) -> tuple[str, int]:
    """Read a bid as players say it: "4 sixes", "4 6", "star 2", "2*"; returns place and face."""
    text = str(value).strip().lower()
    if star := re.fullmatch(r"star\s*(\d+)|(\d+)\s*(?:\*|stars?)", text):
        return f"{star[1] or star[2]}*", 1
    number = re.fullmatch(r"(\d+)[\s,x×-]+(\w+)", text)
    words = {word: face for face in range(1, 7) for word in (FACES[face], plural(face), str(face))}
    if number is None or number[2] not in words:
        raise ValueError(f"a bid is said like 4 sixes or 2*, not {value!r}")
    return number[1], words[number[2]]


FACT = Setting("bid", "The bid that was called", (), read=_bid_read, example="4 sixes", rule="GD-4")


def looks(_state: State) -> tuple[Equipment, ...]:
    """Return dice of any number and colour, so that those of another game are met as such."""
    return (Equipment(),)


def tell(state: State, table: Table, facts: Facts) -> PhotoScore:
    """Return how many of the dice on one photo count for a bid, and whether it holds."""
    bid, house = Bid(*facts["bid"]), state.house
    owned = [die for die in table.dice if die.colour != MARKER]
    if not owned:
        raise NotScored("No dice of a player were seen.")
    try:
        check_bid(bid, None, house, len(owned))
    except Illegal as fault:
        raise NotScored(f"That is no bid: {fault.reason} ({fault.rule}).") from None
    found = likeliest(
        table.dice,
        (MARKER, *house["colours"]),
        lambda read: all(sum(colour == one for one, _ in read) <= HAND for colour, _ in read),
    )
    if found is None:
        raise NotScored(_no_hands(owned, house))
    read = [(colour, value) for colour, value in found[0] if colour != MARKER]
    hands = {colour: [v for one, v in read if one == colour] for colour in house["colours"]}
    entries = tuple(
        Because(0, count(bid, hand), f"dice for {said(bid)}", _hand_said(colour, hand), "GD-5")
        for colour, hand in hands.items()
        if hand
    )
    there = sum(entry.points for entry in entries)
    return PhotoScore(
        ("dice that count",),
        (there,),
        entries,
        () if is_star(bid.space) or bid.face == 1 else ("ones are wild and count as well",),
        outcome=_verdict(bid, there, house),
        unknown="who bid and who called, and whether all dice are on the photo",
        doubts=found[1],
    )


def _verdict(bid: Bid, there: int, house: House) -> str:
    """Return whether a bid holds and who loses a die for it (GD-5, GD-A7)."""
    claimed, counted = wanted(bid.space), f"{there} {'counts' if there == 1 else 'count'}"
    if there < claimed:
        return f"{said(bid)} does not hold: {counted}, so the bidder loses a die"
    exactly = "exactly " if there == claimed else ""
    alone = not (exactly and house["exact"] == "all_others_lose")
    losers = "the caller loses" if alone else "everybody but the bidder loses"
    return f"{said(bid)} holds: {exactly}{counted}, so {losers} a die"


def _hand_said(colour: str, hand: Sequence[int]) -> str:
    return f"{colour} {' '.join(map(str, sorted(hand)))}"


def _no_hands(dice: Sequence[Die], house: House) -> str:
    known = house["colours"]
    for colour, number in Counter(die.colour for die in dice).items():
        many = f"{spelled(number)} {colour} {'die was' if number == 1 else 'dice were'}"
        many = many.capitalize()
        if colour not in known:
            return f"{many} seen; the players' colours are {listed(known)}."
        if number > HAND:
            return f"{many} seen; a player has five at most."
    return "The dice cannot be told apart. Photograph them again, from nearer."
