"""Gords: the track and the bids on it (GD-2, GD-4, GD-5)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache

from scorer.dice import check_pips
from scorer.game import (
    House,
    Illegal,
)
from scorer.games.gords.moves import Bid
from scorer.games.gords.settings import FACES, NUMBERS

# ---------------------------------------------------------------- the track and a bid


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
    """Say whether a place is a star: for ones only."""
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
        raise Illegal(bid, f"there is no place {bid.space} on this board", "GD-2")
    if bid.face not in faces(bid.space, house):
        check_pips(bid, [bid.face], "GD-4")
        if is_star(bid.space):
            text = f"star {wanted(bid.space)} stands for ones only, not for {plural(bid.face)}"
            raise Illegal(bid, text, "GD-4")
        raise Illegal(bid, "ones are wild on a number place; bid them on a star", "GD-A2")
    if house["cap_at_dice_in_play"] and wanted(bid.space) > in_play:
        text = f"{wanted(bid.space)} is more than the {in_play} dice in play"
        raise Illegal(bid, text, "GD-A6")
    if before is not None and (order[bid.space], bid.face) <= (order[before.space], before.face):
        raise Illegal(bid, f"{said(bid)} is not higher than {said(before)}", "GD-4")


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
    """Say whether a die counts for a bid (GD-5): its face or a wild one; for ones, ones only."""
    return die in (1, bid.face)


def count(bid: Bid, dice: Iterable[int]) -> int:
    """Return how many of the dice count for a bid (GD-5)."""
    return sum(matches(die, bid) for die in dice)


def who_loses(
    bid: Bid, found: int, *, bidder: int, caller: int, playing: Sequence[int], exact: str = "none"
) -> tuple[int, ...]:
    """Return the seats that lose a die when a bid is called and *found* dice match (GD-5).

    `playing` are the seats with dice, `exact` is the house rule of that name (GD-A7).
    """
    if found < wanted(bid.space):
        return (bidder,)
    if exact == "all_others_lose" and found == wanted(bid.space):
        return tuple(seat for seat in playing if seat != bidder)
    return (caller,)


def said(bid: Bid) -> str:
    """Return a bid in words: "4 threes", "star 2"."""
    number = wanted(bid.space)
    if is_star(bid.space):
        return f"star {number}"
    return f"{number} {FACES[bid.face] if number == 1 else plural(bid.face)}"


def count_said(bid: Bid, found: int) -> str:
    """Return "12 fives, ones included"."""
    wild = "" if bid.face == 1 else ", ones included"
    return f"{found} {FACES[bid.face] if found == 1 else plural(bid.face)}{wild}"


def plural(face: int) -> str:
    return FACES[face] + ("es" if face == 6 else "s")
