"""What our rules share with OpenSpiel's games agrees with them, move by move.

`liars_dice` has number places only and sixes wild; Gords with ones allowed on number places and a
track without stars is the same game with the faces renamed. Its players each lose or win one call.
"""

from __future__ import annotations

import random

import pytest

from scorer import settle
from scorer.games import gords

pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel has no build for this system")

WILD = 6  # OpenSpiel's wild face; ours is the one
DICE = 3  # of each of two players
SEEDS = range(60)


def our_face(theirs):
    return 1 if theirs == WILD else theirs + 1


def their_bid(action):
    """Return (number of dice, face) of an OpenSpiel action."""
    return action // 6 + 1, action % 6 + 1


def trajectory(game, chance):
    """Play at random; return the chance outcomes and the (player, action, legal actions)."""
    state, rolled, played = game.new_initial_state(), [], []
    while not state.is_terminal():
        if state.is_chance_node():
            rolled.append(chance.choice([outcome for outcome, _ in state.chance_outcomes()]))
            state.apply_action(rolled[-1])
            continue
        legal = state.legal_actions()
        played.append((state.current_player(), chance.choice(legal), legal))
        state.apply_action(played[-1][1])
    return rolled, played, state.returns()


def test_the_order_of_bids_is_that_of_liars_dice():
    """Compared with the wild face left where it stands: only the order of faces matters here."""
    game = pyspiel.load_game("liars_dice", {"numdice": DICE})
    track = tuple(str(number) for number in range(1, 2 * DICE + 1))
    house = settle(gords.SETTINGS, {"track": track, "ones_on_number_space": True})
    liar = 6 * 2 * DICE
    compared = 0

    for seed in SEEDS:
        _, played, _ = trajectory(game, random.Random(seed))
        before = None
        for _, action, legal in played:
            theirs = {their_bid(other) for other in legal if other != liar}
            ours = gords.raises(before, house, 2 * DICE)
            assert {(gords.wanted(bid.space), bid.face) for bid in ours} == theirs
            compared += len(theirs)
            if action != liar:
                number, face = their_bid(action)
                before = gords.Bid(str(number), face)

    assert compared > 1000


def test_a_call_is_won_as_in_liars_dice():
    game = pyspiel.load_game("liars_dice", {"numdice": DICE})
    outcomes = set()

    for seed in SEEDS:
        rolled, played, returns = trajectory(game, random.Random(seed))
        (bidder, action, _), (caller, _, _) = played[-2:]
        number, face = their_bid(action)
        bid = gords.Bid(str(number), our_face(face))
        found = gords.count(bid, [our_face(die + 1) for die in rolled])
        losers = gords.who_loses(bid, found, bidder=bidder, caller=caller, playing=(0, 1))
        assert [returns[seat] < 0 for seat in (0, 1)] == [seat in losers for seat in (0, 1)]
        outcomes.add(losers == (bidder,))

    assert outcomes == {True, False}
