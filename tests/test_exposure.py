"""The camera that films what is drawn: what its exposure leaves readable."""

from __future__ import annotations

import numpy as np

from models.sketch.exposure import developed, exposure


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
