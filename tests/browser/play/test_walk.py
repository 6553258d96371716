"""Three people walk in by the door, in German, and the network is gone for a while."""

import re

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser

PEOPLE = ("Mia", "Tom", "Ümit")


def test_three_play_in_german_and_what_was_thrown_offline_counts_once(opened, server):
    page = opened(server.address, locale="de-DE")
    page.get_by_role("button", name=re.compile("^Pig")).click()
    page.get_by_role("button", name="Spieler hinzufügen").click()
    for place, name in enumerate(PEOPLE):
        page.locator('input[name="name"]').nth(place).fill(name)
    page.get_by_role("button", name="Pig starten").click()
    page.get_by_role("button", name="Mia würfelt 3").click()
    history = page.locator(".history > li")
    expect(history).to_have_count(1)
    expect(page.locator("#state")).to_have_attribute("data-state", "live")

    page.context.set_offline(True)
    page.get_by_role("button", name="Mia würfelt 4").click()
    expect(page.locator("#waiting")).to_contain_text("Mia würfelt 4")
    page.context.set_offline(False)

    expect(page.locator("#waiting")).to_be_hidden()
    expect(history).to_have_count(2)
    page.get_by_role("button", name="Mia sichert").first.click()
    expect(page.locator("#prompt")).to_contain_text("Tom")
    expect(page.locator('[data-score="0"]')).to_have_text("7")
    assert page.locator("html").get_attribute("lang") == "de"
    english = opened(page.url, locale="en-GB")
    expect(english.locator('[data-score="0"]')).to_have_text("7")
    expect(english.locator(".history")).to_contain_text("Mia rolls 4")
