"""The camera that films what is drawn: what its exposure leaves readable."""

from pathlib import Path

import numpy as np
import pytest

from models.dataset.folders import parse_drawn
from models.sketch.truth import mark_illegible
from models.sketch.view import developed, exposure


def test_a_die_in_which_a_lamp_is_mirrored_keeps_its_pips_on_a_dark_table():
    light = np.full((540, 720, 3), 0.02, np.float32)
    light[200:236, 300:336] = 0.55  # the upper face, with the lamp in it
    light[214:221, 314:321] = 1.05  # its pip is as white as the lamp makes it

    frame = developed(light * np.float32(exposure(light)))

    assert frame[217, 317].min() - frame[205, 305].max() > 40


def test_a_glint_that_is_smaller_than_a_pip_does_not_darken_the_picture():
    light = np.full((540, 720, 3), 0.4, np.float32)
    light[200:204, 300:304] = 30.0

    frame = developed(light * np.float32(exposure(light)))

    assert np.median(frame) > 180


QUADS = [[[20, 20], [60, 20], [60, 60], [20, 60]], [[60, 20], [100, 20], [100, 60], [60, 60]]]


def a_tile(pips, values):
    """Return what is taught of a white tile whose pips have so many levels, and its faces."""
    picture = np.full((80, 120, 3), 250, np.uint8)
    picture[36:44, 36:44] = picture[36:44, 76:84] = pips
    faces = [
        {"quad": quad, "center": [0, 0], "value": value}
        for quad, value in zip(QUADS, values, strict=True)
    ]
    labels = {"dice": [], "tiles": [{"halves": values, "faces": faces}]}
    mark_illegible(picture, labels)
    return parse_drawn(Path("tile.jpg"), labels), faces


@pytest.mark.parametrize(("pips", "learned"), [(220, 2), (248, 0)])
def test_a_face_whose_pips_nobody_can_see_is_neither_taught_nor_measured(pips, learned):
    image, faces = a_tile(pips, (1, 1))

    assert len(image.faces) == learned
    assert [tile.counts for tile in image.tiles or ()] == [bool(learned)]
    assert [face.get("ignore", False) for face in faces] == [not learned] * 2


def test_a_blank_is_taught_though_nothing_is_seen_on_it():
    image, _ = a_tile(250, (0, 0))

    assert [face.value for face in image.faces] == [0, 0]
