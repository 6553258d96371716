"""What a page that watches takes for a change, and when it sends a picture all the same."""

from functools import cache

import cv2
import numpy as np
import pytest

from tests.browser.camera.sparing import SparingPage
from tests.vision.watch.throws import BARE, IN, frames

pytestmark = pytest.mark.browser


@cache
def film():
    """Return a bare table, on which dice are thrown."""
    return list(frames([(4, 6)]))


@pytest.fixture
def sparing(browser):
    """A page that has sent the bare table, on which all has lain still for two seconds."""
    page = browser.new_page()
    made = SparingPage(page)
    assert made.says(jpeg(film()[0]), 0.0) == "frame"
    made.take("", 0.0)
    assert made.says(jpeg(film()[0]), 0.9) == "frame"  # not calm for long enough
    yield made
    page.close()


def jpeg(picture):
    return cv2.imencode(".jpg", picture)[1].tobytes()


def test_noise_and_exposure_are_no_change_and_are_told_now_and_then(sparing):
    brighter = np.clip(film()[1] * 1.15, 0, 255).astype(np.uint8)

    assert sparing.says(jpeg(film()[1]), 1.5) == ""
    assert sparing.says(jpeg(brighter), 2.0) == ""
    assert sparing.says(jpeg(film()[2]), 3.0) == "unchanged"


@pytest.mark.parametrize("changed", ["thrown", "turned", "dark"])
def test_what_changes_is_sent_at_once(sparing, changed):
    shown = film()[0].copy()
    if changed == "thrown":
        shown = film()[BARE]  # slides in
    elif changed == "dark":
        cv2.rectangle(shown, (300, 200), (340, 240), (42, 70, 50), -1)  # on a table of (60, 95, 70)
    else:
        thrown = film()[BARE + IN]
        sparing.says(jpeg(thrown), 1.2)
        shown = np.where(np.abs(np.subtract(thrown, 30.0)) < 30, thrown + 150, thrown)
        shown = shown.astype(np.uint8)  # pips are gone

    assert sparing.says(jpeg(shown), 1.5) == "frame"


def test_a_picture_is_sent_where_the_match_has_gone_on_or_the_last_is_old(sparing):
    assert sparing.says(jpeg(film()[0]), 1.5) == ""
    assert sparing.says(jpeg(film()[0]), 1.6, seq=1) == "frame"
    assert sparing.says(jpeg(film()[0]), 6.5, seq=1) == "unchanged"
    assert sparing.says(jpeg(film()[0]), 6.7, seq=1) == "frame"


def test_while_anything_is_waited_for_every_picture_is_sent(sparing):
    sparing.take("hand", 1.5)

    assert sparing.says(jpeg(film()[0]), 9.0) == "frame"
