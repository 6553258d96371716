"""What people taught of a match's dice and board: photos and frames are read with the same."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scorer.messages import _
from webui.eyes.taught import TaughtJson
from webui.languages import translate
from webui.match.summary import clock
from webui.store.log import Store
from webui.store.taught import Taught, TaughtTable


def taught(store: Store, match_id: str) -> TaughtJson:
    """Return what a match uses of what was taught."""
    dice, board = TaughtTable(store, "dice").used(match_id), used_board(store, match_id)
    given = TaughtJson()
    if dice is not None:
        given["learned"] = dice.learned
    if board is not None:
        given["board"] = board
    return given


def used_board(store: Store, match_id: str) -> Mapping[str, Any] | None:
    """Return the board that a match uses as it was learned, None if it uses none."""
    used = TaughtTable(store, "board").used(match_id)
    return None if used is None else used.learned


def named(entry: Taught) -> str:
    """Return the words for what was taught; no names, as other matches see them too."""
    board = entry.kind == "board"
    what = _("our board, taught on {day}") if board else _("our dice, taught on {day}")
    return translate(what, day=clock(entry.at))


def dice_say(used: Taught | None) -> str:
    """Return a sentence on the dice that photos of a match are read with."""
    if used is None:
        return translate("Photos are read without taught dice.")
    return translate("Photos are read with {dice}.", dice=named(used))


def board_says(used: Taught | None) -> str:
    """Return a sentence on the board that photos of a match are read on, if it was taught."""
    return "" if used is None else translate("They are read on {board}.", board=named(used))
