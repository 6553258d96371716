"""Two halves make a tile: which belong together, and which may be of another."""

import numpy as np
import pytest

from tests import FIXTURES
from tests.vision.dominoes.drawn_tiles import (
    drawn_tiles,
    eyes_that_join,
    halves,
    has_bar,
    likeliest,
    places,
)
from tests.vision.faces.test_detector import turned
from tests.vision.fake_eyes import face_read_as
from vision import Look, TileReading, load, read
from vision.dominoes.copies import doubt_copies, doubt_lone_blanks
from vision.dominoes.matching import LONE, Pair, halves_of, match_halves
from vision.dominoes.occlusion import perhaps_covered
from vision.dominoes.pair_classifier import neighbours
from vision.dominoes.scene import exact_halves
from vision.dominoes.set_prior import suits_nearest
from vision.dominoes.tiles import PairLooks, find_tiles, tile_quad, with_blanks
from vision.faces.detector import Detections
from vision.faces.networks import shipped_models
from vision.quad import Quad

LAYOUTS = FIXTURES / "layouts"


def looks_at(picture, raw, eyes):
    return PairLooks(picture, raw.detections.quads, eyes.pair_classifier)


def tiles_of(picture, quads, judge, *, only_dominoes=True, real=None):
    raw, eyes = places(quads), eyes_that_join(judge)
    real = np.ones(len(raw)) if real is None else np.array(real)
    return find_tiles(raw, real, looks_at(picture, raw, eyes), eyes, only_dominoes=only_dominoes)


def joined(*given, **how):
    tiles = tiles_of(*given, **how)
    return tiles.candidates, sorted((p.first, p.second) for p in tiles.pairs)


@pytest.mark.parametrize("degrees", range(0, 180, 30))
def test_two_halves_make_a_tile_however_it_lies(degrees):
    tile = (100, 100, degrees)

    _, pairs = joined(drawn_tiles([tile]), halves(*tile), has_bar)

    assert pairs == [(0, 1)]


def test_in_a_block_of_touching_tiles_each_half_finds_its_own():
    """Every half has a stranger as near as its other half."""
    block = [(100 + 40 * (i // 5), 100 + 20 * (i % 5), 0) for i in range(10)]

    _, pairs = joined(drawn_tiles(block), [q for t in block for q in halves(*t)], has_bar)

    assert pairs == [(2 * i, 2 * i + 1) for i in range(10)]


@pytest.mark.parametrize("size", [1.0, 0.75])
def test_a_half_that_was_not_found_is_looked_for_on_all_four_sides(size):
    """Of an outline a little off the bar is in the crop's middle only beside the far edge."""
    tile = (100, 100, 30)
    first, second = halves(*tile)
    outline = first.mean(axis=0) + size * (first - first.mean(axis=0))

    after, pairs = joined(drawn_tiles([tile]), [outline], has_bar)

    assert pairs == [(0, 1)]
    assert after.detections.middles[1] == pytest.approx(second.mean(axis=0), abs=4)
    assert after.logits[1].argmax() == 0


@pytest.mark.parametrize("kind", ["auto", "dominoes"])
def test_tiles_that_are_plain_at_once_need_no_further_view_though_a_half_is_blank(kind):
    reading = read(load(LAYOUTS / "single" / "sketch-700204.jpg"), Look(kind))

    assert sorted(sorted(half.value for half in tile.halves) for tile in reading.tiles) == [
        [0, 5], [1, 1], [2, 4], [2, 5]
    ]  # fmt: skip
    assert "detect again" not in reading.stages


@pytest.mark.parametrize("name", ["block/sketch-700202", "block/sketch-700207"])
def test_a_tile_is_sure_by_the_same_price_as_a_die(name):
    reading = read(load(LAYOUTS / f"{name}.jpg"), Look("auto"))

    least = shipped_models().calibration.sure
    dear = [tile for tile in reading.tiles if all(half.sure for half in tile.halves)]
    assert [tile.sure for tile in dear] == [tile.confidence >= least for tile in dear]
    assert any(tile.confidence < least for tile in dear)


def test_beside_tiles_that_show_pips_blank_halves_are_joined_too():
    tiles = [(100, 100, 0), (100, 160, 0)]
    picture, raw = drawn_tiles(tiles), places([q for tile in tiles for q in halves(*tile)])
    eyes, shows_pips = eyes_that_join(has_bar), np.array([1.0, 1.0, 0.0, 0.0])
    looks = looks_at(picture, raw, eyes)

    with_pips = find_tiles(raw, shows_pips, looks, eyes, only_dominoes=False)
    after = with_blanks(with_pips, np.array([1.0, 1.0, 0.9, 0.8]), looks, eyes)

    assert [halves_of([pair]) for pair in with_pips.pairs] == [{0, 1}]
    assert [halves_of([pair]) for pair in after.pairs] == [{0, 1}, {2, 3}]
    assert after.pairs[1].prob == pytest.approx(0.9 * 0.8, abs=0.01)


def read_as(*values):
    first, second = (face_read_as(value, turned(0, 9)) for value in values)
    return TileReading(first.quad, (first, second), 1.0, sure=True)


def test_double_blanks_are_doubted_unless_a_domino_beside_them_shows_pips():
    def sure(*tiles):
        return [one.sure for one in doubt_lone_blanks(list(tiles))]

    assert sure(read_as(0, 0)) == [False]
    assert sure(read_as(0, 0), read_as(0, 0)) == [False, False]
    assert sure(read_as(0, 0), read_as(0, 3)) == [True, True]


@pytest.mark.parametrize(
    ("read", "doubted"),
    [
        ("00 00 35", "00 00"),  # a set has one double blank: one lies face down, or both
        ("00 35 34", ""),
        ("35 53 12", "35 53"),
        ("00 00 00 00 00 00 00", "00 00 00 00 00 00 00"),  # a boneyard
        ("35 35 12 12 46 46", ""),  # three tiles twice: two sets
        ("35 35 12 12 46 46 00 00", "00 00"),
        ("35 35 35 12 12 46 46 26 26", "35 35 35"),  # no two sets have a tile three times
    ],
)
def test_a_tile_that_the_set_has_once_is_doubtful_where_it_is_read_again(read, doubted):
    tiles = [read_as(int(a), int(b)) for a, b in read.split()]

    asked = [tile for tile in doubt_copies(tiles) if not tile.sure]

    assert (
        " ".join("{}{}".format(*(half.value for half in tile.halves)) for tile in asked) == doubted
    )


@pytest.mark.parametrize(("tiles", "found"), [(1, 1), (3, 3), (4, 0)])
def test_where_dice_may_lie_an_unseen_half_is_believed_if_few_faces_do(tiles, found):
    laid = [(60 * k + 40, 150, 30) for k in range(tiles)]
    halves_in_sight = [halves(*tile)[0] for tile in laid]

    _, pairs = joined(drawn_tiles(laid), halves_in_sight, has_bar, only_dominoes=False)

    assert len(pairs) == found


@pytest.mark.parametrize(
    ("real", "pairs"), [((0.9, 0.04), [(0, 1)]), ((0.04, 0.9), [(0, 1)]), ((0.4, 0.04), [])]
)
def test_a_faint_half_is_joined_to_one_that_is_plainly_there(real, pairs):
    tile = (100, 100, 30)

    assert joined(drawn_tiles([tile]), halves(*tile), has_bar, real=real)[1] == pairs


def test_no_half_is_added_that_is_too_small_to_be_read():
    small = [turned(0, 3, at=np.array([150.0, 150.0]))]

    assert joined(drawn_tiles([]), small, lambda _: True)[1] == []


@pytest.mark.parametrize(
    ("quads", "score", "perhaps"),
    [
        (halves(100, 100, 0), -0.3, {0, 1}),  # joined they would be likely two dice, not surely
        (halves(100, 100, 0), -0.5, set()),
        (halves(100, 100, 0)[:1], 1.5, {0}),  # beside it may be a blank half
        (halves(100, 100, 0)[:1], 1.2, set()),
        ([halves(60 * k, 100, 0)[0] for k in range(1, 5)], 1.5, set()),  # many dice lie there
        ([halves(60 * k, 100, 0)[0] for k in range(1, 5)], 3.0, {0, 1, 2, 3}),
    ],
)
def test_a_face_that_stays_alone_may_be_half_of_a_tile(quads, score, perhaps):
    """The pair classifier's *score* of all that touch is the same."""
    tiles = tiles_of(drawn_tiles([]), quads, lambda _: score, only_dominoes=False)

    assert tiles.lone == perhaps


def alongside(*others, believed=False):
    """Return the halves of a tile at (100, 100) that may be covered ones beside other tiles."""
    quads = np.array([q for tile in ((100, 100, 0), *others) for q in halves(*tile)])
    pairs = [Pair(2 * k, 2 * k + 1, 0.99) for k in range(len(quads) // 2)]
    plain = {(0, 1)} if believed else set()
    return perhaps_covered(pairs, plain, quads, list(range(len(quads)))) & {0, 1}


@pytest.mark.parametrize(
    ("others", "perhaps"),
    [
        ([(100, 121, 0)], {0, 1}),
        ([(90, 130, 90), (110, 130, 90)], {0, 1}),  # two that end there
        ([(100, 130, 90)], set()),  # a T-junction
        ([(141, 100, 0), (59, 100, 0)], set()),  # a chain
        ([(130, 121, 0), (70, 79, 0)], set()),  # one half has a neighbour on either side
        ([(100, 150, 0)], set()),  # too far away to lie on it
    ],
)
def test_a_tile_may_be_two_others_where_one_that_lies_on_both_would_lie(others, perhaps):
    assert alongside(*others) == perhaps
    assert alongside(*others, believed=True) == set()


@pytest.mark.parametrize(
    ("only_dominoes", "alone", "believed"),
    [
        (True, [], True),
        (True, [(200, 200)], False),  # a half lies open there: tiles may lie on each other
        (False, [], False),
    ],
)
def test_where_only_dominoes_lie_a_tile_that_leaves_no_half_alone_is_believed(
    only_dominoes, alone, believed
):
    """What the pair classifier alone doubts, the share of all ways to join does not."""
    doubted = 0.98  # the pair classifier's
    tiles = [(100, 100, 0), (100, 121, 0)]
    quads = [half for tile in tiles for half in halves(*tile)]
    quads += [turned(0, 10, at=np.array(at)) for at in alone]

    found = tiles_of(
        drawn_tiles(tiles),
        quads,
        lambda crop: float(np.log(doubted / (1 - doubted))) if has_bar(crop) else -9.0,
        only_dominoes=only_dominoes,
    )

    assert len(found.pairs) == 2
    assert found.covered == (set() if believed else {0, 1, 2, 3})


def test_dice_side_by_side_are_no_tile():
    after, pairs = joined(drawn_tiles([]), halves(100, 100, 0), has_bar, only_dominoes=False)

    assert pairs == []
    assert len(after) == 2


@pytest.mark.parametrize(
    ("probs", "joined_halves"),
    [
        ([0.8, 0.9, 0.6], [(1, 2)]),
        ([0.9, 0.97, 0.92], [(2, 3), (0, 1)]),
        ([0.6, 0.99, 0.6], [(1, 2)]),
        ([0.9, 0.97], [(1, 2)]),
    ],
)
def test_a_face_is_in_one_tile_and_the_surest_pair_of_a_chain_is_given_up_for_two(
    probs, joined_halves
):
    """Two halves of two tiles may look most alike; the other halves would be left alone."""
    near = [(0, 1), (1, 2), (2, 3)][: len(probs)]

    pairs = match_halves(near, np.array(probs))

    assert [(pair.first, pair.second) for pair in pairs] == joined_halves


BELIEVED = 0.7 / (0.7 + 0.3 * LONE**2)  # else its halves would be alone
AMONG = 4 * LONE / (4 * LONE + 1.5 * LONE + LONE**3)  # it, the other, and none
SQUARE = [(0, 1), (0, 2), (1, 3), (2, 3)]  # which may as well be joined the other way
CHAIN = [0.55, 0.7] * 3 + [0.55]  # each half looks more like one with its stranger

PAIRS = [(k, k + 1) for k in range(0, 8, 2)]


@pytest.mark.parametrize(
    ("near", "probs", "real", "joined_halves", "prob", "about"),
    [
        ([(0, 1)], [0.7], [1.0, 1.0], [(0, 1)], BELIEVED, 1e-6),
        ([(0, 1)], [0.7], [1.0, 0.1], [(0, 1)], 0.8, 0.1),  # of places that may be none
        (SQUARE, [0.8] * 4, [1.0] * 4, [(0, 2), (1, 3)], 0.5, 0.02),
        ([(0, 1), (1, 2)], [0.8, 0.6], [1.0] * 3, [(0, 1)], AMONG, 1e-6),
        ([(k, k + 1) for k in range(7)], CHAIN, [1.0] * 8, PAIRS, 0.55, 0.1),
    ],
)
def test_a_doubtful_tile_is_weighed_against_all_other_ways_to_join(
    near, probs, real, joined_halves, prob, about
):
    pairs = match_halves(near, np.array(probs), np.array(real))

    assert sorted((pair.first, pair.second) for pair in pairs) == joined_halves
    assert [pair.prob for pair in pairs] == pytest.approx([prob] * len(pairs), abs=about)


@pytest.mark.parametrize(
    ("probs", "alone", "lies"),
    [
        ([], 3, "dice"),
        ([0.8], 4, "dice"),  # two of six dice touch
        ([0.8], 0, "unsure"),
        ([0.99], 0, "dominoes"),
        ([0.99, 0.99, 0.6], 0, "dominoes"),
        ([0.99, 0.99, 0.99], 1, "unsure"),  # half a tile in view, or a die
        ([0.99, 0.99, 0.99], 4, "both"),
    ],
)
def test_what_lies_on_a_table_is_told_by_all_of_it(probs, alone, lies):
    assert likeliest(probs, alone) == lies


@pytest.mark.parametrize("degrees", [0, 30, 135])
def test_a_tile_is_cut_into_its_halves(degrees):
    first, second = halves(100, 100, degrees)

    for half, exact in zip((first, second), exact_halves(first, second), strict=True):
        assert {tuple(p) for p in exact.round(3)} == {tuple(p) for p in half.round(3)}


def test_a_half_of_which_the_detector_saw_too_little_is_seen_whole():
    first, second = halves(100, 100, 0)
    shrunk = np.add(first, [(0, 0), (-4, 0), (-4, 0), (0, 0)])

    np.testing.assert_allclose(exact_halves(shrunk, second)[0].mean(axis=0), first.mean(axis=0))


def test_a_place_much_smaller_than_the_tile_beside_it_is_no_half():
    squares = [(100, 100, 40), (150, 100, 40), (100, 160, 12), (150, 160, 30), (500, 100, 40)]
    quads = np.array([[(x, y), (x + s, y), (x + s, y + s), (x, y + s)] for x, y, s in squares])
    found = Detections(quads.astype(float), *(np.zeros((5, *more)) for more in ((), (7,), (), ())))

    assert suits_nearest(found, np.array([0, 1])).tolist() == [True, True, False, True, True]
    assert suits_nearest(found, np.array([], np.intp)).all()


def square(x, y, side, squeezed=1.0):
    """Return a face seen from above, or from low down: then it is *squeezed* across."""
    corners = [(x, y), (x + side, y), (x + side, y + side), (x, y + side)]
    return np.array(corners, float) * (1, squeezed)


LOW = float(np.sin(np.deg2rad(15)))


@pytest.mark.parametrize(
    ("others", "beside"),
    [
        ([square(20, 0, 20), square(60, 0, 20), square(58, -20, 60)], True),  # far apart, unlike
        ([square(20, 20, 20)], False),  # they touch by a corner
        ([square(20, 0, 20, LOW)], True),
        ([square(0, 20, 20, LOW)], True),
    ],
)
def test_faces_alike_that_touch_along_a_side_are_neighbours_from_fifteen_degrees_on(others, beside):
    first = square(0, 0, 20, np.ptp(others[0][:, 1]) / 20)

    assert neighbours(np.array([first, *others])) == [(0, 1)] * beside


def test_the_outline_of_a_tile_holds_both_halves():
    a, b = (Quad.around(q) for q in halves(100, 100, 90))

    outline = tile_quad(a, b)

    assert outline.array == pytest.approx(np.array([(90, 80), (110, 80), (110, 120), (90, 120)]))
