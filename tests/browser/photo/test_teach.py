"""Our dice in Chromium: remembered from a confirmed photo, seen, switched off and forgotten."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.phones import PATIENCE, eyes, photo, serving
from tests.browser.race_pages import ready_match, take_photo

pytestmark = pytest.mark.browser
LEARNING = 6 * PATIENCE  # ms; the networks run beside the other tests


@pytest.fixture
def page(opened, tmp_path):
    """A phone on which every photo is read as the first board of the race, one die doubtfully."""
    seeing = eyes(0)

    def see(*sent, learned=None):
        return seeing(*sent)

    with serving(tmp_path, see) as server:  # what it learns is for its other matches too
        yield ready_match(opened, server)


@pytest.mark.release
def test_dice_are_remembered_seen_switched_off_and_forgotten(page):
    offer = page.get_by_role("button", name="These are our dice: remember them")
    take_photo(page, photo(1))
    expect(offer).to_be_hidden()  # a die is still doubtful
    page.get_by_role("button", name="Correct as shown").click()
    offer.focus()
    page.keyboard.press("Enter")

    said = page.locator("#remember-says")
    expect(said).to_contain_text("dice are remembered", timeout=LEARNING)
    expect(offer).to_be_hidden()
    assert page.evaluate("document.documentElement.scrollWidth") <= 360

    page.get_by_role("button", name="Back").click()
    expect(page.locator("#pieces")).to_contain_text("Photos are read with our dice, taught on")
    page.get_by_role("link", name="Our dice").click()
    expect(page.get_by_role("radio", name="our dice, taught on")).to_be_checked()
    page.get_by_role("radio", name="no taught dice").check()
    page.get_by_role("button", name="Use these").click()
    expect(page.get_by_role("status")).to_have_text("Photos are read without taught dice.")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    page.get_by_role("button", name=re.compile("^Forget our dice")).click()
    expect(page.get_by_text("No dice have been taught here yet.")).to_be_visible()
