"""What may be done with a match now: played at all, photographed."""

from __future__ import annotations

from webui.eyes.look import readable
from webui.match import match as matches
from webui.match.match import Match


def playable(now: Match) -> bool:
    """Say whether a move can be made."""
    return now.game is not None and not now.closed and not now.game.is_over(now.state)


def photographable(now: Match) -> bool:
    """Say whether a step can be photographed now, on one of the surfaces at least.

    The rules must have no quarrel with a board as it lies; dice that are rolled are not known yet.
    """
    if not playable(now) or not readable(wanted := matches.equipment(now)):
        return False
    if not (wanted.board or wanted.tiles):
        return True
    known = [spot.known for spot in wanted.spots]
    return not known or any(
        not now.rules().observe(now.state, table).differences for table in known
    )
