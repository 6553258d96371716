"""Filled cells: more ink than this person's checks, whatever light lies on the paper."""

import cv2
import numpy as np
import pytest

from vision.boards.sheet.filled_cells import ALIKE, ALONE, FEATURES, by_ink, ink_features
from vision.boards.sheet.marks import (
    BLACKENED,
    CELL,
    CHECKED,
    HIGH,
    INKED,
    WIDE,
    shipped_calibration,
)

CROSS = ((-8, -8, 8, 8), (-8, 8, 8, -8))
SHADED = tuple((x, -12, x, 12) for x in range(-12, 13, 4))
UNLIKE = FEATURES.index("ink unlike that of checks")
SEEN = {"blank": (0.97, 0.02, 0.01, 0.0), "checked": (0.003, 0.995, 0.002, 0.0)}


def crop(*strokes):
    """Draw strokes, px from a cell's middle, on white paper."""
    made = np.full((HIGH, WIDE, 3), 204, np.uint8)
    for x0, y0, x1, y1 in strokes:
        ends = (WIDE // 2 + x0, HIGH // 2 + y0), (WIDE // 2 + x1, HIGH // 2 + y1)
        cv2.line(made, *ends, (120, 60, 40), 2, cv2.LINE_AA)
    return made


def sheet(six, *, own=CROSS):
    """Return shares, crops and which cells may be filled: four checks, two blanks, and a 6."""
    crops = np.array([*[crop(*own)] * 4, crop(), crop(), six])
    shares = np.array([*[SEEN["checked"]] * 4, *[SEEN["blank"]] * 2, SEEN["checked"]])
    return shares, crops, CELL, np.arange(7) == 6, INKED


def read(six, **how):
    return by_ink(*sheet(six, **how), shipped_calibration().filled)


def test_a_check_like_the_others_stays_one_and_a_shaded_one_is_filled():
    plain, shaded = read(crop(*CROSS)), read(crop(*CROSS, *SHADED))

    assert plain[6].argmax() == CHECKED
    assert shaded[6].argmax() == BLACKENED
    assert shaded.sum(axis=1) == pytest.approx(1)


def test_a_thin_line_through_a_check_is_asked_about():
    struck = read(crop(*CROSS, (-10, 0, 10, 1)))[6]

    assert struck.max() < shipped_calibration().sure


def test_a_check_read_as_blank_is_not_taken_for_print():
    shares, *rest = sheet(crop(*CROSS, *SHADED))
    rest[0][5], rest[2][5] = crop(*CROSS), True

    assert by_ink(shares, *rest, shipped_calibration().filled)[6].argmax() == BLACKENED


def test_whoever_checks_with_much_ink_fills_with_more():
    own = (*CROSS, *SHADED)

    assert read(crop(*own), own=own)[6, BLACKENED] < read(crop(*own))[6, BLACKENED]


def test_a_shadow_is_no_ink():
    light = np.linspace(0.6, 1.0, WIDE)[None, :, None]
    shadowed = (crop(*CROSS) * light).astype(np.uint8)
    (_, plain), (_, dim) = (
        ink_features(*sheet(six, own=CROSS[:1])) for six in (crop(*CROSS), shadowed)
    )

    assert 1.5 * ALIKE < dim[0, UNLIKE] == pytest.approx(plain[0, UNLIKE], rel=0.2)


def test_only_marked_cells_that_may_be_filled_change():
    before, *rest = sheet(crop(*CROSS, *SHADED))
    after = by_ink(before, *rest, shipped_calibration().filled)

    assert (after[:6] == before[:6]).all()
    assert after[6, 0] / after[6, 1] == pytest.approx(before[6, 0] / before[6, 1])
    assert (by_ink(before, *rest, ()) == before).all()


def test_without_any_check_beside_it_a_mark_is_compared_with_nothing():
    shares, crops, cell, may_fill, states = sheet(crop(*SHADED))
    shares[:4] = SEEN["blank"]
    places, rows = ink_features(shares, crops, cell, may_fill, states)

    assert places.tolist() == [6]
    assert rows[0, UNLIKE] == ALONE
