"""Gords: five hidden dice each, bids on how many of a face lie under all cups, ones wild.

A bid is a place on the board's track and the face of the white die. Number place 4 with face 6:
"among all dice at least four are sixes or ones". Star place 2*: "at least two are ones". The next
player bids higher or calls; then all dice are shown and the one who was wrong loses a die.

Rule ids are those of RULES.md. The board's picture is lost and the text is silent on some points;
we rule that

* the track runs 1 1* 2 3 2* 4 5 3* 6 …, or 1 2 1* 3 4 2* …, or as on your board (GD-A1, `track`);
* ones are not bid on a number place; where they are, only ones count (GD-A2,
  `ones_on_number_space`);
* only the next player may call (GD-A3, `call_by`);
* the last player with dice wins, however many they are (GD-A4);
* the first bid of a round may be any, also a star (GD-A5);
* a bid above the dice in play is allowed, and said to be one (GD-A6, `cap_at_dice_in_play`);
* exactly right is right, and wins nothing more (GD-A7, `exact`);
* after a star the next number place follows (GD-A8);
* a lost die goes on the board, whoever lost it (GD-A9), and closes no place there (GD-A13);
* seats follow clockwise (GD-A10), and after the highest bid of all one can only call (GD-A11);
* fallen dice are rolled again before the first bid, so they enter no record (GD-A12).

Who bids first in round one is agreed; then the last caller does (GD-7). Dice enter when shown.
"""

from __future__ import annotations

import re
import textwrap
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from scorer.board import Board
from scorer.coach import coach_of
from scorer.dice import check_pips, falls
from scorer.game import (
    Because,
    Difference,
    Doubt,
    Equipment,
    House,
    Illegal,
    NotAMove,
    Proposal,
    Result,
    Setting,
    Spot,
    check_seats,
    choice,
    game_of,
    settle,
)
from scorer.match import in_rounds, match_of
from scorer.one_photo import Facts, NotScored, OnePhoto, PhotoScore, likeliest
from scorer.phases import Phase, Phases, over
from scorer.printed import track
from scorer.repair import Seen, dice_doubts, dice_options, likely, stories, unread
from scorer.table import Die, Table
from scorer.values import changed
from scorer.words import counted, listed, player, players, spelled

TITLE = "Gords"
SEATS = range(2, 7)
HAND = 5  # dice of each player
NUMBERS = range(1, 21)  # number places of the two documented boards
FACES = ("", "one", "two", "three", "four", "five", "six")
COLOURS = ("red", "blue", "green", "yellow", "orange", "purple")
MARKER = "white"  # the colour of the die that shows the bid
PALETTE = (*COLOURS, "pink", "black", "grey", "brown", "clear")  # what players' dice may be


def _listed(value: object) -> tuple[str, ...]:
    """Return a list of words, sent as a list or typed with commas or blanks between them."""
    words = re.findall(r"[^\s,]+", value) if isinstance(value, str) else value
    if not isinstance(words, (list, tuple)) or not all(isinstance(word, str) for word in words):
        raise ValueError(f"a list of words is wanted, not {value!r}")
    if not words:
        raise ValueError("at least one word is wanted")
    for word, count in Counter(words).items():
        if count > 1:
            raise ValueError(f"{word} stands there {count} times")
    return tuple(words)


def _track(value: object) -> tuple[str, ...]:
    track = _listed(value)
    for place in track:
        if not re.fullmatch(r"[1-9][0-9]?\*?", place):
            raise ValueError(f"a place is a number or a star, like 4 or 2*, not {place!r}")
    return track


def _colours(value: object) -> tuple[str, ...]:
    colours = _listed(value)
    if MARKER in colours:
        raise ValueError("the white die shows the bid, so no player has white dice")
    return colours


def _apart(value: object) -> tuple[str, ...]:
    """Return the players' colours; raises ValueError where two have the same."""
    given = Counter(value) if isinstance(value, (list, tuple)) else Counter[object]()
    for colour, count in given.items():
        if count > 1:
            raise ValueError(f"{count} players cannot all have {colour} dice; change some of them")
    return _colours(value)


SETTINGS = (
    Setting(
        "track",
        "The order of numbers and stars on your board",
        "half_before",
        {
            "half_before": "1 1* 2 3 2* 4 5 3* 6 …: each star before the number twice as high",
            "half_after": "1 2 1* 3 4 2* 5 6 3* …: each star after the number twice as high",
        },
        "GD-A1",
        read=_track,
        example="1, 2, 1*, 3, 4, 2*, 5, 6, 3*",
    ),
    Setting(
        "ones_on_number_space",
        "Bidding ones on a number place",
        False,
        {False: "Not allowed: ones have the stars", True: "Allowed: then only ones count"},
        "GD-A2",
    ),
    choice(
        "call_by",
        "Who may call a bid",
        "GD-A3",
        next="Only the next player",
        anyone="Everybody but the bidder",
    ),
    Setting(
        "cap_at_dice_in_play",
        "A bid of more than the dice in play",
        False,
        {False: "Allowed: it can only be a bluff", True: "Not allowed"},
        "GD-A6",
    ),
    choice(
        "exact",
        "When a called bid is exactly right",
        "GD-A7",
        none="The caller loses a die",
        all_others_lose="Everybody but the bidder loses one",
    ),
    Setting(
        "colours",
        "The colours of the dice, first player first",
        COLOURS,
        rule="GD-1",
        read=_apart,
        example="red, blue, green",
        per_seat=PALETTE,
    ),
)


# ---------------------------------------------------------------- moves


@dataclass(frozen=True, slots=True)
class Agree:
    """The players settled at the table who bids first (seat from 0)."""

    starter: int


@dataclass(frozen=True, slots=True)
class Bid:
    """The white die goes to *space*, "4" or "2*", with *face* up."""

    space: str
    face: int


@dataclass(frozen=True, slots=True)
class Call:
    """The player at *seat* doubts the bid; all dice are shown."""

    seat: int


@dataclass(frozen=True, slots=True)
class Reveal:
    """The player at *seat* shows the dice, in any order."""

    seat: int
    dice: tuple[int, ...]

    def __post_init__(self) -> None:
        """Put the dice in order, so that equal hands are equal moves."""
        object.__setattr__(self, "dice", tuple(sorted(self.dice)))


@dataclass(frozen=True, slots=True)
class Count:
    """So many of all the dice count for the bid that was called, wild ones included.

    It stands for every hand that is still to be shown.
    """

    found: int


Move = Agree | Bid | Call | Reveal | Count


# ---------------------------------------------------------------- state


@dataclass(frozen=True, slots=True)
class Showdown:
    """A called bid: who bid, who called, how many matching dice there were, who lost a die."""

    bid: Bid
    bidder: int
    caller: int
    found: int
    losers: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class State:
    """Everything the rules need: the dice left, the bid that stands, the dice shown so far."""

    house: House
    dice: tuple[int, ...]  # a seat: dice left
    seat: int | None = None  # who bids or calls next; None: not agreed yet
    bid: Bid | None = None
    bidder: int | None = None
    caller: int | None = None  # set while dice are shown
    shown: tuple[tuple[int, ...], ...] = ()  # a seat: its dice, () while hidden
    past: tuple[Showdown, ...] = ()


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
            text = f"star {wanted(bid.space)} stands for ones only, not for {_plural(bid.face)}"
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
    return f"{number} {FACES[bid.face] if number == 1 else _plural(bid.face)}"


def _plural(face: int) -> str:
    return FACES[face] + ("es" if face == 6 else "s")


# ---------------------------------------------------------------- the players


def dice_left(lost: Sequence[int]) -> tuple[int, ...]:
    """Return each player's dice after so many lost ones (GD-6); raises Illegal beyond five."""
    for seat, number in enumerate(lost):
        if not 0 <= number <= HAND:
            raise Illegal(lost, f"{player(seat)} had 5 dice and cannot have lost {number}", "GD-6")
    return tuple(HAND - number for number in lost)


def alive(dice: Sequence[int]) -> tuple[int, ...]:
    """Return the seats that still have dice."""
    return tuple(seat for seat, number in enumerate(dice) if number)


def next_seat(dice: Sequence[int], seat: int) -> int:
    """Return the next seat in rotation that still has dice."""
    other = (seat + 1) % len(dice)
    while not dice[other]:
        other = (other + 1) % len(dice)
    return other


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
    if seat not in _hidden(state):
        raise Illegal(move, *_why_no_reveal(state, seat))
    if len(dice) != state.dice[seat]:
        text = f"{player(seat)} has {counted(state.dice[seat], 'die', 'dice')}, not {len(dice)}"
        raise Illegal(move, text, "GD-6")
    check_pips(move, dice, "GD-1")
    shown = (*state.shown[:seat], dice, *state.shown[seat + 1 :])
    if _hidden(state) == (seat,):
        return _settle(state, _matching(state, shown))
    return changed(state, shown=shown)


def _shows(state: State) -> Iterator[Move]:
    yield from map(Count, _countable(state))
    for seat in _hidden(state):
        yield from (Reveal(seat, dice) for dice in falls(state.dice[seat]))


def _count(state: State, move: Count) -> State:
    possible = _countable(state)
    if move.found < possible[0]:
        raise Illegal(move, f"{_count_said(state, possible[0])} are shown already", "GD-5")
    if move.found > possible[-1]:
        raise Illegal(move, f"at most {_count_said(state, possible[-1])} can be there", "GD-5")
    return _settle(state, move.found)


def _countable(state: State) -> range:
    """Return how many dice may match the called bid, by those shown and those still hidden."""
    shown = _matching(state, state.shown)
    return range(shown, shown + sum(state.dice[seat] for seat in _hidden(state)) + 1)


def _matching(state: State, shown: Iterable[Iterable[int]]) -> int:
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


def _hidden(state: State) -> tuple[int, ...]:
    """Return the seats whose dice are still to be shown, once a bid is called."""
    return tuple(seat for seat in alive(state.dice) if not state.shown[seat])


def _settle(state: State, found: int) -> State:
    """Return the next round's state: dice lost, the caller or the next one with dice bidding."""
    showdown = _showdown(state, found)
    dice = tuple(number - (seat in showdown.losers) for seat, number in enumerate(state.dice))
    caller = showdown.caller
    starter = caller if dice[caller] else next_seat(dice, caller)
    return State(state.house, dice, starter, past=(*state.past, showdown))


def _showdown(state: State, found: int) -> Showdown:
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


def result(state: State) -> Result | None:
    """Return the last player with dice (GD-A4)."""
    if not is_over(state):
        return None
    (winner,) = alive(state.dice)
    left = counted(state.dice[winner], "die", "dice")
    return Result((winner,), f"{player(winner)} wins: the last with dice, {left} left")


def explain(state: State) -> tuple[Because, ...]:
    """Return the five dice of each player and every die lost since, with the bid that cost it."""
    entries = [Because(seat, HAND, "start", "five dice", "GD-1") for seat in range(len(state.dice))]
    for number, showdown in enumerate(state.past, start=1):
        text = _showdown_said(showdown)
        exact = len(showdown.losers) > 1
        entries += [
            Because(seat, -1, f"round {number}", text, "GD-A7" if exact else "GD-5")
            for seat in showdown.losers
        ]
    return tuple(entries)


def _showdown_said(showdown: Showdown) -> str:
    """Return "player 2 bid 4 sixes, player 3 called: 3 there, player 2 loses a die"."""
    losers = players(showdown.losers)
    exactly = "exactly " if showdown.found == wanted(showdown.bid.space) else ""
    return (
        f"{player(showdown.bidder)} bid {said(showdown.bid)}, {player(showdown.caller)} "
        f"called: {exactly}{showdown.found} there, {losers} "
        f"{'loses' if len(showdown.losers) == 1 else 'lose'} a die"
    )


def _with_colours(state: State, seats: Sequence[int]) -> str:
    """Return players with the colours of their dice: "player 1 (red) and player 2 (blue)"."""
    named = [f"{player(seat)} ({_colour(state, seat)})" for seat in seats]
    return listed(named)


def draw(state: State) -> tuple[str, ...]:
    """Return the track with the bid that stands, as far as dice are in play, and the hands."""
    in_play, track = sum(state.dice), places(state.house["track"])
    upto = max(in_play, wanted(state.bid.space) if state.bid else 0)
    shown = [
        f"[{place}: {FACES[state.bid.face]}]" if state.bid and place == state.bid.space else place
        for place in track
        if wanted(place) <= (upto / 2 if is_star(place) else upto)
    ]
    lines = textwrap.wrap("  ".join(shown), 44, break_on_hyphens=False)
    board = "\n".join(["the track of bids", *(f"  {line}" for line in lines)])
    hands = ", ".join(
        f"{_colour(state, seat)} {number}" for seat, number in enumerate(state.dice) if number
    )
    return (f"{board}\ndice under the cups: {hands}",)


def prompt(state: State) -> str:
    """Return what is to be done next, in one sentence."""
    ended = result(state)
    if ended is not None:
        return ended.why
    if state.seat is None:
        return "agree who bids first"
    who = _with_colours(state, (state.seat,))
    if state.bid is None:
        return f"{who} bids first; {sum(state.dice)} dice are in play"
    standing = f"{said(state.bid)}{_bluff_said(state, state.bid)}"
    if state.caller is not None:
        waiting = _with_colours(state, _hidden(state))
        return f"{player(state.caller)} has called {standing}: {waiting} to show the dice"
    if not any(True for _ in raises(state.bid, state.house, sum(state.dice))):
        return f"nothing is higher than {standing}: {who} must call"
    anyone = "; anybody else may call" if state.house["call_by"] == "anyone" else ""
    return f"{who} bids higher than {standing}, or calls{anyone}"


def _count_said(state: State, found: int) -> str:
    """Return "12 fives, ones included"."""
    assert state.bid is not None
    face = state.bid.face
    wild = "" if face == 1 else ", ones included"
    return f"{found} {FACES[face] if found == 1 else _plural(face)}{wild}"


def _bluff_said(state: State, bid: Bid) -> str:
    in_play = sum(state.dice)
    return f" (only {in_play} dice are in play)" if wanted(bid.space) > in_play else ""


def describe(state: State, move: Move) -> str:
    """Return *move*, made in *state*, in words."""
    match move:
        case Agree(starter):
            return f"{player(starter)} bids first"
        case Bid():
            return f"player {(state.seat or 0) + 1} bids {said(move)}{_bluff_said(state, move)}"
        case Call(seat):
            standing = "" if state.bid is None else f" {said(state.bid)}"
            return f"{player(seat)} calls{standing}"
        case Reveal(seat, dice):
            text = f"{player(seat)} shows {' '.join(map(str, dice))}"
            if _hidden(state) != (seat,):
                return text
            shown = (*state.shown[:seat], dice, *state.shown[seat + 1 :])
            return f"{text} – {_showdown_said(_showdown(state, _matching(state, shown)))}"
        case Count(found):
            return f"{_count_said(state, found)} – {_showdown_said(_showdown(state, found))}"


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
            _hidden,
            _shows,
            {Reveal: _reveal, Count: _count},
            ("{caller} has called; now the dice are shown", "GD-5"),
            {Agree: AGREED, Call: ("{caller} has called already", "GD-5")},
        ),
    },
    lambda state: {"caller": player(state.caller or 0)},
)
apply, legal_moves, to_move = PHASES.apply, PHASES.legal_moves, PHASES.to_move


# ---------------------------------------------------------------- what one photo tells


def _bid_read(value: object) -> tuple[str, int]:
    """Read a bid as players say it: "4 sixes", "4 6", "star 2", "2*"; returns place and face."""
    text = str(value).strip().lower()
    if star := re.fullmatch(r"star\s*(\d+)|(\d+)\s*(?:\*|stars?)", text):
        return f"{star[1] or star[2]}*", 1
    number = re.fullmatch(r"(\d+)[\s,x×-]+(\w+)", text)
    words = {word: face for face in range(1, 7) for word in (FACES[face], _plural(face), str(face))}
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


# ---------------------------------------------------------------- what the camera saw


MARKERS_OF = {"half_before": 80, "half_after": 120, "own": 160}


def boards(house: House) -> tuple[Board, ...]:
    """Return the track in the order that is played; each order has fiducials of its own (GD-A1)."""
    order = house["track"]
    first = MARKERS_OF.get(order, MARKERS_OF["own"])
    return (track("track:gords", TITLE, places(order), first),)


def equipment(state: State) -> Equipment:
    """Return the white die on the board while they bid, then the players' dice by colour.

    A cell (0, i) of the board is place i of the track. Lost dice and the white die may lie in the
    picture as well, so the number of dice is left open.
    """
    hands = {_colour(state, seat): HAND for seat in range(len(state.dice))}
    colours_lying = {**hands, MARKER: 1}
    if state.caller is None:
        track = places(state.house["track"])
        bid = state.bid and (Die(state.bid.face, MARKER, (0, track.index(state.bid.space))),)
        board = Spot("the board", Table(bid or ()))
        return Equipment("board:gords", colours=colours_lying, spots=(board,), places=track)
    return Equipment(colours=colours_lying)


def _colour(state: State, seat: int) -> str:
    colour: str = state.house["colours"][seat]
    return colour


def colours(state: State) -> tuple[str, ...]:
    """Return the colour of each seat's dice (GD-1)."""
    return tuple(_colour(state, seat) for seat in range(len(state.dice)))


def observe(state: State, table: Table) -> Proposal:
    """Return the bid that the white die shows, or once it is called the dice of each player."""
    if is_over(state):
        return Proposal.differs("the game is over", "GD-8")
    if state.seat is None:
        return Proposal.differs("settle first who bids first", "GD-7")
    if state.caller is None:
        return _seen_bid(state, table)
    return _seen_dice(state, table)


def _seen_bid(state: State, table: Table) -> Proposal:
    track = places(state.house["track"])
    lying = [(i, die, _on_track(die, track)) for i, die in enumerate(table.dice)]
    on_track = [(i, die, space) for i, die, space in lying if space]

    def bids(read: Sequence[Seen]) -> list[Bid]:
        """Return the bid that the one white die shows: the one that stands, or a legal one."""
        white = [
            Bid(space, value)
            for (colour, value), (_, _, space) in zip(read, on_track, strict=True)
            if colour == MARKER
        ]
        return [bid for bid in white if bid == state.bid or not _refusal(state, bid)]

    dice = [die for _, die, _ in on_track]
    every = {colour for die in dice for colour in (die.colour, *(name for name, _ in die.colours))}
    options = dice_options(dice, every)
    told = stories(options, lambda read: bids(read) if _whites(read) == 1 else ())
    if not told:
        white = [one for one in on_track if one[1].colour == MARKER]
        fault = _refusal(state, Bid(white[0][2], white[0][1].value)) if len(white) == 1 else None
        if fault:
            return Proposal.differs(fault.reason, fault.rule, ("dice", white[0][0]))
        text = f"{len(white)} white dice were seen on the track; one shows the bid"
        if not on_track and state.bid is None:  # an empty track is how a round begins
            return Proposal(doubts=(Doubt(text),))
        return Proposal.differs(text, "GD-4")
    best = told[0].meaning
    markers = [at for at in range(len(dice)) if any(one.reading[at][0] == MARKER for one in told)]
    readings = [[one.reading[at] for at in markers] for one in told]
    doubts = list(dice_doubts([on_track[at][:2] for at in markers], readings))
    if best == state.bid:
        doubts.insert(0, Doubt(f"the white die still shows {said(best)}"))
        return Proposal(doubts=tuple(doubts))
    last = state.past[-1].bid if state.past and state.bid is None else None
    if last in [one.meaning for one in told]:
        doubts.append(Doubt(f"the last round ended with {said(best)} there: is this a new bid?"))
    return Proposal((best,), tuple(doubts), complete=True)  # there is one white die


def _on_track(die: Die, track: Sequence[str]) -> str:
    """Return the place of the track a die lies on, "" for none."""
    row, column = die.cell or (-1, -1)
    return track[column] if row == 0 and 0 <= column < len(track) else ""


def _whites(read: Sequence[Seen]) -> int:
    return sum(colour == MARKER for colour, _ in read)


def _refusal(state: State, bid: Bid) -> Illegal | None:
    try:
        check_bid(bid, state.bid, state.house, sum(state.dice))
    except Illegal as fault:
        return fault
    return None


def _seen_dice(state: State, table: Table) -> Proposal:
    """Return what the players show, told apart by colour; a player may be out of the picture.

    Each player's dice are counted. If a doubtful colour would make the numbers right it is taken.
    """
    owners = {_colour(state, seat): seat for seat in _hidden(state)}
    colours = {MARKER, *(_colour(state, seat) for seat in range(len(state.dice)))}
    options = [_known_colours(die, colours) for die in table.dice]
    foreign = [(die.colour, i) for i, die in enumerate(table.dice) if not options[i]]
    if foreign:
        return Proposal(differences=tuple(_foreign(foreign)))

    def hands(colours: Sequence[str]) -> dict[int, list[int]]:
        """Return the dice of each player still to show, as indices."""
        found: dict[int, list[int]] = {}
        for i, colour in enumerate(colours):
            if colour in owners:
                found.setdefault(owners[colour], []).append(i)
        return {seat: _in_hand(table, hand, state.dice[seat]) for seat, hand in found.items()}

    def shown(colours: Sequence[str]) -> list[frozenset[tuple[int, tuple[int, ...]]]]:
        """Return what each player shows, if the numbers fit."""
        found = hands(colours)
        if any(len(hand) != state.dice[seat] for seat, hand in found.items()):
            return []
        return [frozenset((seat, _values(table, hand)) for seat, hand in found.items())]

    told = stories(options, shown)
    if not told:
        likeliest = hands([readings[0][0] for readings in options])
        return Proposal(differences=tuple(_miscounted(state, likeliest)))
    chosen = told[0].reading
    found = hands(chosen)
    if not found:
        return Proposal.differs("no dice of a player were seen", "GD-5")
    faces_wrong = [i for hand in found.values() for i in hand if not 1 <= table.dice[i].value <= 6]
    if faces_wrong:
        return Proposal(differences=tuple(_no_face(table.dice[i].value, i) for i in faces_wrong))
    moves = tuple(Reveal(seat, _values(table, found[seat])) for seat in sorted(found))
    doubts = (
        *_recoloured(table, [one.reading for one in told]),
        *_perhaps_lost(state, table, found),
    )
    # Where dice were lost, a lost one may lie there for one of the hand that was missed.
    complete = all(state.dice[seat] == HAND for seat in found)
    return Proposal(moves, (*doubts, *_still_open(state, table, found)), complete=complete)


def _values(table: Table, hand: Iterable[int]) -> tuple[int, ...]:
    return tuple(sorted(table.dice[i].value for i in hand))


def _known_colours(die: Die, colours: Collection[str]) -> list[tuple[str, float]]:
    """Return the colours of this game a die may have, the likeliest first."""
    readings = ((die.colour, 1.0), *die.colours)
    return [(colour, chance) for colour, chance in readings if colour in colours]


def _in_hand(table: Table, hand: list[int], number: int) -> list[int]:
    """Return a player's dice without the lost ones that lie on the board, if these explain it."""
    off_board = [i for i in hand if table.dice[i].cell is None]
    return off_board if len(hand) != number == len(off_board) else hand


def _foreign(dice: Sequence[tuple[str, int]]) -> Iterator[Difference]:
    count = Counter(colour for colour, _ in dice)
    for colour, i in dice:
        many = f"{spelled(count[colour])} {colour} dice belong"
        text = f"{f'a {colour} die belongs' if count[colour] == 1 else many} to no player here"
        yield Difference(text, "GD-1", ("dice", i))


def _no_face(value: int, piece: int) -> Difference:
    return Difference(f"a die shows 1 to 6, and {value} was read", "GD-1", ("dice", piece))


LEAVE_OUT = "Leave lost dice out of the picture."


def _miscounted(state: State, hands: Mapping[int, Sequence[int]]) -> Iterator[Difference]:
    """Yield which colours cannot be as they were counted, and which others they may be."""
    off = {seat: len(hands.get(seat, ())) - state.dice[seat] for seat in _hidden(state)}
    short = [seat for seat, more in off.items() if more < 0]
    some_too_many = any(more > 0 for more in off.values())
    for seat, more in off.items():
        seen = state.dice[seat] + more
        if more > 0 and short:
            maybe = listed([_colour(state, other) for other in short], "or")
            lost = f" {LEAVE_OUT}" if state.dice[seat] < HAND else ""
            text = f"{_counted(state, seat, seen)}. Are some {maybe}?{lost}"
            yield Difference(text, "GD-6")
        elif more > 0:
            yield Difference(f"{_counted(state, seat, seen)}. {LEAVE_OUT}", "GD-6")
        elif more < 0 and seen and not some_too_many:
            yield Difference(f"{_counted(state, seat, seen)}. Show all of them.", "GD-6")


def _counted(state: State, seat: int, seen: int) -> str:
    """Return "ten blue dice are seen, player 2 holds five"."""
    dice = f"{spelled(seen)} {_colour(state, seat)} {'die is' if seen == 1 else 'dice are'}"
    return f"{dice} seen, {player(seat)} holds {spelled(state.dice[seat])}"


def _recoloured(table: Table, readings: Sequence[Sequence[str]]) -> Iterator[Doubt]:
    """Yield a doubt for each die of another colour than it looks; of several alike one sentence."""
    chosen = readings[0]
    looks = Counter((die.colour, took) for die, took in zip(table.dice, chosen, strict=True))
    for i, (die, took) in enumerate(zip(table.dice, chosen, strict=True)):
        others = dict.fromkeys(read[i] for read in readings if read[i] != took)
        if die.colour != took:
            many = looks[die.colour, took]
            look = "a die looks" if many == 1 else f"{spelled(many)} dice look"
            text = f"{look} {die.colour}; taken as {took}, so that the numbers fit"
            yield Doubt(text, ("dice", i), (took, die.value))
        elif others:
            yield Doubt(f"the {took} {die.value} may be {' or '.join(others)}", ("dice", i))


def _perhaps_lost(
    state: State, table: Table, hands: Mapping[int, Sequence[int]]
) -> Iterator[Doubt]:
    """Yield the dice of a hand that lie on the board, as do those that the player has lost."""
    for seat, hand in hands.items():
        on_board = [i for i in hand if table.dice[i].cell is not None]
        if len(on_board) <= HAND - state.dice[seat]:
            for i in on_board:
                which = f"{player(seat)}'s {_colour(state, seat)} {table.dice[i].value}"
                text = f"{which} lies on the board: is it a lost die, and one of the hand hidden?"
                yield Doubt(text, ("dice", i))


def _still_open(state: State, table: Table, hands: Mapping[int, Sequence[int]]) -> Iterator[Doubt]:
    """Yield who was not seen, and the doubtful dice on which the call may hinge, no others."""
    missing = [seat for seat in _hidden(state) if seat not in hands]
    if missing:
        yield Doubt(f"the dice of {players(missing)} were not seen", about="progress")
    bid = state.bid
    assert bid is not None
    sure = _matching(state, state.shown)
    swinging: list[tuple[int, int, str]] = []  # seat, die, what would tell otherwise
    for seat, i in ((seat, i) for seat, hand in hands.items() for i in hand):
        die = table.dice[i]
        counts = matches(die.value, bid)
        others = [v for v in likely(die.values, die.confidence) if matches(v, bid) != counts]
        if others:
            swinging.append((seat, i, f"which might be a {others[0]}"))
        elif unread(die, sum(p for v, p in die.values if matches(v, bid) == counts)):
            swinging.append((seat, i, "which may be misread"))
        else:
            sure += counts
    open_dice = len(swinging) + sum(state.dice[seat] for seat in missing)
    if len({_showdown(state, found).losers for found in range(sure, sure + open_dice + 1)}) == 1:
        return
    for seat, i, why in swinging:
        which = f"{player(seat)}'s {_colour(state, seat)} {table.dice[i].value}"
        yield Doubt(f"the call hinges on {which}, {why}", ("dice", i))


ONE = game_of(
    "gords",
    1,
    globals(),
    one_photo=OnePhoto(looks, tell, (FACT,)),
    unseen=(Agree, Call),
    several={"Reveal": "players show their dice"},
    hand="1 4 4 5 6",
    coach=coach_of("gords"),
)
GAME = match_of(in_rounds(ONE))
