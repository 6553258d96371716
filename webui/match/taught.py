"""Taught dice and boards of a match, used for its photos and frames."""

from collections.abc import Mapping
from typing import Any

from scorer.messages import _
from webui.eyes.lessons import TaughtJson
from webui.languages import translate
from webui.match.summary import clock
from webui.store.log import Store
from webui.store.taught import Taught, TaughtTable


def taught(store: Store, match_id: str) -> TaughtJson:
    """Return the taught pieces and board that a match uses."""
    dice, board = TaughtTable(store, "dice").used(match_id), used_board(store, match_id)
    given = TaughtJson()
    if dice is not None:
        given["learned"] = dice.learned
    if board is not None:
        given["board"] = board
    return given


def used_board(store: Store, match_id: str) -> Mapping[str, Any] | None:
    """Return the taught board that a match uses, or None."""
    used = TaughtTable(store, "board").used(match_id)
    return None if used is None else used.learned


def named(entry: Taught) -> str:
    """Return a description of the taught pieces, without names, as other matches see it too."""
    board = entry.kind == "board"
    what = _("our board, taught on {day}") if board else _("our dice, taught on {day}")
    return translate(what, day=clock(entry.at, "%H:%M:%S"))  # two of one minute differ


def dice_say(used: Taught | None) -> str:
    """Return a sentence about the dice with which the match's photos are read."""
    if used is None:
        return translate("Photos are read without taught dice.")
    return translate("Photos are read with {dice}.", dice=named(used))


def board_says(used: Taught | None) -> str:
    """Return a sentence about the taught board with which the match's photos are read."""
    return "" if used is None else translate("They are read on {board}.", board=named(used))
