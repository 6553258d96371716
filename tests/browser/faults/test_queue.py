"""What is entered without the network waits in order and is sent one after the other."""

import json
import re

import pytest
from playwright.sync_api import expect

from tests import ROOT
from tests.browser.faults.test_offline import kept_page
from tests.browser.phones import RACE, HeldRequests, eyes, photo, serving, wait_until
from tests.browser.play.test_games import live_match
from tests.browser.play.test_panel import FOUR
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
from tests.conftest import AGREE, board_moves
from tests.matches import BEGUN

pytestmark = pytest.mark.browser

ROLLED_4 = [{"move": "Roll", "pips": 4}]
SAMPLES = ROOT / "webui" / "static" / "samples"
TRUTH = tuple(word.lower() for row in RACE["rounds"][0]["grid"] for word in row)


def left_alone(opened, folder, game="pig", *names, opening=ROLLED_4, **rules):
    """Return a match, its page, and the port of its server, which is gone.

    Unless others are named it is one of Pig in which Ada has rolled 4.
    """
    with serving(folder, eyes()) as server:
        match = server.match(game, *(names or ("Ada", "Ben")), opening=opening, **rules)
        page = kept_page(opened, match["url"])
        live(page)
    return match, page, server.port


def cut_off(opened, server, game, *names, **rest):
    """Return the page of a match on a phone without network."""
    page = live_match(opened, server, game, *names, **rest)
    page.context.set_offline(True)
    return page


def overtaken(match, page, server):
    """Let another phone roll a 2, then open the page of the match again."""
    server.play(match, {"move": "Roll", "pips": 2})
    page.goto(match["url"])


def tap(page, words):
    page.get_by_role("button", name=words).first.click()


def live(page):
    expect(page.locator("#state")).to_have_text("live")


def test_what_is_tapped_offline_waits_in_order_over_a_reload_and_counts_in_order(opened, tmp_path):
    _, page, port = left_alone(opened, tmp_path)

    entered = ["Ada rolls 5", "Ada rolls 5", "Ada holds"]  # the pad knows of 4, and 14 will count
    for number, words in enumerate(entered, start=1):
        tap(page, words)
        expect(page.locator("#waiting .said")).to_have_text(entered[:number])
    page.reload()
    expect(page.locator("#waiting .said")).to_have_text(entered)

    with serving(tmp_path, eyes(), port):
        expect(page.locator("#waiting")).to_be_hidden()
        expect(page.locator(".history > li")).to_have_count(4)
        expect(page.locator('[data-score="0"]')).to_have_text("14")
        page.reload()
        live(page)
        expect(page.locator(".history > li")).to_have_count(4)


@pytest.mark.release
def test_what_is_marked_on_a_sheet_offline_is_asked_and_counts_later(opened, server):
    opening = BEGUN["dice_wide_shut"]
    page = cut_off(opened, server, "dice_wide_shut", "Ada", "Ben", opening=opening)

    tap(page, "take red 1")
    tap(page, "take red 2")
    expect(page.locator("#entry")).to_contain_text("when the network is back")
    expect(page.locator("#foot .main")).to_have_text("Count it")
    page.locator("#foot .main").click()
    expect(page.locator("#waiting .said")).to_have_text(["Count it: red 1, red 2"])

    page.context.set_offline(False)

    expect(page.locator("#waiting")).to_be_hidden()
    expect(page.locator(".history > li").first).to_contain_text("Ada")
    expect(page.locator("#prompt")).to_contain_text("Ben")


def test_what_was_not_counted_is_in_reach_above_a_sheet(opened, tmp_path):
    """A sheet fills the screen: of the note two lines stood above it, and no button."""
    opening = BEGUN["dice_wide_shut"]
    match, page, port = left_alone(opened, tmp_path, "dice_wide_shut", opening=opening)
    tap(page, "take red 1")
    tap(page, "take red 2")
    page.locator("#foot .main").click()
    expect(page.locator("#waiting .said")).to_have_count(1)
    page.goto("about:blank")

    with serving(tmp_path, eyes(), port) as again:
        again.play(match, {"move": "Rename", "seat": 0, "name": "Adele"})
        page.goto(match["url"])
        expect(page.locator("#undecided")).to_contain_text("was not counted")

        buttons, panel = page.locator("#undecided button").last, page.locator("#entry")
        expect(buttons).to_be_visible()
        foot = "one => one.getBoundingClientRect().bottom"
        wait_until(page, lambda: buttons.evaluate(foot) <= panel.bounding_box()["y"], "covered")


def test_a_step_on_the_sheet_of_the_second_table_names_it_while_it_waits(opened, server):
    opening = [{**move, "table": table} for table in (0, 1) for move in BEGUN["dice_wide_shut"]]
    game = ("dice_wide_shut", "Ada", "Ben", "Cyd", "Dan")
    page = cut_off(opened, server, *game, opening=opening, **FOUR)
    second = page.locator("#entry .pads").nth(1)

    for take in ("take red 1", "take red 2"):
        second.get_by_role("button", name=take).click()
    second.locator(".entry-foot .main").click()

    expect(page.locator("#waiting .said")).to_have_text(["Table 2: Count it: red 1, red 2"])


def test_what_names_its_table_itself_is_not_told_of_it_twice(opened, server):
    game = ("beat_the_odds", "Ada", "Ben", "Cyd", "Dan")
    page = cut_off(opened, server, *game, opening=[], **FOUR)
    second = page.locator("#entry .pads").nth(1)

    for die in ("First die: 2", "Second die: 3"):
        second.get_by_role("button", name=die).click()

    expect(page.locator("#waiting .said")).to_have_text(["table 2: Cyd rolls 2-3 for the start"])


def test_a_total_at_the_second_table_is_not_said_of_what_waits(opened, server):
    rolls = [{**ROLLED_4[0], "table": table} for table in (0, 1)]
    page = cut_off(opened, server, "pig", "Ada", "Ben", "Cyd", "Dan", opening=rolls, **FOUR)
    second = page.locator("#entry .pads").nth(1)

    second.get_by_role("button", name="rolls 3").click()
    expect(page.locator("#waiting .said")).to_have_count(1)
    second.locator(".entry-foot button").click()

    expect(page.locator("#waiting .said").nth(1)).to_have_text(re.compile("holds$"))


def test_two_tabs_of_a_phone_share_the_queue_and_send_each_step_once(opened, tmp_path):
    _, page, port = left_alone(opened, tmp_path)
    other, counted = page.context.new_page(), []
    other.goto(page.url)
    page.context.on("response", lambda answer: counted.append(answer) if stored(answer) else None)

    tap(page, "Ada rolls 5")
    for tab in (page, other):
        expect(tab.locator("#waiting .said")).to_have_text(["Ada rolls 5"])
    tap(other, "Ada rolls 6")
    for tab in (page, other):
        expect(tab.locator("#waiting .said")).to_have_text(["Ada rolls 5", "Ada rolls 6"])

    with serving(tmp_path, eyes(), port):
        for tab in (page, other):
            expect(tab.locator("#waiting")).to_be_hidden()
            expect(tab.locator("#undecided")).to_be_hidden()
            expect(tab.locator(".history > li")).to_have_count(3)
        assert len(counted) == 2


def stored(answer):
    """Return whether an answer says that the server took a step."""
    return answer.request.method == "POST" and answer.status == 201


TWO, THREE = ("Ada rolls 5", "Ada holds 4"), ("Ada rolls 5",) * 3


@pytest.mark.parametrize(
    ("taps", "decided", "score", "steps"),
    [
        (TWO, ["Drop it", "Count it now"], "6", 3),
        pytest.param(TWO, ["Count it now"], "11", 4, marks=pytest.mark.release),  # with the rest
        (THREE, ["Drop all 3"], "0", 2),
    ],
    ids=["one by one", "the rest along", "all at once"],
)
def test_what_is_refused_stops_the_rest_and_is_decided_by_a_person(
    opened, tmp_path, taps, decided, score, steps
):
    match, page, port = left_alone(opened, tmp_path)
    for number, words in enumerate(taps, start=1):
        tap(page, words)
        expect(page.locator("#waiting .said")).to_have_count(number)
    page.goto("about:blank")

    with serving(tmp_path, eyes(), port) as again:
        overtaken(match, page, again)

        asked = page.locator("#undecided li", has_text="was not counted")
        expect(asked).to_have_count(len(taps))
        expect(asked.nth(0)).to_contain_text("“Ada rolls 5” was not counted. Another phone")
        expect(asked.nth(1)).to_contain_text("The step before it was not counted.")
        page.reload()
        expect(asked).to_have_count(len(taps))  # until it is decided
        for left, button in zip(range(len(taps) - 1, -1, -1), decided, strict=False):
            page.get_by_role("button", name=button).first.click()
            if button == "Drop it":
                expect(asked).to_have_count(left)
        expect(page.locator("#undecided")).to_be_hidden()
        expect(page.locator('[data-score="0"]')).to_have_text(score)
        page.reload()
        live(page)
        expect(page.locator("#undecided")).to_be_hidden()
        expect(page.locator(".history > li")).to_have_count(steps)


PIG = ("pig", ROLLED_4, ["Ada rolls 5"], [{"move": "Hold"}], "Ben rolls 5")
SHEET = (
    "dice_wide_shut",
    BEGUN["dice_wide_shut"],
    ["take red 1", "take red 2", "Count it: red 1, red 2"],
    [
        {"move": "Take", "colour": "blue", "dice": [["blue", 1], ["blue", 2]]},
        {"move": "Mark", "cells": [["blue", 0, 0], ["blue", 1, 0]]},
    ],
    "Ben takes red 1 and red 2",
)


@pytest.mark.parametrize(("game", "opening", "taps", "others", "counted"), [PIG, SHEET])
def test_a_refused_step_says_for_whom_it_would_count_by_now(
    opened, tmp_path, game, opening, taps, others, counted
):
    """Another phone ended the turn: what stood there as Ada's roll counted for Ben."""
    match, page, port = left_alone(opened, tmp_path, game, opening=opening)
    for words in taps:
        tap(page, words)
    expect(page.locator("#waiting .said")).to_have_count(1)
    page.goto("about:blank")

    with serving(tmp_path, eyes(), port) as again:
        again.play(match, *others)
        page.goto(match["url"])
        expect(page.locator("#undecided")).to_contain_text("was not counted.")
        expect(page.get_by_role("button", name="Count it now")).to_have_count(0)
        page.get_by_role("button", name="Count it for Ben").click()

        expect(page.locator(".history > li").first).to_contain_text(counted)


def test_undo_offline_drops_the_newest_that_never_left_and_waits_else(opened, server):
    page = cut_off(opened, server, "pig", "Ada", "Ben", opening=ROLLED_4)
    expect(page.locator("#state")).to_have_text("offline")
    undo = page.get_by_role("link", name="Undo", exact=True)

    tap(page, "Ada rolls 5")
    expect(page.locator("#waiting")).to_contain_text("Ada rolls 5")
    tap(page, "Ada rolls 6")
    expect(page.locator("#waiting .said")).to_have_count(2)
    undo.click()
    expect(page.locator("#waiting .said")).to_have_text(["Ada rolls 5"])
    undo.click()  # the first may have been stored, its answer lost
    expect(page.locator("#waiting .said")).to_have_text(["Ada rolls 5", "Take back the last step"])
    tap(page, "Ada rolls 3")
    expect(page.locator("#waiting .said")).to_have_count(3)

    page.context.set_offline(False)

    expect(page.locator("#waiting")).to_be_hidden()
    expect(page.locator(".history > li")).to_have_count(4)
    tap(page, "Ada holds 7")
    expect(page.locator('[data-score="0"]')).to_have_text("7")


@pytest.mark.release
def test_photos_taken_offline_are_read_one_after_the_other(opened, tmp_path):
    boards = [eyes(), eyes(board="race-02")]

    def see(*asked):
        return boards[0](*asked)

    with serving(tmp_path) as server:
        made = server.match("purple_house", "Ana", "Ben", opening=[AGREE])
        page = kept_page(opened, made["url"])
        live(page)

    for number in (1, 2):
        page.locator("#camera").set_input_files(photo(number))
        page.get_by_role("button", name="Read it later").click()
        expect(page.locator("#look")).to_be_hidden()
    page.reload()
    expect(page.locator("#waiting .said")).to_have_text(["A photo: not read yet"])
    expect(page.locator("#undecided li")).to_have_count(1)

    with serving(tmp_path, see, server.port):
        live(page)
        page.get_by_role("button", name="Read it now").click()
        expect(page.locator(CELLS)).to_have_count(9)
        page.reload()  # in between
        confirm(page)
        expect_score(page, **ROUND_1)
        boards.pop(0)
        expect(page.locator("#waiting")).to_be_hidden()
        page.get_by_role("button", name="Read it now").click()
        expect(page.locator(CELLS)).to_have_count(9)
        confirm(page)
        expect(page.locator("#undecided")).to_be_hidden()
        expect_score(page, **RACE["rounds"][1]["total"])
        expect(page.locator(".history > li")).to_have_count(3)


@pytest.mark.release
def test_what_was_put_right_on_a_photo_is_there_when_it_is_refused_later(opened, tmp_path):
    with serving(tmp_path, eyes()) as server:
        ready = ready_match(opened, server)
        page = kept_page(opened, ready.url)
        take_photo(page, photo(1))
        cell(page, 0, 0).locator(".hit").click()
        answer(page, "black", 4)
        count = page.get_by_role("button", name="Count it")
        expect(count).to_have_attribute("aria-disabled", "false")
    count.click()
    expect(page.locator("#look")).to_be_hidden()
    expect(page.locator("#not-now")).to_contain_text("is kept on this phone")
    expect(page.locator("#waiting .said")).to_have_count(1)
    page.goto("about:blank")

    with serving(tmp_path, eyes(), server.port) as again:
        other = board_moves(TRUTH)[:1]
        again.post(f"matches/{ready.url.split('/')[-1]}/moves", {"after": 1, "moves": other})
        page.goto(ready.url)
        page.get_by_role("button", name="Look again").click()

        expect(cell(page, 0, 0)).to_have_attribute("aria-label", "row 1, column 1: black 4")


@pytest.mark.release
def test_a_late_answer_leaves_the_photo_that_was_taken_meanwhile(opened, server, show):
    page = ready_match(opened, server)
    take_photo(page, photo(1))
    late = HeldRequests("**/moves").of(page)
    page.get_by_role("button", name="Count it").click()
    page.wait_for_function("() => document.querySelector('#confirm').textContent === 'Sending …'")
    late.wait()
    page.get_by_role("button", name="Back").click()
    show(eyes(board="race-02"))
    take_photo(page, photo(2))

    with page.expect_response("**/moves"):
        late.go_on()

    expect_score(page, **ROUND_1)
    expect(page.locator("#look")).to_be_visible()
    confirm(page)
    expect_score(page, **RACE["rounds"][1]["total"])


@pytest.mark.release
def test_a_step_is_kept_while_the_server_has_too_much_to_do(opened, server):
    page = opened(server.match("pig", "Ada", "Ben", opening=ROLLED_4)["url"])
    busy = json.dumps({"error": {"kind": "Busy", "sentence": "Too much at once."}})
    page.route("**/moves", lambda route: route.fulfill(status=503, body=busy), times=1)

    tap(page, "Ada rolls 5")
    expect(page.locator(".history > li")).to_have_count(2)
    expect(page.locator("#waiting")).to_be_hidden()


@pytest.mark.release
def test_a_photo_is_read_after_the_step_that_waits_before_it(opened, server):
    page = opened(server.match("pig", "Ada", "Ben", opening=ROLLED_4)["url"])
    page.route("**/moves", lambda route: route.abort())
    photos = []
    page.on("request", lambda one: photos.append(one.url) if "/photos" in one.url else None)
    tap(page, "Ada rolls 5")
    expect(page.locator("#waiting")).to_contain_text("Ada rolls 5")

    page.locator("#camera").set_input_files(SAMPLES / "pig.jpg")
    expect(page.locator("#photo-says")).to_contain_text("once what was entered before it")
    assert not photos

    page.unroute("**/moves")
    expect(page.locator(".history > li")).to_have_count(2)
    expect(page.locator("#confirm")).to_be_visible()
    assert photos
    page.get_by_role("button", name="Back").click()
    expect(page.locator("#waiting")).to_be_hidden()
