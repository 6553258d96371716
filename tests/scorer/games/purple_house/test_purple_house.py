"""Each ruling in the docstring of scorer.games.purple_house has a case here."""

import pytest

from scorer import NotAMove, replay, settle
from scorer.coach.purple_house import best_margin
from scorer.games.purple_house import GAME, SETTINGS, Agree, ChooseColour, Place, Roll, StartRoll
from scorer.games.purple_house.board import LINES
from tests.oracles import purple_house as slow
from tests.scorer import positions
from tests.scorer.games.tokens import (
    BLACK_7_1,
    LEVEL,
    ODD,
    ROLLED,
    placements,
    race,
    swapped,
)

start, legal_moves, apply, observe = GAME.start, GAME.legal_moves, GAME.apply, GAME.observe
score, is_over, result, explain = GAME.score, GAME.is_over, GAME.result, GAME.explain
prompt, instead, to_move, equipment = GAME.prompt, GAME.instead, GAME.to_move, GAME.equipment


def test_a_free_start_is_told_by_the_first_die():
    state = race(LEVEL, later_starts="free")

    assert to_move(state) == (0, 1)
    state = apply(state, Place(0, 0, "black", 1))
    assert state.tables[0].round.starter == 0
    assert to_move(state) == (1,)


BEGUN = [Agree(0, 0), *ROLLED, Place(0, 0, "black", 1)]
ALL_4S = [*BEGUN, Place(0, 1, "white", 4), Place(0, 2, "black", 3)]
SEVEN = [move for at in range(7) for move in placements(swapped(ODD) if at % 2 else ODD)]


@pytest.mark.parametrize(
    ("moves", "move", "reason", "rule"),
    [
        (BEGUN, Place(0, 0, "white", 2), "row 1, column 1 already holds the black 1", "PH-4"),
        (
            BEGUN,
            Place(0, 1, "black", 1),
            "the colours take turns: the next die is white, not black",
            "PH-4",
        ),
        (BEGUN, Place(0, 1, "white", 5), "white did not roll a 5: the roll was 2 2 4 6 6", "PH-3"),
        (BEGUN, Place(0, 3, "white", 2), "the grid has rows 1 to 3 and columns 1 to 3", "PH-4"),
        (BEGUN, Place(0, 1, "white", 0), "a die shows 1 to 6, not 0", "PH-3"),
        (BEGUN, Place(0, 1, "white", 2, table=1), "there is no table 2", "PH-7"),
        (BEGUN, ROLLED[0], "the dice are rolled before the first one is placed", "PH-3"),
        (BEGUN, StartRoll((1, 2)), "it is already decided who starts", "PH-2"),
        (BEGUN, Agree(1, 1), "it is already decided who starts", "PH-2"),
        (BEGUN, ChooseColour("white"), "the colours are chosen", "PH-2"),
        (
            ALL_4S,
            Place(1, 0, "white", 4),
            "white has placed every 4: the roll was 2 2 4 6 6",
            "PH-3",
        ),
        (
            [Agree(0, 0), ROLLED[0]],
            Roll("black", (1, 1, 1, 1, 1)),
            "black has rolled 1 1 3 5 6; undo to change it",
            "PH-3",
        ),
        ([], ROLLED[0], "decide first who starts and who has black", "PH-2"),
        (
            [StartRoll((4, 4))],  # equal rolls are rolled again
            ChooseColour("black"),
            "roll for the start first: the lower die chooses the colour",
            "PH-2",
        ),
        ([Agree(0, 0), *SEVEN], Place(0, 0, "white", 1), "the game is over", None),
    ],
)
def test_refusals_name_the_fact(moves, move, reason, rule):
    said, cited = positions.refusal(GAME, replay(GAME, 2, {}, moves), move)

    assert (said, rule and cited) == (reason, rule)


def test_a_round_gives_eight_points_and_each_is_explained():
    state = race(BLACK_7_1)

    assert score(state) == (7, 1)
    entries = explain(state)
    assert len(entries) == len(LINES)
    assert entries[0].text == "row 1: 1 + 2 + 4 = 7, odd: black"
    assert entries[0].cells == ((0, 0), (0, 1), (0, 2))
    assert [entry.text for entry in entries if entry.seat == 1] == [
        "diagonal /: 4 + 2 + 4 = 10, even: white"
    ]


def test_an_open_grid_tells_its_lines_and_counts_none():
    state = apply(start(2, {}), Agree(0, 0))
    for move in placements(ODD)[:4]:
        state = apply(state, move)

    assert score(state) == (0, 0)
    assert [(e.seat, e.points, e.part) for e in explain(state)] == [(None, 0, "round 1 so far")]


def test_the_race_ends_after_the_round_in_which_somebody_has_50():
    six = race(*[ODD] * 6)
    assert score(six) == (48, 0)
    assert not is_over(six)

    seven = race(*[ODD] * 7)
    assert result(seven).winners == (0,)
    assert result(seven).why == (
        "player 1 wins 56 to 0: somebody has 50 after round 7, and the most points win"
    )
    assert list(legal_moves(seven)) == []


def test_the_harder_game_is_won_by_the_lowest_total():
    state = race(*[ODD] * 7, variant="harder")

    assert result(state).winners == (1,)
    assert "the fewest points win" in result(state).why


def test_the_even_harder_game_counts_lines_of_one_colour_to_25():
    tokens = ["B1", "W2", "B4", "W6", "B3", "W5", "B2", "W1", "B5"]  # two black diagonals, odd
    state = race(tokens, variant="color_match")

    assert score(state) == (2, 0)
    assert GAME.target(state) == 25
    assert [e.points for e in explain(state)] == [0, 0, 0, 0, 0, 0, 1, 1]
    won = race(*[tokens] * 13, variant="color_match")
    assert result(won).winners == (0,)
    reversed_aim = race(*[tokens] * 13, variant="color_match", color_match_misere=True)
    assert result(reversed_aim).winners == (1,)


@pytest.mark.parametrize(("wanted", "goal"), [("usual", 50), (25, 25), (100, 100), (60, 60)])
def test_the_target_can_be_agreed(wanted, goal):
    assert GAME.target(start(2, {"target": wanted})) == goal


@pytest.mark.parametrize("wanted", [0, -5, 1001, 2.5, "many", True])
def test_a_target_out_of_range_is_refused(wanted):
    with pytest.raises(NotAMove, match="target"):
        start(2, {"target": wanted})


def test_a_level_single_round_is_a_draw_or_played_again():
    drawn = race(LEVEL, match="single")
    assert (result(drawn).winners, result(drawn).draw) == ((0, 1), True)
    assert result(drawn).why.endswith("points: a draw")

    again = race(LEVEL, match="single", single_round_tie="replay")
    assert not is_over(again)
    assert score(again) == (0, 0)
    assert {e.part for e in explain(again)} == {"round 1, level and played again"}
    for move in placements(swapped(BLACK_7_1)):
        again = apply(again, move)
    assert score(again) == (7, 1)
    assert result(again).winners == (0,)


# Margin of the first player, who plays odd; row: odd dice of the first, column: of the second.
MARGINS = (
    (-8, -8, -4, -2, -2, 4),
    (0, 0, 0, 0, 0, 4),
    (2, 0, 2, 0, -2, 2),
    (4, 0, 0, 0, 0, 2),
    (4, -2, -2, 0, 2, 4),
    (-4, -4, -2, -2, 2, 8),
)


def test_best_play_agrees_with_the_solved_table_and_its_mirror():
    for first, row in enumerate(MARGINS):
        for second, margin in enumerate(row):
            assert best_margin(True, first, second) == margin
            assert best_margin(False, 5 - first, 5 - second) == margin


def asked(state):
    return [(one.question, one.move) for one in instead(state)]


def test_in_the_open_first_round_the_other_one_may_have_started_or_had_black():
    state = apply(start(2, {}), Agree(0, 0))

    assert asked(state) == [
        ("did player 2 start?", Agree(1, 0)),
        ("did player 2 have black?", Agree(0, 1)),
    ]


@pytest.mark.parametrize(
    "state",
    [
        start(2, {}),  # nothing is agreed yet
        race(ODD),  # later rounds follow from the first
        race(ODD, match="single"),
        apply(start(1, {}), ChooseColour("black")),  # alone nobody else can have started
    ],
)
def test_else_nothing_is_asked_about_the_start(state):
    assert asked(state) == []


def test_each_table_of_a_tournament_is_asked_about_by_itself():
    state = apply(apply(start(4, {}), Agree(1, 0)), Agree(2, 3, 1))

    assert asked(state)[2:] == [
        ("did player 4 start?", Agree(3, 3, 1)),
        ("did player 3 have black?", Agree(2, 2, 1)),
    ]


SINGLE = {"match": "single"}


@pytest.mark.parametrize(
    ("seats", "house", "moves"),
    [
        (2, {"target": 6}, ()),
        (2, {"target": 6}, (Agree(0, 0), *ROLLED)),
        (2, SINGLE, ()),
        (2, SINGLE | {"single_round_tie": "replay"}, (Agree(0, 0), *placements(LEVEL)[:8])),
        (2, {"target": 6, "colours_between_rounds": "swap"}, (Agree(0, 0), *placements(LEVEL))),
        (
            2,
            {"target": 6, "colours_between_rounds": "choose_again"},
            (Agree(0, 0), *placements(LEVEL)),
        ),
        (2, {"target": 6, "later_starts": "free"}, (Agree(0, 0), *placements(LEVEL))),
        (2, {"variant": "color_match", "target": 1}, (Agree(0, 0), *placements(LEVEL)[:3])),
        (1, {"solo_start": "other"}, ()),
        (1, {"solo_start": "named"}, ()),
        (1, {}, (ChooseColour("white"), *placements(LEVEL)[:7])),
    ],
)
def test_a_match_goes_as_by_the_slow_rules(seats, house, moves):
    def totals(events):
        return tuple(slow.after(settle(SETTINGS, house), seats, events).totals)

    state = replay(GAME, seats, house, moves)
    positions.check_a_match(GAME, state, moves, [*slow.written()], totals, score)
