"""A host at a phone of 360 px lets another phone only watch, and play again; both pages follow."""

from __future__ import annotations

from contextlib import suppress

import pytest
from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import Route, expect

from tests.browser.phones import NO_WORKER
from tests.browser.sight.fits import check_fits

pytestmark = pytest.mark.browser


def test_a_host_sees_who_comes_and_says_what_each_may_do(opened, server):
    host = opened(f"{server.address}?game=pig")
    host.get_by_role("button", name="Start", exact=False).last.click()
    expect(host.locator("#phones")).to_have_count(1)
    host.locator("#phones > summary").click()
    expect(host.locator("#phone-1")).to_contain_text("host")

    guest = opened(host.url.partition("?")[0].partition("#")[0])
    second = host.locator("#phone-2")
    expect(second).to_contain_text("plays")  # it came while the list was open
    second.locator("summary").click()
    check_fits(host, least=40, widths=(360,))
    expect(guest.locator("#state")).to_have_text("live")
    second.get_by_role("button", name="Only watch").click()

    expect(second).to_contain_text("only watches")
    expect(guest.locator("#watches")).to_be_visible()
    expect(guest.locator("#bar")).to_be_hidden()
    second.get_by_role("button", name="Let it play").click()
    expect(guest.locator("#watches")).to_have_count(0)


def without_stream(page):
    """Hold the streams of the pages that are opened on a phone."""
    held: list[Route] = []
    page.add_init_script(NO_WORKER)
    page.route("**/api/live?*", lambda route: held.append(route))  # noqa: PLW0108  # needs a function
    return held


def let_through(page, held):
    page.unroute_all()
    for route in held:
        with suppress(PlaywrightError):  # of a page that is no more
            route.continue_()


def test_what_happens_to_phones_before_a_page_is_live_is_shown_too(opened, server):
    """One that comes is in the list that its host has opened; one that may play again does."""
    host, guest = opened(f"{server.address}?game=pig", own=True), opened("about:blank", own=True)
    hosts = without_stream(host)
    host.get_by_role("button", name="Start", exact=False).last.click()
    host.locator("#phones > summary").click()
    expect(host.locator("#phone-1")).to_contain_text("host")
    address = host.url.partition("?")[0].partition("#")[0]

    guest.goto(address)
    let_through(host, hosts)

    second = host.locator("#phone-2")
    expect(second).to_contain_text("plays")
    second.locator("summary").click()
    second.get_by_role("button", name="Only watch").click()
    expect(second).to_contain_text("only watches")
    guests = without_stream(guest)
    guest.goto(address)
    expect(guest.locator("#watches")).to_be_visible()

    second.get_by_role("button", name="Let it play").click()
    expect(second).to_contain_text("plays")
    let_through(guest, guests)

    expect(guest.locator("#watches")).to_have_count(0)
