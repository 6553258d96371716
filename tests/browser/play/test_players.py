"""A person at a phone of 360 px adds a third player, renames one, lets one leave, and ends."""

import pytest
from playwright.sync_api import expect

from tests.browser.sight.fits import check_fits

pytestmark = pytest.mark.browser


def test_players_come_and_go_by_taps(opened, server):
    phone = opened(f"{server.address}?game=pig")
    phone.get_by_role("button", name="Start", exact=False).last.click()
    expect(phone.locator("#players")).to_have_count(1)
    phone.locator("#players > summary").click()
    phone.get_by_label("Who comes late").fill("Cleo")
    phone.get_by_role("button", name="Join").click()
    expect(phone.locator(".tally .score")).to_have_count(3)

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


@pytest.mark.release
def test_all_play_on_with_two_black_dice_in_a_row_by_two_taps(opened, server):
    placed = {"move": "Place", "row": 0, "column": 0, "colour": "black", "pips": 4}
    opening = [{"move": "Agree", "starter": 0, "black": 0}, placed]
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
