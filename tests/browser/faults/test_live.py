"""What a page says of its connection and of a deleted match; pages share one stream."""

import os
import re
import signal

import pytest
from playwright.sync_api import expect

from tests.browser.faults.test_offline import kept_page
from tests.browser.phones import EYELESS, NO_WORKER, BrowserServer, HeldRequests, serving
from tests.browser.sight.fits import check_fits
from tests.browser.sight.test_axe import check
from tests.webui import serving as real
from webui.store.log import Store
from webui.store.upkeep import delete_match

pytestmark = pytest.mark.browser

SLOW_START = 30_000  # ms; eight pages start on two cores
WATCHDOG = 8_000  # ms, SILENCE in webui/static/net/stream.js
WATCH = """window.states = [], new MutationObserver(() => states.push(state.dataset.state))
  .observe(document.getElementById("state"), {attributes: true})"""


def pig(server):
    return server.match("pig", "Ana", "Ben")


def roll(server, match, after=0):
    sent = {"after": after, "moves": [{"move": "Roll", "pips": 3}]}
    server.post(f"matches/{match['id']}/moves", sent)


def expect_state(page, state, within=SLOW_START):
    expect(page.locator("#state")).to_have_attribute("data-state", state, timeout=within)


@pytest.mark.release
def test_eight_pages_of_one_browser_are_all_live_and_one_that_goes_takes_nothing_along(
    browser, tmp_path
):
    with serving(tmp_path) as server:
        made = [pig(server) for _ in range(7)]
        context = browser.new_context()
        context.add_init_script(EYELESS)
        pages = []
        for match in (*made, made[0]):
            page = context.new_page()
            page.goto(match["url"])
            pages.append(page)

        for page in pages:
            expect_state(page, "live")
        for match in made:
            roll(server, match)
        for page in pages:
            expect(page.locator(".history > li")).to_have_count(1, timeout=SLOW_START)
        pages[0].close()
        roll(server, made[0], after=1)
        expect(pages[-1].locator(".history > li")).to_have_count(2, timeout=SLOW_START)
        context.close()


@pytest.mark.release
def test_the_lamp_tells_when_the_server_freezes_and_when_it_is_back(opened, tmp_path):
    with real.serving(tmp_path) as running:
        server = BrowserServer(running.address, 0)
        match = pig(server)
        page = opened(match["url"])
        expect_state(page, "live")

        os.kill(running.process.pid, signal.SIGSTOP)
        try:
            expect_state(page, "away")
        finally:
            os.kill(running.process.pid, signal.SIGCONT)

        expect_state(page, "live")
        roll(server, match)
        expect(page.locator(".history > li")).to_have_count(1, timeout=SLOW_START)


def test_the_lamp_tells_when_the_network_goes_and_comes(opened, tmp_path):
    with serving(tmp_path) as server:
        match = pig(server)
        page = opened(match["url"])
        expect_state(page, "live")

        page.context.set_offline(True)
        expect_state(page, "away", WATCHDOG)
        roll(server, match)
        page.context.set_offline(False)
        expect_state(page, "live")
        expect(page.locator(".history > li")).to_have_count(1, timeout=SLOW_START)  # it missed that


@pytest.mark.release
def test_without_a_stream_a_page_looks_every_few_seconds(opened, tmp_path):
    with serving(tmp_path) as server:
        match = pig(server)
        page = opened("about:blank", own=True)
        page.add_init_script(NO_WORKER)
        page.route("**/api/live*", lambda route: route.abort())
        page.goto(match["url"])
        expect_state(page, "polling")
        page.evaluate(WATCH)

        with page.expect_event("requestfailed", lambda one: "/api/live" in one.url):
            roll(server, match)  # it goes on trying
        expect(page.locator(".history > li")).to_have_count(1, timeout=SLOW_START)
        assert page.evaluate("states") == []


@pytest.mark.release
def test_a_step_on_its_way_is_told_at_once_and_one_without_answer_is_sent_again(opened, tmp_path):
    with serving(tmp_path) as server:
        page = opened(pig(server)["url"])
        expect_state(page, "live")
        held = HeldRequests("**/moves").of(page, times=1)
        button = page.locator("#entry .key").first
        words = button.text_content()

        button.click()
        expect(button).to_have_text("Sending …")
        expect(page.locator("#entry-says")).to_contain_text("counts only once", timeout=SLOW_START)
        expect(button).to_have_text(words)

        expect(page.locator(".history > li")).to_have_count(1)
        held.go_on()  # which the page gave up


ROLL = {"move": "Roll", "pips": 4}
HELD = [ROLL, ROLL, {"move": "Hold"}]


def delete(page, server, match):
    """Delete a match as its host does."""
    page.goto(f"{server.address}m/{match}")
    page.get_by_role("link", name="Delete this match").click()
    page.get_by_role("button", name="Delete for good").click()
    expect(page).to_have_url(re.compile("#mine$"))


def expect_gone(page):
    dialog = page.get_by_role("dialog", name="This match was deleted")
    expect(dialog).to_contain_text("Ana 8")
    expect(page.locator("#state")).to_have_attribute("data-state", "gone")
    page.keyboard.press("Escape")
    expect(dialog).to_be_visible()  # nothing below it can be done any more


@pytest.mark.release
def test_other_phones_and_the_television_say_that_a_match_was_deleted(opened, server):
    match = server.match("pig", "Ana", "Ben", opening=HELD)
    phone, television = opened(match["url"]), opened(f"{match['url']}/board")
    for page in (phone, television):
        expect(page.locator("#state")).to_have_text("live")
    phone.locator("#why-0 summary").click()

    delete(opened("about:blank"), server, match["id"])

    expect_gone(phone)
    check_fits(phone, least=40)
    check(phone)
    expect(television.locator("#board")).to_have_text("This match was deleted.")
    phone.get_by_role("link", name="Same players again").click()
    expect(phone.get_by_label("Player 2")).to_have_value("Ben")


@pytest.mark.release
def test_a_page_without_a_stream_says_it_too_and_asks_no_more(opened, server):
    match = server.match("pig", "Ana", "Ben", opening=HELD)
    page = opened("about:blank", own=True)
    page.add_init_script(NO_WORKER)
    page.clock.install()
    page.route("**/api/live?*", lambda route: route.abort())
    page.goto(match["url"])
    expect(page.locator("#state")).to_have_attribute("data-state", "polling")

    delete(opened("about:blank"), server, match["id"])

    expect_gone(page)
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.clock.run_for(10_000)  # it looked every three seconds
    assert not asked


@pytest.mark.release
def test_a_phone_keeps_no_page_of_a_match_that_was_deleted(opened, server):
    match = server.match("pig", "Ana", "Ben", opening=HELD)
    page = kept_page(opened, match["url"])

    delete(opened("about:blank"), server, match["id"])

    expect_gone(page)
    kept = "async path => !(await caches.match(path)) && !(await caches.match(`${path}/tally`))"
    page.wait_for_function(kept, arg=f"/m/{match['id']}")


@pytest.mark.release
def test_a_match_that_another_program_deletes_is_gone_at_the_next_heartbeat(opened, tmp_path):
    with serving(tmp_path) as server:
        match = server.match("pig", "Ana", "Ben", opening=HELD)
        page = opened(match["url"])
        expect(page.locator("#state")).to_have_text("live")

        store = Store(f"sqlite:///{tmp_path / 'log.db'}", tmp_path / "photos")
        delete_match(store, match["id"])
        store.close()

        expect(page.get_by_role("dialog")).to_be_visible()
        expect_gone(page)
