"""A domino's back may be as blank as its face: the bar between the halves tells them apart."""

import cv2
import numpy as np
import pytest

from vision.dominoes.bars import shows_bar

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
