"""What the bar leaves in sight, and how scores stand beside each other, on small screens."""

import pytest
from playwright.sync_api import expect

from tests.browser.phones import photo
from tests.browser.play.test_focus import take
from tests.browser.race_pages import ready_match, take_photo
from tests.browser.sight.fits import LARGE_TEXT, check_fits
from tests.grids import every_value
from tests.matches import BEGUN

pytestmark = pytest.mark.browser

SMALL, PHONE = {"width": 360, "height": 640}, {"width": 390, "height": 844}
BAR = "[...document.querySelectorAll('.dock')].find(one => one.checkVisibility()).offsetHeight"


def check_bar(page, share):
    """Hold that the bar takes at most this share of the screen's height, once it has settled."""
    most = share * page.viewport_size["height"]
    page.wait_for_timeout(100)
    page.wait_for_function(f"most => {BAR} <= most", arg=most)


@pytest.mark.release
def test_the_bar_leaves_the_page_of_a_low_phone_in_sight(opened, server):
    page = ready_match(opened, server)
    page.set_viewport_size(SMALL)

    check_bar(page, 0.12)
    for name in ("Tap in", "Photograph the board", "Undo"):
        expect(page.locator("#bar").get_by_text(name).first).to_be_visible()
    page.get_by_role("button", name="Other ways to photograph").click()
    expect(page.locator("#ways").get_by_text("Choose")).to_be_visible()
    page.keyboard.press("Escape")
    take_photo(page, photo(1))
    check_bar(page, 0.15)
    shown, bar = page.locator("#stage").bounding_box(), page.locator("#look .dock").bounding_box()
    assert shown["y"] + shown["height"] <= bar["y"]  # every die of the photo is in sight
    check_fits(page)


@pytest.mark.release
def test_the_bar_leaves_the_dice_to_tap_in_sight(opened, server):
    opening = BEGUN["dice_wide_shut"]
    page = opened(server.match("dice_wide_shut", "Ana", "Ben", opening=opening)["url"])
    page.set_viewport_size(SMALL)
    take(page)

    expect(page.locator("#foot .main")).to_be_visible()

    check_bar(page, 0.25)  # what it counts, and the button


FELL = {"move": "Roll", "dice": [1, 1, 1, 4, 5, 6]}


def test_every_way_in_stays_where_the_dock_has_two_buttons(opened, server):
    page = opened(server.match("farkle", "Ana", "Ben", opening=[FELL])["url"])
    for width, height in ((360, 740), (844, 390)):
        page.keyboard.press("Escape")
        page.set_viewport_size({"width": width, "height": height})
        expect(page.locator("#foot button")).to_have_count(2)
        check_bar(page, 0.22)
        page.get_by_role("button", name="Other ways to photograph").click()
        for name in ("Choose", "Watch"):
            expect(page.locator("#ways").get_by_text(name)).to_be_visible()

    page.locator("#ways").get_by_role("button", name="Photo").click()

    expect(page.locator("dialog.finder")).to_be_visible()
    expect(page.locator("#ways")).to_be_hidden()


def test_large_text_leaves_the_score_and_the_board_of_the_panel_in_sight(opened, server):
    page = ready_match(opened, server)
    board, keys = page.locator("#entry .keys").all()
    assert keys.bounding_box()["y"] < board.bounding_box()["y"] + board.bounding_box()["height"]

    page.evaluate(LARGE_TEXT)

    panel, shown = page.locator("#entry").bounding_box(), board.bounding_box()
    assert shown["x"] + shown["width"] < panel["x"] + panel["width"]
    assert keys.bounding_box()["y"] > shown["y"] + shown["height"]  # not beside it any more
    page.set_viewport_size(PHONE)
    check_bar(page, 0.2)
    score, bar = (page.locator(one).bounding_box() for one in ('[data-score="0"]', "#bar"))
    assert score["y"] + score["height"] <= bar["y"]
    check_fits(page)
    page.get_by_role("button", name="Tap in").click()
    page.keyboard.press("Escape")
    check_bar(page, 0.25)
    check_fits(page)


@pytest.mark.release
@every_value(seats=[2, 3, 4, 5], width=[360, 390, 1280])
def test_the_scores_fill_their_rows(opened, server, width, seats):
    names = ("Ana", "Ben", "Cleo", "Dan", "Eva")[:seats]
    page = opened(server.match("gords", *names)["url"])
    page.set_viewport_size({"width": width, "height": 844})

    boxes = [one.bounding_box() for one in page.locator(".score").all()]
    rows = {}
    for box in filter(None, boxes):
        rows[box["y"]] = max(rows.get(box["y"], 0), box["x"] + box["width"])
    whole = page.locator(".tally").bounding_box()
    assert list(rows.values()) == pytest.approx([whole["x"] + whole["width"]] * len(rows), abs=1)


@pytest.mark.release
def test_the_numbers_of_a_sheet_stand_clear_of_the_bar(opened, server):
    names = ("Ana", "Ben", "Cleo", "Dan", "Eva", "Fay")
    page = opened(server.match("sum", *names)["url"])
    page.set_viewport_size({"width": 1280, "height": 900})
    last = page.locator(".numbers input[type=number]").last

    expect(last).to_be_in_viewport(ratio=1)
    field, bar = last.bounding_box(), page.locator("#bar").bounding_box()
    assert field["y"] + field["height"] <= bar["y"]
    last.fill("12")
    enter = page.locator("#foot").get_by_role("button", name="Enter these")
    expect(enter).to_be_in_viewport(ratio=1)


# Places of the strip whose mark or score is not whole.
CUT = """places => places.filter((place) => {
  const [mark, score] = ['.seat-mark', 'b'].map((part) => place.querySelector(part));
  const [box, shown] = [place, score].map((one) => one.getBoundingClientRect());
  return mark.getBoundingClientRect().width < 8 || shown.right > box.right || shown.height > 18;
}).length"""


def test_the_strip_shows_the_mark_and_the_whole_score_of_twelve_seats(opened, server):
    points = [{"move": "Enter", "seat": seat, "points": 1250 + seat} for seat in range(12)]
    names = [f"Maximiliane {letter}" for letter in "ABCDEFGHIJKL"]
    page = opened(server.match("sum", *names, opening=points)["url"])

    places = page.locator("#strip .stand")
    expect(places).to_have_count(12)
    for width, height in ((360, 740), (844, 390), (390, 844)):
        page.set_viewport_size({"width": width, "height": height})
        assert places.evaluate_all(CUT) == 0, width
