"""Crops that the face classifier learns from: what they cannot show, they do not teach."""

import numpy as np
import pytest

from models.train.crops import SIDE, shows_colour
from vision.reading import COLOURS

GROUND = 60  # grey level around a face


def crop(body, pip, pips=1):
    """Return a face with so many square pips in a row."""
    out = np.full((SIDE, SIDE, 3), GROUND, np.uint8)
    out[8:-8, 8:-8] = body
    for k in range(pips):
        out[16 + 14 * k : 22 + 14 * k, 29:35] = pip
    return out


@pytest.mark.parametrize("pips", [0, 1, 3])
def test_a_black_face_in_any_light_is_black(pips):
    assert shows_colour(crop(90, 240, pips), COLOURS.index("black"))


def test_a_black_face_that_glares_tells_no_colour():
    assert not shows_colour(crop(200, 250), COLOURS.index("black"))


def test_only_what_is_white_or_clear_may_be_burnt_out():
    names = [name for k, name in enumerate(COLOURS) if shows_colour(crop(245, 20), k)]

    assert names == ["white", "clear"]
