"""Quads: their areas and what two have in common; planes, and grids in them."""

import numpy as np
import pytest

from vision.geometry import Grid, Homography, ios, iou, sides_of
from vision.quad import Quad

SQUARE = np.array([(0, 0), (10, 0), (10, 10), (0, 10)], np.float64)
TURN = np.array([(0.6, -0.8), (0.8, 0.6)])


@pytest.mark.parametrize(("step", "share"), [(0, 1), (5, 1 / 3), (20, 0)])
def test_two_squares_share_of_their_union(step, share):
    assert iou(SQUARE, SQUARE + np.array([step, 0])) == pytest.approx(share)


@pytest.mark.parametrize(("step", "share"), [(0, 1), (8, 0.5), (10, 0)])
def test_a_smaller_square_lies_on_a_larger_one_by_its_own_area(step, share):
    small = 0.4 * SQUARE + np.array([step, 3])
    assert ios(SQUARE, small) == pytest.approx(share)
    assert ios(small, SQUARE) == pytest.approx(share)


def test_a_side_is_that_of_the_square_with_the_same_area_however_it_is_turned():
    kite = np.array([(0, -2), (3, 0), (0, 6), (-3, 0)], np.float64)  # 24 px² of area
    quads = np.stack([SQUARE, SQUARE @ TURN, SQUARE[::-1], kite @ TURN])
    assert sides_of(quads) == pytest.approx([10, 10, 10, np.sqrt(24)])


@pytest.mark.parametrize("factor", [0.25, 2.0, 3.5])
def test_a_quad_around_a_whole_photo_is_around_it_at_any_size(factor):
    # Pixels are counted by their middles, so a photo w px wide reaches from -0.5 to w - 0.5.
    def whole(width, height):
        right, below = width - 0.5, height - 0.5
        return Quad(((-0.5, -0.5), (right, -0.5), (right, below), (-0.5, below)))

    scaled = whole(64, 48).scaled(factor)

    assert scaled.array == pytest.approx(whole(64 * factor, 48 * factor).array)


@pytest.mark.parametrize("shift", range(4))
@pytest.mark.parametrize("flip", [1, -1])
def test_a_quad_runs_clockwise_from_the_top_left_whatever_the_order(shift, flip):
    quad = Quad.around(np.roll(SQUARE, shift, axis=0)[::flip])

    assert quad.corners == ((0, 0), (10, 0), (10, 10), (0, 10))


def test_a_quad_is_centred_where_its_diagonals_cross():
    seen_at_a_slant = Quad.around(np.array([(40.0, 0), (60, 0), (100, 90), (0, 90)]))

    assert seen_at_a_slant.center == pytest.approx((50, 15))


def test_a_homography_maps_back_and_forth():
    target = np.array([(10.0, 20), (110, 25), (120, 140), (5, 130)])

    there = Homography.fit(SQUARE, target)

    assert there.apply(SQUARE) == pytest.approx(target)
    assert there.inverse().apply(target) == pytest.approx(SQUARE, abs=1e-6)
    assert there.error == pytest.approx(0, abs=1e-6)


def test_points_on_a_line_span_no_plane():
    line = np.array([(0.0, 0), (1, 1), (2, 2), (3, 3)])

    assert Homography.fit(SQUARE, line) is None


def test_a_grid_counts_columns_before_rows():
    grid = Grid(2, 3, Homography(np.diag([100.0, 100.0, 1.0]), 0.0))

    assert grid.places(np.array([(250.0, 50.0)])) == pytest.approx(np.array([(2.5, 0.5)]))
    assert grid.corners.corners == ((0, 0), (300, 0), (300, 200), (0, 200))
