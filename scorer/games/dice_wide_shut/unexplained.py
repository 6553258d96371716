"""Dice Wide Shut: why what a photo shows cannot have come about."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from scorer import table as seen
from scorer.game import Difference, Illegal, Proposal
from scorer.games.dice_wide_shut import moves
from scorer.games.dice_wide_shut.marks_seen import changes_of, mark_doubts, said, scale
from scorer.games.dice_wide_shut.moves import SIX, Cell, Colour, Mark, Take, number_of
from scorer.games.dice_wide_shut.rules import check_take, take_rules
from scorer.games.dice_wide_shut.sheet import mark, marks
from scorer.games.dice_wide_shut.state import Due, Sheet, State
from scorer.messages import Message, _, ngettext
from scorer.repair import in_words
from scorer.words import colour, listed, player, spelled

UNPLAYED = _("{cell} is {mark} on {who}'s sheet, but no turn has brought it")


def compared(seat: int, sheet: Sheet, marked: Sequence[seen.MarkedCell]) -> Proposal:
    """Return where a sheet that is not to be marked now differs from what is known of it."""
    if scale(marked, sheet)(sheet) is not None:
        return Proposal(doubts=tuple(mark_doubts(sheet, [sheet], marked)))
    changes, problems = changes_of(sheet, marked)
    for i, cell in changes:
        text = said(UNPLAYED, marked[i], who=player(seat))
        problems.append(Difference(text, "DW-7" if cell[2] == SIX else "DW-5", ("marks", i)))
    return Proposal(differences=tuple(problems))


def unexplained(
    state: State,
    marked: Sequence[seen.MarkedCell],
    ways: Sequence[tuple[tuple[Take, ...], State]],
) -> Proposal:
    """Return why the sheet cannot have come about: the wrong sheet, marks lost, or the rules.

    *ways* are the takes that fit the dice, each with the state after it.
    """
    weigh, who = scale(marked), player(state.seat)
    for other, sheet in enumerate(state.sheets):
        if weigh(sheet) is not None:
            whose = player(other)
            text = _("this is {other}'s sheet, and it is {who}'s turn", other=whose, who=who)
            return Proposal.differs(text, "DW-3")
    changes, problems = changes_of(state.sheet, marked)
    if problems:
        return Proposal(differences=tuple(problems))
    new = [cell for _i, cell in changes]
    dues = [after.due for _take, after in ways if after.due]
    scope = str(state.house["six_power_scope"])
    if len(ways) == 1 and dues and (refused := _refusal(state.sheet, dues[0], new, scope)):
        return Proposal(ways[0][0], differences=(Difference(refused.reason, refused.rule),))
    return Proposal.differs(_unallowed(state.sheet, dues, new, scope), "DW-5")


def _unallowed(sheet: Sheet, dues: Sequence[Due], new: Sequence[Cell], scope: str) -> Message:
    """Return which of the *new* cells no take allows, or that the half is the wrong one."""
    halves, numbers = {cell[0] for cell in new}, tuple(sorted(map(number_of, new)))
    for due in dues:
        if due.colour and len(halves) == 1 and due.colour not in halves and due.numbers == numbers:
            return _(
                "{cells}: that is the {wrong} half, and the dice that fit are {colour}; each"
                " colour checks its own half",
                cells=moves.cells_said(new),
                wrong=colour(new[0][0]),
                colour=colour(due.colour),
            )
    allowed = [set(move.cells) for due in dues for move, _after in marks(sheet, due, scope)]
    most = max((cells for cells in allowed if cells < set(new)), key=len, default=set[Cell]())
    rest = moves.cells_said(cell for cell in new if cell not in most)
    if not most:
        return _("no take that is there explains what is new: {cells}", cells=rest)
    return ngettext(
        "{cells} is checked, and no die that could be taken allowed it",
        "{cells} are checked, and no die that could be taken allowed it",
        len(new) - len(most),
        cells=rest,
    )


def _refusal(sheet: Sheet, due: Due, new: Sequence[Cell], scope: str) -> Illegal | None:
    """Return why the rules forbid to mark the *new* cells after the take."""
    spent = [cell for cell in new if cell[2] == SIX and sheet.half(cell[0]).sixes[cell[1]] == "x"]
    cells = tuple(cell for cell in new if cell not in spent)
    # Which number a 6 stands in for cannot be seen: those not checked, in turn.
    numbers = sorted((Counter(due.numbers) - Counter(map(number_of, cells))).elements())
    numbers += [due.numbers[0]] * len(spent)
    powers = tuple((cell[0], cell[1], n) for cell, n in zip(spent, numbers, strict=False))
    try:
        mark(sheet, due, Mark(cells, powers), scope)
    except Illegal as refused:
        return refused
    return None


def not_taken(state: State, dice: Sequence[seen.Die]) -> Difference:
    """Return why these dice are not what a legal take leaves of the pool."""
    pool = list(state.pool)
    for i, die in enumerate(dice):
        there = next((one for one in pool if one == (die.colour, die.value)), None)
        if there is None:
            shown, lying = in_words((die.colour, die.value)), moves.pool_said(state.pool)
            text = _("a {die} lies there that is not among {dice}", die=shown, dice=lying)
            return Difference(text, "DW-3", ("dice", i))
        pool.remove(there)
    missing = tuple(pool)
    if len(dice) < 3:
        missing = tuple((Counter(state.pool) - Counter(pool)).elements())
    if len(missing) > 2:
        gone = spelled(len(missing), first=True)
        text = _("{number} dice are gone; a turn takes at most two. Is one hidden?", number=gone)
        return Difference(text, "DW-4")
    gone, who = listed(map(in_words, missing)), player(state.seat)
    if state.due is not None:
        text = _("{dice} cannot be taken: {who} has taken dice already", dice=gone, who=who)
        return Difference(text, "DW-4")
    half: Colour = "red" if any(hue == "red" for hue, _value in missing) else "blue"
    try:
        check_take(state.pool, Take(half, missing), *take_rules(state))
    except Illegal as refused:
        text = _("{dice} cannot be taken: {why}", dice=gone, why=refused.reason)
        return Difference(text, refused.rule)
    return Difference(_("{dice} cannot be taken", dice=gone), "DW-4")
