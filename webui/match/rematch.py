"""A rematch: a new match of the remaining players with the same house rules."""

from scorer import settle
from scorer.evening.state import left_of, seated
from scorer.values import dump
from webui.match.advice import coach_seat
from webui.match.match import Match, game_called, load
from webui.store.log import Store


def again(store: Store, match_id: str) -> Match:
    """Return the rematch of the match; create it unless another phone has."""
    match = load(store, match_id)
    row, rules = match.row, game_called(match.row.game)
    house = dump(settle(rules.settings, row.settings))
    seats, sat = _seats(match), seated(match.state, len(row.names))
    people, names = [sat[seat] for seat in seats], [match.names[seat] for seat in seats]
    coach = coach_seat(house)
    if coach is not None:
        house |= {"coach_plays": 1 + people.index(coach) if coach in people else 0}
    place = row.game, rules.version, house, names
    return load(store, store.create(*place, rematch_of=match_id, people=people).id)


def _seats(match: Match) -> list[int]:
    """Return the remaining seats, or all seats if the game needs more players."""
    every = range(len(match.names))
    present = [seat for seat in every if seat not in left_of(match.state)]
    return present if match.game and len(present) in match.game.seats else [*every]
