"""Beat the Odds in words: what is to be done, what a move was, how the tally came about."""

from __future__ import annotations

from collections import Counter
from itertools import chain

from scorer.dice import PIPS
from scorer.entry import (
    NOTHING,
    KeyGroup,
    Pad,
    PadKey,
    TableEntry,
    Taps,
    die_keys,
    one_of,
    one_player,
    two_dice,
)
from scorer.game import Because, Result
from scorer.games.beat_the_odds.moves import Agree, Decline, Double, Move, Reroll, Roll, StartRoll
from scorer.games.beat_the_odds.rules import apply, is_over
from scorer.games.beat_the_odds.settings import TARGET
from scorer.games.beat_the_odds.state import State
from scorer.games.beat_the_odds.turn import (
    InPlay,
    Turn,
    is_doubled,
    may_double,
    play,
    points,
    total,
)
from scorer.messages import Message, _, gain, joined, raw
from scorer.phases import fault
from scorer.photo.rolls import turns
from scorer.seats import leaders
from scorer.words import just, pair_said, player, players
from scorer.words import points as points_said

SentenceFacts = dict[str, Message | int]


def result(state: State) -> Result | None:
    """Return the highest score's owner, or owners (BO-A10)."""
    if not is_over(state):
        return None
    best = leaders(state.scores)
    facts: SentenceFacts = {
        "who": players(best),
        "points": state.scores[best[0]],
        "first": player(state.trigger or 0),
        "target": TARGET,
    }
    if len(best) == 1:
        rest = max(points for seat, points in enumerate(state.scores) if seat != best[0])
        why = _(
            "{who} wins {points} to {rest}, after {first} was first to reach {target}",
            rest=rest,
            **facts,
        )
        return Result(best, why)
    why = _("{who} share the win with {points}, after {first} was first to reach {target}", **facts)
    return Result(best, why)


def explain(state: State) -> tuple[Because, ...]:
    """Return one entry for each finished turn, then the turn in play, which counts for nobody."""
    entries, played = [], [*chain.from_iterable(state.past)]
    for past, part in zip(played, turns(past.seat for past in played), strict=True):
        text = _("{rolls} = {points}", rolls=_rolls_said(past.turn), points=past.points)
        entries.append(Because(past.seat, past.points, part, text, "BO-4"))
    if state.turn.worth:
        rolls, so_far = _rolls_said(state.turn), total(state.turn)
        text = _("{rolls} = {points} so far", rolls=rolls, points=so_far)
        part = _("{who} is rolling", who=player(state.seat))
        entries.append(Because(None, 0, part, text, "BO-A13"))
    return tuple(entries)


def _rolls_said(turn: Turn) -> Message:
    """Return "4-6: 10 doubled to 20, 4-4: 8; 3-3 crosses out the 20"."""
    over = turn.asks == "nothing"
    read = len(turn.worth) - (over and turn.rolls[-1] != (6, 6))
    said = []
    for i in range(read):
        roll: SentenceFacts = {"dice": pair_said(turn.rolls[i]), "points": points(turn.rolls[i])}
        if is_doubled(turn, i):
            said.append(_("{dice}: {points} doubled to {worth}", worth=turn.worth[i], **roll))
        else:
            said.append(_("{dice}: {points}", **roll))
    rolls = [joined(", ", said)] if said else []
    end = [joined(" ", (pair_said(turn.rolls[-1]), _end_said(turn)))] if over else []
    return joined("; ", (*rolls, *end))


def _end_said(turn: Turn) -> Message:
    together, highest = sum(turn.worth), max(turn.worth)
    match turn.rolls[-1]:
        case (1, 1):
            return _("loses it all")
        case (3, 3) if highest:
            return _("crosses out the {points}", points=highest)
        case (5, 5):
            return _("halves the {points}", points=together)
        case (6, 6):
            return _("doubles the {points}", points=together)
    return _("ends the turn")


def prompt(state: State) -> Message:
    """Return what is to be done next, in one sentence."""
    who = player(state.seat)
    if state.starter is None:
        return _("{who} rolls both dice for the start", who=who)
    match state.turn.asks:
        case "reroll":
            dice = pair_said(state.turn.rolls[-1])
            return _("{who} may roll an odd die of {dice} again or leave it", who=who, dice=dice)
        case "double":
            return _("{who} may double a roll", who=who)
    if state.turn.rights and state.last:
        return _("{who} rolls both dice in the last turn, with a re-roll right", who=who)
    if state.turn.rights:
        return _("{who} rolls both dice, with a re-roll right", who=who)
    if state.last:
        return _("{who} rolls both dice in the last turn", who=who)
    return _("{who} rolls both dice", who=who)


def describe(state: State, move: Move) -> Message:
    """Return *move*, made in *state*, in words."""
    who = player(state.seat)
    match move:
        case Agree(starter):
            return _("{who} begins", who=player(starter))
        case StartRoll(low, high):
            text = _("{who} rolls {dice} for the start", who=who, dice=pair_said((low, high)))
            return _start_said(state, move, text)
        case Roll(low, high):
            said = _("{who} rolls {dice}", who=who, dice=pair_said((low, high)))
        case Reroll(face, value):
            said = _("{who} rolls the {face} again to {value}", who=who, face=face, value=value)
        case Decline() if not state.turn.rolls:
            return _("{who} leaves the dice", who=who)
        case Decline():
            said = _("{who} leaves {dice}", who=who, dice=pair_said(state.turn.rolls[-1]))
        case Double(None):
            return _("{who} doubles no roll", who=who)
        case Double(int(roll)) if roll not in range(len(state.turn.worth)):
            return _("{who} doubles roll {number}", who=who, number=roll + 1)
        case Double(int(roll)):
            return _(
                "{who} doubles roll {number} ({dice}) to {points}",
                who=who,
                number=roll + 1,
                dice=pair_said(state.turn.rolls[roll]),
                points=2 * state.turn.worth[roll],
            )
    if fault(apply, state, move):
        return said
    turn = play(state.turn, move, state.house)
    if turn.asks == "nothing":
        won = points_said(total(turn))
        return _("{said}, which {ends}: {points}", said=said, ends=_end_said(turn), points=won)
    if turn.asks == "reroll":
        return said
    return _("{said} for {points}", said=said, points=points_said(turn.worth[-1]))


def _start_said(state: State, move: StartRoll, text: Message) -> Message:
    """Return a roll for the start, and what the last one of a round of them settles."""
    if state.starter is not None or len(state.thrown) + 1 < len(state.rolling):
        return text
    if fault(apply, state, move):
        return text
    after = apply(state, move)
    if after.starter is not None:
        return _("{text}: {who} begins", text=text, who=player(after.starter))
    return _("{text}, level: {who} roll again", text=text, who=players(after.rolling))


def entry(state: State) -> tuple[TableEntry, ...]:
    """Return the keys of the dice, with what each roll would bring."""
    first, second = _("First die"), _("Second die")
    if is_over(state):
        return ()
    if state.starter is None:
        begins = one_player(_("Or agree who begins"), range(len(state.scores)), Agree)
        return (TableEntry((two_dice(first, second, StartRoll), begins)),)
    match state.turn.asks:
        case "reroll":
            leave = Taps(Decline(), button=_("Leave {dice}", dice=pair_said(state.turn.rolls[-1])))
            return (TableEntry((_rolled_again(state),), (leave,)),)
        case "double":
            return (TableEntry((_doubled(state),), (Taps(Double(None), button=_("Double none")),)),)
    brings = _("Second die · what the roll would bring")
    return (TableEntry((two_dice(first, brings, Roll, lambda move: _leads(state, move)),)),)


def _leads(state: State, move: Roll | Reroll) -> Message:
    turn = play(state.turn, move, state.house)
    if turn.asks == "nothing":
        return _("ends: {points}", points=total(turn))
    if turn.asks == "reroll":
        return _("again?")
    brought = raw(gain(turn.worth[-1]))
    return _("{points}, ×2", points=brought) if turn.asks == "double" else brought


def _rolled_again(state: State) -> Pad:
    odd = sorted({die for die in state.turn.rolls[-1] if die % 2})
    shows = KeyGroup(_("What it shows then"), die_keys())
    groups = KeyGroup(_("The die that is rolled again"), die_keys(odd)), shows
    again = [Reroll(face, value) for face in odd for value in PIPS]
    taps = (Taps(move, (str(move.face), str(move.value)), _leads(state, move)) for move in again)
    return Pad(groups, tuple(taps))


def _doubled(state: State) -> Pad:
    turn = state.turn
    rolls = may_double(*InPlay(turn, state.house))
    alike = Counter(turn.rolls[at] for at in rolls)
    texts = {at: _("roll {number}", number=at + 1) for at in rolls if alike[turn.rolls[at]] > 1}
    return one_of(
        _("The roll that counts twice · its points then"),
        (
            (
                PadKey(str(at), texts.get(at, NOTHING), turn.rolls[at]),
                Double(at),
                just(2 * turn.worth[at]),
            )
            for at in rolls
        ),
    )


def target(_state: State) -> int:
    """Return the score that brings on the last turns (BO-6)."""
    return TARGET


def turn_total(state: State) -> int | None:
    """Return the current points of the turn; None before its first roll."""
    return total(state.turn) if state.turn.rolls else None
