"""Even at Odds: every ruling of its docstring, its refusals, counts and sentences."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace

import pytest

from scorer import NotAMove
from scorer.dominoes import SET, Lay, surface
from scorer.games.even_at_odds.board import groups, largest, top_level
from scorer.games.even_at_odds.moves import (
    Agree,
    Choose,
    Discard,
    Draw,
    Exchange,
    Flip,
    Pass,
    Show,
)
from scorer.games.even_at_odds.state import FACE_DOWN, Outcome
from tests.scorer.games.at_odds import (
    BASE,
    LEVEL,
    ON_TOP,
    SIX_FOUR,
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
    view,
)

# ---------------------------------------------------------------- laying


@pytest.mark.parametrize(
    ("move", "sentence", "rule"),
    [
        (
            lay("1-2", (0, -1), (1, 0)),
            "the two halves of 1-2 must lie on neighbouring cells",
            "EO-4",
        ),
        (
            lay("6-2", (0, 3), (0, 4)),
            "2-6 would lie half on a tile and half on the table",
            "EO-6",
        ),
        (
            lay("6-2", (0, 2), (0, 3)),
            "2-6 would rest on one tile, 6-6; it must cover two",
            "EO-6",
        ),
        (
            lay("3-4", (0, 2), (1, 2)),
            "3-4 would cover 6 and 5, neither with its own number",
            "EO-6",
        ),
        (lay("2-6", (0, 4), (0, 5)), "neither half of 2-6 touches its own number", "EO-5"),
        (lay("6-2", (-1, 4), (-2, 4)), "neither half of 2-6 touches its own number", "EO-5"),
        (lay("3-3", (3, 0), (3, 1)), "3-3 is already on the table", "EO-4"),
        (lay("3-7", (3, 0), (3, 1)), "there is no tile 3-7 in the box", "EO-4"),
    ],
)
def test_a_tile_that_does_not_fit_is_refused_with_the_fact(move, sentence, rule):
    assert refusal(dealt(), move) == (sentence, rule)


def test_a_tile_never_rests_on_two_heights():
    state = dealt(SIX_TWO)

    assert refusal(state, lay("2-1", (1, 2), (1, 1))) == (
        "1-2 would lie at two heights, 1 and 2",
        "EO-6",
    )
    assert refusal(state, lay("6-5", (0, 2), (1, 2)))[0].startswith("5-6 would rest on one tile")


def test_a_number_matches_a_face_of_any_height_but_only_one_that_shows():
    beside = (1, 4), (1, 5)

    assert eo.apply(dealt(SIX_TWO, SIX_FOUR), lay("4-0", *beside))
    assert eo.apply(dealt(SIX_TWO), lay("5-0", *beside))
    assert refusal(dealt(SIX_TWO, SIX_FOUR), lay("5-0", *beside))[1] == "EO-5"


def test_one_move_has_one_form_however_it_is_written():
    assert lay("6-2", (0, 2), (1, 2)) == lay("2-6", (1, 2), (0, 2))
    assert lay("3-3", (2, 0), (1, 0)) == lay("3-3", (1, 0), (2, 0))
    assert lay("6-2", (0, 2), (1, 2)) != lay("2-6", (0, 2), (1, 2))


def test_blanks_match_blanks_unless_the_house_says_no():
    built = [SIX_TWO, SIX_FOUR, lay("4-0", (1, 4), (1, 5))]
    beside, over = lay("0-1", (1, 6), (1, 7)), lay("0-3", (1, 5), (1, 6))

    assert eo.apply(dealt(*built, beside), over)
    assert refusal(dealt(*built, blank_matches_blank=False), beside) == (
        "neither half of 0-1 touches its own number, and blanks match nothing",
        "EO-5",
    )
    with_one = dealt(*built, lay("1-3", (-1, 0), (-2, 0)), blank_matches_blank=False)
    assert refusal(with_one, lay("0-2", (1, 5), (1, 4)))[1] == "EO-6"


def test_a_stacked_half_lies_on_its_own_number_unless_the_house_is_looser():
    crossed = lay("2-6", (0, 2), (1, 2))  # the 6 lies on the 5

    assert refusal(dealt(), crossed)[1] == "EO-6"
    assert eo.apply(dealt(stack_match="any_face"), crossed)


def test_stacks_grow_without_limit():
    state = dealt(SIX_TWO, SIX_FOUR)

    state = eo.apply(state, lay("6-0", (0, 2), (0, 3)))

    assert surface(state.laid)[(0, 2)][:2] == (6, 3)
    assert top_level(surface(state.laid)) == (3, (6, 0))


# ---------------------------------------------------------------- foundation


def test_the_foundation_is_a_chequerboard_of_pairs():
    top = surface(BASE)

    assert largest(top) == (2, 2)
    rows = ["".join(str(top[(r, c)][0]) for c in range(4)) for r in range(3)]
    assert rows == ["1166", "2255", "3344"]
    solo = surface(SOLO)
    rows = ["".join(str(solo[(r, c)][0]) for c in range(4)) for r in range(3)]
    assert rows == ["1060", "2050", "3040"]


def test_the_house_may_lay_the_foundation_otherwise():
    row = [[[n, n], [[0, 2 * n], [0, 2 * n + 1]]] for n in range(1, 7)]

    state = dealt(foundation=row)

    assert state.laid[0] == lay("1-1", (0, 2), (0, 3))
    assert eo.apply(state, lay("1-2", (0, 3), (0, 4)))


@pytest.mark.parametrize(
    ("foundation", "sentence"),
    [
        ([[[1, 1], [[0, 0], [0, 1]]]], "it is made of 1-1, 6-6, 2-2, 5-5, 3-3 and 4-4, each once"),
        ([[[1, 1], [[0, 0], [0, 2]]]], "the halves of 1-1 must lie on neighbouring cells"),
        (
            [[[1, 1], [[0, 0], [0, 1]]], [[2, 2], [[0, 1], [0, 2]]]],
            "two halves lie on one cell",
        ),
        ("round", "expected a list"),
    ],
)
def test_a_foundation_that_cannot_lie_is_refused(foundation, sentence):
    with pytest.raises(NotAMove, match=sentence):
        eo.start(2, {"foundation": foundation})


def test_the_box_is_as_counted():
    hand = FACE_DOWN[2]
    faces = Counter(number for pair in SET for number in pair)

    assert sum(faces[n] for n in (2, 4, 6)) == sum(faces[n] for n in (1, 3, 5)) == 24
    assert faces[0] == 8
    assert len(hand) == 22
    kinds = Counter("".join(sorted("b" if not n else "eo"[n % 2] for n in pair)) for pair in hand)
    assert kinds == {"ee": 3, "oo": 3, "eo": 9, "be": 3, "bo": 3, "bb": 1}


# ---------------------------------------------------------------- groups, winner, match


def test_groups_cross_levels_unless_the_house_says_no():
    top = view("24", levels=["12"])

    assert largest(top) == (2, 0)
    assert largest(top, "same_level") == (1, 0)
    assert eo.score(dealt(SIX_TWO)) == (7, 2)
    assert eo.score(dealt(SIX_TWO, group_levels="same_level")) == (2, 2)


def test_blanks_and_corners_connect_nothing():
    assert largest(view("21", "12")) == (1, 1)
    assert largest(view("202")) == (1, 0)
    assert groups(view("00")) == {"evens": [], "odds": []}


def test_a_level_game_gives_each_player_one_of_the_removed_tiles():
    state = eo.apply(late(BASE, "1-2"), LEVEL)

    assert state.extra
    assert state.held == (1, 1)
    assert state.stock == 0
    assert eo.to_move(state) == (0,)
    assert eo.prompt(state) == "level: player 1 takes one of the two removed tiles and lays it"
    state = eo.apply(state, lay("4-2", (2, 4), (3, 4)))
    assert not eo.is_over(state)
    state = eo.apply(state, lay("5-0", (1, 4), (1, 5)))
    assert eo.is_over(state)
    assert state.outcome == Outcome((4, 3), (9, 8), 0, extra=True)
    assert eo.result(state).why == "player 1 wins: groups of 4 and 3 faces after the extra turn"


def test_the_starter_begins_the_extra_turn_whoever_laid_last():
    state = replace(late(BASE, "1-2"), starter=1)

    assert eo.to_move(eo.apply(state, LEVEL)) == (1,)


def test_level_after_the_extra_turn_is_a_draw():
    state = late((*BASE, LEVEL), "0-2", "0-1", extra=True)

    state = eo.apply(state, lay("2-0", (1, -2), (1, -3)))
    state = eo.apply(state, lay("1-0", (0, -2), (0, -3)))

    assert state.outcome == Outcome((4, 4), (8, 8), None, extra=True)
    assert eo.result(state).winners == (0, 1)
    assert eo.result(state).why == (
        "a draw: groups of 4 faces each, and as many faces on the top level after the extra turn"
    )


def test_the_top_level_breaks_a_level_game():
    state = late((*BASE, LEVEL), "1-3", "", hands=((), ()))

    over = eo.apply(state, lay("1-3", (0, 1), (1, 1)))

    assert over.outcome.tops == (0, 2)
    assert over.outcome.winner == 1


def test_an_extra_tile_that_fits_nowhere_is_lost_with_the_turn():
    state = late(BASE, "0-0", "1-2", extra=True)

    state = eo.apply(state, Pass())

    assert state.held == (0, 1)
    assert eo.to_move(state) == (1,)
    assert eo.is_over(eo.apply(state, LEVEL))


@pytest.mark.parametrize(
    ("winners", "tally", "over"),
    [
        ((0,), (1, 0), False),
        ((0, 1), (1, 1), False),
        ((0, None, 1), (1, 1), False),  # a drawn game counts for nobody
        ((1, None, 1), (0, 2), True),
    ],
)
def test_best_of_three_needs_two_wins(winners, tally, over):
    state = finished(*winners, match="best_of_three")

    assert eo.score(state) == tally
    assert eo.is_over(state) == over
    assert eo.target(state) == 2


def test_game_scores_add_the_differences_and_go_on_while_level():
    two = {"match": "game_scores", "match_games": 2}

    assert eo.score(finished(0, 1, 1, **two)) == (5, 10)
    assert eo.result(finished(0, 1, 1, **two)).why == "player 2 wins by 10 points to 5"
    assert not eo.is_over(finished(0, 1, **two))
    assert not eo.is_over(finished(0, **two))
    assert eo.target(finished(0, **two)) is None


def test_a_game_won_on_the_tie_break_scores_what_the_house_says():
    house = {"match": "game_scores", "match_games": 1}

    assert eo.score(finished(0, end=ON_TOP, **house)) == (0, 0)
    assert eo.score(finished(0, end=ON_TOP, tiebreak_game_score=1, **house)) == (1, 0)


def test_each_game_of_a_match_begins_with_its_own_flip():
    house = {"match": "best_of_three"}
    state = finished(0, **house)

    assert state.done[0].round.outcome.winner == 0
    assert eo.prompt(state) == "game 2: each player flips a tile for the start"
    (table,) = eo.apply(state, Agree(1, 1)).tables
    assert table.round.laid == BASE
    assert table.round.held == (7, 7)
    assert eo.score(state) == (1, 0)


# ---------------------------------------------------------------- start and hands


def test_more_pips_start_and_the_other_player_chooses():
    level = after(Flip((2, 5), (3, 4)))
    assert eo.prompt(level) == "each player flips a tile again: the flips were level"

    state = eo.apply(level, Flip((0, 0), (0, 1)))

    assert state.starter == 1
    assert eo.to_move(state) == (0,)
    assert eo.apply(state, Choose("odds")).teams == ("odds", "evens")


def test_everybody_plays_ten_tiles_and_the_sixth_turn_draws_the_last():
    chance = random.Random(1)
    state, held = dealt(), []
    while not state.outcome and not state.extra:
        held.append((state.held[state.turn], state.stock))
        state = eo.apply(state, chance.choice(of_kind(state, Lay)))

    assert len(held) == 20
    assert held[5:7] == [(7, 1), (7, 0)]
    assert held[-1] == (1, 0)


def test_nobody_has_to_tell_a_hand():
    known = {move.tile for move in of_kind(dealt(), Lay)}

    assert known == set(FACE_DOWN[2]) - {(0, 0)}  # it fits nowhere yet
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


@pytest.mark.parametrize(
    ("state", "move", "sentence", "rule"),
    [
        (after(), SIX_TWO, "decide first who starts: each player flips a tile", "EO-3"),
        (after(), Flip((1, 1), (0, 1)), "1-1 is not one of the face-down tiles", "EO-3"),
        (after(), Flip((6, 5), (0, 1)), "6-5 is not one of the face-down tiles", "EO-3"),
        (after(), Flip((0, 1), (0, 1)), "there is only one 0-1", "EO-2"),
        (
            after(Flip((2, 5), (3, 4))),
            Flip((2, 5), (0, 1)),
            "2-5 has already been flipped",
            "EO-3",
        ),
        (after(), Agree(0, 2), "there is no player 3", "EO-3"),
        (dealt(), Flip((2, 5), (0, 1)), "it is already decided: player 1 starts", "EO-3"),
        (
            after(Flip((2, 6), (0, 1))),
            SIX_TWO,
            "player 2 chooses evens or odds first",
            "EO-3",
        ),
        (dealt(), Choose("odds"), "the teams are chosen: player 1 plays for the evens", "EO-3"),
        (dealt(), Show(2, (0, 1)), "there is no player 3", "EO-2"),
        (dealt(), Show(0, (3, 3)), "3-3 is already on the table", "EO-2"),
        (dealt(), Show(0, (2, 1)), "2-1 is written with the smaller number first", "EO-2"),
        (dealt(Show(1, (0, 1))), Show(0, (0, 1)), "0-1 is in player 2's hand", "EO-2"),
        (
            dealt(*SEVEN),
            Show(1, (1, 2)),
            "player 2's hand is known: 0-0, 0-1, 0-2, 0-3, 0-4, 0-5 and 0-6",
            "EO-4",
        ),
        (late(BASE, "0-1"), Show(1, (1, 2)), "player 2 has no tiles", "EO-4"),
        (
            dealt(),
            Pass(),
            "player 1 must hold a tile that fits: too few of the unseen tiles fit nowhere",
            "EO-A8",
        ),
        (late(BASE, "0-0 1-2"), Pass(), "player 1 can lay 1-2", "EO-A8"),
        (dealt(), Discard((0, 0)), "with no move you pass; no tile is set aside", "EO-A8"),
        (
            dealt(no_move="discard"),
            Pass(),
            "by your house rules a tile is set aside instead of passing",
            "EO-A8",
        ),
        (dealt(no_move="discard"), Discard((1, 2)), "1-2 can be laid", "EO-4"),
        (
            dealt(no_move="discard"),
            Discard((0, 0)),
            "player 1 must hold a tile that fits: too few of the unseen tiles fit nowhere",
            "EO-A8",
        ),
        (
            late(BASE, "0-0", "1-2", aside=((3, 5),)),
            Show(0, (3, 5)),
            "player 1's hand is known: 0-0",
            "EO-4",
        ),
        (
            late(BASE, "0-0", "1-2", aside=((3, 5),)),
            lay("3-5", (3, 0), (4, 0)),
            "3-5 was set aside",
            "EO-4",
        ),
        (
            dealt(),
            Draw(tiles("0-1 0-2 0-3")),
            "tiles are drawn unseen from the boneyard; nobody names them",
            "EO-4",
        ),
        (dealt(), Exchange((0, 1), (0, 2)), "the helper is only for the solo game", "EO-10"),
        (finished(0, 0, match="best_of_three"), Agree(0, 0), "the game is over", "EO-9"),
    ],
)
def test_refusals(state, move, sentence, rule):
    assert refusal(state, move) == (sentence, rule)
    assert move not in list(eo.legal_moves(state))


# ---------------------------------------------------------------- no move

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
    assert eo.is_over(eo.apply(late(NOTHING_FITS, "2-4"), Pass()))


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


# ---------------------------------------------------------------- in words


@pytest.mark.parametrize(
    ("state", "move", "words"),
    [
        (
            after(),
            Flip((5, 6), (4, 6)),
            "player 1 flips 5-6, player 2 flips 4-6: player 1 starts",
        ),
        (after(), Flip((2, 5), (3, 4)), "player 1 flips 2-5, player 2 flips 3-4: level"),
        (after(), Agree(1, 0), "player 2 starts, player 1 plays for the evens"),
        (after(Flip((5, 6), (4, 6))), Choose("odds"), "player 2 plays for the odds"),
        (dealt(), Show(1, (5, 6)), "player 2 holds 5-6"),
        (
            dealt(),
            LEVEL,
            "player 1 plays 1-2 left of the 1-1, its 1 touching and its 2 below it",
        ),
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

    told = [(entry.seat, entry.points, entry.part) for entry in eo.explain(state)]

    assert told == [(0, 5, "game 1"), *[(None, 0, "game 2 so far")] * 3]
