"""Tables of dominoes that networks learn from: they lie as tiles can lie."""

from itertools import pairwise

import numpy as np
import pytest

from models.sketch import bodies
from models.sketch.domino_tables import FLAT, LOW, TABLES, lay, name_of
from models.train.tile_photos import halves_of_outline

SEEDS = range(12)


def tables(name):
    return [lay(np.random.default_rng(seed), name).pieces for seed in SEEDS]


def middles(piece):
    """Return (2, 3), the middles of a tile's halves."""
    along = piece.body[bodies.TURN : bodies.TURN + 9].reshape(3, 3)[:, 0]
    reach = piece.body[bodies.HALF] / 2
    return piece.body[bodies.AT : bodies.AT + 3] + np.outer((-reach, reach), along)


def test_every_table_has_its_turn():
    assert {name_of(seed) for seed in range(len(TABLES))} == set(TABLES)


@pytest.mark.parametrize("name", TABLES)
def test_a_seed_gives_a_table_again(name):
    once, again, other = (lay(np.random.default_rng(seed), name).pieces for seed in (3, 3, 4))

    assert [p.values for p in once] == [p.values for p in again]
    np.testing.assert_array_equal([p.body for p in once], [p.body for p in again])
    assert [p.body.tolist() for p in once] != [p.body.tolist() for p in other]


@pytest.mark.parametrize("name", ["chain", "row", "apart", "two_sets", "larger_set"])
def test_no_two_tiles_that_lie_flat_share_a_place(name):
    for pieces in tables(name):
        lying = [piece for piece in pieces if piece.body[bodies.AT + 2] < 0.3]
        ends = np.concatenate([middles(piece) for piece in lying])
        apart = np.linalg.norm(ends[:, None] - ends, axis=2)
        np.fill_diagonal(apart, np.inf)

        width = 2 * lying[0].body[bodies.HALF + 1]
        assert apart.min() > 0.6 * width


def test_tiles_of_a_heap_lie_upon_others():
    levels = [
        round(float(piece.body[bodies.AT + 2] / piece.body[bodies.HALF + 2]))
        for pieces in tables("heap")
        for piece in pieces
    ]

    assert set(levels) == {1, 3, 5}


def test_a_rack_is_seen_from_before_and_its_tiles_stand():
    for seed in SEEDS:
        table = lay(np.random.default_rng(seed), "rack")
        for piece in (p for p in table.pieces if p.values):
            low, high = sorted(middles(piece)[:, 2])
            assert high - low > 0.8 * piece.body[bodies.HALF]
            normal = piece.body[bodies.TURN : bodies.TURN + 9].reshape(3, 3)[:2, 2]
            assert table.facing is not None
            assert normal @ (np.cos(table.facing), np.sin(table.facing)) > 0.8


def test_chains_are_seen_from_fifteen_degrees_and_mostly_match():
    joints = 0
    for seed in SEEDS:
        table = lay(np.random.default_rng(seed), "chain")
        assert table.lowest == LOW < FLAT
        numbers = [piece.values for piece in table.pieces]
        joints += all(a[1] == b[0] for a, b in pairwise(numbers))

    assert len(SEEDS) / 3 < joints < len(SEEDS)


def test_a_larger_set_has_up_to_nine_pips_and_other_sets_have_not():
    most = {name: max(max(p.values) for ps in tables(name) for p in ps) for name in ("laid", "row")}

    assert max(n for pieces in tables("larger_set") for piece in pieces for n in piece.values) == 9
    assert max(most.values()) == 6


def test_the_pips_of_a_nine_lie_apart():
    nine = next(p for ps in tables("larger_set") for p in ps if p.values[0] == 9)
    spots = np.array([(row[bodies.PU], row[bodies.PV]) for row in nine.pips])
    left = spots[spots[:, 0] < -0.1]  # without the pin in the middle

    assert len(left) == 9
    apart = np.linalg.norm(left[:, None] - left, axis=2)[np.triu_indices(9, 1)]
    assert apart.min() > 1.2 * nine.pips[0][bodies.RADIUS]


def test_two_sets_look_unlike():
    looks = [
        {tuple(piece.body[bodies.COLOUR : bodies.COLOUR + 3].round(6)) for piece in pieces}
        for pieces in tables("two_sets")
    ]

    assert max(map(len, looks)) == 2


def test_a_labelled_outline_is_cut_into_the_halves_it_tells():
    outline = np.array([(0.0, 0), (40, 0), (40, 20), (0, 20)])
    right, left = halves_of_outline(outline, np.array([(30.0, 10), (10, 10)]))

    assert right.mean(axis=0) == pytest.approx((30, 10))
    assert left.mean(axis=0) == pytest.approx((10, 10))
    assert np.ptp(left, axis=0) == pytest.approx((20, 20))
