"""Even at Odds: the start, hands, refusals, turns without a move, and what is said."""

from dataclasses import replace

import pytest

from scorer import Table
from scorer.dominoes import Lay
from scorer.games.even_at_odds.moves import Agree, Choose, Discard, Draw, Exchange, Flip, Pass, Show
from scorer.games.even_at_odds.state import FACE_DOWN
from tests.scorer.games.at_odds import (
    BASE,
    LEVEL,
    SIX_TWO,
    SOLO,
    after,
    alone,
    dealt,
    eo,
    finished,
    late,
    lay,
    of_kind,
    refusal,
    tiles,
)


def test_more_pips_start_and_the_other_player_chooses():
    level = after(Flip((2, 5), (3, 4)))
    assert eo.prompt(level) == "each player flips a tile again: the flips were level"

    state = eo.apply(level, Flip((0, 0), (0, 1)))

    assert state.starter == 1
    assert eo.to_move(state) == (0,)
    assert eo.apply(state, Choose("odds")).teams == ("odds", "evens")


def test_nobody_has_to_tell_a_hand():
    tiles = {move.tile for move in of_kind(dealt(), Lay)}

    assert tiles == set(FACE_DOWN[2]) - {(0, 0)}  # it fits nowhere yet
    assert len(of_kind(dealt(), Show)) == 44


def test_a_hand_that_is_wholly_known_narrows_the_moves():
    hand = tiles("1-2 1-3 1-4 1-5 1-6 0-1 2-3")
    state = dealt(*(Show(0, one) for one in hand))

    assert {move.tile for move in of_kind(state, Lay)} == set(hand)
    assert refusal(state, SIX_TWO) == (
        "player 1 holds 0-1, 1-2, 1-3, 1-4, 1-5, 1-6 and 2-3, not 2-6",
        "EO-4",
    )
    assert {move.seat for move in of_kind(state, Show)} == {1}
    drawn = eo.apply(state, lay("1-2", (0, -1), (1, -1)))
    assert drawn.hands[0] == tuple(one for one in hand if one != (1, 2))
    assert Show(0, (2, 6)) in of_kind(drawn, Show)  # what was drawn is not known


def test_a_tile_known_in_one_hand_is_not_laid_from_the_other():
    state = dealt(Show(1, (2, 6)))

    assert refusal(state, SIX_TWO) == ("2-6 is in player 2's hand", "EO-4")
    assert eo.apply(eo.apply(state, SIX_FOUR_FLAT), SIX_TWO)


SIX_FOUR_FLAT = lay("6-4", (0, 4), (0, 5))
SEVEN = [Show(1, (0, n)) for n in range(7)]


DISCARDS, ASIDE = dealt(no_move="discard"), late(BASE, "0-0", "1-2", aside=((3, 5),))
MUST_FIT = "player 1 must hold a tile that fits: too few of the unseen tiles fit nowhere"
UNSEEN = "tiles are drawn unseen from the boneyard; nobody names them"
INSTEAD = "by your house rules a tile is set aside instead of passing"
ALL_KNOWN = "player 2's hand is known: 0-0, 0-1, 0-2, 0-3, 0-4, 0-5 and 0-6"


@pytest.mark.parametrize(
    ("state", "move", "sentence", "rule"),
    [
        (after(), SIX_TWO, "decide first who starts: each player flips a tile", "EO-3"),
        (after(), Flip((1, 1), (0, 1)), "1-1 is not one of the face-down tiles", "EO-3"),
        (after(), Flip((6, 5), (0, 1)), "6-5 is not one of the face-down tiles", "EO-3"),
        (after(), Flip((0, 1), (0, 1)), "there is only one 0-1", "EO-2"),
        (after(Flip((2, 5), (3, 4))), Flip((2, 5), (0, 1)), "2-5 has already been flipped", "EO-3"),
        (after(), Agree(0, 2), "there is no player 3", "EO-3"),
        (dealt(), Flip((2, 5), (0, 1)), "it is already decided: player 1 starts", "EO-3"),
        (after(Flip((2, 6), (0, 1))), SIX_TWO, "player 2 chooses evens or odds first", "EO-3"),
        (dealt(), Choose("odds"), "the teams are chosen: player 1 plays for the evens", "EO-3"),
        (dealt(), Show(2, (0, 1)), "there is no player 3", "EO-2"),
        (dealt(), Show(0, (3, 3)), "3-3 is already on the table", "EO-2"),
        (dealt(), Show(0, (2, 1)), "2-1 is written with the smaller number first", "EO-2"),
        (dealt(Show(1, (0, 1))), Show(0, (0, 1)), "0-1 is in player 2's hand", "EO-2"),
        (dealt(*SEVEN), Show(1, (1, 2)), ALL_KNOWN, "EO-4"),
        (late(BASE, "0-1"), Show(1, (1, 2)), "player 2 has no tiles", "EO-4"),
        (dealt(), Pass(), MUST_FIT, "EO-A8"),
        (late(BASE, "0-0 1-2"), Pass(), "player 1 can lay 1-2", "EO-A8"),
        (dealt(), Discard((0, 0)), "with no move you pass; no tile is set aside", "EO-A8"),
        (DISCARDS, Pass(), INSTEAD, "EO-A8"),
        (DISCARDS, Discard((1, 2)), "1-2 can be laid", "EO-4"),
        (DISCARDS, Discard((0, 0)), MUST_FIT, "EO-A8"),
        (ASIDE, Show(0, (3, 5)), "player 1's hand is known: 0-0", "EO-4"),
        (ASIDE, lay("3-5", (3, 0), (4, 0)), "3-5 was set aside", "EO-4"),
        (dealt(), Draw(tiles("0-1 0-2 0-3")), UNSEEN, "EO-4"),
        (dealt(), Exchange((0, 1), (0, 2)), "the helper is only for the solo game", "EO-10"),
        (finished(0, 0, match="best_of_three"), Agree(0, 0), "the game is over", "EO-9"),
    ],
)
def test_refusals(state, move, sentence, rule):
    assert refusal(state, move) == (sentence, rule)
    assert move not in list(eo.legal_moves(state))


NOTHING_FITS = (lay("1-1", (0, 0), (0, 1)),)


def test_without_a_move_one_passes_and_two_passes_end_the_game():
    state = late(NOTHING_FITS, "2-4 0-6", "0-3 3-5", stock=4)

    assert list(eo.legal_moves(state)) == [Pass()]
    assert eo.prompt(state) == "player 1 has no move and passes"
    passed = eo.apply(state, Pass())
    assert (passed.held, passed.stock, passed.turn) == ((2, 2), 4, 1)  # nothing drawn
    ended = eo.apply(passed, Pass())
    assert ended.outcome.winner == 1  # the odds' 1-1 is the only group


def test_a_pass_ends_the_game_when_the_other_hand_is_empty():
    over = eo.apply(late(NOTHING_FITS, "2-4"), Pass())

    assert eo.is_over(over)
    assert eo.observe(over, Table()).differences[0].sentence == "the game is over"


def test_who_has_no_tile_left_is_left_out():
    state = late(BASE, "0-1 0-6", "")

    state = eo.apply(state, lay("1-0", (0, -1), (0, -2)))

    assert eo.to_move(state) == (0,)


def test_passes_count_only_in_succession():
    state = late(NOTHING_FITS, "2-4 0-6", "0-1 3-5")

    state = eo.apply(state, Pass())
    state = eo.apply(state, lay("1-0", (0, 2), (0, 3)))

    assert state.passes == 0
    assert eo.to_move(state) == (0,)
    assert not of_kind(state, Pass)  # 0-6 fits now


def test_tiles_left_in_a_hand_are_out_of_the_extra_turn():
    level = late((*BASE, LEVEL), "0-0", stock=4)

    state = eo.apply(level, Pass())

    assert state.extra
    assert state.stock == 0  # nobody draws in the extra turn
    assert state.aside == ((0, 0),)
    assert Show(0, (0, 0)) not in of_kind(state, Show)


def test_in_a_discarding_house_a_tile_is_set_aside_and_one_drawn():
    house = {"no_move": "discard"}
    state = late(NOTHING_FITS, "2-4 0-6", "0-3 3-5", stock=4, house=house)

    assert of_kind(state, Discard) == [Discard((0, 6)), Discard((2, 4))]
    state = eo.apply(state, Discard((0, 6)))
    assert (state.held, state.stock, state.turn) == ((2, 2), 3, 1)
    assert state.aside == ((0, 6),)


def test_an_unknown_hand_may_be_without_a_move_if_enough_unseen_tiles_fit_nowhere():
    unknown = replace(late(NOTHING_FITS, "2-4 0-6"), hands=((), ()))
    boxed_in = replace(unknown, held=(17, 0))  # sixteen of the unseen tiles have no 1

    assert Pass() in list(eo.legal_moves(unknown))
    assert Pass() not in list(eo.legal_moves(boxed_in))


@pytest.mark.parametrize(
    ("state", "move", "words"),
    [
        (after(), Flip((5, 6), (4, 6)), "player 1 flips 5-6, player 2 flips 4-6: player 1 starts"),
        (after(), Flip((2, 5), (3, 4)), "player 1 flips 2-5, player 2 flips 3-4: level"),
        (after(), Agree(1, 0), "player 2 starts, player 1 plays for the evens"),
        (after(Flip((5, 6), (4, 6))), Choose("odds"), "player 2 plays for the odds"),
        (dealt(), Show(1, (5, 6)), "player 2 holds 5-6"),
        (dealt(), LEVEL, "player 1 plays 1-2 left of the 1-1, its 1 touching and its 2 below it"),
        (
            dealt(),
            SIX_TWO,
            "player 1 stacks 2-6 on level 2: "
            "its 2 on the left half of the 5-5, its 6 on the left half of the 6-6",
        ),
        (late(NOTHING_FITS, "2-4"), Pass(), "player 1 has no move and passes"),
        (late(NOTHING_FITS, "2-4"), Discard((2, 4)), "player 1 has no move and sets 2-4 aside"),
        (after(seats=1), Draw(tiles("1-2 1-3 4-4")), "player 1 draws 1-2, 1-3 and 4-4"),
        (
            alone(SOLO, "1-1", 18),
            Exchange((1, 1), (2, 4)),
            "player 1 turns the helper over: 1-1 goes back, 2-4 comes",
        ),
    ],
)
def test_moves_are_told_in_words(state, move, words):
    assert eo.describe(state, move) == words


@pytest.mark.parametrize(
    ("state", "words"),
    [
        (after(), "each player flips a tile for the start"),
        (after(Flip((5, 6), (4, 6))), "player 2 chooses evens or odds"),
        (dealt(), "player 1 lays a tile and draws one"),
        (late(BASE, "0-6 1-6", "0-1"), "player 1 lays a tile"),
        (
            late(NOTHING_FITS, "2-4", house={"no_move": "discard"}),
            "player 1 has no move and sets a tile aside",
        ),
        (alone(SOLO, "1-1", 18), "lay 1-1"),
        (replace(alone(NOTHING_FITS, "2-4", 18), helped=True), "2-4 cannot be laid: pass"),
    ],
)
def test_the_prompt_says_what_to_do(state, words):
    assert eo.prompt(state) == words


def test_the_tally_is_explained_by_the_groups_and_their_cells():
    state = dealt(SIX_TWO)

    mine, other, tie = eo.explain(state)

    assert (mine.seat, mine.points, other.points) == (0, 7, 2)
    assert tie.text == "a tie would be broken on level 2: evens 2, odds 0"
    assert mine.text == "player 1's largest group of evens: 7 faces"
    assert set(mine.cells) == {(0, 2), (0, 3), (1, 0), (1, 1), (1, 2), (2, 2), (2, 3)}


def test_a_match_is_explained_game_by_game():
    state = eo.apply(finished(0, match="game_scores"), Agree(0, 0))

    entries = [(entry.seat, entry.points, entry.part) for entry in eo.explain(state)]

    assert entries == [(0, 5, "game 1"), *[(None, 0, "game 2 so far")] * 3]
