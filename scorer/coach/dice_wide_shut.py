"""What to take and mark in Dice Wide Shut: every take and every mark of a turn, by what follows.

A choice is weighed by its points, by what such a sheet ended with in self-play of two to five
players under the usual house rules, and by the cells to the end (`dice_wide_shut_value`). A turn
that ends the game comes first if it wins, and last if it loses.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from scorer.coach import ranked
from scorer.coach.dice_wide_shut_value import (
    choice,
    coded,
    fitted,
    nearest,
    points,
    reached,
)
from scorer.game import Advice, NoAdvice, Piece, dump_move
from scorer.games.dice_wide_shut.moves import Mark, Take, take_said
from scorer.games.dice_wide_shut.rules import apply, is_over, legal_moves, now
from scorer.games.dice_wide_shut.state import State
from scorer.games.dice_wide_shut.words import marks_said
from scorer.words import counted

Worth = tuple[float, str]  # a total, and how it is told


def advise(state: State, _hand: Sequence[Piece] = ()) -> tuple[Advice, ...]:
    """Return every take, or every mark after it, by the expected total, the best first.

    Raises NoAdvice at the end of the game.
    """
    if is_over(state):
        raise NoAdvice("The game is over, so there is nothing to choose.")
    match now(state):
        case "take":
            return ranked(list(_takes(state)))
        case "mark":
            return ranked(list(_marks(state)))
    return ()


def _takes(state: State) -> Iterator[Advice]:
    known: dict[object, tuple[Worth, str]] = {}
    for take in legal_moves(state):
        assert isinstance(take, Take)
        after = apply(state, take)
        # The same numbers of one half lead on alike, whichever dice show them.
        due = after.due or take.dice
        if due not in known:
            known[due] = _best_mark(state, after)
        (worth, told), then = known[due]
        yield Advice(dump_move(take), worth, f"Take {take_said(take)}{then}: {told}.")


def _best_mark(state: State, after: State) -> tuple[Worth, str]:
    if after.due is None or now(after) != "mark":
        return _worth(after, state.seat), "; nothing can be marked"
    worth, mark = max(
        ((_worth(apply(after, mark), state.seat), mark) for mark in _legal(after)),
        key=lambda one: one[0][0],
    )
    return worth, f", which {marks_said(after, mark)}"


def _legal(state: State) -> Iterator[Mark]:
    return (move for move in legal_moves(state) if isinstance(move, Mark))


def _marks(state: State) -> Iterator[Advice]:
    for mark in _legal(state):
        worth, told = _worth(apply(state, mark), state.seat)
        words = marks_said(state, mark)
        yield Advice(dump_move(mark), worth, f"{words[:1].upper()}{words[1:]}: {told}.")


def _worth(after: State, seat: int) -> Worth:
    """Return what a turn is worth to *seat*, and in words what it brings."""
    table = [coded(sheet) for sheet in after.sheets]
    others = min(nearest(sheet) for other, sheet in enumerate(table) if other != seat)
    waiting = (*after.order, *(after.last or ()))
    rival = reached(table, seat, waiting)
    worth = choice(fitted(), table[seat], len(table), others, rival)
    total = points(table[seat].red) + points(table[seat].blue)
    if others == 0:
        return worth, f"the sheet ends with {total} points"
    if nearest(table[seat]) == 0:
        lead = f"{total - rival} ahead of" if total > rival else f"{rival - total} behind"
        return worth, f"it ends the game with {total} points, about {lead} the best of the others"
    ended = fitted().worth(table[seat], len(table), others)
    cells = counted(nearest(table[seat]), "cell")
    return worth, f"in self-play such a sheet ended with {ended:.1f} points; {cells} to the end"
