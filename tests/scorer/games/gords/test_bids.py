"""Gords: the track, and which bids may be made on it."""

import pytest

from scorer import Illegal, NotAMove, settle
from scorer.games import gords as gd
from scorer.games.gords import Agree, Bid, Call, Count, Own
from tests.oracles import gords as slow
from tests.scorer.games.bids import after

HOUSE = settle(gd.SETTINGS, {})


def bid_refusal(bid, before, in_play=30, **house):
    with pytest.raises(Illegal) as why:
        gd.bids.check_bid(bid, before, HOUSE | house, in_play)
    return why.value.reason, why.value.rule


@pytest.mark.parametrize("track", ["half_before", "half_after"])
def test_the_documented_tracks_have_thirty_places(track):
    assert list(gd.bids.places(track)) == slow.TRACKS[track].split()


@pytest.mark.parametrize(
    "sent", [["1", "2", "1*"], ("1", "2", "1*"), "1 2 1*", "1, 2,1*", " 1 2 1* "]
)
def test_a_track_is_a_list_or_typed_with_blanks_or_commas(sent):
    state = gd.ONE.start(2, {"track": sent})

    assert gd.bids.places(state.house["track"]) == ("1", "2", "1*")


@pytest.mark.parametrize(
    ("setting", "sent", "sentence"),
    [
        ("track", ["1", "x"], "a place is a number or a star, like 4 or 2[*], not 'x'"),
        ("track", ["1", "0"], "a place is a number or a star"),
        ("track", ["1", "2", "1"], "1 stands there 2 times"),
        ("track", [], "at least one"),
        ("track", [1, 2], "expected a list of words"),
        ("track", 5, "expected a list of words"),
        ("track", "", "at least one"),
        ("colours", ["red", "white"], "no player has white dice"),
        ("colours", ["red", "red"], "2 players cannot all have red dice; change some of them"),
        ("colours", ["red"], "2 players need 2 colours"),
    ],
)
def test_a_list_that_cannot_be_is_refused(setting, sent, sentence):
    with pytest.raises(NotAMove, match=sentence):
        gd.ONE.start(2, {setting: sent})


@pytest.mark.parametrize(
    ("bid", "before", "reason", "rule"),
    [
        (Bid("21", 2), None, "there is no place 21 on this board", "GD-2"),
        (Bid("11*", 1), None, "there is no place 11* on this board", "GD-2"),
        (Bid("4", 7), None, "a die shows 1 to 6, not 7", "GD-4"),
        (Bid("4", 0), None, "a die shows 1 to 6, not 0", "GD-4"),
        (Bid("3*", 6), None, "star 3 stands for ones only, not for sixes", "GD-4"),
        (Bid("3*", 2), None, "star 3 stands for ones only, not for twos", "GD-4"),
        (Bid("4", 1), None, "ones are wild on a number place; bid them on a star", "GD-A2"),
        (Bid("4", 3), Bid("4", 3), "4 threes is not higher than 4 threes", "GD-4"),
        (Bid("3", 6), Bid("2*", 1), "3 sixes is not higher than star 2", "GD-4"),
        (Bid("2*", 1), Bid("4", 3), "star 2 is not higher than 4 threes", "GD-4"),
        (Bid("1", 2), Bid("1", 3), "1 two is not higher than 1 three", "GD-4"),
        (Bid("20", 6), Bid("20", 6), "20 sixes is not higher than 20 sixes", "GD-4"),
    ],
)
def test_bids_that_are_refused(bid, before, reason, rule):
    assert bid_refusal(bid, before) == (reason, rule)


def test_bids_and_calls_are_described():
    state = after(Agree(1))

    assert gd.ONE.describe(after(), Agree(1)) == "player 2 bids first"
    assert gd.ONE.describe(state, Bid("2*", 1)) == "player 2 bids star 2"
    assert gd.ONE.describe(gd.ONE.apply(state, Bid("1", 2)), Call(0)) == "player 1 calls"
    called = after(Agree(0), Bid("1", 6), Call(1))
    assert gd.ONE.describe(called, Own(1, "red")) == "player 2 has the red dice"
    assert gd.ONE.describe(called, Count(2)).startswith("2 sixes, ones included – player")


def test_a_bid_above_the_dice_in_play_is_a_bluff_or_refused():
    state = after(Agree(0), dice=(2, 1))

    assert gd.ONE.describe(state, Bid("4", 2)) == "player 1 bids 4 twos (only 3 dice are in play)"
    assert "only 3 dice are in play" in gd.ONE.prompt(gd.ONE.apply(state, Bid("4", 2)))
    reason = "4 is more than the 3 dice in play"
    assert bid_refusal(Bid("4", 2), None, 3, cap_at_dice_in_play=True) == (reason, "GD-A6")
    gd.bids.check_bid(Bid("3", 2), None, HOUSE | {"cap_at_dice_in_play": True}, 3)


def test_after_the_highest_bid_one_can_only_call():
    state = after(Agree(0), Bid("20", 6))

    assert list(gd.ONE.legal_moves(state)) == [Call(1)]
    assert gd.ONE.prompt(state) == (
        "nothing is higher than 20 sixes (only 10 dice are in play): player 2 (blue) must call"
    )
