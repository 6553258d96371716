"""Dice Wide Shut: why what a photo shows cannot have come about."""

from collections import Counter
from collections.abc import Sequence

from scorer import table as on_table
from scorer.errors import Illegal
from scorer.games.dice_wide_shut import moves
from scorer.games.dice_wide_shut.moves import (
    OTHER,
    SIX,
    Mark,
    SheetCell,
    SheetColour,
    Take,
    number_of,
)
from scorer.games.dice_wide_shut.photo.marks import (
    changes_of,
    contradictions,
    in_one,
    mark_doubts,
    said,
    scale,
    taken,
)
from scorer.games.dice_wide_shut.rules import apply, marked
from scorer.games.dice_wide_shut.state import Sheet, State
from scorer.messages import Message, _, ngettext
from scorer.phases import fault
from scorer.photo.interpret import in_words
from scorer.proposal import Difference, Proposal
from scorer.words import colour, listed, player, spelled

# Cells that speak against a player's sheet: so many, and so many times those against another's,
# and it is the other one.
FEW, CLEAR = 4, 3
UNPLAYED = _("{cell} is {mark} on {who}'s sheet, but no turn put it there")


def compared(seat: int, sheets: Sequence[Sheet], there: Sequence[on_table.MarkedCell]) -> Proposal:
    """Return the differences of another player's sheet from its known state."""
    sheet = sheets[seat]
    if scale(there, sheet)(sheet):
        doubts = in_one(mark_doubts(sheet, [sheet], there))
        return Proposal(doubts=doubts, taken=taken(sheet, there))
    if (other := _whose(seat, sheets, there)) is not None:
        text = _("this is {other}'s sheet, not {who}'s", other=player(other), who=player(seat))
        return Proposal.differs(text, "DW-3")
    changes, problems = changes_of(sheet, there)
    for i, cell in changes:
        text = said(UNPLAYED, there[i], who=player(seat))
        problems.append(Difference(text, "DW-7" if cell[2] == SIX else "DW-5", ("marks", i)))
    return Proposal(differences=tuple(problems))


def _whose(seat: int, sheets: Sequence[Sheet], there: Sequence[on_table.MarkedCell]) -> int | None:
    """Return the other player whose sheet it is, or None: by far fewer cells speak against it."""
    against = [contradictions(sheet, there) for sheet in sheets]
    others = [other for other in range(len(sheets)) if other != seat]
    best = min(others, key=lambda other: against[other])
    is_plain = against[seat] and not against[best]
    return best if is_plain or against[seat] >= max(FEW, CLEAR * against[best]) else None


def unexplained(
    state: State,
    there: Sequence[on_table.MarkedCell],
    ways: Sequence[tuple[tuple[Take, ...], State]],
) -> Proposal:
    """Return why the sheet cannot have come about by any of *ways* (take, state after it)."""
    if (other := _whose(state.seat, state.sheets, there)) is not None:
        whose, who = player(other), player(state.seat)
        text = _("this is {other}'s sheet, and it is {who}'s turn", other=whose, who=who)
        return Proposal.differs(text, "DW-3")
    changes, problems = changes_of(state.sheet, there)
    if problems:
        return Proposal(differences=tuple(problems))
    new = [cell for _i, cell in changes]
    if len(ways) == 1 and (refused := _refusal(ways[0][1], new)):
        return Proposal(ways[0][0], differences=(Difference(refused.reason, refused.rule),))
    return Proposal.differs(_unallowed([after for _take, after in ways if after.due], new), "DW-5")


def _unallowed(taken: Sequence[State], new: Sequence[SheetCell]) -> Message:
    """Return which of the *new* cells no take allows, or that the half is the wrong one."""
    halves, numbers = {cell[0] for cell in new}, tuple(sorted(map(number_of, new)))
    for due in (after.due for after in taken):
        if due and due.colour and halves == {OTHER[due.colour]} and due.numbers == numbers:
            return _(
                "{cells}: that is the {wrong} half, and the dice that fit are {colour}; each"
                " colour checks its own half",
                cells=moves.cells_said(new),
                wrong=colour(OTHER[due.colour]),
                colour=colour(due.colour),
            )
    allowed = [set(move.cells) for after in taken for move, _sheet in marked(after)]
    most = max((cells for cells in allowed if cells < set(new)), key=len, default=set[SheetCell]())
    rest = moves.cells_said(cell for cell in new if cell not in most)
    if not most:
        return _("no dice that could be taken explain the new marks: {cells}", cells=rest)
    return ngettext(
        "{cells} is checked, but no die that could be taken allows it",
        "{cells} are checked, but no die that could be taken allows it",
        len(new) - len(most),
        cells=rest,
    )


def _refusal(taken: State, new: Sequence[SheetCell]) -> Illegal | None:
    if taken.due is None:
        return None
    sixes = {half: one.sixes for half, one in taken.sheet.halves()}
    spent = [cell for cell in new if cell[2] == SIX and sixes[cell[0]][cell[1]] == "x"]
    cells = tuple(cell for cell in new if cell not in spent)
    # The number replaced by a 6 is not visible: try the unchecked ones.
    numbers = sorted((Counter(taken.due.numbers) - Counter(map(number_of, cells))).elements())
    numbers += [taken.due.numbers[0]] * len(spent)
    powers = tuple((cell[0], cell[1], n) for cell, n in zip(spent, numbers, strict=False))
    return fault(apply, taken, Mark(cells, powers))


def not_taken(state: State, dice: Sequence[on_table.Die]) -> Difference:
    """Return why these dice are not what a legal take leaves of the pool."""
    pool = list(state.pool)
    for i, die in enumerate(dice):
        there = next((one for one in pool if one == (die.colour, die.value)), None)
        if there is None:
            shown, lying = in_words((die.colour, die.value)), moves.pool_said(state.pool)
            text = _("there is a {die}, which is not among {dice}", die=shown, dice=lying)
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
    half: SheetColour = "red" if any(hue == "red" for hue, _value in missing) else "blue"
    if refused := fault(apply, state, Take(half, missing)):
        text = _("{dice} cannot be taken: {why}", dice=gone, why=refused.reason)
        return Difference(text, refused.rule)
    return Difference(_("{dice} cannot be taken", dice=gone), "DW-4")
