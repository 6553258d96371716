"""Pig: roll one die as often as you dare, then hold; a 1 loses what the turn has brought.

PIG-1  A roll of 2 to 6 is added to the turn; then roll again or hold.
PIG-2  A roll of 1 ends the turn, which brings nothing.
PIG-3  Holding ends the turn and banks it; it takes at least one roll.
PIG-4  The first to have banked the target wins at once (`target`).

The game is common property and its written rules agree, but for who begins: player 1 does.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from scorer.coach import coach_of
from scorer.game import (
    Because,
    Equipment,
    Game,
    House,
    Illegal,
    Proposal,
    Result,
    Setting,
    check_seats,
    settle,
)
from scorer.one_photo import Facts, OnePhoto, PhotoScore, moves_of
from scorer.printed import DICE_MAT
from scorer.repair import dice_doubts, dice_options, pips_alone, same_again, stories
from scorer.table import Table

TITLE = "Pig"
SEATS = range(2, 11)
SETTINGS = (Setting("target", "Points that win the game", 100, range(10, 1001), "PIG-4"),)


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
    yield from (Roll(pips) for pips in range(1, 7))
    if state.rolls:
        yield Hold()


def apply(state: State, move: Move) -> State:
    """Return the state after *move*; raise Illegal if the rules forbid it."""
    if is_over(state):
        raise Illegal(move, "the game is over", "PIG-4")
    match move:
        case Roll(pips):
            if not 1 <= pips <= 6:
                raise Illegal(move, f"a die shows 1 to 6, not {pips}", "PIG-1")
            rolls = (*state.rolls, pips)
            if pips > 1:
                return State(state.house, state.scores, state.seat, rolls, state.past)
            return _end_turn(state, rolls)
        case Hold():
            if not state.rolls:
                raise Illegal(move, "roll at least once before you hold", "PIG-3")
            return _end_turn(state, state.rolls)


def _end_turn(state: State, rolls: tuple[int, ...]) -> State:
    seat = state.seat
    banked = state.scores[seat] + turn_points(rolls)
    scores = (*state.scores[:seat], banked, *state.scores[seat + 1 :])
    past = (*state.past, (seat, rolls))
    return State(state.house, scores, (seat + 1) % len(scores), (), past)


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
    return Result((winner,), f"player {winner + 1} wins with {best}")


def explain(state: State) -> tuple[Because, ...]:
    """Return one entry for each finished turn, then the turn in play, which counts for nobody."""
    turns = [0] * len(state.scores)
    entries = []
    for seat, rolls in state.past:
        turns[seat] += 1
        points = turn_points(rolls)
        rule = "PIG-2" if 1 in rolls else "PIG-3"
        text = f"{_sum(rolls)} = {points}" if points else f"{_sum(rolls)}: a 1, so nothing"
        entries.append(Because(seat, points, f"turn {turns[seat]}", text, rule))
    if state.rolls:
        text = f"{_sum(state.rolls)} = {sum(state.rolls)} so far"
        entries.append(Because(None, 0, f"player {state.seat + 1} is rolling", text, "PIG-1"))
    return tuple(entries)


def _sum(rolls: tuple[int, ...]) -> str:
    return " + ".join(map(str, rolls))


def equipment(_state: State) -> Equipment:
    """Return one die, of any colour."""
    return Equipment(dice=1)


def observe(state: State, table: Table) -> Proposal:
    """Return the roll that lies there; holding is for the player to say."""
    if is_over(state):
        return Proposal.differs("the game is over", "PIG-4")
    if len(table.dice) != 1:
        many = (
            f"{len(table.dice)} dice are seen; show only" if table.dice else "No die is seen; show"
        )
        return Proposal.differs(f"{many} the one that was rolled.", "PIG-1")
    told = stories(dice_options(table.dice), lambda read: (Roll(read[0][1]),))
    if not told:
        text = f"a die shows 1 to 6, and {table.dice[0].value} was read"
        return Proposal.differs(text, "PIG-1", ("dice", 0))
    doubts = list(dice_doubts(enumerate(table.dice), [one.reading for one in told], pips_alone))
    before = state.rolls or (state.past[-1][1] if state.past else ())
    if Roll(before[-1] if before else 0) in [story.meaning for story in told]:
        doubts.append(same_again(str(before[-1]), 1))
    return Proposal((told[0].meaning,), tuple(doubts))


def tell(state: State, table: Table, _facts: Facts) -> PhotoScore:
    """Return what the roll on one photo means, whoever made it."""
    proposal = observe(state, table)
    (roll,) = moves_of(proposal)
    points = turn_points((roll.pips,))
    if points:
        means, rule = f"{roll.pips} is added to the turn; then roll again or hold", "PIG-1"
    else:
        means, rule = "a 1 ends the turn, which brings nothing", "PIG-2"
    return PhotoScore(
        ("the roll",),
        (points,),
        (Because(0, points, "the roll", f"a {roll.pips}", rule),),
        (means,),
        unknown="what the turn had brought before this roll, and what is banked",
        doubts=proposal.doubts,
    )


def prompt(state: State) -> str:
    """Return what is to be done next, in one sentence."""
    ended = result(state)
    if ended is not None:
        return ended.why
    who = f"player {state.seat + 1}"
    if not state.rolls:
        return f"{who} rolls the die"
    return f"{who} rolls again or holds {sum(state.rolls)}"


def describe(state: State, move: Move) -> str:
    """Return *move*, made in *state*, in words."""
    who = f"player {state.seat + 1}"
    match move:
        case Roll(1):
            return f"{who} rolls 1 and loses the turn"
        case Roll(pips):
            return f"{who} rolls {pips}"
        case Hold():
            return f"{who} holds {sum(state.rolls)}"


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


GAME = Game(
    name="pig",
    title=TITLE,
    version=1,
    seats=SEATS,
    settings=SETTINGS,
    moves=(Roll, Hold),
    start=start,
    legal_moves=legal_moves,
    apply=apply,
    score=score,
    is_over=is_over,
    result=result,
    explain=explain,
    equipment=equipment,
    observe=observe,
    prompt=prompt,
    describe=describe,
    to_move=to_move,
    unseen=(Hold,),
    unnoticed=(Hold,),
    target=target,
    boards=lambda _house: (DICE_MAT,),
    turn_total=turn_total,
    one_photo=OnePhoto(lambda state: (equipment(state),), tell),
    coach=coach_of("pig"),
)
