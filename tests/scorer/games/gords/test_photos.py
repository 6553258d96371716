"""Gords: what the camera makes of the track and of the dice that are shown."""

import pytest

from scorer import Die, Table, once
from scorer.games import gords as gd
from scorer.games.gords import Agree, Bid, Call, Reveal
from tests.scorer.games.bids import CALLED, after


def dice(colour, *values, cell=None):
    return tuple(Die(value, colour, cell) for value in values)


def sentences(proposal):
    return [note.sentence for note in (*proposal.doubts, *proposal.differences)]


TWO_STAR = gd.bids.places("half_before").index("2*")
UNTRACKED = "white dice were seen on the track"
LOOKS_2 = "a die looks like white 2, which the rules do not allow here; treated as white 5"


@pytest.mark.parametrize(
    ("pieces", "moves", "said"),
    [
        (dice("white", 1, cell=(0, TWO_STAR)), (Bid("2*", 1),), ""),
        (dice("white", 2, cell=(0, 0)), (), "1 two is not higher than 1 three"),
        ((Die(2, "white", (0, 0), 0.7, ((5, 0.3),)),), (Bid("1", 5),), LOOKS_2),
        (dice("white", 3, cell=(0, 0)), (), "the white die still shows 1 three"),
        ((), (), UNTRACKED),
        (dice("white", 3), (), UNTRACKED),
        (dice("white", 3, 3, cell=(0, 4)), (), UNTRACKED),
        *((dice("white", 5, cell=at), (), UNTRACKED) for at in ((0, 30), (0, -1), (-1, 0))),
    ],
)
def test_the_one_white_die_on_the_track_is_a_bid(pieces, moves, said):
    state = after(Agree(0), Bid("1", 3))

    proposal = gd.ONE.observe(state, Table(pieces))

    assert proposal.moves == moves
    assert said in "".join(sentences(proposal))
    assert bool(sentences(proposal)) == bool(said)
    assert gd.ONE.equipment(state).board == "board:gords"


SHOWING = after(*CALLED, dice=(2, 2, 1))
RED_62 = dice("red", 6, 2)


@pytest.mark.parametrize(
    "red_and_more",
    [
        (*RED_62, *dice("white", 6)),
        # Lost dice lie on the board, or in its box.
        (*RED_62, *dice("red", 1, 1, 1, cell=(0, 3)), *dice("yellow", 5, 5, cell=(0, 4))),
        (*RED_62, *dice("red", 1, 1, 1, cell=(1, 0)), *dice("yellow", 5, 5, cell=(1, 0))),
    ],
)
def test_shown_dice_go_to_their_owners_by_colour(red_and_more):
    state = after(*CALLED, dice=(2, 2, 1, 0))
    in_sight = Table((*dice("blue", 6, 4), *dice("green", 5), *red_and_more))

    proposal = gd.ONE.observe(state, in_sight)

    assert proposal.moves == (Reveal(0, (2, 6)), Reveal(1, (4, 6)), Reveal(2, (5,)))
    assert sentences(proposal) == []


def test_players_may_be_photographed_one_after_another():
    proposal = gd.ONE.observe(SHOWING, Table(dice("blue", 6, 4)))

    assert proposal.moves == (Reveal(1, (4, 6)),)
    assert sentences(proposal) == ["the dice of player 1 and player 3 were not seen"]

    state = gd.ONE.apply(SHOWING, proposal.moves[0])
    proposal = gd.ONE.observe(
        state, Table((*dice("blue", 6), *dice("red", 1, 1), *dice("green", 5)))
    )
    assert proposal.moves == (Reveal(0, (1, 1)), Reveal(2, (5,)))


@pytest.mark.parametrize(
    ("pieces", "sentence"),
    [
        (
            (*dice("red", 1, 2, 3), *dice("blue", 6, 4)),
            "three red dice can be seen, but player 1 holds two. Are some green?"
            " Leave lost dice out of the picture.",
        ),
        (dice("pink", 3), "a pink die belongs to no player here"),
        (dice("yellow", 3), "a yellow die belongs to no player here"),  # nobody sits there
        (dice("green", 0), "a die shows 1 to 6, but 0 was read"),
        (dice("white", 3), "no dice of a player were seen"),
        ((), "no dice of a player were seen"),
    ],
)
def test_dice_that_cannot_be_are_differences(pieces, sentence):
    proposal = gd.ONE.observe(SHOWING, Table(pieces))

    assert proposal.moves == ()
    assert sentences(proposal) == [sentence]


def test_where_dice_were_lost_the_board_beside_is_looked_for_with_its_places():
    whole, lost = (gd.ONE.equipment(after(*CALLED, dice=dice)) for dice in ((5, 5, 5), (5, 4, 5)))

    assert (whole.board, whole.beside, whole.places) == (None, None, ())
    assert (lost.board, lost.beside) == (None, "board:gords")
    assert lost.places == gd.bids.places("half_before")


def test_dice_laid_on_the_board_to_be_counted_are_shown_dice():
    pieces = (*dice("red", 6, 2, cell=(0, 1)), *dice("blue", 6, 4), *dice("green", 5))

    assert gd.ONE.observe(SHOWING, Table(pieces)).moves[0] == Reveal(0, (2, 6))


def test_a_doubtful_colour_is_settled_by_the_number_of_dice():
    doubtful = Die(4, "red", None, 0.6, (), (("blue", 0.4),))
    pieces = (*dice("red", 6, 2), doubtful, *dice("blue", 6), *dice("green", 5))

    proposal = gd.ONE.observe(SHOWING, Table(pieces))

    assert proposal.moves == (Reveal(0, (2, 6)), Reveal(1, (4, 6)), Reveal(2, (5,)))
    assert sentences(proposal) == ["a die looks red; treated as blue, so that the numbers fit"]
    assert proposal.doubts[0].piece == ("dice", 2)
    assert proposal.doubts[0].taken == ("blue", 4)


SHOWING_ALL = after(Agree(0), Bid("4", 3), Call(1))


@pytest.mark.parametrize(
    ("pieces", "said"),
    [
        (
            dice("blue", *[3] * 10),
            ["ten blue dice can be seen, but player 2 holds five. Are some red?"],
        ),
        (
            (*dice("blue", *[3] * 7), *dice("red", 2, 2, 2)),
            [
                "seven blue dice can be seen, but player 2 holds five. Are some red?"
            ],  # red is said there
        ),
        (dice("red", 1), ["one red die can be seen, but player 1 holds five. Show all of them."]),
        (
            (*dice("red", *[2] * 5), *dice("blue", *[3] * 12)),
            [
                "12 blue dice can be seen, but player 2 holds five. "
                "Leave lost dice out of the picture."
            ],
        ),
        (dice("pink", 1, 1, 1), ["three pink dice belong to no player here"]),
    ],
)
def test_numbers_that_cannot_be_are_said_in_one_sentence(pieces, said):
    proposal = gd.ONE.observe(SHOWING_ALL, Table(pieces))

    assert list(once(proposal.differences)) == said


def test_one_doubt_about_five_dice_is_one_sentence_given_with_each_of_them():
    blue = [Die(value, "blue", None, 0.6, (), (("red", 0.4),)) for value in (1, 2, 3, 4, 5)]

    proposal = gd.ONE.observe(SHOWING_ALL, Table((*blue, *dice("blue", 6, 6, 6, 6, 6))))

    assert proposal.moves == (Reveal(0, (1, 2, 3, 4, 5)), Reveal(1, (6, 6, 6, 6, 6)))
    assert once(proposal.doubts) == (
        "five dice look blue; treated as red, so that the numbers fit",
    )
    assert [doubt.piece for doubt in proposal.doubts] == [("dice", i) for i in range(5)]
    assert {doubt.taken for doubt in proposal.doubts} == {("red", i) for i in range(1, 6)}


@pytest.mark.parametrize(
    ("other", "rest", "sentence"),
    [
        # 2 sixes are bid, and there are two with this one.
        (5, (6, 3), ["the call depends on player 3's green 6, which might be a 5"]),
        (1, (6, 3), []),  # a wild one is as good
        (5, (6, 1), []),  # there are two without it
        (5, (3, 3), []),  # two are not there in any case
    ],
)
def test_a_doubtful_die_is_named_only_if_the_call_hinges_on_it(other, rest, sentence):
    doubtful = Die(6, "green", None, 0.8, ((other, 0.2),))
    pieces = (*dice("red", *rest), *dice("blue", 3, 3), doubtful)

    proposal = gd.ONE.observe(SHOWING, Table(pieces))

    assert sentences(proposal) == sentence


def test_two_doubtful_dice_may_decide_together():
    def perhaps(value, other, colour):
        return Die(value, colour, None, 0.8, ((other, 0.2),))

    pieces = (perhaps(5, 6, "red"), *dice("red", 3), *dice("blue", 3), perhaps(5, 6, "blue"))

    proposal = gd.ONE.observe(SHOWING, Table((*pieces, *dice("green", 2))))

    assert [doubt.piece for doubt in proposal.doubts] == [("dice", 0), ("dice", 3)]


def test_nothing_is_read_before_the_start_or_after_the_end():
    assert sentences(gd.ONE.observe(after(), Table())) == ["decide first who bids first"]
    assert sentences(gd.ONE.observe(after(dice=(0, 1)), Table())) == ["the game is over"]


def test_each_players_colour_is_looked_for():
    state = gd.ONE.start(3, {"colours": ["black", "pink", "brown"]})
    for move in CALLED:
        state = gd.ONE.apply(state, move)

    assert gd.ONE.equipment(state).colours == {"black": 5, "pink": 5, "brown": 5, "white": 1}
