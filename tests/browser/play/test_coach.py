"""The coach on a phone: a hand that is typed for one answer, and a seat that it has taken."""

import itertools

import pytest
from playwright.sync_api import expect

from scorer import dump_move
from scorer.games.dice_wide_shut.moves import Roll, Starter
from scorer.games.even_at_odds.moves import Agree
from tests.browser.play.test_games import match

pytestmark = pytest.mark.browser
HAND = "2-6 0-4 3-5 1-2 4-6 0-0 1-5"


@pytest.mark.release
def test_a_hand_of_tiles_is_typed_for_one_answer(opened, server):
    agreed = [dump_move(Agree(0, 0))]
    page = match(opened, server, "even_at_odds", "Ana", "Ben", opening=agreed, advice=True)

    page.get_by_text("What would be best?").click()
    expect(page.locator("#advice")).to_contain_text("Ana's tiles are unknown")
    page.get_by_label("What only you can see").fill(HAND)
    page.locator("#advice").get_by_role("button", name="Ask").click()

    expect(page.locator("#advice ol li").first).to_contain_text("to win, estimated from")
    assert page.locator("#advice ol").evaluate("list => list.scrollWidth <= list.clientWidth")


@pytest.mark.release
def test_the_coach_lays_a_tile_of_the_hand_that_is_typed_for_it(opened, server):
    agreed = [dump_move(Agree(0, 0))]
    page = match(opened, server, "even_at_odds", "Ana", "Ben", opening=agreed, coach_plays=1)

    expect(page.locator("#coach")).to_contain_text("Ana's tiles are unknown")
    page.get_by_label("What Ana holds").fill(HAND)
    page.locator("#coach").get_by_role("button", name="Ask").click()
    expect(page.locator("#coach")).to_contain_text("to win, estimated from")
    page.get_by_role("button", name="Done on the table").click()

    expect(page.locator("#prompt")).to_contain_text("Ben lays a tile")
    expect(page.locator("#coach")).to_have_count(0)


def test_the_coach_takes_dice_and_marks_them(opened, server):
    dice = (*itertools.product(("red", "blue"), (1, 2, 4)), ("purple", 3))
    opening = [dump_move(Starter(0)), dump_move(Roll(dice))]
    page = match(opened, server, "dice_wide_shut", "Ana", "Ben", opening=opening, coach_plays=1)

    expect(page.locator("#coach")).to_contain_text("Take")
    page.get_by_role("button", name="Done on the table").click()
    expect(page.locator("#prompt")).to_contain_text("Ana marks")
    expect(page.locator("#coach")).to_contain_text("checks")
    page.get_by_role("button", name="Done on the table").click()

    expect(page.locator("#prompt")).to_contain_text("Ben takes dice")
