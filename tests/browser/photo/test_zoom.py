"""The photo of a look is brought nearer by fingers and buttons; what is seen is what is pressed."""

import pytest
from playwright.sync_api import expect

from tests.browser.phones import photo, wait_until
from tests.browser.photo.test_on_the_photo import SCREENS
from tests.browser.race_pages import CELLS, ready_match
from tests.grids import few
from tests.matches import BEGUN
from tests.webui import sights

pytestmark = [pytest.mark.browser, pytest.mark.release]

DOUBTFUL = ("red", 3, 1)
NEAR = 40  # px of a cell that a finger hits
BOX = """selector => {
  const { x, y, width, height } = document.querySelector(selector).getBoundingClientRect();
  return [x + width / 2, y + height / 2, Math.min(width, height)];
}"""
CORNER = """() => {
  const { left, top } = document.querySelector('#overlay').getBoundingClientRect();
  return [left + 12, top + 12];
}"""
AT = """([x, y]) => document.elementFromPoint(x, y).closest('[data-key]').dataset.key"""


def sheet(opened, server, show, *doubtful):
    """Photograph a sheet of sixty cells, of which some are *doubtful*."""
    opening = BEGUN["dice_wide_shut"]
    page = opened(server.match("dice_wide_shut", "Ana", "Ben", opening=opening)["url"])
    show(lambda *_asked: sights.sheet({("red", 2, 0), DOUBTFUL}, doubtful))
    page.locator("#camera").set_input_files(photo(1))
    expect(page.locator("#overlay .mark")).to_have_count(60)
    return page


def box(page, key):
    """Return where the middle of a piece is shown, and its shorter side, px."""
    measured: list[float] = page.evaluate(BOX, f'#overlay [data-key="{key}"] .hit')
    return measured


def side(page, key):
    return box(page, key)[2]


def middle(page, key):
    x, y, _side = box(page, key)
    return x, y


def fingers(page, *frames):
    """Touch the page with several fingers at once; each of *frames* is where they are then."""
    touch = page.context.new_cdp_session(page)
    kinds = ["touchStart", *["touchMove"] * (len(frames) - 1)]
    for kind, places in zip(kinds, frames, strict=True):
        points = [{"x": x, "y": y, "id": finger} for finger, (x, y) in enumerate(places)]
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    touch.detach()


def test_a_small_cell_that_is_asked_about_comes_near_until_it_is_answered(opened, server, show):
    page = sheet(opened, server, show, DOUBTFUL)

    expect(page.locator("#chips")).to_be_visible()
    wait_until(page, lambda: side(page, "red,3,1") >= NEAR)  # it is asked about first
    page.get_by_role("button", name="checked: ").click()
    wait_until(page, lambda: side(page, "red,3,1") < NEAR)  # the whole sheet again

    page.touchscreen.tap(*middle(page, "red,0,4"))
    expect(page.locator("#chips")).to_contain_text("row 1, column 5")
    wait_until(page, lambda: side(page, "red,0,4") >= NEAR)
    page.touchscreen.tap(*middle(page, "red,0,3"))  # its neighbour was meant
    expect(page.locator("#chips")).to_contain_text("row 1, column 4")


def test_two_fingers_zoom_one_moves_and_two_taps_go_there_and_back(opened, server, show):
    page = sheet(opened, server, show)
    small = side(page, "red,2,2")
    x, y = middle(page, "red,2,2")

    fingers(page, [(x - 10, y), (x + 10, y)], [(x - 40, y), (x + 40, y)])

    wait_until(page, lambda: side(page, "red,2,2") == pytest.approx(4 * small, rel=0.02))
    assert page.evaluate(AT, [x, y]) == "red,2,2"  # what was between the fingers is there still
    assert page.evaluate("visualViewport.scale") == 1
    fingers(page, [(x, y)], [(x + 15, y + 15)], [(x + 30, y + 20)])
    wait_until(page, lambda: page.evaluate(AT, [x + 30, y + 20]) == "red,2,2")
    expect(page.locator("#chips")).to_be_hidden()  # it was no tap

    for larger in (False, True):
        corner = page.evaluate(CORNER)
        page.touchscreen.tap(*corner)
        for _ in range(20):  # the second tap may come too late to belong to the first
            page.touchscreen.tap(*corner)
            if (side(page, "red,2,2") > 1.5 * small) is larger:
                break
        assert (side(page, "red,2,2") > 1.5 * small) is larger


@pytest.mark.parametrize("screen", few(["phone", "television", "laptop"]))
def test_buttons_zoom_a_drag_moves_and_a_new_photo_begins_anew(opened, server, show, screen):
    width, height = SCREENS[screen]
    page = ready_match(opened, server)
    page.set_viewport_size({"width": width, "height": height})
    page.locator("#camera").set_input_files(photo(1))
    expect(page.locator(CELLS)).to_have_count(9)
    whole, out = side(page, "1,1"), page.get_by_role("button", name="Smaller", exact=True)
    expect(out).to_have_attribute("aria-disabled", "true")

    page.get_by_role("button", name="Larger", exact=True).press("Enter")

    wait_until(page, lambda: side(page, "1,1") == pytest.approx(2 * whole, rel=0.02))
    x, y = middle(page, "1,1")
    page.mouse.move(x, y)
    under = page.evaluate(AT, [x, y])
    page.mouse.down()
    page.mouse.move(x + 30, y + 10)
    page.mouse.move(x + 40, y + 20)
    page.mouse.up()
    wait_until(page, lambda: page.evaluate(AT, [x + 40, y + 20]) == under)
    expect(page.locator("#chips")).to_be_hidden()
    page.mouse.click(x + 40, y + 20)
    expect(page.locator("#chips")).to_be_visible()
    page.locator("#retake").set_input_files(photo(1))
    expect(out).to_have_attribute("aria-disabled", "true")
    expect(page.locator(CELLS)).to_have_count(9)
    wait_until(page, lambda: side(page, "1,1") == pytest.approx(whole, rel=0.02))
