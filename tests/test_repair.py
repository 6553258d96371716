from __future__ import annotations

from itertools import pairwise, product
from math import prod

from hypothesis import given
from hypothesis import strategies as st

from scorer.repair import TRIES, joint_readings, likeliest_legal

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


def test_the_likeliest_legal_reading_is_found():
    options = [[("a", 0.6), ("b", 0.4)], [("a", 0.9), ("b", 0.1)]]

    assert likeliest_legal(options, lambda reading: reading.count("b") == 1) == ("b", "a")
    assert likeliest_legal(options, lambda reading: "c" in reading) is None


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

    assert likeliest_legal(options, lambda reading: bool(tried.append(reading))) is None
    assert len(tried) == TRIES + 1
