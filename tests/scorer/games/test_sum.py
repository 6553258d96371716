"""Any game's tally: rounds, what ends it and who wins, sums of photos, and refusals."""

from functools import partial

import pytest

from scorer import Die, Illegal, Table, Tile, once
from scorer.evening.steps import EndMatch, JoinTable, LeaveTable
from scorer.games import GAMES
from scorer.games.sum.moves import Enter, Finish, SumPieces
from scorer.sentence import numbers_typed
from tests.scorer import positions

sums = GAMES["sum"]


after = partial(positions.after, sums)


def lying(*dice, spot=0):
    return Table(tuple(Die(*one) for one in dice), spot=spot)


def hand(*halves, spot=0):
    return Table(tiles=tuple(Tile(one, None) for one in halves), spot=spot)


def seen(state, table):
    proposal = sums.observe(state, table)
    return proposal.moves, once((*proposal.doubts, *proposal.differences))


ROUND = (Enter(1, 7), Enter(0, 12))
DOMINOES = {"photo": "dominoes", "largest": 12}


def test_a_round_is_done_when_everybody_has_entered_in_any_order():
    begun = after(Enter(1, 7))

    assert sums.to_move(begun) == (0,)
    assert sums.rounds_played(after(*ROUND)) == 1
    assert sums.to_move(after(*ROUND)) == (0, 1)
    assert sums.to_move(after(Enter(0, 3), order="turns")) == (1,)
    assert sums.score(after(*ROUND, SumPieces(0, (2, 4, 6)))) == (24, 7)


MOST = "player 1 wins with 12: the most points win"
FEWEST = "player 2 wins with 7: the fewest points win"
SHARED = "player 1 and player 2 share it with 5: the most points win"


@pytest.mark.parametrize(
    ("house", "moves", "winners", "why"),
    [
        ({"rounds": 1}, ROUND, (0,), MOST),
        ({"rounds": 1, "wins": "fewest"}, ROUND, (1,), FEWEST),
        ({"target": 12, "wins": "fewest"}, ROUND, (1,), FEWEST),
        ({}, (*ROUND, Finish()), (0,), MOST),
        ({"rounds": 1}, (Enter(0, 5), Enter(1, 5)), (0, 1), SHARED),
    ],
)
def test_it_ends_by_rounds_target_or_agreement(house, moves, winners, why):
    ended = sums.result(after(*moves, **house))

    assert (ended.winners, str(ended.why)) == (winners, why)


def test_a_target_that_is_reached_lets_the_round_be_done():
    assert not sums.is_over(after(Enter(0, 50), target=50))
    assert not sums.is_over(after(Enter(0, 49), Enter(1, 3), target=50))


@pytest.mark.parametrize(
    ("moves", "move", "reason", "house"),
    [
        ((Enter(0, 3),), Enter(0, 4), "player 1 has entered round 1 already", {}),
        ((), Enter(1, 4), "it is the turn of player 1", {"order": "turns"}),
        ((), Enter(2, 4), "there is no player 3", {}),
        ((), Enter(0, 1_000_001), "the points of a round are from −1000000 to 1000000", {}),
        ((), SumPieces(0), "what is counted are dice, and at least one", {}),
        ((), SumPieces(0, (7,)), "a die shows 1 to 6, not 7", {}),
        ((), SumPieces(0, (1,) * 41), "at most 40 pieces are counted at once", {}),
        ((), SumPieces(0, (2,)), "what is counted are dominoes, and at least one", DOMINOES),
        ((), SumPieces(0, tiles=((1, 13),)), "the largest domino is 12-12, not 1-13", DOMINOES),
        ((), SumPieces(0, tiles=((1, 2),) * 2), "there is only one 1-2 in a set", DOMINOES),
        ((), Finish(), "first everybody enters the points of this round", {}),
        (ROUND, Enter(0, 1), "it is over", {"rounds": 1}),
    ],
)
def test_refusals(moves, move, reason, house):
    assert positions.refusal(sums, after(*moves, **house), move)[0] == reason


@pytest.mark.parametrize(
    ("house", "table", "working", "points"),
    [
        ({}, lying((4, "red"), (2, "blue"), (6, "red")), "2 + 4 + 6 = 12", 12),
        ({}, lying((5, "red")), "5", 5),
        ({"colour": "red"}, lying((4, "red"), (2, "blue"), (6, "red")), "red: 4 + 6 = 10", 10),
        ({"photo": "dice", "colour": "red"}, lying((4, "red"), (2, "blue")), "red 4: 1 die", 1),
        ({"photo": "dice"}, lying((4, "red"), (2, "blue")), "2 4: 2 dice", 2),
        (DOMINOES, hand((12, 3), (0, 5)), "0-5 3-12: 5 + 15 = 20", 20),
        (DOMINOES | {"double_blank": 50}, hand((0, 0)), "0-0: 50", 50),
        (DOMINOES, hand((0, 0), (1, 0)), "0-0 0-1: 0 + 1 = 1", 1),
    ],
)
def test_a_photo_is_summed_and_its_working_shown(house, table, working, points):
    state = after(**house)
    moves, asked = seen(state, table)
    entered = sums.apply(state, *moves)

    assert asked == ()
    assert sums.score(entered) == (points, 0)
    assert str(sums.explain(entered)[0].text) == working


@pytest.mark.parametrize(
    ("house", "table", "sentence"),
    [
        ({}, Table(), "No dice were found; nothing is counted."),
        ({"colour": "red"}, lying((4, "blue")), "No red dice were found; nothing is counted."),
        (DOMINOES, Table(), "No dominoes were found; nothing is counted."),
        (
            DOMINOES,
            hand((1, 2), (2, 1)),
            "there is only one 1-2 in a set; put right what was misread",
        ),
    ],
)
def test_a_photo_without_what_counts_proposes_nothing(house, table, sentence):
    assert seen(after(**house), table) == ((), (sentence,))


def test_what_may_be_counted_are_dominoes_where_they_are():
    counted = (move for move in sums.legal_moves(after(**DOMINOES)) if isinstance(move, SumPieces))

    assert next(counted).tiles == ((0, 0),)


def test_the_surface_tells_whose_photo_it_is():
    assert seen(after(), lying((4, "red"), spot=1))[0] == (SumPieces(1, (4,)),)
    assert seen(after(Enter(0, 1)), lying((4, "red")))[1] == (
        "player 1 has entered round 1 already",
    )
    turns = after(Enter(0, 1), order="turns")
    assert seen(turns, lying((4, "red")))[0] == (SumPieces(1, (4,)),)


def test_nobody_who_has_left_is_asked_for_a_photo():
    left = after(LeaveTable(0), seats=3)

    assert [spot.seat for spot in sums.equipment(left).spots] == [1, 2]
    assert seen(left, lying((4, "red"), spot=1))[0] == (SumPieces(2, (4,)),)
    assert seen(left, lying((4, "red"), spot=2))[1] == ("there is no player 4",)


def test_doubtful_pieces_and_those_that_lay_there_before_are_asked_about():
    doubtful = Table((Die(4, "red", None, 0.6, ((5, 0.4),)),))
    tile = Tile((1, 2), None, None, 0.6, (((1, 3), 0.4),))
    larger = Tile((5, 2), None, None, 0.1, (((6, 2), 0.2),))  # more than six pips, perhaps
    counted = after(SumPieces(0, (4, 5)))

    assert seen(after(), doubtful)[1] == ("the 4 may be 5",)
    assert seen(after(photo="dice"), doubtful)[1] == ()  # what it shows does not matter
    assert seen(after(**DOMINOES), Table(tiles=(tile,)))[1] == ("the 1-2 may be 1-3",)
    assert seen(after(**DOMINOES), Table(tiles=(larger,)))[0] == (SumPieces(0, tiles=((2, 5),)),)
    assert len(seen(counted, lying((4, "red"), (5, "red"), spot=1))[1]) == 1
    held = after(SumPieces(0, tiles=((1, 2),)), **DOMINOES)
    assert seen(held, hand((2, 1), (3, 3), spot=1))[1] == (
        "1-2 was counted for player 1 in this round",
    )


CLEO = JoinTable("Cleo")


@pytest.mark.parametrize(
    ("house", "begins"),
    [({}, 7), ({"wins": "fewest"}, 12), ({"late": "average"}, 10), ({"late": "nothing"}, 0)],
)
def test_who_comes_late_begins_as_was_agreed(house, begins):
    late = after(*ROUND, CLEO, **house)

    assert sums.score(late) == (12, 7, begins)
    assert sums.to_move(late) == (0, 1, 2)
    entered = sums.apply(late, Enter(2, 5))
    assert sums.score(entered)[2] == begins + 5
    assert [why.part for why in sums.explain(entered) if why.seat == 2 and why.points] == [
        *(["coming and going"] if begins else []),
        "round 2",
    ]


def test_who_comes_in_the_middle_of_a_round_plays_from_the_next_one_on():
    late = after(Enter(0, 12), Enter(1, 7), Enter(0, 1), CLEO)

    assert sums.to_move(late) == (1,)
    assert sums.to_move(sums.apply(late, Enter(1, 3))) == (0, 1, 2)
    parts = ["round 1", "round 1", "coming and going", "round 2"]
    assert [why.part for why in sums.explain(late)] == parts
    with pytest.raises(Illegal, match="player 3 plays from round 3 on"):
        sums.apply(late, Enter(2, 3))


def test_a_round_is_done_without_who_left_and_the_score_stands():
    left = after(Enter(0, 12), LeaveTable(1), seats=3)

    assert sums.to_move(left) == (2,)
    done = sums.apply(left, Enter(2, 4))
    assert (sums.to_move(done), sums.score(done)) == ((0, 2), (12, 0, 4))
    with pytest.raises(Illegal, match="player 2 has left already"):
        sums.apply(done, Enter(1, 3))
    turns = after(Enter(0, 5), LeaveTable(1), seats=3, order="turns")
    assert sums.to_move(turns) == (2,)
    assert sums.rounds_played(after(Enter(0, 1), Enter(1, 1), LeaveTable(2), seats=3)) == 1


@pytest.mark.parametrize("end", [Finish(), EndMatch()])
@pytest.mark.parametrize(
    ("wins", "best", "said"), [("fewest", 0, "12"), ("most", 2, "20")], ids=["fewest", "most"]
)
def test_where_few_points_win_nobody_wins_by_leaving(end, wins, best, said):
    moves = (*ROUND, Enter(2, 20), LeaveTable(2 if wins == "most" else 1))
    over = after(*moves, end, seats=3, wins=wins)

    assert sums.result(over).winners == (best,)
    assert said in sums.result(over).why
    stayed = sums.result(over).why.endswith("the fewest points of those who stayed win")
    assert stayed == (wins == "fewest" and end == Finish())


@pytest.mark.parametrize(
    ("line", "move"),
    [
        ("   2 Ben trägt −3 ein", Enter(1, -3)),
        ("→ Ana zählt 2 + 4 = 6", SumPieces(0, (2, 4))),
        ("Ben enters 9", Enter(1, 9)),
        ("ben 9", Enter(1, 9)),
        ("ben 9 ein", None),
    ],
)
def test_a_line_of_the_history_is_typed_back_in_either_language(line, move):
    typed = numbers_typed(sums, after(), ("Ana", "Ben"), line, "de")

    assert typed == ([move] if move else [])
