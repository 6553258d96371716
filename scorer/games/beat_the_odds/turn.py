"""Beat the Odds: a roll and a turn (BO-3, BO-4)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from scorer.dice import PIPS, check_pips
from scorer.game import (
    House,
    Illegal,
)
from scorer.games.beat_the_odds.moves import Decline, Double, InTurn, Reroll, Roll, StartRoll
from scorer.messages import Message, _, joined

Dice = tuple[int, int]  # lower die first

ROLLS: tuple[Dice, ...] = tuple((low, high) for low in PIPS for high in PIPS if low <= high)

# ---------------------------------------------------------------- state

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


NO_ROLLS = Turn()


# ---------------------------------------------------------------- a roll and a turn


def points(dice: Dice) -> int:
    """Return what a roll is worth by itself (BO-4): its even dice, unless both are odd."""
    return sum([die for die in dice if die % 2 == 0])


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
    return tuple(i for i in range(len(turn.rolls)) if house["redouble"] or not is_doubled(turn, i))


def play(turn: Turn, move: InTurn, house: House) -> Turn:
    """Return the turn after *move*; raise Illegal if the rules forbid it (BO-3, BO-4)."""
    match move:
        case Roll(low, high):
            check_pair(move, low, high)
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
                raise Illegal(move, _("there is no re-roll to decline"), "BO-4")
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
        raise Illegal(move, _("only a 4-4 just rolled doubles a roll"), "BO-4")
    if roll is None:
        return Turn(turn.rolls, turn.worth, turn.rights)
    if not 0 <= roll < len(turn.rolls):
        raise Illegal(
            move, _("there is no roll {number} in this turn yet", number=roll + 1), "BO-4"
        )
    if not house["redouble"] and is_doubled(turn, roll):
        raise Illegal(move, _("roll {number} is doubled already", number=roll + 1), "BO-A6")
    worth = (*turn.worth[:roll], 2 * turn.worth[roll], *turn.worth[roll + 1 :])
    return Turn(turn.rolls, worth, turn.rights)


def is_doubled(turn: Turn, roll: int) -> bool:
    """Say whether a roll of the turn is doubled."""
    return turn.worth[roll] > points(turn.rolls[roll])


def check_pair(move: Roll | StartRoll, low: int, high: int) -> None:
    """Raise Illegal unless two dice can show this, the lower one first (BO-1)."""
    if not 1 <= low <= high <= 6:
        check_pips(move, (low, high), "BO-1")
        text = _("name the lower die first: {dice}", dice=pair_said((high, low)))
        raise Illegal(move, text, "BO-1")


def _check_may_roll(turn: Turn, move: Roll) -> None:
    match turn.asks:
        case "reroll":
            dice = pair_said(turn.rolls[-1])
            text = _("say first whether an odd die of {dice} is rolled again", dice=dice)
            raise Illegal(move, text, "BO-4")
        case "double":
            raise Illegal(move, _("say first which roll 4-4 doubles, or none"), "BO-A12")
        case "nothing":
            text = _("{dice} has ended the turn", dice=pair_said(turn.rolls[-1]))
            raise Illegal(move, text, "BO-3")


def _check_reroll(turn: Turn, move: Reroll) -> None:
    if not turn.rights:
        raise Illegal(move, _("no re-roll right is held: it takes a 2-2 before"), "BO-4")
    if move.face % 2 == 0:
        text = _("{face} is even and only an odd die is rolled again", face=move.face)
        raise Illegal(move, text, "BO-4")
    if turn.asks != "reroll":
        raise Illegal(move, _("no odd die waits to be rolled again"), "BO-A4")
    if move.face not in turn.rolls[-1]:
        dice = pair_said(turn.rolls[-1])
        text = _("no die shows {face}: {dice} lies there", face=move.face, dice=dice)
        raise Illegal(move, text, "BO-4")
    check_pips(move, [move.value], "BO-1")


def pair_said(dice: Dice) -> Message:
    """Return a pair as players name it: "3-5"."""
    return joined("-", dice)
