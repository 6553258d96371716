"""Even at Odds: dominoes on the entry panel, laid by tap, by drag and by keyboard."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.play.test_games import live_match, steps
from tests.matches import BEGUN

pytestmark = pytest.mark.browser

AGREED = BEGUN["even_at_odds"]
MAIN = "#foot .main"
FREE = "#entry .place.free"
OVER = "#entry .place.over"


def table(opened, server):
    """Open a game in which the six tiles of the foundation lie."""
    page = live_match(opened, server, "even_at_odds", "Ana", "Ben", opening=AGREED)
    expect(page.locator(".laid > .domino")).to_have_count(6)
    return page


def tile(page, name):
    return page.locator(f'#entry [data-tiles] [data-key="{name}"]')


def test_a_tile_is_laid_by_three_taps_a_place_shows_its_score_or_why_it_is_refused(opened, server):
    page = table(opened, server)
    tile(page, "2-4").click()
    place = page.get_by_role("button", name=re.compile("a 2, 1 tile high. Stack the 2-4")).first
    worth = place.inner_text()
    page.locator("#entry .place:not(.free)").first.click()
    says = page.locator("#entry-says")
    expect(says).to_have_attribute("role", "alert")
    expect(says).to_contain_text("neither half of 2-4 touches its own number", ignore_case=True)
    expect(says.locator(".rule")).to_have_text("EO-5")
    expect(page.locator(MAIN)).to_have_attribute("aria-disabled", "true")

    place.click()
    expect(page.locator(".laid .ghost .height")).to_have_text("2")
    expect(page.locator("#entry-says")).to_have_text(re.compile("^[24] on [24]: level 2"))
    expect(page.locator(MAIN)).to_contain_text("Stack the 2-4")
    expect(page.locator(f"{MAIN} small")).to_have_text(re.compile(rf"Ana (2 → )?{worth}, Ben"))
    page.locator(MAIN).click()

    steps(page, 2)
    expect(page.locator(".laid > .domino")).to_have_count(7)
    expect(page.locator("#prompt")).to_contain_text("Ben")
    expect(page.locator("#entry .key").first).to_be_focused()


def test_the_table_is_made_larger_and_smaller_and_on_its_side_has_the_room(opened, server):
    page = table(opened, server)
    half = page.locator(".laid .place").first
    usual = half.bounding_box()["width"]

    page.get_by_role("button", name="Smaller").tap()
    assert half.bounding_box()["width"] < usual
    for _ in range(2):
        page.get_by_role("button", name="Larger").tap()
    assert half.bounding_box()["width"] > usual
    page.set_viewport_size({"width": 844, "height": 390})
    tile(page, "2-4").tap()

    felt, panel = page.locator("#entry .table").bounding_box(), page.locator("#bar").bounding_box()
    assert felt["height"] > 300
    assert felt["x"] + felt["width"] <= panel["x"] + 1


@pytest.mark.release
def test_a_tile_is_turned_by_a_button_and_by_a_tap_on_it(opened, server):
    page = table(opened, server)
    tile(page, "2-4").click()
    page.get_by_role("button", name="a 4, 1 tile high. Stack the 2-4").first.click()
    expect(page.locator(OVER)).to_have_count(2)
    before = page.locator(".laid .ghost").get_attribute("data-area")

    page.get_by_role("button", name="Rotate").click()
    ghost = page.locator(".laid .ghost")
    expect(ghost).not_to_have_attribute("data-area", before)
    turned = ghost.get_attribute("data-area")
    page.locator(OVER).first.click()

    expect(ghost).not_to_have_attribute("data-area", turned)


def test_a_tile_is_dragged_to_its_place_and_on(opened, server):
    page = table(opened, server)
    tile(page, "0-1").hover()
    page.mouse.down()
    page.mouse.move(200, 400)
    expect(page.locator(FREE).first).to_be_visible()
    for place in (page.locator(FREE).first, page.locator(FREE).last):
        box = place.bounding_box()
        page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, steps=4)
        expect(page.locator(OVER)).to_have_count(2)
    page.mouse.up()

    expect(page.locator(".domino.lifted")).to_have_count(0)
    expect(page.locator(MAIN)).to_contain_text("the 0-1")
    page.locator(MAIN).click()
    steps(page, 2)


def test_a_tile_is_laid_by_keyboard_and_what_comes_in_its_place_hears_nothing_of_its_taps(
    opened, server
):
    page = table(opened, server)
    tile(page, "2-4").focus()
    page.keyboard.press("Space")
    expect(page.locator(FREE).first).to_be_visible()
    page.locator(FREE).first.focus()
    page.keyboard.press("Enter")
    expect(page.locator(MAIN)).not_to_have_attribute("aria-disabled", "true")
    expect(page.locator(OVER).first).to_be_visible()

    page.keyboard.press("Enter")
    steps(page, 2)
    match = re.search(r"/m/(\w+)", page.url)[1]
    server.post(f"matches/{match}/undo", {"after": 2, "to": 0})

    expect(page.locator("#entry [data-tiles]")).to_have_count(0)
    hears = "all => all.filter(({ onclick, onpointerdown }) => onclick || onpointerdown).length"
    assert page.locator("#entry button").evaluate_all(hears) == 0


@pytest.mark.release
def test_a_hand_shows_that_it_goes_on(opened, server):
    page = table(opened, server)
    tray = page.locator("#entry .tray")

    page.locator("#entry [data-onward]").click()

    page.wait_for_function("() => document.querySelector('#entry .tray').scrollLeft > 100")
    assert tray.evaluate("one => one.scrollWidth > one.clientWidth")
