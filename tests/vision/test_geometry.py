"""Areas of quads, and what two have in common."""

from __future__ import annotations

import numpy as np
import pytest

from vision.geometry import Quad, ios, iou, sides_of

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
