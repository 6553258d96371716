"""Players' statistics, added up from the totals of each match (`webui.store.tables.sums`).

A match that is not over, or ended early, is neither won nor lost; one whose rules are not installed
is left out, as are players without a name. Names that differ only in case are one player.
"""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

from scorer.errors import NotAMove
from scorer.games import GAMES, own_name, title_of
from scorer.messages import Message, _, raw
from webui.errors import NotFound
from webui.match import past
from webui.match.player_names import is_unnamed
from webui.match.statistics.sums import add_up_some
from webui.store.log import Store
from webui.store.tables.search import Opened
from webui.store.tables.sums import LEVEL, LOST, WON, SeatSums, Sums

FIELDS = ("name", "game", "since", "until", "by_rules")
Variant = Mapping[str, Any]  # house rules that differ from the defaults


@dataclass(slots=True)
class GameFigures:
    """A player's figures in one game with one set of house rules."""

    game: str
    title: Message
    variant: Variant
    played: int = 0
    won: int = 0
    points: int = 0  # of all matches
    best: int = 0  # points of one match: the most, or the fewest where these win
    fewest: bool = False  # whether the fewest points win

    @property
    def average(self) -> float:
        """Return the points of a match, on average."""
        return self.points / self.played

    def add(self, seat: SeatSums) -> None:
        """Count one more match that is over."""
        better = min if self.fewest else max
        self.best = better(self.best, seat.points) if self.played else seat.points
        self.played += 1
        self.won += seat.outcome == WON
        self.points += seat.points


@dataclass(slots=True)
class HeadToHead:
    """A player's results against another one in finished matches, which a third player may win."""

    name: str
    played: int = 0
    won: int = 0
    lost: int = 0  # won by the other player


@dataclass(slots=True)
class PlayerFigures:
    """A player's figures in all matches with a result."""

    name: str  # as it was written last
    outcomes: list[int | None] = field(default_factory=list)  # of the matches with a result
    open: int = 0  # matches without a result: not over, or ended early
    games: dict[str, GameFigures] = field(default_factory=dict)
    against: dict[str, HeadToHead] = field(default_factory=dict)

    @property
    def played(self) -> int:
        """Return how many matches have a result."""
        return len(self.outcomes)

    @property
    def won(self) -> int:
        """Return how many were won, alone or with others."""
        return self.outcomes.count(WON)

    @property
    def level(self) -> int:
        """Return how many were a draw."""
        return self.outcomes.count(LEVEL)

    @property
    def lost(self) -> int:
        """Return how many were lost."""
        return self.outcomes.count(LOST)

    @property
    def streak(self) -> int:
        """Return how many matches were won in a row, up to the last one."""
        return _streaks(self.outcomes)[-1]

    @property
    def longest(self) -> int:
        """Return the longest streak of won matches."""
        return max(_streaks(self.outcomes))


@dataclass(frozen=True, slots=True)
class Record:
    """The highest points in a game, in a match or by one step.

    Matches in which the fewest points win set no record.
    """

    game: str
    title: Message
    match_points: tuple[int, Sequence[str]]  # and the players who had them
    step_points: tuple[int, Sequence[str]]


@dataclass(frozen=True, slots=True)
class Statistics:
    """The totals of all matches."""

    players: Sequence[PlayerFigures]  # who has played most comes first
    records: Sequence[Record]
    dice: Mapping[str, Sequence[int]]  # by colour: how often each value was thrown
    overridden: int = 0  # matches in which players overrode the rules


def look_up(
    store: Store, sought: Mapping[str, str], opened: Opened | None = None, most: int | None = None
) -> tuple[Statistics, int]:
    """Return the totals of the matches found, and how many are not added up yet.

    *sought* has search terms by the names of FIELDS: with a "name" only that player, with
    "by_rules" "1" no match in which players overrode the rules.
    Raises NotAMove, Malformed as `past.wanted` does, and NotFound if there is no such player.
    """
    wanted = past.wanted(store, {field: sought.get(field, "") for field in FIELDS[1:4]}, opened)
    left = add_up_some(store, wanted, most)
    matches = store.sums.of(wanted)
    by_rules = [match for match in matches if not match.overridden]
    found = statistics(by_rules if sought.get("by_rules") == "1" else matches)
    found = replace(found, overridden=len(matches) - len(by_rules))
    if name := sought.get("name", ""):
        found = replace(found, players=[called(found, name)])
    return found, left


def statistics(matches: Sequence[Sums]) -> Statistics:
    """Add up *matches*, in playing order."""
    players = dict[str, PlayerFigures]()
    for match in matches:
        if match.over is not None:
            _count(players, match)
    order = sorted(players.values(), key=lambda one: (-one.played, -one.won, one.name.casefold()))
    return Statistics(order, [*_records(matches)], _dice(matches))


def called(found: Statistics, name: str) -> PlayerFigures:
    """Return the figures of the player of that *name*; raises NotFound."""
    for player in found.players:
        if player.name.casefold() == name.strip().casefold():
            return player
    raise NotFound(
        _("Nobody called {name} has played here. Choose one of the players.", name=raw(name[:24]))
    )


def _count(players: dict[str, PlayerFigures], match: Sums) -> None:
    people = {seat.name.casefold(): seat for seat in match.seats if not is_unnamed(seat.name)}
    for key, seat in people.items():
        player = players.setdefault(key, PlayerFigures(seat.name))
        player.name = seat.name
        if not match.decided:
            player.open += 1
            continue
        player.outcomes.append(seat.outcome)
        facts = match.game, _title(match), _rules(match)
        blank = GameFigures(*facts, fewest=_fewest_win(_kind(match), len(match.seats)))
        figures = player.games.setdefault(_kind(match), blank)
        figures.title = blank.title  # as it was written last
        figures.add(seat)
        for other in people.keys() - {key}:
            _meet(player.against.setdefault(other, HeadToHead("")), seat, people[other])


def _meet(duel: HeadToHead, seat: SeatSums, other: SeatSums) -> None:
    duel.name = other.name
    duel.played += 1
    duel.won += seat.outcome == WON
    duel.lost += other.outcome == WON


def _streaks(outcomes: Iterable[int | None]) -> list[int]:
    """Return the length of the streak at first, and after each match."""
    streaks = [0]
    for outcome in outcomes:
        streaks.append(streaks[-1] + 1 if outcome == WON else 0)
    return streaks


def _title(match: Sums) -> Message:
    return title_of(match.game, match.variant)


def _rules(match: Sums) -> Variant:
    """Return the house rules, without the name of the game."""
    named_by = GAMES[match.game].named_by if match.game in GAMES else ""
    return {name: value for name, value in match.variant.items() if name != named_by}


def _kind(match: Sums) -> str:
    own = own_name(match.game, match.variant).casefold()
    return json.dumps([match.game, _rules(match), *filter(None, [own])], sort_keys=True)


@cache
def _fewest_win(kind: str, seats: int) -> bool:
    """Return True if the fewest points win in this kind of match."""
    name, variant, *_own = json.loads(kind)
    with suppress(KeyError, NotAMove):
        return GAMES[name].lowest(GAMES[name].start(seats, variant))
    return False


def _records(matches: Sequence[Sums]) -> Iterator[Record]:
    counted = [
        match
        for match in matches
        if match.decided and not _fewest_win(_kind(match), len(match.seats))
    ]
    by_game = dict[tuple[str, str], list[Sums]]()
    for match in counted:
        by_game.setdefault((_title(match).casefold(), match.game), []).append(match)
    for (_said, name), played in sorted(by_game.items()):
        seats = [seat for match in played for seat in match.seats]
        in_match = _most([(seat.points, seat.name) for seat in seats])
        by_step = _most([(seat.most, seat.name) for seat in seats])
        yield Record(name, _title(played[-1]), in_match, by_step)


def _most(points: Sequence[tuple[int, str]]) -> tuple[int, Sequence[str]]:
    most = max(number for number, _ in points)
    return most, [*dict.fromkeys(name for number, name in points if number == most)]


def _dice(matches: Sequence[Sums]) -> dict[str, Sequence[int]]:
    totals = dict[str, Counter[int]]()
    for match in matches:
        for colour, counts in match.dice.items():
            totals.setdefault(colour, Counter()).update(dict(enumerate(counts)))
    return {colour: [totals[colour][side] for side in range(6)] for colour in sorted(totals)}
