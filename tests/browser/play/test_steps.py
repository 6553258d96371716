"""A step that was read from a photo is corrected on it, taken back and put back, seen by all."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.play.test_games import match
from tests.conftest import AGREE, place
from tests.grids import combined, few
from tests.matches import AGREED, BEGUN

pytestmark = pytest.mark.browser

CENTRE = "Row 2, column 2"
PAIR, PLACED = {"move": "Roll", "low": 1, "high": 2}, place(0, 0, "black", 1)
FELL = {"move": "Roll", "dice": [1, 2, 3, 4, 5, 6]}
KEPT = {"move": "Keep", "dice": [1], "bank": True}


OPENS = ["over the match", "as a page"]
CORRECTED = [
    ("pig", [{"move": "Roll", "pips": 2}], ["Ana rolls 5"], "Ana rolls 5"),
    ("beat_the_odds", [*AGREED, PAIR], ["First die: 5", "Second.*: 6"], "Ana rolls 5-6"),
    ("farkle", [FELL, KEPT], ["Bank 150"], "Ana keeps 1 5"),
    ("purple_house", [AGREE, PLACED], [CENTRE, "Black 4"], f"Black 4 on r{CENTRE[1:]}"),
]


@pytest.mark.parametrize(("corrected", "opens"), combined(few(CORRECTED, 3), OPENS))
def test_a_move_is_corrected_by_taps_on_the_panel_that_entered_it(opened, server, corrected, opens):
    game, moves, taps, becomes = corrected
    made = server.match(game, "Ana", "Ben", opening=moves[:-1])
    server.play(made, moves[-1])
    page = opened(made["url"])
    if opens == "as a page":
        page.goto(f"{made['url']}/step/{len(moves)}/correct")
    else:
        page.get_by_role("link", name=f"Correct step {len(moves)}", exact=True).click()
    panel = page.locator("#correction-entry")

    for words in taps:
        expect(page.locator("#correction-entry-says")).not_to_contain_text("tap counts")
        panel.get_by_role("button", name=re.compile(words)).first.click()
    expect(page.get_by_role("heading", name="This step")).to_be_visible()
    page.get_by_role("button", name="Correct it").click()

    expect(page.locator(".history .said").first).to_contain_text(becomes)


def test_a_page_older_than_its_server_says_so_and_offers_to_load_it_again(opened, server):
    """It said that the server cannot be reached; the script had moved with the upgrade."""
    page = match(opened, server, "pig", "Ana", "Ben", opening=[{"move": "Roll", "pips": 2}])
    moved = re.compile(r"/joined/(panel|watch)\.js$")
    page.context.route(moved, lambda route: route.fulfill(status=404))
    for opener, box in (
        ("#watch-open", "#not-now"),
        ("[href$='/step/1/correct']", "dialog.over"),
    ):
        page.locator(opener).first.dispatch_event("click")
        expect(page.locator(box)).to_contain_text("This page is of an older version of the server")
    page.context.unroute(moved)
    page.locator("dialog.over").get_by_role("button", name="Load the page again").click()

    expect(page.locator("dialog.over")).to_have_count(0)
    page.get_by_role("link", name="Correct step 1", exact=True).click()
    expect(
        page.locator("#correction-entry").get_by_role("button", name="Ana rolls 5")
    ).to_be_visible()


@pytest.mark.parametrize("opens", few(OPENS))
def test_a_turn_of_dice_wide_shut_is_corrected_on_its_sheet(opened, server, opens):
    page = match(opened, server, "dice_wide_shut", "Ana", "Ben", opening=BEGUN["dice_wide_shut"])
    for words in ("take red 1", "take red 2"):
        page.get_by_role("button", name=words).click()
    page.locator("#foot .main").click()
    expect(page.locator("#prompt")).to_contain_text("Ben takes dice")
    correct_last = page.get_by_role("link", name=re.compile("^Correct step")).first
    if opens == "as a page":
        page.goto(str(correct_last.evaluate("link => link.href")))
    else:
        correct_last.click()
    page.get_by_role("link", name="Another move").first.click()
    panel = page.locator("#correction-entry")

    for words in ("take blue 1", "take blue 2"):
        panel.get_by_role("button", name=words).first.click()
    expect(panel.locator(".square.new")).to_have_count(2)
    panel.locator(".entry-foot .main").click()

    expect(page.get_by_role("heading", name="This step")).to_be_visible()
    page.get_by_role("button", name="Correct it").click()
    expect(page.locator(".history .said").first).to_contain_text("blue 1")
