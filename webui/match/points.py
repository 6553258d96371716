"""The points of a match after its steps, and by player."""

from itertools import groupby

from scorer.evening.state import seated
from webui.match.match import Match, SeatPoints
from webui.store.log import Store
from webui.store.rows import Event


def earned_at(store: Store, match: Match, seq: int) -> SeatPoints:
    """Return the points earned after event *seq*, 0 for the start; raises Closed."""
    (event,) = store.events(match.row.id, seq - 1, seq) if seq else (None,)
    return points_after(match, event)[1]


def points_after(match: Match, event: Event | None) -> tuple[SeatPoints, SeatPoints]:
    """Return the score and the points earned after *event*, None for the start.

    They are 0 if there is nothing to tell them by.
    """
    score, earned = (event.score, event.earned) if event else start_points(match)
    none = (0,) * len(match.names)
    return score or none, earned or none


def start_points(match: Match) -> tuple[SeatPoints, SeatPoints]:
    """Return the score and the points earned before the first event.

    () if the rules of the match are not installed.
    """
    game, row = match.game, match.row
    if game is None or match.closed is not None:
        return (), ()
    start = game.start(len(row.names), row.settings)
    return game.score(start), game.earned(start)


def earned_by_step(match: Match) -> list[SeatPoints]:
    """Return the points earned at the start, and after each step that changed them.

    Latecomers have no points before they joined.
    """
    standing = [*match.tree.standing(match.seq)][::-1]
    earned = [start_points(match)[1], *(match.earned[seq - 1] for seq in standing)]
    return [points for points, _ in groupby(filter(None, earned))]


def by_person(match: Match) -> list[str]:
    """Return the players' current names by their first seats."""
    sat = seated(match.state, len(match.names))
    return [match.names[sat.index(person)] for person in range(len(match.names))]
