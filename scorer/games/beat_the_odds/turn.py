"""Beat the Odds: a roll and a turn (BO-3, BO-4)."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, NamedTuple

from scorer.dice import PIPS, check_pips
from scorer.errors import Illegal
from scorer.games.beat_the_odds.moves import Decline, Double, InTurn, Reroll, Roll, StartRoll
from scorer.messages import Message, _
from scorer.phases import Phase, Phases, reason, refused
from scorer.settings import House
from scorer.words import just, pair_said

Dice = tuple[int, int]  # lower die first

ROLLS: tuple[Dice, ...] = tuple((low, high) for low in PIPS for high in PIPS if low <= high)

Asks = Literal["roll", "reroll", "double", "nothing"]


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn as far as it has come; `worth` is one shorter while a re-roll is pending."""

    rolls: tuple[Dice, ...] = ()
    worth: tuple[int, ...] = ()  # of each roll, doubled or not; nothing crossed out
    rights: int = 0  # re-rolls in hand
    asks: Asks = "roll"  # what comes next; "nothing": the turn is over


NO_ROLLS = Turn()


def points(dice: Dice) -> int:
    """Return what a roll is worth by itself (BO-4): its even dice, unless both are odd."""
    return sum([die for die in dice if die % 2 == 0])


WORTH = {dice: points(dice) for dice in ROLLS}  # each move asks for one


def ends_turn(dice: Dice) -> bool:
    """Return True if a roll ends the turn (BO-4): two odd dice, or 6-6."""
    low, high = dice
    return bool(low % 2 and high % 2) or dice == (6, 6)


def crossed_out(turn: Turn) -> int | None:
    """Return the roll that 3-3 took from a finished turn (BO-A7); None: no roll."""
    if turn.asks != "nothing" or turn.rolls[-1] != (3, 3) or not max(turn.worth):
        return None
    return turn.worth.index(max(turn.worth))


def worths(turn: Turn) -> tuple[int, ...]:
    """Return what each roll is worth, 0 if crossed out; `total` halves and doubles the whole."""
    gone = crossed_out(turn)
    return tuple(0 if i == gone else worth for i, worth in enumerate(turn.worth))


def total(turn: Turn) -> int:
    """Return the points of the turn so far, or at its end (BO-4)."""
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
    return tuple(i for i in range(len(turn.rolls)) if house["redouble"] or not is_doubled(turn, i))


def is_doubled(turn: Turn, roll: int) -> bool:
    """Return True if a roll of the turn is doubled."""
    return turn.worth[roll] > points(turn.rolls[roll])


def check_pair(move: Roll | StartRoll, low: int, high: int) -> None:
    """Raise Illegal unless two dice can show this, the lower one first (BO-1)."""
    if not 1 <= low <= high <= 6:
        check_pips(move, (low, high), "BO-1")
        text = _("name the lower die first: {dice}", dice=pair_said((high, low)))
        raise Illegal(move, text, "BO-1")


class InPlay(NamedTuple):
    """A turn, and the house rules by which it is played."""

    turn: Turn
    house: House


def _rolls(_now: InPlay) -> Iterator[InTurn]:
    return (Roll(*dice) for dice in ROLLS)


def _roll(played: InPlay, move: Roll) -> InPlay:
    check_pair(move, move.low, move.high)
    turn, dice = played.turn, (move.low, move.high)
    if turn.rights and (move.low % 2 or move.high % 2):
        waiting = Turn((*turn.rolls, dice), turn.worth, turn.rights, "reroll")
        return InPlay(waiting, played.house)
    return _read(played, turn.rolls, dice, turn.rights)


def _read(played: InPlay, before: tuple[Dice, ...], dice: Dice, rights: int) -> InPlay:
    low, high = dice
    asks: Asks = "roll"
    if ends_turn(dice):
        asks = "nothing"
    elif low == high == 4:
        asks = "double"
    elif low == high == 2:
        rights = rights + 1 if played.house["rights_stack"] else 1
    return InPlay(
        Turn((*before, dice), (*played.turn.worth, WORTH[dice]), rights, asks), played.house
    )


def lying_pair(played: InPlay, dice: Dice) -> InPlay:
    """Return the turn with a final pair, whichever die was re-rolled, and score it."""
    turn = played.turn
    again = turn.asks == "reroll"
    return _read(played, turn.rolls[: len(turn.rolls) - again], dice, turn.rights - again)


def _rerolls(played: InPlay) -> Iterator[InTurn]:
    for face in sorted({die for die in played.turn.rolls[-1] if die % 2}):
        yield from (Reroll(face, value) for value in PIPS)
    yield Decline()


def _reroll(played: InPlay, move: Reroll) -> InPlay:
    *before, (low, high) = played.turn.rolls
    if move.face % 2 == 0:
        raise refused(move, EVEN, {"face": just(move.face)})
    if move.face not in (low, high):
        raise refused(move, NO_SUCH_DIE, {"face": just(move.face), **_lying(played)})
    check_pips(move, [move.value], "BO-1")
    kept = high if move.face == low else low
    dice = (kept, move.value) if kept <= move.value else (move.value, kept)
    return _read(played, tuple(before), dice, played.turn.rights - 1)


def _no_reroll(played: InPlay, move: Reroll) -> InPlay:
    if not played.turn.rights:
        raise refused(move, NO_RIGHT)
    raise refused(move, NONE_WAITS if move.face % 2 else EVEN, {"face": just(move.face)})


def _decline(played: InPlay, _move: Decline) -> InPlay:
    turn, kept = played.turn, played.house["declined_right"] == "kept"
    return _read(played, turn.rolls[:-1], turn.rolls[-1], turn.rights - (not kept))


def _doubles(played: InPlay) -> Iterator[InTurn]:
    yield from map(Double, may_double(*played))
    yield Double(None)


def _double(played: InPlay, move: Double) -> InPlay:
    turn, roll = played.turn, move.roll
    if roll is None:
        return InPlay(Turn(turn.rolls, turn.worth, turn.rights), played.house)
    if not 0 <= roll < len(turn.rolls):
        raise refused(move, NO_SUCH_ROLL, {"number": just(roll + 1)})
    if not played.house["redouble"] and is_doubled(turn, roll):
        raise refused(move, DOUBLED, {"number": just(roll + 1)})
    worth = (*turn.worth[:roll], 2 * turn.worth[roll], *turn.worth[roll + 1 :])
    return InPlay(Turn(turn.rolls, worth, turn.rights), played.house)


def _lying(played: InPlay) -> dict[str, Message]:
    return {"dice": pair_said(played.turn.rolls[-1])} if played.turn.rolls else {}


def _who(_now: InPlay) -> tuple[int]:
    return (0,)  # a turn is one player's


EVEN = reason("{face} is even, and only odd dice are rolled again", "BO-4")
NO_SUCH_DIE = reason("no die shows {face}: the dice show {dice}", "BO-4")
NO_RIGHT = reason("there is no re-roll right: a 2-2 must come first", "BO-4")
NONE_WAITS = reason("there is no odd die to roll again", "BO-A4")
NO_SUCH_ROLL = reason("there is no roll {number} in this turn yet", "BO-4")
DOUBLED = reason("roll {number} is doubled already", "BO-A6")
NO_DOUBLE = reason("a roll is doubled only right after a 4-4", "BO-4")
NO_DECLINE = reason("there is no re-roll to decline", "BO-4")
SAY_REROLL = reason("decide first whether an odd die of {dice} is rolled again", "BO-4")
SAY_DOUBLE = reason("choose first which roll 4-4 doubles, if any", "BO-A12")
ENDED = reason("{dice} has ended the turn", "BO-3")
TURN = Phases(
    lambda now: now.turn.asks,
    {
        "roll": Phase(
            _who, _rolls, {Roll: _roll, Reroll: _no_reroll}, NO_DOUBLE, {Decline: NO_DECLINE}
        ),
        "reroll": Phase(
            _who, _rerolls, {Reroll: _reroll, Decline: _decline}, SAY_REROLL, {Double: NO_DOUBLE}
        ),
        "double": Phase(
            _who, _doubles, {Double: _double, Reroll: _no_reroll}, SAY_DOUBLE, {Decline: NO_DECLINE}
        ),
        "nothing": Phase(
            _who,
            lambda _: iter(()),
            {Reroll: _no_reroll},
            ENDED,
            {Double: NO_DOUBLE, Decline: NO_DECLINE},
        ),
    },
    _lying,
)


def play(turn: Turn, move: InTurn, house: House) -> Turn:
    """Return the turn after *move*; raise Illegal if the rules forbid it (BO-3, BO-4)."""
    return TURN.apply(InPlay(turn, house), move).turn
