"""Dice Wide Shut: what one photo alone says of a sheet, or of the pool."""

from collections import Counter
from collections.abc import Sequence

from scorer import table as on_table
from scorer.errors import NotScored
from scorer.game import Facts, OnePhoto, PhotoScore
from scorer.games.dice_wide_shut import moves
from scorer.games.dice_wide_shut.moves import HUES
from scorer.games.dice_wide_shut.photo import marks
from scorer.games.dice_wide_shut.photo.in_match import foreign
from scorer.games.dice_wide_shut.rules import legal_takes
from scorer.games.dice_wide_shut.settings import SEATS
from scorer.games.dice_wide_shut.sheet import ends, score_sheet
from scorer.games.dice_wide_shut.state import Sheet, State, roll_of
from scorer.games.dice_wide_shut.words import empty_said, explain
from scorer.messages import _
from scorer.photo.one_photo import likeliest, not_scored
from scorer.values import changed


def moments(state: State) -> tuple[State, ...]:
    """Return the end, of which the sheets are, and a roll of as many players as there may be."""
    most = SEATS[-1]
    roll = changed(state, sheets=(Sheet(),) * most, order=tuple(range(most)), pool=())
    return changed(state, order=(), pool=()), roll


def tell(state: State, table: on_table.Table, _facts: Facts) -> PhotoScore:
    """Return the points of the sheet on a single photo, or the takes from its pool of dice."""
    if table.marks:
        table = changed(table, dice=())
    if problems := tuple(foreign(state, table)):
        raise not_scored(problems)
    if table.marks:
        return _tell_sheet(state, table.marks)
    if table.dice:
        return _tell_pool(state, table.dice)
    raise NotScored(_("No sheet and no dice were found."))


def _tell_sheet(state: State, marked: Sequence[on_table.MarkedCell]) -> PhotoScore:
    whole = len(marks.printed(Sheet()))
    if lost := whole - len({one.cell for one in marked if marks.was_seen(one)}):
        text = _(
            "{lost} of {whole} cells could not be seen. Photograph the whole sheet.",
            lost=lost,
            whole=whole,
        )
        raise NotScored(text)
    sheet, doubts = marks.sheet_seen(marked)
    if marks.in_one(doubts) != doubts:
        raise NotScored(marks.UNCLEAR)
    return PhotoScore(
        (_("the sheet"),),
        (score_sheet(sheet),),
        explain(changed(state, sheets=(sheet,))),
        tuple(filter(None, [empty_said(sheet)])),
        outcome=_("three columns of a half are full, which ends the game") if ends(sheet) else None,
        unknown=_("whose sheet it is, what the other sheets score and whose turn it is"),
        doubts=doubts,
        left_out=("dice",),
    )


def _tell_pool(state: State, dice: Sequence[on_table.Die]) -> PhotoScore:
    most = roll_of(SEATS[-1])
    found = likeliest(dice, HUES, lambda read: not Counter(hue for hue, _ in read) - Counter(most))
    if found is None:
        seen_, counts = len(dice), moves.counts_said(most)
        text = _(
            "{number} dice were seen; a game has at most {counts}.", number=seen_, counts=counts
        )
        raise NotScored(text)
    reading, doubts = found
    pool = tuple(sorted((hue, value) for name, value in reading for hue in HUES if hue == name))
    lying = changed(state, pool=pool)
    return PhotoScore(
        means=(_("in the pool: {dice}", dice=moves.pool_said(pool)),),
        moves=tuple((take, moves.take_said(take)) for take in legal_takes(lying)),
        unknown=_("whose turn it is, and which cells are still open"),
        doubts=doubts,
    )


one_photo = OnePhoto(tell, moments=moments, any_number=True)
