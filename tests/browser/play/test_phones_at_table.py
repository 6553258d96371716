"""A host at a phone of 360 px lets another phone only watch, and play again; both pages follow."""

import pytest
from playwright.sync_api import expect

from tests.browser.phones import NO_WORKER, HeldRequests
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
    page.add_init_script(NO_WORKER)
    return HeldRequests("**/api/live?*").of(page)


@pytest.mark.release
def test_what_happens_to_phones_before_a_page_is_live_is_shown_too(opened, server):
    """One that comes is in the list that its host has opened; one that may play again does."""
    host, guest = opened(f"{server.address}?game=pig", own=True), opened("about:blank", own=True)
    hosts = without_stream(host)
    host.get_by_role("button", name="Start", exact=False).last.click()
    host.locator("#phones > summary").click()
    expect(host.locator("#phone-1")).to_contain_text("host")
    address = host.url.partition("?")[0].partition("#")[0]

    guest.goto(address)
    hosts.go_on()

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
    guests.go_on()

    expect(guest.locator("#watches")).to_have_count(0)
