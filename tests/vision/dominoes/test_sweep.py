"""All ways to join halves, weighed at once, against each of them by itself."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.dominoes import sweep
from vision.dominoes.sweep import likeliest_pairs, pair_shares

Pairs = list[tuple[int, int]]


def ways(pairs):
    """Return every choice of pairs with no place in two of them."""
    return [
        list(some)
        for count in range(len(pairs) + 1)
        for some in combinations(range(len(pairs)), count)
        if len({i for k in some for i in pairs[k]}) == 2 * count
    ]


def weight_of(way, pairs, weights, alone):
    taken = {i for k in way for i in pairs[k]}
    left = {i for pair in pairs for i in pair} - taken
    return float(sum(weights[k] for k in way) + sum(alone[i] for i in left))


@st.composite
def tables(draw):
    places = draw(st.integers(2, 7))
    every = list(combinations(range(places), 2))
    pairs = draw(st.lists(st.sampled_from(every), unique=True, min_size=1, max_size=9))
    odds = st.floats(-8, 8)
    weights = draw(st.lists(odds, min_size=len(pairs), max_size=len(pairs)))
    alone = draw(st.lists(st.floats(-4, 0), min_size=places, max_size=places))
    return pairs, np.array(weights), np.array(alone)


@given(tables())
def test_no_way_is_likelier_than_the_one_chosen(table):
    pairs, weights, alone = table

    chosen = likeliest_pairs(pairs, weights, alone)

    assert chosen in ways(pairs)
    best = max(weight_of(way, pairs, weights, alone) for way in ways(pairs))
    assert weight_of(chosen, pairs, weights, alone) == pytest.approx(best)


@given(tables())
def test_the_share_of_a_pair_is_that_of_all_ways_with_it(table):
    pairs, weights, alone = table
    every = ways(pairs)
    odds = np.exp([weight_of(way, pairs, weights, alone) for way in every])

    shares = pair_shares(pairs, weights, alone)

    expected = [sum(odd for way, odd in zip(every, odds, strict=True) if k in way) / odds.sum()
            for k in range(len(pairs))]  # fmt: skip
    assert shares.tolist() == pytest.approx(expected)


def block(rows, columns):
    at = [(row, column) for row in range(rows) for column in range(columns)]
    beside = [(r * columns + c, r * columns + c + 1) for r, c in at if c + 1 < columns]
    return beside + [(r * columns + c, (r + 1) * columns + c) for r, c in at if r + 1 < rows]


def test_a_block_of_a_whole_set_is_solved():
    pairs = block(7, 8)
    right = {k for k, (i, j) in enumerate(pairs) if j == i + 1 and i % 2 == 0}
    weights = np.array([1.0 if k in right else 0.9 for k in range(len(pairs))])

    assert set(likeliest_pairs(pairs, weights, np.full(56, -1.0))) == right


def test_where_too_many_places_are_open_the_unlikeliest_pairs_go(monkeypatch):
    monkeypatch.setattr(sweep, "MOST_OPEN", 3)
    pairs = list(combinations(range(6), 2))
    weights = np.array([9.0 if j == i + 1 and i % 2 == 0 else 0.1 for i, j in pairs])

    chosen = likeliest_pairs(pairs, weights, np.zeros(6))

    assert [pairs[k] for k in chosen] == [(0, 1), (2, 3), (4, 5)]
