"""What our rules share with OpenSpiel's games agrees with them, move by move.

`liars_dice` has number places only and sixes wild; Gords with ones allowed on number places and a
track without stars is the same game with the faces renamed. Its players each lose or win one call.
`pig` is our Pig, except that its players may hold before they have rolled, and must hold when that
wins.
"""

import random

import pytest

from scorer import dump_move, recording, settle
from scorer.games import GAMES, gords, pig
from tests import FIXTURES
from tests.grids import few
from tests.webui.api.test_openapi import answered

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
            ours = gords.bids.raises(before, house, 2 * DICE)
            assert {(gords.bids.wanted(bid.space), bid.face) for bid in ours} == theirs
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
        found = gords.bids.count(bid, [our_face(die + 1) for die in rolled])
        losers = gords.bids.who_loses(bid, found, bidder=bidder, caller=caller, playing=(0, 1))
        assert [returns[seat] < 0 for seat in (0, 1)] == [seat in losers for seat in (0, 1)]
        outcomes.add(losers == (bidder,))

    assert outcomes == {True, False}


@pytest.mark.parametrize("target", [20, 100])
def test_pig_has_the_same_turns_and_scores(target):
    game = pyspiel.load_game("pig", {"winscore": target})
    roll, stop = 0, 1
    ended = set()

    for seed in SEEDS:
        chance = random.Random(seed)
        theirs, ours = game.new_initial_state(), pig.start(2, {"target": target})
        while not theirs.is_terminal():
            assert not pig.is_over(ours)
            assert pig.to_move(ours) == (theirs.current_player(),)
            wins = ours.scores[ours.seat] + pig.at_stake(ours) >= target
            assert theirs.legal_actions() == ([stop] if wins else [roll, stop])
            if not ours.rolls or (not wins and chance.random() < 0.8):
                theirs.apply_action(roll)
                outcome = chance.choice([outcome for outcome, _ in theirs.chance_outcomes()])
                theirs.apply_action(outcome)
                ours = pig.apply(ours, pig.Roll(outcome + 1))
            else:
                theirs.apply_action(stop)
                ours = pig.apply(ours, pig.Hold())
            first_line = str(theirs).splitlines()[0]
            turn = pig.at_stake(ours)
            assert first_line == f"Scores: {ours.scores[0]} {ours.scores[1]}, Turn total: {turn}"
        assert pig.is_over(ours)
        winner = pig.result(ours).winners[0]
        assert theirs.returns()[winner] == 1
        ended.add(winner)

    assert ended == {0, 1}


RECORDINGS = sorted((FIXTURES / "games").glob("*.jsonl"))


@pytest.mark.parametrize("path", few(RECORDINGS, 3), ids=lambda path: path.stem)
def test_a_recorded_match_is_kept_as_it_was_recorded(client, path):
    played = recording.read(path.read_text("utf-8").splitlines(), GAMES)
    moves = [dump_move(move) for move in played.moves]
    half = len(moves) // 2
    names = [f"Player no. {seat + 1}" for seat in range(played.seats)]
    made = answered(
        client,
        "post",
        "/api/matches",
        json={
            "game": played.game,
            "names": names,
            "settings": played.settings,
            "opening": moves[:half],
        },
    )

    path = f"/api/matches/{made['id']}"
    view = answered(client, "post", f"{path}/moves", json={"after": 1, "moves": moves[half:]})
    assert view["score"] == list(played.scores[-1])
    assert len(view["history"][1]["text"]) == len(moves) - half

    back = answered(client, "post", f"{path}/undo", json={"after": 2})
    assert back["score"] == list(played.scores[half - 1])
    assert back["because"] == made["because"]
    assert client.get(f"/m/{made['id']}").status_code == 200
