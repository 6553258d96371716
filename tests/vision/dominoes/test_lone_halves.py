"""Halves joined to tiles: those whose other half is hidden, all ways at once, by the whole set."""

from dataclasses import replace
from itertools import combinations

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.dataset.positions import Lying
from tests import FIXTURES
from tests.vision.dominoes.drawn_tiles import (
    FOUNDATION,
    drawn_tiles,
    eyes_that_join,
    halves,
    has_bar,
    laid,
    photographed,
    places,
)
from tests.vision.faces.test_calibration import STERN
from tests.vision.fake_eyes import classifier_of
from vision import Face, Look, TileReading, load, read
from vision.dominoes import matching
from vision.dominoes.bars import shows_bar
from vision.dominoes.matching import Pair, likeliest_pairs, pair_shares
from vision.dominoes.occlusion import visible_parts
from vision.dominoes.scene import read_rectified
from vision.dominoes.set_prior import contested, with_set_prior
from vision.dominoes.table_camera import TableCamera
from vision.faces.candidates import score_candidates
from vision.quad import Quad


def test_the_part_of_a_face_behind_a_stack_that_shows_lies_away_from_it():
    low = np.sqrt(0.5)
    camera = TableCamera(  # looks along the columns, from the south
        np.array([[1.0, 0.0, 0.0], [0.0, low, low], [0.0, -low, low]]),
        np.array([0.0, 0.0, 8 / low]), 1000.0, (1000, 1000),
    )  # fmt: skip

    shares, parts = visible_parts(camera, [(0, 0), (1, 0)], np.array([0, 2]))

    assert 0 < shares[0] < 1 == shares[1]
    assert parts[0, 1] < -0.1
    assert parts[1] == pytest.approx([0.0, 1.0])


@pytest.mark.parametrize(
    ("unseen", "asked"),
    [
        (((2, 3),), 0),  # a tile lies on two faces of one height, and all others are in sight
        (((2, 3), (1, 3)), 2),
        (((2, 3), (1, 1)), 0),  # not side by side
    ],
)
def test_halves_that_are_not_seen_are_asked_about_where_a_tile_may_lie(unseen, asked):
    tiles: list[TileReading] = []
    lone: dict[int, Face] = {}
    for k, (tile, lies) in enumerate(zip(photographed(FOUNDATION), FOUNDATION, strict=True)):
        halves_in_sight = [
            half for half, cell in zip(tile.halves, lies.cells, strict=True) if cell not in unseen
        ]
        tiles += [tile] if len(halves_in_sight) == 2 else []
        lone |= {k: halves_in_sight[0]} if len(halves_in_sight) == 1 else {}

    layout = laid(tiles, lone)

    assert layout.explained == set(lone)
    assert [tile.sure for tile in layout.tiles].count(False) == asked
    assert len(layout.tiles) == 6


@pytest.mark.parametrize(("elsewhere", "asked"), [((0, 4), 0), ((5, 6), 1)])
def test_a_number_is_no_other_tiles_that_is_known_to_lie_elsewhere(elsewhere, asked):
    """The 4 of 3-4 looks like 0. Is 0-3 in its place? Not if that lies elsewhere too."""
    other = (0, 3) if elsewhere == (0, 4) else elsewhere
    lies = (
        *FOUNDATION,
        Lying((3, 4), ((3, 0), (3, 1)), 0, (True, True)),
        Lying(other, ((3, 2), (3, 3)), 0, (True, True)),
    )
    tiles = photographed(lies)
    first, second = tiles[6].halves
    doubtful = replace(second, probs=(0.992, 0.001, 0.001, 0.001, 0.003, 0.001, 0.001))
    tiles[6] = replace(tiles[6], halves=(first, doubtful))

    layout = laid(tiles, lies=lies)

    assert [tile.sure for tile in layout.tiles].count(False) == asked


@pytest.mark.parametrize(("real", "asked"), [(0.6, False), (0.95, True)])
def test_a_faint_face_beside_a_new_tile_is_nothing(real, asked):
    new = Lying((0, 4), ((3, 0), (3, 1)), 0, (True, True))
    apart = Lying((0, 0), ((1, 5), (2, 5)), 0, (True, True))
    *tiles, beside = photographed((*FOUNDATION, new, apart))
    stray = replace(beside.halves[0], confidence=real * max(beside.halves[0].probs))

    layout = laid(tiles, {7: stray})

    assert len(layout.tiles) == 7
    assert (7 not in layout.explained) == asked


@pytest.mark.parametrize(("value", "asked"), [(0, False), (3, True)])
def test_a_blank_place_that_touches_a_tile_is_its_side(value, asked):
    """Half a cell beside the foundation lies no tile of the lattice, and no pip is to be seen."""
    apart = Lying((value, 0), ((1, 5), (2, 5)), 0, (True, True))
    *tiles, beside = photographed((*FOUNDATION, apart))
    stray = beside.halves[0]
    outer = max((half for tile in tiles for half in tile.halves), key=lambda half: half.center[0])
    away = 0.55 * (np.array(stray.center) - np.array(outer.center))
    moved = replace(stray, quad=Quad.around(stray.quad.array - stray.center + outer.center + away))

    layout = laid(tiles, {7: moved})

    assert (7 not in layout.explained) == asked


def test_half_of_a_new_tile_is_asked_about():
    new = Lying((0, 4), ((3, 0), (3, 1)), 0, (True, True))
    *tiles, last = photographed((*FOUNDATION, new))

    layout = laid(tiles, {7: last.halves[0]})

    assert layout.explained == frozenset()


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
    monkeypatch.setattr(matching, "MOST_OPEN", 3)
    pairs = list(combinations(range(6), 2))
    weights = np.array([9.0 if j == i + 1 and i % 2 == 0 else 0.1 for i, j in pairs])

    chosen = likeliest_pairs(pairs, weights, np.zeros(6))

    assert [pairs[k] for k in chosen] == [(0, 1), (2, 3), (4, 5)]


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
    raw = places(halves(100, 100, 20) + halves(200, 200, 70))
    raw.logits[:, 3], raw.logits[:, 0] = 5, 4
    raw.detections.values[:, 3] = 0.9  # the detector's opinion is of the first look
    eyes = replace(eyes_that_join(has_bar), face_classifier=classifier_of(second_look, 9))
    again = read_rectified(drawn_tiles([]), raw, pairs, eyes, lambda own: own)
    return score_candidates(again, STERN, halves=True).values.tolist()


@pytest.mark.parametrize(
    ("value", "pairs", "shown"),
    [
        *((value, [Pair(3, 2, 1.0)], [3, 3, value, value]) for value in (0, 3, 6)),
        (0, [], [3] * 4),
        (3, [Pair(0, 1, 1.0), Pair(2, 3, 1.0)], [3] * 4),
    ],
)
def test_the_second_look_decides_what_contested_tiles_show_and_these_alone(value, pairs, shown):
    assert seen_twice(value, pairs) == shown


def test_a_tile_misread_as_another_is_read_right_at_the_second_look():
    """One of `python -m models.train layouts --count 200 --first 700001`, where 1-4 looked 1-2."""
    reading = read(load(CONTESTED / "sketch-700191.jpg"), Look("dominoes"))

    shown = sorted(tuple(sorted(half.value for half in tile.halves)) for tile in reading.tiles)
    assert (1, 4) in shown
    assert len(set(shown)) == len(shown)


FIRST = np.array([(20, 20), (60, 20), (60, 60), (20, 60)], np.float64)
SECOND = FIRST + np.array([40.0, 0.0])


def domino(bar, body, *, light=0.0):
    picture = np.full((90, 120, 3), 90, np.uint8)
    cv2.rectangle(picture, (20, 20), (100, 60), (body,) * 3, -1)
    if bar is not None:
        cv2.line(picture, (60, 24), (60, 56), (bar,) * 3, 2)
    rng = np.random.default_rng(1)
    slope = light * np.arange(120)[None, :, None]
    return np.clip(picture + slope + rng.normal(0, 3, picture.shape), 0, 255).astype(np.uint8)


@pytest.mark.parametrize(("bar", "body"), [(40, 220), (200, 40), (150, 220)])
@pytest.mark.parametrize("light", [0.0, 0.2])
def test_a_bar_is_seen_on_any_body_and_in_light_from_the_side(bar, body, light):
    assert shows_bar(domino(bar, body, light=light), FIRST, SECOND)


@pytest.mark.parametrize("body", [220, 40])
@pytest.mark.parametrize("light", [0.0, 0.2])
def test_a_back_has_no_bar(body, light):
    assert not shows_bar(domino(None, body, light=light), FIRST, SECOND)
