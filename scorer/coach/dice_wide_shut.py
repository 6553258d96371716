"""What to take and mark in Dice Wide Shut: every take and every mark of a turn, by what follows.

A choice is worth the total that the sheet after it ends with on average, as self-play of two to
five players under the usual house rules found it (`dice_wide_shut_value`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from scorer.coach import ranked
from scorer.coach.dice_wide_shut_value import coded, fitted, nearest, points
from scorer.game import Advice, NoAdvice, Piece, dump_move
from scorer.games.dice_wide_shut.moves import Mark, Take, take_said
from scorer.games.dice_wide_shut.rules import apply, is_over, legal_moves, now
from scorer.games.dice_wide_shut.state import State
from scorer.games.dice_wide_shut.words import marks_said
from scorer.messages import Message, _
from scorer.words import player
from scorer.words import points as points_said

Worth = tuple[float, Message]  # a total, and how it is told


def advise(state: State, _hand: Sequence[Piece] = ()) -> tuple[Advice, ...]:
    """Return every take, or every mark after it, by the expected total, the best first.

    Raises NoAdvice at the end of the game.
    """
    if is_over(state):
        raise NoAdvice(_("The game is over, so there is nothing to choose."))
    match now(state):
        case "take":
            return ranked(list(_takes(state)))
        case "mark":
            return ranked(list(_marks(state)))
    return ()


def _takes(state: State) -> Iterator[Advice]:
    known: dict[object, tuple[Worth, Message | None]] = {}
    for take in legal_moves(state):
        assert isinstance(take, Take)
        after = apply(state, take)
        # The same numbers of one half lead on alike, whichever dice show them.
        due = after.due or take.dice
        if due not in known:
            known[due] = _best_mark(state, after)
        (worth, told), then = known[due]
        dice = take_said(take)
        if then is None:
            why = _("Take {dice}; nothing can be marked: {told}.", dice=dice, told=told)
        else:
            why = _("Take {dice}, which {marks}: {told}.", dice=dice, marks=then, told=told)
        yield Advice(dump_move(take), worth, why)


def _best_mark(state: State, after: State) -> tuple[Worth, Message | None]:
    if after.due is None or now(after) != "mark":
        return _worth(after, state.seat), None
    worth, mark = max(
        ((_worth(apply(after, mark), state.seat), mark) for mark in _legal(after)),
        key=lambda one: one[0][0],
    )
    return worth, marks_said(after, mark)


def _legal(state: State) -> Iterator[Mark]:
    return (move for move in legal_moves(state) if isinstance(move, Mark))


def _marks(state: State) -> Iterator[Advice]:
    who = player(state.seat)
    for mark in _legal(state):
        worth, told = _worth(apply(state, mark), state.seat)
        why = _("{who} {marks}: {told}.", who=who, marks=marks_said(state, mark), told=told)
        yield Advice(dump_move(mark), worth, why)


def _worth(after: State, seat: int) -> Worth:
    """Return the total that *seat* ends with on average after a turn."""
    sheet = coded(after.sheets[seat])
    others = min(nearest(coded(one)) for other, one in enumerate(after.sheets) if other != seat)
    worth = fitted().worth(sheet, len(after.sheets), others)
    if others == 0 or nearest(sheet) == 0:
        total = points(sheet.red) + points(sheet.blue)
        return worth, _("the sheet ends with {points}", points=points_said(total))
    return worth, _("the sheet ends with {points:.1f} points on average", points=worth)
