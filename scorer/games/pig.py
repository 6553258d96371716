"""Pig: roll one die as often as you dare, then hold; a 1 loses what the turn has brought.

The game is common property and its written rules agree, but for who begins: player 1 does. With
two dice it is Two-Dice Pig (PIG-A1) or Big Pig (PIG-A2), as in the variants of Wikipedia's "Pig
(dice game)".
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from typing import NamedTuple

from scorer.advice import coach_of
from scorer.attendance import SCORE_STANDS, Attendance, without_points
from scorer.dice import PIPS, check_pips, falls
from scorer.entry import PadKey, TableEntry, Taps, one_of, two_dice
from scorer.errors import Illegal
from scorer.game import Because, Equipment, Facts, OnePhoto, PhotoScore, Result
from scorer.match import match_of
from scorer.match.offer import in_rounds
from scorer.messages import Message, _, joined, ngettext
from scorer.parts import game_of
from scorer.photo.one_photo import moves_of
from scorer.photo.rolls import Pips, Thrown, rolled, turns
from scorer.printed import DICE_MAT
from scorer.proposal import Proposal
from scorer.seats import put, rounds_of
from scorer.settings import House, Setting, check_seats, choice, settle
from scorer.table import Table
from scorer.values import Paged, appended, changed
from scorer.words import just, pair_said, player, spelled
from scorer.words import points as points_said

TITLE = "Pig"
SEATS = range(2, 11)
SETTINGS = (
    choice(
        "variant",
        _("Which game you play"),
        "PIG-A1",
        one=_("Pig: one die"),
        two=_("Two-Dice Pig: two 1s lose all that you have banked"),
        big=_("Big Pig: two dice, two 1s add 25 and other doubles count twice"),
    ),
    Setting("target", _("Points that win the game"), 100, range(10, 1001), "PIG-4"),
    choice(
        "holds",
        _("How a player holds"),
        "PIG-3",
        said=_("The player says so"),
        shown=_("A photo of the table without dice, which are passed on"),
    ),
)


@dataclass(frozen=True, slots=True)
class Roll:
    """The one die as it fell."""

    pips: int


@dataclass(frozen=True, slots=True)
class RollPair(Thrown):
    """Both dice as they fell."""


@dataclass(frozen=True, slots=True)
class Hold:
    """The player in turn banks what the turn has brought."""


Move = Roll | Hold | RollPair
DICE = {"one": 1, "two": 2, "big": 2}  # by variant
BIG_PIG = 25  # points of two 1s


class PigTurn(NamedTuple):
    """A finished turn: whose, its rolls, and what it brought or lost."""

    seat: int
    rolls: tuple[Pips, ...]
    points: int


@dataclass(frozen=True, slots=True)
class State:
    """The banked scores, the rolls of the turn in play and of all turns before."""

    house: House
    scores: tuple[int, ...]
    seat: int = 0  # whose turn
    rolls: tuple[Pips, ...] = ()
    past: Paged[PigTurn] = ()


def fate(dice: Pips, variant: str) -> int | None:
    """Return the points that a roll adds to its turn, None if it ends it (PIG-1, PIG-2, PIG-A2)."""
    if variant == "big" and dice[0] == dice[-1]:
        return BIG_PIG if dice[0] == 1 else 2 * sum(dice)
    return None if 1 in dice else sum(dice)


FATES = {  # of every roll: each move asks for one
    variant: {dice: fate(dice, variant) for dice in falls(number)}
    for variant, number in DICE.items()
}


def _rule(dice: Pips, variant: str) -> str:
    if variant == "big" and dice[0] == dice[-1]:
        return "PIG-A2"
    if fate(dice, variant) is None:
        return "PIG-A1" if loses_all(dice, variant) else "PIG-2"
    return "PIG-1" if variant == "one" else "PIG-A1"


def loses_all(dice: Pips, variant: str) -> bool:
    """Return True if a roll loses what is banked too (PIG-A1)."""
    return variant == "two" and dice == (1, 1)


def at_stake(state: State) -> int:
    """Return what the turn in play has brought so far."""
    variant = state.house["variant"]
    return sum([fate(dice, variant) or 0 for dice in state.rolls])


def dice_of(state: State) -> int:
    """Return how many dice are rolled."""
    return DICE[state.house["variant"]]


def start(seats: int, settings: Mapping[str, object]) -> State:
    """Return the state before the first roll; raises NotAMove."""
    return State(settle(SETTINGS, settings), (0,) * check_seats(TITLE, SEATS, seats))


def legal_moves(state: State) -> Iterator[Move]:
    """Yield every move `apply` takes: every roll, and holding after one."""
    if is_over(state):
        return
    if dice_of(state) == 1:
        yield from map(Roll, PIPS)
    else:
        yield from map(RollPair, falls(2))
    if state.rolls:
        yield Hold()


def apply(state: State, move: Move) -> State:
    """Return the state after *move*; raise Illegal if the rules forbid it."""
    house = state.house
    if max(state.scores) >= house["target"]:
        raise Illegal(move, _("the game is over"), "PIG-4")
    if isinstance(move, Hold):
        if not state.rolls:
            raise Illegal(move, _("roll at least once before you hold"), "PIG-3")
        return _end_turn(state, state.rolls, at_stake(state))
    dice = (move.pips,) if isinstance(move, Roll) else move.dice
    fates = FATES[house["variant"]]
    if dice not in fates:
        raise _no_roll(move, dice, dice_of(state))
    rolls = (*state.rolls, dice)
    if fates[dice] is not None:
        return State(house, state.scores, state.seat, rolls, state.past)
    all_lost = loses_all(dice, house["variant"])
    return _end_turn(state, rolls, -state.scores[state.seat] if all_lost else 0)


def _dice(move: Roll | RollPair) -> Pips:
    return (move.pips,) if isinstance(move, Roll) else move.dice


def _no_roll(move: Move, dice: Pips, wanted: int) -> Illegal:
    """Return the refusal of a roll of other dice than the *wanted* number of them can show."""
    if len(dice) == wanted:
        check_pips(move, dice, "PIG-1")
    text = ngettext(
        "this game is played with one die",
        "this game is played with {number} dice",
        wanted,
        number=spelled(wanted),
    )
    return Illegal(move, text, "PIG-1" if wanted == 1 else "PIG-A1")


def _end_turn(state: State, rolls: tuple[Pips, ...], points: int) -> State:
    seat = state.seat
    scores = put(state.scores, seat, state.scores[seat] + points)
    past = appended(state.past, PigTurn(seat, rolls, points))
    return State(state.house, scores, (seat + 1) % len(scores), (), past)


def turn_of(state: State, seat: int) -> State:
    """Return the state in which the turn of a seat begins."""
    return State(state.house, state.scores, seat, (), state.past)


def leave(state: State, seat: int) -> State:
    """Return the state in which a seat has lost its turn, if it had it."""
    if state.seat != seat:
        return state
    return turn_of(state, (seat + 1) % len(state.scores))


def join(state: State, points: int) -> State:
    """Return the state with one more player, last in turn."""
    return changed(state, scores=(*state.scores, points))


def score(state: State) -> tuple[int, ...]:
    """Return what the players have banked."""
    return state.scores


def is_over(state: State) -> bool:
    """Return True if somebody has banked the target (PIG-4)."""
    return max(state.scores) >= target(state)


def result(state: State) -> Result | None:
    """Return who banked the target."""
    if not is_over(state):
        return None
    best = max(state.scores)
    winner = state.scores.index(best)
    return Result((winner,), _("{who} wins with {points}", who=player(winner), points=best))


def explain(state: State) -> tuple[Because, ...]:
    """Return one entry for each finished turn, then the turn in play, which counts for nobody."""
    past = [*chain.from_iterable(state.past)]
    headings = turns(turn.seat for turn in past)
    entries = [
        Because(turn.seat, turn.points, part, *_turn_said(turn))
        for turn, part in zip(past, headings, strict=True)
    ]
    if state.rolls:
        text = _("{rolls} = {points} so far", rolls=_sum(state.rolls), points=at_stake(state))
        part = _("{who} is rolling", who=player(state.seat))
        entries.append(Because(None, 0, part, text, "PIG-1"))
    return tuple(entries)


def _turn_said(turn: PigTurn) -> tuple[Message, str]:
    rolls, last = _sum(turn.rolls), turn.rolls[-1]
    if turn.points > 0:
        return _("{rolls} = {points}", rolls=rolls, points=turn.points), "PIG-3"
    if turn.points < 0 or loses_all(last, "two"):
        return _("{rolls}: two 1s, so all that was banked is lost", rolls=rolls), "PIG-A1"
    return _("{rolls}: a 1, so nothing", rolls=rolls), "PIG-2"


def _sum(rolls: tuple[Pips, ...]) -> Message:
    """Return rolls as they are added up: "4 + 6", of two dice "3-4 + 5-5"."""
    return joined(" + ", (pair_said(dice) for dice in rolls))


def equipment(state: State) -> Equipment:
    """Return one die or two, of any colour."""
    return Equipment(dice=dice_of(state))


def observe(state: State, table: Table) -> Proposal:
    """Return the roll on the table, or a hold if an empty table means that."""
    if is_over(state):
        return Proposal.differs(_("the game is over"), "PIG-4")
    if state.rolls and not table.dice and state.house["holds"] == "shown":
        return Proposal((Hold(),))
    before = state.rolls or (state.past[-1][-1].rolls if state.past else ((),))
    return rolled(table, dice_of(state), "PIG-1", _roll, before[-1])


def _roll(dice: Pips) -> Roll | RollPair:
    return Roll(*dice) if len(dice) == 1 else RollPair(dice)


def tell(state: State, table: Table, _facts: Facts) -> PhotoScore:
    """Return the meaning of the roll on a single photo, for any player."""
    proposal, variant = observe(state, table), state.house["variant"]
    dice = _dice(moves_of(proposal)[0])
    points, part, shown = fate(dice, variant) or 0, _("the roll"), pair_said(dice)
    if points:
        means = _("{pips} is added to the turn; then roll again or hold", pips=points)
    elif loses_all(dice, variant):
        means = _("two 1s end the turn, and all that was banked is lost")
    else:
        means = _("a 1 ends the turn, which scores nothing")
    text = _("a {pips}", pips=shown)
    return PhotoScore(
        (part,),
        (points,),
        (Because(0, points, part, text, _rule(dice, variant)),),
        (means,),
        unknown=_("what the turn had scored before this roll, and what is banked"),
        doubts=proposal.doubts,
    )


def thrown(state: State, move: Move) -> tuple[tuple[str, int], ...]:
    """Return the dice of a roll."""
    return () if isinstance(move, Hold) else tuple(("", pips) for pips in _dice(move))


def prompt(state: State) -> Message:
    """Return what is to be done next, in one sentence."""
    who = player(state.seat)
    if state.rolls:
        return _("{who} rolls again or holds {points}", who=who, points=at_stake(state))
    if dice_of(state) == 1:
        return _("{who} rolls the die", who=who)
    return _("{who} rolls both dice", who=who)


def describe(state: State, move: Move) -> Message:
    """Return *move*, made in *state*, in words."""
    who, points, variant = player(state.seat), at_stake(state), state.house["variant"]
    if isinstance(move, Hold):
        return _("{who} holds {points}", who=who, points=points)
    dice = (move.pips,) if isinstance(move, Roll) else move.dice
    said = {"who": who, "dice": pair_said(dice)}
    if loses_all(dice, variant):
        return _("{who} rolls {dice} and loses the turn and all that was banked", **said)
    worth = fate(dice, variant)
    if worth is None and points:
        lost = points_said(points)
        return _("{who} rolls {dice} and loses the turn with its {points}", points=lost, **said)
    if worth is None:
        return _("{who} rolls {dice} and loses the turn", **said)
    if worth == sum(dice):
        return _("{who} rolls {dice}", **said)
    return _("{who} rolls {dice} for {points}", points=points_said(worth), **said)


def entry(state: State) -> tuple[TableEntry, ...]:
    """Return the keys of the roll, with what the turn has then, and the button to hold."""

    def leads(move: Roll | RollPair) -> Message:
        worth = FATES[state.house["variant"]][_dice(move)]
        return _("gone") if worth is None else just(at_stake(state) + worth)

    if dice_of(state) == 1:
        rolls = (Roll(pips) for pips in PIPS)
        dice = ((PadKey(str(roll.pips), pips=(roll.pips,)), roll, leads(roll)) for roll in rolls)
        pad = one_of(_("The die · what the turn has then"), dice)
    else:
        second = _("Second die · what the turn has then")
        pad = two_dice(_("First die"), second, lambda a, b: RollPair((a, b)), leads)
    hold = Taps(Hold(), button=_("Hold {points}", points=at_stake(state)))
    return (TableEntry((pad,), (hold,) if state.rolls else ()),)


def to_move(state: State) -> tuple[int, ...]:
    """Return the seat whose turn it is."""
    return () if is_over(state) else (state.seat,)


def target(state: State) -> int:
    """Return the points that win (PIG-4)."""
    points: int = state.house["target"]
    return points


def turn_total(state: State) -> int | None:
    """Return what the player in turn would hold now; None before the first roll."""
    return at_stake(state) if state.rolls else None


ONE = game_of(
    "pig",
    1,
    globals(),
    unseen=(Hold,),
    about=_("Roll on, or hold"),
    minutes=(10, 15),  # 13 to 25 turns where the coach plays, some 80 rolls of ten seconds
    often=("variant", "target", "match"),
    unnoticed=lambda state: (Hold,) if state.house["holds"] == "said" else (),
    boards=lambda _house: (DICE_MAT,),
    attendance=Attendance(leave, SCORE_STANDS, join, turn=turn_of, ignoring=without_points),
    rounds_played=lambda state: rounds_of(turn.seat for turn in chain.from_iterable(state.past)),
    one_photo=OnePhoto(tell),
    coach=coach_of("pig"),
)
GAME = match_of(in_rounds(ONE, alternate=True))
