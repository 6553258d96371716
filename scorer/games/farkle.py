"""Farkle: roll six dice, set aside what counts, and roll the rest or bank before nothing counts.

Ones, fives and three alike count; level tops share it (FK-A3). What else counts and what a first
score needs is agreed (FK-A1, FK-A2): the values offered are those of the common rule sheets,
PlayMonster's (1000, 2000 and 3000 for four, five and six alike, 1500 for a straight or three
pairs, 2500 for two triplets) and the list of variants in Wikipedia's "Farkle".
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import chain, combinations
from typing import NamedTuple

from scorer.advice import coach_of
from scorer.attendance import SCORE_STANDS, Attendance, without_points
from scorer.dice import check_pips, falls
from scorer.entry import DicePad, Keeping, TableEntry
from scorer.errors import Illegal
from scorer.game import Because, Equipment, Facts, OnePhoto, PhotoScore, Result
from scorer.match import match_of
from scorer.match.offer import in_rounds
from scorer.messages import Message, _, ngettext, raw
from scorer.parts import game_of
from scorer.phases import Phase, Phases, mover, over, reason
from scorer.photo.one_photo import moves_of
from scorer.photo.rolls import Pips, Thrown, rolled, turns
from scorer.printed import DICE_MAT
from scorer.proposal import Proposal
from scorer.seats import rounds_of
from scorer.settings import House, Setting, SettingValue, check_seats, choice, settle
from scorer.table import Table
from scorer.values import Paged, appended, changed
from scorer.words import dice, in_turn, numbers, player, players
from scorer.words import points as points_said

TITLE, SEATS, DICE = "Farkle", range(2, 11), 6
SINGLE, TRIPLE = {1: 100, 5: 50}, {1: 1000, 2: 200, 3: 300, 4: 400, 5: 500, 6: 600}


def _agreed(name: str, meaning: Message, rule: str, nothing: Message, *points: int) -> Setting:
    values: dict[SettingValue, Message] = {0: nothing, **{p: points_said(p) for p in points}}
    return Setting(name, meaning, 0, values, rule)


NOTHING = _("Nothing of its own")
STRAIGHT = _("A straight, 1 to 6 in one roll")
PAIRS = _("Three pairs in one roll, four alike and a pair too")
TRIPLETS = _("Two triplets in one roll")
FIRST = _("Points that a first score needs in its turn")
SETTINGS = (
    Setting("target", _("Points to play to"), 10_000, range(500, 20_001), "FK-6"),
    _agreed("straight", STRAIGHT, "FK-A1", NOTHING, 1000, 1500, 2000, 2500, 3000),
    _agreed("three_pairs", PAIRS, "FK-A1", NOTHING, 500, 750, 1000, 1500),
    _agreed("two_triplets", TRIPLETS, "FK-A1", NOTHING, 1500, 2500),
    choice(
        "alike",
        _("Four, five and six alike"),
        "FK-A1",
        three=_("Count as three alike, and the others by themselves"),
        fixed=_("Count 1000, 2000 and 3000"),
        doubled=_("Each die more doubles the three"),
    ),
    _agreed("first_score", FIRST, "FK-A2", _("Any turn counts"), 350, 500, 1000),
)
ALIKE = {4: 1000, 5: 2000, 6: 3000}  # points by count if `alike` is `fixed`


class Combinations(NamedTuple):
    """What counts besides single dice and three alike, as it is agreed (FK-A1)."""

    straight: int = 0
    three_pairs: int = 0
    two_triplets: int = 0
    alike: str = "three"


USUAL = Combinations()


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
    lying: Pips = ()  # rolled, nothing set aside yet
    table: Pips = ()  # all six dice: the last roll, and those set aside before it
    past: Paged[tuple[int, tuple[Pips, ...], Pips]] = ()  # seat, set aside, lost
    last: int | None = None  # the seat that reached the target first


@cache
def points(dice: Pips, values: Combinations = USUAL) -> int:
    """Return what dice bring together, 0 if one of them counts for nothing (FK-3, FK-A1)."""
    counts = Counter(dice)
    each = [_alike(face, number, values.alike) for face, number in counts.items()]
    numbers = sorted(counts.values())
    return max(
        sum(each) if all(each) else 0,
        values.straight * (len(numbers) == DICE),
        values.three_pairs * (len(dice) == DICE and not any(n % 2 for n in numbers)),
        values.two_triplets * (numbers == [3, 3]),
    )


def _alike(face: int, number: int, alike: str) -> int:
    """Return the points of a number of equal dice, 0 if a single one counts nothing."""
    single = SINGLE.get(face, 0)
    triples, over = divmod(number, 3)
    best = triples * TRIPLE[face] + over * single if single or not over else 0
    for size in range(4, number + 1):
        together = ALIKE[size] if alike == "fixed" else TRIPLE[face] * 2 ** (size - 3)
        if alike != "three" and (single or size == number):
            best = max(best, together + (number - size) * single)
    return best


@cache
def keeps(dice: Pips, values: Combinations = USUAL) -> tuple[Pips, ...]:
    """Return what may be set aside of a roll (FK-4)."""
    parts = {part for size in range(1, len(dice) + 1) for part in combinations(dice, size)}
    return tuple(sorted(part for part in parts if points(part, values)))


_combinations = cache(Combinations)  # each move asks for them


def values_of(house: House) -> Combinations:
    """Return what counts as it is agreed."""
    return _combinations(
        house["straight"], house["three_pairs"], house["two_triplets"], house["alike"]
    )


def bring(state: State, *kept: Pips) -> int:
    """Return what dice bring that were set aside roll by roll."""
    values = values_of(state.house)
    return sum([points(dice, values) for dice in kept])


def brought(state: State) -> int:
    """Return what has been set aside in the turn in play."""
    return bring(state, *state.kept)


def needed(state: State, seat: int) -> int:
    """Return what a turn of a seat must bring to be banked: its first score, an agreed number."""
    least: int = state.house["first_score"]
    return 0 if state.scores[seat] else least


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
    return _fallen(state, move.dice)


def _fallen(state: State, dice: Pips) -> State:
    """Return the state with dice that have fallen, however many; the turn ends if none counts."""
    aside = sum(state.kept, ())
    aside = aside[len(aside) // DICE * DICE :]  # once all six count, all six are rolled
    table = tuple(sorted((*aside, *dice))) if aside else dice  # the dice of a roll ascend
    # Spelt out, here and below: every move makes one.
    rolled = State(
        state.house, state.scores, state.seat, state.kept, dice, table, state.past, state.last
    )
    return rolled if keeps(dice, values_of(state.house)) else _ended(rolled)


def as_it_lies(state: State, table: Table) -> State | None:
    """Return the state with the dice seen as a roll, though they are more or fewer than is due."""
    dice = tuple(sorted(die.value for die in table.dice))
    return _fallen(state, dice) if 0 < len(dice) <= DICE and not is_over(state) else None


def _keeps(state: State) -> Iterator[Keep]:
    least = needed(state, state.seat) - brought(state)
    for kept in keeps(state.lying, values_of(state.house)):
        yield Keep(kept, bank=False)
        if bring(state, kept) >= least:
            yield Keep(kept, bank=True)


def _keep(state: State, move: Keep) -> State:
    if move.dice not in keeps(state.lying, values_of(state.house)):
        if Counter(move.dice) - Counter(state.lying):
            raise Illegal(move, _("{dice} were not all rolled", dice=said(move.dice)), "FK-4")
        raise Illegal(move, _("not every die of {dice} counts", dice=said(move.dice)), "FK-4")
    aside = (*state.kept, move.dice)
    kept = State(
        state.house, state.scores, state.seat, aside, (), state.table, state.past, state.last
    )
    if move.bank and brought(kept) < (least := needed(state, state.seat)):
        text = _("a first score needs {points}; roll on", points=points_said(least))
        raise Illegal(move, text, "FK-A2")
    return _ended(kept) if move.bank else kept


def _ended(state: State) -> State:
    seat, won = state.seat, 0 if state.lying else brought(state)
    scores = (*state.scores[:seat], state.scores[seat] + won, *state.scores[seat + 1 :])
    past = appended(state.past, (seat, state.kept, state.lying))
    last = seat if state.last is None and scores[seat] >= state.house["target"] else state.last
    return State(state.house, scores, (seat + 1) % len(scores), (), (), state.table, past, last)


def turn_of(state: State, seat: int) -> State:
    """Return the state in which the turn of a seat begins."""
    return changed(state, seat=seat, kept=(), lying=())


def leave(state: State, seat: int) -> State:
    """Return the state in which a seat has lost its turn, if it had it."""
    return turn_of(state, (seat + 1) % len(state.scores)) if state.seat == seat else state


def join(state: State, won: int) -> State | None:
    """Return the state with one more player, last in turn; None in the last turns."""
    return changed(state, scores=(*state.scores, won)) if state.last is None else None


def is_over(state: State) -> bool:
    """Return True if the turn has come back to who reached the target (FK-6)."""
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
    """Return the winner; level players share the win (FK-A3)."""
    first = tuple(seat for seat, won in enumerate(state.scores) if won == max(state.scores))
    facts: dict[str, Message | int] = {"who": players(first), "most": max(state.scores)}
    why = ngettext("{who} wins with {most}", "{who} share it with {most}", len(first), **facts)
    return Result(first, why) if is_over(state) else None


def explain(state: State) -> tuple[Because, ...]:
    """Return what each turn brought."""
    entries = []
    past = [*chain.from_iterable(state.past)]
    for turn, (seat, kept, lost) in zip(turns(p[0] for p in past), past, strict=True):
        won, rolls = 0 if lost else bring(state, *kept), said(*kept, *filter(None, [lost]))
        text = _("{dice} = {points}", dice=rolls, points=won)
        if lost:
            text = _lost(_("{dice}: nothing counts", dice=rolls), bring(state, *kept))
        entries.append(Because(seat, won, turn, text, "FK-5" if lost else "FK-4"))
    return tuple(entries)


def _lost(text: Message, brought: int) -> Message:
    return _("{text}, {points} lost", text=text, points=points_said(brought)) if brought else text


def said(*rolls: Pips) -> Message:
    """Return the dice of one roll or several in words."""
    return in_turn(map(numbers, rolls))


def prompt(state: State) -> Message:
    """Return what is to be done next, in one sentence."""
    who = player(state.seat)
    text = _("{who} rolls {dice}", who=who, dice=dice(to_roll(state)))
    if state.lying:
        text = _("{who} sets aside what counts from {dice}", who=who, dice=said(state.lying))
    if state.last is None:
        return text
    others = [won for seat, won in enumerate(state.scores) if seat != state.seat]
    if most := max(others):
        return _("{text}, the last turn: {points} to beat", text=text, points=most)
    return _("{text}, the last turn", text=text)


def describe(state: State, move: Move) -> Message:
    """Return *move*, made in *state*, in words."""
    who, shown = player(state.seat), said(move.dice)
    if not isinstance(move, Keep):
        rolls = _("{who} rolls {dice}", who=who, dice=shown)
        counts = keeps(move.dice, values_of(state.house))
        return rolls if counts else _lost(_("{rolls}, a Farkle", rolls=rolls), brought(state))
    if not move.bank:
        return _("{who} keeps {dice} and rolls on", who=who, dice=shown)
    banked = brought(state) + bring(state, move.dice)
    return _("{who} keeps {dice} and banks {points}", who=who, dice=shown, points=banked)


def observe(state: State, table: Table) -> Proposal:
    """Return the roll on the table; the player enters the dice set aside."""
    if state.lying or is_over(state):
        due = _("the game is over") if is_over(state) else prompt(state)
        return Proposal.differs(due, "FK-4")
    return rolled(table, to_roll(state), "FK-2", Roll, state.table)


def entry(state: State) -> tuple[TableEntry, ...]:
    """Return the dice of the roll, in any order, and what may be kept of them."""
    number, values = len(state.lying) or to_roll(state), values_of(state.house)
    total, least = raw("{total}"), needed(state, state.seat) - brought(state)
    few = _("a first score needs {points}; roll on", points=points_said(needed(state, state.seat)))
    on, far = _("Roll {left} on", left=raw("{left}")), _("{total} so far", total=total)
    roll_on = Keeping(Keep((), bank=False), on, far)
    bank = Keeping(
        Keep((), bank=True), _("Bank {total}", total=total), least=least, why=few, rule="FK-A2"
    )
    some = (part for size in range(1, number + 1) for part in falls(size))
    pad = DicePad(
        label=_("Tap the dice in any order"),
        number=number,
        anew=DICE,
        roll=None if state.lying else Roll(()),
        lying=state.lying,
        worth={part: worth for part in some if (worth := points(part, values))},
        before=brought(state),
        score=state.scores[state.seat],
        keeps=(roll_on, bank),
        why=_("not every die of {dice} counts", dice=raw("{dice}")),
        rule="FK-4",
    )
    return () if is_over(state) else (TableEntry(dice=pad),)


def thrown(_state: State, move: Move) -> tuple[tuple[str, int], ...]:
    """Return the dice of a roll, and none of those that are kept of it."""
    return tuple(("", value) for value in move.dice) if isinstance(move, Roll) else ()


def tell(state: State, table: Table, _facts: Facts) -> PhotoScore:
    """Return the maximum points of the dice on a single photo, for any player."""
    aside = (1,) * (-len(table.dice) % DICE)  # the dice that are not there
    proposal = observe(changed(state, kept=(aside,)), table)
    choices = keeps(moves_of(proposal)[0].dice, values_of(state.house))
    most = max(choices, key=lambda dice: bring(state, dice), default=())
    part, won = _("the roll"), bring(state, most)
    text = _("{dice} counts", dice=said(most)) if won else _("nothing counts")
    more = _("what was set aside before, and what is banked")
    line = Because(0, won, part, text, "FK-3")
    return PhotoScore((part,), (won,), (line,), unknown=more, doubts=proposal.doubts)


ONE = game_of(
    "farkle",
    1,
    globals(),
    score=lambda state: state.scores,
    unseen=(Keep,),
    about=_("Six dice: keep, roll on, or bank"),
    minutes=(15, 30),  # 18 to 37 turns where the coach plays, some 110 moves of ten seconds
    often=("target", "straight", "first_score"),
    coach=coach_of("farkle"),
    equipment=lambda state: Equipment(dice=to_roll(state)),
    turn_total=lambda state: brought(state) or None,
    target=lambda state: state.house["target"],
    boards=lambda _house: (DICE_MAT,),
    attendance=Attendance(leave, SCORE_STANDS, join, turn=turn_of, ignoring=without_points),
    rounds_played=lambda state: rounds_of(turn[0] for turn in chain.from_iterable(state.past)),
    one_photo=OnePhoto(tell, any_number=True),
)
GAME = match_of(in_rounds(ONE, sums=True, alternate=True))
