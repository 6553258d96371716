"""Do dice lie as they lay when the last roll of a match was photographed?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from webui.bridge import lie_yet
from webui.match import Match, equipment
from webui.store import Store


def lies_as_before(store: Store, match: Match, reading: Mapping[str, Any]) -> bool | None:
    """Say whether dice lie as they lay when the last roll was photographed, all or what is left.

    None where nobody can tell: dice that were typed in, or that stay where they are put.
    """
    game = match.rules()
    if equipment(match).stays:
        return None
    quiet = {kind.__name__ for kind in game.unseen}
    for step in reversed(match.steps):
        if not step.standing or {move["move"] for move in step.event.moves or ()} <= quiet:
            continue
        if step.event.sighting is None:
            return None
        return lie_yet(store.sighting(match.row.id, step.event.sighting).reading, reading)
    return None
