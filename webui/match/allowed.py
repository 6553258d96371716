"""The ways in which a match takes a move now: at all, by photo, by taps on its board."""

from scorer import Equipment
from scorer.game import kind_of
from webui.eyes.look import readable
from webui.match import match as matches
from webui.match.match import Match

# The moves tapped on each kind of board that the page draws (static/board).
TAPPED = {"sheet": ("Take", "Mark")}


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


def tappable(match: Match) -> bool:
    """Whether a move can be tapped on a board now; grids and dice are tapped on a photo."""
    if not playable(match):
        return False
    tapped = TAPPED.get(_kind(matches.equipment(match)), ())
    return any(kind_of(spoken.move).__name__ in tapped for spoken in match.spoken())


def _kind(wanted: Equipment) -> str:
    """Return the kind of surface requested, as `kindOf` in static/look/draft.js does."""
    if (wanted.board or "").startswith("sheet:"):
        return "sheet"
    return ""
