"""A host at a phone of 360 px lets another phone only watch, and play again; both pages follow."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.phones import BrowserServer, Open
from tests.browser.sight.fits import check_fits

pytestmark = pytest.mark.browser


def test_a_host_sees_who_comes_and_says_what_each_may_do(
    opened: Open, server: BrowserServer
) -> None:
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
    second.get_by_role("button", name="Only watch").click()

    expect(second).to_contain_text("only watches")
    expect(guest.locator("#watches")).to_be_visible()
    expect(guest.locator("#bar")).to_be_hidden()
    second.get_by_role("button", name="Let it play").click()
    expect(guest.locator("#watches")).to_have_count(0)
