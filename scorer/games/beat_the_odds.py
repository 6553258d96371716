"""Beat the Odds: roll two dice again and again until they end your turn; past 100, one turn each.

| dice | the roll is worth | the turn |
| --- | --- | --- |
| one even, one odd | the even die | goes on |
| two different evens | their sum | goes on |
| two different odds | 0 | ends: all rolls added up |
| 1-1 | 0 | ends: nothing |
| 2-2 | 4 | goes on, with the right to roll an odd die of the next odd roll again |
| 3-3 | 0 | ends: without the highest roll |
| 4-4 | 8 | goes on, and any one roll of the turn may be doubled |
| 5-5 | 0 | ends: half the sum |
| 6-6 | 12 | ends: twice the sum |

Rule ids are those of RULES.md. Where the text is silent we rule that

* a re-roll right not used by the end of the turn lapses (BO-A1, `right_carries_over`);
* of two odd dice either may be rolled again, also of 1-1, 3-3 and 5-5 (BO-A2);
* a right not used on the next odd roll is lost (BO-A3, `declined_right`);
* the new pair counts fully: a new 2-2 is a new right, an odd one is not rolled again (BO-A4);
* a second 2-2 adds no second right (BO-A5, `rights_stack`);
* 4-4 may double a roll that is doubled already (BO-A6, `redouble`);
* 3-3 takes the roll that is highest as doubled, the earliest of several, or nothing (BO-A7);
* nobody may stop by choice (BO-A8);
* after 100 every other player has one more turn, whoever had one this round (BO-A9, `last_turns`);
* a level top is a shared win, or the level players have one more turn each (BO-A10, `tie`);
* level starting rolls: only those players roll again (BO-A11);
* a doubling is named at once, before the next roll (BO-A12);
* 100 counts when the turn is over, not in its middle (BO-A13).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations_with_replacement
from typing import Literal

from scorer.coach import coach_of
from scorer.game import (
    Because,
    Doubt,
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
from scorer.repair import Seen, dice_doubts, dice_options, pips_alone, same_again, stories
from scorer.table import Table

TARGET = 100
TITLE = "Beat the Odds"
SEATS = range(2, 21)  # any number may play; twenty still fit on a phone

SETTINGS = (
    Setting(
        "right_carries_over",
        "A re-roll right left over when the turn ends",
        False,
        {False: "It is lost", True: "It waits for your next turn"},
        "BO-A1",
    ),
    Setting(
        "declined_right",
        "A re-roll right you do not use on the next odd roll",
        "lost",
        {"lost": "It is lost", "kept": "It waits for a later odd roll"},
        "BO-A3",
    ),
    Setting(
        "rights_stack",
        "A second 2-2 while you hold a re-roll right",
        False,
        {False: "It adds nothing", True: "You hold two rights"},
        "BO-A5",
    ),
    Setting(
        "redouble",
        "4-4 on a roll that is doubled already",
        True,
        {True: "It may be doubled again", False: "Each roll is doubled once at most"},
        "BO-A6",
    ),
    Setting(
        "last_turns",
        "When somebody has reached 100",
        "each_other_once",
        {
            "each_other_once": "Every other player has one more turn",
            "finish_round": "The round is finished, so that all have had as many turns",
        },
        "BO-A9",
    ),
    Setting(
        "tie",
        "When the highest scores are level",
        "shared",
        {"shared": "The win is shared", "playoff": "The level players have one more turn each"},
        "BO-A10",
    ),
)


# ---------------------------------------------------------------- moves


@dataclass(frozen=True, slots=True)
class Agree:
    """The players settled at the table who begins (seat from 0)."""

    starter: int


@dataclass(frozen=True, slots=True)
class StartRoll:
    """The next player rolls both dice for the start; the lower die is named first."""

    low: int
    high: int


@dataclass(frozen=True, slots=True)
class Roll:
    """Both dice as rolled; the lower die is named first."""

    low: int
    high: int


@dataclass(frozen=True, slots=True)
class Reroll:
    """The odd die that showed *face* was rolled again and shows *value* now."""

    face: int
    value: int


@dataclass(frozen=True, slots=True)
class Decline:
    """The odd roll stays as it is, though a right to roll a die again is held."""


@dataclass(frozen=True, slots=True)
class Double:
    """4-4 doubles one roll of this turn, counted from 0; None: no roll."""

    roll: int | None


InTurn = Roll | Reroll | Decline | Double
Move = Agree | StartRoll | InTurn


# ---------------------------------------------------------------- state

Dice = tuple[int, int]  # lower die first
Asks = Literal["roll", "reroll", "double", "nothing"]


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn as far as it has come.

    While it asks for a re-roll the last pair lies there unread: `worth` is one shorter.
    """

    rolls: tuple[Dice, ...] = ()
    worth: tuple[int, ...] = ()  # of each roll, doubled or not; nothing crossed out
    rights: int = 0  # re-rolls in hand
    asks: Asks = "roll"  # what comes next; "nothing": the turn is over


@dataclass(frozen=True, slots=True)
class Past:
    """A finished turn and the points it brought."""

    seat: int
    points: int
    turn: Turn


@dataclass(frozen=True, slots=True)
class State:
    """Everything the rules need: the scores, the turn in play, who still has one to come."""

    house: House
    scores: tuple[int, ...]
    seat: int = 0  # who rolls
    turn: Turn = Turn()
    rights: tuple[int, ...] = ()  # a seat: re-rolls carried into its next turn
    starter: int | None = None  # None while they roll for the start
    rolling: tuple[int, ...] = ()  # the seats that roll for the start
    thrown: tuple[int, ...] = ()  # their totals so far, in the same order
    trigger: int | None = None  # the seat that reached 100 first
    last: tuple[int, ...] | None = None  # seats with a last turn to come; None before 100
    past: tuple[Past, ...] = ()
    lying: Dice | None = None  # the last roll for the start


# ---------------------------------------------------------------- a roll and a turn


def points(dice: Dice) -> int:
    """Return what a roll is worth by itself (BO-4): its even dice, unless both are odd."""
    return sum(die for die in dice if die % 2 == 0)


def ends_turn(dice: Dice) -> bool:
    """Say whether a roll ends the turn (BO-4): two odd dice, or 6-6."""
    low, high = dice
    return bool(low % 2 and high % 2) or dice == (6, 6)


def crossed_out(turn: Turn) -> int | None:
    """Return the roll that 3-3 took from a finished turn (BO-A7); None: no roll."""
    if turn.asks != "nothing" or turn.rolls[-1] != (3, 3) or not max(turn.worth):
        return None
    return turn.worth.index(max(turn.worth))


def worths(turn: Turn) -> tuple[int, ...]:
    """Return what each roll is worth: 0 if crossed out, doubled if doubled.

    That 5-5 halves and 6-6 doubles the whole is left to `total`.
    """
    gone = crossed_out(turn)
    return tuple(0 if i == gone else worth for i, worth in enumerate(turn.worth))


def total(turn: Turn) -> int:
    """Return the points of the turn, as it stands or as it ended (BO-4)."""
    together = sum(turn.worth)
    if turn.asks != "nothing":
        return together
    match turn.rolls[-1]:
        case (1, 1):
            return 0
        case (3, 3):
            return together - max(turn.worth)
        case (5, 5):
            return together // 2  # never a fraction: every roll is worth an even number
        case (6, 6):
            return together * 2
    return together


def may_double(turn: Turn, house: House) -> tuple[int, ...]:
    """Return the rolls, from 0, that the 4-4 just rolled may double (BO-A6)."""
    if turn.asks != "double":
        return ()
    return tuple(i for i in range(len(turn.rolls)) if house["redouble"] or not _doubled(turn, i))


def play(turn: Turn, move: InTurn, house: House) -> Turn:
    """Return the turn after *move*; raise Illegal if the rules forbid it (BO-3, BO-4)."""
    match move:
        case Roll(low, high):
            _check_pair(move, low, high)
            _check_may_roll(turn, move)
            dice = (low, high)
            if turn.rights and (low % 2 or high % 2):
                return Turn((*turn.rolls, dice), turn.worth, turn.rights, "reroll")
            return _read(turn.rolls, dice, turn.worth, turn.rights, house)
        case Reroll(face, value):
            _check_reroll(turn, move)
            low, high = turn.rolls[-1]
            kept = high if face == low else low
            dice = (kept, value) if kept <= value else (value, kept)
            return _read(turn.rolls[:-1], dice, turn.worth, turn.rights - 1, house)
        case Decline():
            if turn.asks != "reroll":
                raise Illegal(move, "there is no re-roll to decline", "BO-4")
            rights = turn.rights if house["declined_right"] == "kept" else turn.rights - 1
            return _read(turn.rolls[:-1], turn.rolls[-1], turn.worth, rights, house)
        case Double(roll):
            return _double(turn, move, roll, house)


def _read(
    before: tuple[Dice, ...], dice: Dice, worth: tuple[int, ...], rights: int, house: House
) -> Turn:
    """Read a pair in the table of results, nobody rolling it again."""
    low, high = dice
    worth = (*worth, points(dice))
    asks: Asks = "roll"
    if ends_turn(dice):
        asks = "nothing"
    elif low == high == 4:
        asks = "double"
    elif low == high == 2:
        rights = rights + 1 if house["rights_stack"] else 1
    return Turn((*before, dice), worth, rights, asks)


def _double(turn: Turn, move: Double, roll: int | None, house: House) -> Turn:
    if turn.asks != "double":
        raise Illegal(move, "only a 4-4 just rolled doubles a roll", "BO-4")
    if roll is None:
        return Turn(turn.rolls, turn.worth, turn.rights)
    if not 0 <= roll < len(turn.rolls):
        raise Illegal(move, f"there is no roll {roll + 1} in this turn yet", "BO-4")
    if not house["redouble"] and _doubled(turn, roll):
        raise Illegal(move, f"roll {roll + 1} is doubled already", "BO-A6")
    worth = (*turn.worth[:roll], 2 * turn.worth[roll], *turn.worth[roll + 1 :])
    return Turn(turn.rolls, worth, turn.rights)


def _doubled(turn: Turn, roll: int) -> bool:
    return turn.worth[roll] > points(turn.rolls[roll])


def _check_pair(move: Roll | StartRoll, low: int, high: int) -> None:
    for die in (low, high):
        if not 1 <= die <= 6:
            raise Illegal(move, f"a die shows 1 to 6, not {die}", "BO-1")
    if low > high:
        raise Illegal(move, f"name the lower die first: {high}-{low}", "BO-1")


def _check_may_roll(turn: Turn, move: Roll) -> None:
    match turn.asks:
        case "reroll":
            text = f"say first whether an odd die of {_pair(turn.rolls[-1])} is rolled again"
            raise Illegal(move, text, "BO-4")
        case "double":
            raise Illegal(move, "say first which roll 4-4 doubles, or none", "BO-A12")
        case "nothing":
            raise Illegal(move, f"{_pair(turn.rolls[-1])} has ended the turn", "BO-3")


def _check_reroll(turn: Turn, move: Reroll) -> None:
    if not turn.rights:
        raise Illegal(move, "no re-roll right is held: it takes a 2-2 before", "BO-4")
    if move.face % 2 == 0:
        raise Illegal(move, f"{move.face} is even and only an odd die is rolled again", "BO-4")
    if turn.asks != "reroll":
        raise Illegal(move, "no odd die waits to be rolled again", "BO-A4")
    if move.face not in turn.rolls[-1]:
        shown = _pair(turn.rolls[-1])
        raise Illegal(move, f"no die shows {move.face}: {shown} lies there", "BO-4")
    if not 1 <= move.value <= 6:
        raise Illegal(move, f"a die shows 1 to 6, not {move.value}", "BO-1")


def _pair(dice: Dice) -> str:
    return f"{dice[0]}-{dice[1]}"


# ---------------------------------------------------------------- from turn to turn


def leaders(numbers: Sequence[int]) -> tuple[int, ...]:
    """Return the places of the highest number: who leads, or who wins the start (BO-2, BO-6)."""
    best = max(numbers)
    return tuple(place for place, number in enumerate(numbers) if number == best)


def bank(state: State, brought: int) -> State:
    """Return the state after the turn in play has brought its points (BO-5, BO-6)."""
    seat, count = state.seat, len(state.scores)
    scores = (*state.scores[:seat], state.scores[seat] + brought, *state.scores[seat + 1 :])
    trigger, last = state.trigger, state.last
    if last is not None:
        last = last[1:]
    elif scores[seat] >= TARGET:
        trigger, last = seat, _last_turns(state)
    if last == () and state.house["tie"] == "playoff" and len(level := leaders(scores)) > 1:
        last = tuple(other for other in _round(state) if other in level)
    rights = state.rights
    if state.house["right_carries_over"]:
        rights = (*rights[:seat], state.turn.rights, *rights[seat + 1 :])
    following = last[0] if last else (seat + 1) % count
    return State(
        state.house,
        scores,
        following,
        Turn(rights=rights[following]),
        rights,
        state.starter,
        trigger=trigger,
        last=last,
        past=(*state.past, Past(seat, brought, state.turn)),
    )


def _round(state: State) -> tuple[int, ...]:
    """Return all seats in the order of a round, the starter first."""
    assert state.starter is not None
    count = len(state.scores)
    return tuple((state.starter + place) % count for place in range(count))


def _last_turns(state: State) -> tuple[int, ...]:
    """Return who still plays when the player in turn has reached 100 (BO-A9)."""
    seats = _round(state)
    place = seats.index(state.seat)
    if state.house["last_turns"] == "finish_round":
        return seats[place + 1 :]
    return seats[place + 1 :] + seats[:place]


# ---------------------------------------------------------------- the contract


def start(seats: int, settings: Mapping[str, object]) -> State:
    """Return the state before the first roll for the start; raises NotAMove."""
    house = settle(SETTINGS, settings)
    count = check_seats(TITLE, SEATS, seats)
    return State(house, (0,) * count, rights=(0,) * count, rolling=tuple(range(count)))


def begun(state: State, starter: int) -> State:
    """Return the state in which *starter* (seat from 0) has the first turn."""
    settled = State(state.house, state.scores, starter, rights=state.rights, starter=starter)
    return replace(settled, lying=state.lying)


def legal_moves(state: State) -> Iterator[Move]:
    """Yield every move `apply` takes: all rolls, re-rolls and doublings of this moment."""
    if is_over(state):
        return
    if state.starter is None:
        yield from (StartRoll(*dice) for dice in combinations_with_replacement(range(1, 7), 2))
        yield from (Agree(seat) for seat in range(len(state.scores)))
        return
    turn = state.turn
    match turn.asks:
        case "roll":
            yield from (Roll(*dice) for dice in combinations_with_replacement(range(1, 7), 2))
        case "reroll":
            for face in sorted({die for die in turn.rolls[-1] if die % 2}):
                yield from (Reroll(face, value) for value in range(1, 7))
            yield Decline()
        case "double":
            yield from (Double(roll) for roll in may_double(turn, state.house))
            yield Double(None)


def apply(state: State, move: Move) -> State:
    """Return the state after *move*; raise Illegal if the rules forbid it."""
    if state.last == ():
        raise Illegal(move, "the game is over", "BO-6")
    if isinstance(move, (Agree, StartRoll)):
        return _start(state, move)
    if state.starter is None:
        raise Illegal(move, "settle first who begins", "BO-2")
    turn = play(state.turn, move, state.house)
    state = State(
        state.house,
        state.scores,
        state.seat,
        turn,
        state.rights,
        state.starter,
        trigger=state.trigger,
        last=state.last,
        past=state.past,
    )
    return bank(state, total(turn)) if turn.asks == "nothing" else state


def _start(state: State, move: Agree | StartRoll) -> State:
    if state.starter is not None:
        raise Illegal(move, f"player {state.starter + 1} has begun", "BO-2")
    if isinstance(move, Agree):
        if not 0 <= move.starter < len(state.scores):
            raise Illegal(move, f"there is no player {move.starter + 1}", "BO-2")
        return begun(state, move.starter)
    _check_pair(move, move.low, move.high)
    state = replace(state, lying=(move.low, move.high))
    thrown = (*state.thrown, move.low + move.high)
    if len(thrown) < len(state.rolling):
        return replace(state, thrown=thrown, seat=state.rolling[len(thrown)])
    level = tuple(state.rolling[place] for place in leaders(thrown))
    if len(level) == 1:
        return begun(state, level[0])
    return replace(state, rolling=level, thrown=(), seat=level[0])


def score(state: State) -> tuple[int, ...]:
    """Return the scores; the turn in play counts when it is over (BO-A13)."""
    return state.scores


def is_over(state: State) -> bool:
    """Say whether the last turns are played (BO-6)."""
    return state.last == ()


def result(state: State) -> Result | None:
    """Return the highest score's owner, or owners (BO-A10)."""
    if not is_over(state):
        return None
    best = leaders(state.scores)
    reached = f"after player {1 + (state.trigger or 0)} was first to reach {TARGET}"
    if len(best) == 1:
        rest = max(points for seat, points in enumerate(state.scores) if seat != best[0])
        return Result(
            best, f"player {best[0] + 1} wins {state.scores[best[0]]} to {rest}, {reached}"
        )
    sharers = " and ".join(f"player {seat + 1}" for seat in best)
    return Result(best, f"{sharers} share the win with {state.scores[best[0]]}, {reached}")


def explain(state: State) -> tuple[Because, ...]:
    """Return one entry for each finished turn, then the turn in play, which counts for nobody."""
    turns = [0] * len(state.scores)
    entries = []
    for past in state.past:
        turns[past.seat] += 1
        text = f"{_rolls_said(past.turn)} = {past.points}"
        entries.append(Because(past.seat, past.points, f"turn {turns[past.seat]}", text, "BO-4"))
    if state.turn.worth:
        text = f"{_rolls_said(state.turn)} = {total(state.turn)} so far"
        entries.append(Because(None, 0, f"player {state.seat + 1} is rolling", text, "BO-A13"))
    return tuple(entries)


def _rolls_said(turn: Turn) -> str:
    """Return "4-6: 10 doubled to 20, 4-4: 8; 3-3 crosses out the 20"."""
    over = turn.asks == "nothing"
    read = len(turn.worth) - (over and turn.rolls[-1] != (6, 6))
    said = []
    for i in range(read):
        said.append(f"{_pair(turn.rolls[i])}: {points(turn.rolls[i])}")
        if _doubled(turn, i):
            said[-1] += f" doubled to {turn.worth[i]}"
    end = f"{_pair(turn.rolls[-1])} {_end_said(turn)}" if over else ""
    return "; ".join(part for part in (", ".join(said), end) if part)


def _end_said(turn: Turn) -> str:
    """Return what the last pair of a finished turn does to it."""
    together, highest = sum(turn.worth), max(turn.worth)
    match turn.rolls[-1]:
        case (1, 1):
            return "loses it all"
        case (3, 3) if highest:
            return f"crosses out the {highest}"
        case (5, 5):
            return f"halves the {together}"
        case (6, 6):
            return f"doubles the {together}"
    return "ends the turn"


def prompt(state: State) -> str:
    """Return what is to be done next, in one sentence."""
    ended = result(state)
    if ended is not None:
        return ended.why
    who = f"player {state.seat + 1}"
    if state.starter is None:
        return f"{who} rolls both dice for the start"
    match state.turn.asks:
        case "reroll":
            shown = _pair(state.turn.rolls[-1])
            return f"{who} may roll an odd die of {shown} again, or leaves it"
        case "double":
            return f"{who} says which roll 4-4 doubles, or none"
    last = ", the last turn" if state.last else ""
    right = ", holding a re-roll right" if state.turn.rights else ""
    return f"{who} rolls both dice{right}{last}"


def describe(state: State, move: Move) -> str:
    """Return *move*, made in *state*, in words."""
    who = f"player {state.seat + 1}"
    match move:
        case Agree(starter):
            return f"player {starter + 1} begins"
        case StartRoll(low, high):
            return f"{who} rolls {low}-{high} for the start"
        case Roll(low, high):
            said = f"{who} rolls {low}-{high}"
        case Reroll(face, value):
            said = f"{who} rolls the {face} again to {value}"
        case Decline():
            said = f"{who} leaves {_pair(state.turn.rolls[-1])}"
        case Double(roll):
            if roll is None:
                return f"{who} doubles no roll"
            worth = 2 * state.turn.worth[roll]
            return f"{who} doubles roll {roll + 1} ({_pair(state.turn.rolls[roll])}) to {worth}"
    turn = play(state.turn, move, state.house)
    if turn.asks == "nothing":
        return f"{said}, which {_end_said(turn)}: {_count(total(turn))}"
    return said if turn.asks == "reroll" else f"{said} for {_count(turn.worth[-1])}"


def _count(number: int) -> str:
    return f"{number} point{'' if number == 1 else 's'}"


def to_move(state: State) -> tuple[int, ...]:
    """Return the seat whose turn it is; anybody may say who begins."""
    return () if is_over(state) else (state.seat,)


def target(_state: State) -> int:
    """Return the score that brings on the last turns (BO-6)."""
    return TARGET


def turn_total(state: State) -> int | None:
    """Return the points of the turn in play as they stand; None before its first roll."""
    return total(state.turn) if state.turn.rolls else None


# ---------------------------------------------------------------- what one photo tells


def tell(state: State, table: Table, _facts: Facts) -> PhotoScore:
    """Return what the pair on one photo means, whoever rolled it."""
    proposal = observe(begun(state, 0), table)
    (roll,) = moves_of(proposal)
    dice = (roll.low, roll.high)
    worth = points(dice)
    means = [f"{_pair(dice)} {_meaning(dice)}"]
    if roll.low % 2 or roll.high % 2:
        which = "either die" if roll.low % 2 and roll.high % 2 else "the odd die"
        means.append(f"who holds a re-roll right may roll {which} again first")
    return PhotoScore(
        ("the roll",),
        (worth,),
        (Because(0, worth, "the roll", f"{_pair(dice)}: {worth}", "BO-4"),),
        tuple(means),
        unknown="the rolls of the turn before this one, whether a re-roll right is held,"
        " and the scores",
        doubts=proposal.doubts,
    )


def _meaning(dice: Dice) -> str:
    """Return what a pair brings, and what it does to its turn (BO-4)."""
    match dice:
        case (1, 1):
            return "ends the turn, which brings nothing"
        case (2, 2):
            return "is worth 4 and gives the right to roll an odd die of the next odd roll again"
        case (3, 3):
            return "ends the turn and crosses out its highest roll"
        case (4, 4):
            return "is worth 8, and any one roll of the turn may be doubled"
        case (5, 5):
            return "ends the turn, which brings half of its rolls added up"
        case (6, 6):
            return "is worth 12 and ends the turn, which brings twice its rolls added up"
    if ends_turn(dice):
        return "ends the turn, which brings its rolls added up"
    return f"is worth {points(dice)}, and the turn goes on"


# ---------------------------------------------------------------- what the camera saw


def equipment(_state: State) -> Equipment:
    """Return two dice, of any colour."""
    return Equipment(dice=2)


def observe(state: State, table: Table) -> Proposal:
    """Return what the two dice mean: a roll, or the odd die rolled again."""
    if is_over(state):
        return Proposal.differs("the game is over", "BO-6")
    if len(table.dice) != 2:
        return Proposal.differs(_not_two(len(table.dice)), "BO-1")
    if state.starter is not None and state.turn.asks == "double":
        return Proposal.differs("say first which roll 4-4 doubles, or none", "BO-A12")
    told = stories(dice_options(table.dice), lambda read: _meanings(state, _pips(read)))
    if not told:
        shown = _sorted([die.value for die in table.dice])
        return Proposal.differs(_unexplained(state, shown), "BO-4")
    best = told[0]
    readings = [story.reading for story in told]
    doubts = [*dice_doubts(enumerate(table.dice), readings, pips_alone)]
    doubts += [
        Doubt(f"or {_moves_said(state, other.meaning)}")
        for other in told[1:]
        if _pips(other.reading) == _pips(best.reading)
    ]
    lay = _lying(state)
    if lay and state.turn.asks == "roll" and lay in map(_pips, readings):
        doubts.append(same_again(_pair(lay)))
    if isinstance(best.meaning[0], Decline) and len(best.meaning) > 1:
        doubts.append(_declined(state.turn.rolls[-1], _pips(best.reading)))
    return Proposal(best.meaning, tuple(doubts))


def _not_two(seen: int) -> str:
    if seen > 2:
        return f"{seen} dice are seen; show only the two that were rolled."
    return "Only one die is seen; show both." if seen else "No dice are seen; show both."


def _sorted(pips: Sequence[int]) -> Dice:
    low, high = sorted(pips)
    return low, high


def _pips(read: Sequence[Seen]) -> Dice:
    return _sorted([value for _, value in read])


def _lying(state: State) -> Dice | None:
    """Return the dice as the last roll left them, be it of the turn before or for the start."""
    if state.turn.rolls:
        return state.turn.rolls[-1]
    return state.past[-1].turn.rolls[-1] if state.past else state.lying


def _meanings(state: State, dice: Dice) -> list[tuple[Move, ...]]:
    """Return the moves that end with *dice* lying there, the likeliest first; none is impossible.

    After a 2-2 a player who did not want to roll a die again may have rolled on at once.
    """
    if state.starter is None:
        return [(StartRoll(*dice),)]
    if state.turn.asks == "roll":
        return [(Roll(*dice),)]
    low, high = state.turn.rolls[-1]
    kept = {face: high if face == low else low for face in (low, high) if face % 2}
    found: list[tuple[Move, ...]] = [
        (Reroll(face, dice[1 - dice.index(other)]),)
        for face, other in kept.items()
        if other in dice
    ]
    if dice == (low, high):
        return [(Decline(),), *found]
    if not ends_turn((low, high)):
        found.append((Decline(), Roll(*dice)))
    return found


def _declined(lay: Dice, now: Dice) -> Doubt:
    """Return the question whether both dice were rolled anew, where one might have been again."""
    if same := [die for die in now if die in lay and die % 2]:
        text = f"the {same[0]} still lies there: was the other die rolled again, which is even"
        return Doubt(f"{text} and stays? Else both were rolled for a new roll")
    return Doubt(f"taken as a new roll of both dice: was not one die of {_pair(lay)} rolled again?")


def _unexplained(state: State, dice: Dice) -> str:
    if not all(1 <= die <= 6 for die in dice):
        return f"a die shows 1 to 6, and {_pair(dice)} was read"
    lay = _pair(state.turn.rolls[-1])
    return f"{lay} lay there and one odd die could be rolled again, but now it is {_pair(dice)}"


def _moves_said(state: State, moves: Sequence[Move]) -> str:
    said = []
    for move in moves:
        said.append(describe(state, move))
        state = apply(state, move)
    return ", then ".join(said)


GAME = Game(
    name="beat_the_odds",
    title=TITLE,
    version=1,
    seats=SEATS,
    settings=SETTINGS,
    moves=(Agree, StartRoll, Roll, Reroll, Decline, Double),
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
    unseen=(Agree, Decline, Double),
    unnoticed=(Decline,),
    target=target,
    boards=lambda _house: (DICE_MAT,),
    turn_total=turn_total,
    one_photo=OnePhoto(lambda state: (equipment(state),), tell),
    several={"Roll": "rolls"},
    coach=coach_of("beat_the_odds"),
)
