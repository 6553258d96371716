"""The board that was read from a photo, in Chromium: what stands out, and putting it right."""

import re

import cv2
import numpy as np
import pytest
from playwright.sync_api import expect

from tests.browser.phones import COLOURS, DEMO, HeldRequests, eyes, photo
from tests.browser.race_pages import (
    CELLS,
    GRID,
    ROUND_1,
    answer,
    cell,
    confirm,
    correct,
    expect_score,
    ready_match,
    take_photo,
)
from tests.grids import few
from webui.eyes import photo as bridge

pytestmark = pytest.mark.browser


@pytest.mark.release
def test_a_photo_chosen_before_the_scripts_are_there_is_read(opened, server):
    page = ready_match(opened, server)
    scripts = HeldRequests("**/match.js*").of(page)
    page.reload(wait_until="commit")
    scripts.wait()

    page.locator("#camera").set_input_files(photo(1))
    assert page.locator(CELLS).count() == 0
    scripts.go_on()

    expect(page.locator(CELLS)).to_have_count(9)


def test_a_doubtful_die_stands_out_and_is_asked_about_before_anything_counts(opened, server, show):
    show(eyes(4))
    page = ready_match(opened, server)

    take_photo(page, photo(1))

    doubtful = cell(page, 1, 1)
    expect(doubtful).to_have_attribute("aria-label", "row 2, column 2: black 3, doubtful")
    expect(doubtful.locator(".word")).to_have_text("3?")
    asked = "Row 2, column 2: was the black 3 read correctly?"
    expect(page.locator("#chips")).to_contain_text(asked)
    expect(page.locator(".overlay .doubtful")).to_have_count(1)
    page.get_by_role("button", name="Check 1 die").click()
    page.get_by_role("button", name="black 3: ").click()
    expect(doubtful).to_have_attribute("aria-label", "row 2, column 2: black 3")
    confirm(page)
    expect_score(page, **ROUND_1)


@pytest.mark.release
def test_a_die_with_two_doubts_says_both(opened, server, show):
    show(eyes(4))
    page = ready_match(opened, server)

    def doubt_more(route):
        answer = route.fetch()
        body = answer.json()
        (place,) = [doubt["piece"] for doubt in body["proposal"]["doubts"]]
        body["proposal"]["doubts"].append({"sentence": "treated as black 3", "piece": place})
        route.fulfill(response=answer, json=body)

    page.route("**/photos*", doubt_more)
    take_photo(page, photo(1))

    said = ["Row 2, column 2: was the black 3 read correctly?", "Treated as black 3"]
    expect(page.locator("#chips-says p")).to_have_text(said)


@pytest.mark.parametrize("by", few(["photo", "cell"]))
def test_a_place_where_a_die_may_lie_is_tapped_and_answered(opened, server, show, by):
    show(eyes(missing=8))
    page = ready_match(opened, server)
    take_photo(page, photo(1))
    empty = page.locator(f"{CELLS}[aria-label$=empty]")
    expect(empty).to_have_count(1)
    place = page.locator(".overlay .doubtful")
    expect(place).to_have_text("?")
    expect(page.locator("#photo-says")).to_contain_text("There may be one more piece.")

    if by == "photo":
        place.locator(".hit").click()
        expect(page.locator("#picker-said")).to_contain_text("There may be a die here.")
    else:
        empty.press("Enter")
    answer(page, "black", 2)

    expect(empty).to_have_count(0)
    expect(place).to_have_count(0)
    expect(page.locator("#photo-says")).not_to_contain_text("There may be one more piece.")
    expect(cell(page, 2, 2)).to_have_attribute("aria-label", re.compile("black 2"))
    page.reload()  # what was answered is not asked again
    expect(page.locator(CELLS)).to_have_count(9)
    expect(place).to_have_count(0)


@pytest.mark.release
def test_a_die_that_is_not_read_is_outlined_and_said(opened, server, show):
    show(eyes(numerals=8))
    page = ready_match(opened, server)
    take_photo(page, photo(1))

    expect(page.locator("#overlay .unread .edge")).to_have_css("stroke", "rgb(196, 192, 186)")
    expect(page.locator("#look")).to_contain_text("A die with numerals is not read.")


@pytest.mark.release
def test_a_die_of_a_foreign_colour_is_named_and_tapped_right(opened, server, show):
    show(eyes(board="foreign"))
    page = ready_match(opened, server)
    take_photo(page, photo(1))
    findings = page.locator("#findings")
    expect(findings).to_contain_text("There is a red die on row 2, column 2; this game has black")

    cell(page, 1, 1).locator(".hit").click()
    answer(page, "black", 3)

    expect(findings).not_to_contain_text("red")
    expect(page.get_by_role("button", name="Count it")).to_be_visible()


def test_two_dice_in_a_cell_are_named_once_and_mended_by_one_tap(opened, server, show):
    show(eyes(board="two-in-a-cell"))
    page = ready_match(opened, server)
    take_photo(page, photo(1))
    both = cell(page, 1, 2)
    label = "row 2, column 3: black 2 and white 4, not allowed"
    expect(both).to_have_attribute("aria-label", label)
    expect(both.locator(".place")).to_have_count(1)  # the cell is outlined
    expect(both.locator(".word")).to_have_text(["2!", "4!"])
    expect(page.locator("#picker-title")).to_have_text("Which one belongs above?")
    said = "Row 2, column 3 holds two dice; above it is empty."
    expect(page.locator("#picker-said")).to_contain_text(said)
    expect(page.get_by_text("There are 2 dice on row 2, column 3")).to_be_hidden()

    page.locator("#picker").get_by_role("button", name="White 4: ").click()

    expect(both).to_have_attribute("aria-label", "row 2, column 3: black 2")
    expect(cell(page, 0, 2)).to_have_attribute("aria-label", "row 1, column 3: white 4")
    expect(page.locator("#picker")).to_be_hidden()
    expect(page.locator("#findings")).not_to_contain_text("There are 2 dice")


@pytest.mark.release
def test_of_two_dice_in_a_cell_one_may_be_something_else(opened, server, show):
    show(eyes(board="two-in-a-cell"))
    page = ready_match(opened, server)
    take_photo(page, photo(1))

    page.get_by_role("button", name="Something else").click()
    answer(page, "white", 4)

    expect(cell(page, 1, 2)).to_have_attribute("aria-label", "row 2, column 3: white 4")


@pytest.mark.release
def test_a_photo_is_shrunk_before_it_is_sent_and_can_be_dropped_on_the_page(opened, server, show):
    sizes = []

    def measure(sent, equipment, spot=0):
        sizes.append(cv2.imdecode(np.frombuffer(sent, np.uint8), cv2.IMREAD_COLOR).shape[:2])
        return eyes()(sent, equipment, spot)

    show(measure)
    page = ready_match(opened, server)

    page.evaluate(DROP, [3000, 4000])
    expect(page.locator(CELLS)).to_have_count(9)

    assert sizes == [(1920, 1440)]


DROP = """async ([width, height]) => {
  const canvas = Object.assign(document.createElement('canvas'), {width, height});
  canvas.getContext('2d').fillRect(0, 0, width, height);
  const blob = await new Promise(done => canvas.toBlob(done, 'image/jpeg'));
  const dataTransfer = new DataTransfer();
  dataTransfer.items.add(new File([blob], 'big.jpg', {type: 'image/jpeg'}));
  document.body.dispatchEvent(new DragEvent('drop', {dataTransfer, bubbles: true}));
}"""


def test_the_board_is_corrected_and_counted_by_keyboard_alone(opened, server):
    page = ready_match(opened, server)
    take_photo(page, photo(1))
    press, first = page.keyboard.press, cell(page, 0, 0)

    tab_to(page, '#overlay [data-key="0,0"]')
    press("ArrowRight")
    expect(cell(page, 0, 1)).to_be_focused()
    press("ArrowLeft")
    press("Enter")
    press("ArrowRight")
    press("Enter")
    expect(first).to_have_attribute("aria-label", "row 1, column 1: black 5")
    expect(first).to_be_focused()
    press("Delete")
    expect(first).to_have_attribute("aria-label", "row 1, column 1: empty")
    press("Enter")
    press("Escape")
    expect(page.locator("#picker")).to_be_hidden()
    expect(first).to_be_focused()
    press("Enter")
    press("6")
    expect(first).to_have_attribute("aria-label", "row 1, column 1: black 6")
    expect(page.get_by_role("button", name="Count it")).to_be_visible()
    tab_to(page, "#confirm")
    press("Enter")

    expect_score(page, **ROUND_1)


def tab_to(page, selector):
    for _ in range(40):
        if page.locator(selector).evaluate("element => element === document.activeElement"):
            return
        page.keyboard.press("Tab")
    pytest.fail(f"{selector} is not reached by Tab")


@pytest.mark.release
def test_without_a_camera_our_own_photo_goes_the_same_way(opened, server, show):
    show(bridge.see)  # with the real eyes
    page = opened(server.address)
    page.get_by_role("button", name="Try it with our photo").click()
    expect(page.locator(CELLS)).to_have_count(9)
    expect(page.locator("#overlay image")).to_have_attribute("href", re.compile("^blob:"))

    correct(page, DEMO)
    confirm(page)

    expect(page.locator("#newest-title")).to_have_text("Round 1")
    expect(page).not_to_have_url(re.compile("demo"))


NOT_COVERED = """() => {
  const [at, sheet] = ['.asked-about', '#picker']
    .map((one) => document.querySelector(one).getBoundingClientRect());
  return at.bottom <= sheet.top || at.right <= sheet.left;
}"""


@pytest.mark.parametrize("size", few([(360, 740), (844, 390), (820, 1180)]))
def test_a_round_is_tapped_in_and_the_chooser_does_not_cover_its_cell(opened, server, size):
    page = ready_match(opened, server)
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.get_by_role("button", name="Tap in").click()

    for row, words in enumerate(GRID):
        for column, word in enumerate(words):
            asked = f"Row {row + 1}, column {column + 1}: which die?"
            expect(page.locator("#picker-title")).to_have_text(asked)
            expect(cell(page, row, column)).to_have_class(re.compile("asked-about"))
            page.wait_for_function(NOT_COVERED)
            answer(page, COLOURS[word[0]], int(word[1]))
    expect(page.locator("#picker")).to_be_hidden()
    confirm(page)
    expect_score(page, **ROUND_1)
