"""Gords: calls and lost dice, refusals, what is said, and counts."""

from functools import partial

import pytest

from scorer import Die, Illegal, Table
from scorer.games import gords as gd
from scorer.games.gords import Agree, Bid, Call, Count, Reveal
from tests.oracles import gords as slow
from tests.scorer import positions
from tests.scorer.games.bids import CALLED, after

refusal = partial(positions.refusal, gd.ONE)


@pytest.mark.parametrize(
    ("found", "left", "seat", "said"),
    [
        (0, (5, 3, 2), 2, "it was 0, player 2 loses 2 dice"),
        (1, (5, 4, 2), 2, "it was 1, player 2 loses a die"),
        (2, (5, 5, 1), 2, "it was exactly 2, player 3 loses a die"),
        (4, (5, 5, 0), 0, "it was 4, player 3 loses 2 dice"),
        (7, (5, 5, 0), 0, "it was 7, player 3 loses 2 dice"),  # of five, but had no more
    ],
)
def test_a_call_costs_as_many_dice_as_the_bid_was_off_where_that_is_agreed(found, left, seat, said):
    state = after(*CALLED, Count(found), dice=(5, 5, 2), loss="difference")
    lost = gd.ONE.explain(state)[-1]

    assert (state.dice, state.seat) == (left, seat)
    assert lost.text.endswith(said)
    assert lost.points == sum(left) - 12
    assert lost.rule == ("GD-A15" if lost.points < -1 else "GD-5")


def test_lost_dice_are_counted_and_nobody_has_lost_six():
    assert gd.state.dice_left((2, 0, 5, 1)) == (3, 5, 0, 4)
    assert gd.state.alive((3, 5, 0, 4)) == (0, 1, 3)
    with pytest.raises(Illegal, match="player 2 had 5 dice and cannot have lost 6"):
        gd.state.dice_left((0, 6))


BIDDEN, SHOWN = (Agree(0), Bid("1", 2)), (*CALLED, Reveal(0, (1, 2)))


@pytest.mark.parametrize(
    ("moves", "move", "reason", "rule"),
    [
        ((), Bid("1", 2), "decide first who bids first", "GD-7"),
        ((), Agree(4), "there is no player 5", "GD-7"),
        ((), Call(0), "decide first who bids first", "GD-7"),
        ((Agree(0),), Agree(1), "it is already decided who bids first", "GD-7"),
        ((Agree(0),), Call(1), "there is no bid to call yet", "GD-4"),
        ((Agree(0),), Reveal(0, (1, 2)), "the dice stay hidden until somebody calls", "GD-5"),
        (BIDDEN, Count(1), "there is nothing to count until somebody calls", "GD-5"),
        (BIDDEN, Call(0), "player 1 made the bid and cannot call it", "GD-5"),
        ((*BIDDEN, Bid("1", 3)), Call(0), "only the next player, player 3, may call", "GD-A3"),
        (BIDDEN, Call(3), "player 4 has no dice left", "GD-6"),
        (BIDDEN, Call(-1), "there is no player 0", "GD-5"),
        (BIDDEN, Call(4), "there is no player 5", "GD-5"),
        (CALLED, Call(0), "player 3 has called already", "GD-5"),
        (CALLED, Bid("3", 2), "player 3 has called; now the dice are shown", "GD-5"),
        (CALLED, Reveal(0, (1,)), "player 1 has 2 dice, not 1", "GD-6"),
        (CALLED, Reveal(2, (1, 2)), "player 3 has 1 die, not 2", "GD-6"),
        (CALLED, Reveal(3, ()), "player 4 has no dice left", "GD-6"),
        (CALLED, Reveal(4, ()), "there is no player 5", "GD-5"),
        (CALLED, Reveal(0, (0, 1)), "a die shows 1 to 6, not 0", "GD-1"),
        (CALLED, Reveal(0, (1, 7)), "a die shows 1 to 6, not 7", "GD-1"),
        (SHOWN, Reveal(0, (1, 2)), "player 1 has shown 1 2; undo to change it", "GD-5"),
        (CALLED, Count(6), "at most 5 sixes, ones included can be there", "GD-5"),
        (CALLED, Count(-1), "0 sixes, ones included have already been shown", "GD-5"),
        (SHOWN, Count(0), "1 six, ones included have already been shown", "GD-5"),
    ],
)
def test_refusals(moves, move, reason, rule):
    assert refusal(after(*moves, dice=(2, 2, 1, 0)), move) == (reason, rule)


def test_every_die_lost_is_explained_by_the_bid_that_cost_it():
    state = after(*CALLED, Reveal(0, (2, 6)), Reveal(1, (3, 4)), Reveal(2, (5,)), dice=(2, 2, 1))

    last = gd.ONE.explain(state)[-1]

    assert (last.seat, last.points, last.part, last.rule) == (1, -1, "round 1", "GD-5")
    assert last.text == "player 2 bid 2 sixes, player 3 called: it was 1, player 2 loses a die"


def test_the_last_with_dice_wins_and_nothing_may_be_done_then():
    over = after(dice=(0, 2))

    assert gd.ONE.result(over).why == "player 2 wins: the last with dice, 2 dice left"
    assert refusal(over, Agree(1)) == ("the game is over", "GD-8")


def test_exactly_right_is_said_to_be():
    moves = (*CALLED, Reveal(0, (2, 6)), Reveal(1, (1, 4)))
    state = after(*moves, dice=(2, 2, 1), exact="all_others_lose")

    assert gd.ONE.describe(state, Reveal(2, (5,))) == (
        "player 3 shows 5 – player 2 bid 2 sixes, player 3 called: it was exactly 2, "
        "player 1 and player 3 lose a die each"
    )


@pytest.mark.parametrize(
    ("moves", "prompt"),
    [
        ((), "agree who bids first"),
        ((Agree(1),), "player 2 (blue) bids first; 5 dice are in play"),
        ((Agree(0), Bid("1", 3)), "player 2 (blue) bids higher than 1 three, or calls"),
        (
            CALLED,
            "player 3 has called 2 sixes: player 1 (red), player 2 (blue) and player 3 (green)"
            " to show the dice",
        ),
        ((*CALLED, Reveal(0, (1, 2)), Reveal(2, (1,))),
         "player 3 has called 2 sixes: player 2 (blue) to show the dice"),
    ],
)  # fmt: skip
def test_the_prompt_says_what_is_next(moves, prompt):
    assert gd.ONE.prompt(after(*moves, dice=(2, 2, 1))) == prompt


def test_who_may_act():
    assert gd.ONE.to_move(after()) == (0, 1)
    assert gd.ONE.to_move(after(Agree(1))) == (1,)
    assert gd.ONE.to_move(after(Agree(1), Bid("1", 2), dice=(1, 1, 1), call_by="anyone")) == (0, 2)
    assert gd.ONE.to_move(after(*CALLED, Reveal(1, (2, 2)), dice=(2, 2, 1))) == (0, 2)
    assert gd.ONE.to_move(after(dice=(0, 1))) == ()


BOTH_CALLED = (Agree(0), Bid("1", 6), Call(1))


@pytest.mark.parametrize(
    ("colour", "colours"),
    [
        ("blue", ("blue", "red")),  # they swap
        ("pink", ("pink", "blue")),
        ("green", ("green", "blue")),  # a colour that nobody has
    ],
)
def test_before_dice_are_shown_a_player_says_which_are_whose(colour, colours):
    state = after(*BOTH_CALLED, gd.Own(0, colour), dice=(1, 1))

    assert gd.ONE.colours(state) == colours
    shown = gd.ONE.observe(state, Table((Die(6, colour), Die(3, colours[1]))))
    assert shown.moves == (Reveal(0, (6,)), Reveal(1, (3,)))


def test_whose_dice_are_whose_holds_in_the_next_round_too():
    moves = (*BOTH_CALLED, gd.Own(1, "red"), Reveal(0, (6, 6)), Reveal(1, (3, 3)))

    assert gd.ONE.colours(after(*moves, dice=(2, 2))) == ("blue", "red")


@pytest.mark.parametrize(
    ("moves", "own", "reason"),
    [
        ((Agree(0), Bid("1", 6)), (0, "blue"), "the dice stay hidden until somebody calls"),
        (BOTH_CALLED, (0, "white"), "a player's dice cannot be white"),
        (BOTH_CALLED, (0, "red"), "player 1 already has the red dice"),
        (BOTH_CALLED, (2, "red"), "there is no player 3"),
        (
            (*BOTH_CALLED, Reveal(0, (6, 6))),
            (0, "blue"),
            "dice have already been shown; undo that to change whose they are",
        ),
    ],
)
def test_whose_dice_are_whose_cannot_be_said_otherwise(moves, own, reason):
    state = after(*moves, dice=(2, 2))
    move = gd.Own(*own)

    assert move not in list(gd.ONE.legal_moves(state))
    with pytest.raises(Illegal, match=reason):
        gd.ONE.apply(state, move)


@pytest.mark.parametrize(
    ("house", "left", "moves"),
    [
        ({}, (2, 2), (Agree(0),)),
        ({"track": "half_after"}, (1, 2), ()),
        ({"call_by": "anyone"}, (1, 0, 2, 1), (Agree(0), Bid("19", 2))),
        ({"ones_on_number_space": True}, (1, 1), (Agree(0), Bid("9*", 1))),
        ({"cap_at_dice_in_play": True}, (2, 0, 1), (Agree(0),)),
        ({"track": ("1", "2*", "2", "1*")}, (1, 2), (Agree(0),)),
        ({}, (1, 0, 2, 1), (Agree(2), Bid("1", 6), Bid("2", 6), Call(0))),
        ({"exact": "all_others_lose"}, (1, 1, 1), (Agree(0), Bid("1", 6), Call(1))),
        ({"exact": "all_others_lose", "loss": "difference"}, (2, 1, 2), (Agree(0), Bid("3", 6))),
    ],
)
def test_a_match_goes_as_by_the_slow_rules(house, left, moves):
    state = after(*moves, dice=left, **house)

    worth = partial(slow.dice_after, state.house, left)
    positions.check_a_match(
        gd.ONE, state, moves, slow.written(left), worth, lambda state: state.dice
    )
