"""What may be done with a match now: played at all, photographed."""

from __future__ import annotations

from webui.eyes.look import readable
from webui.match import match as matches
from webui.match.match import Match


def playable(match: Match) -> bool:
    """Say whether a move can be made."""
    return match.game is not None and not match.closed and not match.game.is_over(match.state)


def photographable(match: Match) -> bool:
    """Say whether a step can be photographed now, on one of the surfaces at least.

    The rules must have no quarrel with a board as it lies; dice that are rolled are not known yet.
    """
    if not playable(match) or not readable(wanted := matches.equipment(match)):
        return False
    if not (wanted.board or wanted.tiles):
        return True
    tables = [spot.table for spot in wanted.spots]
    return not tables or any(
        not match.rules().observe(match.state, table).differences for table in tables
    )
