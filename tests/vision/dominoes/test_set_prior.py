"""What a whole set says of each tile, and the second look at a tile that others contest."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests import FIXTURES
from tests.vision.dominoes.drawn_tiles import drawn_tiles, eyes_that_join, halves, has_bar, places
from tests.vision.faces.test_calibration import STERN
from vision import Look, load, read
from vision.dominoes.matching import Pair
from vision.dominoes.rectified_tiles import read_rectified
from vision.dominoes.set_prior import contested, with_set_prior
from vision.faces.candidates import score_candidates
from vision.faces.classifier import CLASSES, EMBEDDING

CONTESTED = FIXTURES / "contested"


def half_odds(**shares):
    """Return (7,) probabilities of values named as in v3=0.9, the rest shared by the others."""
    probs = np.full(7, (1 - sum(shares.values())) / (7 - len(shares)))
    for name, share in shares.items():
        probs[int(name[1:])] = share
    return probs


def told_once(*tiles):
    """Return the values of both halves and the lesser of their probability, tile by tile."""
    first, second = with_set_prior(*(np.array([tile[k] for tile in tiles]) for k in (0, 1)))
    return [
        (int(a.argmax()), int(b.argmax()), float(min(a.max(), b.max())))
        for a, b in zip(first, second, strict=True)
    ]


THREE, BLANK = half_odds(v3=0.999), half_odds(v0=0.999)


PERHAPS_BLANK = half_odds(v3=0.92, v0=0.07)


def test_a_tile_by_itself_shows_what_it_shows():
    first, second = with_set_prior(THREE[None], PERHAPS_BLANK[None])

    np.testing.assert_allclose((first[0], second[0]), (THREE, PERHAPS_BLANK))
    assert len(with_set_prior(np.zeros((0, 7)), np.zeros((0, 7)))[0]) == 0


@pytest.mark.parametrize("ends", [(THREE, PERHAPS_BLANK), (PERHAPS_BLANK, THREE)])
def test_a_tile_that_plainly_lies_elsewhere_is_doubted(ends):
    doubted, plain = told_once(ends, (THREE, THREE))

    assert doubted[:2] == plain[:2] == (3, 3)
    assert doubted[2] < 0.6
    assert plain[2] > 0.9


def test_a_tile_is_the_same_either_way_round():
    six = half_odds(v6=0.999)

    turned, plain = told_once((BLANK, half_odds(v6=0.8, v5=0.15)), (six, BLANK))

    assert turned[:2] == (0, 6)
    assert plain[:2] == (6, 0)
    assert turned[2] < 0.6


def test_two_tiles_plainly_alike_stay_alike_and_are_both_doubtful():
    assert told_once((THREE, BLANK), (BLANK, THREE)) == [
        (3, 0, pytest.approx(0.8, abs=0.1)),
        (0, 3, pytest.approx(0.8, abs=0.1)),
    ]


def test_where_three_tiles_are_plainly_there_twice_two_sets_lie():
    tiles = [(half_odds(**{f"v{n}": 0.99}), half_odds(**{f"v{n + 1}": 0.99})) for n in range(3)]

    once = told_once(*tiles, tiles[0])
    thrice = told_once(*tiles, *tiles)

    assert once[0][2] < 0.9
    assert min(probs for _, _, probs in thrice) > 0.98


rows_of_odds = st.lists(
    st.tuples(*[st.lists(st.floats(0.001, 1), min_size=7, max_size=7) for _ in range(2)]),
    min_size=1,
    max_size=9,
)


@given(rows_of_odds, st.floats(1, 40))
def test_what_others_show_changes_no_value_and_makes_none_surer(rows, sharp):
    shares = np.array(rows) ** sharp
    ends = [half / half.sum(axis=1, keepdims=True) for half in shares.transpose(1, 0, 2)]

    for own, probs in zip(ends, with_set_prior(*ends), strict=True):
        likeliest = own.argmax(axis=1)
        assert (probs.argmax(axis=1) == likeliest).all()
        assert (probs.max(axis=1) <= own.max(axis=1) + 1e-12).all()
        np.testing.assert_allclose(probs.sum(axis=1), 1)


def test_a_tile_the_others_would_have_be_another_is_contested():
    tiles = (THREE, PERHAPS_BLANK), (THREE, half_odds(v3=0.9999)), (half_odds(v6=0.99), BLANK)

    assert contested(*np.array(tiles).transpose(1, 0, 2)).tolist() == [True, False, False]
    assert contested(THREE[None], PERHAPS_BLANK[None]).tolist() == [False]


def seen_twice(second_look, pairs):
    """Return the values of four halves first read as threes, perhaps blank; then as they look."""

    def face_classifier(crops):
        kinds = np.zeros((len(crops), CLASSES + 12), np.float32)
        kinds[:, second_look] = 9
        return kinds, np.zeros((len(crops), EMBEDDING), np.float32)

    raw = places(halves(100, 100, 20) + halves(200, 200, 70))
    raw.logits[:, 3], raw.logits[:, 0] = 5, 4
    raw.detections.values[:, 3] = 0.9  # the detector's opinion is of the first look
    eyes = replace(eyes_that_join(has_bar), face_classifier=face_classifier)
    again = read_rectified(drawn_tiles([]), raw, pairs, eyes, lambda own: own)
    return score_candidates(again, STERN, halves=True).values.tolist()


@pytest.mark.parametrize("value", [0, 3, 6])
def test_the_second_look_decides_what_a_contested_tile_shows(value):
    assert seen_twice(value, [Pair(3, 2, 1.0)]) == [3, 3, value, value]


def test_what_is_not_contested_is_not_looked_at_again():
    assert seen_twice(0, []) == [3, 3, 3, 3]


def test_a_second_look_that_sees_the_same_leaves_a_contested_tile_alike():
    assert seen_twice(3, [Pair(0, 1, 1.0), Pair(2, 3, 1.0)]) == [3, 3, 3, 3]


def test_a_tile_misread_as_another_is_read_right_at_the_second_look():
    """One of `python -m models.train layouts --count 200 --first 700001`, where 1-4 looked 1-2."""
    reading = read(load(CONTESTED / "sketch-700191.jpg"), Look("dominoes"))

    shown = sorted(tuple(sorted(half.value for half in tile.halves)) for tile in reading.tiles)
    assert (1, 4) in shown
    assert len(set(shown)) == len(shown)
