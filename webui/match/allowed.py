"""The ways in which a match takes a move now: at all, and by photo."""

from webui.eyes.look import readable
from webui.match import match as matches
from webui.match.match import Match


def playable(match: Match) -> bool:
    """Return True if a move can be made."""
    return match.game is not None and not match.closed and not match.game.is_over(match.state)


def photographable(match: Match) -> bool:
    """Return True if a step can be photographed now, on at least one surface.

    The rules must accept the current board; rolled dice are not known yet.
    """
    if not playable(match) or not readable(wanted := matches.equipment(match)):
        return False
    if wanted.loose or not (wanted.board or wanted.tiles):
        return True
    tables = [spot.table for spot in wanted.spots]
    return not tables or any(
        not match.rules().observe(match.state, table).differences for table in tables
    )
