"""Totals of a match for statistics: winners, points and thrown values."""

from collections.abc import Iterable, Sequence
from itertools import pairwise, zip_longest
from typing import Any

from scorer import Game, load_move
from scorer.dice import PIPS
from scorer.values import dump
from webui.errors import NotFound, RequestError
from webui.match import match as matches
from webui.match.match import Match, standing_from
from webui.match.past import is_over
from webui.match.points import earned_by_step, points_after
from webui.store.log import Store
from webui.store.rows import Event
from webui.store.tables.search import Wanted
from webui.store.tables.sums import LEVEL, LOST, WON, SeatSums, Sums, ThrownDice

AT_ONCE = 40  # matches that are added up while a page waits
NO_RULES = {"MT-6", "MT-7"}  # settings that change nobody's chances: advice, the coach's seat


def add_up_some(store: Store, wanted: Wanted, most: int | None = None) -> int:
    """Add up outdated matches among *wanted*; return how many are left.

    At most a batch, by default AT_ONCE. Failures to store count as left, and are retried next time.
    """
    most = AT_ONCE if most is None else most
    out_of_date = store.sums.out_of_date(wanted)
    for done, match_id in enumerate(out_of_date[:most]):
        try:
            add_up(store, match_id)
        except NotFound:  # it was deleted just now
            continue
        except RequestError:
            return len(out_of_date) - done
    return max(0, len(out_of_date) - most)


def add_up(store: Store, match_id: str) -> None:
    """Store the current totals of a match; raises NotFound, RequestError."""
    match = matches.load(store, match_id)
    store.sums.store(sums_of(match, standing_from(store, match, 1)))


def sums_of(match: Match, standing: Iterable[Event]) -> Sums:
    """Return the totals of a match; *standing* are its events that are not undone, oldest first."""
    row = match.row
    return Sums(
        match=row.id,
        game=row.game,
        seq=match.seq,
        at=match.steps[-1].event.at if match.steps else row.created_at,
        over=is_over(match),
        overridden=bool(match.overridden),
        variant=_variant(match),
        seats=_seats(match),
        dice=_dice(match, standing),
    )


def _seats(match: Match) -> Sequence[SeatSums]:
    names = match.names
    points = points_after(match, match.last)[1]
    return [*map(SeatSums, names, points, _most(match), _outcomes(match))]


def _most(match: Match) -> Sequence[int]:
    """Return the most points of each seat by one step, without the first points of latecomers."""
    steps = ([b - a for a, b in zip(*two, strict=False)] for two in pairwise(earned_by_step(match)))
    none = [0] * len(match.names)
    return [max(gained) for gained in zip_longest(none, *steps, fillvalue=0)]


def _outcomes(match: Match) -> Sequence[int | None]:
    """Return for each seat: won (alone or shared), drawn or lost; None without a result."""
    seats, stands = range(len(match.names)), match.standing()
    if stands is None or stands.result is None or stands.result.early:
        return [None for _ in seats]
    best = LEVEL if stands.result.draw else WON
    return [best if seat in stands.leading else LOST for seat in seats]


def _variant(match: Match) -> dict[str, Any]:
    """Return the house rules that differ from the defaults and affect the game."""
    if match.game is None or match.closed:
        return {}
    house, seats = match.row.settings, len(match.row.names)
    usual = {setting.name: dump(setting.default) for setting in match.game.settings}
    return {
        setting.name: house[setting.name]
        for setting in match.game.settings
        if setting.rule not in NO_RULES
        and not setting.per_seat
        and house.get(setting.name, usual[setting.name]) != usual[setting.name]
        and setting.matters({**usual, **house}, seats)
    }


def _dice(match: Match, standing: Iterable[Event]) -> ThrownDice:
    """Return how often each value was thrown, by the colour of the dice."""
    counts = dict[str, list[int]]()
    if match.game is None or match.closed:
        return counts
    game: Game[Any, Any] = match.game
    state = game.start(len(match.row.names), match.row.settings)
    for event in standing:
        for data in event.moves or ():
            move = load_move(game, data)
            for colour, value in game.thrown(state, move):
                counts.setdefault(colour, [0] * len(PIPS))[value - 1] += 1
            state = game.apply(state, move)
    return counts
