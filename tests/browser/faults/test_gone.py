"""A match is deleted while others look at it: they are told so, and nothing tries to come back."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.faults.test_offline import kept_page
from tests.browser.phones import NO_WORKER, serving
from tests.browser.sight.fits import check_fits
from tests.browser.sight.test_axe import check
from webui.store.log import Store
from webui.store.upkeep import delete_match

pytestmark = pytest.mark.browser

ROLL = {"move": "Roll", "pips": 4}


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
    match = server.match("pig", "Ana", "Ben", opening=[ROLL, ROLL, {"move": "Hold"}])
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
    match = server.match("pig", "Ana", "Ben", opening=[ROLL, ROLL, {"move": "Hold"}])
    page = opened("about:blank", own=True)
    page.add_init_script(NO_WORKER)
    page.clock.install()
    page.route("**/api/live?*", lambda route: route.abort())
    page.goto(match["url"])
    expect(page.locator("#state")).to_have_attribute("data-state", "polling")

    delete(opened("about:blank"), server, match["id"])

    expect_gone(page)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.clock.run_for(10_000)  # it looked every three seconds
    assert not asked


@pytest.mark.release
def test_a_phone_keeps_no_page_of_a_match_that_was_deleted(opened, server):
    match = server.match("pig", "Ana", "Ben", opening=[ROLL, ROLL, {"move": "Hold"}])
    page = kept_page(opened, match["url"])

    delete(opened("about:blank"), server, match["id"])

    expect_gone(page)
    page.wait_for_function(
        "async path => !(await caches.match(path)) && !(await caches.match(`${path}/tally`))",
        arg=f"/m/{match['id']}",
    )


def test_a_match_that_another_program_deletes_is_gone_at_the_next_heartbeat(opened, tmp_path):
    with serving(tmp_path) as server:
        match = server.match("pig", "Ana", "Ben", opening=[ROLL, ROLL, {"move": "Hold"}])
        page = opened(match["url"])
        expect(page.locator("#state")).to_have_text("live")

        store = Store(f"sqlite:///{tmp_path / 'log.db'}", tmp_path / "photos")
        delete_match(store, match["id"])
        store.close()

        expect(page.get_by_role("dialog")).to_be_visible()
        expect_gone(page)
