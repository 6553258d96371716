"""A person at a phone of 360 px adds a third player, renames one, lets one leave, and ends."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.phones import BrowserServer, Open
from tests.browser.sight.fits import check_fits

pytestmark = pytest.mark.browser


def test_players_come_and_go_by_taps(opened: Open, server: BrowserServer) -> None:
    phone = opened(f"{server.address}?game=pig")
    phone.get_by_role("button", name="Start", exact=False).last.click()
    expect(phone.locator("#players")).to_have_count(1)
    phone.locator("#players > summary").click()
    phone.get_by_label("Who comes late").fill("Cleo")
    phone.get_by_role("button", name="Join").click()
    expect(phone.locator(".tally .score")).to_have_count(3)

    phone.locator("#players > summary").click()
    phone.locator("#player-0 > details > summary").click()
    check_fits(phone, least=40, widths=(360,))
    phone.get_by_label("Another name").first.fill("Anna")
    phone.get_by_role("button", name="Rename").first.click()
    expect(phone.locator("#prompt")).to_contain_text("Anna")

    phone.locator("#players > summary").click()
    phone.locator("#player-0 > details > summary").click()
    phone.locator("#player-0").get_by_role("button", name="Leaves").click()
    check_fits(phone, least=40, widths=(360,))
    phone.get_by_role("button", name="Yes, that is so").click()
    expect(phone.locator("#why-0")).to_contain_text("Has left")

    phone.locator("#players > summary").click()
    phone.get_by_role("button", name="End the match here").click()
    expect(phone.locator("#ends")).to_contain_text("The match is over then")
    phone.get_by_role("button", name="Yes, that is so").click()
    expect(phone.locator("#result-title")).to_have_text("Ended early")
