"""After a confirm the page stays where it is, and the focus goes to the next move's control."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import APIResponse, Page, Route, expect

from tests.browser.phones import photo, wait_until
from tests.browser.play.test_games import count, match, steps
from tests.grids import few

pytestmark = pytest.mark.browser

AGREE = [{"move": "Agree", "starter": 0}]
TOP = "document.querySelector('#entry .sheets').getBoundingClientRect().top"
DOCK = "document.querySelector('#bar').offsetHeight"
FOCUS_IN = "selector => Boolean(document.activeElement.closest(selector))"


def take(page):
    page.get_by_role("button", name="take red 1").click()
    page.get_by_role("button", name="take red 2").click()
    page.get_by_role("button", name="red half, row 3, column 1, a 1: blank").click()
    page.get_by_role("button", name="red half, row 4, column 2, a 2: blank").click()


ROLLED = {
    "move": "Roll",
    "dice": [
        *(["red", pips] for pips in (1, 2, 4)),
        *(["blue", pips] for pips in (1, 1, 2)),
        ["purple", 3],
    ],
}
BOARDS: dict[str, tuple[Callable[[Page], None], tuple[str, ...], Any]] = {
    "dice_wide_shut": (take, ("Ana", "Ben"), [{"move": "Starter", "seat": 0}, ROLLED]),
}


@pytest.mark.parametrize("game", BOARDS)
def test_after_a_tapped_move_the_board_stays_in_place_and_has_the_focus(opened, server, game):
    tap, names, opening = BOARDS[game]
    page = match(opened, server, game, *names, opening=opening)
    expect(page.locator("#entry .sheets button").first).to_be_visible()
    before = page.evaluate(TOP)
    dock = page.evaluate(DOCK)
    tap(page)
    expect(page.locator("#foot .main")).to_be_visible()
    assert page.evaluate(DOCK) <= dock
    assert page.evaluate(TOP) == before
    said = page.locator("#entry-says").inner_text()

    count(page)
    steps(page, 2)

    page.wait_for_function(FOCUS_IN, arg="#entry .sheets button")
    wait_until(page, lambda: abs(page.evaluate(TOP) - before) <= 2)
    expect(page.locator("#announce")).to_contain_text(said.partition(";")[0])


def test_a_tap_on_a_pad_scrolls_no_page_and_the_next_pad_has_the_focus(opened, server):
    page = match(opened, server, "gords", "Ana", "Ben", opening=AGREE)
    expect(page.locator("#state")).to_have_text("live")
    page.evaluate("scrollTo(0, 200)")
    before = page.evaluate("scrollY")

    page.get_by_role("button", name="Face: 3").click()
    page.get_by_role("button", name="How many, ones included: 4").click()
    assert page.evaluate("scrollY") == before
    page.get_by_role("button", name="Ana bids 4 threes").click()
    steps(page, 2)
    expect(page.locator("#entry .key").first).to_be_focused()
    page.get_by_role("button", name="Ben calls").click()

    steps(page, 3)
    expect(page.locator("#entry .key").first).to_be_focused()
    assert page.evaluate("scrollY") == before


def test_after_a_counted_photo_the_pad_has_the_focus_and_the_step_is_told(opened, server):
    agree = {"move": "Agree", "starter": 0, "black": 0}
    page = match(opened, server, "purple_house", "Ana", "Ben", opening=[agree])
    page.locator("#camera").set_input_files(photo(1))
    page.get_by_role("button", name="Count it").click()

    expect(page.locator("#look")).to_be_hidden()
    expect(page.locator("#entry .key").first).to_be_focused()
    expect(page.locator("#announce")).to_have_text(
        re.compile(r"^9 dice placed, read from a photo\. Ana \d")
    )


@pytest.mark.release
@pytest.mark.parametrize("game", ["pig", "beat_the_odds"])
def test_after_a_said_roll_the_next_one_has_the_focus(opened, server, game):
    opening = AGREE if game == "beat_the_odds" else ()
    page = match(opened, server, game, "Ana", "Ben", opening=opening)
    before = page.locator(".history > li").count()

    for row, pips in zip(page.locator("#entry .keys").all(), (2, 4), strict=False):
        row.locator(f'[data-key="{pips}"]').click()
    steps(page, before + 1)

    expect(page.locator("#announce")).to_contain_text("Ana rolls 2")
    page.wait_for_function(FOCUS_IN, arg="#entry .key")


@pytest.mark.release
def test_a_step_of_another_phone_leaves_the_focus_where_it_is(opened, server):
    page = match(opened, server, "gords", "Ana", "Ben", opening=AGREE)
    expect(page.locator("#state")).to_have_text("live")
    page.get_by_role("button", name="Menu of this match").focus()
    path = page.url.replace("/m/", "/api/matches/") + "/moves"

    made = {"move": "Bid", "space": "4", "face": 3}
    assert page.request.post(path, data={"after": 1, "moves": [made]}).ok
    steps(page, 2)

    expect(page.get_by_role("button", name="Menu of this match")).to_be_focused()


@pytest.mark.parametrize("game", few(["pig", "beat_the_odds", "gords"]))
def test_the_news_of_a_step_may_come_before_its_own_answer(opened, server, game):
    page = match(opened, server, game, "Ana", "Ben", opening=() if game == "pig" else AGREE)
    expect(page.locator("#state")).to_have_text("live")  # its stream tells it the step
    answers: list[tuple[Route, APIResponse]] = []
    page.route("**/moves", lambda route: answers.append((route, route.fetch())), times=1)
    before = page.locator(".history > li").count()

    for row in page.locator("#entry .keys").all():
        row.locator(".key").nth(2).click()
    if game == "gords":
        page.locator("#foot button.main").click()
    steps(page, before + 1)
    expect(page.locator("#announce")).to_contain_text("Ana")
    ((route, answer),) = answers
    with page.expect_response("**/moves"):
        route.fulfill(response=answer)

    page.wait_for_function(FOCUS_IN, arg="#entry .key")
    expect(page.locator("#entry-says")).not_to_contain_text("Another phone")
    expect(page.locator("#entry [aria-pressed=true]")).to_have_count(0)


def test_numbers_that_count_leave_the_dock_though_their_news_came_before_the_answer(opened, server):
    page = match(opened, server, "sum", "Ana", "Ben")
    expect(page.locator("#state")).to_have_text("live")
    answers: list[tuple[Route, APIResponse]] = []
    page.route("**/moves", lambda route: answers.append((route, route.fetch())), times=1)
    page.get_by_label("Points of Ana").fill("5")
    count(page)
    steps(page, 1)
    ((route, answer),) = answers
    with page.expect_response("**/moves"):
        route.fulfill(response=answer)

    expect(page.get_by_label("Points of Ana")).to_have_value("")
    expect(page.locator("#foot button")).to_have_count(0)


@pytest.mark.release
def test_a_sheet_is_drawn_anew_though_the_news_came_before_the_answer(opened, server):
    tap, names, opening = BOARDS["dice_wide_shut"]
    page = match(opened, server, "dice_wide_shut", *names, opening=opening)
    expect(page.locator("#state")).to_have_text("live")
    answers: list[tuple[Route, APIResponse]] = []
    page.route("**/moves", lambda route: answers.append((route, route.fetch())), times=1)
    tap(page)
    before = page.locator(".history > li").count()

    count(page)
    steps(page, before + 1)
    ((route, answer),) = answers
    with page.expect_response("**/moves"):
        route.fulfill(response=answer)

    expect(page.locator("#entry-says")).not_to_contain_text("Another phone")
    page.wait_for_function(FOCUS_IN, arg="#entry .sheets button")
