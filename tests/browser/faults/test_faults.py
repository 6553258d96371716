"""What goes wrong on the pages: files that are no photo, lost answers, other phones."""

import time

import pytest
from playwright.sync_api import expect

from tests.browser.phones import photo
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
from webui.eyes import photo as bridge

pytestmark = pytest.mark.browser


@pytest.mark.parametrize(
    ("name", "content", "says", "shown"),
    few(
        [
            ("notes.txt", b"no picture at all", "photo", False),
            ("cut.jpg", photo(1).read_bytes()[:4000], "photo", True),  # as far as it goes
            ("empty.jpg", b"", "empty", False),
            ("board.pdf", b"%PDF-1.4 no picture", "photo", False),
        ]
    ),
)
def test_what_is_no_photo_gets_a_sentence_and_another_try(
    opened, server, show, name, content, says, shown
):
    show(bridge.see)
    page = ready_match(opened, server)

    page.locator("#camera").set_input_files(
        [{"name": name, "mimeType": "image/jpeg", "buffer": content}]
    )

    expect(page.locator("#photo-says")).to_contain_text(says)
    expect(page.locator("#busy")).to_be_hidden()
    expect(page.locator("#stage")).to_be_visible(visible=shown)  # no broken picture
    take_photo_again = page.locator("#retake")
    take_photo_again.set_input_files(photo(1))
    expect(page.locator(CELLS)).to_have_count(9)


def test_a_photo_that_was_not_sent_is_kept_and_sent_again(opened, server):
    page = ready_match(opened, server)
    page.route("**/photos*", lambda route: route.abort())
    page.locator("#camera").set_input_files(photo(1))
    expect(page.locator("#photo-says")).to_contain_text("The server cannot be reached")

    page.unroute("**/photos*")
    page.get_by_role("button", name="Send it again").click()

    expect(page.get_by_role("button", name="Count it")).to_be_visible()


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
