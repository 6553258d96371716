"""Gords: the track and the bids on it (GD-2, GD-4, GD-5)."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache

from scorer.dice import check_pips
from scorer.errors import Illegal
from scorer.games.gords.moves import Bid
from scorer.games.gords.settings import NUMBERS
from scorer.messages import Message, _, ngettext, raw
from scorer.settings import House
from scorer.words import dice


@cache
def places(track: str | tuple[str, ...]) -> tuple[str, ...]:
    """Return the places of a track in order (GD-2): "4" a number, "2*" a star."""
    if isinstance(track, tuple):
        return track
    stars = {number: (f"{number // 2}*",) if number % 2 == 0 else () for number in NUMBERS}
    before = track == "half_before"
    return tuple(
        place
        for number in NUMBERS
        for place in ((*stars[number], str(number)) if before else (str(number), *stars[number]))
    )


@cache
def _order(track: str | tuple[str, ...]) -> Mapping[str, int]:
    return {place: index for index, place in enumerate(places(track))}


def is_star(space: str) -> bool:
    """Return True if a place is a star: for ones only."""
    return space.endswith("*")


def wanted(space: str) -> int:
    """Return how many dice a bid on a place claims: 4 on "4", 2 on "2*"."""
    return int(space.rstrip("*"))


def faces(space: str, house: House) -> range:
    """Return the faces that may be bid on a place (GD-4, GD-A2)."""
    if is_star(space):
        return range(1, 2)
    return range(1 if house["ones_on_number_space"] else 2, 7)


def check_bid(bid: Bid, before: Bid | None, house: House, in_play: int) -> None:
    """Raise Illegal unless *bid* may follow the bid *before*, None opening a round (GD-4)."""
    order = _order(house["track"])
    if bid.space not in order:
        text = _("there is no place {place} on this board", place=raw(bid.space))
        raise Illegal(bid, text, "GD-2")
    if bid.face not in faces(bid.space, house):
        check_pips(bid, [bid.face], "GD-4")
        if is_star(bid.space):
            text = _(
                "star {number} stands for ones only, not for {faces}",
                number=wanted(bid.space),
                faces=_faces(bid.face),
            )
            raise Illegal(bid, text, "GD-4")
        raise Illegal(bid, _("ones are wild on a number place; bid them on a star"), "GD-A2")
    if house["cap_at_dice_in_play"] and (number := wanted(bid.space)) > in_play:
        text = _("{number} is more than the {dice} in play", number=number, dice=dice(in_play))
        raise Illegal(bid, text, "GD-A6")
    if before is not None and (order[bid.space], bid.face) <= (order[before.space], before.face):
        text = _("{bid} is not higher than {before}", bid=said(bid), before=said(before))
        raise Illegal(bid, text, "GD-4")


def raises(before: Bid | None, house: House, in_play: int) -> Iterator[Bid]:
    """Yield the bids that may follow *before*, the lowest first."""
    order = _order(house["track"])
    place = -1 if before is None else order[before.space]
    for space in places(house["track"])[max(place, 0) :]:
        if house["cap_at_dice_in_play"] and wanted(space) > in_play:
            continue
        for face in faces(space, house):
            if before is None or order[space] > place or face > before.face:
                yield Bid(space, face)


def matches(die: int, bid: Bid) -> bool:
    """Return True if a die counts for a bid (GD-5): its face or a wild one; for ones, ones only."""
    return die in (1, bid.face)


def count(bid: Bid, dice: Iterable[int]) -> int:
    """Return how many of the dice count for a bid (GD-5)."""
    return sum([matches(die, bid) for die in dice])


def who_loses(
    bid: Bid, found: int, *, bidder: int, caller: int, playing: Sequence[int], exact: str = "none"
) -> tuple[int, ...]:
    """Return the seats that lose a die when a bid is called and *found* dice match (GD-5)."""
    if found < wanted(bid.space):
        return (bidder,)
    if exact == "all_others_lose" and found == wanted(bid.space):
        return tuple(seat for seat in playing if seat != bidder)
    return (caller,)


def cost(bid: Bid, found: int, loss: str) -> int:
    """Return how many dice a call costs: one, or as many as the bid was off (GD-6, GD-A15)."""
    return max(1, abs(found - wanted(bid.space))) if loss == "difference" else 1


def said(bid: Bid) -> Message:
    """Return a bid in words: "4 threes", "star 2"."""
    number = wanted(bid.space)
    return _("star {number}", number=number) if is_star(bid.space) else so_many(bid.face, number)


def count_said(bid: Bid, found: int) -> Message:
    """Return "12 fives, ones included"."""
    counted = so_many(bid.face, found)
    return counted if bid.face == 1 else _("{count}, ones included", count=counted)


def so_many(face: int, number: int) -> Message:
    """Return a count of a face in words: "1 six", "4 threes"."""
    match face:
        case 1:
            return ngettext("{n} one", "{n} ones", number)
        case 2:
            return ngettext("{n} two", "{n} twos", number)
        case 3:
            return ngettext("{n} three", "{n} threes", number)
        case 4:
            return ngettext("{n} four", "{n} fours", number)
        case 5:
            return ngettext("{n} five", "{n} fives", number)
        case _:
            return ngettext("{n} six", "{n} sixes", number)


def _faces(face: int) -> Message:
    return (_("ones"), _("twos"), _("threes"), _("fours"), _("fives"), _("sixes"))[face - 1]
