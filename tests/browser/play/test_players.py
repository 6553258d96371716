"""At a phone of 360 px players come, go and are renamed; a host lets phones only watch."""

import pytest
from playwright.sync_api import expect

from tests.browser.phones import NO_WORKER, HeldRequests
from tests.browser.sight.fits import check_fits
from tests.conftest import AGREE, place

pytestmark = pytest.mark.browser


def test_players_come_and_go_by_taps(opened, server):
    phone = opened(f"{server.address}?game=pig")
    phone.get_by_role("button", name="Start", exact=False).last.click()
    expect(phone.locator("#players")).to_have_count(1)
    phone.locator("#players > summary").click()
    phone.get_by_label("Who comes late").fill("Cleo")
    phone.get_by_role("button", name="Join").click()
    expect(phone.locator(".tally .score")).to_have_count(3)

    phone.evaluate("window.neverReloaded = true")
    phone.locator("#player-0 > details > summary").click()
    check_fits(phone, least=40, widths=(360,))
    phone.get_by_label("New name").first.fill("Anna")
    phone.get_by_role("button", name="Rename").first.click()
    expect(phone.locator("#prompt")).to_contain_text("Anna")

    phone.locator("#player-0").get_by_role("button", name="Leave").click()
    check_fits(phone, least=40, widths=(360,))
    phone.get_by_role("dialog").get_by_role("button", name="Leave").click()
    expect(phone.locator("#why-0")).to_contain_text("Has left")

    phone.get_by_role("button", name="End the match here").click()
    expect(phone.locator("#ends")).to_contain_text("The match is over then")
    phone.get_by_role("dialog").get_by_role("button", name="End the match").click()
    expect(phone.locator("#result-title")).to_have_text("Ended early")
    assert phone.evaluate("window.neverReloaded")


@pytest.mark.release
def test_all_play_on_with_two_black_dice_in_a_row_by_two_taps(opened, server):
    opening = [AGREE, place(0, 0, "black", 4)]
    phone = opened(server.match("purple_house", "Ana", "Ben", opening=opening)["url"])
    phone.locator("#tap-in").click()
    phone.locator('#picker [data-colour="black"]').nth(1).click()
    phone.locator("#picker-close").click()
    phone.locator("#play-on").click()
    expect(phone.get_by_text("against a rule, PH-4")).to_be_visible()
    check_fits(phone, least=40, widths=(360,))
    phone.locator("#who").select_option(label="Ben")
    phone.get_by_role("dialog").get_by_role("button", name="Play on").click()
    expect(phone.locator("#overridden")).to_contain_text("PH-4")
    expect(phone.locator("#look")).to_be_hidden()
    expect(phone.locator("#prompt")).to_contain_text("Ben")


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
