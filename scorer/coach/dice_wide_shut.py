"""Advice for Dice Wide Shut: every take and every mark, by win probability.

The chance goes by how strong every sheet at the table is in self-play of two to five players under
the usual house rules (`dice_wide_shut_value`), by who has a turn to come in the round, and by what
the next player can make of the dice left. `make strength GAME=dice_wide_shut` plays it.
"""

from collections.abc import Iterator, Sequence

from scorer.advice import per_cent, ranked
from scorer.coach.dice_wide_shut_turn import Reply, lying
from scorer.coach.dice_wide_shut_value import Rivals, coded, fitted, nearest, points
from scorer.errors import NoAdvice
from scorer.game import Advice, HandPiece, dump_move
from scorer.games.dice_wide_shut.moves import Mark, Take, take_said
from scorer.games.dice_wide_shut.rules import apply, is_over, legal_moves, now
from scorer.games.dice_wide_shut.state import State
from scorer.games.dice_wide_shut.words import marks_said
from scorer.messages import Message, _, joined, ngettext
from scorer.words import player
from scorer.words import points as points_said

POINT = 1e-9  # weight of a point between equally winning choices

Worth = tuple[float, Message]  # a win probability, and its sentence


def advise(state: State, _hand: Sequence[HandPiece] = ()) -> tuple[Advice, ...]:
    """Return every take, or mark after it, by the chance to win, best first; raises NoAdvice."""
    if is_over(state):
        raise NoAdvice(_("The game is over, so there is nothing to choose."))
    match now(state):
        case "take":
            return ranked(list(_takes(state)))
        case "mark":
            return ranked(list(_marks(state)))
    return ()


class _Turn:
    def __init__(self, state: State) -> None:
        self._seat, self._left, self._absent = state.seat, state.left, state.no_rivals
        self._rest = self._playing(state.order[1:])  # players who take from the same dice
        self._table = [coded(sheet) for sheet in state.sheets]
        self._reply = Reply(self._table[self._rest[0]]) if self._rest else None
        self._rivals: dict[tuple[int, ...], Rivals] = {}

    def _playing(self, seats: Sequence[int]) -> tuple[int, ...]:
        return tuple(seat for seat in seats if seat not in self._left)

    def theirs(self, after: State) -> int:
        """Return how many points the next player can make of the dice that a take leaves."""
        return self._reply.most(lying(after.pool)) if self._reply else 0

    def left(self, theirs: int) -> Message | None:
        """Return that in words, or None if nobody takes from these dice any more."""
        if not self._rest:
            return None
        return _(
            "{who} can score {points} with the dice that are left.",
            who=player(self._rest[0]),
            points=points_said(theirs),
        )

    def worth(self, after: State, theirs: int) -> Worth:
        """Return the chance to win after the turn, and in words what it brings."""
        sheet, rivals = coded(after.sheets[self._seat]), self._against(after)
        chance, total = rivals.chance(sheet, theirs), points(sheet.red) + points(sheet.blue)
        facts = {"points": points_said(total), "chance": per_cent(chance)}
        cells = nearest(sheet)
        if rivals.nearest == 0:
            text = _("the sheet ends with {points}, {chance} to win", **facts)
        elif cells == 0:
            text = _("it ends the game with {points}, {chance} to win", **facts)
        else:
            text = _(
                "{chance} to win; {cells}",
                chance=facts["chance"],
                cells=ngettext("{n} cell to go", "{n} cells to go", cells),
            )
        return chance + POINT * total, text

    def _against(self, after: State) -> Rivals:
        """Return the others, by whether they still have a turn in this round or a last one."""
        waiting = self._rest
        if after.last is not None:
            waiting = self._playing((*after.order, *after.last))
        if waiting not in self._rivals:
            rivals = Rivals(fitted(), self._table, self._seat, waiting, self._absent)
            self._rivals[waiting] = rivals
        return self._rivals[waiting]


def _takes(state: State) -> Iterator[Advice]:
    best_marks: dict[object, tuple[Worth, Message | None]] = {}
    turn = _Turn(state)
    for take in legal_moves(state):
        assert isinstance(take, Take)
        after = apply(state, take)
        # Equal numbers in a half have equal values, whichever dice show them.
        due = after.due or take.dice
        theirs = turn.theirs(after)
        if (due, theirs) not in best_marks:
            best_marks[due, theirs] = _best_mark(turn, state, after, theirs)
        (worth, outlook), then = best_marks[due, theirs]
        dice, left = take_said(take), turn.left(theirs)
        if then is None:
            why = _("Take {dice}; nothing can be marked: {told}.", dice=dice, told=outlook)
        else:
            why = _("Take {dice}, which {marks}: {told}.", dice=dice, marks=then, told=outlook)
        yield Advice(dump_move(take), worth, joined(" ", filter(None, (why, left))))


def _best_mark(
    turn: _Turn, state: State, after: State, theirs: int
) -> tuple[Worth, Message | None]:
    if after.due is None or now(after) != "mark":
        return turn.worth(after, theirs), None
    worth, mark = max(
        ((turn.worth(apply(after, mark), theirs), mark) for mark in _legal(after)),
        key=lambda choice: choice[0][0],
    )
    return worth, marks_said(after, mark)


def _legal(state: State) -> Iterator[Mark]:
    return (move for move in legal_moves(state) if isinstance(move, Mark))


def _marks(state: State) -> Iterator[Advice]:
    who, turn = player(state.seat), _Turn(state)
    theirs = turn.theirs(state)
    for mark in _legal(state):
        worth, outlook = turn.worth(apply(state, mark), theirs)
        why = _("{who} {marks}: {told}.", who=who, marks=marks_said(state, mark), told=outlook)
        yield Advice(dump_move(mark), worth, why)
