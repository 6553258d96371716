"""Games of Even at Odds played to their end from here, with deals of the tiles not seen yet.

The deals are drawn by a generator seeded with what lies and what is held, so the same question has
the same answer. In a deal both players lay what leads furthest at once.
"""

from collections.abc import Sequence
from math import exp
from random import Random

from scorer.coach.even_at_odds_search import Situation, WeighedLay, lead
from scorer.coach.even_at_odds_view import Placement, TopGroups
from scorer.dominoes import Domino

TRIED = range(4, 13)  # ways to lay a tile that are played to the end
DEALS = range(6, 25)
TILES = 480  # laid in all games of a question, about: they take most of its time
SURE = 1.5  # faces: a game that greedy players end with such a lead is won e times in e + 1
FAR = 8  # tiles before the end, from where on a lead is no surer


def tried(situation: Situation, ways: Sequence[WeighedLay]) -> Sequence[WeighedLay]:
    """Return the ways that are worth to be played out, the most promising ones."""
    most = TILES // (_left(situation) * DEALS[0])
    return ways[: max(TRIED[0], min(TRIED[-1], most))]


def _left(situation: Situation) -> int:
    return len(situation.hand) + situation.held + situation.stock


def won(situation: Situation, ways: Sequence[WeighedLay]) -> tuple[list[float], int]:
    """Return the chance to win with each way, and in how many deals it was played.

    Each way is played with the same deals. How a game of greedy players ends says less the more
    tiles are left, so a narrow end counts in part.
    """
    chance = Random(repr((situation.view.top, situation.hand)))  # noqa: S311  # a sample, no secret
    left = _left(situation)
    deals = max(DEALS[0], min(DEALS[-1], TILES // (left * len(ways))))
    deals = deals if situation.unseen else 1
    sure = SURE * min(1.0, (left - 1) / FAR)
    shares = [0.0] * len(ways)
    starts = [situation.view.after(way.option, situation.place) for way in ways]
    for _ in range(deals):
        unseen = list(situation.unseen)
        chance.shuffle(unseen)
        unknown = situation.held - len(situation.shown)
        theirs = (*situation.shown, *unseen[:unknown])
        stock = unseen[unknown : unknown + situation.stock]
        seed = chance.random()
        for place, (way, view) in enumerate(zip(ways, starts, strict=True)):
            mine = [tile for tile in situation.hand if tile != _tile(way.option)]
            by = _played_out(situation, view, (mine, list(theirs)), list(stock), Random(seed))  # noqa: S311
            shares[place] += _chance(by, sure) / deals
    return shares, deals


def _chance(by: float, sure: float) -> float:
    if not sure:
        return ((by > 0) - (by < 0) + 1) / 2
    return 1 / (1 + exp(-by / sure))


def _tile(option: Placement) -> Domino:
    low, high = sorted(option.numbers)
    return low, high


def _played_out(
    situation: Situation,
    view: TopGroups,
    hands: tuple[list[Domino], list[Domino]],
    stock: list[Domino],
    chance: Random,
) -> float:
    """Return the lead at the end: *hands* are the own one, which draws first, and the other's."""
    if stock:
        hands[0].append(stock.pop())
    turn, passes, place, by = 1, 0, situation.place + 1, 0.0
    by = float(view.sizes[situation.team] - view.sizes[1 - situation.team])
    while any(hands) and passes < 2:
        hand, team = hands[turn], situation.team if turn == 0 else 1 - situation.team
        option = greedy(view, hand, team, chance)
        if option is None:
            passes += 1
        else:
            passes = 0
            hand.remove(_tile(option))
            if stock:
                hand.append(stock.pop())
            by = lead(view, option, situation.team, last=not any(hands))
            view = view.after(option, place)
            place += 1
        turn = 1 - turn
    return by


def greedy(view: TopGroups, hand: Sequence[Domino], team: int, chance: Random) -> Placement | None:
    """Return one of the ways that lead furthest at once; None where no tile fits."""
    best, level = -99, list[Placement]()
    for tile in hand:
        for option in view.options(tile):
            by = option.sizes[team] - option.sizes[1 - team]
            if by > best:
                best, level = by, [option]
            elif by == best:
                level.append(option)
    return chance.choice(level) if level else None
