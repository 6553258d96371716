"""A rematch: a new match of the remaining players with the same house rules."""

from scorer import settle
from scorer.evening.state import left_of, seated
from scorer.messages import _
from scorer.values import dump
from webui.errors import Stale
from webui.match.advice import coach_seat
from webui.match.match import Match, game_called, load
from webui.store.log import Store


def again(store: Store, match_id: str) -> Match:
    """Return the rematch of the match; create it unless another phone has.

    Raises Stale for a match that goes on, as one does whose end was taken back.
    """
    match = load(store, match_id)
    if not may_follow(match) and store.rematch(match_id) is None:
        raise Stale(_("This match goes on. Play it to its end first, or end it."))
    row, rules = match.row, game_called(match.row.game)
    house = dump(settle(rules.settings, row.settings))
    seats, sat = _seats(match), seated(match.state, len(row.names))
    people, names = [sat[seat] for seat in seats], [match.names[seat] for seat in seats]
    coach = coach_seat(house)
    if coach is not None:
        house |= {"coach_plays": 1 + people.index(coach) if coach in people else 0}
    place = row.game, rules.version, house, names
    return load(store, store.create(*place, rematch_of=match_id, people=people).id)


def may_follow(match: Match) -> bool:
    """Whether a match is over, as far as its rules are here to tell."""
    return match.closed is not None or match.game is None or match.game.is_over(match.state)


def all_stay(match: Match) -> bool:
    """Whether a rematch has all players of the match."""
    return len(_seats(match)) == len(match.names)


def _seats(match: Match) -> list[int]:
    """Return the remaining seats, or all seats if the game needs more players."""
    every = range(len(match.names))
    present = [seat for seat in every if seat not in left_of(match.state)]
    return present if match.game and len(present) in match.game.seats else [*every]
