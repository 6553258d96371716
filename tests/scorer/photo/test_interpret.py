from itertools import pairwise, product
from math import prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer import Die, Doubt, Tile, asked
from scorer.photo.interpret import (
    LIKELY_RATIO,
    dice_doubts,
    dice_options,
    interpretations,
    joint_readings,
    unread,
)
from scorer.photo.meaning import Meaning

pieces = st.lists(
    st.lists(st.floats(0.01, 1.0), min_size=1, max_size=4).map(lambda ps: list(enumerate(ps))),
    min_size=1,
    max_size=4,
)


@given(pieces)
def test_every_joint_reading_comes_once_likeliest_first(options):
    yielded = list(joint_readings(options))

    assert sorted(reading for reading, _ in yielded) == sorted(
        product(*[[value for value, _ in piece] for piece in options])
    )
    shares = [p for _, p in yielded]
    assert all(a >= b * (1 - 1e-9) for a, b in pairwise(shares))
    for reading, share in yielded:
        assert share == prod(piece[i][1] for piece, i in zip(options, reading, strict=True))


def interpreted(options, meanings, **more):
    found = interpretations(options, meanings, **more)
    return [(one.meaning, one.reading) for one in found]


def test_the_likeliest_legal_reading_comes_first():
    options = [[("a", 0.6), ("b", 0.4)], [("a", 0.9), ("b", 0.1)]]

    def one_b(reading):
        return ["one b"] if reading.count("b") == 1 else []

    assert interpreted(options, one_b) == [("one b", ("b", "a"))]
    assert interpreted(options, lambda reading: reading.count("c") * ["c"]) == []


@pytest.mark.parametrize(
    ("other", "meanings"), [(LIKELY_RATIO, ["a", "b"]), (LIKELY_RATIO * 0.9, ["a"])]
)
def test_an_interpretation_nearly_as_likely_is_told(other, meanings):
    found = interpretations([[("a", 0.9), ("b", 0.9 * other)]], list)

    assert [interpretation.meaning for interpretation in found] == meanings


def test_readings_of_one_meaning_are_one_interpretation_and_one_reading_may_mean_two():
    options = [[("a", 0.6), ("b", 0.4)]]

    assert interpreted(options, lambda reading: ["same"]) == [("same", ("a",))]
    assert interpreted(options, lambda reading: [reading[0], "also"]) == [
        ("a", ("a",)),
        ("also", ("a",)),
        ("b", ("b",)),
    ]


@pytest.mark.parametrize(
    ("piece", "left"),
    [
        (Die(5, "red", confidence=0.99), False),
        (Die(5, "red", confidence=0.9), True),
        (Die(5, "red", confidence=0.9, values=((4, 0.1),)), True),
        (Die(5, "red", confidence=0.9, colours=(("pink", 0.1),)), False),
        (Die(5, "red", confidence=0.0), True),
        (Tile((1, 2), ((0, 0), (0, 1)), confidence=0.9), True),
        (Tile((1, 2), ((0, 0), (0, 1)), confidence=0.9, others=(((1, 3), 0.1),)), True),
    ],
)
def test_a_piece_is_unread_where_it_may_well_be_something_else(piece, left):
    assert unread(piece) is left


def test_a_second_colour_is_asked_about_only_where_an_interpretation_has_it():
    dice = [(0, Die(5, "red", confidence=0.9, colours=(("blue", 0.1),)))]

    assert not [*dice_doubts(dice, [[("red", 5)]])]
    (doubt,) = dice_doubts(dice, [[("red", 5)], [("blue", 5)]])
    assert doubt.sentence == "the red 5 may be blue 5"


def test_what_a_die_may_be_goes_by_the_colours_of_the_game():
    die = Die(5, "white", confidence=0.8, values=((9, 0.1), (6, 0.1)), colours=(("black", 0.5),))

    assert dice_options([die], ("black", "white")) == [
        [(("white", 5), 0.8), (("black", 5), 0.4), (("white", 6), 0.1), (("black", 6), 0.05)]
    ]
    assert dice_options([die]) == [[(("white", 5), 0.8), (("white", 6), 0.1)]]


def test_each_die_is_asked_about_once():
    dice = [Die(5, "red", confidence=0.9), Die(4, "red"), Die(3, "red"), Die(2, "red")]
    readings = [[("red", 5), ("red", 4), ("red", 1), ("red", 2)], [("red", 6), *[("red", 4)] * 3]]

    asked = [(doubt.sentence, doubt.piece) for doubt in dice_doubts(enumerate(dice), readings)]

    assert asked == [
        ("the red 5 may be red 6", ("dice", 0)),
        (
            "a die looks like red 3, which the rules do not allow here; treated as red 1",
            ("dice", 2),
        ),
        ("the red 2 may be red 4", ("dice", 3)),
    ]


@pytest.mark.parametrize(
    ("shares", "taken", "about"),
    [
        ({"purple": 0.3}, ("purple", 5), "progress"),  # the numbers of dice settle what looks open
        ({"purple": 0.1}, ("purple", 5), "meaning"),  # as likely that the table breaks the rules
        ({"purple": 0.3}, ("purple", 4), "meaning"),
        ({}, ("purple", 5), "meaning"),
    ],
)
def test_a_colour_that_looks_open_and_that_the_rules_settle_is_told_and_not_asked(
    shares, taken, about
):
    die = Die(5, "red", confidence=0.99 - sum(shares.values()), colours=tuple(shares.items()))

    (doubt,) = dice_doubts([(0, die)], [[taken]], counted=True)
    (uncounted,) = dice_doubts([(0, die)], [[taken]])

    assert uncounted.about == "meaning"
    assert doubt.sentence.startswith("a die looks like red 5")
    assert (doubt.about, doubt.taken) == (about, taken)


@pytest.mark.parametrize(
    ("confidence", "taken", "drawn"),
    [
        (0.66, 5, False),  # the other value is half as likely
        (0.67, 5, True),
        (0.96, 5, True),
        (0.98, 5, False),  # what is asked is not what its value is
        (0.9, 4, False),  # it is not taken for what it looks like
    ],
)
def test_a_die_is_only_marked_where_its_own_value_likely_stands(confidence, taken, drawn):
    die = Die(5, "red", confidence=confidence, values=((4, 1 - confidence),))

    (doubt,) = dice_doubts([(0, die)], [[("red", taken)], [("red", 9 - taken)]])

    assert doubt.drawn == drawn
    step = Meaning((), None, (doubt,))
    assert (step.sure, step.asks) == (False, not drawn)  # a camera alone waits all the same


@pytest.mark.parametrize(("other", "found"), [(LIKELY_RATIO**3, ["b"]), (LIKELY_RATIO**3 / 2, [])])
def test_what_is_far_less_likely_than_the_looks_explains_nothing(other, found):
    options = [[("a", 0.9), ("b", 0.9 * other)]]

    meant = interpretations(options, lambda letters: letters.count("b") * "b")

    assert [one.meaning for one in meant] == found


def test_a_piece_without_any_reading_makes_no_joint_reading():
    assert list(joint_readings([[("a", 1.0)], []])) == []
    assert list(joint_readings([])) == [((), 1)]


def test_a_reading_of_probability_0_is_left_out():
    options = [[("a", 0.0), ("b", 1.0)], [("c", 0.5), ("d", 0.5)]]

    assert sorted(joint_readings(options)) == [(("b", "c"), 0.5), (("b", "d"), 0.5)]
    assert list(joint_readings([[("a", 0.0)]])) == []


def test_the_search_gives_up_after_so_many_tries():
    tried = []
    options = [[(i, 1.0) for i in range(6)]] * 9

    assert interpretations(options, lambda reading: tried.append(reading) or (), tries=99) == []
    assert len(tried) == 99


def test_a_piece_that_the_rules_ask_about_is_not_asked_about_twice():
    eyes = (Doubt("read as 5, perhaps 6", ("dice", 0)), Doubt("read as 4", ("dice", 1)))
    rules = (Doubt("the 5 may be 6", ("dice", 0)), Doubt("nothing new"))

    assert asked(eyes, rules) == (eyes[1], *rules)


def test_rules_that_weighed_the_dice_answer_what_the_eyes_ask_of_their_probabilities():
    eyes = (
        Doubt("read as red 5, perhaps 6", ("dice", 0), about="reading"),
        Doubt("it touches another die", ("dice", 1)),
        Doubt("a tile read as 1-2", ("tiles", 0)),
    )

    assert asked(eyes, ()) == eyes
    assert asked(eyes, (), weighed=True) == eyes[1:]


@pytest.mark.parametrize(
    ("confidence", "share", "number", "rivals", "about"),
    [
        (0.65, 0.34, 1, [5], "progress"),
        (0.65, 0.34, 2, [5], "meaning"),  # several colours must be open all together
        (0.6, 0.3, 1, [5], "meaning"),  # the value is open too
        (0.69, 0.3, 1, [5, 4], "meaning"),
    ],
)
def test_a_colour_that_the_rules_settle_is_asked_about_where_more_is_open(
    confidence, share, number, rivals, about
):
    die = Die(5, "red", confidence=confidence, colours=(("purple", share),))
    readings = [[("purple", value)] * number for value in rivals]

    doubts = dice_doubts([(0, die)] * number, readings, counted=True)

    assert [doubt.about for doubt in doubts] == [about] * number
