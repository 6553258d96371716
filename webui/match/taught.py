"""What people taught of a match's pieces and board: photos and frames are read with the same."""

from __future__ import annotations

from webui.eyes.taught import Taught
from webui.store.boards import BoardStore
from webui.store.log import Store
from webui.store.taught import AdapterStore


def taught(store: Store, match_id: str) -> Taught:
    """Return what a match uses of what was taught."""
    pieces, board = AdapterStore(store).used(match_id), BoardStore(store).used(match_id)
    given = Taught()
    if pieces is not None:
        given["learned"] = pieces.learned
    if board is not None:
        given["board"] = board.learned
    return given
