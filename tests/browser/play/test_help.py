"""Help where a player stands: the rule behind a refusal, legal moves, the first match's guide."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from scorer.games import GAMES
from tests.browser.phones import BrowserServer, Open, photo
from tests.browser.race_pages import answer, cell, ready_match, take_photo
from tests.browser.sight.fits import check_fits

pytestmark = pytest.mark.browser
ROLLED = {"move": "Roll", "dice": [1, 1, 1, 4, 5, 6]}
LARGE_TEXT = "document.documentElement.style.fontSize = '200%'"


def test_a_refusal_opens_its_rule_over_the_dice_that_were_tapped(
    opened: Open, server: BrowserServer
) -> None:
    page = ready_match(opened, server)
    take_photo(page, photo(1))
    for column in range(2):  # seven black dice
        cell(page, 2 * column, 1 - column).click()
        answer(page, "black", 1)

    page.locator("#findings a.rule").first.click()

    rule = page.locator("dialog#rule")
    expect(rule.locator("h2")).to_contain_text("PH-4")
    expect(rule.locator("section")).to_be_focused()
    check_fits(page, least=44)
    rule.get_by_role("button", name="Close").click()
    expect(rule).to_be_hidden()
    expect(cell(page, 0, 1)).to_have_accessible_name("row 1, column 2: black 1")
    expect(page.locator("#photo, #overlay").first).to_be_attached()
    assert len(page.context.pages) == 1


def test_a_rule_that_is_linked_stands_out_on_the_page_of_all(
    opened: Open, server: BrowserServer
) -> None:
    page = opened(f"{server.address}rules/purple_house#PH-5")

    around = page.locator("#PH-5").evaluate("element => getComputedStyle(element).backgroundColor")
    other = page.locator("#PH-4").evaluate("element => getComputedStyle(element).backgroundColor")

    assert around != other
    expect(page.locator("#PH-5")).to_be_in_viewport()


def test_the_rules_of_every_game_fit_a_phone_and_a_television(
    opened: Open, server: BrowserServer
) -> None:
    page = opened("about:blank")
    for name in GAMES:
        page.goto(f"{server.address}rules/{name}")
        check_fits(page, least=32, widths=(320, 360, 820, 1280, 1920))
        page.evaluate(LARGE_TEXT)
        check_fits(page, least=32, widths=(360,))


def test_what_may_be_done_is_one_tap_away_and_follows_the_match(
    opened: Open, server: BrowserServer
) -> None:
    match = server.match("farkle", "Ana", "Ben", opening=[ROLLED])
    page = opened(match["url"])

    page.get_by_text("What may I do?").click()
    expect(page.locator("#may ol")).to_contain_text("Ana keeps 1 1 1 and banks 1000")
    expect(page.locator("#may ol li").first).to_contain_text("Ana 1050")
    check_fits(page, least=40)
    banked = {"move": "Keep", "dice": [1, 1, 1, 5], "bank": True}
    server.post(f"matches/{match['id']}/moves", {"moves": [banked], "after": match["seq"]})

    expect(page.locator("#may div")).to_have_text(re.compile("Ben rolls …"))
