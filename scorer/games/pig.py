"""Pig: roll one die as often as you dare, then hold; a 1 loses what the turn has brought.

The game is common property and its written rules agree, but for who begins: player 1 does.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from scorer.advice import coach_of
from scorer.attendance import SCORE_STANDS, Attendance
from scorer.dice import PIPS, check_pips
from scorer.errors import Illegal
from scorer.game import Because, Equipment, Facts, OnePhoto, PhotoScore, Proposal, Result
from scorer.match import in_rounds, match_of
from scorer.messages import Message, _, joined
from scorer.parts import game_of
from scorer.photo.one_photo import moves_of
from scorer.photo.rolls import rolled, turns
from scorer.printed import DICE_MAT
from scorer.seats import put, rounds_of
from scorer.settings import House, Setting, check_seats, choice, settle
from scorer.table import Table
from scorer.values import changed
from scorer.words import player
from scorer.words import points as points_said

TITLE = "Pig"
SEATS = range(2, 11)
SETTINGS = (
    Setting("target", _("Points that win the game"), 100, range(10, 1001), "PIG-4"),
    choice(
        "holds",
        _("How a player holds"),
        "PIG-3",
        said=_("The player says so"),
        shown=_("A photo of the table without the die, which is passed on"),
    ),
)


@dataclass(frozen=True, slots=True)
class Roll:
    """The die as it fell."""

    pips: int


@dataclass(frozen=True, slots=True)
class Hold:
    """The player in turn banks what the turn has brought."""


Move = Roll | Hold


@dataclass(frozen=True, slots=True)
class State:
    """The banked scores, the rolls of the turn in play and of all turns before."""

    house: House
    scores: tuple[int, ...]
    seat: int = 0  # whose turn
    rolls: tuple[int, ...] = ()
    past: tuple[tuple[int, tuple[int, ...]], ...] = ()  # seat and rolls of each finished turn


def turn_points(rolls: tuple[int, ...]) -> int:
    """Return what a turn brings: the sum of its rolls, nothing with a 1 (PIG-1, PIG-2)."""
    return 0 if 1 in rolls else sum(rolls)


def start(seats: int, settings: Mapping[str, object]) -> State:
    """Return the state before the first roll; raises NotAMove."""
    return State(settle(SETTINGS, settings), (0,) * check_seats(TITLE, SEATS, seats))


def legal_moves(state: State) -> Iterator[Move]:
    """Yield every move `apply` takes: the six rolls, and holding after one."""
    if is_over(state):
        return
    yield from map(Roll, PIPS)
    if state.rolls:
        yield Hold()


def apply(state: State, move: Move) -> State:
    """Return the state after *move*; raise Illegal if the rules forbid it."""
    if is_over(state):
        raise Illegal(move, _("the game is over"), "PIG-4")
    match move:
        case Roll(pips):
            if pips not in PIPS:
                check_pips(move, [pips], "PIG-1")
            rolls = (*state.rolls, pips)
            if pips > 1:
                return State(state.house, state.scores, state.seat, rolls, state.past)
            return _end_turn(state, rolls)
        case Hold():
            if not state.rolls:
                raise Illegal(move, _("roll at least once before you hold"), "PIG-3")
            return _end_turn(state, state.rolls)


def _end_turn(state: State, rolls: tuple[int, ...]) -> State:
    seat = state.seat
    scores = put(state.scores, seat, state.scores[seat] + turn_points(rolls))
    past = (*state.past, (seat, rolls))
    return State(state.house, scores, (seat + 1) % len(scores), (), past)


def leave(state: State, seat: int) -> State:
    """Return the state in which a seat has lost its turn, if it had it."""
    if state.seat != seat:
        return state
    return State(state.house, state.scores, (seat + 1) % len(state.scores), (), state.past)


def join(state: State, points: int) -> State:
    """Return the state with one more player, last in turn."""
    return changed(state, scores=(*state.scores, points))


def score(state: State) -> tuple[int, ...]:
    """Return what the players have banked."""
    return state.scores


def is_over(state: State) -> bool:
    """Say whether somebody has banked the target (PIG-4)."""
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
    entries = []
    for (seat, rolls), part in zip(
        state.past, turns(seat for seat, _rolls in state.past), strict=True
    ):
        points = turn_points(rolls)
        if points:
            text, rule = _("{rolls} = {points}", rolls=_sum(rolls), points=points), "PIG-3"
        else:
            text, rule = _("{rolls}: a 1, so nothing", rolls=_sum(rolls)), "PIG-2"
        entries.append(Because(seat, points, part, text, rule))
    if state.rolls:
        so_far = sum(state.rolls)
        text = _("{rolls} = {points} so far", rolls=_sum(state.rolls), points=so_far)
        part = _("{who} is rolling", who=player(state.seat))
        entries.append(Because(None, 0, part, text, "PIG-1"))
    return tuple(entries)


def _sum(rolls: tuple[int, ...]) -> Message:
    return joined(" + ", rolls)


def equipment(_state: State) -> Equipment:
    """Return one die, of any colour."""
    return Equipment(dice=1)


def observe(state: State, table: Table) -> Proposal:
    """Return the roll that lies there; or that the player holds, where the empty table tells it."""
    if is_over(state):
        return Proposal.differs(_("the game is over"), "PIG-4")
    if state.rolls and not table.dice and state.house["holds"] == "shown":
        return Proposal((Hold(),))
    before = state.rolls or (state.past[-1][1] if state.past else ())
    return rolled(table, 1, "PIG-1", lambda pips: Roll(*pips), before[-1:])


def tell(state: State, table: Table, _facts: Facts) -> PhotoScore:
    """Return what the roll on one photo means, whoever made it."""
    proposal = observe(state, table)
    (roll,) = moves_of(proposal)
    points, part = turn_points((roll.pips,)), _("the roll")
    if points:
        means = _("{pips} is added to the turn; then roll again or hold", pips=roll.pips)
    else:
        means = _("a 1 ends the turn, which scores nothing")
    rule = "PIG-1" if points else "PIG-2"
    return PhotoScore(
        (part,),
        (points,),
        (Because(0, points, part, _("a {pips}", pips=roll.pips), rule),),
        (means,),
        unknown=_("what the turn had scored before this roll, and what is banked"),
        doubts=proposal.doubts,
    )


def thrown(_state: State, move: Move) -> tuple[tuple[str, int], ...]:
    """Return the die of a roll."""
    return (("", move.pips),) if isinstance(move, Roll) else ()


def prompt(state: State) -> Message:
    """Return what is to be done next, in one sentence."""
    ended = result(state)
    if ended is not None:
        return ended.why
    who = player(state.seat)
    if not state.rolls:
        return _("{who} rolls the die", who=who)
    return _("{who} rolls again or holds {points}", who=who, points=sum(state.rolls))


def describe(state: State, move: Move) -> Message:
    """Return *move*, made in *state*, in words."""
    who = player(state.seat)
    match move:
        case Roll(1) if state.rolls:
            lost = points_said(sum(state.rolls))
            return _("{who} rolls 1 and loses the turn with its {points}", who=who, points=lost)
        case Roll(1):
            return _("{who} rolls 1 and loses the turn", who=who)
        case Roll(pips):
            return _("{who} rolls {pips}", who=who, pips=pips)
        case Hold():
            return _("{who} holds {points}", who=who, points=sum(state.rolls))


def to_move(state: State) -> tuple[int, ...]:
    """Return the seat whose turn it is."""
    return () if is_over(state) else (state.seat,)


def target(state: State) -> int:
    """Return the points that win (PIG-4)."""
    points: int = state.house["target"]
    return points


def turn_total(state: State) -> int | None:
    """Return what the player in turn would hold now; None before the first roll."""
    return sum(state.rolls) if state.rolls else None


ONE = game_of(
    "pig",
    1,
    globals(),
    unseen=(Hold,),
    about=_("Roll on, or hold"),
    minutes=(10, 15),  # 13 to 25 turns where the coach plays, some 80 rolls of ten seconds
    often=("target", "holds", "match"),
    unnoticed=lambda state: (Hold,) if state.house["holds"] == "said" else (),
    boards=lambda _house: (DICE_MAT,),
    attendance=Attendance(leave, SCORE_STANDS, join),
    rounds_played=lambda state: rounds_of(seat for seat, _rolls in state.past),
    one_photo=OnePhoto(lambda state: (equipment(state),), tell),
    coach=coach_of("pig"),
)
GAME = match_of(in_rounds(ONE, alternate=True))
