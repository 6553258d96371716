"""An answer that comes late belongs to what was asked, not to what is shown by then."""

import re

import pytest
from playwright.sync_api import Route, expect

from tests.browser.phones import HeldRequests, eyes, photo
from tests.browser.race_pages import CELLS, answer, cell, confirm, ready_match, take_photo

pytestmark = pytest.mark.browser

# The first picture is ready to be sent only when the test says so.
SLOW_FIRST = """() => {
  const make = createImageBitmap;
  let first = true;
  window.createImageBitmap = async (...given) => {
    if (!first) return make(...given);
    first = false;
    await new Promise((done) => (window.ready = done));
    const made = await make(...given);
    window.made = true;
    return made;
  };
}"""

SIZES = """() => {
  window.sizes = [];
  const { send } = XMLHttpRequest.prototype;
  XMLHttpRequest.prototype.send = function (form) {
    window.sizes.push(form.get("photo").size);
    send.call(this, form);
  };
}"""
# Resolves when what has arrived is drawn.
DRAWN = "() => new Promise((done) => setTimeout(() => requestAnimationFrame(done), 100))"


def test_a_photo_that_is_ready_late_is_not_sent_in_the_place_of_the_next(opened, server):
    page = ready_match(opened, server)
    page.evaluate(SLOW_FIRST)
    page.evaluate(SIZES)
    page.route("**/photos*", lambda route: route.abort())
    page.locator("#gallery").set_input_files(photo(1))
    expect(page.locator("#busy-words")).to_contain_text("Getting the photo ready")
    page.locator("#retake").set_input_files(photo(2))
    expect(page.locator("#photo-says")).to_contain_text("cannot be reached")

    page.evaluate("window.ready()")
    page.wait_for_function("() => window.made")
    page.evaluate(DRAWN)
    page.get_by_role("button", name="Send it again").click()

    page.wait_for_function("() => window.sizes.length > 1")
    assert len(set(page.evaluate("window.sizes"))) == 1


def test_a_picture_that_comes_late_leaves_the_photo_that_was_taken_meanwhile(opened, server, show):
    page = ready_match(opened, server)
    take_photo(page, photo(1))
    confirm(page)
    late = HeldRequests(re.compile(r"/sightings/\w+$")).of(page)
    page.get_by_role("link", name="Correct step 2").click()
    page.get_by_role("link", name="Correct it on the photo").click()
    expect(page.locator("#busy-words")).to_contain_text("Getting the picture")
    show(eyes(board="race-02"))
    page.locator("#retake").set_input_files(photo(2))
    expect(page.locator(CELLS)).to_have_count(9)

    with page.expect_response(re.compile(r"/sightings/\w+$")):
        late.go_on()

    expect(page.get_by_role("button", name="Count it")).to_have_attribute("aria-disabled", "false")
    expect(page.get_by_role("button", name="See what that changes")).to_have_count(0)


def test_an_older_list_of_players_does_not_replace_the_newer_one(opened, server):
    match = server.match("pig", "Ada", "Ben")
    page = opened(match["url"])
    late: list[tuple[Route, str]] = []
    page.route("**/players/list", lambda route: late.append((route, route.fetch().text())), times=1)
    with page.expect_request("**/players/list"):
        page.locator("#players > summary").click()
    while not late:
        page.evaluate(DRAWN)

    with page.expect_response("**/players/list"):
        renamed = {"move": "Rename", "seat": 0, "name": "Adele"}
        server.post(f"matches/{match['id']}/moves", {"after": 0, "moves": [renamed]})
    expect(page.locator("#player-0 summary")).to_have_text("Adele")
    ((route, text),) = late
    with page.expect_response("**/players/list"):
        route.fulfill(body=text, content_type="text/html")
    page.evaluate(DRAWN)

    expect(page.locator("#player-0 summary")).to_have_text("Adele")


def test_what_is_looked_at_when_the_match_ends_is_not_lost(opened, server):
    match = server.match("sum", "Ada", "Ben")
    page = opened(match["url"])
    page.get_by_role("button", name="Tap in").click()
    page.get_by_role("button", name="add white 1", exact=True).click()

    sent = {"after": match["seq"], "moves": [{"move": "EndMatch"}]}
    server.post(f"matches/{match['id']}/moves", sent)

    expect(page.locator("#result-title")).to_be_visible()
    expect(page.locator("#undecided")).to_contain_text("the game has moved on")
    page.get_by_role("button", name="Drop it").click()
    expect(page.locator("#undecided")).to_be_hidden()


def test_a_correction_stays_while_the_step_before_it_is_undone_on_another_phone(opened, server):
    page = ready_match(opened, server)
    late = HeldRequests("**/photos*").of(page)
    page.locator("#camera").set_input_files(photo(1))
    expect(page.locator("#busy")).to_be_visible()
    match = page.url.split("/")[-1]
    server.post(f"matches/{match}/undo", {"after": 1})
    expect(page.locator(".history > li")).to_have_count(2)
    server.post(f"matches/{match}/redo", {"after": 2, "step": 1})
    expect(page.locator(".history > li")).to_have_count(3)

    late.go_on()

    expect(page.locator(CELLS)).to_have_count(9)
    cell(page, 0, 0).locator(".hit").click()
    answer(page, "black", 5)
    expect(cell(page, 0, 0)).to_have_attribute("aria-label", "row 1, column 1: black 5")
