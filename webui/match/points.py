"""The points of a match after its steps, and by the people who play."""

from __future__ import annotations

from itertools import groupby

from scorer.evening import seated
from webui.match.match import Match, SeatPoints
from webui.store.log import Store
from webui.store.rows import Event


def earned_at(store: Store, match: Match, seq: int) -> SeatPoints:
    """Return what is earned after the event *seq*, before the first step for 0; raises Closed."""
    (event,) = store.events(match.row.id, seq - 1, seq) if seq else (None,)
    return points_after(match, event)[1]


def points_after(match: Match, event: Event | None) -> tuple[SeatPoints, SeatPoints]:
    """Return the score after an *event* that stands, and what of it is earned; None: at first."""
    return start_points(match) if event is None else (event.score, event.earned)


def start_points(match: Match) -> tuple[SeatPoints, SeatPoints]:
    """Return the score before the first event, and what of it is earned.

    () where the rules of the match are not here.
    """
    game, row = match.game, match.row
    if game is None or match.closed is not None:
        return (), ()
    start = game.start(len(row.names), row.settings)
    return game.score(start), game.earned(start)


def earned_by_step(match: Match) -> list[SeatPoints]:
    """Return what is earned at first, and after each step that stands and has changed it.

    Who joined late has no points before.
    """
    standing = [*match.tree.standing(match.seq)][::-1]
    earned = [start_points(match)[1], *(match.earned[seq - 1] for seq in standing)]
    return [points for points, _ in groupby(filter(None, earned))]


def by_person(match: Match) -> list[str]:
    """Return what everybody is called now, by the seats that they had at first."""
    sat = seated(match.state, len(match.names))
    return [match.names[sat.index(person)] for person in range(len(match.names))]
