"""Gords: what one photo alone says of a bid."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from scorer.dice import PIPS
from scorer.errors import Illegal, NotScored
from scorer.game import Because, Facts, OnePhoto, PhotoScore
from scorer.games.gords.bids import check_bid, cost, count, said, so_many, wanted
from scorer.games.gords.moves import Bid
from scorer.games.gords.photo.in_match import too_many_markers
from scorer.games.gords.settings import COLOURS, HAND, MARKER
from scorer.games.gords.state import State
from scorer.messages import Message, _, ngettext, raw
from scorer.photo.interpret import Seen
from scorer.photo.one_photo import likeliest
from scorer.proposal import Doubt
from scorer.settings import House, Setting
from scorer.table import Die, Table
from scorer.values import changed, shown
from scorer.words import colour, dice, listed, numbers, spelled


def _bid_read(value: object) -> tuple[str, int]:
    """Read a bid as players say it: "4 sixes", "4 6", "star 2", "2*"; returns place and face."""
    text = str(value).strip().lower()
    if star := re.fullmatch(r"star\s*(\d+)|(\d+)\s*(?:\*|stars?)", text):
        return f"{star[1] or star[2]}*", 1
    number = re.fullmatch(r"(\d+)[\s,x×-]+(\w+)", text)
    words = {str(so_many(face, n)).split()[1]: face for face in PIPS for n in (1, 2)}
    words |= {str(face): face for face in PIPS}
    if number is None or number[2] not in words:
        raise ValueError(
            _("a bid is said like 4 sixes or 2*, not {value}", value=raw(shown(value)))
        )
    return number[1], words[number[2]]


FACT = Setting(
    "bid", _("The bid that was called"), (), read=_bid_read, example="4 sixes", rule="GD-4"
)


def moments(state: State) -> tuple[State, ...]:
    """Return a call that everybody whose colour is agreed answers with all dice."""
    return (changed(state, dice=(HAND,) * len(state.house["colours"]), caller=0),)


def tell(state: State, table: Table, facts: Facts) -> PhotoScore:
    """Return the number of dice on a single photo that match a bid, and whether it holds."""
    bid, house = Bid(*facts["bid"]), state.house
    owned = [die for die in table.dice if die.colour != MARKER]
    if not owned:
        raise NotScored(_("No dice of a player were seen."))
    try:
        check_bid(bid, None, house, len(owned))
    except Illegal as fault:
        text = _("That is not a bid: {why} ({rule}).", why=fault.reason, rule=raw(fault.rule))
        raise NotScored(text) from None
    found = _hands(table.dice, house, markers=1) or _hands(table.dice, house, markers=HAND)
    if found is None:
        raise NotScored(_no_hands(owned, house))
    hands = {name: [v for one, v in found[0] if one == name] for name in house["colours"]}
    part = _("dice for {bid}", bid=said(bid))
    entries = tuple(
        Because(0, count(bid, hand), part, _hand_said(name, hand), "GD-5")
        for name, hand in hands.items()
        if hand
    )
    there = sum(entry.points for entry in entries)
    return PhotoScore(
        (_("dice that count"),),
        (there,),
        entries,
        () if bid.face == 1 else (_("ones are wild and count as well"),),
        outcome=_verdict(bid, there, house),
        unknown=_("who bid and who called, and whether all dice are on the photo"),
        doubts=(
            *found[1],
            *too_many_markers([name for name, _value in found[0]]),
            *_not_shown(hands, house),
        ),
    )


def _hands(
    dice: Sequence[Die], house: House, *, markers: int
) -> tuple[tuple[Seen, ...], tuple[Doubt, ...]] | None:
    """Return the likeliest reading with that many white dice at most, and its doubts."""
    most = {MARKER: markers, **dict.fromkeys(house["colours"], HAND)}
    return likeliest(dice, most, lambda read: not Counter(name for name, _ in read) - Counter(most))


def _not_shown(hands: Mapping[str, Sequence[int]], house: House) -> Iterator[Doubt]:
    """Ask about players whose colour is agreed and who show no dice."""
    if house["colours"] != COLOURS:
        for name in (name for name, hand in hands.items() if not hand):
            yield Doubt(_("no {colour} dice were seen: are there none left?", colour=colour(name)))


def _verdict(bid: Bid, there: int, house: House) -> Message:
    """Return whether a bid holds and who loses a die for it (GD-5, GD-A7)."""
    claimed, words = wanted(bid.space), said(bid)
    count, lost = ngettext("{n} counts", "{n} count", there), cost(bid, there, house["loss"])
    facts = {"bid": words, "count": count, "dice": dice(min(HAND, lost))}
    if there < claimed:
        if lost > 1:
            return _("{bid} does not hold: {count}, so the bidder loses {dice}", **facts)
        return _("{bid} does not hold: {count}, so the bidder loses a die", bid=words, count=count)
    if lost > 1:
        return _("{bid} holds: {count}, so the caller loses {dice}", **facts)
    if there == claimed:
        count = ngettext("exactly {n} counts", "exactly {n} count", there)
        if house["exact"] == "all_others_lose":
            return _(
                "{bid} holds: {count}, so everybody but the bidder loses a die",
                bid=words,
                count=count,
            )
    return _("{bid} holds: {count}, so the caller loses a die", bid=words, count=count)


def _hand_said(name: str, hand: Sequence[int]) -> Message:
    return _("{colour} {dice}", colour=colour(name), dice=numbers(sorted(hand)))


def _no_hands(dice: Sequence[Die], house: House) -> Message:
    playing = house["colours"]
    for name, number in Counter(die.colour for die in dice).items():
        many = spelled(number, first=True)
        if name not in playing:
            return ngettext(
                "{many} {colour} die was seen; the players' colours are {colours}.",
                "{many} {colour} dice were seen; the players' colours are {colours}.",
                number,
                many=many,
                colour=colour(name),
                colours=listed(map(colour, playing)),
            )
        if number > HAND:
            return _(
                "{many} {colour} dice were seen; a player has at most five.",
                many=many,
                colour=colour(name),
            )
    return _("The dice cannot be told apart. Photograph them again, from closer.")


one_photo = OnePhoto(tell, (FACT,), moments=moments)
