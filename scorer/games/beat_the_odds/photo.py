"""Beat the Odds: what the camera looks for, and what a photo means."""

from collections.abc import Sequence

from scorer.board import Board
from scorer.game import Because, Equipment, Facts, OnePhoto, PhotoScore
from scorer.games.beat_the_odds.moves import Decline, Move, Reroll, Roll, StartRoll
from scorer.games.beat_the_odds.rules import apply, begun, is_over
from scorer.games.beat_the_odds.state import State
from scorer.games.beat_the_odds.turn import TURN, Dice, InPlay, ends_turn, points
from scorer.games.beat_the_odds.words import describe
from scorer.messages import Message, _, joined
from scorer.phases import described
from scorer.photo.interpret import Seen, dice_doubts, dice_options, interpretations, pips_alone
from scorer.photo.one_photo import moves_of
from scorer.photo.rolls import other_number, same_again
from scorer.printed import DICE_MAT
from scorer.proposal import Doubt, Proposal
from scorer.settings import House
from scorer.table import Die, Table
from scorer.words import in_turn, pair_said


def tell(state: State, table: Table, _facts: Facts) -> PhotoScore:
    """Return the meaning of the pair on a single photo, for any player."""
    proposal = observe(begun(state, 0), table)
    (roll,) = moves_of(proposal)
    dice = (roll.low, roll.high)
    worth, shown, part = points(dice), pair_said(dice), _("the roll")
    means = [joined(" ", (shown, _meaning(dice)))]
    if roll.low % 2 and roll.high % 2:
        means.append(_("a player with a re-roll right may roll either die again first"))
    elif roll.low % 2 or roll.high % 2:
        means.append(_("a player with a re-roll right may roll the odd die again first"))
    line = Because(0, worth, part, _("{dice}: {points}", dice=shown, points=worth), "BO-4")
    return PhotoScore(
        (part,),
        (worth,),
        (line,),
        tuple(means),
        unknown=_(
            "the earlier rolls of this turn, whether the player has a re-roll right, and the scores"
        ),
        doubts=proposal.doubts,
    )


def _meaning(dice: Dice) -> Message:
    match dice:
        case (1, 1):
            return _("ends the turn, which scores nothing")
        case (2, 2):
            return _(
                "is worth 4 and gives a re-roll right: an odd die of the next odd roll may "
                "be rolled again"
            )
        case (3, 3):
            return _("ends the turn and crosses out its highest roll")
        case (4, 4):
            return _("is worth 8, and any one roll of the turn may be doubled")
        case (5, 5):
            return _("ends the turn, which scores half the sum of its rolls")
        case (6, 6):
            return _("is worth 12 and ends the turn, which scores twice the sum of its rolls")
    if ends_turn(dice):
        return _("ends the turn, which scores the sum of its rolls")
    return _("is worth {points}, and the turn goes on", points=points(dice))


def equipment(_state: State) -> Equipment:
    """Return two dice, of any colour."""
    return Equipment(dice=2)


def observe(state: State, table: Table) -> Proposal:
    """Return what the two dice mean: a roll, or the odd die rolled again."""
    if is_over(state):
        return Proposal.differs(_("the game is over"), "BO-6")
    if len(table.dice) != 2:
        return Proposal.differs(other_number(len(table.dice), 2), "BO-1")
    if state.starter is not None and state.turn.asks == "double":
        return Proposal.differs(TURN.waits_for(InPlay(state.turn, state.house)), "BO-A12")
    found = interpretations(dice_options(table.dice), lambda read: _meanings(state, _pips(read)))
    if not found:
        shown = _sorted([die.value for die in table.dice])
        return Proposal.differs(_unexplained(state, shown), "BO-4")
    best = found[0]
    readings = [interpretation.reading for interpretation in found]
    doubts = [*dice_doubts(enumerate(table.dice), readings, pips_alone)]
    doubts += [
        Doubt(
            _("or {moves}", moves=in_turn(described(state, other.meaning, apply, describe))),
            others=(other.meaning,),
        )
        for other in found[1:]
        if _pips(other.reading) == _pips(best.reading)
    ]
    lay = _lying(state)
    if lay and state.turn.asks == "roll" and lay in map(_pips, readings):
        doubts.append(same_again(pair_said(lay)))
    if best.meaning == (Decline(),):
        still = pair_said(_pips(best.reading))
        text = _("the dice still show {dice}: was neither rolled again?", dice=still)
        doubts.append(Doubt(text, about="again"))
    elif isinstance(best.meaning[0], Decline):
        doubts.append(_declined(state.turn.rolls[-1], _pips(best.reading)))
    return Proposal(best.meaning, tuple(doubts), weighed=True)


def _sorted(pips: Sequence[int]) -> Dice:
    low, high = sorted(pips)
    return low, high


def _pips(read: Sequence[Seen]) -> Dice:
    return _sorted([value for _colour, value in read])


def _lying(state: State) -> Dice | None:
    """Return the dice as the last roll left them, be it of the turn before or for the start."""
    if state.turn.rolls:
        return state.turn.rolls[-1]
    return state.past[-1][-1].turn.rolls[-1] if state.past else state.lying


def _meanings(state: State, dice: Dice) -> list[tuple[Move, ...]]:
    """Return the moves that result in *dice*, the likeliest first; without impossible ones."""
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


def _declined(lay: Dice, faces: Dice) -> Doubt:
    """Return the question whether both dice were rolled anew, where one might have been again."""
    if same := [die for die in faces if die in lay and die % 2]:
        return Doubt(
            _(
                "the {die} is still there, and an even die is never rolled again: is this a new "
                "roll of both dice?",
                die=same[0],
            )
        )
    text = _(
        "counted as a new roll of both dice: or was one die of {dice} rolled again?",
        dice=pair_said(lay),
    )
    again = dict.fromkeys(Reroll(face, value) for face in lay if face % 2 for value in faces)
    return Doubt(text, others=tuple((move,) for move in again))


def _unexplained(state: State, dice: Dice) -> Message:
    shown = pair_said(dice)
    if not all(1 <= die <= 6 for die in dice):
        return _("a die shows 1 to 6, but {dice} was read", dice=shown)
    return _(
        "the dice showed {before} and one odd die could be rolled again, but now they show {dice}",
        before=pair_said(state.turn.rolls[-1]),
        dice=shown,
    )


one_photo = OnePhoto(tell)


def boards(_house: House) -> tuple[Board, ...]:
    """Return the mat on which dice are easily read."""
    return (DICE_MAT,)


def laid(state: State, move: object) -> tuple[Die, ...]:
    """Return the die that lay there beside the one that was rolled again."""
    if not isinstance(move, Reroll):
        return ()
    first, second = state.turn.rolls[-1]
    return (Die(second if move.face == first else first, ""),)
