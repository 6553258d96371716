"""Farkle: roll six dice, set aside what counts, and roll the rest or bank before nothing counts.

Ones, fives and three alike count (FK-A1), any turn does (FK-A2), level tops share it (FK-A3).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import combinations, product, takewhile
from math import prod

from scorer.advice import per_cent, ranked
from scorer.dice import check_pips, falls
from scorer.errors import Illegal
from scorer.game import (
    Advice,
    Because,
    Equipment,
    Facts,
    HandPiece,
    OnePhoto,
    PhotoScore,
    Proposal,
    Result,
    dump_move,
)
from scorer.match import in_rounds, match_of
from scorer.messages import Message, _, ngettext
from scorer.parts import game_of
from scorer.phases import Phase, Phases, mover, over, reason
from scorer.photo.one_photo import moves_of
from scorer.photo.rolls import Pips, Thrown, rolled, turns
from scorer.printed import DICE_MAT
from scorer.settings import House, Setting, check_seats, settle
from scorer.table import Table
from scorer.values import changed
from scorer.words import dice, in_turn, numbers, player, players
from scorer.words import points as points_said

TITLE, SEATS, DICE = "Farkle", range(2, 11), 6
SINGLE, TRIPLE = {1: 100, 5: 50}, {1: 1000, 2: 200, 3: 300, 4: 400, 5: 500, 6: 600}
STEP, BEYOND = 50, 2_000  # points: the fewest a die brings; more ahead hardly anybody comes by
STRIDE = 1_000  # points, of the turns that are worked out one upon the other
SETTINGS = (Setting("target", _("Points to play to"), 10_000, range(500, 20_001), "FK-6"),)


@dataclass(frozen=True, slots=True)
class Roll(Thrown):
    """The dice as they fell: all six, or those not set aside."""


@dataclass(frozen=True, slots=True)
class Keep(Thrown):
    """Set dice of the roll aside, all of which count; then bank the turn, or roll the others."""

    bank: bool


@dataclass(frozen=True, slots=True)
class State:
    """The scores, the turn in play, and how all turns before came out."""

    house: House
    scores: tuple[int, ...]
    seat: int = 0  # whose turn
    kept: tuple[Pips, ...] = ()  # set aside in this turn, roll by roll
    lying: Pips = ()  # rolled, and nothing of it set aside yet
    table: Pips = ()  # how all six lie: the last roll, and what was set aside before it
    past: tuple[tuple[int, tuple[Pips, ...], Pips], ...] = ()  # seat, set aside, lost
    last: int | None = None  # the seat that reached the target first


def points(dice: Sequence[int]) -> int:
    """Return what dice bring together, 0 if one of them counts for nothing (FK-3, FK-A1)."""
    counts = Counter(dice).items()
    if any(number % 3 and face not in SINGLE for face, number in counts):
        return 0
    return sum(n // 3 * TRIPLE[face] + n % 3 * SINGLE.get(face, 0) for face, n in counts)


@cache
def keeps(dice: Pips) -> tuple[Pips, ...]:
    """Return what may be set aside of a roll (FK-4)."""
    parts = {part for size in range(1, len(dice) + 1) for part in combinations(dice, size)}
    return tuple(sorted(filter(points, parts)))


def brought(state: State) -> int:
    """Return what has been set aside in the turn in play."""
    return sum(map(points, state.kept))


def to_roll(state: State) -> int:
    """Return how many dice are rolled next: all six again once all count (FK-4)."""
    return DICE - sum(map(len, state.kept)) % DICE


def start(seats: int, settings: Mapping[str, object]) -> State:
    """Return the state before the first roll; raises NotAMove."""
    return State(settle(SETTINGS, settings), (0,) * check_seats(TITLE, SEATS, seats))


def _rolls(state: State) -> Iterator[Move]:
    return map(Roll, falls(to_roll(state)))


def _roll(state: State, move: Roll) -> State:
    if len(move.dice) != to_roll(state):
        text = _("{prompt}, not {number}", prompt=prompt(state), number=len(move.dice))
        raise Illegal(move, text, "FK-2")
    check_pips(move, move.dice, "FK-2")
    aside = sum(state.kept, ())
    aside = aside[len(aside) // DICE * DICE :]  # once all six count, all six are rolled
    rolled = changed(state, lying=move.dice, table=tuple(sorted((*aside, *move.dice))))
    return rolled if keeps(move.dice) else _ended(rolled)


def _keeps(state: State) -> Iterator[Keep]:
    return (Keep(dice, bank) for dice in keeps(state.lying) for bank in (False, True))


def _keep(state: State, move: Keep) -> State:
    if move.dice not in keeps(state.lying):
        raise Illegal(move, _("not every die of {dice} counts", dice=said(move.dice)), "FK-4")
    kept = changed(state, kept=(*state.kept, move.dice), lying=())
    return _ended(kept) if move.bank else kept


def _ended(state: State) -> State:
    seat, won = state.seat, 0 if state.lying else brought(state)
    scores = (*state.scores[:seat], state.scores[seat] + won, *state.scores[seat + 1 :])
    past = (*state.past, (seat, state.kept, state.lying))
    last = seat if state.last is None and scores[seat] >= state.house["target"] else state.last
    return State(state.house, scores, (seat + 1) % len(scores), (), (), state.table, past, last)


def is_over(state: State) -> bool:
    """Say whether the turn has come back to who reached the target (FK-6)."""
    return state.last == state.seat


Move = Roll | Keep
PHASES = Phases(
    lambda state: "over" if is_over(state) else "keep" if state.lying else "roll",
    {
        "over": over("the game is over", "FK-6"),
        "roll": Phase(mover, _rolls, {Roll: _roll}, reason("roll the dice first", "FK-2")),
        "keep": Phase(mover, _keeps, {Keep: _keep}, reason("choose the dice to keep", "FK-4")),
    },
)


def result(state: State) -> Result | None:
    """Return who has most; level players share it (FK-A3)."""
    first = tuple(seat for seat, won in enumerate(state.scores) if won == max(state.scores))
    facts: dict[str, Message | int] = {"who": players(first), "most": max(state.scores)}
    why = ngettext("{who} wins with {most}", "{who} share it with {most}", len(first), **facts)
    return Result(first, why) if is_over(state) else None


def explain(state: State) -> tuple[Because, ...]:
    """Return what each turn brought."""
    entries = []
    for turn, (seat, kept, lost) in zip(turns(p[0] for p in state.past), state.past, strict=True):
        won, rolls = 0 if lost else sum(map(points, kept)), said(*kept, *filter(None, [lost]))
        text = _("{dice} = {points}", dice=rolls, points=won)
        if lost:
            text = _lost(_("{dice}: nothing counts", dice=rolls), kept)
        entries.append(Because(seat, won, turn, text, "FK-5" if lost else "FK-4"))
    return tuple(entries)


def _lost(text: Message, kept: Sequence[Pips]) -> Message:
    """Return how a turn ended with nothing, and what it had brought."""
    brought = points_said(sum(map(points, kept)))
    return _("{text}, {points} lost", text=text, points=brought) if kept else text


def said(*rolls: Pips) -> Message:
    """Return the dice of one roll or several in words."""
    return in_turn(map(numbers, rolls))


def prompt(state: State) -> Message:
    """Return what is to be done next, in one sentence."""
    if ended := result(state):
        return ended.why
    who = player(state.seat)
    text = _("{who} rolls {dice}", who=who, dice=dice(to_roll(state)))
    if state.lying:
        text = _("{who} sets aside what counts from {dice}", who=who, dice=said(state.lying))
    if state.last is None:
        return text
    return _("{text}, the last turn: {points} to beat", text=text, points=max(state.scores))


def describe(state: State, move: Move) -> Message:
    """Return *move*, made in *state*, in words."""
    who, shown = player(state.seat), said(move.dice)
    if not isinstance(move, Keep):
        rolls = _("{who} rolls {dice}", who=who, dice=shown)
        return rolls if keeps(move.dice) else _lost(_("{rolls}, a Farkle", rolls=rolls), state.kept)
    if not move.bank:
        return _("{who} keeps {dice} and rolls on", who=who, dice=shown)
    banked = brought(state) + points(move.dice)
    return _("{who} keeps {dice} and banks {points}", who=who, dice=shown, points=banked)


def observe(state: State, table: Table) -> Proposal:
    """Return the roll that lies there; what is set aside is for the player to say."""
    if state.lying or is_over(state):
        return Proposal.differs(prompt(state), "FK-4")
    return rolled(table, to_roll(state), "FK-2", Roll, state.table)


def tell(state: State, table: Table, _facts: Facts) -> PhotoScore:
    """Return what the dice on one photo bring at most, whoever rolled them."""
    aside = (1,) * (-len(table.dice) % DICE)  # the dice that are not there
    proposal = observe(changed(state, kept=(aside,)), table)
    most = max(keeps(moves_of(proposal)[0].dice), key=points, default=())
    part, won = _("the roll"), points(most)
    text = _("{dice} counts", dice=said(most)) if won else _("nothing counts")
    more = _("what was set aside before, and what is banked")
    line = Because(0, won, part, text, "FK-3")
    return PhotoScore((part,), (won,), (line,), unknown=more, doubts=proposal.doubts)


@cache
def outcomes(dice: int) -> Mapping[tuple[tuple[int, int], ...], int]:
    """Return each choice a roll can give, most points by dice set aside, and in how many ways."""
    chances = Counter[tuple[tuple[int, int], ...]]()
    for roll, ways in Counter(tuple(sorted(r)) for r in product(TRIPLE, repeat=dice)).items():
        most = dict(sorted((len(part), points(part)) for part in keeps(roll)))
        chances[tuple(most.items())] += ways
    return chances


Pays = Callable[[int], float]  # what a turn is worth that is banked with so many points


@lru_cache(100_000)
def _rolling(turn: int, dice: int, goal: int, pays: Pays) -> float:
    def best(turn: int, dice: int) -> float:
        banked = pays(turn)
        return banked if turn >= goal else max(banked, _rolling(turn, dice or DICE, goal, pays))

    def most(options: tuple[tuple[int, int], ...]) -> float:
        return max((best(turn + won, dice - size) for size, won in options), default=0.0)

    return sum(ways * most(options) for options, ways in outcomes(dice).items()) / 6.0**dice


def rolling(turn: int, dice: int, goal: int, pays: Pays) -> float:
    """Return what rolling is worth in a turn that has brought so much, and is banked at *goal*."""
    for more in range(goal - STRIDE, turn, -STRIDE):  # from the end, or it would nest too deep
        _rolling(more, DICE, goal, pays)
    return _rolling(turn, dice, goal, pays)


@cache
def _reach(need: int, dice: int) -> float:
    def most(options: tuple[tuple[int, int], ...]) -> float:
        on = ((need - won, (dice - size) or DICE) for size, won in options)
        return max((1.0 if left <= 0 else _reach(left, again) for left, again in on), default=0.0)

    return sum(ways * most(options) for options, ways in outcomes(dice).items()) / 6.0**dice


def reach(goal: int) -> float:
    """Return the chance of a turn to bring at least *goal*, at best."""
    for less in range(STRIDE, goal, STRIDE):
        _reach(less, DICE)
    return _reach(goal, DICE)


def by_points(turn: int) -> float:
    """Return the points of a turn, before the last ones."""
    return float(turn)


@cache
def by_wins(lead: int, level: float, later: tuple[int, ...]) -> Pays:
    """Return how often a last turn wins: it must beat the *lead*, and be beaten by nobody *later*.

    Who is level at the top has a share, *level*. *later* is how far each that follows is behind.
    """

    def pays(turn: int) -> float:
        ahead = level if turn == lead else float(turn > lead)
        return ahead * prod(1 - reach(turn + behind + STEP) for behind in later) if ahead else 0.0

    return pays


def coach(state: State, _hand: Sequence[HandPiece]) -> tuple[Advice, ...]:
    """Return each way to go on after a roll with the points that the turn then brings on average.

    In the last turns only the win counts, and its chance is told instead.
    """
    goal: int = state.house["target"] - state.scores[state.seat]
    pays: Pays = by_points
    if last := state.last is not None:
        goal, pays = _for_the_win(state)
    advice = []
    for move in _keeps(state):
        turn, left = brought(state) + points(move.dice), to_roll(state) - len(move.dice) or DICE
        value = pays(turn) if move.bank else rolling(turn, left, goal, pays)
        said = describe(state, move)
        why = _("{move}: {points:.0f} points on average", move=said, points=value)
        if last:
            why = _("{move}: {chance} to win", move=said, chance=per_cent(value))
        advice.append(Advice(dump_move(move), value, why))
    return ranked(advice)


def _for_the_win(state: State) -> tuple[int, Pays]:
    """Return at how many points a last turn is banked at the latest, and how often it wins."""
    mine, seats = state.scores[state.seat], len(state.scores)
    others = [score for seat, score in enumerate(state.scores) if seat != state.seat]
    after = ((state.seat + turn) % seats for turn in range(1, seats))
    later = tuple(mine - state.scores[seat] for seat in takewhile(lambda s: s != state.last, after))
    lead = max(others) - mine
    goal = lead + (BEYOND if later else STEP)
    return goal, by_wins(lead, 1 / (1 + others.count(max(others))), later)


ONE = game_of(
    "farkle",
    1,
    globals(),
    score=lambda state: state.scores,
    unseen=(Keep,),
    about=_("Six dice: keep, roll on, or bank"),
    minutes=(15, 30),  # 18 to 37 turns where the coach plays, some 110 moves of ten seconds
    often=("target", "match", "advice"),
    equipment=lambda state: Equipment(dice=to_roll(state)),
    turn_total=lambda state: brought(state) or None,
    target=lambda state: state.house["target"],
    boards=lambda _house: (DICE_MAT,),
    one_photo=OnePhoto(lambda _state: (Equipment(),), tell),
)
GAME = match_of(in_rounds(ONE, sums=True, alternate=True))
