"""Dice Wide Shut: what a photo tells without the moves before it."""

from __future__ import annotations

from collections.abc import Sequence

from scorer import table as seen
from scorer.game import Equipment
from scorer.games.dice_wide_shut.board import BOARD
from scorer.games.dice_wide_shut.marks_seen import printed
from scorer.games.dice_wide_shut.moves import (
    HUES,
    by_hue,
    counts_said,
    pool_said,
    take_said,
)
from scorer.games.dice_wide_shut.photo import foreign
from scorer.games.dice_wide_shut.sheet import ends, score_sheet
from scorer.games.dice_wide_shut.sheet_seen import sheet_seen
from scorer.games.dice_wide_shut.state import SEATS, Sheet, State, roll_of
from scorer.games.dice_wide_shut.takes import take_rules, takes
from scorer.games.dice_wide_shut.words import empty_said, explain
from scorer.messages import _
from scorer.one_photo import Facts, NotScored, OnePhoto, PhotoScore, likeliest, not_scored
from scorer.values import changed


def looks(_state: State) -> tuple[Equipment, ...]:
    """Return a sheet, and a pool of dice; of any colours, so that other dice are met as such."""
    return Equipment(BOARD), Equipment()


def tell(state: State, table: seen.Table, _facts: Facts) -> PhotoScore:
    """Return the points of the sheet on one photo, or the takes from the pool that lies there."""
    if table.marks:
        table = changed(table, dice=())
    if problems := foreign(state, table):
        raise not_scored(problems)
    if table.marks:
        return _tell_sheet(state, table.marks)
    if table.dice:
        return _tell_pool(state, table.dice)
    raise NotScored(_("Neither a sheet nor dice were seen."))


def _tell_sheet(state: State, marked: Sequence[seen.MarkedCell]) -> PhotoScore:
    whole = len(printed(Sheet()))
    lost = whole - len({one.cell for one in marked if _was_seen(one)})
    if lost:
        text = _(
            "{lost} of {whole} cells were not seen. Photograph the whole sheet.",
            lost=lost,
            whole=whole,
        )
        raise NotScored(text)
    sheet, doubts = sheet_seen(marked)
    ended = _("three columns of a half are full, which ends the game") if ends(sheet) else None
    return PhotoScore(
        (_("the sheet"),),
        (score_sheet(sheet),),
        explain(changed(state, sheets=(sheet,))),
        tuple(filter(None, [empty_said(sheet)])),
        outcome=ended,
        unknown=_("whose sheet it is, how the other sheets stand and whose turn it is"),
        doubts=doubts,
    )


def _was_seen(one: seen.MarkedCell) -> bool:
    """Say whether anything was seen of a cell: off the photo, all its looks are as likely."""
    return one.confidence > max((share for _word, share in one.others), default=0.0)


def _tell_pool(state: State, dice: Sequence[seen.Die]) -> PhotoScore:
    most = by_hue(roll_of(SEATS[-1]))
    found = likeliest(
        dice,
        HUES,
        lambda read: all(sum(hue == one for one, _ in read) <= most[hue] for hue in HUES),
    )
    if found is None:
        text = _(
            "{number} dice were seen; a game has at most {counts}.",
            number=len(dice),
            counts=counts_said(most),
        )
        raise NotScored(text)
    reading, doubts = found
    pool = tuple(sorted((hue, value) for name, value in reading for hue in HUES if hue == name))
    lying = changed(state, pool=pool)
    offered = [(take, take_said(take)) for take in takes(pool, *take_rules(lying))]
    return PhotoScore(
        means=(_("in the pool: {dice}", dice=pool_said(pool)),),
        moves=tuple(offered),
        unknown=_("whose turn it is, and what the sheets leave to be marked"),
        doubts=doubts,
    )


one_photo = OnePhoto(looks, tell)
