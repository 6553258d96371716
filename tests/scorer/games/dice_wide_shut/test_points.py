"""Dice Wide Shut: which dice may be taken, points, the end, the winner, and what is said."""

from dataclasses import replace
from functools import cache
from itertools import product

import pytest

from scorer import NotAMove
from scorer.evening.steps import EndMatch
from scorer.games import GAMES
from scorer.games.dice_wide_shut.moves import Mark, Roll, Starter, Take
from scorer.games.dice_wide_shut.sheet import score_column
from scorer.games.dice_wide_shut.state import Sheet, dice_for
from tests.scorer.games.wide_shut import (
    BLANK,
    EXAMPLE,
    ONE_RED,
    POOL,
    THREES,
    cells,
    dice,
    dw,
    playing,
    refused,
    sheet,
    table,
)


@cache
def best_half(most_full_columns):
    """Return the best points of a half, exactly: column by column for each choice of split rows."""
    best = -100
    for split_rows in product((False, True), repeat=5):
        reached = {(frozenset(range(5)), 0): 0}  # rows checked so far without a gap, full columns
        for _ in range(5):
            following = {}
            for (whole, full), points in reached.items():
                for column in product(".x", repeat=5):
                    signs = ["#" if s else c for s, c in zip(split_rows, column, strict=True)]
                    key = (
                        frozenset(row for row in whole if signs[row] != "."),
                        full + ("." not in signs),
                    )
                    worth = points + score_column("".join(signs))
                    following[key] = max(worth, following.get(key, worth))
            reached = following
        best = max(
            [best]
            + [
                points
                for (whole, full), points in reached.items()
                if full <= most_full_columns and all(split_rows[row] for row in whole)
            ]
        )
    return best


@pytest.mark.parametrize(("most_full_columns", "points"), [(5, 56), (2, 52)])
def test_the_best_half_is_56_and_52_without_a_third_full_column(most_full_columns, points):
    assert best_half(most_full_columns) == points


ENDING = sheet(red=("xx..x", *("xxx..",) * 4))  # a red 3 in row 1 fills the third column


def ended_by(seat, seats, **house):
    """Return the state after *seat*, starting with player 1, has filled a third column."""
    sheets = [ENDING if place == seat else Sheet() for place in range(seats)]
    each = dice_for(seats)["red"]
    roll = tuple(sorted([("red", 3), ("blue", 1)] * each + [("purple", 1)]))
    state = dw.apply(table(sheets, **house), Roll(roll))
    for place in range(seat + 1):
        colour = "red" if place == seat else "blue"
        taken = "red 3 3" if place == seat else "blue 1 1"
        state = dw.apply(state, Take(colour, dice(taken)))
        if state.due is not None and state.order[0] == place:
            state = dw.apply(state, next(dw.legal_moves(state)))
    return state


def test_the_round_is_finished_once_three_columns_of_a_half_are_full():
    state = ended_by(1, 3)

    assert state.order == (2,)
    assert not dw.is_over(state)
    state = dw.apply(state, Take("red", dice("red 3 3")))
    state = dw.apply(state, next(dw.legal_moves(state)))
    assert dw.is_over(state)
    assert list(dw.legal_moves(state)) == []


def test_each_other_player_has_one_more_turn_if_the_table_says_so():
    state, played = ended_by(1, 3, end_mode="each_other_once"), []
    while not dw.is_over(state):
        if state.due is None and state.pool:
            played.append(state.order[0])
        state = dw.apply(state, next(dw.legal_moves(state)))

    assert played == [2, 0]  # player 3 with these dice, player 1 with a new roll
    assert state.round == 2


@pytest.mark.parametrize(
    ("sheets", "winners", "why"),
    [
        ([sheet(red=THREES), Sheet()], (0,), "player 1 wins −30 to −50"),
        (
            [Sheet(), sheet(red=("xxxxx", *BLANK[:4]))],
            (1,),
            "player 2 wins with −50 points: the tie is broken by 1 split row, the most",
        ),
        (
            [Sheet(), Sheet()],
            (0, 1),
            "player 1 and player 2 share the win with −50 points and 0 split rows each; "
            "whoever was at a masquerade most recently takes it",
        ),
    ],
)
def test_the_highest_total_wins_then_the_most_splits(sheets, winners, why):
    ended = dw.result(table(sheets, order=()))

    assert (ended.winners, ended.why) == (winners, why)


def test_a_turn_reads_as_the_players_would_tell_it():
    there = sheet(red=EXAMPLE, red_sixes="..x..")
    state = dw.start(2, {})
    state = replace(state, sheets=(there, Sheet()))
    moves = [
        Starter(0),
        Roll(dice("red 3 5 6 blue 2 2 6 purple 5")),
        Take("red", dice("red 3 purple 5")),
        Mark(cells("red23"), (("red", 2, 5),)),
    ]
    sentences, asked = [], [dw.prompt(state)]
    for move in moves:
        sentences.append(dw.describe(state, move))
        state = dw.apply(state, move)
        asked.append(dw.prompt(state))

    assert sentences == [
        "player 1 starts",
        "player 1 rolls red 3 5 6, blue 2 2 6, purple 5",
        "player 1 takes purple 5 and red 3 as red",
        "player 1 checks the 3 in row 2 of the red half and spends the 6 of row 3 of the red half "
        "instead of checking a 5; row 2 of the red half splits",
    ]
    assert asked == [
        "choose who rolls first",
        "round 1: player 1 rolls 3 red, 3 blue and 1 purple",
        "round 1: player 1 takes dice and marks them",
        "round 1: player 1 marks a red 3 and a red 5",
        "round 1: player 2 takes dice and marks them",
    ]


def test_two_questions_of_ours_are_asked_beside_who_starts_and_never_again():
    game = GAMES["dice_wide_shut"]
    state = game.start(2, {"match": "sum"})

    assert game.hint(state).startswith(
        "The game asks, and binds nobody: who touched the monolith last?"
    )
    assert game.hint(game.apply(state, EndMatch())) == ""
    assert game.hint(game.apply(state, Starter(1))) == ""


def test_a_six_and_the_end_have_their_own_prompts():
    assert dw.prompt(playing(Sheet(), (6,))) == "round 1: player 1 checks one of the sixes"
    assert dw.prompt(table([sheet(red=THREES), Sheet()], order=())) == "player 1 wins −30 to −50"
    assert dw.prompt(playing(sheet(red=THREES), (3, 5))) == "round 1: player 1 marks a red 5"


def test_everybody_may_say_who_starts_and_then_one_is_to_move():
    assert dw.to_move(dw.start(3, {})) == (0, 1, 2)
    assert dw.to_move(table([Sheet()] * 3)) == (0,)
    assert dw.to_move(table([Sheet()] * 3, order=())) == ()


def test_each_column_says_how_its_points_came_about():
    state = table([sheet(red=("xxxxx", "x....", "xx...", ".....", ".x...")), Sheet()])

    entries = [entry for entry in dw.explain(state) if entry.seat == 0]

    assert [(entry.text, entry.points) for entry in entries[:3]] == [
        ("column 1: 2 in a run", 3),
        ("column 2: runs of 1 and 1: 1 + 1", 2),
        ("column 3: no live check", -5),
    ]
    assert (entries[-1].text, entries[-1].points) == ("1 split row: the most win a tie", 0)


ROW = ("xxxx.", *(".....",) * 4)


@pytest.mark.parametrize(
    ("red", "blue", "note"),
    [
        (BLANK, BLANK, "−5 for each of 10 empty columns"),
        (THREES, BLANK, "−5 for each of 9 empty columns"),
        (("xxxxx", *ROW[1:]), BLANK, "−5 for each of 10 empty columns"),  # a split checks nothing
        (("xxxx.", "....x", *ROW[2:]), ROW, "−5 for one empty column"),
        (("xxxx.", "....x", *ROW[2:]), ("xxxx.", "....x", *ROW[2:]), ""),
    ],
)
def test_what_empty_columns_cost_is_said_with_the_score(red, blue, note):
    running = "if the game ended now: "

    assert dw.notes(table([sheet(red, blue), Sheet()])) == (
        note and running + note,
        running + "−5 for each of 10 empty columns",
    )
    ended = table([sheet(red, blue), Sheet()], order=())
    assert dw.notes(ended) == (note, "−5 for each of 10 empty columns")


@pytest.mark.parametrize("seats", [1, 6])
def test_two_to_five_play(seats):
    with pytest.raises(NotAMove, match="2 to 5 players"):
        dice_for(seats)


ALL_SIXES = "red 6 6 6 blue 1 2 2 purple 4"
ONE_OF_RED, PAIRS_DIFFER = {"purple_counts_for_single": False}, {"same_number_pair": False}
TAKE_TWO = "there is a {} to take with the {}: take two dice"
PURPLE_ALONE = "the purple die alone cannot be taken as red"


@pytest.mark.parametrize(
    ("roll", "colour", "taken", "house", "sentence", "rule"),
    [
        (POOL, "red", "", {}, "nobody may pass: take dice of one colour", "DW-4"),
        (POOL, "red", "blue 4", {}, "a blue die cannot be taken as red", "DW-4"),
        (POOL, "red", "red 4 1", {}, "there is no red 4 to take", "DW-4"),
        (POOL, "red", "red 3 3", {}, "there is only one red 3 to take", "DW-4"),
        (POOL, "red", "red 6 purple 5", {}, "a 6 is taken alone", "DW-4"),
        (POOL, "red", "red 1 3 purple 5", {}, "3 dice are too many: take two", "DW-4"),
        (POOL, "blue", "blue 4 4", PAIRS_DIFFER, "both dice show 4: they must differ", "DW-A2"),
        (ONE_RED, "red", "red 3", {}, TAKE_TWO.format("purple 4", "red 3"), "DW-4"),
        (ONE_RED, "red", "purple 4", ONE_OF_RED, TAKE_TWO.format("red 3", "purple 4"), "DW-4"),
        (ALL_SIXES, "red", "purple 4", ONE_OF_RED, PURPLE_ALONE, "DW-A9"),
    ],
)
def test_what_may_not_be_taken(roll, colour, taken, house, sentence, rule):
    state = table([Sheet()] * 2, roll, **house)

    assert refused(state, Take(colour, dice(taken))) == (sentence, rule)
