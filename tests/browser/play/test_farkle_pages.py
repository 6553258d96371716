"""Farkle on its page: dice tapped in any order, what is kept of them, and what that brings."""

import pytest
from playwright.sync_api import expect

from tests.browser.play.test_games import match

pytestmark = pytest.mark.browser


def farkle(opened, server, *dice, **settings):
    """Open a match of Farkle and tap the dice of a roll as they lie."""
    page = match(opened, server, "farkle", "Ana", "Ben", **settings)
    expect(page.locator("#state")).to_have_text("live")
    tap_dice(page, *dice)
    return page


def tap_dice(page, *dice):
    for pips in dice:
        page.get_by_role("button", name=f"add a {pips}", exact=True).click()


def test_the_dice_of_farkle_are_tapped_in_any_order_and_say_what_they_bring(opened, server):
    """Seven taps a move: six dice, and what is done with those that are kept."""
    page = farkle(opened, server, 3, 1, 2)
    expect(page.get_by_role("button", name="Tap in")).to_be_hidden()
    says, foot = page.locator("#entry-says"), page.locator("#foot button")
    expect(page.locator("#entry .slot[aria-pressed=true]")).to_have_count(1)  # the 1
    expect(foot).to_have_text(["Tap 3 more dice"])
    tap_dice(page, 5, 6, 4)
    expect(says).to_have_text("1 5: 150")
    expect(foot).to_have_text(["Roll 4 on150 so far", "Bank 1500 → 150"])

    page.locator("#entry .slot").nth(2).click()  # the 2

    expect(says).to_contain_text("Not every die of 1 2 5 counts.")
    expect(says.locator(".rule")).to_have_text("FK-4")
    page.get_by_role("button", name="Leave what does not count").click()
    expect(says).to_have_text("1 5: 150")
    page.locator("#entry .slot").nth(3).click()  # the 5
    expect(foot).to_have_text(["Roll 5 on100 so far", "Bank 1000 → 100"])
    foot.first.click()

    expect(page.locator("#prompt")).to_have_text("Ana rolls 5 dice.")
    expect(page.locator(".history > li")).to_have_count(1)
    expect(page.get_by_role("button", name="add a 1", exact=True)).to_be_focused()
    for key in "12346":
        page.keyboard.press(key)
    page.keyboard.press("Enter")
    expect(page.locator('[data-score="0"]')).to_have_text("200")


@pytest.mark.release
def test_a_roll_of_farkle_of_which_nothing_counts_is_one_button(opened, server):
    page = farkle(opened, server, 2, 3, 3, 4, 6, 6)

    expect(page.locator("#entry-says")).to_have_text("Nothing counts.")
    page.locator("#foot button").click()

    expect(page.locator("#prompt")).to_have_text("Ben rolls 6 dice.")


@pytest.mark.release
def test_of_a_roll_that_was_photographed_only_what_is_kept_is_tapped(opened, server):
    rolled = {"move": "Roll", "dice": [1, 1, 2, 3, 4, 6]}
    page = farkle(opened, server, opening=[rolled], first_score=350)

    foot = page.locator("#foot button")
    expect(foot.last).to_contain_text("A first score needs 350 points; roll on. (FK-A2)")
    expect(foot.last).to_have_attribute("aria-disabled", "true")
    foot.first.click()

    expect(page.locator("#prompt")).to_have_text("Ana rolls 4 dice.")
