"""What goes wrong on the pages: files that are no photo, lost and late answers, other phones."""

import re
import time

import pytest
from playwright.sync_api import expect

from scorer import Die, Table
from tests.browser.phones import HeldRequests, eyes, photo
from tests.browser.race_pages import (
    CELLS,
    ROUND_1,
    answer,
    cell,
    confirm,
    expect_score,
    ready_match,
    take_photo,
)
from tests.conftest import AGREE
from tests.grids import few
from tests.matches import AGREED
from tests.webui import sights
from webui.eyes import photo as bridge

pytestmark = pytest.mark.browser


NO_PHOTOS = [
    ("notes.txt", b"no picture at all", "photo", False),
    ("empty.jpg", b"", "empty", False),
    ("cut.jpg", photo(1).read_bytes()[:4000], "photo", True),  # as far as it goes
    ("board.pdf", b"%PDF-1.4 no picture", "photo", False),
]


@pytest.mark.release
def test_what_is_no_photo_gets_a_sentence_and_another_try(opened, server, show):
    show(bridge.see)
    page = ready_match(opened, server)

    field = page.locator("#camera")
    for name, content, says, shown in NO_PHOTOS:
        field.set_input_files([{"name": name, "mimeType": "image/jpeg", "buffer": content}])
        expect(page.locator("#photo-says")).to_contain_text(says)
        expect(page.locator("#busy")).to_be_hidden()
        expect(page.locator("#stage")).to_be_visible(visible=shown)  # no broken picture
        field = page.locator("#retake")
    field.set_input_files(photo(1))
    expect(page.locator(CELLS)).to_have_count(9)


@pytest.mark.parametrize(
    "pause", few([0.0, 0.7])
)  # s; in the longer one the news come before it fails
def test_a_confirm_whose_answer_was_lost_counts_once(opened, server, pause):
    page = ready_match(opened, server)
    take_photo(page, photo(1))

    def lose(route):
        route.fetch()  # the server stores it
        time.sleep(pause)
        route.abort()

    page.route("**/moves", lose, times=1)
    page.get_by_role("button", name="Count it").click()

    expect(page.locator("#look")).to_be_hidden()
    expect_score(page, **ROUND_1)
    expect(page.locator(".history > li")).to_have_count(2)


def test_of_two_phones_that_confirm_at_once_the_second_is_told_and_keeps_its_corrections(
    opened, server
):
    page = ready_match(opened, server)
    take_photo(page, photo(1))
    cell(page, 0, 0).locator(".hit").click()
    answer(page, "black", 4)

    def be_overtaken(route):
        sent = route.request.post_data_json
        sent |= {"request": "another phone", "moves": sent["moves"][:1]}
        server.post(route.request.url.partition("/api/")[2], sent)
        route.continue_()

    page.route("**/moves", be_overtaken)
    page.get_by_role("button", name="Count it").click()

    notice = page.locator("#look-notice")
    expect(notice).to_have_text("Another phone just moved. Look again.")
    expect(notice).to_be_in_viewport()
    expect(cell(page, 0, 0)).to_have_attribute("aria-label", "row 1, column 1: black 4")
    page.unroute("**/moves")
    confirm(page)  # the other's one die lies there too, so the rest is still a legal step
    expect(page.locator(".history > li")).to_have_count(3)


@pytest.mark.release
def test_a_board_that_another_phone_has_counted_is_not_counted_twice_unasked(opened, server):
    first = ready_match(opened, server)
    second = opened(first.url)
    take_photo(first, photo(1))
    take_photo(second, photo(1))

    confirm(first)

    expect(second.locator("#look-notice")).to_contain_text("has already counted this board")
    expect(second.get_by_role("button", name="Already counted")).to_be_visible()
    second.get_by_role("button", name="Back").click()
    expect_score(second, **ROUND_1)


def test_a_photo_after_a_roll_that_is_corrected_is_first_taken_for_the_next(opened, server, show):
    """The first answer put the next roll in the place of the corrected one."""
    made = server.match("beat_the_odds", "Ana", "Ben", opening=AGREED)
    made = server.play(made, {"move": "Roll", "low": 2, "high": 3})
    dice = [sights.die_at(60 * pips, 60, pips, "white", None) for pips in (1, 2)]
    table = Table(tuple(Die(one["value"], "white", None, 0.99) for one in dice))
    show(lambda *_asked: sights.sight(sights.SHEET, table, dice=dice))
    page = opened(made["url"])
    page.locator("#camera").set_input_files(photo(1))
    expect(page.locator("#preview")).to_contain_text("Ana rolls 1-2")

    right = {"step": made["seq"], "moves": [{"move": "Roll", "low": 2, "high": 5}]}
    server.post(
        f"matches/{made['id']}/moves", {"after": made["seq"], "moves": [], "instead": right}
    )

    expect(page.locator("#look-notice")).to_contain_text("was corrected: Ana rolls 2-5")
    expect(page.locator("#anew")).to_have_text("Replace it with mine")
    page.locator("#confirm", has_text="It is another roll").click()
    expect(page.locator("#anew")).to_be_hidden()
    confirm(page)
    expect(page.locator(".history .said").nth(1)).to_contain_text("Ana rolls 2-5")


@pytest.mark.release
def test_a_late_correction_is_judged_by_its_own_round_and_put_in_place_when_asked(opened, server):
    first = ready_match(opened, server)
    second = opened(first.url)
    take_photo(first, photo(1))
    take_photo(second, photo(1))
    cell(second, 0, 0).locator(".hit").click()
    answer(second, "black", 5)
    expect(second.locator("#preview")).to_contain_text("Row 1: 5 + 1 + 1 = 7")

    confirm(first)

    notice = second.locator("#look-notice")
    expect(notice).to_contain_text("This round is over: another phone has counted the board")
    expect(notice).to_be_in_viewport()
    expect(second.locator("#preview h2")).to_have_text("Round 1")
    expect(second.locator("#findings .wrong")).to_have_count(0)
    second.get_by_role("button", name="Replace it with mine").click()
    expect(second.locator("#look")).to_be_hidden()
    for page in (first, second):
        expect(page.locator(".history > li")).to_have_count(4)  # agreed, theirs, back, mine
        expect(page.locator("#newest-title")).to_have_text("Round 1")
        expect(page.locator("#tally")).to_contain_text("row 1: 5 + 1 + 1 = 7")


@pytest.mark.release
def test_a_board_that_the_other_one_started_is_counted_after_one_answer(opened, server):
    agreed = AGREE | {"black": 1}
    page = opened(server.match("purple_house", "Ana", "Ben", opening=[agreed])["url"])
    expect(page.locator("#prompt")).to_contain_text("Ana (white) starts")  # and five dice are black
    take_photo(page, photo(1))
    expect(page.locator("#findings")).to_contain_text("the colours take turns")

    page.get_by_role("button", name="Did Ben start?").click()
    confirm(page)

    expect(page.locator("#newest-title")).to_have_text("Round 1")
    expect(page.locator(".history .said").nth(1)).to_have_text("Ben starts, Ben has black")


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


@pytest.mark.release
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
    late = []
    page.route("**/players/list", lambda route: late.append((route, route.fetch().text())), times=1)
    with page.expect_request("**/players/list"):
        page.locator("#players > summary").click()
    while not late:
        page.evaluate(DRAWN)

    with page.expect_response("**/players/list"):
        server.play(match, {"move": "Rename", "seat": 0, "name": "Adele"})
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

    server.play(match, {"move": "EndMatch"})

    expect(page.locator("#result-title")).to_be_visible()
    expect(page.locator("#undecided")).to_contain_text("The match ended before it was counted")
    expect(page.locator("#undecided")).not_to_contain_text("phone")  # it was the end
    page.get_by_role("button", name="Drop it").click()
    expect(page.locator("#undecided")).to_be_hidden()


@pytest.mark.release
def test_what_is_looked_at_when_the_seat_is_locked_names_the_other_phone(opened, server):
    match = server.match("sum", "Ada", "Ben")
    page, host = opened(match["url"]), opened(match["url"], own=True)
    page.get_by_role("button", name="Tap in").click()
    page.get_by_role("button", name="add white 1", exact=True).click()

    locks = ({"do": "lock", "seat": seat, "phone": "2"} for seat in ("0", "1"))
    for form in ({"do": "begin"}, *locks):
        assert host.request.post(f"{match['url']}/phones", form=form).ok

    expect(page.locator("#undecided")).to_contain_text("Ada plays on another phone")


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
