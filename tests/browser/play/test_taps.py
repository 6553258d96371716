"""Quick and repeated taps on the page of a match: a nervous finger counts once."""

import pytest
from playwright.sync_api import expect

from tests.browser.phones import HeldRequests, double_tap
from tests.browser.play.test_games import live_match
from tests.grids import few

pytestmark = pytest.mark.browser

ROLL = "Ana rolls 3"
# A second tap the moment the page has changed, where the first one was.
TAP_AGAIN = """([x, y]) => {
  const tap = () => document.elementFromPoint(x, y).dispatchEvent(new PointerEvent('click', {
    bubbles: true, cancelable: true, detail: 1, pointerType: 'touch', clientX: x, clientY: y}));
  new MutationObserver((_, once) => { once.disconnect(); tap(); window.tapped = true; })
    .observe(document.querySelector('#tally'),
      {childList: true, characterData: true, subtree: true});
}"""


def pig(opened, server):
    return live_match(opened, server, "pig", "Ana", "Ben")


def middle(found):
    box = found.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def counted_once(page, steps=1):
    expect(page.locator(".history > li")).to_have_count(steps)
    page.wait_for_timeout(700)
    expect(page.locator(".history > li")).to_have_count(steps)


def test_two_quick_taps_a_double_click_and_a_held_key_count_one_roll_each(opened, server):
    page = pig(opened, server)

    double_tap(page, *middle(page.get_by_role("button", name=ROLL)))

    counted_once(page)
    page.touchscreen.tap(*middle(page.get_by_role("button", name=ROLL)))  # a new roll
    counted_once(page, 2)
    page.mouse.dblclick(*middle(page.get_by_role("button", name=ROLL)), delay=60)
    counted_once(page, 3)

    page.get_by_role("button", name=ROLL).focus()
    page.keyboard.down("Enter")
    expect(page.locator(".history > li")).to_have_count(4)
    for _ in range(5):
        page.keyboard.down("Enter")  # it repeats
    page.keyboard.up("Enter")
    counted_once(page, 4)


def test_a_tap_on_what_has_just_come_under_the_finger_is_none(opened, server):
    page = pig(opened, server)
    place = middle(page.get_by_role("button", name=ROLL))
    page.evaluate(TAP_AGAIN, place)

    page.touchscreen.tap(*place)

    expect(page.locator(".history > li")).to_have_count(1)
    assert page.evaluate("window.tapped")
    counted_once(page)


def test_a_press_that_began_before_the_page_changed_is_none(opened, server):
    """The button stays, but another phone has made another move of it."""
    page = pig(opened, server)
    page.mouse.move(*middle(page.get_by_role("button", name=ROLL)))
    page.mouse.down()
    match = page.url.rpartition("/m/")[2]
    server.post(f"matches/{match}/moves", {"after": 0, "moves": [{"move": "Roll", "pips": 3}]})
    expect(page.locator(".history > li")).to_have_count(1)

    page.mouse.up()

    counted_once(page)


@pytest.mark.parametrize(("answer", "number"), few([("Count mine too", 2), ("Drop mine", 1)]))
def test_a_roll_after_that_of_another_phone_counts_or_is_dropped(opened, server, answer, number):
    page = pig(opened, server)
    match = page.url.rpartition("/m/")[2]

    def first(route):
        move = {"move": "Roll", "pips": 3}
        server.post(f"matches/{match}/moves", {"after": 0, "moves": [move]})
        route.continue_()

    page.route("**/moves", first, times=1)
    page.get_by_role("button", name=ROLL).click()
    said = page.locator("#entry-says")
    expect(said).to_contain_text("Another phone was first: ")
    expect(said).to_contain_text("rolls 3")
    expect(page.locator(".history > li")).to_have_count(1)

    page.get_by_role("button", name=answer).click()

    expect(page.get_by_role("button", name=answer)).to_have_count(0)
    expect(page.locator(".history > li")).to_have_count(number)


@pytest.mark.release
def test_two_taps_on_count_it_do_not_open_the_camera(opened, server):
    """Where the button was is the camera once the roll is counted."""
    page = opened(server.match("sum", "Ana", "Ben")["url"])
    chosen = []
    page.on("filechooser", lambda one: chosen.append(one))  # noqa: PLW0108  # needs a function
    page.get_by_role("button", name="Tap in").click()
    page.get_by_role("button", name="add white 4", exact=True).click()
    expect(page.locator("#confirm")).to_have_attribute("aria-disabled", "false")

    double_tap(page, *middle(page.locator("#confirm")))

    counted_once(page)
    assert chosen == []
    expect(page.locator("dialog.finder")).to_have_count(0)
    page.touchscreen.tap(*middle(page.locator("#camera-part")))
    expect(page.locator("dialog.finder")).to_be_visible()


def before_its_scripts(opened, address):
    """Open the page of a match whose scripts are on their way."""
    page = opened("about:blank", own=True)
    late = HeldRequests("**/match.js*").of(page)
    page.goto(address, wait_until="commit")
    return page, late


@pytest.mark.release
def test_what_waits_for_scripts_says_so_and_what_was_opened_before_them_is_filled(opened, server):
    page, late = before_its_scripts(opened, server.match("sum", "Ana", "Ben")["url"])
    expect(page.get_by_role("button", name="Tap in")).to_be_disabled()
    page.locator("#players > summary").click()

    late.go_on()

    expect(page.locator("#player-0")).to_be_visible()
    page.get_by_role("button", name="Tap in").click()
    expect(page.locator("#look")).to_be_visible()
