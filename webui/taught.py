"""What people taught of a match's pieces and board: photos and frames are read with the same."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypedDict

from webui.adapters_store import AdapterStore
from webui.boards_store import BoardStore
from webui.store import Store


class Taught(TypedDict, total=False):
    """What `bridge.see` takes of it, as JSON."""

    learned: Mapping[str, Any]  # of the pieces
    board: Mapping[str, Any]


def taught(store: Store, match: str) -> Taught:
    """Return what a match uses of what was taught."""
    pieces, board = AdapterStore(store).used(match), BoardStore(store).used(match)
    given = Taught()
    if pieces is not None:
        given["learned"] = pieces.learned
    if board is not None:
        given["board"] = board.learned
    return given
