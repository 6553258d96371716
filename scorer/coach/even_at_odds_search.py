"""Where to lay which tile of Even at Odds: every way to lay the hand, looked ahead two turns.

How far a player leads is the size of the own largest group less that of the other's. After each of
the most promising ways the other's best answer is found for every tile not seen yet; since no hand
of them is likelier than another, the chance that a tile is the best of those held is exact. After
the likeliest answers the own best tile is laid once more. Nothing is drawn at random: the number of
ways that are looked into is what limits the time.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import comb

from scorer.coach.even_at_odds_view import Placement, TopGroups
from scorer.dominoes import Domino

ANSWERED = 32  # ways to lay a tile of which every answer is looked at: those that lead furthest
PURSUED = 12  # of these, ways after whose answers the next own tile is looked for
LIKELY = 0.9  # share of the answers searched, the best first
TIE = 0.5  # what the top level is worth where the groups end level (EO-8)


@dataclass(frozen=True, slots=True)
class Situation:
    """What a player whose turn it is knows."""

    view: TopGroups
    team: int  # 0 evens, 1 odds
    hand: tuple[Domino, ...]
    unseen: tuple[Domino, ...]  # all but those that the other is known to hold
    shown: tuple[Domino, ...]  # that the other is known to hold
    held: int  # tiles in the other's hand
    stock: int  # tiles still to draw
    place: int  # number of tiles on the table


@dataclass(frozen=True, slots=True)
class WeighedLay:
    """A placement of a tile, with the lead at once and after the search."""

    option: Placement
    at_once: float
    ahead: float


@dataclass(frozen=True, slots=True)
class Answer:
    """The best that the other can do with one tile, and the lead then; None: it fits nowhere."""

    lead: float
    option: Placement | None
    chance: float


def ways(situation: Situation) -> tuple[WeighedLay, ...]:
    """Return the most promising ways to lay a tile of the hand, the best first."""
    team, last = situation.team, _last(situation)
    found = [
        (option, lead(situation.view, option, team, last))
        for tile in situation.hand
        for option in situation.view.options(tile)
    ]
    found.sort(key=lambda way: -way[1])
    if not situation.held:
        return tuple(WeighedLay(option, now, now) for option, now in found)
    looked = []
    for option, at_once in found[:ANSWERED]:
        view = situation.view.after(option, situation.place)
        replies = answers(situation, view, option, at_once)
        looked.append(
            (option, at_once, view, replies, sum(one.chance * one.lead for one in replies))
        )
    looked.sort(key=lambda way: -way[4])
    best = [
        WeighedLay(option, now, (ahead + _pursued(situation, view, option, told)) / 2)
        for option, now, view, told, ahead in looked[:PURSUED]
    ]
    return tuple(sorted(best, key=lambda way: -way.ahead))


def lead(view: TopGroups, option: Placement, team: int, last: bool = False) -> float:
    """Return by how many faces *team* leads after a tile; the *last* one may settle a tie."""
    by = option.sizes[team] - option.sizes[1 - team]
    if by or not last:
        return by
    even, odd = view.top_level(option)
    ahead = even - odd if team == 0 else odd - even
    return TIE * ((ahead > 0) - (ahead < 0))


def _last(situation: Situation) -> bool:
    return not situation.held and not situation.stock and len(situation.hand) == 1


def answers(
    situation: Situation, view: TopGroups, option: Placement, at_once: float
) -> list[Answer]:
    """Return the other's best answer with each tile, the best first, and its chance."""
    last = not situation.stock and len(situation.hand) == 1 == situation.held
    unknown = situation.held - len(situation.shown)
    best: list[tuple[float, Placement | None, bool]] = []
    for tile in (*situation.unseen, *situation.shown):
        way: Placement | None = None
        least = at_once
        for placement in view.options(tile):
            after = lead(view, placement, situation.team, last)
            if way is None or after < least:
                way, least = placement, after
        best.append((least, way, tile in situation.shown))
    best.sort(key=lambda one: one[0])
    replies, better, pool = [], 0, len(situation.unseen)
    unknown = min(unknown, pool)
    hands = comb(pool, unknown)
    for least, way, is_shown in best:
        if is_shown:
            replies.append(Answer(least, way, comb(pool - better, unknown) / hands))
            break
        if unknown:
            with_it = comb(pool - better - 1, unknown - 1) if pool - better >= unknown else 0
            replies.append(Answer(least, way, with_it / hands))
            better += 1
    return [one for one in replies if one.chance]


def _pursued(
    situation: Situation, view: TopGroups, option: Placement, replies: Sequence[Answer]
) -> float:
    """Return the lead after the player's next tile, averaged over the likeliest answers."""
    low, high = sorted(option.numbers)
    hand = [tile for tile in situation.hand if tile != (low, high)]
    reached = followed = 0.0
    for answer in replies:
        after = answer.lead
        if hand and answer.option is not None:
            then = view.after(answer.option, situation.place + 1)
            after = max(
                (lead(then, one, situation.team) for one in _options(then, hand)), default=after
            )
        reached += answer.chance * after
        followed += answer.chance
        if followed > LIKELY:
            break
    return reached / followed


def _options(view: TopGroups, hand: Sequence[Domino]) -> Iterator[Placement]:
    for tile in hand:
        yield from view.options(tile)
