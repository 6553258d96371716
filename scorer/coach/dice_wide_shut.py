"""What to take and mark in Dice Wide Shut: every take and every mark of a turn, by what follows.

A choice is weighed by its points, by what such a sheet ended with in self-play of two to five
players under the usual house rules, by the cells to go (`dice_wide_shut_value`), and by what
the next player can make of the dice left. A turn that ends the game comes first if it wins, and
last if it loses.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from scorer.advice import ranked
from scorer.coach.dice_wide_shut_turn import Reply, lying
from scorer.coach.dice_wide_shut_value import (
    choice,
    coded,
    denied,
    fitted,
    nearest,
    points,
    reached,
)
from scorer.errors import NoAdvice
from scorer.game import Advice, HandPiece, dump_move
from scorer.games.dice_wide_shut.moves import Mark, Take, take_said
from scorer.games.dice_wide_shut.rules import apply, is_over, legal_moves, now
from scorer.games.dice_wide_shut.state import State
from scorer.games.dice_wide_shut.words import marks_said
from scorer.messages import Message, _, joined, ngettext
from scorer.words import player, spelled
from scorer.words import points as points_said

# Numbers of players of whom it wins about one game in so many where the others take the most
# points (`make strength`; dice_wide_shut_value).
AT_THE_FAIR_SHARE = (4, 5)

Worth = tuple[float, Message]  # a total, and how it is told


def advise(state: State, _hand: Sequence[HandPiece] = ()) -> tuple[Advice, ...]:
    """Return every take, or every mark after it, by the expected total, the best first.

    Raises NoAdvice at the end of the game.
    """
    if is_over(state):
        raise NoAdvice(_("The game is over, so there is nothing to choose."))
    match now(state):
        case "take":
            return _measured(state, ranked(list(_takes(state))))
        case "mark":
            return _measured(state, ranked(list(_marks(state))))
    return ()


def _measured(state: State, advice: tuple[Advice, ...]) -> tuple[Advice, ...]:
    """Return *advice*, the best of it with how far it carries at a table of many."""
    if len(state.sheets) not in AT_THE_FAIR_SHARE or not advice:
        return advice
    text = _(
        "With {number} players, choosing this way wins only about a fair share of games.",
        number=spelled(len(state.sheets)),
    )
    best = replace(advice[0], why=joined(" ", (advice[0].why, text)))
    return (best, *advice[1:])


def _takes(state: State) -> Iterator[Advice]:
    best_marks: dict[object, tuple[Worth, Message | None]] = {}
    reply = _reply(state)
    for take in legal_moves(state):
        assert isinstance(take, Take)
        after = apply(state, take)
        # The same numbers of one half lead on alike, whichever dice show them.
        due = after.due or take.dice
        if due not in best_marks:
            best_marks[due] = _best_mark(state, after)
        (worth, outlook), then = best_marks[due]
        dice, (against, left) = take_said(take), reply(after)
        if then is None:
            why = _("Take {dice}; nothing can be marked: {told}.", dice=dice, told=outlook)
        else:
            why = _("Take {dice}, which {marks}: {told}.", dice=dice, marks=then, told=outlook)
        yield Advice(dump_move(take), worth - against, joined(" ", filter(None, (why, left))))


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
    who, (against, _left) = player(state.seat), _reply(state)(state)
    for mark in _legal(state):
        worth, outlook = _worth(apply(state, mark), state.seat)
        why = _("{who} {marks}: {told}.", who=who, marks=marks_said(state, mark), told=outlook)
        yield Advice(dump_move(mark), worth - against, why)


def _reply(state: State) -> Callable[[State], tuple[float, Message | None]]:
    """Return what tells how a take counts by the dice it leaves, and in words what they bring."""
    if len(state.order) == 1:  # the last of the round
        return lambda _after: (0.0, None)
    following = state.order[1]
    reply = Reply(coded(state.sheets[following]))

    def told(after: State) -> tuple[float, Message]:
        most = reply.most(lying(after.pool))
        text = _(
            "{who} can score {points} with the dice that are left.",
            who=player(following),
            points=points_said(most),
        )
        return denied(most, len(state.sheets)), text

    return told


def _worth(after: State, seat: int) -> Worth:
    """Return what a turn is worth to *seat*, and in words what it brings."""
    table = [coded(sheet) for sheet in after.sheets]
    others = min(nearest(sheet) for other, sheet in enumerate(table) if other != seat)
    waiting = (*after.order, *(after.last or ()))
    rival = reached(table, seat, waiting)
    worth = choice(fitted(), table[seat], len(table), others, rival)
    total = points(table[seat].red) + points(table[seat].blue)
    if others == 0:
        return worth, _("the sheet ends with {points}", points=points_said(total))
    facts: dict[str, Message | int | float] = {
        "points": points_said(total),
        "by": abs(total - rival),
    }
    if nearest(table[seat]) == 0 and total > rival:
        return worth, _("it ends the game with {points}, about {by} ahead of the others", **facts)
    if nearest(table[seat]) == 0:
        return worth, _("it ends the game with {points}, about {by} behind the best", **facts)
    ended = fitted().worth(table[seat], len(table), others)
    cells = ngettext("{n} cell to go", "{n} cells to go", nearest(table[seat]))
    return worth, _(
        "in self-play, sheets like this end with {points:.1f} points; {cells}",
        points=ended,
        cells=cells,
    )
