"""A match on every screen: one column, two panes or three, and nothing covered."""

import pytest
from playwright.sync_api import expect

from tests.browser.phones import eyes, photo
from tests.browser.race_pages import confirm, ready_match, take_photo
from tests.browser.sight.fits import check_layout

pytestmark = pytest.mark.browser

PARTS = ("[aria-label=Tally]", "#last-photo", "[aria-labelledby=history-title]", "#bar")


@pytest.fixture
def counted(opened, server, show):
    """Return the page of a match whose first round was counted from a photo."""
    page = ready_match(opened, server)
    show(eyes())
    take_photo(page, photo(1))
    confirm(page)
    expect(page.locator("#last-photo")).to_be_visible()
    return page


def places(page):
    """Return of the tally, the photo, the history and the dock left, top and width."""
    boxes = [page.locator(part).bounding_box() for part in PARTS]
    return [(box["x"], box["y"], box["width"]) for box in boxes if box]


@pytest.mark.release
def test_a_match_is_one_column_two_panes_or_three(counted):
    counted.set_viewport_size({"width": 390, "height": 844})
    (tally, photo_at, past, dock) = places(counted)
    assert tally[0] == photo_at[0] == past[0]
    assert tally[1] < photo_at[1] < past[1]
    assert dock[2] == 390

    counted.set_viewport_size({"width": 820, "height": 1180})
    (tally, photo_at, past, dock) = places(counted)
    assert photo_at[0] == past[0] < tally[0]
    assert photo_at[1] == tally[1]
    assert dock[2] == 820

    counted.set_viewport_size({"width": 1920, "height": 1080})
    (tally, photo_at, past, dock) = places(counted)
    assert photo_at[0] < tally[0] < past[0]
    assert photo_at[1] == tally[1] == past[1]
    assert dock[0] == photo_at[0]
    assert dock[2] == photo_at[2]


@pytest.mark.release
def test_the_score_is_the_largest_numeral_on_the_page(counted):
    size = "one => parseFloat(getComputedStyle(one).fontSize)"
    scores = [one.evaluate(size) for one in counted.locator("[data-score]").all()]

    every = "every => every.filter(one => one.checkVisibility()).map({size})"
    others = counted.locator("h1, h2, h3, p, b, .code").evaluate_all(every.format(size=size))

    assert min(scores) > 2 * max(others)


def test_nothing_of_a_match_leaves_its_box_or_is_covered(counted):
    check_layout(counted)
