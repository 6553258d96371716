"""Help where a player stands: rules behind refusals, legal moves, the guide, the coach."""

import re

import pytest
from playwright.sync_api import expect

from scorer.games import GAMES
from tests.browser.phones import photo
from tests.browser.play.test_games import match
from tests.browser.play.test_panel import DOCK, HEIGHT, tap
from tests.browser.race_pages import answer, cell, ready_match, take_photo
from tests.browser.sight.fits import LARGE_TEXT, check_fits
from tests.browser.sight.test_axe import check
from tests.grids import few
from tests.matches import BEGUN

pytestmark = pytest.mark.browser
ROLLED = {"move": "Roll", "dice": [1, 1, 1, 4, 5, 6]}


def test_a_refusal_opens_its_rule_over_the_dice_that_were_tapped(opened, server):
    page = ready_match(opened, server)
    take_photo(page, photo(1))
    for column in range(2):  # seven black dice
        cell(page, 2 * column, 1 - column).click()
        answer(page, "black", 1)

    expect(page.locator("#findings")).to_contain_text("the colours take turns")
    expect(page.get_by_role("button", name="Cannot be counted yet")).to_be_visible()
    page.locator("#findings a.rule").first.click()

    rule = page.locator("dialog#rule")
    expect(rule.locator("h2")).to_contain_text("PH-4")
    expect(rule.locator("section")).to_be_focused()
    check_fits(page, least=44)
    check(page)
    rule.get_by_role("button", name="Close").click()
    expect(rule).to_be_hidden()
    expect(cell(page, 0, 1)).to_have_accessible_name("row 1, column 2: black 1")
    expect(page.locator("#photo, #overlay").first).to_be_attached()
    assert len(page.context.pages) == 1


@pytest.mark.release
def test_a_confirm_that_is_refused_names_its_rule(opened, server):
    page = ready_match(opened, server)
    take_photo(page, photo(1))
    refused = {"error": {"kind": "Illegal", "sentence": "That is not allowed.", "rule": "PH-5"}}
    page.route("**/moves", lambda route: route.fulfill(status=422, json=refused))
    page.get_by_role("button", name="Count it").click()

    page.locator("#look-notice a.rule").click()

    expect(page.locator("#look-notice")).to_have_text("That is not allowed.PH-5")
    expect(page.locator("dialog#rule h2")).to_contain_text("PH-5")


@pytest.mark.release
def test_a_rule_that_is_linked_stands_out_on_the_page_of_all(opened, server):
    page = opened(f"{server.address}rules/purple_house#PH-5")

    around = page.locator("#PH-5").evaluate("element => getComputedStyle(element).backgroundColor")
    other = page.locator("#PH-4").evaluate("element => getComputedStyle(element).backgroundColor")

    assert around != other
    expect(page.locator("#PH-5")).to_be_in_viewport()


@pytest.mark.release
def test_the_rules_of_a_game_fit_a_phone_and_a_television(opened, server):
    page = opened("about:blank")
    for name in few(GAMES, 3):
        page.goto(f"{server.address}rules/{name}")
        check_fits(page, least=32, widths=(320, 360, 820, 1280, 1920))
        page.evaluate(LARGE_TEXT)
        check_fits(page, least=32, widths=(360,))


@pytest.mark.release
def test_what_may_be_done_is_one_tap_away_and_follows_the_match(opened, server):
    match = server.match("farkle", "Ana", "Ben", opening=[ROLLED])
    page = opened(match["url"])

    page.get_by_text("What may I do?").click()
    expect(page.locator("#may ol")).to_contain_text("Ana keeps 1 1 1 and banks 1000")
    expect(page.locator("#may ol li").first).to_contain_text("Ana 1050")
    check_fits(page, least=40)
    server.play(match, {"move": "Keep", "dice": [1, 1, 1, 5], "bank": True})

    expect(page.locator("#may div")).to_have_text(re.compile("Ben rolls …"))


def begin_anew(page):
    """Make it the first match of whoever holds the phone."""
    page.evaluate("localStorage.guide = ''")
    page.reload()


def bubbles(page):
    return page.locator(".bubble:not([hidden])")


def test_the_guide_of_a_first_match_goes_along_and_ends_when_a_photo_is_counted(opened, server):
    page = ready_match(opened, server)
    begin_anew(page)

    expect(bubbles(page)).to_contain_text("1. Photograph.")
    assert page.evaluate(HEIGHT) <= DOCK
    assert page.locator(".dock .bubble").count() == 0  # it is a card in the table
    check_fits(page)
    take_photo(page, photo(1))
    expect(bubbles(page)).to_contain_text("2. Look and correct.")
    check_fits(page)
    page.get_by_role("button", name="Next tip").press("Enter")
    expect(bubbles(page)).to_contain_text("3. Count.")
    expect(page.locator("#guide-3")).to_be_focused()
    check_fits(page)
    page.locator("#confirm").click()

    expect(page.locator("#look")).to_be_hidden()
    expect(bubbles(page)).to_have_count(0)


@pytest.mark.release
def test_one_tap_ends_the_guide_for_good_and_for_every_match(opened, server):
    page = ready_match(opened, server)
    begin_anew(page)

    page.get_by_role("button", name="No more tips").click()

    expect(page.locator("#camera")).to_be_focused()
    take_photo(page, photo(1))
    expect(bubbles(page)).to_have_count(0)
    page.goto(server.match("pig", "Ana", "Ben")["url"])
    expect(page.locator("#state")).to_have_text("live")
    expect(bubbles(page)).to_have_count(0)


@pytest.mark.release
def test_nobody_is_guided_on_a_television_or_without_scripts(opened, server):
    match = server.match("pig", "Ana", "Ben")["url"]
    far = opened(match, viewport={"width": 1920, "height": 1080})
    begin_anew(far)
    plain = opened(match, java_script_enabled=False)

    expect(far.locator("#state")).to_have_text("live")
    expect(bubbles(far)).to_have_count(0)
    expect(bubbles(plain)).to_have_count(0)
    expect(plain.get_by_text("Photos need scripts")).to_be_visible()
    plain.locator("a.rule, a[href$='/rules']").first.click()
    expect(plain.locator("#PIG-2")).to_be_visible()


TILES, HAND = BEGUN["even_at_odds"], "2-6 0-4 3-5 1-2 4-6 0-0 1-5"


@pytest.mark.release
def test_the_coach_lays_a_tile_of_the_hand_that_is_typed_for_it(opened, server):
    page = match(opened, server, "even_at_odds", "Ana", "Ben", opening=TILES, coach_plays=1)

    expect(page.locator("#coach")).to_contain_text("Ana's tiles are unknown")
    page.get_by_label("What Ana holds").fill(HAND)
    page.locator("#coach").get_by_role("button", name="Ask").click()
    expect(page.locator("#coach")).to_contain_text("to win, estimated from")
    page.get_by_role("button", name="Done on the table").click()

    expect(page.locator("#prompt")).to_contain_text("Ben lays a tile")
    expect(page.locator("#coach")).to_have_count(0)


DONE = "#coach [data-play] button"


def test_the_coach_takes_dice_and_marks_them_in_sight(opened, server):
    """On a phone the panel with the sheet covered what the coach says."""
    opening = BEGUN["dice_wide_shut"]
    page = match(opened, server, "dice_wide_shut", "Ana", "Ben", opening=opening, coach_plays=1)

    expect(page.locator("#coach")).to_contain_text("Take")
    tap(page, DONE)
    expect(page.locator("#prompt")).to_contain_text("Ana marks")
    expect(page.locator("#coach")).to_contain_text("checks")
    tap(page, DONE)

    expect(page.locator("#prompt")).to_contain_text("Ben takes dice")
